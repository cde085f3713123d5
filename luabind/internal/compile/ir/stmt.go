package ir

import "github.com/ecsrun/ecsrun/ecs"

// Statements of a Program. Like the operations of expressions, the comments here are the specification for all back
// ends.

// A StmtOp is the operation of a statement.
type StmtOp uint8

// The statements. The comment says which of the fields of [Stmt] a statement has, and what it does. "Left to
// the interpreter" means that the row is restored first.
const (
	Set    StmtOp = iota // register I = A; boolean register Mark = true, unless it is -1
	Store                // field Field of view I = A; the row is left to the interpreter when the value does not fit, or the view is nil or inherited
	If                   // A; then Body or Else
	While                // A, Body
	Repeat               // Body, until A
	Count                // number register I = from A to B in steps of C; Body
	Break                // leave the innermost loop, or the query loop
	Jump                 // leave the blocks up to the one with label I
	Block                // Body; a Jump to label I ends here. 0: it has no label

	Do        // A, for its effect
	Look      // view I = component Refs[I-Views].Component of entity A; nil when the entity is dead or lacks it
	Put       // the element at key A of table I, or its member Member, = B; the row is left to the interpreter where there is none. With a Field: the cell at key A of layer I = B, see [Places] for those of an index; the row is left to the interpreter where B does not fit, too
	PutKey    // the value at the key A of keyed table I, or the member Member of the table there, = B. Without a Member a new key is made; with one the row is left to the interpreter where there is no value
	Make      // register I of type Any = a new table: Item, whose values are the Args
	PutItem   // the value at the key B of the table A = C; all of them are Any. The row is left to the interpreter where A is no table, or B no key of plain data
	Insert    // table.insert(A, B, C), or table.insert(A, C) without B; A and C are Any
	Remove    // register I of type Any = table.remove(A, B), or table.remove(A) without B; -1: the value is not used
	Sort      // table.sort(A): for two items in registers I and J of type Any, Body and then B say whether the first one comes before the second; without B they are two numbers or two strings, and I and J are -1. The row is left to the interpreter where the order is none
	Invoke    // registers I … I+J-1 of type Any = the results of the library function Func for the Args, which are Any; results that it does not have are nil. With Mark 1 it must have a result. The row is left to the interpreter where the function declines
	Items     // for number register I and register J of type Any in ipairs(A): Body; J may be -1
	Entries   // for registers I and J of type Any in pairs(A): Body; J may be -1
	Fit       // register I = A as a resource of type Field.Type holds it; the row is left to the interpreter when the value does not fit
	Emit      // Effect with Args; number register I = the entity of a spawn, unless it is -1
	Each      // for each row of Queries[I]: Body. Of a Narrowed one only those whose target is the entity A
	Near      // for each entity within distance C of the point A, B in Grid: number registers I and J = the entity and the squared distance, unless -1; Body. Nothing else sets the two registers. The list of entities is made before the first iteration, at a price of 1 each; with a condition in Args: see [Stmt.Filter]
	Sources   // for number register I = each source of the entity A in relation J, or each of its targets in relation -1-J if J is negative: Body; I may be -1. Nothing else sets the register. The list of sources is made before the first iteration, at a price of 1 each
	Return    // leave the query loop, and the function it is in, with the values of Args. The first one is constant: the number of the return in the source, an index of Program.Sites
	Leave     // leave the row to the interpreter
	Untouched // no recorded call that changes structure at once (Effect.Now) concerns what the row sees of entity A: its component or relation I; its tags and that it is alive, if I is -1; with I = TagOrder, none changes the order of the entities that have a tag either. Without A, there is no such call at all, or none that concerns the relation I, unless that is -1, or the entities of the query within with the number J - 1, unless J is 0. Otherwise the row is left to the interpreter
)

// TagOrder is I of an Untouched before a change of a tag.
const TagOrder = -2

// A Stmt is a statement. Which fields it has depends on Op.
type Stmt struct {
	Op         StmtOp
	I, J       int
	Mark       int
	Member     int
	Field      *ecs.Field
	A, B, C    *Expr
	Args       []*Expr
	Effect     *Effect
	Item       *TableItem // of a Make
	Func       string     // of an Invoke: the name of the function, such as "string.sub"
	Pays       bool       // of PutItem and Insert: a new entry counts as allocated, because a variable holds the table
	Grid       *ecs.Grid  // nil in a Program that is only explained, when the name of the grid is not known
	Body, Else []*Stmt
	File       string // where the statement stands in the source: see Departure
	Line       int    // 0 if it is not known
	Price      int64  // of one iteration of While, Repeat, Count, Each, Near, Sources, Items or Entries, or of one comparison of a Sort
}

// Filter returns the condition of a Near; nil if it has none. Entities for which it does not hold when the list is
// made are left out. The body would do nothing for them. The condition reads the two registers of the loop; views
// from Program.Views on are components of the found entity in it, nil if the entity lacks them. A field of a view that
// is nil reads as 0 or false there, so the condition does not fail, and its parts may be evaluated in any order. A
// list with a condition has a price of 1 for each point in the cells that the distance reaches.
func (s *Stmt) Filter() *Expr {
	if s.Op != Near || len(s.Args) == 0 {
		return nil
	}
	return s.Args[0]
}

// Listed returns the relation of [Sources], and whether the loop is over the targets of an entity.
func (s *Stmt) Listed() (id ecs.RelationID, targets bool) {
	if s.J < 0 {
		return ecs.RelationID(-1 - s.J), true
	}
	return ecs.RelationID(s.J), false
}

// Listed appends what a loop of [Sources] visits, with the J of its statement.
func Listed(list []ecs.Entity, w *ecs.World, j int, e ecs.Entity) []ecs.Entity {
	s := Stmt{J: j}
	id, targets := s.Listed()
	if !targets {
		return w.Sources(list, id, e)
	}
	for to := range w.Targets(e, id) {
		list = append(list, to)
	}
	return list
}
