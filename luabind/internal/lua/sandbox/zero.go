package sandbox

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Zero has a sign. A script's operators + - * / % ^ give 0 where IEEE 754 gives
// -0, because gopher-lua takes small whole results from a table; unary minus, the
// functions of math and what is stored keep -0. Two habits of gopher-lua's
// compiler break this rule and are repaired here: it computes constant
// expressions itself and keeps their -0, and it stores 0 and -0 as one constant
// per function, so that whichever comes first replaces the other.
//
// After the repair no constant is -0: a literal -0 is an upvalue, and constant
// arithmetic that gives -0 is written as 0 + 0.

// hiddenMinusZero is the upvalue that holds -0.
const hiddenMinusZero = "\x00-0"

var minusZero = lua.LNumber(math.Copysign(0, -1))

// constants has the values of repaired constant expressions.
type constants map[ast.Expr]float64

// of returns the value of a repaired expression if it is constant.
func (c constants) of(e ast.Expr) (float64, bool) {
	if n, ok := e.(*ast.NumberExpr); ok {
		return syntax.ParseNumber(n.Value)
	}
	v, ok := c[e]
	return v, ok
}

// minus repairs a unary minus; its operand is repaired.
func (c constants) minus(slot *ast.Expr, e *ast.UnaryMinusOpExpr) {
	v, ok := c.of(e.Expr)
	if !ok {
		return
	}
	if isMinusZero(-v) {
		*slot = syntax.At(&ast.IdentExpr{Value: hiddenMinusZero}, e)
	}
	c[*slot] = -v
}

// arithmetic repairs an arithmetic operator of the VM; its operands are repaired. The expression stays an
// ArithmeticOpExpr, because whether its code begins with a jump depends on the kind of node.
func (c constants) arithmetic(e *ast.ArithmeticOpExpr) {
	a, ok := c.of(e.Lhs)
	b, ok2 := c.of(e.Rhs)
	if !ok || !ok2 {
		return
	}
	v := compute(e.Operator, a, b)
	if isMinusZero(v) {
		v = 0
		e.Operator, e.Lhs, e.Rhs = "+", syntax.At(&ast.NumberExpr{Value: "0"}, e), syntax.At(&ast.NumberExpr{Value: "0"}, e)
	}
	c[e] = v
}

// compute returns the result of an operator of the VM, except that it may be -0.
func compute(operator string, a, b float64) float64 {
	switch operator {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		return a / b
	case "%":
		return Modulo(a, b)
	case "^":
		return Power(a, b)
	}
	panic("sandbox: unknown operator " + operator)
}

func isMinusZero(v float64) bool { return v == 0 && math.Signbit(v) }
