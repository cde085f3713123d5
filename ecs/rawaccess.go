package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// Raw gives access to the memory of a world: walks without types, addresses, layouts, reserved room, and ways to undo changes. It is
// for hosts of scripts and for compilers of loops. Other programs do not need it.
var Raw RawAccess

// A RawAccess has the methods of [Raw]. They check less than other methods; the caller must observe what each
// method says about validity.
type RawAccess struct{}

// Walks by term instead of by Go type, for components that are known at run time only.

// Begin opens a walk over a query. Its conditions Changed and Added select what others have done since the running
// system last ran ([World.Since]); of several writes to a row the last one counts. Structure is locked until
// [Cursor.End].
//
// The first [Cursor.Next] decides for all rows whether the walk visits them. Rows that are written or tagged during
// the walk do not change this decision.
func (RawAccess) Begin(q *Query) Cursor { return q.begin() }

// BeginTarget opens a walk over those sources of a relation's target that match the query, in the order in which
// they were related. If the target is dead, there are none. The walk costs O(sources), no matter how many entities
// there are. Error: [ErrUnknown] if id is not a relation.
func (RawAccess) BeginTarget(q *Query, id RelationID, target Entity) (Cursor, error) {
	return q.beginTarget(id, target)
}

// Memory: addresses and layouts. They are valid until the next structural change; those of a tag until
// it is next set, those of a grid until its next use.

// Slots returns the n slots. The slot of an entity has the lower 32 bits of the handle as its index; an index of n
// or more means that the entity is dead.
func (RawAccess) Slots(w *World) (base unsafe.Pointer, n int) {
	return unsafe.Pointer(unsafe.SliceData(w.slots.all)), len(w.slots.all)
}

// TagPages returns how many pages of entries a tag has, and a number that changes whenever a page is made or freed.
func (RawAccess) TagPages(w *World, id TagID) (n int, made uint64) {
	s := w.tag(id)
	return len(s.sparse.pages) - 1, s.sparse.made
}

// TagPage returns the address of a page of the entries of a tag, nil if no entity of its slots has ever had the tag.
// The entity of a slot has the tag if entry slot % (1 << TagPageShift) of page slot >> TagPageShift exists, and its
// generation is the upper half of the handle. Panics if there is no such page.
func (RawAccess) TagPage(w *World, id TagID, page int) unsafe.Pointer {
	p := &w.tag(id).sparse
	if p.pages[page] == p.none {
		return nil
	}
	return unsafe.Pointer(p.pages[page])
}

// Entities returns the address of the handles of a table's rows, Len() of them.
func (RawAccess) Entities(t *Table) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(t.entities))
}

// Capacity returns the number of rows for which the table has memory before its columns move, at least Len().
func (RawAccess) Capacity(t *Table) int { return t.capacity }

// Column returns the address of row 0 and the bytes from one row to the next. [Schema.Fields] has the layout of a
// row. Both are valid until the next structural change. Call [World.BeforeWrite] before a write. A write stamps
// nothing: call [Column.Stamp]. Only fields of numbers, booleans and entities may be written, in rows 0 to
// Len()-1.
func (RawAccess) Column(c *Column) (base unsafe.Pointer, stride uintptr) { return c.base, c.size }

// Row returns the address of the row, nil for the zero Row. The rules of [RawAccess.Column] for writes apply.
func (RawAccess) Row(r Row) unsafe.Pointer { return r.ptr }

// PointsInReach returns how many points lie in the cells that [Grid.Near] would visit. Cost: a few loads for each
// row of cells.
func (RawAccess) PointsInReach(g *Grid, x, y, radius float64) (n int) {
	s := g.Search(x, y, radius)
	for row := s.row; row <= s.last; row++ {
		n += int(g.starts[row*g.cols+s.x1+1] - g.starts[row*g.cols+s.x0])
	}
	return n
}

// Grid returns the snapshot that [Grid.Near] would use now, and takes one if Near would. The cell column of x is
// (x-MinX)/Cell, truncated and limited to 0..Cols-1, and 0 for NaN; likewise the cell row of y. Dead entities stay
// in a snapshot until the next one.
func (RawAccess) Grid(g *Grid) RawGrid {
	_ = g.Ready() // if there is no room for a snapshot, it is empty
	return RawGrid{
		Points: unsafe.Pointer(unsafe.SliceData(g.points)), Starts: unsafe.Pointer(unsafe.SliceData(g.starts)), N: len(g.points),
		Cols: g.cols, Rows: g.rows, MinX: g.minX, MinY: g.minY, Cell: g.cell, Taken: g.taken,
	}
}

// Layer returns where the cells of a layer are.
func (RawAccess) Layer(l *AnyLayer) RawLayer { return RawLayer{l.cells, unsafe.Pointer(&l.open[0])} }

// CellNumber returns the number in a cell of a layer of numbers. There must be such a cell.
func (RawAccess) CellNumber(l *AnyLayer, cell int) float64 {
	return loadNumber(l.at(cell), l.spec.Type)
}

// Places returns where the lists of an index with a size are: by place the first entity, and the last slot with how many entities there are. Both
// addresses stay as long as the world. See [RawAccess.Moved].
func (RawAccess) Places(x *Index) (first, ends unsafe.Pointer) {
	return unsafe.Pointer(unsafe.SliceData(x.heads)), unsafe.Pointer(unsafe.SliceData(x.ends))
}

// IndexPages returns how many pages of entries an index has, and a number that changes whenever a page is made or freed.
func (RawAccess) IndexPages(x *Index) (n int, made uint64) {
	return len(x.entries.pages) - 1, x.entries.made
}

// IndexPage returns the address of a page of entries of an index, nil if no entity of its slots has been in a place. Panics if there is no such
// page.
func (RawAccess) IndexPage(x *Index, page int) unsafe.Pointer {
	if x.entries.pages[page] == x.entries.none {
		return nil
	}
	return unsafe.Pointer(x.entries.pages[page])
}

// IndexEntry returns the address of the entry of a slot, nil if its page does not exist.
func (RawAccess) IndexEntry(x *Index, slot uint32) unsafe.Pointer {
	if !x.entries.has(slot) {
		return nil
	}
	return unsafe.Pointer(x.entries.at(slot))
}

// Behind returns the entity that follows that of a slot at its place of an index, [None] for the last one and for who is in no place.
func (RawAccess) Behind(x *Index, slot uint32) Entity { return x.bySlot(x.entries.at(slot).next) }

// Moved must be called after code has moved the entity of a slot to another place of an index with a size, in the memory of [RawAccess.Places] and
// [RawAccess.IndexPage], once for each move and in their order. place and previous are what its entry said before.
func (RawAccess) Moved(x *Index, slot, place, previous uint32) {
	if j := x.world.journal; j != nil {
		j.index(x, slot, indexEntry{place: place, previous: previous})
	}
	x.wrote = x.world.Tick()
}

// Reindex builds all indexes anew: their entities arrive in the order of tables and rows.
func (RawAccess) Reindex(w *World) {
	for _, x := range w.indexes {
		for slot, at := range x.entries.all {
			if at.place != 0 {
				x.takeOut(uint32(slot))
			}
		}
		x.sync(false)
	}
}

// DifferentPlaces returns an error if entities are at other places of two indexes with the same spec, or there in another order. Their worlds must
// have the same entities.
func (RawAccess) DifferentPlaces(a, b *Index) error {
	for i, x := range [...]*Index{a, b} {
		other := [...]*Index{b, a}[i]
		for slot, at := range x.entries.all {
			if o := other.entries.at(uint32(slot)); *at != *o {
				return fmt.Errorf("index %q: the entity in slot %d is at place %d behind slot %d, not at %d behind %d", x.spec.Name, slot, at.place, at.previous, o.place, o.previous)
			}
		}
	}
	return nil
}

// OpenCell must be called before code writes a cell through its address in a turn, unless the byte of its page is 1.
func (RawAccess) OpenCell(l *AnyLayer, cell int) { l.before(cell, cell+1) }

// ObserverCalls returns how many observers have been called.
func (RawAccess) ObserverCalls(w *World) uint64 {
	if w.observers == nil {
		return 0
	}
	return w.observers.made
}

// Layout returns a number that changes whenever a table is made or a column moves. What [RawAccess.Column]
// returned is valid as long as it is the same.
func (RawAccess) Layout(w *World) uint64 { return w.layout }

// Finder returns the finder of a component. Panics for an id that this world has not declared.
func (RawAccess) Finder(w *World, id ComponentID) Finder { return Finder{w, w.component(id)} }

// Defaults returns the bytes of a row whose fields all have their defaults, nil for a schema with strings or
// tables. Do not change them.
func (RawAccess) Defaults(s *Schema) []byte { return s.defaults }

// Events and handles: appending without checks, and handles that are known in advance.

// AppendEvent appends an event with all fields at their defaults and returns its row. The caller fills it in
// before anything else is sent. The values are not checked.
func (RawAccess) AppendEvent(w *World, id EventID) Row {
	l := w.event(id)
	p := l.grow()
	l.schema.setDefault(p)
	return Row{schema: l.schema, ptr: p}
}

// AppendRow appends a copy of the row at p, which has the layout of [World.EventSchema], as an event. The values
// are not checked.
func (RawAccess) AppendRow(w *World, id EventID, p unsafe.Pointer) {
	l := w.event(id)
	l.schema.copyRow(l.grow(), p)
}

// Upcoming returns the handle that the reservation after the next n ones will get ([Commands.Spawn],
// [World.Spawn]), provided that nothing is despawned or dropped until then.
func (RawAccess) Upcoming(w *World, n int) Entity {
	s := &w.slots
	if i := len(s.free) - 1 - n; i >= 0 {
		index := s.free[i]
		return makeEntity(index, s.all[index].meta&generationMask)
	}
	return makeEntity(uint32(len(s.all)+n-len(s.free)), 1)
}

// MayRelate returns the error that [World.Relate] would return for living entities: [ErrDead] for the target, [ErrCycle] and [ErrDepth]. e is
// [None] for an entity that is going to be spawned. It does not look at limits of memory. Panics for an id that this world has not declared as a
// relation.
func (RawAccess) MayRelate(w *World, id RelationID, e, target Entity) error {
	return w.checkTarget(w.component(id).relation, e, target)
}

// Acyclic reports whether a relation may not lead from an entity back to itself: [ChildOf] and [IsA].
func (RawAccess) Acyclic(w *World, id RelationID) bool { return w.component(id).relation.acyclic }

// IsPrefab reports whether a living entity is one of a prefab: then not every change of it is allowed.
func (RawAccess) IsPrefab(w *World, e Entity) bool { return w.isPrefab(e) }

// IsTarget reports whether a living entity is, or was, the target of a relation: then a change of it may change what is seen of others.
func (RawAccess) IsTarget(w *World, e Entity) bool {
	sl := w.slots.find(e)
	return sl != nil && sl.meta&slotTarget != 0
}

// IsBase reports whether a living entity is, or was, the target of [IsA]: then its components may be seen in others.
func (r RawAccess) IsBase(w *World, e Entity) bool {
	return w.isA != nil && r.IsTarget(w, e) && w.isA.marked.has(e.Index(), w.isA.bit)
}

// Room returns how many more entities the world can take. Entities that queued commands have reserved count as
// taken.
func (RawAccess) Room(w *World) int { return max(0, w.options.MaxEntities-w.living-w.pending) }

// Bounds, for callers that cannot undo their changes, or that charge for the work of others.

// BytesLeft returns the number of bytes by which the world may still grow, [math.MaxUint64] if there is no limit.
func (RawAccess) BytesLeft(w *World) uint64 {
	if w.options.MaxBytes == 0 {
		return math.MaxUint64
	}
	return w.options.MaxBytes - min(w.options.MaxBytes, w.Bytes()+w.structure)
}

// EventsLeft returns how many more events [Options.MaxEvents] lets the world keep, [math.MaxInt] without a limit.
func (RawAccess) EventsLeft(w *World) int {
	left := w.options.MaxEvents
	if left <= 0 {
		return math.MaxInt
	}
	for _, l := range w.events {
		left -= l.kept()
	}
	return left
}

// TagsLeft returns how many more tag entries [Options.MaxTags] lets the world have, [math.MaxInt] without a limit.
func (RawAccess) TagsLeft(w *World) int {
	left := w.options.MaxTags
	if left <= 0 {
		return math.MaxInt
	}
	for _, s := range w.tags {
		left -= len(s.dense)
	}
	return left
}

// RoomFor returns [ErrEntities] if the world cannot take n more entities.
func (RawAccess) RoomFor(w *World, n int) error { return w.room(n) }

// ReserveEvents makes room for n more events, so that sending them cannot be refused. Error: an [ErrLimit], of events
// or of bytes.
func (RawAccess) ReserveEvents(w *World, id EventID, n int) error {
	l := w.events[id]
	if err := l.reserve(n); err != nil {
		return fail("send", None, l.name, err)
	}
	return nil
}

// SendBytes returns an upper bound for the bytes by which the world grows if n more events are sent. Callers that
// cannot undo their changes compare it with [RawAccess.BytesLeft].
func (RawAccess) SendBytes(w *World, id EventID, n int) uint64 {
	l := w.events[id]
	if n <= l.free() {
		return 0
	}
	return growth(l.capacity, max(usualEvents(n), int(l.end-l.first)+n), l.schema.size)
}

// TagBytes returns an upper bound for the bytes by which the world grows if n entities get a tag; see
// [RawAccess.SendBytes].
func (RawAccess) TagBytes(w *World, id TagID, n int) uint64 {
	s, slots := w.tags[id], len(w.slots.all)
	most := growth(cap(s.dense), len(s.dense)+n, 8) + s.sparse.growth(n, slots)
	number := uint32(id)
	for _, rows := range w.tagMarks.levels {
		number >>= 6
		most += rows[number].words.growth(n, slots)
	}
	return most
}

// Work returns the steps that the world has taken beyond one per call: entities that died with a parent, relations
// that ended with their target, steps along chains of relations, tags removed from dying entities. The number only
// grows and is the same in every run. It is for callers that charge for the work of others.
func (RawAccess) Work(w *World) uint64 { return w.work }

// SharedSteps returns a bound for the look-ups of bases that a walk needs to decide about its rows: for each row
// of a table whose entities have a base, one more than the terms of the query. Each look-up goes up at most
// [MaxBases] bases. It is for callers that charge for a walk when it begins. It is 0 for a query that does not
// look through [IsA], and costs O(tables).
func (RawAccess) SharedSteps(q *Query) (n int) {
	if !q.inherit {
		return 0
	}
	for i := q.filled(0); i < len(q.matches); i = q.filled(i + 1) {
		if m := &q.matches[i]; m.inherit {
			n += len(m.table.entities) * (1 + len(q.terms))
		}
	}
	return n
}

// Undoing changes as if they had never been made, for callers that try something. Undo the last change first.

// TagPlace returns the index of an entity in [World.TagMembers], -1 if it does not have the tag.
func (RawAccess) TagPlace(s TagSet, e Entity) int {
	if !s.set.has(e) {
		return -1
	}
	return int(s.set.sparse.at(uint32(e)).place)
}

// PutBackTag undoes a Tag or an Untag of the living entity e. place is what TagPlace returned before: at that index it
// gets the tag again, and it loses the tag if place is -1. Nobody is told.
func (RawAccess) PutBackTag(s TagSet, e Entity, place int) {
	s.set.before(e)
	if place < 0 {
		s.set.remove(e)
		return
	}
	s.set.add(e)
	n := len(s.set.dense) - 1
	if place == n {
		return
	}
	moved := s.set.dense[place]
	s.set.dense[place], s.set.dense[n] = e, moved
	s.set.sparse.at(uint32(e)).place, s.set.sparse.at(uint32(moved)).place = uint32(place), uint32(n)
}

// RandomState returns the state of the stream.
func (RawAccess) RandomState(r *Random) RandomState { return r.at }

// PutBackRandom sets the stream to a state that it had before.
func (RawAccess) PutBackRandom(r *Random, s RandomState) { r.at = s }

// Text returns the address of the string that v holds, which must be one. It is valid as long as v, and must not be
// written to. The first two words of such a value are a Go string, on machines of 64 bits.
func (RawAccess) Text(v *Value) *string { return (*string)(unsafe.Pointer(v)) }

// Hold makes reports to observers wait until Release, for an operation that consists of several steps. The result is
// for Release. Between the two nothing may call other code.
func (RawAccess) Hold(w *World) (start int) {
	if w.observers == nil {
		return 0
	}
	w.observers.held++
	return len(w.observers.facts)
}

// Release ends a Hold. If the operation has failed and was undone, done is false, and its reports are dropped.
func (RawAccess) Release(w *World, start int, done bool) {
	if o := w.observers; o != nil && !done {
		clear(o.facts[start:])
		o.facts = o.facts[:start]
	}
	w.releaseReports()
}

// MapPlaces replaces what [Commands.At] has said of the queued commands of a schedule and its world by what to returns for it; 0 stays 0. A host
// that numbers the lines of its scripts does that when it saves them for another process, whose numbers differ.
func (RawAccess) MapPlaces(s *Schedule, to func(place uint16) uint16) {
	one := func(place *uint16) {
		if *place != 0 {
			*place = to(*place)
		}
	}
	in := func(c *Commands) {
		for i := range c.ops {
			one(&c.ops[i].place)
		}
		one(&c.place)
	}
	in(s.world.commands)
	for _, sys := range s.systems {
		in(sys.commands)
	}
}
