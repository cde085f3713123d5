package kernel

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Calls that change the structure of the world at once, in loops over events: world:spawn, despawn, add, remove, relate and
// unrelate, and a world:set that adds the component. They are effects that take place when their row is done (ir.Effect.Now).
// What the row looks at after such a call, it asks for with Untouched first; a row that would see the change is left to the
// interpreter. So nobody can tell that the changes take place later.

const (
	mostSettled = 1000     // the largest number of such calls in one row
	spareBytes  = 16 << 20 // how much the world must be able to grow beyond twice its size
)

// A pendingChange is a recorded call that changes the structure of the world.
type pendingChange struct {
	effect *ir.Effect
	of     ecs.Entity // the entity that changes; of a spawn, the one that comes to be
}

// settleable reports whether a call that changes structure cannot fail at the end of the row. It is asked when the call is
// recorded: no loop over a query is open, and the world is far from its limits.
func (x *Effects) settleable(e *ir.Effect, args []Arg) bool {
	if x.world.Locked() || x.commands >= mostSettled || ecs.Raw.BytesLeft(x.world) < x.world.Bytes()+spareBytes {
		return false
	}
	source := ecs.None
	if e.ForEntity() {
		source, args = entityOf(args[0].N), args[1:]
		if ecs.Raw.IsPrefab(x.world, source) {
			return false // it may be refused
		}
	}
	if e.Op != ir.QueueRelate && e.Op != ir.QueueSpawn {
		return true
	}
	for i, id := range e.Relations {
		to := entityOf(args[len(e.Fields)+i].N)
		if ecs.Raw.MayRelate(x.world, id, source, to) != nil {
			return false
		}
		if x.spreads { // it may have ended the target
			return false
		}
		for _, c := range x.pending { // likewise, or it may have closed a cycle
			if c.of == to && c.effect.Op == ir.QueueDespawn || ecs.Raw.Acyclic(x.world, id) && slices.Contains(c.effect.Relations, id) {
				return false
			}
		}
	}
	return true
}

// change notes a recorded call that changes structure. to is the entity of a spawn.
func (x *Effects) change(e *ir.Effect, args []Arg, to ecs.Entity) {
	if e.ForEntity() {
		if to = entityOf(args[0].N); !x.world.Alive(to) && x.Untouched(to, -1) {
			return // it is dead, so nothing changes
		}
	}
	if e.Op == ir.QueueDespawn && (x.relates || ecs.Raw.IsTarget(x.world, to)) || e.Op != ir.QueueSpawn && ecs.Raw.IsBase(x.world, to) {
		x.spreads = true
	}
	x.relates = x.relates || len(e.Relations) > 0
	x.pending = append(x.pending, pendingChange{e, to})
}

// Untouched reports whether no recorded call changes what a row sees of an entity: that it is alive, its tags, and one of its
// components or relations, unless id is negative.
func (x *Effects) Untouched(e ecs.Entity, id int) bool {
	if len(x.pending) == 0 {
		return true
	}
	if x.spreads {
		return false
	}
	for _, c := range x.pending {
		if c.of == e && (c.effect.Op == ir.QueueSpawn || c.effect.Op == ir.QueueDespawn || id >= 0 && (slices.Contains(c.effect.Components, ecs.ComponentID(id)) || slices.Contains(c.effect.Relations, ecs.RelationID(id)))) {
			return false
		}
	}
	return true
}

// SourcesUntouched reports whether no recorded call changes which entities have a target in a relation, or their order.
func (x *Effects) SourcesUntouched(id ecs.RelationID) bool {
	return !x.spreads && !slices.ContainsFunc(x.pending, func(c pendingChange) bool {
		return c.effect.Op == ir.QueueDespawn || slices.Contains(c.effect.Relations, id)
	})
}

// QueryUntouched reports whether no recorded call changes which entities have some components, or their order: each entity that changes lacks one of them
// before and afterwards.
func (x *Effects) QueryUntouched(required []ecs.ComponentID) bool {
	isA, inherits := x.world.LookupRelation(ecs.IsA)
	if x.spreads || inherits && !x.SourcesUntouched(isA) { // what has a base may share what it lacks
		return false
	}
	for i, c := range x.pending {
		if slices.ContainsFunc(x.pending[:i], func(o pendingChange) bool { return o.of == c.of }) {
			continue // all changes of it were looked at
		}
		lacks := slices.ContainsFunc(required, func(id ecs.ComponentID) bool {
			return !x.world.Has(c.of, id) && !slices.ContainsFunc(x.pending[i:], func(o pendingChange) bool {
				return o.of == c.of && (slices.Contains(o.effect.Components, id) || slices.Contains(o.effect.Relations, ecs.RelationID(id)))
			})
		})
		if !lacks {
			return false
		}
	}
	return true
}

// Changes reports whether a recorded call changes the structure of the world.
func (x *Effects) Changes() bool { return len(x.pending) > 0 }

// ChangesTags reports whether a recorded call changes the order of entities that have a tag: then another change of tags may
// not come before it.
func (x *Effects) ChangesTags() bool {
	return slices.ContainsFunc(x.pending, func(c pendingChange) bool {
		return c.effect.Op == ir.QueueDespawn || len(c.effect.Tags) > 0
	})
}

// Ends reports whether a recorded call ends entities at once. Then the handle of the next entity is not known.
func (x *Effects) Ends() bool {
	return slices.ContainsFunc(x.pending, func(c pendingChange) bool { return c.effect.Op == ir.QueueDespawn })
}

// settle performs a call that changes structure. It returns the entity.
func (x *Effects) settle(e *ir.Effect, to ecs.Entity, args []Arg) ecs.Entity {
	w, err := x.world, error(nil)
	switch e.Op {
	case ir.QueueSpawn:
		to, err = x.settleSpawn(e, args)
	case ir.QueueDespawn:
		_, err = w.Despawn(to)
	case ir.QueueAdd:
		_, err = w.Add(to, e.Components...)
	case ir.QueueRemove:
		_, err = w.Remove(to, e.Components...)
	case ir.QueueSet:
		_, err = w.Set(to, e.Components[0], x.values(e, args, 0)...)
	case ir.QueueRelate:
		_, err = w.Relate(to, e.Relations[0], entityOf(args[0].N))
	case ir.QueueUnrelate:
		_, err = w.Unrelate(to, e.Relations[0])
	default:
		panic("kernel: an effect that changes structure has an unknown operation")
	}
	if err != nil {
		panic("kernel: a checked change of structure failed: " + err.Error())
	}
	return to
}

// settleSpawn performs a call of world:spawn.
func (x *Effects) settleSpawn(e *ir.Effect, args []Arg) (ecs.Entity, error) {
	w := x.world
	x.targets = x.targets[:0]
	for i, id := range e.Relations {
		x.targets = append(x.targets, ecs.Target{Relation: id, Entity: entityOf(args[len(e.Fields)+i].N)})
	}
	start := ecs.Raw.Hold(w) // indexes see the whole entity
	defer ecs.Raw.Release(w, start, true)
	to, err := w.SpawnRelated(x.targets, e.Components...)
	if err != nil {
		return to, err
	}
	t, row := w.TableOf(to)
	for i, id := range e.Components {
		into := t.Column(id).Row(row)
		for _, f := range x.values(e, args, i) {
			if err := into.Set(f.Index, f.Value); err != nil {
				return to, err
			}
		}
	}
	for _, id := range e.Tags {
		if _, err := w.TryTag(to, id); err != nil {
			return to, err
		}
	}
	return to, nil
}
