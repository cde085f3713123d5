package ecs

import "testing"

// Of blocks that say the stamps of all their rows, such as those that were written whole, only the summaries of their stamps are kept; of others
// the stamps of all rows. Both are taken back.
func TestStampsThatBlocksSayAreNotKept(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(u *undone) // the turn before
		split  int             // the row from which on rows came in another tick; 0: none
		kept   int             // stamps
	}{
		{"written whole", func(u *undone) { u.stampAll() }, 0, 0},
		{"blocks of two ticks", func(u *undone) { u.stampAll() }, 128, 0},
		{"rows of two ticks in a block", func(u *undone) { u.stampAll() }, 127, 200},
		{"one row written", func(u *undone) { u.stampAll(); u.advanceTick(); u.pos.Write(u.es[70]).X = 3 }, 0, 0},
		{"rows of two ticks", func(u *undone) {
			u.stampAll()
			for _, i := range []int{70, 71} {
				u.advanceTick()
				u.pos.Write(u.es[i]).X = 3
			}
		}, 0, 200},
		{"one row of another tick", func(u *undone) { u.despawnAndSpawn(); u.stampAll() }, 0, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := newUndone(t)
			for _, e := range u.es {
				must[bool](t)(u.Despawn(e))
			}
			u.es = u.es[:0]
			u.advanceTick()
			for i := range 200 {
				if i > 0 && i == c.split {
					u.advanceTick()
				}
				e := must[Entity](t)(u.Spawn(u.pos.ID(), u.vel.ID()))
				u.es = append(u.es, e)
			}
			u.advanceTick()
			for range 20 { // another table, which stays as it is
				must[Entity](t)(u.Spawn(u.pos.ID()))
			}
			u.advanceTick()
			c.before(u)
			kept := -1
			u.copied().fails(func() {
				for _, table := range u.Tables() {
					for i := range u.pos.Slice(table) {
						u.pos.Slice(table)[i].X = -1
					}
				}
				kept = len(u.undo.stamps)
				for i, e := range u.es { // stamps of rows, in blocks that are recorded
					if i%3 == 0 {
						u.pos.Write(e).Y = -2
					}
				}
				must[bool](t)(u.Despawn(u.es[5]))
				must[bool](t)(u.Remove(u.es[100], u.vel.ID()))
			})
			if kept != c.kept {
				t.Errorf("%d stamps of rows were kept, not %d", kept, c.kept)
			}
			u.fails(func() { u.stampAll() })
		})
	}
}

// stampAll writes all positions.
func (u *undone) stampAll() {
	for _, t := range u.Tables() {
		if c := t.Column(u.pos.ID()); c != nil {
			c.StampAll()
		}
	}
}

// despawnAndSpawn gives the last row of the first block, and of the last one, another tick than the others.
func (u *undone) despawnAndSpawn() {
	must[bool](u.t)(u.Despawn(u.es[199]))
	u.es[199] = must[Entity](u.t)(u.Spawn(u.pos.ID(), u.vel.ID()))
}
