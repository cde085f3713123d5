package kernel

import "github.com/ecsrun/ecsrun/ecs"

// A Type is what an expression or register holds.
type Type uint8

// The types.
const (
	Number Type = iota
	Bool
)

// An Op is what an expression does.
type Op uint8

// The operations. Operands are A, B and C of the expression.
const (
	Const  Op = iota // N, or N ~= 0 of a Bool
	Reg              // register I
	Load             // the field Field of view I
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
)

// An Expr is a typed expression. Nothing in it has an effect or fails.
type Expr struct {
	Op      Op
	Type    Type
	N       float64
	I       int
	Field   *ecs.Field
	A, B, C *Expr
	One     func(float64) float64
	Two     func(a, b float64) float64
}

// A StmtOp is what a statement does.
type StmtOp uint8

// The statements.
const (
	Set    StmtOp = iota // register I = A; Mark is set to true, unless it is -1
	Store                // field Field of view I = A
	If                   // A, then Body or Else
	While                // A, Body
	Repeat               // Body, until A
	Count                // register I = A, B, C: from, to, step; Body
	Break
	Jump  // leave the blocks up to the one with Label I
	Block // Body; a Jump to Label I ends here
)

// A Stmt is a statement.
type Stmt struct {
	Op         StmtOp
	I          int
	Mark       int
	Field      *ecs.Field
	A, B, C    *Expr
	Body, Else []*Stmt
	Price      int64 // of a turn of While, Repeat, Count
}

// A Program is the body of a query loop for known layouts and types.
type Program struct {
	Body  []*Stmt
	Price int64 // of a row

	Numbers, Bools int      // registers of either type
	Inputs         []Place  // by input; the type is Unused for those that need no register
	Outputs        []Output // by assigned variable
	Views          int
	Uses           uint64   // views with a field that is used, one bit each
	Stores         []Target // each stored field once
	Exact          bool     // a row may have to be put back: stores that can fail, or loops
	Entity         bool     // the entity is used
}

// A Place is where an input goes.
type Place struct {
	Used bool
	Type Type
	Reg  int
}

// An Output is a variable from around the loop that the body assigns.
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
