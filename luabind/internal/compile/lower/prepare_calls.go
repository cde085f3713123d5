package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Calls in the first step of lowering. Functions that are known are walked as a part of the body; other functions
// become inputs. known.go says which functions are known.

// call walks a call. The functions that it may call, as far as they are known, are walked, too. Otherwise the function
// becomes an input.
func (p *preparer) call(e *ast.FuncCallExpr) {
	if e.Func == nil {
		p.method(e)
		return
	}
	if p.protects(e) {
		return
	}
	if list := p.callees(e.Func); len(list) > 0 {
		p.parts(e.Func)
		p.enters(e, list, nil)
		return
	}
	if self, f := p.callable(e.Func); f != nil {
		p.expr(e.Func)
		p.t.callables[e] = f
		p.enters(e, []*Function{f}, []known{self})
		return
	}
	switch fn := e.Func.(type) {
	case *ast.AttrGetExpr:
		if id, ok := fn.Object.(*ast.IdentExpr); ok && keyOf(fn) != "" && p.free(id) != nil {
			v := p.free(id)
			p.get(fn)
			p.input(v, "", id).object = true
			p.input(v, keyOf(fn), fn).Called = !p.varied[Place{v, itself}]
			break
		}
		p.get(fn)
	case *ast.IdentExpr:
		v := p.free(fn)
		if v == nil {
			break
		}
		in := p.input(v, "", fn)
		in.Read, in.Called = true, true
	default:
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	for _, arg := range e.Args {
		if k := p.value(arg); !k.plain() { // such as table.insert
			p.passes(k, e)
			p.assigned(k)
			p.reaches(k.place)
		}
		if !p.given(e, arg) {
			p.expr(arg)
		}
	}
	p.replaces(e)
}

// callees lists the functions that the value of an expression may be, when it is called.
func (p *preparer) callees(fn ast.Expr) []*Function {
	if get, ok := fn.(*ast.AttrGetExpr); ok && keyOf(get) != "" {
		if object := p.value(get.Object); object.place.Variable != nil && len(object.constants) == 0 {
			pl := object.place.within(keyOf(get))
			f := p.member(pl.Variable, pl.Path)
			if f != nil {
				return []*Function{f}
			}
			if ask := (Ask{pl, ToCall}); p.t.Member == nil && object.place.Path != "" && !slices.Contains(p.t.Asks, ask) {
				p.t.Asks = append(p.t.Asks, ask)
			}
			return nil
		}
	}
	return p.value(fn).functions()
}

// callable returns the function that a call of a table declared outside the loop calls, with what is known of the table; nil if
// it is not known.
func (p *preparer) callable(fn ast.Expr) (self known, f *Function) {
	self = p.value(fn)
	if self.place.Variable == nil || len(self.constants) > 0 || p.t.Member == nil {
		return self, nil
	}
	pl := self.place.within(CallName)
	return self, p.member(pl.Variable, pl.Path)
}

// enters walks the arguments of a call, and the functions that it may call. self are the values in front of the
// arguments.
func (p *preparer) enters(e *ast.FuncCallExpr, list []*Function, self []known) {
	args := self
	for _, arg := range e.Args {
		args = append(args, p.value(arg))
	}
	if takesAll(list) {
		args = p.allArguments(e, args)
	}
	p.entersAll(e, list, args)
	for _, arg := range e.Args {
		p.operand(arg)
	}
}

// entersAll walks the functions that a call may call.
func (p *preparer) entersAll(e *ast.FuncCallExpr, list []*Function, args []known) {
	name := callee(e)
	entered := make([]*Function, len(list))
	for i, f := range list {
		f = p.spread(name, f, e, args)
		if entered[i] = f; !slices.Contains(p.t.calls[e], f) {
			p.t.calls[e] = append(p.t.calls[e], f)
		}
	}
	if len(list) == 1 {
		p.enter(name, entered[0], e, args, false)
		return
	}
	most := 0
	for _, f := range entered {
		p.enter(name, f, e, args, true)
		most = max(most, p.t.results(f))
	}
	join := p.t.joins[e]
	if join == nil {
		join = &Function{}
		p.t.joins[e] = join
	}
	p.t.counts[join] = max(p.t.counts[join], most)
}

// function returns the Lua function that a variable declared outside the loop holds; nil if that is not certain.
func (p *preparer) function(v *syntax.Variable) *Function {
	return p.known(member{v, ""}, func() *Function { return p.t.Source.Function(v) }, p.t.Source.Function == nil)
}

// member returns the Lua function that a member of the table in a variable holds; nil if that is not certain.
func (p *preparer) member(v *syntax.Variable, name string) *Function {
	if p.varied[Place{v, itself}] {
		return nil
	}
	return p.known(member{v, name}, func() *Function { return p.t.Member(v, name) }, p.t.Member == nil)
}

// known asks the Source for a function, once for each variable or member. never says that the Source cannot answer.
func (p *preparer) known(m member, ask func() *Function, never bool) *Function {
	f, ok := p.t.functions[m]
	if !ok && !never {
		f = ask()
		p.t.functions[m] = f
	}
	return f
}

// enter walks the body of a function that is called with certain arguments. rare says that not every row that reaches
// the call calls this function. A function may not call itself. It refuses calls that are nested too deeply.
func (p *preparer) enter(name string, f *Function, at ast.PositionHolder, args []known, rare bool) {
	switch {
	case p.walking(f):
		refuse(at, "the function %q calls itself", name)
	case len(p.stack) >= mostCalls:
		refuseWith(at, doAfter, "calls go too deep")
	}
	same := p.t.entered[f]
	for i, v := range f.Params {
		k := known{}
		if i < len(args) {
			k = args[i]
		}
		if before := p.values[v]; len(k.constants) > 0 || k.place != before.place || k.object != before.object || k.class != before.class {
			same = false
		}
		p.keep(v, k)
	}
	if same {
		return
	}
	if p.walks++; p.walks > mostWalks {
		panic(&Reason{whole: true, File: p.file(), Line: at.Line(), Text: tooLarge, Advice: SplitLoop})
	}
	p.t.entered[f] = true
	inner := &preparer{t: p.t, fn: f, stack: append(slices.Clone(p.stack), f), position: p.position, knowledge: p.knowledge}
	inner.declare(f.Params)
	defer within(f)
	before := *p.position
	p.rare = rare
	inner.block(f.Body)
	*p.position = before
	delete(p.t.counts, f)
	p.t.results(f) // computes and keeps the number, because a Template does not change afterwards
}

// mostWalks is the largest number of bodies of functions that Prepare walks. A function is walked again when it is
// called with other functions or tables.
const mostWalks = 2000

const (
	mostCalls  = 8  // nesting of calls
	mostInputs = 80 // inputs of a loop. Each is an argument of RUN, and so takes a register of the interpreter
)

// called returns the function of the world, or of its commands, that has a name and can be called in compiled
// loops; nil if there is none. The object before the colon is not known yet, which makes no difference: functions
// of the same name take names as the same arguments.
func called(name string) *api.Function {
	for _, list := range [][]api.Function{api.World, api.Commands, api.Layer} {
		if f := api.Find(list, name); f != nil && f.InLoops {
			return f
		}
	}
	return nil
}

// methods returns the Lua function that OBJECT:METHOD(…) calls, where OBJECT is a table declared outside the loop; nil if it is not known.
func (p *preparer) methods(e *ast.FuncCallExpr) []*Function {
	pl := p.value(e.Receiver).place
	if pl.Variable == nil {
		return nil
	}
	if f := p.member(pl.Variable, pl.within(e.Method).Path); f != nil {
		return []*Function{f}
	}
	return nil
}

// openMethod walks a call of a method of a variable that no function is known of: what the variable holds when the
// loop begins may have one.
func (p *preparer) openMethod(e *ast.FuncCallExpr, v *syntax.Variable) {
	in := p.input(v, "", e.Receiver)
	in.object, in.Read = true, true
	p.input(v, e.Method, e).Called = true
	for _, arg := range e.Args {
		p.operand(arg)
	}
}

// method walks OBJECT:METHOD(…). Arguments that are names become inputs whose string is a part of their kind.
func (p *preparer) method(e *ast.FuncCallExpr) {
	if list := p.methods(e); len(list) > 0 {
		p.expr(e.Receiver)
		p.enters(e, list, []known{p.value(e.Receiver)})
		return
	}
	if k := p.value(e.Receiver); k.object.Variable != nil && len(k.constants) == 0 {
		p.objectMethod(e, k)
		return
	}
	f := called(e.Method)
	if id, ok := e.Receiver.(*ast.IdentExpr); f == nil && ok && p.t.World != nil && p.free(id) != nil && p.free(id) != p.t.World && p.t.Member == nil {
		if v := p.free(id); !v.Assigned || !isStringMethod(e.Method) { // a variable that is assigned is more likely a string than an object
			p.openMethod(e, v)
			return
		}
	}
	if f == nil && isStringMethod(e.Method) {
		p.stringMethod(e)
		return
	}
	if f == nil {
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	switch object := e.Receiver.(type) {
	case *ast.IdentExpr:
		if v := p.free(object); v != nil {
			p.input(v, "", object).object = true
			if p.t.World != nil && v != p.t.World && p.t.Member == nil { // it may be a table with a method of that name
				p.input(v, e.Method, e).Called = true
			}
		}
	case *ast.AttrGetExpr:
		p.get(object)
	default:
		refuseWith(e, adviceOnCall(e), "calls %s", callee(e))
	}
	for i, arg := range e.Args {
		if id, ok := arg.(*ast.IdentExpr); ok && f.Role(i).Name() {
			if v := p.free(id); v != nil {
				in := p.input(v, "", id)
				in.Named = true
				if of := api.Find(api.Layer, e.Method); of != nil && i < len(of.Args) && !p.isWorld(e.Receiver) {
					in.Read = true
				}
				continue
			}
		}
		p.payload(arg)
	}
}

// isWorld reports whether an expression is the world or its commands, as far as its source shows it.
func (p *preparer) isWorld(e ast.Expr) bool {
	if get, ok := e.(*ast.AttrGetExpr); ok {
		return keyOf(get) == "commands"
	}
	id, ok := e.(*ast.IdentExpr)
	return ok && (p.t.World != nil && p.free(id) == p.t.World || id.Value == "world")
}

// payload walks an argument that may be a table constructor.
func (p *preparer) payload(e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		p.expr(e)
		return
	}
	for _, f := range t.Fields {
		if _, ok := f.Key.(*ast.StringExpr); f.Key != nil && !ok {
			refuseWith(t, keysAsNames, "makes a table with a key that is no name")
		}
		p.payload(f.Value)
	}
}
