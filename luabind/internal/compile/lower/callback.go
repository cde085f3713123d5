package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Calls of string.gsub with a function or a table: s:gsub("%w+", f). A call with a string is an ordinary library call: see
// invoke.go.
//
// The first step walks what the call does for each match: the function, or a read of the table by the first capture. The
// second step emits an ir.While over the matches, with the function inlined. Three library functions do the rest: "gsub
// find" finds the next match, "gsub put" appends what replaces it, and "gsub end" appends the text after the last match.

// A replacing is what the first step keeps of a call of string.gsub that may get a table. read is TABLE[CAPTURE], in which
// table and capture are variables made for it: the table, if the call makes one, and the first capture.
type replacing struct {
	table, capture *syntax.Variable
	read           *ast.AttrGetExpr
}

// replacement returns the arguments of a call of string.gsub, judged by its syntax: the text, the pattern, what replaces
// the matches, and the largest number of matches, nil if it is not given. The receiver of a method call is the first.
func replacement(e *ast.FuncCallExpr) (s, pattern, with, most ast.Expr, ok bool) {
	args := e.Args
	switch fn := e.Func.(type) {
	case nil:
		ok = e.Method == "gsub"
		args = append([]ast.Expr{e.Receiver}, args...)
	case *ast.AttrGetExpr:
		ok = keyOf(fn) == "gsub"
	case *ast.IdentExpr:
		ok = fn.Value == "gsub"
	}
	if !ok || len(args) < 3 || len(args) > 4 {
		return nil, nil, nil, nil, false
	}
	if len(args) == 4 {
		most = args[3]
	}
	return args[0], args[1], args[2], most, true
}

// replaces walks a call of string.gsub that may get a table: the read of the table for each match. The arguments have been
// walked before.
func (p *preparer) replaces(e *ast.FuncCallExpr) {
	_, _, with, _, ok := replacement(e)
	if !ok || p.t.givenCalls[e] != nil {
		return
	}
	switch with.(type) {
	case *ast.TableExpr, *ast.IdentExpr, *ast.AttrGetExpr:
	default:
		return
	}
	r := p.t.spreads.replacings[e]
	if r == nil {
		variable := func(name string) *syntax.Variable {
			return &syntax.Variable{Declaration: syntax.Declaration{Name: name, Kind: syntax.Local}, ID: -1}
		}
		ident := func(v *syntax.Variable) ast.Expr {
			id := syntax.At(&ast.IdentExpr{Value: v.Name}, e)
			p.t.spreads.idents[id] = v
			return id
		}
		r = &replacing{table: variable("replacement"), capture: variable("capture")}
		object := with
		if _, ok := with.(*ast.TableExpr); ok {
			object = ident(r.table)
		}
		r.read = syntax.At(&ast.AttrGetExpr{Object: object, Key: ident(r.capture)}, e)
		p.t.spreads.replacings[e] = r
	}
	p.declare([]*syntax.Variable{r.table, r.capture})
	p.keep(r.table, p.value(with))
	p.get(r.read)
}

// replace lowers a call of string.gsub with a function or a table. It returns nil for another call.
func (c *lowerer) replace(e *ast.FuncCallExpr, self *symbol) []*symbol {
	first, pattern, with, most, ok := replacement(e)
	call, r := c.t.givenCalls[e], c.t.spreads.replacings[e]
	if !ok || call == nil && (r == nil || !c.replacesBy(with)) {
		return nil
	}
	if c.open(e) {
		refuseWith(e, oneValue, "passes on all values of %s", callee(e))
	}
	text := func(e ast.Expr) *ir.Expr {
		x := c.as(c.value(c.settled(c.operand(e), e), e), ir.Text)
		if x.Type != ir.Text {
			refuse(e, "calls string.gsub with %s", typeNames[x.Type])
		}
		return c.keep(x)
	}
	g := &gsub{at: e, limit: null()}
	if self != nil {
		g.s = c.keep(self.x)
	} else {
		g.s = text(first)
	}
	g.pattern = text(pattern)
	fn := c.settled(c.operand(with), with)
	if fn.kind == madeSymbol {
		c.bind(r.table, fn, e)
		fn = c.symbols[r.table]
	}
	if most != nil {
		g.limit = c.keep(c.anyOf(c.settled(c.operand(most), most), most))
	}
	g.out = &ir.Expr{Op: ir.Reg, Type: ir.Text, I: c.register(ir.Text)}
	g.n = &ir.Expr{Op: ir.Reg, I: c.register(ir.Number)}
	switch {
	case call != nil:
		names := 1
		for _, f := range c.t.calls[call] {
			names = max(names, len(f.Params))
		}
		c.eachMatch(g, names, true, func(captures []*symbol) *ir.Expr { return c.callGiven(fn, call, captures) })
	case fn.kind == functionSymbol:
		if capturesOf(g.pattern) != 1 || !isInvoked(fn.text) || tableFunctions[fn.text] {
			refuseWith(e, adviceOnCall(e), "calls string.gsub with %s", fn.text)
		}
		c.eachMatch(g, 1, true, func(captures []*symbol) *ir.Expr { return c.invoked(fn.text, 1, wrapped(captures[0].x))[0] })
	case isAny(fn):
		table := c.collect(func() { c.branching(func() { c.replaceFrom(g, r) }) })
		kind := c.as(c.invoked("gsub type", 1, wrapped(c.value(fn, e)))[0], ir.Text)
		text := c.collect(func() {
			out := c.invoked("string.gsub", 2, wrapped(g.s), wrapped(g.pattern), wrapped(c.value(fn, e)), g.limit)
			c.set(g.out.I, -1, c.as(out[0], ir.Text))
			c.set(g.n.I, -1, c.as(out[1], ir.Number))
		})
		isTable := &ir.Expr{Op: ir.Equal, Type: ir.Bool, A: kind, B: &ir.Expr{Op: ir.Const, Type: ir.Text, S: "table"}}
		c.emit(&ir.Stmt{Op: ir.If, A: isTable, Body: table, Else: text})
	default:
		c.replaceFrom(g, r)
	}
	return []*symbol{plain(c.keep(g.out)), plain(c.keep(g.n))}
}

// replacesBy reports whether the value of an expression, given to string.gsub, may be a function or a table. The
// statements that the expression emits are dropped.
func (c *lowerer) replacesBy(e ast.Expr) bool {
	price, size, made, effects := c.price, c.size, c.made, len(c.p.Effects)
	var s *symbol
	c.collect(func() { c.branching(func() { s = c.settled(c.operand(e), e) }) })
	c.price, c.size, c.made, c.p.Effects = price, size, made, c.p.Effects[:effects]
	switch s.kind {
	case madeSymbol, functionSymbol:
		return true
	case constantSymbol:
		return s.constant.Kind == TableConstant
	case tableSymbol:
		return c.kinds[s.input].InputKind == TableInput
	default:
		return isAny(s)
	}
}

// A gsub is a call of string.gsub that is being lowered.
type gsub struct {
	at                *ast.FuncCallExpr
	s, pattern, limit *ir.Expr
	out, n            *ir.Expr // the registers of the results
}

// replaceFrom replaces matches by what a table has for the first capture.
func (c *lowerer) replaceFrom(g *gsub, r *replacing) {
	c.eachMatch(g, 1, false, func(captures []*symbol) *ir.Expr {
		c.declare(r.capture, captures[0])
		return c.anyOf(c.settled(c.operand(r.read), g.at), g.at)
	})
}

// callGiven calls the function that a library function is given, and returns its value.
func (c *lowerer) callGiven(fn *symbol, call *ast.FuncCallExpr, args []*symbol) *ir.Expr {
	if fn.alternatives() == nil {
		refuse(call, "calls string.gsub with a function that is not known")
	}
	values := c.callConstant(fn, call, args, 1)
	if len(values) == 0 {
		return null()
	}
	return c.anyOf(c.settled(values[0], call), call)
}

// eachMatch emits the loop over the matches. value lowers what replaces a match, given its captures. pays says that the
// strings of the captures count as allocated, as for a function; a read of a table allocates nothing.
func (c *lowerer) eachMatch(g *gsub, names int, pays bool, value func(captures []*symbol) *ir.Expr) {
	number := func() *ir.Expr {
		x := &ir.Expr{Op: ir.Reg, I: c.register(ir.Number)}
		c.set(x.I, -1, &ir.Expr{Op: ir.Const})
		return x
	}
	at, copied := number(), number()
	c.set(g.n.I, -1, &ir.Expr{Op: ir.Const})
	c.set(g.out.I, -1, &ir.Expr{Op: ir.Const, Type: ir.Text})
	sure := capturesOf(g.pattern)
	s := &ir.Stmt{Op: ir.While, A: boolean(true)}
	c.iteration(s, func() {
		s.Body = c.collect(func() {
			c.within(func() {
				found := c.invoked("gsub find", 3+names, wrapped(g.s), wrapped(g.pattern), wrapped(at), wrapped(g.n), g.limit, wrapped(boolean(pays)))
				c.emit(&ir.Stmt{Op: ir.If, A: isNull(found[0]), Body: []*ir.Stmt{{Op: ir.Break}}})
				c.set(at.I, -1, c.as(found[0], ir.Number))
				c.set(g.n.I, -1, &ir.Expr{Op: ir.Add, A: g.n, B: &ir.Expr{Op: ir.Const, N: 1}})
				captures := make([]*symbol, names)
				for i := range captures {
					x := found[3+i]
					if i < sure {
						x = c.keep(c.as(x, ir.Text))
					}
					captures[i] = plain(x)
				}
				v := value(captures)
				out := c.invoked("gsub put", 1, wrapped(g.out), wrapped(g.s), wrapped(copied), found[1], found[2], v)
				c.set(g.out.I, -1, c.as(out[0], ir.Text))
				c.set(copied.I, -1, c.as(found[2], ir.Number))
			})
		})
	})
	c.emit(s)
	out := c.invoked("gsub end", 1, wrapped(g.out), wrapped(g.s), wrapped(copied), wrapped(g.pattern))
	c.set(g.out.I, -1, c.as(out[0], ir.Text))
}

// invoked emits a call of a library function that has n results.
func (c *lowerer) invoked(fn string, n int, args ...*ir.Expr) []*ir.Expr {
	s := &ir.Stmt{Op: ir.Invoke, Func: fn, Args: args, J: n}
	out := make([]*ir.Expr, n)
	for i := range out {
		out[i] = c.temporary(ir.Any)
	}
	s.I = out[0].I
	c.p.Exact = true
	c.emit(s)
	return out
}

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
	if n := len(e.Args); n < 1 || n > 2 || c.t.values(e.Args) != n {
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
