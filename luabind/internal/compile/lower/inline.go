package lower

import (
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

// Inlining. The functions that a loop calls become a part of its body, so that a kernel contains no calls of Lua
// functions. Parameters and locals are bound to the values of the arguments; only what changes gets a register.
// This file also has lists of values.

// An inlined is a call of a Lua function that is being lowered. The body of the function becomes an ir.Block; a
// return becomes assignments to the results and a jump to the end of the block.
type inlined struct {
	name    string
	f       *Function
	call    *ast.FuncCallExpr
	label   int             // label of the block
	wanted  int             // number of values that the caller uses
	n       int             // number of values that the function gives at most
	results []*symbol       // a register, a view or nil for each value; the slice is nil before the first return
	short   bool            // some returns give fewer values than others
	nested  int             // how many functions are inlined around it
	last    *ast.ReturnStmt // the return at the end of the function, which needs no jump
}

// within returns how many functions are inlined around one that this one calls. in is nil for the loop itself.
func (in *inlined) within() int {
	if in == nil {
		return 0
	}
	return in.nested + 1
}

// inline lowers the body of a function in place of a call, for arguments that are lowered already.
func (c *lowerer) inline(name string, f *Function, e *ast.FuncCallExpr, args []*symbol, wanted int) []*symbol {
	f = c.t.entering(e, f)
	args = c.first(args, len(f.Params))
	labels, fn, known, file, where, before := c.labels, c.fn, c.hasValue, c.file, c.where, c.position
	c.labels, c.hasValue, c.rare = nil, maps.Clone(known), c.rare && len(c.t.calls[e]) > 1
	for i, param := range f.Params {
		arg := &symbol{kind: nilSymbol}
		if i < len(args) {
			arg = args[i]
		}
		c.bind(param, arg, e)
	}
	c.file = f.File
	out := c.body(name, f, e, wanted)
	c.labels, c.fn, c.hasValue, c.file, c.where, c.position = labels, fn, known, file, where, before
	return out
}

// body lowers the body of a function whose parameters are bound, and returns its values.
func (c *lowerer) body(name string, f *Function, call *ast.FuncCallExpr, wanted int) []*symbol {
	defer within(f)
	if len(f.Body) == 1 {
		if st, ok := f.Body[0].(*ast.ReturnStmt); ok && wanted > 0 { // the function is only an expression, and needs no block
			c.where = st
			c.pay()
			c.fn = &inlined{name: name, f: f, call: call, wanted: wanted, nested: c.fn.within()}
			return c.first(c.values(st.Exprs, wanted), wanted)
		}
	}
	c.jumps++
	in := &inlined{name: name, f: f, call: call, label: c.jumps, wanted: wanted, n: c.resultsFor(f, call, wanted), nested: c.fn.within()}
	c.fn = in
	if n := len(f.Body); n > 0 {
		in.last, _ = f.Body[n-1].(*ast.ReturnStmt)
	}
	body := c.collect(func() {
		c.within(func() { c.stmts(f.Body) })
		if wanted > 0 && !ends(f.Body) { // where it ends without a return, its values are nil
			c.results(in, nil, c.where)
		}
	})
	c.emit(&ir.Stmt{Op: ir.Block, I: in.label, Body: body})
	return c.resultsOf(in)
}

// resultsFor returns how many values a call of a function gives of which the caller uses some. A function that ends with a call of the library gives as
// many as are used, unless all are.
func (c *lowerer) resultsFor(f *Function, call *ast.FuncCallExpr, wanted int) int {
	n := c.t.results(f)
	if wanted > n && call != nil && !c.open(call) && c.t.endsOpen(f, map[*Function]bool{}) {
		return wanted
	}
	return n
}

// endsOpen reports whether a function may give more values than Template.results counts: it ends with a call of the library, or of a function that does.
func (t *Template) endsOpen(f *Function, seen map[*Function]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	return slices.ContainsFunc(t.returnsOf(f), func(st *ast.ReturnStmt) bool {
		k := len(st.Exprs)
		if k == 0 {
			return false
		}
		last, ok := st.Exprs[k-1].(*ast.FuncCallExpr)
		if !ok || last.AdjustRet {
			return false
		}
		if inner := t.protected(last); inner != nil {
			last = inner
		}
		list := t.calls[last]
		return len(list) == 0 || slices.ContainsFunc(list, func(f *Function) bool { return t.endsOpen(f, seen) })
	})
}

// ends reports whether every way through a block ends with a return.
func ends(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch st := body[len(body)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.DoBlockStmt:
		return ends(st.Stmts)
	case *ast.IfStmt:
		return ends(st.Then) && ends(st.Else)
	}
	return false
}

// first returns the first n of some values. The others are evaluated after them.
func (c *lowerer) first(values []*symbol, n int) []*symbol {
	n = min(n, len(values))
	var earlier []**ir.Expr
	for _, s := range values[:n] {
		earlier = append(earlier, s.operands()...)
	}
	c.after(func() { c.discardAll(values[n:]) }, earlier...)
	return values[:n]
}

// values lowers a list of expressions, of which the caller uses the first wanted values. There may be fewer or
// more. A call at the end gives all its values, unless it stands in parentheses.
func (c *lowerer) values(exprs []ast.Expr, wanted int) []*symbol {
	var out []*symbol
	for i, e := range exprs {
		earlier := make([]**ir.Expr, 0, i)
		for _, s := range out {
			earlier = append(earlier, s.operands()...)
		}
		c.after(func() {
			call, ok := e.(*ast.FuncCallExpr)
			if !ok || i < len(exprs)-1 || wanted <= len(exprs) || call.AdjustRet {
				out = append(out, c.settled(c.operand(e), e))
				return
			}
			c.pay()
			for _, s := range c.call(call, wanted-i) {
				out = append(out, c.settled(s, e))
			}
			if len(out) == i {
				out = append(out, &symbol{kind: nilSymbol})
			}
		}, earlier...)
	}
	return out
}
