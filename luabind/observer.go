package luabind

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
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
	spec    ecs.ObserverSpec
	at      sandbox.Pos   // of the call of world:on
	in      *ecs.Observer // nil until it is declared in the world
}

// errNotInInit: observers are declared in init only, so that a reload can declare them anew.
var errNotInInit = errors.New("world:on outside of init; observers are declared in the init of a system, once")

// Observe declares an observer of the running system.
func (h host) Observe(_ *surface.World, spec ecs.ObserverSpec, fn *lua.LFunction, at sandbox.Pos) error {
	r := h.Runtime
	if r.starting == nil || r.starting != r.running || r.world.Observing() {
		return errNotInInit
	}
	o := &observer{runtime: r, sys: r.starting, fn: fn, at: at, spec: spec}
	o.spec.Label, o.spec.Owner, o.spec.Run = at.String(), o.sys.entry, o.run
	if r.declares {
		r.declared = append(r.declared, o)
		return nil
	}
	return o.declare()
}

// declare declares the observer in the world.
func (o *observer) declare() (err error) {
	o.in, err = o.runtime.world.Observe(o.spec)
	if err == nil {
		o.runtime.observers = append(o.runtime.observers, o)
	}
	return err
}

// run calls the function for a change. Every error is a *ScriptError that says what has called it.
func (o *observer) run(_ *ecs.World, c ecs.Change) (err error) {
	r := o.runtime
	because := o.because(c)
	outer := r.running
	r.running = o.sys
	r.state.Plain(o.sys.Impl == Lua)
	defer func() {
		if r.running = outer; outer != nil {
			r.state.Plain(outer.Impl == Lua)
		}
	}()
	if r.calls == 0 { // no Lua is running
		err = r.guarded(func() error { return o.call(c, because) })
		r.bound.EndTurn()
		if err != nil {
			err = o.failed(err, because)
		}
		return err
	}
	given := int64(min(r.options.Limits.Instructions, 1<<62))
	a := &o.sys.observing
	if turn := r.state.Budget().Turn(); a.turn != turn {
		*a = allowance{turn: turn, left: given}
	}
	a.left = min(given, a.left+sandbox.RowInstructions) // as a row of a loop: a large world ends no observer
	a.left -= r.state.Aside(a.left, given, func() { err = o.call(c, because) })
	return err
}

// An allowance says how many instructions the observers of a system may still use within a turn of any system.
type allowance struct {
	turn uint64
	left int64
}

// call calls the function under the budget that is in force.
func (o *observer) call(c ecs.Change, because string) error {
	r := o.runtime
	args := r.bound.ObserverArgs(&o.spec, c)
	open := r.bound.Aside()
	defer r.bound.Back(open)
	err := r.state.Call(o.fn, args...)
	if err == nil {
		err = r.state.SpentAfter(o.fn)
	}
	if err != nil {
		return o.failed(err, because)
	}
	return nil
}

// failed makes the error of the observer.
func (o *observer) failed(err error, because string) error {
	if already := (*ScriptError)(nil); errors.As(err, &already) {
		return already
	}
	se := o.runtime.scriptError(o.sys.Name, err)
	se.because(because)
	return se
}

// because adds to the message what an observer was called for.
func (e *ScriptError) because(text string) {
	e.Message += " (" + text + ")"
	if c, ok := e.Err.(*caused); ok {
		c.text = e.Message
	}
}

// because says what the observer is told, and which line or system has done it: "while Health of 17v2 was set by
// combat.lua:12".
func (o *observer) because(c ecs.Change) string {
	r := o.runtime
	text := "while " + o.in.Describe(c)
	if pos := r.surface.PosOf(c.Place); pos.Line > 0 {
		return text + " by " + pos.String()
	}
	if pos := r.state.Where(); pos.Line > 0 {
		return text + " by " + pos.String()
	}
	if c.System != nil {
		return fmt.Sprintf("%s by system %q", text, c.System.Name())
	}
	return text
}

// observerError makes a *ScriptError of an error that the world has found when it called an observer: a chain without
// an end. It is nil for any other error.
func (r *Runtime) observerError(system string, err error) *ScriptError {
	var of *ecs.ObserverError
	if !errors.As(err, &of) {
		return nil
	}
	for _, o := range r.observers {
		if o.in == of.Observer {
			out := &ScriptError{System: system, Frame: r.world.Frame(), Message: of.Err.Error(), File: o.at.File, Line: o.at.Line}
			out.Excerpt = r.scripts.Excerpt(o.at.File, o.at.Line)
			out.Err = &caused{out.Message, []error{err}}
			out.because(o.because(of.Change))
			return out
		}
	}
	return nil
}

// stopObservers ends the observers of the systems for which gone is true, and returns them.
func (r *Runtime) stopObservers(gone func(sys *ecs.System) bool) (stopped []*observer) {
	kept := r.observers[:0:0]
	for _, o := range r.observers {
		if gone(o.spec.Owner) {
			o.in.Stop()
			stopped = append(stopped, o)
		} else {
			kept = append(kept, o)
		}
	}
	r.observers = kept
	return stopped
}

// observedBy says who observes an operation: an observer of the world, or one that a loaded file declares, as far as
// its source shows.
func (r *Runtime) observedBy() loops.Observed {
	declared := loops.ObservedBy(r.world)
	return func(kind ecs.ObserverKind, id uint32) (string, bool) {
		if who, ok := declared(kind, id); ok {
			return who, true
		}
		name := ""
		if kind.Subject() == "tag" {
			name = r.world.TagName(ecs.TagID(id))
		} else {
			name = r.world.ComponentNames()[id]
		}
		for _, file := range r.scripts.Paths() {
			for _, o := range r.scripts.Lookup(file).Observes.List {
				if o.Kind == kind && o.Name == name {
					return fmt.Sprintf("%s:%d", file, o.Line), true
				}
			}
		}
		return "", false
	}
}

// maybeObserved reports whether a loaded file may observe what a loop writes, because it computes a name.
func (r *Runtime) maybeObserved(p *ir.Program) bool {
	set, removed := p.Tags()
	if len(p.Writes())+len(set)+len(removed) == 0 {
		return false
	}
	for _, file := range r.scripts.Paths() {
		if r.scripts.Lookup(file).Observes.Unknown {
			return true
		}
	}
	return false
}
