package selfcheck

import (
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// A self-test finds the row of a view by its address, whatever the size of the row is, and whichever of the views are used.
func TestFindRowByAddress(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	on := ecs.MustRegister[struct{ On bool }](w, "On").ID()
	pair := ecs.MustRegister[struct{ X, Y float64 }](w, "Pair").ID()
	for _, ids := range [][]ecs.ComponentID{{pair}, {on}, {on, pair}} {
		for range 5 {
			if _, err := w.Spawn(ids...); err != nil {
				t.Fatal(err)
			}
		}
	}
	find := func(id ecs.ComponentID, p unsafe.Pointer) (table, row int) {
		return (&trial{world: w, program: &ir.Program{Components: []ecs.ComponentID{pair, id}}}).find([]unsafe.Pointer{nil, p})
	}
	for i, table := range w.Tables() {
		for _, id := range table.Components() {
			base, stride := ecs.Raw.Column(table.Column(id))
			for row := range table.Len() {
				for _, at := range []uintptr{0, stride - 1} {
					if gotTable, got := find(id, unsafe.Add(base, uintptr(row)*stride+at)); gotTable != i || got != row {
						t.Errorf("byte %d of row %d of table %d is found in row %d of table %d", at, row, i, got, gotTable)
					}
				}
			}
			if table, _ := find(id, unsafe.Add(base, uintptr(table.Len())*stride)); table >= 0 {
				t.Errorf("the byte behind the rows of table %d is found in table %d", i, table)
			}
		}
	}
}
