package ir

import "github.com/ecsrun/ecsrun/ecs"

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
