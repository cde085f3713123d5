package luabind

import (
	"errors"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Observers of scripts. Package surface checks the arguments of world:on and gives them to the host (host.go), which
// declares the observer in the world. The world calls run in the middle of a turn of any system, in Lua or in Go, or
// between frames. The function then runs as its own system: with the random stream, the implementation, the budget
// and the errors of that.

// An observer is a function that a script has given to world:on.
type observer struct {
	runtime *Runtime
	sys     *system
	fn      *lua.LFunction
	what    ecs.ObserverSpec
	at      sandbox.Pos   // of the call of world:on
	in      *ecs.Observer // nil until it is declared in the world
}

// errNotInInit: observers are declared in init only, so that a reload can declare them anew.
var errNotInInit = errors.New(surface.OutsideInit + "; observers are declared in the init of a system, once")

// Observe declares an observer of the running system.
func (h host) Observe(_ *surface.World, spec ecs.ObserverSpec, fn *lua.LFunction, at sandbox.Pos) error {
	r := h.Runtime
	if r.inInit == nil || r.inInit != r.running || r.world.Observing() {
		return errNotInInit
	}
	o := &observer{runtime: r, sys: r.inInit, fn: fn, at: at, what: spec}
	o.what.Label, o.what.Owner, o.what.Run = at.String(), o.sys.entry, o.told
	if r.rehearsal != nil {
		r.declared = append(r.declared, o)
		return nil
	}
	return o.declare()
}

// declare declares the observer in the world.
func (o *observer) declare() (err error) {
	o.in, err = o.runtime.world.Observe(o.what)
	if err == nil {
		o.runtime.observers = append(o.runtime.observers, o)
	}
	return err
}

// told calls the function for a change. Every error is a *ScriptError that says what has called it.
func (o *observer) told(_ *ecs.World, c ecs.Change) (err error) {
	r := o.runtime
	if r.calls == 0 {
		r.dropDisabled()
		if c.System == nil && c.Chain == 0 {
			r.turns++ // what the host does counts as a turn
		}
	}
	because := o.wokenBy(c)
	outer := r.running
	r.running = o.sys
	r.state.Plain(o.sys.Impl == Lua)
	defer func() {
		if r.running = outer; outer != nil {
			r.state.Plain(outer.Impl == Lua)
		}
	}()
	if r.calls == 0 { // no Lua is running
		err = r.guarded(func() error { return o.aside(c, because) })
		r.bound.EndTurn()
		if err != nil {
			err = o.fails(err, because)
		}
		return err
	}
	return o.aside(c, because)
}

// callPrice is what each call of an observer costs, in instructions.
const callPrice = 200

// An allowance says what the observers of a system may still use within a turn of any system. If they pass it, they are silent until that
// turn is over.
type allowance struct {
	sandbox.Allowance
	turn uint64 // of Runtime.turns
}

// aside calls the function within a call into Lua. What the turn has done, and the commands that this has led to at once,
// add to what may be used, as rows of a loop do, so that a large world ends no turn. What observers lead to from there on adds
// nothing, so a chain that grows without an end is ended.
func (o *observer) aside(c ecs.Change, because string) (err error) {
	r, a := o.runtime, &o.sys.observing
	r.asides++
	defer func() { r.asides-- }()
	b := r.state.Budget()
	if a.turn != r.turns {
		*a = allowance{b.Allow(), r.turns}
	}
	if c.Chain <= 1 {
		a.Raise(r.applying)
		if r.asides == 1 && (r.applying || r.bound.RaisesCause()) {
			b.Raise(r.applying)
		}
	}
	if a.Passed() || b.Spent() != nil {
		return nil
	}
	r.state.Aside(&a.Allowance, callPrice, func() { err = o.invoke(c, because) })
	return err
}

// invoke calls the function under the budget that is in force.
func (o *observer) invoke(c ecs.Change, because string) error {
	r := o.runtime
	args := r.bound.ObserverArgs(&o.what, c)
	open := r.bound.Aside()
	defer r.bound.Back(open)
	err := r.state.Call(o.fn, args...)
	if err == nil {
		err = r.state.SpentAfter(o.fn)
	}
	if err != nil {
		return o.fails(err, because)
	}
	return nil
}

func (o *observer) fails(err error, because string) error {
	if already := (*ScriptError)(nil); errors.As(err, &already) {
		return already
	}
	se := o.runtime.scriptError(o.sys.Name, err)
	se.during(because)
	return se
}

// inOrder returns the observers in the order of declaration, in a new list.
func (r *Runtime) inOrder() []*observer {
	list := slices.Clone(r.observers)
	slices.SortFunc(list, func(a, b *observer) int { return a.in.Compare(b.in) })
	return list
}
