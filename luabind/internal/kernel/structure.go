package kernel

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// Calls of world:spawn and world:despawn in loops over events: effects that change the structure of the world when their
// row is done. Nothing in the row looks at the world after such a call, so nobody can tell that it takes place later.

const (
	mostSettled = 1000     // the largest number of such calls in one row
	spareBytes  = 16 << 20 // how much the world must be able to grow beyond twice its size
)

// maySettle reports whether a call of world:spawn or world:despawn cannot fail at the end of the row. It is asked when the
// call is recorded: no loop over a query is open, and the world is far from its limits.
func (x *Effects) maySettle() bool {
	return !x.world.Locked() && x.commands < mostSettled && ecs.Raw.BytesLeft(x.world) >= x.world.Bytes()+spareBytes
}

// settle performs a call of world:spawn or world:despawn. It returns the entity.
func (x *Effects) settle(e *ir.Effect, to ecs.Entity, args []Arg) ecs.Entity {
	w, err := x.world, error(nil)
	if e.Op == ir.QueueDespawn {
		if _, err = w.Despawn(to); err != nil {
			panic("kernel: a checked despawn failed: " + err.Error())
		}
		return to
	}
	if to, err = w.Spawn(e.Components...); err == nil {
		t, row := w.TableOf(to)
		for i, id := range e.Components {
			into := t.Column(id).Row(row)
			for _, f := range x.values(e, args, i) {
				if err == nil {
					err = into.Set(f.Index, f.Value)
				}
			}
		}
		for _, id := range e.Tags {
			if err == nil {
				_, err = w.TryTag(to, id)
			}
		}
	}
	if err != nil {
		panic("kernel: a checked spawn failed: " + err.Error())
	}
	return to
}
