package ecs

import (
	"errors"
	"fmt"
	"slices"
)

// A relation links an entity, the source, to one other entity, its target, or to many (relationpairs.go). It is a component whose column holds
// the target, so the mask of a table says which relations its entities have, and no table is made per target. In
// the other direction each target has a list of its sources, in arrays indexed by slot (relationlinks.go). This file
// keeps the two in step; lineage.go refuses cycles, inherit.go gives IsA its meaning, and spawnrelated.go makes entities
// with relations.

// errTarget: a relation cannot be had without a target.
var errTarget = errors.New("a relation needs a target: use Relate")

// The relations that have a meaning of their own: every new world has them, [World.LookupRelation] finds them. All others
// only link entities.
const (
	// ChildOf makes the target the parent: when a parent is despawned, its children are, too, depth first. Cycles
	// are refused.
	ChildOf = "ChildOf"
	// IsA makes the target the base: the entity shares the base's components until it has its own. Cycles are
	// refused, and so are chains of more than [MaxBases].
	IsA = "IsA"
)

// A RelationID is the ComponentID of a relation. To have the component means to have a target. See the example of
// [World.Relate].
type RelationID = ComponentID

// relation is what a world keeps of a relation beside its columns: for each target the list of its sources, in the
// order in which they were related. The lists are threaded through arrays by slot index, so a parent with one
// child costs a few bytes and no table.
type relation struct {
	info    *component
	acyclic bool
	cascade bool                    // despawning the target despawns the sources
	bounded bool                    // no chain is longer than MaxBases
	heads   slotPages[relationHead] // by slot of the target
	links   slotPages[relationLink] // by slot of the source, or by pair
	pairs   *targetPairs            // nil if a source has one target

	place  uint32   // index in World.relations
	marked *markRow // where the marks of its targets are, see World.targets
	bit    uint64

	patience int     // how many steps up a chain are walked before a forest is built
	forest   *forest // of an acyclic relation with long chains; nil until there was one
}

var relationSchema = func() *Schema {
	s, err := NewSchema(Field{Name: "target", Type: EntityField})
	if err != nil {
		panic(err)
	}
	return s
}()

// DeclareRelation returns the id of the relation of that name and declares it if it is new. An entity has one target in it,
// or many if [ManyTargets] says so, which [ChildOf] and [IsA] cannot have. Error: [ErrMismatch] if the name belongs to a component or tag, or to a
// relation that was declared with another number of targets.
func (w *World) DeclareRelation(name string, how ...RelationOption) (RelationID, error) {
	known, many := len(w.components), slices.Contains(how, ManyTargets)
	if many && (name == ChildOf || name == IsA) {
		return 0, fail("declare relation", None, name, fmt.Errorf("%w: it has one target", ErrMismatch))
	}
	id, err := w.declareComponent(name, relationComponent, relationSchema, func(c *component) error {
		if c.relation != nil && (c.relation.pairs != nil) != many {
			return fmt.Errorf("%w: it has %s, not %s", ErrMismatch, targetsText(!many), targetsText(many))
		}
		return nil
	})
	if err == nil && int(id) == known {
		r := w.newRelation(w.components[id])
		if many {
			r.pairs = newTargetPairs()
		}
		w.components[id].relation = r
		if name == IsA {
			w.isA = r
		}
	}
	return id, err
}

// targetsText says how many targets a source of a relation has.
func targetsText(many bool) string {
	if many {
		return "many targets"
	}
	return "one target"
}

// newRelation appends a relation to World.relations, for a component that is declared as one.
func (w *World) newRelation(info *component) *relation {
	r := &relation{info: info, place: uint32(len(w.relations)), patience: shortWalk, heads: newSlotPages(&noHeads, nil), links: newSlotPages(&noLinks, nil)}
	r.acyclic, r.cascade, r.bounded = info.name == ChildOf || info.name == IsA, info.name == ChildOf, info.name == IsA
	w.relations = append(w.relations, r)
	w.targets.cover(w, len(w.relations))
	r.marked, r.bit = w.targets.row(r.place)
	return r
}

// LookupRelation returns the id of a declared relation.
func (w *World) LookupRelation(name string) (RelationID, bool) {
	id, ok := w.componentNames[name]
	return id, ok && w.components[id].kind == relationComponent
}

// RelationNames returns all relations in the order of declaration.
func (w *World) RelationNames() []string {
	names := make([]string, len(w.relations))
	for i, r := range w.relations {
		names[i] = r.info.name
	}
	return names
}

// Relate makes target the target of e and replaces an earlier one. In a relation with [ManyTargets] it is added to them, and
// nothing happens if e has it already. The first target moves e to the table that has
// the relation; a later one is written in place. It reports false if e is dead. Errors: [ErrLocked], [ErrDead] for
// the target, [ErrCycle], [ErrDepth], [ErrUnknown], [ErrBytes], and [ErrPrefab]: a prefab has the base and the children that it was declared with.
func (w *World) Relate(e Entity, id RelationID, target Entity) (bool, error) {
	r, err := w.relation("relate", e, id)
	if err != nil {
		return false, err
	}
	if w.locks != 0 {
		return false, fail("relate", e, r.info.name, w.lockedBy())
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if err := w.checkTarget(r, e, target); err != nil {
		return false, fail("relate", e, r.info.name, err)
	}
	if r.pairs != nil && w.relates(r, e, target) {
		return true, nil
	}
	if err := w.roomToRelate(r, e, sl, target); err != nil {
		return false, fail("relate", e, r.info.name, err)
	}
	if w.observers != nil && w.observers.replacing(r, e, sl, target) {
		sl = w.slots.find(e)
	}
	w.relate(r, e, sl, target)
	return true, nil
}

// relation returns the relation of an id, ErrUnknown if there is none. op and e are for the error.
func (w *World) relation(op string, e Entity, id RelationID) (*relation, error) {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil {
		return nil, fail(op, e, "", unknownID("relation", id))
	}
	return w.components[id].relation, nil
}

// roomToRelate makes room for what relate does. Error: [ErrBytes].
func (w *World) roomToRelate(r *relation, e Entity, sl *slot, target Entity) error {
	if err := r.reserve(w, uint32(e), uint32(target), 0); err != nil {
		return err
	}
	if t := w.tables[sl.table]; !t.mask.has(r.info.id) {
		return t.adding([]ComponentID{r.info.id}).ask(w)
	}
	return nil
}

// relate gives a living e a checked target, for which there is room; one that it does not have yet, if it may have many. It updates the column with its stamp, the
// lists of the old and the new target, and the marks and flags by which a dying target finds its relations.
func (w *World) relate(r *relation, e Entity, sl *slot, target Entity) {
	w.beforeRelation(r)
	t := w.tables[sl.table]
	old := None
	if !t.mask.has(r.info.id) {
		w.migrate(e, sl, t.adding([]ComponentID{r.info.id}))
	}
	if r.pairs != nil {
		w.relateAnother(r, e, sl, target)
		return
	}
	w.beginChange()
	if old = *w.targetCell(r, sl); old != None { // None if e has just got the relation
		r.unlink(w, uint32(e), old)
	}
	r.info.column(sl.table).stampChanged(int(sl.row), w.now)
	*w.targetCell(r, sl) = target
	r.link(w, uint32(e), uint32(target))
	w.becomesTarget(r, target)
	w.endChange()
	if w.observers != nil && old != target {
		w.observers.related(r, e, target)
	}
}

// becomesTarget sets the mark and the flag by which a dying target finds its relations.
func (w *World) becomesTarget(r *relation, target Entity) {
	if !r.marked.has(uint32(target), r.bit) {
		w.targets.mark(r.place, uint32(target))
	}
	if at := &w.slots.all[uint32(target)]; at.meta&slotTarget == 0 {
		if w.slots.log != nil {
			w.slots.log.note(uint32(target), *at, slotFlagged)
		}
		at.meta |= slotTarget
		w.slots.targets++
	}
}

// targetCell returns the address of the target of an entity that has the relation.
func (w *World) targetCell(r *relation, sl *slot) *Entity {
	return (*Entity)(r.info.column(sl.table).at(int(sl.row)))
}

// Unrelate ends the relation of e, with all targets, and reports whether there was one. [World.UnrelateFrom] takes one target away.
// Errors: [ErrLocked], [ErrUnknown], and [ErrPrefab] for ChildOf and IsA of a prefab.
func (w *World) Unrelate(e Entity, id RelationID) (bool, error) {
	r, err := w.relation("unrelate", e, id)
	if err != nil {
		return false, err
	}
	if w.locks != 0 {
		return false, fail("unrelate", e, r.info.name, w.lockedBy())
	}
	sl := w.slots.find(e)
	if sl == nil || !w.tables[sl.table].mask.has(id) {
		return false, nil
	}
	if w.tables[sl.table].prefab && w.fixes([]ComponentID{id}) {
		return false, fail("unrelate", e, r.info.name, ErrPrefab)
	}
	mv := w.tables[sl.table].removing([]ComponentID{id})
	if err := mv.ask(w); err != nil {
		return false, fail("unrelate", e, r.info.name, err)
	}
	w.shift(e, sl, mv)
	return true, nil
}

// Related returns the target of e, the first one if it has many; [None] if e is dead or has none.
func (w *World) Related(e Entity, id RelationID) Entity {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil {
		return None
	}
	return w.target(w.components[id].relation, e)
}

func (w *World) target(r *relation, e Entity) Entity {
	sl := w.slots.find(e)
	if sl == nil || r.info.column(sl.table) == nil {
		return None
	}
	return *w.targetCell(r, sl)
}

// Sources appends to buf the entities whose target is target, or one of whose targets it is, in the order in which they were related. There are
// none if target is dead.
func (w *World) Sources(buf []Entity, id RelationID, target Entity) []Entity {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil || !w.Alive(target) {
		return buf
	}
	r := w.components[id].relation
	for at := r.head(uint32(target)).first; at != 0; at = r.links.at(at - 1).next {
		buf = append(buf, w.slots.handle(r.source(at-1)))
	}
	return buf
}

// SourceCount returns how many entities have the target, in O(1).
func (w *World) SourceCount(id RelationID, target Entity) int {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil || !w.Alive(target) {
		return 0
	}
	return int(w.components[id].relation.head(uint32(target)).count)
}
