package ecs

import "testing"

// A row that the turn has written moves into another block, by a swap or into another table. The other rows of that block are recorded
// all the same when they are written later in the turn.
func TestABlockThatAWrittenRowMovesInto(t *testing.T) {
	for name, move := range map[string]func(u *undone){
		"swap": func(u *undone) {
			u.pos.Write(u.es[199]).X = -7
			must[bool](t)(u.Despawn(u.es[30]))
		},
		"another table": func(u *undone) {
			u.pos.Write(u.es[3]).X = -7
			must[bool](t)(u.Remove(u.es[3], u.label.ID()))
		},
		"whole tables": func(u *undone) {
			u.pos.Write(u.es[3]).X = -7
			b := must[*Bundle](t)(u.Bundle(u.label.ID()))
			if n := must[int](t)(b.RemoveAll(must[*Query](t)(u.Query(Filter{Required: []ComponentID{u.label.ID()}})))); n != 20 {
				t.Error("not moved as a whole:", n)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUndone(t)
			ok(t, u.schedule.Run(1))
			u.copied().fails(func() {
				move(u)
				for _, e := range u.es[21:] {
					if p := u.pos.Write(e); p != nil {
						p.Y = -8
					}
				}
			})
		})
	}
}
