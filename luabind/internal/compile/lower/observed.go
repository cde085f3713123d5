package lower

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/yuin/gopher-lua/ast"
)

// Writes that somebody observes: see Context.Observers. They are refused, so that they become exits where not every row does
// them.

// unobserved refuses an operation on a component or tag if somebody observes it.
func (c *lowerer) unobserved(at ast.PositionHolder, kind ecs.ObserverKind, id uint32, does, name string) {
	if c.context.Observers == nil {
		return
	}
	if who, ok := c.context.Observers.Observed(kind, id); ok {
		refuseWith(at, QueueObserved, "%s", Watched(fmt.Sprintf("%s %q", does, name), who))
	}
}

// unobservedStore refuses to store a field of a component if somebody observes that.
func (c *lowerer) unobservedStore(t *target) {
	var id ecs.ComponentID
	switch i := t.view.i; {
	case i >= c.p.Views:
		id = c.p.Refs[i-c.p.Views].Component
	case c.p.Events != nil:
		return
	default:
		id = c.p.Components[i]
	}
	at := c.where
	if t.at != nil { // a change of a table in the field has none
		at = t.at
	}
	c.unobserved(at, ecs.OnSet, uint32(id), "writes", c.context.World.ComponentNames()[id])
}

// unobservedFlip refuses to set or remove a tag if somebody observes it.
func (c *lowerer) unobservedFlip(e *ast.FuncCallExpr, id ecs.TagID) {
	if kind, does := ecs.OnTagged, "sets the tag"; e.Method == "tag" {
		c.unobserved(e, kind, uint32(id), does, c.context.World.TagName(id))
	} else {
		c.unobserved(e, ecs.OnUntagged, uint32(id), "removes the tag", c.context.World.TagName(id))
	}
}

// unobservedChange refuses a change of structure at once if somebody observes any.
func (c *lowerer) unobservedChange(at ast.PositionHolder) {
	if c.context.Observers == nil {
		return
	}
	if who, ok := AnyStructural(c.context.World, c.context.Observers); ok {
		refuseWith(at, QueueObserved, "%s", Watched("changes the structure of the world at once", who))
	}
}

// Watched says that an observer watches what code does.
func Watched(does, who string) string {
	if who != "" {
		who = " at " + who
	}
	return does + ", which the observer" + who + " watches"
}

// AnyStructural returns an observer of what a change of structure may report: that an entity is spawned or despawned, or gets or loses a component, a
// relation or a tag.
func AnyStructural(w *ecs.World, by Observers) (who string, ok bool) {
	for _, kind := range []ecs.ObserverKind{ecs.OnSpawned, ecs.OnDespawned} {
		if who, ok = by.Observed(kind, 0); ok {
			return who, ok
		}
	}
	for id := range w.ComponentNames() {
		for _, kind := range []ecs.ObserverKind{ecs.OnAdded, ecs.OnRemoved, ecs.OnRelated, ecs.OnUnrelated} {
			if who, ok = by.Observed(kind, uint32(id)); ok {
				return who, ok
			}
		}
	}
	for id := range w.TagNames() {
		for _, kind := range []ecs.ObserverKind{ecs.OnTagged, ecs.OnUntagged} {
			if who, ok = by.Observed(kind, uint32(id)); ok {
				return who, ok
			}
		}
	}
	return "", false
}
