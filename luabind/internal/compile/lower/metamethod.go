package lower

import (
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Metamethods that dispatch.go does not have: __unm, __len, __concat, __tostring, and functions in __index and __newindex.
// As there, each function that may be meant is inlined, and the one that a row finds selects the branch.
//
// Functions in __index and __newindex are inlined only for a table that is found from a variable around the loop, and that
// has such a function when the template is made. A row that meets such a function elsewhere is left to the interpreter.

// unary walks a unary operator, or tostring, whose operand may be a table with a metamethod.
func (p *preparer) unary(e ast.Expr, name string, operand ast.Expr) {
	if !mayBeObject(operand) || !p.asksMethods() {
		return
	}
	call := p.t.operators[e]
	if call == nil {
		call = syntax.At(&ast.FuncCallExpr{Receiver: operand, Method: name}, e)
		p.t.operators[e] = call
	}
	list := slices.DeleteFunc(p.named(name, call), func(f *Function) bool { return len(f.Params) > 1 }) // the second argument differs between metamethods
	p.called(call, list, 1)
}

// called walks the functions that a metamethod may be.
func (p *preparer) called(call *ast.FuncCallExpr, list []*Function, args int) {
	if p.t.dispatch[call] = list; len(list) == 0 {
		return
	}
	for _, f := range list {
		if !slices.Contains(p.t.calls[call], f) {
			p.t.calls[call] = append(p.t.calls[call], f)
		}
	}
	if len(list) > 1 {
		p.entersAll(call, list, make([]known, args))
		return
	}
	p.enter(callee(call), list[0], call, make([]known, args), true) // not every row that reaches the operator calls it
}

// isMetamethod reports whether a call stands for that of a metamethod.
func isMetamethod(call *ast.FuncCallExpr) bool { return strings.HasPrefix(call.Method, "__") }

// indexes walks a read of OBJECT.NAME or OBJECT[KEY], or an assignment there, where OBJECT may have a function for that in its
// metatable.
func (p *preparer) indexes(e *ast.AttrGetExpr, name string, calls map[ast.Expr]*ast.FuncCallExpr, args int) {
	if pl := p.value(e.Object).place; !p.handled(pl, name) {
		return
	}
	call := calls[e]
	if call == nil {
		call = syntax.At(&ast.FuncCallExpr{Receiver: e.Object, Method: name}, e)
		calls[e] = call
	}
	p.called(call, p.named(name, call), args)
}

// handled reports whether the table at a place has a function for an event, __index or __newindex.
func (p *preparer) handled(pl Place, event string) bool {
	return p.t.Open && p.t.Source.Methods != nil && p.t.Source.Handled != nil && pl.Variable != nil && p.t.Source.Handled(pl.Variable, pl.Path, event)
}

// metamethods lists the functions that an expression may call, with the call that stands for it.
func (c *lowerer) metamethods(e ast.Expr) (call *ast.FuncCallExpr, list []*Function) {
	if call = c.t.operators[e]; call == nil {
		return nil, nil
	}
	return call, c.t.functionsOf(call)
}

// among emits the branches between which the result of [lowerer.which] selects. Each branch calls one function of the list,
// inlined, with the arguments. otherwise gives the value where no function is called; it may return nil if nothing uses the
// value. The result is of type Any.
func (c *lowerer) among(e ast.PositionHolder, call *ast.FuncCallExpr, list []*Function, which *ir.Expr, args []*symbol, otherwise func() *ir.Expr) *ir.Expr {
	out := c.temporary(ir.Any)
	before := c.position
	branch := func(value func() *ir.Expr) []*ir.Stmt {
		c.rare = true
		return c.collect(func() {
			c.branching(func() {
				if x := value(); x != nil {
					c.set(out.I, -1, x)
				}
			})
		})
	}
	branches := make([][]*ir.Stmt, len(list))
	for i, f := range list {
		branches[i] = branch(func() *ir.Expr {
			values := c.inline(callee(call), f, call, args, 1)
			if len(values) == 0 {
				return null()
			}
			return c.anyOf(values[0], e)
		})
	}
	rest := branch(otherwise)
	c.position = before
	for i := len(list) - 1; i >= 0; i-- {
		rest = []*ir.Stmt{{Op: ir.If, A: isNth(which, i), Body: branches[i], Else: rest}}
	}
	c.out = append(c.out, rest...)
	return out
}

// unaryOf lowers a unary operator, or tostring, of a value of type Any that may be a table with a metamethod. otherwise
// gives the value where there is none.
func (c *lowerer) unaryOf(e ast.Expr, s *symbol, otherwise func(x *ir.Expr) *ir.Expr) *ir.Expr {
	call, list := c.metamethods(e)
	x := c.keep(c.anyOf(s, e))
	if len(list) == 0 {
		return otherwise(x)
	}
	which := c.which("operator", call.Method, []*ir.Expr{x, null()}, list)
	return c.among(e, call, list, which, []*symbol{plain(x)}, func() *ir.Expr { return otherwise(x) })
}

// tostring lowers tostring(x) where x may be a table with __tostring. It returns nil for another call.
func (c *lowerer) tostring(e *ast.FuncCallExpr) *symbol {
	if _, list := c.metamethods(e); len(list) == 0 || len(e.Args) != 1 || c.t.values(e.Args) != 1 {
		return nil
	}
	s := c.real(c.optional(c.settled(c.operand(e.Args[0]), e.Args[0])), e.Args[0])
	out := c.unaryOf(e, s, func(x *ir.Expr) *ir.Expr {
		text := c.temporary(ir.Any)
		c.emit(&ir.Stmt{Op: ir.Invoke, Func: "tostring", Args: []*ir.Expr{x}, I: text.I, J: 1})
		return text
	})
	return plain(c.as(out, ir.Text))
}

// concatBy lowers a .. b where an operand may be a table with __concat. It is a plain concatenation if neither is of type
// Any.
func (c *lowerer) concatBy(e *ast.StringConcatOpExpr, call *ast.FuncCallExpr, list []*Function) *symbol {
	var r *symbol
	l := c.real(c.settled(c.operand(e.Lhs), e.Lhs), e.Lhs)
	c.after(func() { r = c.real(c.settled(c.operand(e.Rhs), e.Rhs), e.Rhs) }, l.operands()...)
	join := func() *ir.Expr {
		c.p.Exact = true
		return &ir.Expr{Op: ir.Join, Type: ir.Text, A: c.shownOf(c.value(l, e.Lhs), e.Lhs), B: c.shownOf(c.value(r, e.Rhs), e.Rhs)}
	}
	if !isAny(l) && !isAny(r) {
		return plain(join())
	}
	l, r = plain(c.keep(c.anyOf(l, e.Lhs))), plain(c.keep(c.anyOf(r, e.Rhs)))
	which := c.which("operator", call.Method, []*ir.Expr{l.x, r.x}, list)
	return plain(c.among(e, call, list, which, []*symbol{l, r}, func() *ir.Expr { return wrapped(join()) }))
}

// handler emits the lookup of a function in __index or __newindex for a key of a table. which is the place of the function
// in the list, from 1 on, and 0 where no function is called. self is the table in whose metatable the function is.
func (c *lowerer) handler(event string, table, key *ir.Expr, list []*Function) (which, self *ir.Expr) {
	args := []*ir.Expr{table, key, wrapped(&ir.Expr{Op: ir.Const, Type: ir.Text, S: event})}
	for _, f := range list {
		args = append(args, wrapped(&ir.Expr{Op: ir.Const, N: float64(f.Number)}))
	}
	x, self := c.temporary(ir.Any), c.temporary(ir.Any)
	c.p.Exact, c.p.Lua, c.p.Drafts = true, true, true
	c.emit(&ir.Stmt{Op: ir.Invoke, Func: "index", Args: args, I: x.I, J: 2})
	c.departs(c.where, "another function is called than those the loop was compiled for")
	return c.keep(c.as(x, ir.Number)), self
}

// indexed lowers a read of a table that may have a function in __index.
func (c *lowerer) indexed(object *symbol, e *ast.AttrGetExpr, call *ast.FuncCallExpr, list []*Function) *symbol {
	item := c.itemOf(object, e)
	table, key := c.keep(item.x.A), c.keep(item.x.B)
	which, self := c.handler("__index", table, key, list)
	return plain(c.among(e, call, list, which, []*symbol{plain(self), plain(key)}, func() *ir.Expr {
		return &ir.Expr{Op: ir.Item, Type: ir.Any, A: table, B: key}
	}))
}

// putBy emits the assignment TABLE[KEY] = VALUE for a table that may have a function in __newindex.
func (c *lowerer) putBy(t *target, x *ir.Expr, call *ast.FuncCallExpr, list []*Function) {
	table, key := c.keep(t.place.table), c.keep(t.key)
	x = c.keep(x)
	which, self := c.handler("__newindex", table, key, list)
	c.among(t.at, call, list, which, []*symbol{plain(self), plain(key), plain(x)}, func() *ir.Expr {
		c.emit(&ir.Stmt{Op: ir.PutItem, A: table, B: key, C: x, Pays: true})
		return nil
	})
}
