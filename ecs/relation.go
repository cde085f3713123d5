package ecs

import (
	"errors"
	"fmt"
)

// ErrCycle says that a ChildOf or IsA relation would lead from an entity back to itself.
var ErrCycle = errors.New("the relation would form a cycle")

// errTarget: a relation cannot be had without a target.
var errTarget = errors.New("a relation needs a target: use Relate")

// The relations with a meaning of their own; all others only link. Each world declares those it uses, like any other relation.
const (
	// ChildOf makes the target the parent: despawning a parent despawns its children, depth first. Cycles are refused.
	ChildOf = "ChildOf"
	// IsA makes the target the base: the entity shares the base's components until it has its own. Cycles are refused, and chains of more
	// than [MaxBases].
	IsA = "IsA"
)

// A RelationID is the ComponentID of a relation: its bit is in the mask of every table whose entities have a target, and its column holds
// the targets. Having any target is having the component.
type RelationID = ComponentID

// relation is what a relation keeps beside its columns: for each target the list of its sources, in the order they were related.
// The lists are threaded through arrays by slot index, so a parent with one child costs a few bytes and no table.
type relation struct {
	info    *component
	acyclic bool
	cascade bool // despawning the target despawns the sources
	bounded bool // no chain is longer than MaxBases
	heads   []relationHead
	links   []relationLink

	place  uint32   // in World.relations
	marked *markRow // where the marks of its targets are
	bit    uint64

	patience int     // how many steps up are walked before there is a forest
	forest   *forest // of an acyclic relation whose chains are long; nil until one was met
}

// Indexes in heads and links are slot index + 1; 0 is none.
type relationHead struct{ first, last, count uint32 }

type relationLink struct{ previous, next uint32 }

var relationSchema = func() *Schema {
	s, err := NewSchema(Field{Name: "target", Type: EntityField})
	if err != nil {
		panic(err)
	}
	return s
}()

// DeclareRelation returns the id of the relation of that name, declaring it when it is new.
func (w *World) DeclareRelation(name string) (RelationID, error) {
	known := len(w.components)
	id, err := w.declareComponent(name, relationComponent, relationSchema, func(*component) error { return nil })
	if err == nil && int(id) == known {
		r := w.newRelation(w.components[id])
		w.components[id].relation = r
		if name == IsA {
			w.isA = r
		}
	}
	return id, err
}

// newRelation appends what a relation keeps.
func (w *World) newRelation(info *component) *relation {
	r := &relation{info: info, place: uint32(len(w.relations)), patience: shortWalk}
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

// Relate makes target the one target of e, replacing another. The first target moves e to the table that has the relation; another one
// is a write in place. It reports false when e is dead. Errors: [ErrLocked], [ErrDead] for the target, [ErrCycle], [ErrDepth], [ErrUnknown].
func (w *World) Relate(e Entity, id RelationID, target Entity) (bool, error) {
	r, err := w.relation("relate", e, id)
	if err != nil {
		return false, err
	}
	if w.locks != 0 {
		return false, fail("relate", e, r.info.name, ErrLocked)
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if err := w.checkTarget(r, e, target); err != nil {
		return false, fail("relate", e, r.info.name, err)
	}
	if err := w.roomToRelate(r, e, sl, target); err != nil {
		return false, fail("relate", e, r.info.name, err)
	}
	w.relate(r, e, sl, target)
	return true, nil
}

// A Target is a relation with its target, for spawning.
type Target struct {
	Relation RelationID
	Entity   Entity
}

// SpawnRelated makes an entity with these relations and components (at their defaults), directly in the table it belongs to. Errors: those
// of [World.Spawn], [ErrDead] for a dead target, and [ErrDepth].
func (w *World) SpawnRelated(targets []Target, ids ...ComponentID) (Entity, error) {
	if w.locks != 0 {
		return None, fail("spawn", None, "", ErrLocked)
	}
	var buf [16]ComponentID
	sorted, err := w.sortIDs("spawn", buf[:0], ids)
	if err != nil {
		return None, err
	}
	for _, to := range targets {
		r, err := w.relation("spawn", None, to.Relation)
		if err != nil {
			return None, err
		}
		if err := w.checkTarget(r, None, to.Entity); err != nil {
			return None, fail("spawn", None, r.info.name, err)
		}
	}
	if err := w.room(1); err != nil {
		return None, err
	}
	t, err := w.roomFor(Raw.Upcoming(w, 0), targets, sorted)
	if err != nil {
		return None, fail("spawn", None, "", err)
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	e := w.slots.take()
	w.placeRelated(e, targets, t)
	return e, nil
}

// roomFor returns the table for e with components and targets, where there is room for a row and for the relations; otherwise [ErrBytes].
func (w *World) roomFor(e Entity, targets []Target, ids []ComponentID) (*Table, error) {
	for _, to := range targets {
		ids = append(ids, to.Relation)
		if err := w.components[to.Relation].relation.reserve(w, uint32(e), uint32(to.Entity)); err != nil {
			return nil, err
		}
	}
	t, err := w.tables[0].with(sorted(ids))
	if err == nil && len(t.entities) == t.capacity {
		err = t.reserve(1)
	}
	return t, err
}

// placeRelated makes a reserved handle live in the table that roomFor returned, with checked targets.
func (w *World) placeRelated(e Entity, targets []Target, t *Table) {
	w.place(e, t)
	for _, to := range targets {
		w.relate(w.components[to.Relation].relation, e, &w.slots.all[uint32(e)], to.Entity)
	}
}

func (w *World) relation(op string, e Entity, id RelationID) (*relation, error) {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil {
		return nil, fail(op, e, "", unknown("relation", fmt.Sprint(id)))
	}
	return w.components[id].relation, nil
}

// roomToRelate makes room for what relate does, or says that there is none: [ErrBytes].
func (w *World) roomToRelate(r *relation, e Entity, sl *slot, target Entity) error {
	if err := r.reserve(w, uint32(e), uint32(target)); err != nil {
		return err
	}
	if t := w.tables[sl.table]; !t.mask.has(r.info.id) {
		return t.adding([]ComponentID{r.info.id}).ask(w)
	}
	return nil
}

// relate gives a living e a checked target. There is room for it.
func (w *World) relate(r *relation, e Entity, sl *slot, target Entity) {
	w.beforeRelation(r)
	t := w.tables[sl.table]
	if t.mask.has(r.info.id) {
		if old := *w.targetCell(r, sl); old != None { // None: just spawned with the relation
			r.unlink(uint32(e), old)
		}
	} else {
		w.migrate(e, sl, t.adding([]ComponentID{r.info.id}))
	}
	r.info.column(sl.table).stampChanged(int(sl.row), w.now)
	*w.targetCell(r, sl) = target
	r.link(uint32(e), uint32(target))
	if words := r.marked.words; uint(uint32(target)) >= uint(len(words)) || words[uint32(target)]&r.bit == 0 {
		w.targets.mark(r.place, uint32(target))
	}
	if at := &w.slots.all[uint32(target)]; at.meta&slotTarget == 0 {
		at.meta |= slotTarget
		w.slots.targets++
	}
}

// targetCell returns where the target of a related entity is stored.
func (w *World) targetCell(r *relation, sl *slot) *Entity {
	return (*Entity)(r.info.column(sl.table).at(int(sl.row)))
}

// Unrelate ends the relation of e and reports whether there was one. Errors: [ErrLocked], [ErrUnknown].
func (w *World) Unrelate(e Entity, id RelationID) (bool, error) {
	r, err := w.relation("unrelate", e, id)
	if err != nil {
		return false, err
	}
	if w.locks != 0 {
		return false, fail("unrelate", e, r.info.name, ErrLocked)
	}
	sl := w.slots.find(e)
	if sl == nil || !w.tables[sl.table].mask.has(id) {
		return false, nil
	}
	mv := w.tables[sl.table].removing([]ComponentID{id})
	if err := mv.ask(w); err != nil {
		return false, fail("unrelate", e, r.info.name, err)
	}
	w.migrate(e, sl, mv)
	return true, nil
}

// Related returns the target of e, [None] when it is dead or has none.
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

// Sources appends to buf the entities whose target is target, in the order they were related; none when it is dead.
func (w *World) Sources(buf []Entity, id RelationID, target Entity) []Entity {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil || !w.Alive(target) {
		return buf
	}
	r := w.components[id].relation
	for at := r.head(uint32(target)).first; at != 0; at = r.links[at-1].next {
		buf = append(buf, makeEntity(at-1, w.slots.all[at-1].meta&generationMask))
	}
	return buf
}

// SourceCount returns how many entities have the target: O(1).
func (w *World) SourceCount(id RelationID, target Entity) int {
	if uint(id) >= uint(len(w.components)) || w.components[id].relation == nil || !w.Alive(target) {
		return 0
	}
	return int(w.components[id].relation.head(uint32(target)).count)
}

func (r *relation) head(target uint32) relationHead {
	if int(target) >= len(r.heads) {
		return relationHead{}
	}
	return r.heads[target]
}

// reserve makes room for a source and its target, both slot indexes, or says that there is none: [ErrBytes].
func (r *relation) reserve(w *World, source, target uint32) (err error) {
	w.beforeRelation(r)
	var owned bool
	if n := int(target) + 1; n > len(r.heads) {
		if r.heads, err = enlarge(w, nil, r.heads, &owned, n); err != nil {
			return err
		}
		r.heads = r.heads[:n] // what is beyond the old length was never used
	}
	if n := int(source) + 1; n > len(r.links) {
		if r.links, err = enlarge(w, nil, r.links, &owned, n); err != nil {
			return err
		}
		r.links = r.links[:n]
	}
	if int(target) >= len(r.marked.words) || r.marked.words[target]&r.bit == 0 {
		if err := w.targets.reserve(w, r.place, target); err != nil {
			return err
		}
	}
	if r.forest != nil {
		return r.forest.reserve(w, max(source, target))
	}
	return nil
}

// link appends source to the list of target; both are slot indexes that there is room for.
func (r *relation) link(source, target uint32) {
	h := &r.heads[target]
	r.links[source] = relationLink{previous: h.last}
	if h.last != 0 {
		r.links[h.last-1].next = source + 1
	} else {
		h.first = source + 1
	}
	h.last = source + 1
	h.count++
	if r.forest != nil {
		r.forest.link(source, target)
	}
}

// unlink takes source out of the list of its target. A target whose list was cut off already (it died first) is passed over.
func (r *relation) unlink(source uint32, target Entity) {
	if r.forest != nil {
		r.forest.cut(source)
	}
	h := &r.heads[uint32(target)]
	if h.count == 0 {
		return
	}
	l := r.links[source]
	if l.previous != 0 {
		r.links[l.previous-1].next = l.next
	} else {
		h.first = l.next
	}
	if l.next != 0 {
		r.links[l.next-1].previous = l.previous
	} else {
		h.last = l.previous
	}
	h.count--
}

// unlinkColumns takes e, at row of t, out of the lists of all its targets among these columns.
func (t *Table) unlinkColumns(e Entity, row int, columns []*Column) {
	for _, c := range columns {
		t.world.beforeRelation(c.info.relation)
		c.info.relation.unlink(uint32(e), *(*Entity)(c.at(row)))
	}
}

// endTarget ends all relations to a dying entity. Sources that die with it are pushed on the stack, so that the first related is on top;
// the others lose the relation.
func (w *World) endTarget(e Entity, stack []Entity) []Entity {
	if w.journal != nil {
		for _, place := range w.targets.list(nil, uint32(e)) {
			w.journal.relation(w.relations[place])
		}
	}
	w.marked = w.targets.take(w.marked[:0], uint32(e))
	w.work += uint64(len(w.marked))
	for _, place := range w.marked {
		r := w.relations[place]
		h := r.head(uint32(e))
		if h.count == 0 {
			continue
		}
		if r.cascade {
			for at := h.last; at != 0; at = r.links[at-1].previous {
				stack = append(stack, makeEntity(at-1, w.slots.all[at-1].meta&generationMask))
			}
			r.heads[uint32(e)] = relationHead{}
			continue
		}
		for r.heads[uint32(e)].count > 0 {
			w.work++
			source := r.heads[uint32(e)].first - 1
			sl := &w.slots.all[source]
			w.migrate(makeEntity(source, sl.meta&generationMask), sl, w.tables[sl.table].takingAway([]ComponentID{r.info.id}))
		}
	}
	return stack
}
