package ecs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Observers are functions that the world calls when an operation has happened, or is about to. This file declares
// them and keeps them in lists by what they observe. Operations report to the functions in observed.go;
// observercall.go makes the calls.

// An ObserverKind says which operations an observer is called for.
type ObserverKind uint8

// The kinds. Those with a component, tag or relation need its name. An inherited component counts for its base only.
const (
	// OnAdded: an entity has gained a component, also by being spawned.
	OnAdded ObserverKind = iota
	// OnRemoved: an entity is about to lose a component, also by being despawned.
	OnRemoved
	// OnSet: a value was written by [World.Set], [Component.Set], [Component.Modify], a [Ref] or a command. Once per
	// operation. Writes through pointers, slices and rows of columns are not reported.
	OnSet
	// OnTagged: an entity has got a tag that it did not have.
	OnTagged
	// OnUntagged: an entity is about to lose a tag, also by being despawned.
	OnUntagged
	// OnRelated: an entity has got a target that it did not have.
	OnRelated
	// OnUnrelated: a relation is about to end: by Unrelate, by another target, or with the source or the target.
	OnUnrelated
	// OnSpawned: an entity was made, with all its components, relations and tags.
	OnSpawned
	// OnDespawned: an entity is about to end.
	OnDespawned
)

var observerKindNames = [...]string{"added", "removed", "set", "tagged", "untagged", "related", "unrelated", "spawned", "despawned"}

// ObserverKinds lists the names of the kinds, in the order of the constants.
func ObserverKinds() []string { return observerKindNames[:] }

// ParseObserverKind returns the kind of that name, false for other names.
func ParseObserverKind(name string) (ObserverKind, bool) {
	i := slices.Index(observerKindNames[:], name)
	return ObserverKind(max(i, 0)), i >= 0
}

// String returns the name that scripts use.
func (k ObserverKind) String() string { return observerKindNames[k] }

// Subject returns what the name of an observer of the kind belongs to: "component", "tag" or "relation"; "" for
// kinds without a name.
func (k ObserverKind) Subject() string {
	switch k {
	case OnAdded, OnRemoved, OnSet:
		return "component"
	case OnTagged, OnUntagged:
		return "tag"
	case OnRelated, OnUnrelated:
		return "relation"
	case OnSpawned, OnDespawned:
		return ""
	default:
		panic(fmt.Sprintf("ecs: unknown observer kind %d", k))
	}
}

// before reports whether observers of the kind are called before the change.
func (k ObserverKind) before() bool {
	return k == OnRemoved || k == OnUntagged || k == OnUnrelated || k == OnDespawned
}

// A Change is what an observer is told. See the example of [Observer].
type Change struct {
	Entity Entity
	Target Entity  // of OnRelated and OnUnrelated
	System *System // whose turn or observer made the change; nil outside of turns
	Chain  int     // how many calls of observers have led to it, one after the other; 0 for a change that none of them made
	Place  uint16  // what [Commands.At] said of the queued command that is being applied; 0 if there is none
}

// An ObserverSpec describes an observer for [World.Observe].
type ObserverSpec struct {
	Kind ObserverKind
	Name string // of the component, tag or relation; "" for OnSpawned and OnDespawned
	// Of OnAdded and OnRemoved: the names of further components. Then the observer is told once: when an entity has got the last of them all, or is about to lose the first.
	With  []string
	Label string  // where it was declared, for messages; "" means the name of the system
	Owner *System // the system that it counts for; nil: the one that is running or declaring, or none
	Run   func(w *World, c Change) error
}

// An Observer is a function that a world calls for some operations. It is valid until [Observer.Stop], or until its
// system leaves the schedule.
//
// The world calls it right after an operation, or right before one that takes something away: see [World.Observe]
// and [Component.OnAdded]. It may write values, tags and events and queue commands; structure is locked in it.
// Writes through pointers and slices are not observed; conditions of a [Filter] on changes find them.
type Observer struct {
	spec    ObserverSpec
	world   *World
	place   int  // in the order of declaration; those of one place are in the order of calls of Observe
	order   int  // in the order of calls of Observe
	parts   mask // the components of a spec with With
	stopped bool
}

// Spec returns the description of the observer.
func (o *Observer) Spec() ObserverSpec { return o.spec }

// Observe declares an observer and returns it. Observers are called right after the operation, in the order of
// declaration; those of OnRemoved, OnUntagged, OnUnrelated and OnDespawned before it, while the values are still
// there. An operation on several entities reports them one after another. While queued commands are applied, each
// command reports by itself; a spawn together with the commands that [Commands.Join] has joined to it.
//
// The function may write values, tags and events, and queue commands; structure is locked while it runs. It runs
// within the turn that made the change: its writes have the stamp of that turn, and its commands go to the queue of
// that turn. Windows, event readers and random numbers are those of its owner. While the owner is disabled, the
// function is not called. What it does may call observers again, up to [MaxObserverDepth] deep.
//
// An error of the function goes to [Schedule.OnError] of its owner, as an [ObserverError]; commands that it has
// queued are dropped. The operation goes on. If OnError returns an error, or there is no owner, no observer is called
// any more until the turn is over, and the frame ends with that error.
//
// Copies of the world have no observers, and [World.Restore] calls none. Observers cost nothing in operations on
// components, tags and relations that none of them names, beyond a test.
//
// Errors: [ErrUnknown] for a name that is not declared as what the kind needs; a name for a kind without one, or none
// for a kind that needs one; With for a kind that has none, or a component in it twice; no function; a call inside of a turn (except the startup stage) or of another observer.
// Declare observers before frame 1, in [Schedule.Call], or between frames.
func (w *World) Observe(spec ObserverSpec) (*Observer, error) {
	w.mustBeAlone()
	bad := func(format string, args ...any) (*Observer, error) {
		return nil, fail("observe "+spec.Kind.String(), None, spec.Name, fmt.Errorf(format, args...))
	}
	if int(spec.Kind) >= len(observerKindNames) {
		return nil, fmt.Errorf("observe: unknown kind %d; there are %s", spec.Kind, strings.Join(observerKindNames[:], ", "))
	}
	switch o := w.observers; {
	case spec.Run == nil:
		return bad("there is no function")
	case o != nil && len(o.stack) > 0:
		return bad("an observer cannot declare observers")
	case w.system != nil && w.system.inTurn && w.system.spec.Stage != Startup:
		return bad("system %q is in its turn; declare observers in its init, or between frames", w.system.spec.Name)
	}
	if spec.Owner == nil {
		if spec.Owner = w.declaring; w.system != nil {
			spec.Owner = w.system
		}
	}
	if spec.Label == "" && spec.Owner != nil {
		spec.Label = spec.Owner.spec.Name
	}
	spec.With = slices.Clone(spec.With)
	parts, err := w.partsOf(spec)
	if err != nil {
		return nil, fail("observe "+spec.Kind.String(), None, spec.Name, err)
	}
	list, err := w.listFor(spec)
	if err != nil {
		return nil, fail("observe "+spec.Kind.String(), None, spec.Name, err)
	}
	o := w.observing()
	ob := &Observer{spec: spec, world: w, place: o.next, order: o.next, parts: parts}
	o.next++
	o.all = append(o.all, ob)
	if list == nil {
		list = o.listOf(ob)
	}
	*list = append(slices.Clip(*list), ob)
	o.recount()
	return ob, nil
}

// observing returns the observers of the world, and makes them if there are none. From then on each queued command is told by itself.
func (w *World) observing() *observers {
	if w.observers == nil {
		w.commands.writeOut()
		if w.system != nil {
			w.system.commands.writeOut()
		}
		w.observers = &observers{world: w}
	}
	return w.observers
}

// listFor returns the list for an observer of one component, tag or relation, nil for others. Error:
// ErrUnknown, or a name that belongs to something else.
func (w *World) listFor(spec ObserverSpec) (*[]*Observer, error) {
	subject := spec.Kind.Subject()
	switch {
	case subject == "" && spec.Name != "":
		return nil, fmt.Errorf("%q is about entities and takes no name", spec.Kind)
	case subject == "":
		return nil, nil
	case spec.Name == "":
		return nil, fmt.Errorf("%q needs the name of a %s", spec.Kind, subject)
	}
	var at **watch
	if id, ok := w.tagNames[spec.Name]; ok {
		if subject != "tag" {
			return nil, fmt.Errorf("%q is a tag; %q needs a %s: use %q or %q", spec.Name, spec.Kind, subject, OnTagged, OnUntagged)
		}
		at = &w.tags[id].watch
	} else if id, ok := w.componentNames[spec.Name]; ok {
		switch c := w.components[id]; {
		case c.relation != nil && subject != "relation":
			return nil, fmt.Errorf("%q is a relation; %q needs a %s: use %q or %q", spec.Name, spec.Kind, subject, OnRelated, OnUnrelated)
		case c.relation == nil && subject != "component":
			return nil, fmt.Errorf("%q is a component; %q needs a %s: use %q, %q or %q", spec.Name, spec.Kind, subject, OnAdded, OnRemoved, OnSet)
		default:
			at = &c.watch
		}
	} else {
		return nil, unknown(subject, spec.Name)
	}
	if len(spec.With) > 0 {
		return nil, nil
	}
	if *at == nil {
		*at = &watch{}
	}
	return (*at).list(spec.Kind), nil
}

// Stop ends the observer: it is not called any more.
func (o *Observer) Stop() {
	made(o.world != nil, "Observer", "World.Observe")
	if o.stopped {
		return
	}
	o.stopped = true
	w := o.world
	w.observers.all = without(w.observers.all, o)
	list, err := w.listFor(o.spec)
	switch {
	case err != nil:
		panic("ecs: a declared observer is unknown: " + err.Error())
	case list == nil:
		list = w.observers.listOf(o)
	}
	*list = without(*list, o)
	w.observers.recount()
}

// Replace gives the observer a place in the order of declaration: that of old, before all that were declared after
// it. Several that replace the same one keep their order among themselves. It is for observers that are declared anew
// when code is reloaded.
func (o *Observer) Replace(old *Observer) {
	given(old != nil, "Observer.Replace", "an observer")
	o.world.mustBe(old.world)
	o.place = old.place
}

// Compare returns a number below 0 if o comes before other in the order of declaration, one above 0 if it comes after.
func (o *Observer) Compare(other *Observer) int {
	given(other != nil, "Observer.Compare", "another observer")
	return cmp.Or(o.place-other.place, o.order-other.order)
}

// without returns a new list without o, nil if nothing is left.
func without(list []*Observer, o *Observer) []*Observer {
	if len(list) == 1 && list[0] == o {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(other *Observer) bool { return other == o })
}

// Observers returns the observers of the world in the order of declaration, in a new list.
func (w *World) Observers() []*Observer {
	if w.observers == nil {
		return nil
	}
	list := slices.Clone(w.observers.all)
	slices.SortStableFunc(list, (*Observer).Compare)
	return list
}

// ObserverVersion returns a number that changes whenever observers are declared or stopped; 0 if there never were any.
func (w *World) ObserverVersion() uint32 {
	if w.observers == nil {
		return 0
	}
	return w.observers.version
}

// Observed returns the first observer in the order of declaration that an operation of a kind on the component, tag or
// relation with this id would call, nil if there is none. The id is ignored for OnSpawned and OnDespawned. It panics
// for an id that the world has not declared.
func (w *World) Observed(kind ObserverKind, id uint32) *Observer {
	if w.observers == nil {
		return nil
	}
	var of *watch
	switch kind.Subject() {
	case "tag":
		of = w.tag(TagID(id)).watch
	case "":
		if kind == OnSpawned {
			return earliest(w.observers.onSpawn)
		}
		return earliest(w.observers.onDespawn)
	default:
		of = w.component(ComponentID(id)).watch
	}
	list := w.observers.sharing(kind, ComponentID(id))
	if of != nil {
		list = append(list, *of.list(kind)...)
	}
	return earliest(list)
}

// earliest returns the observer of a list that was declared first.
func earliest(list []*Observer) *Observer {
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, (*Observer).Compare)
}

// OnAdded declares an observer that is called when an entity has gained the component, with its value. The pointer
// is valid until the function returns; a write through it stamps nothing. See [World.Observe].
func (c Component[T]) OnAdded(run func(w *World, e Entity, v *T) error) (*Observer, error) {
	made(c.info != nil, "Component", "ecs.Register")
	return c.on(OnAdded, run)
}

// OnRemoved is [Component.OnAdded] for entities that are about to lose the component.
func (c Component[T]) OnRemoved(run func(w *World, e Entity, v *T) error) (*Observer, error) {
	made(c.info != nil, "Component", "ecs.Register")
	return c.on(OnRemoved, run)
}

// OnSet is [Component.OnAdded] for values that were written.
func (c Component[T]) OnSet(run func(w *World, e Entity, v *T) error) (*Observer, error) {
	made(c.info != nil, "Component", "ecs.Register")
	return c.on(OnSet, run)
}

func (c Component[T]) on(kind ObserverKind, run func(w *World, e Entity, v *T) error) (*Observer, error) {
	spec := ObserverSpec{Kind: kind, Name: c.info.name}
	if run != nil {
		spec.Run = func(w *World, ch Change) error { return run(w, ch.Entity, c.Get(ch.Entity)) }
	}
	return c.world.Observe(spec)
}

// Declaring calls fn; observers that fn declares belong to the system. It is for a [NativeFunc].
func (s *System) Declaring(fn func()) {
	made(s.schedule != nil, "System", "Schedule.AddSystem")
	given(fn != nil, "System.Declaring", "a function")
	w := s.commands.world
	before := w.declaring
	w.declaring = s
	defer func() { w.declaring = before }()
	fn()
}
