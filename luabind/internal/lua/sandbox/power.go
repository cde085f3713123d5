package sandbox

import (
	"math"
	"runtime"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs/portable"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Power is the operator ^ of scripts, except that no operator of the VM returns -0: add 0 where the sign can be
// seen.
func Power(a, b float64) float64 { return portable.Pow(a, b) }

// vmPowers says whether math.Pow, which is the VM's ^, equals portable.Pow for the exponents 0, 0.5, 1 and 2. In
// Go code it is exact there or rounds once (twice where a square is subnormal, as portable.Pow does). On s390x it
// is assembly, about which nothing is known.
const vmPowers = runtime.GOARCH != "s390x"

// powered returns the expression that replaces a ^ b; the operands are repaired. The last bit of the VM's own ^
// depends on the processor, so it is kept only for exponents with the same result. A constant is computed here,
// and all other powers become a call.
func powered(e *ast.ArithmeticOpExpr) ast.Expr {
	b, constant := literal(e.Rhs)
	if vmPowers && constant && (b == 0 || b == 0.5 || b == 1 || b == 2) {
		return e
	}
	if a, ok := literal(e.Lhs); ok && constant {
		if v := Power(a, b) + 0; !math.IsInf(v, 0) && v == v {
			return written(v, e)
		}
	}
	return call(hiddenPow, e, single(e.Lhs), single(e.Rhs))
}

// literal returns the value of a number, or of minus a number.
func literal(e ast.Expr) (float64, bool) {
	switch e := e.(type) {
	case *ast.NumberExpr:
		return syntax.ParseNumber(e.Value)
	case *ast.UnaryMinusOpExpr:
		if n, ok := e.Expr.(*ast.NumberExpr); ok {
			f, ok := syntax.ParseNumber(n.Value)
			return -f, ok
		}
	}
	return 0, false
}

// written returns the syntax of a finite number.
func written(v float64, like ast.PositionHolder) ast.Expr {
	n := syntax.At(&ast.NumberExpr{Value: strconv.FormatFloat(math.Abs(v), 'g', -1, 64)}, like)
	if v < 0 {
		return syntax.At(&ast.UnaryMinusOpExpr{Expr: n}, like)
	}
	return n
}

// power is the function that replaces the operator ^.
func (s *State) power(L *lua.LState) int {
	x, y := L.Get(1), L.Get(2)
	if a, ok := x.(lua.LNumber); ok {
		if b, ok := y.(lua.LNumber); ok {
			L.Push(lua.LNumber(Power(float64(a), float64(b)) + 0))
			return 1
		}
	}
	if x.Type() != lua.LTString {
		if fn := L.GetMetaField(x, "__pow"); fn.Type() == lua.LTFunction || interp.Callable(L, fn) {
			L.Push(fn)
			L.Push(x)
			L.Push(y)
			L.Call(2, 1)
			return 1
		}
	}
	return s.stringArithmetic(L, "__pow", Power)
}
