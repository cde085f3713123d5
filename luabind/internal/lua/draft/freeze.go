package draft

import "github.com/ecsrun/ecsrun/ecs"

// MostEntries is the largest number of entries of a value that is stored, including those of nested tables.
const MostEntries = 1<<20 - 1

// Freeze returns the content of the table as plain data, which can be stored. Tables that have not changed since
// they were read or frozen are not copied. The table itself can be changed further, which does not change the data.
// ok is false if the interpreter has to do it, because it raises an error, or stores some of the values in another
// way than they were read.
func (t *Table) Freeze() (d *ecs.Data, ok bool) {
	t.pool.freeze++
	if !t.freezeIn(1) || t.from.Levels() > ecs.MaxDataDepth || t.from.Total() > MostEntries || ecs.Raw.Foreign(t.from) {
		return nil, false
	}
	return t.from, true
}

// freezeIn sets t.from to the content. depth is the number of tables around it, and 1 more.
func (t *Table) freezeIn(depth int) (ok bool) {
	if t.frozen == t.pool.freeze && !t.freezing {
		return true
	}
	if t.freezing || depth > ecs.MaxDataDepth {
		return false // the table contains itself, or is nested too deeply
	}
	t.freezing = true
	for i, kid := range t.kids {
		if kid == nil {
			continue
		}
		if !kid.freezeIn(depth + 1) {
			return false
		}
		if old := t.own[i].Data(); old != kid.from {
			t.change(0)
			t.own[i] = ecs.TableOf(kid.from)
			t.reshaped = t.reshaped || !ecs.Raw.SameSize(old, kid.from)
		}
	}
	t.freezing = false
	if t.changed {
		t.pool.Copied += int64(len(t.own))
		t.from = t.stored()
		t.own, _, t.keys = ecs.Raw.Content(t.from)
		t.ownKeys, t.room, t.changed = false, nil, false
	}
	t.frozen = t.pool.freeze
	return true
}

// stored returns the content of a changed table as data. That is the memory that the content is in, unless too much of it
// would be empty.
func (t *Table) stored() *ecs.Data {
	n := len(t.own)
	switch {
	case n == 0:
		return nil
	case t.room == nil:
		t.spare = t.own[:0]
	case !t.reshaped:
		return ecs.Raw.FillAs(t.room, t.own, t.from)
	case cap(t.own)-n <= n/4+1:
		return ecs.Raw.Fill(t.room, t.own, t.items, t.lastingKeys())
	}
	return ecs.Raw.DataOf(t.own, t.items, t.lastingKeys())
}
