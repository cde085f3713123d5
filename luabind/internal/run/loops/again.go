package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// The fast path of RUN: an inline cache for loops that begin as they began the last time. In most turns of a system, RUN gets
// the arguments of the turn before, but for numbers. Then what run would find out is known: what is walked, the template,
// the kernel. settle fills the cache after a walk; again compares the arguments with it, and runs the kernel.
//
// The cache is for loops over entities whose kernel needs only numbers, booleans, strings and resources, with variables that
// no other code can change between the comparison and the kernel. Functions that the kernel has inlined, such as those of a
// required file, are looked up and compared each time. All other loops go through run.

// A steady is the cache of a site: how its loop has begun, if it can begin like that again.
type steady struct {
	ready   bool         // the other fields are set
	variant int          // its index
	args    []lua.LValue // of RUN, from the generator on; nil stands for any number
	inputs  []steadyInput
	sealing kernel.Sealing // the kernel, if it is one
	outputs bool           // there is something to do when the kernel has run
}

// A steadyInput is an input of the kernel that is used.
type steadyInput struct {
	ir.Place
	from     ir.Provenance
	arg      int // FromVariable: index of the argument in steady.args
	resource int // FromResource: index in variant.rows
	state    ecs.StateID
}

// settle notes how a loop has begun, after its kernel has run to the end of the walk. args are the arguments of RUN.
func (s *site) settle(args []interp.Value) {
	v := &s.variants[s.latest]
	if s.over != "" || !v.steady || v.linked != s.linked || !s.walk.Steady(s.head) {
		return
	}
	q := &s.steady
	q.args = q.args[:0]
	for i := generatorAt; i < len(args); i++ {
		if at := i - firstInput; at >= 0 && at < s.given && !s.lasting(s.args[at]) && !v.linked.holdsCalls(at) {
			return
		}
		q.args = append(q.args, args[i].Ref)
	}
	q.inputs = q.inputs[:0]
	for i, place := range v.p.Inputs {
		if !place.Used {
			continue
		}
		in := steadyInput{Place: place, from: v.p.Origins[i].From, resource: i, state: v.p.Origins[i].State}
		if in.from == ir.FromVariable {
			in.arg = s.sources[v.p.Origins[i].Input].arg + firstInput - generatorAt
		}
		q.inputs = append(q.inputs, in)
	}
	q.sealing, _ = v.kernel.(kernel.Sealing)
	q.outputs = len(v.p.Outputs) > 0 || len(s.outputs) > 0
	q.variant, q.ready = s.latest, true
}

// lasting reports whether a value has the same kind whenever it is an argument again.
func (s *site) lasting(v lua.LValue) bool {
	switch v := v.(type) {
	case lua.LNumber, lua.LBool, lua.LString, *lua.LNilType:
		return true
	case *lua.LUserData:
		w := s.world()
		return v == w.Value() || v == w.Resources() || v == w.Commands()
	}
	return false
}

// holdsCalls reports whether a variable, by its argument, has called functions as members. callsHold compares those.
func (k *linked) holdsCalls(arg int) bool {
	return slices.ContainsFunc(k.calls, func(c linkedCall) bool { return c.arg == arg })
}

// calledThere reports whether a member of a variable, by its argument, is a called function.
func (k *linked) calledThere(arg int, member string) bool {
	return slices.ContainsFunc(k.calls, func(c linkedCall) bool { return c.arg == arg && c.member == member })
}

// beginsAlike reports whether the kernel of a variant needs nothing but what a steadyInput can be, and whether its
// template is right for all values of the same kinds.
func (v *variant) beginsAlike() bool {
	k, p := v.linked, v.p
	if k.asks || k.tables != nil || len(k.constants)+len(k.open)+len(k.classes) > 0 {
		return false
	}
	if v.writer != nil || len(p.Tables)+len(p.Layers)+len(p.Keyed)+len(p.Sinks) > 0 {
		return false
	}
	for i := range k.calls {
		if c := &k.calls[i]; c.entry != nil || c.cell != nil || c.env != nil || c.table != nil || c.arg < 0 {
			return false
		}
	}
	for i, from := range k.sources {
		if from.cell != nil || from.env != nil || from.table != nil || from.arg < 0 {
			return false
		}
		if member := k.template.Inputs[i].Member; member != "" && !k.calledThere(from.arg, member) {
			return false
		}
	}
	for i, place := range p.Inputs {
		if !place.Used {
			continue
		}
		switch o := p.Origins[i]; o.From {
		case ir.FromDT, ir.FromTime, ir.FromFrame, ir.FromResource, ir.FromState:
		case ir.FromVariable:
			if place.Type == ir.Any {
				return false
			}
			switch v.kinds[o.Input].InputKind {
			case lower.NumberInput, lower.BoolInput, lower.TextInput:
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// again runs the loop if it begins as it has begun the last time. Otherwise it returns false, and has done nothing.
func (s *site) again(L *lua.LState, state *sandbox.State, r *Runner, args []interp.Value) bool {
	if r.Library.off.Has(without.Again) {
		return false
	}
	q := &s.steady
	given := args[generatorAt:]
	if len(given) != len(q.args) {
		return false
	}
	for i := range given {
		if !given[i].Is(&q.args[i]) {
			return false
		}
	}
	v := &s.variants[q.variant]
	if !v.fits(L, state) || state.Budget().Interprets() || !r.Library.original(v.p.Methods) {
		return false
	}
	if len(v.linked.calls) > 0 && !v.linked.callsHold(q.args[firstInput-generatorAt:][:s.given]) {
		return false
	}
	if v.waiting && v.hurries(r) || v.pace.mayRest() || v.watched.text != "" || v.observers != v.context.World.ObserverVersion() || !s.walk.Again(given[len(given)-1].Ref) {
		return false
	}
	for i := range q.inputs {
		if in := &q.inputs[i]; !v.setAgain(in, given) {
			return false
		}
	}
	if s.left.text != "" || s.why.text != "" {
		s.left, s.why = refusal{}, refusal{}
	}
	if r.begun == nil || r.begun[s.number] != s {
		r.begins(s)
	}
	rows := s.walk.Begin()
	if q.sealing != nil && s.last && state.Closing(L) {
		q.sealing.NothingFollows()
	}
	before := state.Budget().Used()
	how := v.walk(s, rows, state.Budget())
	v.spent += state.Budget().Used() - before
	if how != kernel.Finished || q.outputs {
		s.take(args)
		s.lookAt(r)
		s.ended(L, state, r, v, how, rows)
		s.end()
		return true
	}
	done := v.kernel.Rows()
	r.counted(s, v, done)
	v.pace.ends(done)
	s.raiseUnprinted(L)
	s.out = append(s.out[:0], interp.True, interp.Nil)
	return true
}

// setAgain sets an input of the kernel. It returns false if the kernel is not for the value.
func (v *variant) setAgain(in *steadyInput, given []interp.Value) bool {
	world := v.context.World
	switch in.from {
	case ir.FromVariable:
		switch x := &given[in.arg]; ref := x.Ref.(type) {
		case nil:
			v.kernel.SetNumber(in.Reg, x.Num)
		case lua.LBool:
			v.kernel.SetBool(in.Reg, bool(ref))
		case lua.LString:
			v.kernel.SetText(in.Reg, string(ref))
		}
	case ir.FromDT:
		v.kernel.SetNumber(in.Reg, world.DT())
	case ir.FromTime:
		v.kernel.SetNumber(in.Reg, world.Time())
	case ir.FromFrame:
		v.kernel.SetNumber(in.Reg, float64(world.Frame()))
	case ir.FromState:
		v.kernel.SetText(in.Reg, world.State(in.state))
	case ir.FromResource:
		return v.setRow(in.Place, v.rows[in.resource])
	default:
		panic("loops: an input that beginsAlike refuses")
	}
	return true
}
