package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Functions that call themselves, or one another. Such a function becomes an ir.Recurse in the place of the call, as others
// become an ir.Block; a call inside it becomes an ir.Again. Its parameters have registers of their own. What comes in are calls
// whose arguments are lowered already, from inline; what goes out is the value of the call. Only open templates have this,
// because only closures run it.
//
// The value of an inner call is used before all returns are lowered. So the types of the parameters and of the value are
// guessed, and Lower begins again where a call or a return does not fit: first with the type that it saw, then with Any.

// A recursion is a function that calls itself, while its body is lowered.
type recursion struct {
	f      *Function
	in     *inlined
	r      *ir.Recursion
	params []*symbol  // for each parameter: its register, or what it stands for in all calls
	agains []*ir.Stmt // the calls inside it
	short  bool       // it may end without all of its values
}

// A recursionHint is what an attempt has found out about a parameter or the value of a function that calls itself.
type recursionHint struct {
	known  bool    // of a value: a return has been seen
	typ    ir.Type // of a value
	number bool    // of a parameter: it is not always an entity
}

// varies is the Path of the Place that stands for a parameter whose value is not the same in all calls of a function that calls itself.
const varies = PathSeparator + PathSeparator

// again walks a call of a function that is being walked. Nothing that is known of a parameter holds for it if the call gives
// it something else; then Prepare begins again.
func (p *preparer) again(name string, f *Function, at ast.PositionHolder, args []known) {
	if !p.recurs(f) {
		refuse(at, "the function %q calls itself", name)
	}
	p.t.again[f] = true
	for i, v := range f.Params {
		k := known{}
		if i < len(args) {
			k = args[i]
		}
		before := p.values[v]
		same := k.place == before.place && k.object == before.object && k.class == before.class && slices.Equal(k.constants, before.constants)
		if pl := (Place{v, varies}); !same && !p.varied[pl] {
			p.varied[pl] = true
			panic(variation{})
		}
	}
}

// settleCounts counts the values again that functions return, if some call themselves: the number for a function that calls one
// around it was found before all returns of that were walked. It refuses a function that returns more values the deeper it calls
// itself, as by return n, f(n - 1): with any other ones, the numbers are right after as many turns as there are functions.
func (t *Template) settleCounts() {
	turns := len(t.entered)
	for again := len(t.again) > 0; again; turns-- {
		again = false
		for f := range t.entered {
			before, most := t.counts[f], 0
			for _, st := range t.returnsOf(f) {
				most = max(most, t.values(st.Exprs))
			}
			if most > before {
				t.counts[f], again = most, true
			}
		}
		if again && turns < 0 {
			panic(&Reason{Line: t.Line, Text: "calls a function that returns more values the deeper it calls itself", Advice: oneValue, whole: true})
		}
	}
	for e, join := range t.joins {
		for _, f := range t.calls[e] {
			t.counts[join] = max(t.counts[join], t.results(f))
		}
	}
}

// recurs reports whether a function is being walked that a call inside it may call again.
func (p *preparer) recurs(f *Function) bool {
	return p.t.Open && !f.Vararg && f.of == nil && slices.Contains(p.stack, f)
}

// recursionOf returns the recursion of a function whose body is being lowered; nil if there is none.
func (c *lowerer) recursionOf(f *Function) *recursion {
	for i := len(c.recursions) - 1; i >= 0; i-- {
		if c.recursions[i].f == f {
			return c.recursions[i]
		}
	}
	return nil
}

// recurse lowers a call of a function that calls itself, from outside it.
func (c *lowerer) recurse(name string, f *Function, e *ast.FuncCallExpr, args []*symbol, wanted int) []*symbol {
	views, members, price := len(c.starts), len(c.heldMembers), c.price
	r := &ir.Recursion{First: [4]int{ir.Number: c.p.Numbers, ir.Bool: c.p.Bools, ir.Text: c.p.Texts, ir.Any: c.p.Anys}, FirstView: c.p.Views + len(c.p.Refs)}
	rec := &recursion{f: f, r: r}
	labels, fn, known, file, where, before := c.labels, c.fn, c.hasValue, c.file, c.where, c.position
	c.labels, c.hasValue, c.rare = nil, map[*symbol]bool{}, c.rare && (len(c.t.calls[e]) > 1 || isMetamethod(e))
	for i, v := range f.Params {
		arg := &symbol{kind: nilSymbol}
		if i < len(args) {
			arg = args[i]
		}
		rec.params = append(rec.params, c.parameter(r, v, arg, e))
	}
	c.file = f.File
	c.jumps++
	rec.in = &inlined{name: name, f: f, label: c.jumps, rec: rec, nested: c.fn.within()}
	c.valuesOf(rec)
	if n := len(f.Body); n > 0 {
		rec.in.last, _ = f.Body[n-1].(*ast.ReturnStmt)
	}
	c.fn, c.recursions = rec.in, append(c.recursions, rec)
	defer within(f)
	body := c.collect(func() {
		c.within(func() { c.stmts(f.Body) })
		if rec.in.wanted > 0 && !ends(f.Body) {
			c.results(rec.in, nil, c.where)
		}
	})
	c.recursions = c.recursions[:len(c.recursions)-1]
	if len(c.starts) != views || len(c.heldMembers) != members {
		refuse(e, "the function %q calls itself, and uses views that variables keep", name)
	}
	s := &ir.Stmt{Op: ir.Recurse, I: rec.in.label, Body: body, Recursion: r}
	for _, again := range rec.agains {
		again.Price = 1 + c.price - price
	}
	c.p.Exact, c.p.Lua = true, true
	c.emit(s)
	c.labels, c.fn, c.hasValue, c.file, c.where, c.position = labels, fn, known, file, where, before
	if rec.in.n == 0 || wanted == 0 {
		return nil
	}
	return c.resultsOf(rec.in)
}

// parameter binds a parameter of a function that calls itself to the argument of the outermost call. It returns its symbol.
func (c *lowerer) parameter(r *ir.Recursion, v *syntax.Variable, arg *symbol, e *ast.FuncCallExpr) *symbol {
	arg = c.optional(c.resolve(arg, e))
	if isFixedThing(arg) {
		if c.t.assigned[v] {
			refuse(e, "%q is %s, and assigned", v.Name, kindTexts[arg.kind])
		}
		alias := *arg
		alias.short = false
		return c.declare(v, &alias)
	}
	x := c.argument(v, arg, e)
	reg := c.register(x.Type)
	c.set(reg, -1, x)
	r.Params = append(r.Params, ir.Place{Used: true, Type: x.Type, Reg: reg})
	if x.Type == ir.Number {
		c.entities[reg] = c.isEntity(x) && !c.hints.recursions[v].number && !c.t.assigned[v]
	}
	if c.t.assigned[v] {
		return c.declare(v, &symbol{kind: registerSymbol, typ: x.Type, i: reg, mark: -1, input: -1})
	}
	c.fixed[register{x.Type, reg}] = true
	return c.declare(v, &symbol{kind: valueSymbol, x: &ir.Expr{Op: ir.Reg, Type: x.Type, I: reg}})
}

// argument returns the value that a parameter gets. One that may be nil, or is a table or a view, is of type Any.
func (c *lowerer) argument(v *syntax.Variable, arg *symbol, at ast.PositionHolder) *ir.Expr {
	if c.hints.anys[v] {
		return c.anyOf(arg, at)
	}
	switch arg.kind {
	case valueSymbol, registerSymbol:
		if !isOptional(arg) {
			return c.value(arg, at)
		}
	case nilSymbol, madeSymbol, viewSymbol:
	default:
		refuse(at, "a function that calls itself is given %s", kindTexts[arg.kind])
	}
	return c.anyParameter(v)
}

// anyParameter makes Lower begin again with a parameter that has values of any kind.
func (c *lowerer) anyParameter(v *syntax.Variable) *ir.Expr {
	if c.hints.anys[v] {
		refuse(c.where, "a function that calls itself is given values of several kinds")
	}
	c.hints.anys[v] = true
	panic(retry{})
}

// isFixedThing reports whether a symbol is something that needs no register, and can only be passed on as it is.
func isFixedThing(s *symbol) bool {
	switch s.kind {
	case worldSymbol, resourcesSymbol, commandsSymbol, querySymbol, functionSymbol, constantSymbol:
		return true
	default:
		return false
	}
}

// valuesOf prepares the registers for the values of a function that calls itself.
func (c *lowerer) valuesOf(rec *recursion) {
	n := c.t.results(rec.f)
	rec.in.n, rec.in.wanted = n, n
	rec.short = n > 0 && !ends(rec.f.Body)
	for _, st := range c.t.returnsOf(rec.f) {
		k, known := c.t.exactly(st.Exprs)
		rec.short = rec.short || !known || k != n
	}
	for i := range n {
		t := c.hints.values[slot{rec.f, i}].typ
		s := &symbol{kind: registerSymbol, typ: t, i: c.register(t), mark: -1, input: -1}
		c.fixed[register{t, s.i}] = true
		rec.in.results = append(rec.in.results, s)
		rec.r.Values = append(rec.r.Values, ir.Place{Used: true, Type: t, Reg: s.i})
	}
}

// gives emits the assignment of the values of a function that calls itself, at one of its returns.
func (c *lowerer) gives(in *inlined, values []*symbol, at ast.PositionHolder) {
	in.short = in.short || len(values) < in.n || in.n > 0 && values[len(values)-1].short
	for i := range in.n {
		s := &symbol{kind: nilSymbol}
		if i < len(values) {
			s = c.real(c.optional(values[i]), at)
		}
		c.givesOne(in, i, s, at)
	}
}

// givesOne is gives for the i-th value.
func (c *lowerer) givesOne(in *inlined, i int, s *symbol, at ast.PositionHolder) {
	r, hint := in.results[i], c.hints.values[slot{in.f, i}]
	is := ir.Any
	if s.kind == valueSymbol && s.has == nil {
		is = s.x.Type
	} else if s.kind == registerSymbol && s.mark < 0 {
		is = s.typ
	}
	switch {
	case r.typ == ir.Any:
		c.set(r.i, -1, c.anyOf(s, at))
		return
	case is == r.typ:
		c.hints.values[slot{in.f, i}] = recursionHint{known: true, typ: is}
		c.set(r.i, -1, c.value(s, at))
		return
	case hint.known:
		is = ir.Any
	}
	c.hints.values[slot{in.f, i}] = recursionHint{known: true, typ: is}
	panic(retry{})
}

// callAgain lowers a call of a function from inside it.
func (c *lowerer) callAgain(rec *recursion, e *ast.FuncCallExpr, args []*symbol, wanted int) []*symbol {
	s := &ir.Stmt{Op: ir.Again, I: rec.in.label, Mark: c.fn.within() - rec.in.nested, Recursion: rec.r}
	for i, v := range rec.f.Params {
		arg, param := &symbol{kind: nilSymbol}, rec.params[i]
		if i < len(args) {
			arg = args[i]
		}
		arg = c.optional(c.resolve(arg, e))
		if isFixedThing(param) {
			if arg.kind != param.kind || arg.text != param.text || arg.query != param.query || arg.constant != param.constant {
				refuse(e, "the function %q calls itself with another value for %q, which is %s", rec.in.name, v.Name, kindTexts[param.kind])
			}
			continue
		}
		x, typ := c.argument(v, arg, e), param.typ
		reg := param.i
		if param.kind == valueSymbol {
			typ, reg = param.x.Type, param.x.I
		}
		if x.Type != typ {
			c.anyParameter(v)
		}
		if typ == ir.Number && c.entities[reg] && !c.isEntity(x) {
			c.hints.recursions[v] = recursionHint{number: true}
			panic(retry{})
		}
		s.Args = append(s.Args, x)
	}
	rec.agains = append(rec.agains, s)
	c.emit(s)
	var out []*symbol
	for _, v := range rec.r.Values[:min(wanted, len(rec.r.Values))] {
		x := c.temporary(v.Type)
		c.set(x.I, -1, &ir.Expr{Op: ir.Reg, Type: v.Type, I: v.Reg})
		x1 := plain(x)
		x1.short = rec.short
		out = append(out, x1)
	}
	c.hasValue = map[*symbol]bool{}
	return out
}

// localTo reports whether a register that was made for the body of a function belongs to one call of it.
func localTo(r *ir.Recursion, x *ir.Expr) bool { return x.I >= r.First[x.Type] }

// outside refuses to give a variable its first value inside a function that calls itself, if it is declared around that.
func (c *lowerer) outside(s *symbol) {
	if n := len(c.recursions); n > 0 && s.mark < c.recursions[n-1].r.First[ir.Bool] {
		refuse(c.where, "a function that calls itself gives %q its first value", s.name)
	}
}
