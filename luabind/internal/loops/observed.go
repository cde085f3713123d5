package loops

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
)

// Loops whose writes somebody observes. An observer is called right after each write, and may run any code; a kernel
// writes many rows at once, and may undo a row. So the interpreter runs such a loop. Observers may be declared at any
// time: the loop looks for them when it begins, and again when they have changed.

// adviceObserved is the advice for a loop that writes what somebody observes.
const adviceObserved lower.Advice = "queue the write with world.commands, or find the writes by changed = { … } in a query instead of observing them"

// An Observed says who observes an operation on a component or tag: where the observer was declared. ok is false if
// nobody does.
type Observed func(kind ecs.ObserverKind, id uint32) (who string, ok bool)

// ObservedBy returns the Observed of a world.
func ObservedBy(w *ecs.World) Observed {
	return func(kind ecs.ObserverKind, id uint32) (string, bool) {
		o := w.Observed(kind, id)
		if o == nil {
			return "", false
		}
		return o.Spec().Label, true
	}
}

// WhyObserved returns why the interpreter has to run a loop that becomes this Program, because of observers; nil if
// it need not. It is the reason for the line of the loop.
func WhyObserved(p *ir.Program, w *ecs.World, by Observed, line int) *Reason {
	reason := func(does, name, who string) *Reason {
		if who != "" {
			who = " at " + who
		}
		return &Reason{Line: line, Text: fmt.Sprintf("it %s %q, which the observer%s watches", does, name, who), Advice: adviceObserved}
	}
	for _, id := range p.Writes() {
		if who, ok := by(ecs.OnSet, uint32(id)); ok {
			return reason("writes", w.ComponentNames()[id], who)
		}
	}
	set, removed := p.Tags()
	for _, id := range set {
		if who, ok := by(ecs.OnTagged, uint32(id)); ok {
			return reason("sets the tag", w.TagName(id), who)
		}
	}
	for _, id := range removed {
		if who, ok := by(ecs.OnUntagged, uint32(id)); ok {
			return reason("removes the tag", w.TagName(id), who)
		}
	}
	for _, e := range p.Effects {
		if e.Now {
			if who, ok := anyStructural(w, by); ok {
				if who != "" {
					who = " at " + who
				}
				return &Reason{Line: line, Text: fmt.Sprintf("it changes the structure of the world at once, which the observer%s watches", who), Advice: adviceObserved}
			}
		}
	}
	return nil
}

// anyStructural returns an observer of what a change of structure may report: of spawn, despawn, add, remove, relate, unrelate or set.
func anyStructural(w *ecs.World, by Observed) (who string, ok bool) {
	for _, kind := range []ecs.ObserverKind{ecs.OnSpawned, ecs.OnDespawned} {
		if who, ok = by(kind, 0); ok {
			return who, ok
		}
	}
	for id := range w.ComponentNames() {
		for _, kind := range []ecs.ObserverKind{ecs.OnAdded, ecs.OnRemoved, ecs.OnRelated, ecs.OnUnrelated} {
			if who, ok = by(kind, uint32(id)); ok {
				return who, ok
			}
		}
	}
	for id := range w.TagNames() {
		for _, kind := range []ecs.ObserverKind{ecs.OnTagged, ecs.OnUntagged} {
			if who, ok = by(kind, uint32(id)); ok {
				return who, ok
			}
		}
	}
	return "", false
}

// observed returns why the kernel must not run now, because of observers; the zero refusal if it may. It costs one
// comparison while the observers stay the same.
func (v *variant) observed(w *ecs.World) refusal {
	if now := w.ObserverVersion(); now != v.observers {
		v.observers, v.watched = now, refusal{}
		if why := WhyObserved(v.p, w, ObservedBy(w), 0); why != nil {
			v.watched = refusal{why.Text, why.Advice}
		}
	}
	return v.watched
}
