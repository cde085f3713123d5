package ecs

import (
	"fmt"
	"strings"
)

// This file calls observers. In come calls in their order (observed.go). Each runs with structure locked, as its
// owner, within the turn that made the change. What an observer does may wake others: directly, when it writes, or
// later, when its commands are applied. Both are bounded, and the error names the chain.

// maxObserverChain is how long a chain of observers may be in which each one's commands call the next.
const maxObserverChain = 256

// errObserving is ErrLocked inside of an observer.
var errObserving = error(observing{})

type observing struct{}

func (observing) Error() string {
	return "structure is locked while an observer runs; queue the change on Commands"
}
func (observing) Unwrap() error { return ErrLocked }

// lockedBy returns the error for a structural change while structure is locked: an ErrLocked that says by what.
func (w *World) lockedBy() error {
	switch {
	case w.Observing():
		return errObserving
	case w.system == nil && len(w.walks) > 0:
		return errLeft
	}
	return ErrLocked
}

// errLeft is ErrLocked outside of all turns, where nothing closes a loop that a panic has left.
var errLeft = fmt.Errorf("%w, or call World.EndWalks if a panic has left the loop", ErrLocked)

// Observing reports whether an observer is running.
func (w *World) Observing() bool { return w.observers != nil && len(w.observers.stack) > 0 }

// An ObserverError is the error of an observer. Its text ends with the change that called it.
type ObserverError struct {
	Observer *Observer
	Change   Change
	Err      error // the cause, never nil
}

func (e *ObserverError) Error() string {
	if e.Observer == nil {
		return fmt.Sprint("observer: ", e.Err)
	}
	return fmt.Sprintf("observer %s: %v (while %s)", e.Observer.name(), e.Err, e.Observer.Describe(e.Change))
}

// Unwrap returns the cause.
func (e *ObserverError) Unwrap() error { return e.Err }

// Describe says in words what the observer is told: "Health of 17v2 was set".
func (o *Observer) Describe(c Change) string {
	name := o.spec.Name
	if o.parts != nil {
		if name = o.spec.subject(); o.spec.Kind == OnAdded {
			return fmt.Sprintf("the last of %s was added to %s", name, c.Entity)
		}
		return fmt.Sprintf("the first of %s was removed from %s", name, c.Entity)
	}
	switch o.spec.Kind {
	case OnAdded:
		return fmt.Sprintf("%s was added to %s", name, c.Entity)
	case OnRemoved:
		return fmt.Sprintf("%s was removed from %s", name, c.Entity)
	case OnSet:
		return fmt.Sprintf("%s of %s was set", name, c.Entity)
	case OnTagged:
		return fmt.Sprintf("%s was tagged %q", c.Entity, name)
	case OnUntagged:
		return fmt.Sprintf("%s was untagged %q", c.Entity, name)
	case OnRelated:
		return fmt.Sprintf("%s of %s was set to %s", name, c.Entity, c.Target)
	case OnUnrelated:
		return fmt.Sprintf("%s of %s to %s was ended", name, c.Entity, c.Target)
	case OnSpawned:
		return fmt.Sprintf("%s was spawned", c.Entity)
	case OnDespawned:
		return fmt.Sprintf("%s was despawned", c.Entity)
	default:
		panic(fmt.Sprintf("ecs: unknown observer kind %d", o.spec.Kind))
	}
}

// name returns how messages name the observer: set Health (hud.lua:12).
func (o *Observer) name() string {
	text := o.spec.Kind.String()
	if o.spec.Name != "" {
		text += " " + o.spec.subject()
	}
	if o.spec.Label != "" {
		text += " (" + o.spec.Label + ")"
	}
	return text
}

// A called is an observer with what it is told.
type called struct {
	observer *Observer
	change   Change
}

// calling is what the world keeps while observers run.
type calling struct {
	stack   []activeCall
	made    uint64         // calls so far
	outer   int            // how many of the calls are those of the operation that is not an observer's
	groups  map[Entity]int // where the calls for each entity begin in these; nil until somebody asks
	marked  int            // how many commands of the queue belong to someone in its wakes
	cause   *observerRun   // of the command that is being applied; nil if no observer has queued it
	place   uint16         // of the command that is being applied
	apply   int            // number of queues that are being applied
	joined  bool           // the reports of a spawn wait for the commands that are joined to it
	joining bool           // the command that is being applied is one of these
	broken  bool           // a chain was too long: no observer is called until the operation is over
}

// An activeCall is an observer that is running.
type activeCall struct {
	observer *Observer
	run      *observerRun // nil until it is needed
}

// An observerRun is one call of an observer that has queued commands, for the chain of those that these call.
type observerRun struct {
	observer *Observer
	by       *observerRun
	depth    int
}

// A wake says which call of an observer has queued the commands from..to-1.
type wake struct {
	from, to int
	by       *observerRun
}

// callFrom makes the calls from index start on, and removes them.
func (o *observers) callFrom(start int) {
	defer o.calledFrom(start)
	chain := len(o.stack)
	if o.cause != nil {
		chain += o.cause.depth
	}
	for i := start; i < len(o.calls); i++ {
		c := &o.calls[i].change
		c.Place, c.System, c.Chain = o.place, o.world.system, chain
	}
	if start == 0 {
		o.outer = len(o.calls)
	}
	for i := start; i < len(o.calls); i++ {
		o.take(i)
	}
}

func (o *observers) calledFrom(start int) {
	clear(o.calls[start:])
	o.calls = o.calls[:start]
	if start == 0 {
		o.groups = nil
	}
	if len(o.stack) == 0 && o.apply == 0 {
		o.broken = false
	}
}

// take makes call i, unless it was made before its turn.
func (o *observers) take(i int) {
	c := o.calls[i]
	if c.observer == nil {
		return
	}
	o.calls[i].observer = nil
	if o.end.telling && c.observer.spec.Kind == OnUntagged {
		w := o.world
		o.end.told[lostTag{w.tags[w.tagNames[c.observer.spec.Name]], c.change.Entity}] = true
	}
	o.call(c)
}

// If an operation has more than manyCalls calls, catchUp finds those about an entity through a map; otherwise it looks at each call.
const manyCalls = 64

// catchUp makes the calls that still wait to tell that e has got a tag: it is about to lose it. Only the operation at
// the bottom of the stack can be about many entities, since structure is locked in observers.
func (o *observers) catchUp(s *tagSet, e Entity) {
	from := 0
	if o.outer > manyCalls {
		if o.groups == nil {
			o.groups = map[Entity]int{}
			for i := o.outer - 1; i >= 0; i-- {
				o.groups[o.calls[i].change.Entity] = i
			}
		}
		if at, ok := o.groups[e]; ok {
			for i := at; i < o.outer && o.calls[i].change.Entity == e; i++ {
				o.catchUpWith(i, s, e)
			}
		}
		from = o.outer
	}
	for i := from; i < len(o.calls); i++ {
		o.catchUpWith(i, s, e)
	}
}

func (o *observers) catchUpWith(i int, s *tagSet, e Entity) {
	if c := &o.calls[i]; c.observer != nil && c.change.Entity == e && c.observer.spec.Kind == OnTagged && c.observer.spec.Name == s.name {
		o.take(i)
	}
}

// call calls one observer, unless it has been stopped, is silent, or what it is told is not true any more.
func (o *observers) call(c called) {
	ob, w := c.observer, o.world
	owner := ob.spec.Owner
	switch {
	case ob.stopped || o.broken || o.muted() || owner != nil && owner.disabled:
		return
	case !w.Alive(c.change.Entity):
		return
	case ob.spec.Kind == OnUntagged && !w.tags[w.tagNames[ob.spec.Name]].has(c.change.Entity):
		return // another observer has removed the tag, and has been reported
	}
	if by := o.by(); len(o.stack) >= MaxObserverDepth || by != nil && by.depth >= maxObserverChain {
		o.refuse(c)
		return
	}
	if err := o.enter(c); err != nil {
		o.fail(c, err)
	}
}

// refuse ends a chain of observers that is too long with a call that is not made.
func (o *observers) refuse(c called) {
	o.broken = true
	o.fail(c, fmt.Errorf("%w: %s", ErrObserverChain, o.chain(c)))
}

// muted reports whether a fault has silenced all observers.
func (o *observers) muted() bool { return o.world.fault != nil }

// enter runs the function of an observer as its owner.
func (o *observers) enter(c called) (err error) {
	w, owner := o.world, c.observer.spec.Owner
	system, queue, hold := w.system, w.queue, w.hold
	if queue == nil {
		queue = w.Commands()
	}
	o.attribute(queue)
	first := len(queue.ops)
	o.stack = append(o.stack, activeCall{observer: c.observer})
	o.made++
	w.locks++
	w.queue = queue
	if owner != nil {
		o.inside(owner, true)
	}
	place := queue.place
	defer func() {
		if owner != nil {
			o.inside(owner, false)
		}
		w.system = system
		if len(queue.ops) > first && err != nil {
			queue.cut(first)
		}
		o.attribute(queue)
		queue.place = place
		o.stack[len(o.stack)-1] = activeCall{}
		o.stack = o.stack[:len(o.stack)-1]
		w.queue = nil
		if len(o.stack) > 0 {
			w.queue = queue
		}
		w.unlock(hold)
	}()
	return c.observer.spec.Run(w, c.change)
}

// attribute notes who has queued the commands since the last call: the observer that is running.
func (o *observers) attribute(queue *Commands) {
	if o.marked > len(queue.ops) || len(o.stack) == 0 {
		o.marked = len(queue.ops)
		return
	}
	if len(queue.ops) > o.marked {
		queue.wakes = append(queue.wakes, wake{o.marked, len(queue.ops), o.run(len(o.stack) - 1)})
	}
	o.marked = len(queue.ops)
}

// run returns the record of a running call.
func (o *observers) run(i int) *observerRun {
	a := &o.stack[i]
	if a.run == nil {
		by := o.cause
		if i > 0 {
			by = o.run(i - 1)
		}
		a.run = &observerRun{observer: a.observer, by: by, depth: 1}
		if by != nil {
			a.run.depth = by.depth + 1
		}
	}
	return a.run
}

// by returns the record of what would call an observer now; nil if it is no observer.
func (o *observers) by() *observerRun {
	if len(o.stack) > 0 {
		return nil // bounded by the depth
	}
	return o.cause
}

// chain names the observers that have led to a call, the first one first. It leaves out the middle of a long chain.
func (o *observers) chain(c called) string {
	names := []string{c.observer.name()}
	by := o.cause
	if n := len(o.stack); n > 0 {
		by = o.run(n - 1)
	}
	for ; by != nil; by = by.by {
		names = append(names, by.observer.name())
	}
	const shown = 4
	var b strings.Builder
	for i := len(names) - 1; i >= 0; i-- {
		if n := len(names) - 2*shown; n > 1 && i < len(names)-shown && i >= shown {
			if i == shown {
				fmt.Fprintf(&b, " -> … %d more …", n)
			}
			continue
		}
		if i < len(names)-1 {
			b.WriteString(" -> ")
		}
		b.WriteString(names[i])
	}
	return b.String()
}

// fail passes on the error of an observer: to the schedule of its owner, or, without one, to whoever runs the frame.
func (o *observers) fail(c called, err error) {
	err = &ObserverError{Observer: c.observer, Change: c.change, Err: err}
	if owner := c.observer.spec.Owner; owner != nil && owner.schedule != nil {
		err = owner.schedule.forgive(owner, err)
	}
	if err != nil && o.world.fault == nil {
		o.world.fault = err
	}
}

// TakeFault returns the error of an observer that is to end the frame, nil if there is none, and forgets it. A
// [Schedule] does that after each turn and when a frame begins. While there is such an error, no observer is called.
func (w *World) TakeFault() error {
	err := w.fault
	w.fault = nil
	return err
}

// Mute calls fn. Meanwhile no observer is called.
func (w *World) Mute(fn func()) {
	given(fn != nil, "World.Mute", "a function")
	if w.observers == nil {
		fn()
		return
	}
	o := w.observers
	o.held++
	start := len(o.facts)
	defer func() {
		clear(o.facts[start:])
		o.facts = o.facts[:start]
		if o.held--; o.held == 0 {
			o.arrive()
		}
	}()
	fn()
}
