package ir

import "github.com/ecsrun/ecsrun/ecs"

// Expressions of a Program. Lowering has resolved all names and checked all types, so a back end finds everything
// in the Expr. The comments at the operations are the specification for the back ends: all of them must compute the
// same bits.

// A Type is the type of an expression or a register. Each type has registers of its own, numbered from 0.
type Type uint8

// The types.
const (
	Number Type = iota // an entity is a number, too
	Bool
	Text // a string
	Any  // nil, a number, a boolean, a string, or a table of plain data, where every read of a field of type `table` gives a new one
)

// typeNames are the names of the types in a dump and in errors.
var typeNames = [...]string{Number: "number", Bool: "bool", Text: "text", Any: "any"}

// TypeOf returns the type of an expression that reads or sets a field. It returns false for a field that holds a Lua
// table, whose values are Any. Only Load and Store may use such a field.
func TypeOf(f *ecs.Field) (Type, bool) {
	switch f.Type {
	case ecs.Bool:
		return Bool, true
	case ecs.String:
		return Text, true
	case ecs.F64, ecs.F32, ecs.I64, ecs.U64, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8, ecs.EntityField:
		return Number, true
	default: // a table, and a new type until all back ends know it
		return 0, false
	}
}

// An Op is the operation of an expression.
type Op uint8

// The operations. The operands A, B and C of an expression are evaluated in that order. The comment says what
// the value of the expression is. "Fails" means that the row is restored and left to the interpreter.
const (
	Const  Op = iota // N; of a Bool, N ~= 0; of a Text, S
	Reg              // register I
	Load             // the field Field of view I; fails where the view is nil, and on an integer that a number cannot hold (beyond 2^53)
	Entity           // the entity of the row
	Add
	Sub
	Mul
	Div
	Mod
	Pow
	Neg
	Less // of numbers, or of values of type Any that are two numbers or two strings; fails for others
	LessEqual
	Equal // of two values of one type; fails for two tables, unless the Program has Drafts
	Not
	And    // B is not evaluated when A is false
	Or     // B is not evaluated when A is true
	Select // B if A, else C; the other one is not evaluated
	Call   // Func of A, or of A and B
	Min    // B if B < A, else A
	Max    // B if B > A, else A

	Present // whether view I is not nil
	Alive   // whether entity A is alive
	Has     // whether entity A has component ID, its own or an inherited one
	Tagged  // whether entity A has tag ID
	Element // the element at key A of table I, or its member Member when that is not -1; fails where there is none. With a Field: the cell at key A of layer I, see [Places] for those of an index; fails on an integer that a number cannot hold, too
	Exists  // whether table I has an element at key A
	Lookup  // the value at the key A of keyed table I, or its member Member when that is not -1; fails where that is nil
	Item    // the value at the key B of A, which is Any, as is the key; fails where A is no table
	As      // A, which is Any, as a value of the Type; fails where it is of another one
	Wrap    // A as Any
	Truth   // whether A, which is Any, is neither nil nor false
	Length  // #A, where A is Any; fails where it is neither a table nor a string
	Join    // A .. B, of two strings; fails where the result may have 256 bytes or more
	Shown   // A as the string that .. makes of it: A is a number, or Any; fails where it is neither a number nor a string
	HasKey  // whether keyed table I has a value at the key A; with a Member, whether that value has the member, which fails where there is no value
	Related // the target that entity A has in relation ID; 0 if it has none
	Pair    // the key of two parts, A and B, of a Keyed with Pairs. It is a Number, and only stands as such a key

	// Operations with an effect. Each is evaluated exactly once, at its place in the order of evaluation.

	Random // a draw from the running system's stream: in [0, 1) without operands, from 1 to A, or from A to B; fails on bounds that raise an error
	Tag    // sets tag ID on entity A; whether the entity is alive
	Untag  // removes tag ID from entity A; whether it was there
)

// An Expr is a typed expression. It fails where the script would raise an error, such as at a read of a field of a
// view that is nil. Then the row is restored and left to the interpreter, so it does not matter what else the
// statement evaluates before it ends. Expressions may be shared: an Expr may be an operand of several others, and
// is evaluated once for each.
type Expr struct {
	Op      Op
	Type    Type
	N       float64 // of a Const
	S       string  // of a Const
	I       int     // index of a register, view, table or keyed table
	Member  int     // of an Element: index in Table.Members, -1: the elements are numbers; of a Lookup or HasKey: index in Keyed.Members, -1: the values themselves
	ID      uint32  // the ID of a component or tag
	Field   *ecs.Field
	A, B, C *Expr                      // operands; nil for those that the operation does not have
	Func    string                     // of a Call: the name of the function in Lua's math
	One     func(float64) float64      // of a Call of one operand: the function itself
	Two     func(a, b float64) float64 // of a Call of two operands
}
