package machine

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Inherited components. Code finds a component in the column of the entity's own table, and knows nothing of what an entity shares through
// IsA. So before a walk the host asks whether any entity inherits one of the components that code looks for; then closures do the walk.

// heirs are the tables whose entities have a base.
type heirs struct {
	isA     ecs.ComponentID
	tables  []*ecs.Table
	lacking []ecs.ComponentID // those that code asks for and one of the tables lacks
	met     inherited         // what has left the last run, or a part of it, to closures
}

// An inherited is a component that entities inherit where code does not find it; the zero value is none.
type inherited struct {
	id ecs.ComponentID
	is bool
}

// Inherits returns a component that entities inherit, because of which closures did rows of the last run; false if there was none.
func (k *Kernel) Inherits() (ecs.ComponentID, bool) {
	return k.outside.heirs.met.id, k.outside.heirs.met.is
}

// mostHeirs is how many entities with a base are looked at before a walk. If there are more, closures do it.
const mostHeirs = 4096

// find looks for the tables, after the layout of a world has changed. asked are the components for which code asks.
func (h *heirs) find(w *ecs.World, tables []*ecs.Table, asked []ecs.ComponentID) {
	h.tables, h.lacking = h.tables[:0], h.lacking[:0]
	isA, ok := w.LookupComponent(ecs.IsA)
	if !ok {
		return
	}
	h.isA = isA
	for _, t := range tables {
		if t.Has(isA) {
			h.tables = append(h.tables, t)
		}
	}
	for _, id := range asked {
		for _, t := range h.tables {
			if !t.Has(id) {
				h.lacking = append(h.lacking, id)
				break
			}
		}
	}
}

// inherit reports whether some entity may inherit a component that it lacks and code asks for. Bases of bases have a base themselves, so
// they are among those that are looked at.
func (h *heirs) inherit(w *ecs.World) bool {
	h.met.is = false
	if len(h.lacking) == 0 {
		return false
	}
	n, last := 0, ecs.None
	for _, t := range h.tables {
		if n += t.Len(); n > mostHeirs {
			h.met = inherited{h.lacking[0], true}
			return true
		}
		base, stride := ecs.Raw.Column(t.Column(h.isA))
		for row := range t.Len() {
			e := *(*ecs.Entity)(unsafe.Add(base, uintptr(row)*stride))
			if e == last {
				continue
			}
			last = e
			of, _ := w.TableOf(e)
			for _, id := range h.lacking {
				if of.Has(id) {
					h.met = inherited{id, true}
					return true
				}
			}
		}
	}
	return false
}

// asked lists the components for which code asks: those of other entities, those of queries within, and those of the query that an entity may lack.
func (k *Kernel) asked() (ids []ecs.ComponentID) {
	for _, word := range k.unit.Words {
		if word.Kind == abi.WordColumns {
			ids = append(ids, ecs.ComponentID(word.ID))
		}
	}
	for i, id := range k.program.Components {
		if k.program.Optional&(1<<i) != 0 {
			ids = append(ids, id)
		}
	}
	for _, sub := range k.program.Queries {
		f := sub.Query.Filter()
		ids = slices.Concat(ids, f.Required, f.Optional, f.Without, f.Any)
	}
	return ids
}
