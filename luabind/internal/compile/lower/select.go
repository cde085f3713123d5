package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of select. How many values there are to choose from must show in the source, as it does in copies of functions with
// `...`: see vararg.go.

// isSelect reports whether a call is one of the global select, as the source has it.
func (t *Template) isSelect(e *ast.FuncCallExpr) bool {
	return t.isGlobalCall(e, "select") && len(e.Args) > 0
}

// isPrint reports whether a call is one of the global print, which returns no value.
func (t *Template) isPrint(e *ast.FuncCallExpr) bool { return t.isGlobalCall(e, "print") }

// selectedValues returns how many values select gives of so many, if its first argument is written as a number: otherwise
// one.
func selectedValues(e *ast.FuncCallExpr, values int) int {
	place, sign := e.Args[0], 1
	if minus, ok := place.(*ast.UnaryMinusOpExpr); ok {
		place, sign = minus.Expr, -1
	}
	number, ok := place.(*ast.NumberExpr)
	if !ok {
		return 1
	}
	n, ok := syntax.ParseNumber(number.Value)
	switch k := int(n); {
	case !ok || float64(k) != n:
		return 1
	case sign < 0:
		return min(k, values)
	default:
		return max(values-k+1, 0)
	}
}

// selects lowers select("#", …) and select(N, …). A row whose N is none of the places of the values is left to the
// interpreter.
func (c *lowerer) selects(e *ast.FuncCallExpr, wanted int) []*symbol {
	_, known := c.t.exactly(e.Args)
	if len(e.Args) == 0 || !known {
		refuseWith(e, oneValue, "passes on a number of values that is not known")
	}
	var index *symbol
	var values []*symbol
	for i, x := range e.Args {
		earlier := index.operandsOf(values)
		c.after(func() {
			more := c.passed(x, i == len(e.Args)-1)
			if i == 0 && len(more) > 0 {
				index, more = more[0], more[1:]
			}
			values = append(values, more...)
		}, earlier...)
	}
	if index == nil {
		refuseWith(e, adviceOnCall(e), "calls select without a value")
	}
	x := c.value(index, e.Args[0])
	if x.Op == ir.Const && x.Type == ir.Text && x.S == "#" {
		c.discardAll(values)
		return []*symbol{plain(&ir.Expr{Op: ir.Const, N: float64(len(values))})}
	}
	if x = c.as(x, ir.Number); x.Type != ir.Number {
		refuse(e, "calls select with %s", typeNames[x.Type])
	}
	if x.Op == ir.Const && x.N == float64(int(x.N)) {
		counted := selectedValues(e, len(values))
		out := c.selectFrom(int(x.N), values)
		if len(out) > counted && c.open(e) && !c.adjusted(e) { // the source does not show the place
			refuseWith(e, oneValue, "passes on all values of %s", callee(e))
		}
		return out
	}
	if wanted > 1 || c.open(e) && len(values) > 1 {
		refuseWith(e, oneValue, "passes on all values of %s", callee(e))
	}
	return []*symbol{c.selected(x, values, e)}
}

// operandsOf returns the expressions of a symbol, if there is one, and of some values.
func (s *symbol) operandsOf(values []*symbol) (list []**ir.Expr) {
	if s != nil {
		list = s.operands()
	}
	for _, v := range values {
		list = append(list, v.operands()...)
	}
	return list
}

// selectFrom returns the values from a place on, which counts from the end if it is negative.
func (c *lowerer) selectFrom(n int, values []*symbol) []*symbol {
	if n < 0 {
		n += len(values) + 1
	}
	if n < 1 {
		c.p.Exact = true
		c.emit(&ir.Stmt{Op: ir.Leave})
		return nil
	}
	n = min(n-1, len(values))
	c.discardAll(values[:n])
	return values[n:]
}

// selected returns the value at a place that the row computes.
func (c *lowerer) selected(x *ir.Expr, values []*symbol, e *ast.FuncCallExpr) *symbol {
	x = c.keep(x)
	mixed, typ := false, ir.Any
	for i, s := range values {
		s = c.real(c.optional(s), e)
		if s.kind != nilSymbol && !isOptional(s) {
			s = plain(c.value(s, e))
		}
		values[i] = s
		for _, o := range s.operands() {
			*o = c.keep(*o)
		}
		if s.kind == nilSymbol {
			continue
		}
		mixed = mixed || typ != ir.Any && typ != s.x.Type || s.x.Type == ir.Any
		typ = s.x.Type
	}
	var is *ir.Expr
	at := make([]*ir.Expr, len(values))
	for i := range values {
		at[i] = &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: x, B: &ir.Expr{Op: ir.Const, N: float64(i + 1)}}
		if is == nil {
			is = at[i]
		} else {
			is = &ir.Expr{Op: ir.Or, Type: ir.Bool, A: is, B: at[i]}
		}
	}
	if is == nil {
		is = boolean(false)
	}
	c.guard(is)
	if mixed || typ == ir.Any {
		out := null()
		for i, s := range values {
			out = &ir.Expr{Op: ir.Select, Type: ir.Any, A: at[i], B: c.anyOf(s, e), C: out}
		}
		return plain(out)
	}
	out, has, sometimes := constantOf(typ), boolean(false), false
	for i, s := range values {
		there := boolean(true)
		switch {
		case s.kind == nilSymbol:
			there, sometimes = boolean(false), true
		case s.has != nil:
			there, sometimes = s.has, true
		}
		if s.kind != nilSymbol {
			out = &ir.Expr{Op: ir.Select, Type: typ, A: at[i], B: s.x, C: out}
		}
		has = &ir.Expr{Op: ir.Or, Type: ir.Bool, A: &ir.Expr{Op: ir.And, Type: ir.Bool, A: at[i], B: there}, B: has}
	}
	if !sometimes {
		return plain(out)
	}
	return &symbol{kind: valueSymbol, x: out, has: has}
}
