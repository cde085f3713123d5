package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// Running: what RUN does when a loop begins, and after each row that was left to the interpreter. It finds the
// template for the functions that variables hold (look), the kernel for the kinds of their values (variant), gives
// it its inputs, runs it over the walk, and returns the outputs. call.go has the arguments and the results of RUN.

// A site is a loop with its kernels, in one environment. There is one for each loop of a file and each instance of
// the file, so it needs no locks.
type site struct {
	env     *sandbox.Env
	number  int       // index of the loop among those of the file that may be compiled
	last    bool      // nothing of the function around it follows the loop
	links   []*linked // the templates so far; the first one is that of the loop itself
	*linked           // the template in use
	call
	variants  []variant
	fallen    []int   // indexes in Runner.Falls: the reasons that fell has kept
	left      refusal // why the last row was left, until it is known that it has raised no error
	leaver    int     // the index of the variant whose kernel has left that row
	unprinted error   // the first error of print, until the walk is over
	walk      surface.Walk
	events    stepped // used instead of walk by a loop over events or cells
	over      string  // the method whose events or cells are walked; "" for a loop over entities
	values    []lua.LValue
	kinds     []lower.Kind
	why       refusal // why no kernel ran when the loop began last; the zero refusal if one did
	looked    *linked // for which kinds was set
	same      bool    // kinds did not change in the last look
	latest    int     // index of the variant that was used last
	steady    steady  // how the loop has begun the last time
}

// newSite makes the site of a loop, without kernels.
func newSite(number int, l *Loop, env *sandbox.Env) site {
	t := l.Template
	var globals *lua.LTable
	if env != nil {
		globals = env.Table
	}
	s := site{env: env, number: number, last: l.last, over: l.Events, links: []*linked{l.own(globals)}}
	switch {
	case l.Events != "":
		s.events = &surface.EventWalk{}
	case l.Cells != "":
		s.over, s.events = l.Cells, &surface.CellWalk{}
	}
	s.linked = s.links[0]
	for _, in := range t.Inputs {
		if in.Member == "" {
			s.given++
		}
	}
	return s
}

// look selects the template for the functions that the variables hold, and finds the kinds of its inputs.
func (s *site) look(r *Runner, world *surface.World) {
	if !s.holds(s.args, r.Library) {
		s.linked = s.linkFor(r)
	}
	s.lookAt(r)
}

// lookAt finds the kinds of the inputs of the template in use.
func (s *site) lookAt(r *Runner) {
	world := s.world()
	if n := len(s.template.Inputs); len(s.kinds) != n {
		s.values, s.kinds = make([]lua.LValue, n), make([]lower.Kind, n)
	}
	s.same = s.linked.kinds(s.args, world, s.query(), r.Library.names, s.values, s.kinds) && s.looked == s.linked
	s.looked = s.linked
}

// linkFor finds or makes the template for the functions that the variables hold. If there are too many of them, it
// is the template of the loop itself.
func (s *site) linkFor(r *Runner) *linked {
	if r.Library.off.Has(without.Linked) {
		return s.links[0]
	}
	for _, k := range s.links {
		if k.holds(s.args, r.Library) {
			return k
		}
	}
	var k *linked
	if r.guesses != nil && r.guesses[s.number] != nil {
		k = r.guesses[s.number].linked.within(s.links[0])
	}
	if k == nil || !k.holds(s.args, r.Library) {
		if len(s.links) > mostVariants {
			return s.links[0]
		}
		if s.callsHold(s.args) {
			s.constantsHold(s.args, func(at constantPlace, cost int) { s.links[0].changes[at] += cost })
		}
		k = r.kernels[s.number].link(s.links[0], s.args, r.Library)
	}
	s.links = append(s.links, k)
	return k
}

// kindOf returns the kind of a value, for a loop over that world. functions has the names of known functions.
func kindOf(v lua.LValue, in lower.Input, world *surface.World, functions map[lua.LValue]string) lower.Kind {
	if in.Assigned && !in.Read && in.Member == "" {
		return lower.Kind{InputKind: lower.NilInput} // its value at the beginning does not matter
	}
	switch v := v.(type) {
	case lua.LNumber:
		return lower.Kind{InputKind: lower.NumberInput}
	case lua.LBool:
		return lower.Kind{InputKind: lower.BoolInput}
	case lua.LString:
		k := lower.Kind{InputKind: lower.TextInput}
		if in.Named {
			k.Name = string(v)
		}
		return k
	case *lua.LNilType:
		return lower.Kind{InputKind: lower.NilInput}
	case *lua.LFunction:
		if name := functions[v]; name != "" {
			return lower.Kind{InputKind: lower.FuncInput, Name: name}
		}
	case *lua.LTable:
		if unmarked(v) {
			return kindOfTable(v, in)
		}
		if isObject(v.Metatable) {
			return lower.Kind{InputKind: lower.ObjectInput}
		}
	case *lua.LUserData:
		switch {
		case world == nil:
		case v == world.Value():
			return lower.Kind{InputKind: lower.WorldInput}
		case v == world.Resources():
			return lower.Kind{InputKind: lower.ResourcesInput}
		case v == world.Commands():
			return lower.Kind{InputKind: lower.CommandsInput}
		}
		if v == world.Layers() {
			return lower.Kind{InputKind: lower.LayersInput}
		}
		if name := world.LayerOf(v); name != "" {
			return lower.Kind{InputKind: lower.LayerInput, Name: name}
		}
		if _, id, ok := world.ViewOf(v); ok {
			return lower.Kind{InputKind: lower.ViewInput, Component: id}
		}
		if q := world.QueryOf(v); q != nil {
			return lower.Kind{InputKind: lower.QueryInput, Query: q}
		}
	}
	return lower.Kind{InputKind: lower.OtherInput}
}

// run runs the loop from its beginning, with the arguments args that take has taken. It returns false, and does nothing, if
// the loop must run as it is written, so that errors are raised at the right place of the script; or, without the
// stack, if what is walked is only found with the arguments on it.
func (s *site) run(L *lua.LState, state *sandbox.State, r *Runner, args []interp.Value, stack bool) (opened bool) {
	if stack {
		dropFirst(L, s.given+generatorAt+1)
		opened = s.open(L)
	} else {
		opened = s.reopen(s.head)
	}
	if !opened {
		return false
	}
	if s.few() {
		s.why = fewCells
		r.begins(s)
		s.decline()
		return true
	}
	s.left = refusal{} // a row that raised an error is no fall
	if s.over != "" && len(s.variants) > 0 && s.events.None() {
		s.begin()
		s.events.End()
		s.done()
		return true
	}
	s.look(r, s.world())
	v, why := s.ready(state, r)
	if v != nil && !v.fits(L, state) {
		v, why = nil, tooDeep
	}
	s.why = why
	r.begins(s)
	switch {
	case v == nil:
		r.fell(s, why, false)
		s.decline()
	case v.pace.resting():
		r.rested(s)
		s.decline()
	default:
		if s.kernel(L, state, r, v, s.begin()) == kernel.Finished {
			s.settle(args)
		}
	}
	return true
}

// goOn is run for a call after a row that was left to the interpreter: it takes the walk back and runs the kernel
// over the remaining rows.
func (s *site) goOn(L *lua.LState, state *sandbox.State, r *Runner, generator *lua.LFunction) {
	if s.left.text != "" {
		r.leftRow(s)
	}
	rows, ok := s.resume(generator)
	if !ok {
		s.done()
		return
	}
	s.look(r, s.world())
	v, why := s.ready(state, r)
	if v != nil && !v.fits(L, state) {
		v, why = nil, tooDeep
	}
	if v == nil {
		r.fell(s, why, false)
		s.push(nil, interp.False, s.rest(L, 0, false, false))
		return
	}
	s.kernel(L, state, r, v, rows)
}

// rest leaves rows to the loop as it is written, and returns its generator as a value: see handOver.
func (s *site) rest(L *lua.LState, done int, once, here bool) interp.Value {
	return interp.Value{Ref: s.handOver(L, done, once, here)}
}

// ready finds the kernel for the current values, and gives it its inputs. If there is none, it returns nil and the
// reason.
func (s *site) ready(state *sandbox.State, r *Runner) (v *variant, why refusal) {
	if state.Budget().Interprets() {
		return nil, refusal{"the turn has used limits.instructions up", "raise limits.instructions"}
	}
	if why := r.refuses(); why.text != "" {
		return nil, why
	}
	v = s.variant(state, r)
	switch {
	case v != nil && v.p != nil && !r.Library.original(v.p.Methods):
		return nil, refusal{"a script has replaced a method of strings that it calls", "give the new function another name"}
	case v == nil:
		return nil, refusal{"its variables have held too many kinds of values", "let each variable of the loop hold values of one kind"}
	case v.waiting:
		v.hurry(s, r)
	}
	switch {
	case v.kernel == nil:
		return nil, v.reason
	case v.observed(s.world().ECS()).text != "":
		return nil, v.watched
	}
	if v.begin(s) {
		return v, refusal{}
	}
	left := v.left
	if v.holed >= 0 {
		if w, _ := s.readyForMap(state, r, v.holed, left); w != nil {
			return w, refusal{}
		}
	}
	return nil, left
}

// readyForMap is ready for a table that the kernel cannot take for a list, because the list has holes. left is what that
// kernel says. From then on the template in use takes the table for a map, unless that gives no kernel.
func (s *site) readyForMap(state *sandbox.State, r *Runner, input int, left refusal) (v *variant, why refusal) {
	k := s.linked
	if k.tables == nil {
		k.tables = make([]holedTable, len(k.template.Inputs))
	}
	if k.tables[input] != unknownTable {
		return nil, left
	}
	k.tables[input] = takenForMap
	s.look(r, s.world())
	if v, _ = s.ready(state, r); v != nil {
		return v, refusal{}
	}
	k.tables[input] = takenForList
	return nil, left
}

// kernel runs a kernel over the remaining rows of a walk, and pushes the results of RUN. It returns how the kernel ended.
func (s *site) kernel(L *lua.LState, state *sandbox.State, r *Runner, v *variant, rows int) kernel.Ending {
	before := state.Budget().Used()
	if k, ok := v.kernel.(kernel.Sealing); ok && s.last && state.Closing(L) {
		k.NothingFollows()
	}
	how := v.walk(s, rows, state.Budget())
	v.spent += state.Budget().Used() - before
	s.ended(L, state, r, v, how, rows)
	return how
}

// ended writes back what a kernel has left of some rows, and pushes the results of RUN.
func (s *site) ended(L *lua.LState, state *sandbox.State, r *Runner, v *variant, how kernel.Ending, rows int) {
	v.end(s, how, state.Budget())
	r.count(s, v, how)
	switch how {
	case kernel.Finished:
		v.pace.ends(v.kernel.Rows())
		s.raiseUnprinted(L)
		s.push(v, interp.True, interp.Nil)
	case kernel.Returned:
		v.pace.ends(v.kernel.Rows())
		s.raiseUnprinted(L)
		s.pushReturn(v)
	case kernel.Bailout:
		once := v.pace.leaves(v.kernel.Rows(), v.elements(), max(0, rows-v.kernel.Rows()-1))
		if state.Budget().Spent() == nil {
			s.left, s.leaver = v.rest(s), s.latest
		}
		s.push(v, interp.False, s.rest(L, v.kernel.Rows(), once, true))
	case kernel.Starved:
		s.push(v, interp.False, s.rest(L, v.kernel.Rows(), false, true))
	default:
		panic("loops: a walk ended in an unknown way")
	}
}

// MachineKernels returns how many of the kernels made so far are machine code.
func (r *Runner) MachineKernels() int {
	if r == nil {
		return 0
	}
	return r.machine
}

// Kernels returns how many kernels were made so far.
func (r *Runner) Kernels() int {
	if r == nil {
		return 0
	}
	return r.made
}
