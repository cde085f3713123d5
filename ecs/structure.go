package ecs

import (
	"slices"
)

// This file has the structural changes of single entities: spawn, despawn, add, remove. Each checks its arguments,
// makes room, tells the journal, and then changes the world; nothing fails after the first change. While a query
// loop is open, all of them return ErrLocked; commands.go is the way to make changes from inside of a loop.

// Alive reports whether e is alive. A handle that a queued spawn has returned is not alive until the commands are
// applied.
func (w *World) Alive(e Entity) bool { return w.slots.find(e) != nil }

// Spawn makes an entity with these components at their defaults, directly in its table. There may be no
// components; a component that is given twice counts once. Errors: [ErrLocked], [ErrUnknown], [ErrLimit],
// [ErrBytes].
func (w *World) Spawn(ids ...ComponentID) (Entity, error) {
	var buf [16]ComponentID
	sorted, err := w.sortIDs("spawn", buf[:0], ids)
	if err != nil {
		return None, err
	}
	if w.locks != 0 {
		return None, fail("spawn", None, "", w.lockedBy())
	}
	if len(w.tables) == 0 {
		made(false, "World", "ecs.NewWorld")
	}
	t := w.tables[0]
	if len(sorted) > 0 {
		if t, err = t.with(sorted); err != nil {
			return None, fail("spawn", None, "", err)
		}
	}
	if err := w.room(1); err != nil {
		return None, err
	}
	if len(t.entities) == t.capacity {
		if err := t.reserve(1); err != nil {
			return None, fail("spawn", None, "", err)
		}
	}
	if w.journal != nil {
		w.journal.adds(t, 1)
	}
	e := w.slots.take()
	w.place(e, t)
	if !w.quiet(t) {
		w.observers.spawned(t, e)
	}
	return e, nil
}

// room returns ErrEntities if the world cannot take n more entities.
func (w *World) room(n int) error {
	if n > w.options.MaxEntities-w.living-w.pending {
		return fail("spawn", None, "", countError{w.options.MaxEntities, "entity", "entities", ErrEntities})
	}
	return nil
}

// place makes a reserved handle alive in a new row of t, with all components at their defaults and stamped as
// added. It returns the row.
func (w *World) place(e Entity, t *Table) int {
	w.beginChange()
	row := len(t.entities)
	if row == t.capacity {
		t.extend()
	}
	if row == 0 {
		t.occupy()
	}
	t.entities = t.entities[:row+1]
	t.entities[row] = e
	w.slots.settle(e, t.id, uint32(row))
	w.living++
	gainAll(t.columns, row, w.now)
	w.endChange()
	return row
}

// Despawn ends an entity, and its children with it. It reports false if the entity was dead already. The last row
// of its table takes its place. Errors: [ErrLocked], [ErrPrefab].
func (w *World) Despawn(e Entity) (bool, error) {
	if w.locks != 0 {
		return false, fail("despawn", e, "", w.lockedBy())
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if w.isPrefab(e) {
		return false, fail("despawn", e, "", ErrPrefab)
	}
	if w.quietEnd(sl) {
		w.kill(e, sl)
	} else {
		w.despawn(e, sl)
	}
	return true, nil
}

// despawn ends e and everything that dies with it, depth first, each parent before its children. It uses a stack
// of its own, so deep trees do not exhaust Go's.
func (w *World) despawn(e Entity, sl *slot) {
	if w.observers != nil && !w.quietEnd(sl) && w.observers.ending(e, sl) {
		sl = w.slots.find(e)
	}
	if sl.meta&slotTarget == 0 {
		w.kill(e, sl)
		return
	}
	stack := append(w.cascade[:0], e)
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		w.work++
		sl := w.slots.find(e)
		if sl.meta&slotTarget != 0 {
			stack = w.endTarget(e, stack)
			w.slots.targets--
		}
		w.kill(e, sl)
	}
	w.cascade = stack
}

// kill ends one entity that is not the target of any relation: it removes it from tags, lists and its table, and
// releases the slot.
func (w *World) kill(e Entity, sl *slot) {
	w.beginChange()
	t, row := w.tables[sl.table], int(sl.row)
	if w.journal != nil {
		w.journal.removes(t, row, row+1)
	}
	if sl.meta&slotTagged != 0 || len(t.targets) > 0 || len(w.tracked) > 0 {
		w.detach(e, sl, t, row)
	}
	if len(w.indexes) > 0 {
		w.unindex(e, t)
	}
	w.slots.releaseSlot(sl, uint32(e))
	w.dropRow(t, row)
	w.living--
	w.endChange()
}

// detach removes a dying entity from tag sets and lists of sources, and logs the components that it loses.
func (w *World) detach(e Entity, sl *slot, t *Table, row int) {
	if sl.meta&slotTagged != 0 {
		w.untag(e)
	}
	if len(t.targets) > 0 {
		t.unlinkColumns(e, row, t.targets)
	}
	if len(w.tracked) > 0 && !t.prefab {
		for i := range t.columns {
			if log := t.columns[i].info.lost; log != nil {
				log.add(e, w.Tick())
			}
		}
	}
}

// Add adds the components that e lacks, at their defaults, in one move. Components that it has keep their values.
// It reports false if e is dead. If there is nothing to add, it reports true, and no row is moved or stamped.
// Errors: [ErrLocked], [ErrUnknown], [ErrBytes].
func (w *World) Add(e Entity, ids ...ComponentID) (bool, error) {
	return w.restructure("add", e, ids)
}

// Remove removes those of the components that e has, in one move. It reports false if e is dead. If there is
// nothing to remove, it reports true. Errors: [ErrLocked], [ErrUnknown], [ErrBytes], and [ErrPrefab] for ChildOf or IsA of a prefab.
func (w *World) Remove(e Entity, ids ...ComponentID) (bool, error) {
	return w.restructure("remove", e, ids)
}

// restructure is the common part of Add and Remove; op says which.
func (w *World) restructure(op string, e Entity, ids []ComponentID) (bool, error) {
	if len(ids) == 1 && w.locks == 0 && w.one(e, ids[0], op == "add") {
		return true, nil
	}
	var buf [16]ComponentID
	sorted, err := w.sortIDs(op, buf[:0], ids)
	if err != nil {
		return false, err
	}
	if w.locks != 0 {
		return false, fail(op, e, w.list(sorted), w.lockedBy())
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	t := w.tables[sl.table]
	if t.prefab && w.fixes(sorted) {
		return false, fail(op, e, w.list(sorted), ErrPrefab)
	}
	var mv *move
	if op == "add" {
		mv = t.adding(sorted)
	} else {
		mv = t.removing(sorted)
	}
	if mv != nil {
		if err := mv.ask(w); err != nil {
			return false, fail(op, e, w.list(sorted), err)
		}
		w.shift(e, sl, mv)
	}
	return true, nil
}

// sortIDs checks ids and returns them in ascending order without duplicates, in buf if they fit. Relations cannot
// be spawned or added without a target. op is for errors.
func (w *World) sortIDs(op string, buf, ids []ComponentID) ([]ComponentID, error) {
	for _, id := range ids {
		if uint(id) >= uint(len(w.components)) {
			return nil, fail(op, None, "", unknownID("component", id))
		}
		if w.components[id].relation != nil && (op == "spawn" || op == "add") {
			return nil, fail(op, None, w.components[id].name, errTarget)
		}
		buf = append(buf, id)
	}
	return sorted(buf), nil
}

// one adds or removes one component by a move that was made before. Otherwise it reports false, and has done nothing.
func (w *World) one(e Entity, id ComponentID, add bool) bool {
	sl := w.slots.find(e)
	if sl == nil {
		return false
	}
	mv := w.tables[sl.table].step(id, add)
	if mv == nil || add && w.components[id].relation != nil || mv.ask(w) != nil {
		return false
	}
	w.shift(e, sl, mv)
	return true
}

// sorted sorts ids in place, removes duplicates, and returns the result.
func sorted(ids []ComponentID) []ComponentID {
	if len(ids) < 2 {
		return ids
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Has reports whether e is alive and has all of these components, its own or shared through [IsA]. It is false for
// an id that is not declared.
func (w *World) Has(e Entity, ids ...ComponentID) bool {
	sl := w.slots.find(e)
	if sl == nil {
		return false
	}
	for _, id := range ids {
		if uint(id) >= uint(len(w.components)) {
			return false
		}
		if !w.tables[sl.table].mask.has(id) {
			if col, _ := w.shared(w.components[id], sl); col == nil {
				return false
			}
		}
	}
	return true
}

// TableOf returns the table and row of an entity, nil if it is dead. They are valid until the next structural
// change.
func (w *World) TableOf(e Entity) (t *Table, row int) {
	sl := w.slots.find(e)
	if sl == nil {
		return nil, 0
	}
	return w.tables[sl.table], int(sl.row)
}

// ComponentsOf returns the entity's own components in ascending order, nil if it is dead or has none. Do not
// change the slice.
func (w *World) ComponentsOf(e Entity) []ComponentID {
	t, _ := w.TableOf(e)
	if t == nil {
		return nil
	}
	return t.ids
}

// Reserve makes room for n more entities with exactly these components, so that spawning them allocates nothing.
// Errors: [ErrLocked], [ErrUnknown], and [ErrLimit] if the world or the table cannot take so many; then nothing
// has changed.
func (w *World) Reserve(n int, ids ...ComponentID) error {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
	sorted, err := w.sortIDs("reserve", nil, ids)
	if err != nil {
		return err
	}
	if w.locks != 0 {
		return fail("reserve", None, "", w.lockedBy())
	}
	n = max(n, 0)
	if err := w.room(n); err != nil {
		return err
	}
	t, err := w.tables[0].with(sorted)
	if err == nil {
		err = t.reserve(n)
	}
	if err != nil {
		return fail("reserve", None, w.list(sorted), err)
	}
	w.slots.reserve(len(w.slots.all) + max(0, n-len(w.slots.free)))
	return nil
}

// Shrink reduces the memory of each table to its rows. Error: [ErrLocked].
func (w *World) Shrink() error {
	if w.locks != 0 {
		return fail("shrink", None, "", w.lockedBy())
	}
	w.beginChange()
	defer w.endChange()
	for _, t := range w.tables {
		if t.capacity > len(t.entities) {
			t.resize(len(t.entities))
		}
	}
	return nil
}
