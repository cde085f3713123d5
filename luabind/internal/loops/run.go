package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// Running: what RUN does when a loop begins, and behind each row that was left to the interpreter. It finds the
// template for the functions that variables hold (look), the kernel for the kinds of their values (variant), gives
// it its inputs, runs it over the walk, and returns the outputs. The stack of RUN is described in template.go.

// A site is a loop with its kernels, in one environment. There is one for each loop of a file and each instance of
// the file, so it needs no locks.
type site struct {
	number   int          // index of the loop among those of the file that may be compiled
	links    []*linked    // the templates so far; the first one is that of the loop itself
	*linked               // the template in use
	args     []lua.LValue // values of the variables that RUN gets
	given    int          // their number
	results  int          // the largest number of values of a return
	variants []variant
	fallen   []int // indexes in Runner.Falls: the reasons that fell has kept
	walk     surface.Walk
	events   surface.EventWalk // used instead of walk by a loop over events
	over     string            // the method whose events are walked; "" for a loop over entities
	values   []lua.LValue
	kinds    []lower.Kind
}

// A variant is the kernel of a site for one template, context and kinds of inputs. If there can be no kernel for
// these, it has the reason.
type variant struct {
	linked   *linked
	context  lower.Context
	kinds    []lower.Kind
	kernel   kernel.Kernel
	machine  bool // the kernel is machine code
	p        *ir.Program
	rows     []ecs.Row // for each input that is a resource: its row
	tables   []tableInput
	keyed    []keyedInput
	owners   *owners      // the tables that were found in keyed
	writer   *tableWriter // nil if the Program has no sinks
	writes   bool         // the Program stores in tables
	reason   refusal      // why there is no kernel
	left     refusal      // why the kernel was not used the last time
	departed refusal      // the result of departures
	pace     pace
	seen     []*lua.LTable // memory for apart
}

// mostVariants is the largest number of kernels of one site. For further kinds of values the loop is interpreted.
const mostVariants = 16

// newSite makes the site of a loop, without kernels.
func newSite(number int, l *Loop, env *sandbox.Env) site {
	t := l.Template
	s := site{number: number, over: l.Events, links: []*linked{l.own(env.Table)}}
	s.linked = s.links[0]
	for _, in := range t.Inputs {
		if in.Member == "" {
			s.given++
		}
	}
	s.args = make([]lua.LValue, s.given)
	for _, n := range t.Returns {
		s.results = max(s.results, n)
	}
	return s
}

// function makes the Go function RUN for one environment.
func (r *Runner) function(state *sandbox.State, env *sandbox.Env) lua.LGFunction {
	sites := make([]site, len(r.kernels))
	for i, l := range r.kernels {
		sites[i] = newSite(i, l, env)
	}
	return func(L *lua.LState) int {
		if r.Compile == nil || !r.Compile() {
			L.Push(lua.LNil)
			return 1
		}
		s := &sites[int(L.Get(1).(lua.LNumber))-1]
		n := s.run(L, state, r)
		clear(s.args)
		clear(s.values)
		return n
	}
}

// dropFirst removes the first n arguments from the stack.
func dropFirst(L *lua.LState, n int) {
	top := L.GetTop()
	for i := n + 1; i <= top; i++ {
		L.Replace(i-n, L.Get(i))
	}
	L.SetTop(top - n)
}

// look takes the values of the variables from the stack, selects the template for the functions that they hold, and
// finds the kinds of its inputs.
func (s *site) look(L *lua.LState, r *Runner, world *surface.World) {
	for i := range s.args {
		s.args[i] = L.Get(firstInput + i)
	}
	if !s.holds(s.args, r.Library) {
		s.constantsHold(s.args, func(at constantPlace) { s.links[0].changes[at]++ })
		s.linked = s.linkFor(r)
	}
	n := len(s.template.Inputs)
	s.values, s.kinds = slices.Grow(s.values[:0], n)[:n], slices.Grow(s.kinds[:0], n)[:n]
	s.linked.kinds(s.args, world, r.Library.names, s.values, s.kinds)
}

// linkFor finds or makes the template for the functions that the variables hold. If there are too many of them, it
// is the template of the loop itself.
func (s *site) linkFor(r *Runner) *linked {
	for _, k := range s.links {
		if k.holds(s.args, r.Library) {
			return k
		}
	}
	var k *linked
	if r.guesses != nil && r.guesses[s.number] != nil {
		k = r.guesses[s.number].linked
	}
	if k == nil || !k.holds(s.args, r.Library) {
		if len(s.links) > mostVariants {
			return s.links[0]
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
		if v.Metatable == lua.LNil {
			return kindOfTable(v, in)
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
		if q := world.QueryOf(v); q != nil {
			return lower.Kind{InputKind: lower.QueryInput, Query: q}
		}
	}
	return lower.Kind{InputKind: lower.OtherInput}
}

// firstInput is the index of the first input on the stack of RUN, behind the number of the loop and the generator.
const firstInput = 3

// run runs the loop whose number, generator, inputs, world and arguments are on the stack. It returns the number of
// results of RUN.
func (s *site) run(L *lua.LState, state *sandbox.State, r *Runner) int {
	if generator, ok := L.Get(2).(*lua.LFunction); ok {
		return s.goOn(L, state, r, generator)
	}
	s.look(L, r, surface.WorldOf(L.Get(firstInput+s.given)))
	dropFirst(L, s.given+firstInput-1)
	if !s.open(L) {
		L.Push(lua.LNil)
		return 1
	}
	v, why := s.ready(state, r)
	if v == nil {
		r.fell(s, why, false)
		L.Push(lua.LNil)
		return 1
	}
	if v.pace.resting() {
		r.rested(s)
		L.Push(lua.LNil)
		return 1
	}
	return s.kernel(L, state, r, v, s.begin())
}

// goOn is run for a call behind a row that was left to the interpreter: it takes the walk back and runs the kernel
// over the remaining rows.
func (s *site) goOn(L *lua.LState, state *sandbox.State, r *Runner, generator *lua.LFunction) int {
	rows, ok := s.resume(generator)
	if !ok {
		L.Push(lua.LTrue)
		L.Push(lua.LNil)
		for _, out := range s.links[0].outputs {
			L.Push(L.Get(firstInput + out.arg))
		}
		return 2 + len(s.links[0].outputs)
	}
	s.look(L, r, s.world())
	v, why := s.ready(state, r)
	if v == nil {
		r.fell(s, why, false)
		return s.push(L, nil, lua.LFalse, s.handOver(L, 0, false, false))
	}
	return s.kernel(L, state, r, v, rows)
}

// ready finds the kernel for the current values, and gives it its inputs. If there is none, it returns nil and the
// reason.
func (s *site) ready(state *sandbox.State, r *Runner) (v *variant, why refusal) {
	v = s.variant(state, r)
	switch {
	case v == nil:
		return nil, refusal{"its variables have held too many kinds of values", "let each variable of the loop hold values of one kind"}
	case v.kernel == nil:
		return nil, v.reason
	case !v.begin(s):
		return nil, v.left
	}
	return v, refusal{}
}

// kernel runs a kernel over the remaining rows of a walk, and pushes the results of RUN.
func (s *site) kernel(L *lua.LState, state *sandbox.State, r *Runner, v *variant, rows int) int {
	how := v.walk(s, rows, state.Budget())
	v.end(s)
	r.count(s, v, how)
	switch how {
	case kernel.Finished:
		v.pace.ends(v.kernel.Rows())
		return s.push(L, v, lua.LTrue, lua.LNil)
	case kernel.Returned:
		v.pace.ends(v.kernel.Rows())
		return s.pushReturn(L, v)
	case kernel.Bailout:
		once := v.pace.leaves(v.kernel.Rows(), v.elements())
		if state.Budget().Spent() == nil {
			r.fell(s, v.rest(s), true)
		}
		return s.push(L, v, lua.LFalse, s.handOver(L, v.kernel.Rows(), once, true))
	case kernel.Starved:
		return s.push(L, v, lua.LFalse, s.handOver(L, v.kernel.Rows(), false, true))
	}
	panic("loops: a walk ended in an unknown way")
}

// push pushes the results of RUN: done, rest, and the variables that the loop assigns. v is the variant whose
// kernel has run, nil if none has.
func (s *site) push(L *lua.LState, v *variant, done, rest lua.LValue) int {
	L.Push(done)
	L.Push(rest)
	n := 2
	for _, out := range s.outputs {
		x := s.args[out.arg]
		if v != nil && out.input >= 0 {
			x = v.output(out.input, x)
		}
		L.Push(x)
		n++
	}
	return n
}

// pushReturn pushes the results of RUN for a kernel that has come to a return statement, with the values of that.
func (s *site) pushReturn(L *lua.LState, v *variant) int {
	results := v.kernel.Results()
	n := s.push(L, v, surface.Number(results[0].N+1), lua.LNil)
	for _, arg := range v.p.Sites[int(results[0].N)] {
		x := lua.LValue(lua.LNil)
		if arg >= 0 {
			switch r := results[arg]; r.Type {
			case ir.Bool:
				x = lua.LBool(r.N != 0)
			case ir.Text:
				x = lua.LString(r.S)
			default:
				x = surface.Number(r.N)
			}
		}
		L.Push(x)
		n++
	}
	return n
}

// output returns the value of an assigned variable after the kernel has run. before is the value that it had.
func (v *variant) output(input int, before lua.LValue) lua.LValue {
	for _, out := range v.p.Outputs {
		if out.Input != input {
			continue
		}
		if out.Mark >= 0 && !v.kernel.Bool(out.Mark) {
			if out.Nil {
				return lua.LNil
			}
			return before
		}
		return v.register(out.Place)
	}
	return before
}

// variant finds or makes the kernel for the current values; nil if there are too many already. A new kernel is
// machine code if the Runner can make it, otherwise closures.
func (s *site) variant(state *sandbox.State, runner *Runner) *variant {
	context := s.context()
	for i := range s.variants {
		if v := &s.variants[i]; v.linked == s.linked && v.context == context && slices.Equal(v.kinds, s.kinds) {
			return v
		}
	}
	if len(s.variants) >= mostVariants {
		return nil
	}
	v := variant{linked: s.linked, context: context, kinds: slices.Clone(s.kinds), pace: pace{credit: firstCredit}}
	var p *ir.Program
	var reason *lower.Reason
	guess := runner.guessed(s, context)
	switch {
	case s.reason != nil:
		reason = s.reason
	case guess != nil:
		p = guess.Program
	default:
		shown := context
		shown.Tables = sample{s.values}
		p, reason = s.template.Lower(s.kinds, shown)
	}
	if reason == nil {
		v.p = p
		for _, e := range p.Effects {
			e.Place = runner.place(e.File, e.Line)
		}
		v.rows = make([]ecs.Row, len(p.Origins))
		for i, o := range p.Origins {
			if o.From == ir.FromResource {
				v.rows[i] = context.World.Resource(o.Resource)
			}
		}
		v.tables = make([]tableInput, len(p.Tables))
		v.writes = slices.ContainsFunc(p.Tables, func(t ir.Table) bool { return t.Stored }) ||
			slices.ContainsFunc(p.Keyed, func(t ir.Keyed) bool { return t.Stored }) ||
			slices.ContainsFunc(s.template.Inputs, func(in lower.Input) bool { return in.Assigned && in.Member != "" })
		v.newKeyed(p)
		if runner.Machine != nil && context.Query != nil && !context.Narrowed { // a call of machine code for one row costs more than it saves
			if guess != nil && guess.Make != nil {
				v.kernel = guess.Make()
			}
			if v.kernel == nil {
				v.kernel = runner.Machine(p, context.Query)
			}
		} else if runner.Machine != nil && context.Events != nil {
			v.kernel = runner.Machine(p, nil)
		}
		if v.kernel != nil {
			v.machine = true
			runner.machine++
			runner.watch(s, v.kernel, p)
		}
		if v.kernel == nil {
			v.kernel = closures.Compile(p, state.Budget())
		}
		if v.writer = newTableWriter(p); v.writer != nil {
			v.kernel.SetTableWriter(v.writer)
		}
		runner.made++
	}
	if reason != nil {
		v.reason = refusal{reason.Error(), reason.Advice}
	}
	s.variants = append(s.variants, v)
	return &s.variants[len(s.variants)-1]
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
