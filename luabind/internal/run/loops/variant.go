package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// The kernels of a site: one for each template, world and kinds of values with which its loop begins. They are made here, from a
// lowered Program, as machine code or as closures, and found again when the loop begins alike.

// A variant is the kernel of a site for one template, context and kinds of inputs. If there can be no kernel for
// these, it has the reason.
type variant struct {
	linked   *linked
	context  lower.Context
	kinds    []lower.Kind
	kernel   kernel.Kernel
	machine  bool   // the kernel is machine code
	shares   sharer // the machine code; nil if its rows never run on several cores
	waiting  bool   // the kernel is closures until it has spent enough fuel: see sparing.go
	spent    int64
	p        *ir.Program
	rows     []ecs.Row // for each input that is a resource: its row
	tables   []tableInput
	used     []bool // for each input: see usedTables
	keyed    []keyedInput
	long     int          // the input, plus 1, that is a list too long to be copied, and is looked up key by key; 0 if none is
	owners   *owners      // the tables that were found in keyed
	writer   *tableWriter // nil if no effect stores in a Lua table
	writes   bool         // the Program stores in tables
	reason   refusal      // why there is no kernel
	because  *Reason      // the same with its line; nil if there is a kernel
	empty    []int        // the lists among the tables that had no element when the variant was made
	left     refusal      // why the kernel was not used the last time
	departed refusal      // the result of departures
	lefts    []left       // where its kernel has left rows
	fallen   []int        // indexes in Runner.Falls: why its kernel has left rows
	holed    int          // after begin has failed: the input that is a list with holes; -1 if it was something else
	pace     pace
	steady   bool                     // the result of beginsAlike
	seen     map[*lua.LTable]struct{} // memory for apart

	observers uint32      // the version of the observers for which watched was found
	watched   refusal     // the result of observed
	whole     *ir.Program // p as it is without observers: p leaves rows that write what somebody observes
	found     []refusal   // what of it was observed when the variant was made: see observedIn
	always    *Reason     // why each row writes what somebody observed when the variant was made; nil if it does not. Its line is 0 if that is not known
	outdated  bool        // it would be lowered in another way for the observers of now
}

// mostVariants is the largest number of kernels of one site. For further kinds of values the loop is interpreted.
const mostVariants = 32

// variant finds or makes the kernel for the current values; nil if there are too many already. A new kernel is
// machine code if the Runner can make it, otherwise closures.
func (s *site) variant(state *sandbox.State, runner *Runner) *variant {
	context := s.context()
	context.Unfiltered = runner.Library.off.Has(without.NearFilter)
	if s.same && s.latest < len(s.variants) {
		if v := &s.variants[s.latest]; v.linked == s.linked && v.context == context && v.current(context.World, s.variants) {
			return v
		}
	}
	found := -1
	for i := range s.variants {
		v := &s.variants[i]
		if v.linked == s.linked && v.context == context && slices.Equal(v.kinds, s.kinds) && v.current(context.World, s.variants) && (found < 0 || !v.outdated) {
			if found = i; !v.outdated {
				break
			}
		}
	}
	if found >= 0 {
		s.latest = found
		return &s.variants[found]
	}
	s.latest = len(s.variants) // none
	if len(s.variants) >= mostVariants {
		return nil
	}
	v := variant{linked: s.linked, context: context, kinds: slices.Clone(s.kinds), pace: pace{credit: firstCredit}}
	var p *ir.Program
	var reason *lower.Reason
	guess := runner.guessed(s, context)
	shown := context
	shown.Tables = sample{s.values}
	switch {
	case s.reason != nil:
		reason = s.reason
	case guess != nil:
		p = guess.Program
	default:
		p, reason = s.template.Lower(s.kinds, shown)
	}
	if reason == nil {
		again := func(c lower.Context) (*ir.Program, *Reason) { return s.template.Lower(s.kinds, c) }
		v.whole, v.found = p, observedIn(p, context.World, ObservedBy(context.World))
		if p, v.always = unobserved(p, ObservedBy(context.World), shown, again); p != v.whole {
			guess = nil
		}
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
		v.tables, v.used = make([]tableInput, len(p.Tables)), usedTables(p, s.linked, v.kinds)
		v.writes = slices.ContainsFunc(p.Tables, func(t ir.Table) bool { return t.Stored }) ||
			slices.ContainsFunc(p.Keyed, func(t ir.Keyed) bool { return t.Stored }) ||
			slices.ContainsFunc(s.template.Inputs, func(in lower.Input) bool { return in.Assigned && in.Member != "" })
		v.seen = map[*lua.LTable]struct{}{}
		v.newKeyed(p, state.Budget())
		if v.waiting = runner.Machine != nil && runner.waits(context.World) && !runner.Library.off.Has(without.Closures) && (runner.Partial == nil || !runner.Partial(p)); !v.waiting {
			v.kernel = v.machineKernel(runner, p, guess)
		}
		if v.kernel != nil {
			v.machine = true
			v.shares, _ = v.kernel.(sharer)
			runner.machine++
			runner.watch(s, v.kernel, p)
		}
		switch {
		case v.kernel != nil:
		case runner.Library.off.Has(without.Closures):
			v.p, reason = nil, &lower.Reason{Line: s.template.Line, Text: "loops do not become closures here"}
		default:
			v.kernel = closures.Compile(p, state.Budget())
		}
	}
	if reason == nil {
		v.setPrinter(s)
		if v.writer = newTableWriter(p, state.Budget()); v.writer != nil {
			v.kernel.SetTableWriter(v.writer)
		}
		runner.made++
		v.empty, v.steady = s.emptyTables(&v), v.beginsAlike()
	}
	if reason != nil {
		v.reason, v.because = refusal{reason.Error(), reason.Advice}, reason
	}
	s.variants, s.latest = append(s.variants, v), len(s.variants)
	return &s.variants[s.latest]
}
