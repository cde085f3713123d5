package lower

import (
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Loops over the matches of a pattern, for word in s:gmatch("%a+") do. Each becomes an ir.While, whose body begins with an ir.Invoke of "gmatch step",
// and with a break where it gives nil.

// isGmatch reports whether a for … in walks the matches of a pattern, judged by its syntax.
func isGmatch(st *ast.GenericForStmt) (call *ast.FuncCallExpr, ok bool) {
	call, ok = st.Exprs[0].(*ast.FuncCallExpr)
	if !ok || len(st.Exprs) != 1 {
		return nil, false
	}
	if call.Func == nil {
		return call, call.Method == "gmatch" && len(call.Args) == 1
	}
	get, ok := call.Func.(*ast.AttrGetExpr)
	return call, ok && keyOf(get) == "gmatch" && len(call.Args) == 2
}

// matches walks a loop over the matches of a pattern.
func (p *preparer) matches(st *ast.GenericForStmt, call *ast.FuncCallExpr) {
	if call.Func == nil {
		p.operand(call.Receiver)
		p.exprs(call.Args)
	} else {
		p.call(call)
	}
	p.block(st.Stmts)
}

// matches lowers a loop over the matches of a pattern.
func (c *lowerer) matches(st *ast.GenericForStmt, call *ast.FuncCallExpr) {
	c.pay()
	texts := call.Args
	if call.Func == nil {
		c.ofStrings(call.Method)
		texts = []ast.Expr{call.Receiver, call.Args[0]}
	} else if fn := c.functionIn(call); fn == nil || fn.kind != functionSymbol || fn.text != "string.gmatch" {
		refuseWith(call, adviceOnCall(call), "calls %s", callee(call))
	}
	args := c.list(texts, func(e ast.Expr) *ir.Expr {
		x := c.as(c.value(c.settled(c.operand(e), e), e), ir.Text)
		if x.Type != ir.Text {
			refuseWith(call, adviceOnCall(call), "calls %s with %s", callee(call), typeNames[x.Type])
		}
		return x
	})
	for i := range args {
		args[i] = c.keep(args[i])
	}
	n := capturesOf(args[1])
	at := &ir.Expr{Op: ir.Reg, I: c.register(ir.Number)}
	c.set(at.I, -1, &ir.Expr{Op: ir.Const})
	names := c.t.Names.Declared(st)
	s := &ir.Stmt{Op: ir.While, A: boolean(true)}
	c.iteration(s, func() {
		s.Body = c.block(st.Stmts, func() {
			match := &ir.Stmt{Op: ir.Invoke, Func: "gmatch step", Args: []*ir.Expr{wrapped(args[0]), wrapped(args[1]), wrapped(at)}, J: 1 + len(names)}
			var out []*ir.Expr
			for range match.J {
				out = append(out, c.temporary(ir.Any))
			}
			match.I = out[0].I
			c.emit(match)
			c.emit(&ir.Stmt{Op: ir.If, A: isNull(out[0]), Body: []*ir.Stmt{{Op: ir.Break}}})
			c.set(at.I, -1, c.as(out[0], ir.Number))
			for i, v := range names {
				x := out[1+i]
				if i < n {
					x = c.as(x, ir.Text)
				}
				c.bind(v, plain(x), st)
			}
		})
	})
	c.p.Exact = true
	c.emit(s)
}

// capturesOf returns how many strings a match of a pattern gives for certain.
func capturesOf(pattern *ir.Expr) int {
	switch {
	case pattern.Op != ir.Const, strings.Contains(pattern.S, "%("), strings.Contains(pattern.S, "()"), strings.Contains(pattern.S, "["):
		return 0
	}
	return max(strings.Count(pattern.S, "("), 1)
}
