package ir

import "github.com/ecsrun/ecsrun/ecs"

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
