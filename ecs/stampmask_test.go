package ecs

import "testing"

// StampMask marks the rows that Stamp would mark one by one, over the border of two blocks, too.
func TestStampMask(t *testing.T) {
	for _, from := range []int{0, 1, 40, 63, 64, 100} {
		for _, mask := range []uint64{0, 1, 1 << 40, 0xF0F0_0000_FFFF_0001, ^uint64(0)} {
			var columns [2]*Column
			var worlds [2]*World
			for i := range columns {
				w := newWorld(Options{})
				pos := MustRegister[position](w, "Position")
				for range 200 {
					must[Entity](t)(w.Spawn(pos.ID()))
				}
				worlds[i], columns[i] = w, pos.Column(w.Tables()[1])
				w.advanceTick()
				columns[i].StampAll()
				w.advanceTick()
				columns[i].Stamp(70)
				w.advanceTick()
			}
			columns[0].StampMask(from, mask)
			for i := range 64 {
				if mask>>i&1 != 0 {
					columns[1].Stamp(from + i)
				}
			}
			for row := range columns[0].Len() {
				if got, want := columns[0].Changed(row), columns[1].Changed(row); got != want {
					t.Fatalf("from %d, mask %x: row %d changed at %d, not %d", from, mask, row, got, want)
				}
			}
			check(t, worlds[0])
		}
	}
}
