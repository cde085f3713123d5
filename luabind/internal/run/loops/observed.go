package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
)

// Loops whose writes somebody observes. An observer is called right after each write, and may run any code; a kernel
// writes many rows at once, and may undo a row. So the interpreter runs the rows that write: the loop is lowered again, for a
// Program that leaves them. If each row writes, the interpreter runs the whole loop. Observers may be declared at any time: the
// loop looks for them when it begins, and again when they have changed.

// An Observed says who observes an operation on a component or tag: where the observer was declared. ok is false if
// nobody does.
type Observed func(kind ecs.ObserverKind, id uint32) (who string, ok bool)

// Observed implements [lower.Observers].
func (by Observed) Observed(kind ecs.ObserverKind, id uint32) (who string, ok bool) {
	return by(kind, id)
}

// ObservedBy returns the Observed of a world.
func ObservedBy(w *ecs.World) Observed {
	return func(kind ecs.ObserverKind, id uint32) (string, bool) {
		if o := w.Observed(kind, id); o != nil {
			return o.Spec().Label, true
		}
		if kind == ecs.OnSet {
			for _, x := range w.IndexesOf(ecs.ComponentID(id)) {
				if x.Spec().Width == 0 { // rows follow the other ones: see ir.PlaceOf
					return fmt.Sprintf("index %q, which has no width and height,", x.Spec().Name), true
				}
			}
		}
		return "", false
	}
}

// WhyObserved returns why the interpreter has to run a loop that becomes this Program, because of observers; nil if
// it need not. It is the reason for the line of the loop.
func WhyObserved(p *ir.Program, w *ecs.World, by Observed, line int) *Reason {
	if list := observedIn(p, w, by); len(list) > 0 {
		return &Reason{Line: line, Text: "it " + list[0].text, Advice: list[0].advice}
	}
	return nil
}

// observedIn lists what a Program does that somebody observes, and who does.
func observedIn(p *ir.Program, w *ecs.World, by Observed) (list []refusal) {
	watched := func(does, who string) {
		text, advice := lower.Watched(does, who)
		list = append(list, refusal{text, advice})
	}
	ask := func(kind ecs.ObserverKind, id uint32, does, name string) {
		if who, ok := by(kind, id); ok {
			watched(fmt.Sprintf("%s %q", does, name), who)
		}
	}
	for _, id := range p.Writes() {
		ask(ecs.OnSet, uint32(id), "writes", w.ComponentNames()[id])
		for _, x := range w.IndexesOf(id) { // one that was declared since knows nothing of the rows
			if spec := x.Spec(); spec.Width > 0 && p.StoresField(id, spec.Fields) && !slices.ContainsFunc(p.Layers, func(l ir.Layer) bool { return l.Name == spec.Name && l.Places == ir.PlaceOf }) {
				watched(fmt.Sprintf("writes %q", w.ComponentNames()[id]), fmt.Sprintf("index %q", spec.Name))
			}
		}
	}
	set, removed := p.Tags()
	for _, id := range set {
		ask(ecs.OnTagged, uint32(id), "sets the tag", w.TagName(id))
	}
	for _, id := range removed {
		ask(ecs.OnUntagged, uint32(id), "removes the tag", w.TagName(id))
	}
	if slices.ContainsFunc(p.Effects, func(e *ir.Effect) bool { return e.Now }) {
		if who, ok := lower.AnyStructural(w, by); ok {
			watched("changes the structure of the world at once", who)
		}
	}
	return list
}

// unobserved lowers a template again if somebody observes what its Program p writes: the result leaves the rows that do. It
// returns p if nobody does. If each row does, it returns p and the reason, with the line that writes if that is known and with
// line 0 otherwise.
func unobserved(p *ir.Program, by Observed, context lower.Context, again func(lower.Context) (*ir.Program, *Reason)) (*ir.Program, *Reason) {
	always := WhyObserved(p, context.World, by, 0)
	if always == nil {
		return p, nil
	}
	context.Observers = by
	q, why := again(context)
	switch {
	case why != nil && (why.Advice == lower.QueueObserved || why.Advice == lower.QueueIndexed):
		return p, why
	case why != nil || leavesAll(q.Body) || WhyObserved(q, context.World, by, 0) != nil:
		return p, always
	}
	return q, nil
}

// observed returns why the kernel must not run now, because of observers; the zero refusal if it may. It costs one
// comparison while the observers stay the same.
func (v *variant) observed(w *ecs.World) refusal {
	now := w.ObserverVersion()
	if now == v.observers || v.p == nil {
		return v.watched
	}
	v.observers, v.watched = now, refusal{}
	if why := WhyObserved(v.p, w, ObservedBy(w), 0); why != nil {
		v.watched = refusal{why.Text, why.Advice}
	}
	v.outdated = !slices.Equal(v.found, observedIn(v.whole, w, ObservedBy(w)))
	return v.watched
}

// mostOutdated is how many variants a site may have for one of them to be lowered again for other observers. Beyond, it stays
// as it is: observers that come and go would use up the variants.
const mostOutdated = 8

// current reports whether a variant fits the observers of now; all of them do where there are too many.
func (v *variant) current(w *ecs.World, all []variant) bool {
	v.observed(w)
	return !v.outdated || len(all) >= mostOutdated
}
