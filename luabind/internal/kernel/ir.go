package kernel

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// A Type is what an expression or register holds. Each type has registers of its
// own.
type Type uint8

// The types.
const (
	Number Type = iota // an entity is a number, too
	Bool
	Text // a string
)

// An Op is what an expression does.
type Op uint8

// The operations. Operands are A, B and C of the expression, evaluated in that
// order unless it says otherwise.
const (
	Const  Op = iota // N; N ~= 0 of a Bool; S of a Text
	Reg              // register I
	Load             // the field Field of view I; fails where the view is nil, and on an integer beyond 2^53 either way
	Entity           // the entity of the row
	Add
	Sub
	Mul
	Div
	Mod
	Pow
	Neg
	Less // of numbers
	LessEqual
	Equal // of two of one type
	Not
	And
	Or
	Select // B if A, else C
	Call   // Func of A, or of A and B
	Min    // B if B < A, else A
	Max

	Present // view I is not nil
	Alive   // entity A lives
	Has     // entity A has component ID, its own or an inherited one
	Tagged  // entity A has tag ID
	Element // of table I the element at A, or the member Member of it when that is not -1; fails where there is none

	// Operations with an effect. They stay where they are in the order of evaluation.

	Random // a draw from the running system's stream: without operands, up to A, or from A to B; fails on bounds that raise
	Tag    // sets tag ID on entity A; whether it lives
	Untag  // takes tag ID off entity A; whether it was there
)

// An Expr is a typed expression. It fails where the script would raise: an entity
// that is no handle, a field of a view that is nil. Then the row is put back as it
// was, and left to the interpreter; so what else is evaluated until the end of the
// statement does not matter.
type Expr struct {
	Op      Op
	Type    Type
	N       float64
	S       string
	I       int
	Member  int
	ID      uint32 // of a component or tag
	Field   *ecs.Field
	A, B, C *Expr
	Func    string // name in math
	One     func(float64) float64
	Two     func(a, b float64) float64
}

// A StmtOp is what a statement does.
type StmtOp uint8

// The statements.
const (
	Set    StmtOp = iota // register I = A; Mark is set to true, unless it is -1
	Store                // field Field of view I = A; the row is left to the interpreter when it does not fit, the view is nil, or inherited
	If                   // A, then Body or Else
	While                // A, Body
	Repeat               // Body, until A
	Count                // register I = A, B, C: from, to, step; Body
	Break                // leave the innermost loop
	Jump                 // leave the blocks up to the one with Label I
	Block                // Body; a Jump to Label I ends here

	Do     // A, for its effect
	Look   // view I = component Refs[I-Views].Component of entity A, nil when it is dead or lacks it
	Put    // the element at A of table I, or its member Member, = B; left to the interpreter where there is none
	Fit    // register I = A as a resource of type Field.Type holds it; the row is left to the interpreter when it does not fit
	Emit   // Effect with Args; register I = the entity of a spawn, unless it is -1
	Each   // for each row of Queries[I]: Body
	Near   // for the entities near point A, B within C in Grid, and their squared distances: registers I and J, unless -1, which nothing else sets; Body. The list is taken before the first turn, at a price of 1 each
	Return // leave the query loop, and the function it is in, with the values of Args; the first one says which return of the source it is
	Leave  // leave the row to the interpreter
)

// A Stmt is a statement.
type Stmt struct {
	Op         StmtOp
	I, J       int
	Mark       int
	Member     int
	Field      *ecs.Field
	A, B, C    *Expr
	Args       []*Expr
	Effect     *Effect
	Grid       *ecs.Grid
	Body, Else []*Stmt
	Price      int64 // of a turn of While, Repeat, Count, Each, Near
}

// An EffectOp is what an effect does when it is applied, in the order of the calls.
type EffectOp uint8

// The effects. The Args of a statement are, in order: the entity, where there is
// one, then a value per item of Fields, then one per item of Relations (none for
// QueueUnrelate).
const (
	Send       EffectOp = iota // world:send
	QueueSend                  // the others are those of world.commands
	QueueSpawn                 // no entity among the Args
	QueueDespawn
	QueueAdd
	QueueRemove
	QueueSet
	QueueTag
	QueueUntag
	QueueRelate
	QueueUnrelate
)

// An Effect is a call that changes the world at the end of the row, or later.
type Effect struct {
	Index      int // in Program.Effects
	Op         EffectOp
	Line       int    // of the call in the source
	Place      uint16 // what commands are queued with, see ecs.Commands.At; set before the program runs, 0: not known
	Event      ecs.EventID
	Schema     *ecs.Schema // of the event
	Components []ecs.ComponentID
	Tags       []ecs.TagID
	Relations  []ecs.RelationID
	Fields     []EffectField
}

// An EffectField says which field a value goes to. A value that does not fit
// leaves the row to the interpreter.
type EffectField struct {
	Component int // which of Effect.Components; of no meaning for an event
	Index     int // of the field in its schema
	Field     *ecs.Field
}

// A Program is the body of a query loop for known layouts and types.
type Program struct {
	Body  []*Stmt
	Price int64 // of a row

	Numbers, Bools, Texts int      // registers of each type
	Inputs                []Place  // by input; not Used for those that need no register
	Origins               []Origin // by input: where its value comes from
	Outputs               []Output // by assigned variable

	Views      int               // of the query loop itself
	Components []ecs.ComponentID // by view of the query loop, of those in Uses
	Events     *ecs.Schema       // layout of what a loop over events walks, its one view; nil for a query loop
	Optional   uint64            // views of the query loop that may be nil, one bit each
	Uses       uint64            // views of the query loop with a field that is used, one bit each
	Refs       []Ref             // views beyond those: numbered from Views
	Queries    []Subquery        // of Each
	Tables     []Table           // of Element and Put
	Effects    []*Effect         // by Index
	Stores     []Target          // each stored field of a view of the query loop once
	Returns    int               // most values of a Return
	Sites      [][]int           // by return of the source: which of Args each of its values is, -1 for nil

	Leaves []Departure // what a script may do, and leaves a row to the interpreter

	Exact   bool // a row may have to be put back: something in it can fail, or it has loops
	Entity  bool // the entity is used
	Random  bool // numbers are drawn
	Foreign bool // components of other rows are read or written: Refs of Look and Each
}

// Writes returns the components that the body stores, of its own row and of others, each once.
func (p *Program) Writes() (ids []ecs.ComponentID) {
	for _, t := range p.Stores {
		ids = append(ids, p.Components[t.View])
	}
	for _, ref := range p.Refs {
		if ref.Stored {
			ids = append(ids, ref.Component)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// A Ref is a view beyond those of the query loop.
type Ref struct {
	Component ecs.ComponentID
	Schema    *ecs.Schema
	Query     int  // the Each that moves it, -1 for a view that Look sets
	Optional  bool // of an Each: it may be nil
	Stored    bool // some field of it is stored
}

// A Subquery is what an Each walks.
type Subquery struct {
	Query  *ecs.Query
	Entity int // number register, -1: not used
	First  int // its first view; its terms follow one another
	Views  int
}

// A Table is a table of constants or counters from around the loop, as it is when
// the loop begins: the elements at whole keys from From on, which are numbers, or
// tables that have all Members as numbers.
type Table struct {
	Input   int // which
	Members []string
	Stored  bool // elements are assigned, so they go back when the loop ends
}

// A Place is where an input goes.
type Place struct {
	Used bool
	Type Type
	Reg  int
}

// An Output is a variable from around the loop, or a resource, that the body
// assigns.
type Output struct {
	Place
	Mark  int // boolean register that tells whether it was assigned; -1: it had a value of that type before
	Input int
}

// A Target is a field that is stored.
type Target struct {
	View  int
	Field *ecs.Field
	// Always says that each row that ends has stored it.
	Always bool
}

// A Departure is what a row may do without an error that a kernel cannot: then the row, and what follows it in the walk, is the interpreter's.
type Departure struct {
	Line int
	Text string
}
