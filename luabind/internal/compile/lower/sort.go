package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Functions that a body gives to a library function, such as the order of table.sort. They are inlined into the statement
// that calls them.

// given walks an argument of a call of a function that is not known. It returns false if it is no function of the script.
// Otherwise the call may call it, with any arguments.
func (p *preparer) given(e *ast.FuncCallExpr, arg ast.Expr) bool {
	list := p.value(arg).functions()
	if len(list) == 0 {
		return false
	}
	call := p.t.givenCalls[e]
	if call == nil {
		call = syntax.At(&ast.FuncCallExpr{Func: arg}, e)
		p.t.givenCalls[e] = call
	}
	if takesAll(list) {
		refuse(e, "the function that %s is given takes ...", callee(e))
	}
	p.enters(call, list, nil)
	p.parts(arg)
	return true
}

// sort lowers table.sort(LIST) and table.sort(LIST, FUNCTION).
func (c *lowerer) sort(e *ast.FuncCallExpr) {
	if n := len(e.Args); n < 1 || n > 2 || c.t.values(e.Args) != n || c.position.exit != nil {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	list := c.real(c.changed(e.Args[0]), e.Args[0])
	if !isAny(list) {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	p := c.writtenBy(e, list)
	fn := &symbol{kind: nilSymbol}
	if len(e.Args) == 2 {
		c.afterTable(p, func() { fn = c.operand(e.Args[1]) })
	}
	s := &ir.Stmt{Op: ir.Sort, I: -1, J: -1, Price: 1}
	switch {
	case fn.kind == nilSymbol:
	case fn.kind == constantSymbol && fn.constant.Kind == FunctionConstant && c.t.givenCalls[e] != nil:
		c.orderBy(s, fn, c.t.givenCalls[e])
	default:
		refuseWith(e, adviceOnCall(e), "calls %s with a function that is not known", callee(e))
	}
	c.p.Exact = true
	c.change(p, e, func(table *ir.Expr) {
		s.A = table
		c.emit(s)
	})
}

// orderBy gives an ir.Sort the function that compares two items.
func (c *lowerer) orderBy(s *ir.Stmt, fn *symbol, call *ast.FuncCallExpr) {
	a, b := c.temporary(ir.Any), c.temporary(ir.Any)
	s.I, s.J = a.I, b.I
	c.iteration(s, func() {
		s.Body = c.collect(func() {
			s.B = boolean(false)
			if values := c.callConstant(fn, call, []*symbol{plain(a), plain(b)}, 1); len(values) > 0 {
				s.B = c.truth(values[0], call)
			}
		})
	})
}
