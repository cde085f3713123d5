package ecs

import (
	"slices"
	"unsafe"
)

// A Bundle is a prepared set of components. It keeps the table of exactly these components and, by source table,
// the moves that add or remove the set, so that repeated operations do not search for them. A Bundle belongs to
// its world and stays valid as long as the world.
type Bundle struct {
	world  *World
	ids    []ComponentID
	table  *Table  // of exactly these components
	add    []*move // by source table; nil until first used
	remove []*move
	addSet []bool // by source table: whether the entry of add is known; nil is a valid move
	remSet []bool

	restored uint64 // World.restored when the tables were found
}

// Bundle prepares a set of components; a component that is given twice counts once. Errors: [ErrUnknown],
// [ErrBytes].
func (w *World) Bundle(ids ...ComponentID) (*Bundle, error) {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	w.mustBeAlone()
	sorted, err := w.sortIDs("spawn", nil, ids)
	if err != nil {
		return nil, err
	}
	t, err := w.tables[0].with(sorted)
	if err != nil {
		return nil, fail("spawn", None, "", err)
	}
	return &Bundle{world: w, ids: sorted, table: t, restored: w.restored}, nil
}

// renew finds the tables again if the world was restored since, because a restore removes tables that were made
// after the copy. Error: [ErrBytes].
func (b *Bundle) renew() error {
	if b.restored == b.world.restored {
		return nil
	}
	return b.findAgain()
}

// findAgain is the cold path of renew.
func (b *Bundle) findAgain() error {
	w := b.world
	t, err := w.tables[0].with(b.ids)
	if err != nil {
		return err
	}
	clear(b.addSet)
	clear(b.remSet)
	b.table, b.restored = t, w.restored
	return nil
}

// Components returns the set, ascending. Do not change it.
func (b *Bundle) Components() []ComponentID { return b.ids }

// Spawn makes an entity with these components at their defaults. Errors: [ErrLocked], [ErrLimit], [ErrBytes].
func (b *Bundle) Spawn() (Entity, error) {
	made(b.world != nil, "Bundle", "World.Bundle")
	w := b.world
	if w.locks != 0 {
		return None, fail("spawn", None, "", w.lockedBy())
	}
	if w.living+w.pending >= w.options.MaxEntities {
		return None, w.room(1)
	}
	if err := b.renew(); err != nil {
		return None, fail("spawn", None, "", err)
	}
	if t := b.table; len(t.entities) == t.capacity {
		if err := t.reserve(1); err != nil {
			return None, fail("spawn", None, "", err)
		}
	}
	if w.journal != nil {
		w.journal.adds(b.table, 1)
	}
	e := w.slots.take()
	w.place(e, b.table)
	if !w.quiet(b.table) {
		w.observers.spawned(b.table, e)
	}
	return e, nil
}

// SpawnMany makes n entities. If init is not nil, it is called once with their table and the rows from..to-1,
// which have their defaults and are stamped as added; it can fill whole columns. Structure is locked during init.
// SpawnMany returns the entities in row order, in a new list; [Bundle.SpawnRows] makes no list. Errors:
// [ErrLocked], [ErrLimit], [ErrBytes]; then no entity was made.
func (b *Bundle) SpawnMany(n int, init func(t *Table, from, to int)) ([]Entity, error) {
	from, err := b.SpawnRows(n, init)
	if err != nil {
		return nil, err
	}
	return slices.Clone(b.table.entities[from:]), nil
}

// SpawnRows is [Bundle.SpawnMany] for callers that do not need the entities. It returns the first row, and
// allocates only if the table has to grow.
func (b *Bundle) SpawnRows(n int, init func(t *Table, from, to int)) (first int, err error) {
	made(b.world != nil, "Bundle", "World.Bundle")
	w := b.world
	if w.locks != 0 {
		return 0, fail("spawn", None, "", w.lockedBy())
	}
	if err := b.renew(); err != nil {
		return 0, fail("spawn", None, "", err)
	}
	t := b.table
	if n < 0 {
		n = 0
	}
	if err := w.room(n); err != nil {
		return 0, err
	}
	if err := t.reserve(n); err != nil {
		return 0, fail("spawn", None, "", err)
	}
	from := w.claim(t, n)
	for i := range t.columns {
		c := &t.columns[i]
		c.fillDefault(from, from+n)
		c.stampAddedRange(from, from+n, w.now)
	}
	if init != nil {
		w.initRows(init, t, from, from+n)
	}
	if w.observers != nil {
		w.observers.spawnedRows(t, from, from+n)
	}
	return from, nil
}

// initRows calls init, with structure locked.
func (w *World) initRows(init func(t *Table, from, to int), t *Table, from, to int) {
	w.locks++
	defer w.unlock(w.hold)
	init(t, from, to)
}

// claim appends n living entities to t and returns their first row. It takes free slots first, last freed first,
// and then new ones. The table must have room. The caller sets values and stamps.
func (w *World) claim(t *Table, n int) int {
	w.beginChange()
	defer w.endChange()
	if w.journal != nil {
		w.journal.adds(t, n)
	}
	from := len(t.entities)
	t.entities = t.entities[:from+n]
	t.occupy()
	rows, s := t.entities[from:], &w.slots
	reused := min(n, len(s.free))
	s.reuse(rows[:reused], t.id, uint32(from))
	if need := len(s.all) + n - reused; need > cap(s.all) {
		s.reserve(max(need, len(s.all)+len(s.all)/4))
	}
	for i := reused; i < n; i++ {
		rows[i] = makeEntity(uint32(len(s.all)), 1)
		if s.log != nil {
			s.log.note(uint32(len(s.all)), slot{}, slotGrown)
		}
		s.all = append(s.all, slot{meta: 1, table: t.id, row: uint32(from + i)})
	}
	w.living += n
	return from
}

// fillDefault writes the default row into rows from..to-1. Rows that are all zero are cleared; rows without
// pointers are copied in doubling steps; rows with pointers are written one by one.
func (c *Column) fillDefault(from, to int) {
	switch {
	case c.size == 0 || from == to:
	case c.zero:
		clear(unsafe.Slice((*byte)(c.at(from)), uintptr(to-from)*c.size))
	case c.info.schema.pointerFree:
		rows := unsafe.Slice((*byte)(c.at(from)), uintptr(to-from)*c.size)
		for n := copy(rows, c.info.schema.defaults); n < len(rows); n *= 2 {
			copy(rows[n:], rows[:n])
		}
	default:
		for i := from; i < to; i++ {
			c.info.schema.setDefault(c.at(i))
		}
	}
}

// Add adds those components of the set that e lacks, in one move. Results and errors are those of [World.Add].
func (b *Bundle) Add(e Entity) (bool, error) {
	made(b.world != nil, "Bundle", "World.Bundle")
	return b.restructure("add", e, &b.add, &b.addSet, (*Table).adding)
}

// Remove removes those components of the set that e has, in one move. Results and errors are those of
// [World.Remove].
func (b *Bundle) Remove(e Entity) (bool, error) {
	made(b.world != nil, "Bundle", "World.Bundle")
	return b.restructure("remove", e, &b.remove, &b.remSet, (*Table).removing)
}

// restructure is the common part of Add and Remove. moves and known are the cache of b for the operation, by
// source table; plan finds a move that is not yet known. It reports false without an error if e is dead.
func (b *Bundle) restructure(op string, e Entity, moves *[]*move, known *[]bool, plan func(*Table, []ComponentID) *move) (bool, error) {
	w := b.world
	if w.locks != 0 {
		return false, fail(op, e, w.list(b.ids), w.lockedBy())
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if err := b.renew(); err != nil {
		return false, fail(op, e, w.list(b.ids), err)
	}
	for int(sl.table) >= len(*known) {
		*known = append(*known, false)
		*moves = append(*moves, nil)
	}
	if !(*known)[sl.table] {
		mv := plan(w.tables[sl.table], b.ids)
		if mv == noRoom {
			return false, fail(op, e, w.list(b.ids), mv.ask(w))
		}
		(*moves)[sl.table], (*known)[sl.table] = mv, true
	}
	if mv := (*moves)[sl.table]; mv != nil {
		if err := mv.ask(w); err != nil {
			return false, fail(op, e, w.list(b.ids), err)
		}
		w.shift(e, sl, mv)
	}
	return true, nil
}

// A Builder collects components with values, and tags, and then spawns an entity directly into its table, so that
// no row moves. It can be used again after each Spawn. A builder that has been used once allocates nothing.
type Builder struct {
	world *World
	ids   []ComponentID
	tags  []TagID
	queue *Commands // holds the values
	refs  []builderValue
}

// A builderValue is a typed value that waits in the builder's queue.
type builderValue struct {
	info *component
	at   uint32 // index of the value among those of its component, in queue.values
}

// Build returns an empty builder.
func (w *World) Build() *Builder { return &Builder{world: w, queue: newCommands(w)} }

// With adds a component at its defaults.
func (b *Builder) With(ids ...ComponentID) *Builder {
	b.ids = append(b.ids, ids...)
	return b
}

// Tag adds a tag. Panics for an id this world never gave out.
func (b *Builder) Tag(ids ...TagID) *Builder {
	for _, id := range ids {
		b.world.tag(id)
	}
	b.tags = append(b.tags, ids...)
	return b
}

// With adds the component with a value to a builder and returns the builder. Panics for a builder of another world.
func (c Component[T]) With(b *Builder, v T) *Builder {
	made(c.info != nil, "Component", "ecs.Register")
	given(b != nil, "Component.With", "a builder")
	c.world.mustBe(b.world)
	p, at := b.queue.store(c.info)
	*(*T)(p) = v
	b.refs = append(b.refs, builderValue{c.info, at})
	b.ids = append(b.ids, c.info.id)
	return b
}

// Spawn makes the entity and empties the builder. Errors are as for [World.Spawn].
func (b *Builder) Spawn() (Entity, error) {
	made(b.world != nil, "Builder", "World.Build")
	b.world.holdReports()
	defer b.world.releaseReports()
	e, err := b.world.Spawn(b.ids...)
	if err == nil {
		for _, v := range b.refs {
			sl := b.world.slots.find(e)
			col := v.info.column(sl.table)
			v.info.schema.copyRow(col.at(int(sl.row)), unsafe.Add(b.queue.values[v.info.id].base, uintptr(v.at)*v.info.schema.size)) // stamped by Spawn
		}
		for _, t := range b.tags {
			b.world.Tag(e, t)
		}
	}
	b.ids, b.tags, b.refs = b.ids[:0], b.tags[:0], b.refs[:0]
	b.queue.reset()
	return e, err
}
