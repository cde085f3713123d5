package ecs

import (
	"fmt"
	"slices"
)

// Alive reports whether e lives. A handle that commands reserved is not alive until they are applied.
func (w *World) Alive(e Entity) bool { return w.slots.find(e) != nil }

// Spawn makes an entity with these components at their defaults, directly in the table it belongs to; no components are legal. A name
// given twice counts once. Errors: [ErrLocked], [ErrUnknown], [ErrLimit].
func (w *World) Spawn(ids ...ComponentID) (Entity, error) {
	var buf [16]ComponentID
	sorted, err := w.sortIDs("spawn", buf[:0], ids)
	if err != nil {
		return None, err
	}
	if w.locks != 0 {
		return None, fail("spawn", None, "", ErrLocked)
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
	return e, nil
}

// room reports ErrLimit when n more entities are too many.
func (w *World) room(n int) error {
	if n > w.options.MaxEntities-w.living-w.pending {
		return fail("spawn", None, "", fmt.Errorf("%w: %d entities", ErrLimit, w.options.MaxEntities))
	}
	return nil
}

// place makes a reserved handle live in t, with every component at its default.
func (w *World) place(e Entity, t *Table) int {
	row := len(t.entities)
	if row == t.capacity {
		t.extend()
	}
	t.entities = t.entities[:row+1]
	t.entities[row] = e
	w.slots.settle(e, t.id, uint32(row))
	w.living++
	gainAll(t.columns, row, w.now)
	return row
}

// Despawn ends an entity: false when it was dead already. The last row of its table takes its place. Error: [ErrLocked].
func (w *World) Despawn(e Entity) (bool, error) {
	if w.locks != 0 {
		return false, fail("despawn", e, "", ErrLocked)
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	if sl.meta&slotTarget != 0 {
		w.despawn(e, sl)
	} else {
		w.kill(e, sl)
	}
	return true, nil
}

// despawn ends e and, depth first and each parent before its children, all that dies with it.
func (w *World) despawn(e Entity, sl *slot) {
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

// kill ends one entity that is no target any more.
func (w *World) kill(e Entity, sl *slot) {
	t, row := w.tables[sl.table], int(sl.row)
	if w.journal != nil {
		w.journal.removes(t, row, row+1)
	}
	if sl.meta&slotTagged != 0 || len(t.targets) > 0 || len(w.tracked) > 0 {
		w.detach(e, sl, t, row)
	}
	w.slots.releaseSlot(sl, uint32(e))
	w.dropRow(t, row)
	w.living--
}

// untie takes an entity that ends out of tag sets and relations and notes what it loses.
func (w *World) detach(e Entity, sl *slot, t *Table, row int) {
	if sl.meta&slotTagged != 0 {
		w.untag(e)
	}
	if len(t.targets) > 0 {
		t.unlinkColumns(e, row, t.targets)
	}
	if len(w.tracked) > 0 {
		for i := range t.columns {
			if log := t.columns[i].info.lost; log != nil {
				log.add(e, w.Tick())
			}
		}
	}
}

// Add gives e the components it lacks, at their defaults, in one move; it keeps the values it has. It reports false when e is dead, true
// otherwise, also when there was nothing to add (then nothing moves and nothing is stamped). Errors: [ErrLocked], [ErrUnknown].
func (w *World) Add(e Entity, ids ...ComponentID) (bool, error) {
	return w.restructure("add", e, ids)
}

// Remove takes the components away that e has, in one move. It reports false when e is dead, true otherwise, also when it had none of
// them. Errors: [ErrLocked], [ErrUnknown].
func (w *World) Remove(e Entity, ids ...ComponentID) (bool, error) {
	return w.restructure("remove", e, ids)
}

func (w *World) restructure(op string, e Entity, ids []ComponentID) (bool, error) {
	var buf [16]ComponentID
	sorted, err := w.sortIDs(op, buf[:0], ids)
	if err != nil {
		return false, err
	}
	if w.locks != 0 {
		return false, fail(op, e, w.list(sorted), ErrLocked)
	}
	sl := w.slots.find(e)
	if sl == nil {
		return false, nil
	}
	t := w.tables[sl.table]
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
		w.migrate(e, sl, mv)
	}
	return true, nil
}

// sortIDs checks ids and returns them ascending, each once, in buf where they fit.
func (w *World) sortIDs(op string, buf, ids []ComponentID) ([]ComponentID, error) {
	for _, id := range ids {
		if uint(id) >= uint(len(w.components)) {
			return nil, fail(op, None, "", unknown("component", fmt.Sprint(id)))
		}
		if w.components[id].relation != nil && (op == "spawn" || op == "add") {
			return nil, fail(op, None, w.components[id].name, errTarget)
		}
		buf = append(buf, id)
	}
	return sorted(buf), nil
}

// sorted brings ids into ascending order, each once, in place.
func sorted(ids []ComponentID) []ComponentID {
	if len(ids) < 2 {
		return ids
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Has reports whether e lives and has all of these components, its own or shared through [IsA].
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

// TableOf returns the table and row of a living entity, nil when it is dead. Valid until the next structural change.
func (w *World) TableOf(e Entity) (t *Table, row int) {
	sl := w.slots.find(e)
	if sl == nil {
		return nil, 0
	}
	return w.tables[sl.table], int(sl.row)
}

// ComponentsOf returns the components of e in ascending order, nil when it is dead or has none. Do not change the slice.
func (w *World) ComponentsOf(e Entity) []ComponentID {
	t, _ := w.TableOf(e)
	if t == nil {
		return nil
	}
	return t.ids
}

// Reserve makes room for n more entities with exactly these components, so that spawning them allocates nothing. Errors: [ErrLocked],
// [ErrUnknown], [ErrLimit] when the world or the table cannot take so many; then nothing happened.
func (w *World) Reserve(n int, ids ...ComponentID) error {
	sorted, err := w.sortIDs("reserve", nil, ids)
	if err != nil {
		return err
	}
	if w.locks != 0 {
		return fail("reserve", None, "", ErrLocked)
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

// Shrink gives back the memory of rows no table uses.
func (w *World) Shrink() error {
	if w.locks != 0 {
		return fail("shrink", None, "", ErrLocked)
	}
	for _, t := range w.tables {
		if t.capacity > len(t.entities) {
			t.resize(len(t.entities))
		}
	}
	return nil
}
