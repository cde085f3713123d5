package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Side exits: closures do single rows in the middle of a run of machine code, which then goes on. The order of use is: Open, then
// for each row the registers, HandOver, Row or Event, Fuel; Close at the end of the run.

// Open prepares the kernel for single rows of a run.
func (k *Kernel) Open(w *ecs.World) {
	k.handed = true // fuel comes with each row
	k.begin(w)
}

// Row runs the row that the cursor stands on. goesOn says that the row is done, and that the walk goes on after it; otherwise how is
// how the walk ends.
func (k *Kernel) Row(c *ecs.Cursor) (how kernel.Ending, goesOn bool) {
	if !k.place(c) {
		return kernel.Bailout, false
	}
	f, row := &k.frame, c.RowIndex()
	f.row = row
	if k.entity {
		f.entity = numberOf(k.table.Entities()[row])
	}
	return k.single(row, k.one)
}

// Event runs the body for the current event, as Row does for a row.
func (k *Kernel) Event(events kernel.Events) (how kernel.Ending, goesOn bool) {
	event, ok := events.Event()
	if !ok {
		return kernel.Finished, false
	}
	k.frame.ptr[0] = event
	return k.single(0, func(int) kernel.Ending { return k.event(events) })
}

// single runs one row with the fuel that was handed over.
func (k *Kernel) single(row int, run func(row int) kernel.Ending) (how kernel.Ending, goesOn bool) {
	f := &k.frame
	k.handed, k.starved, f.dirty = false, false, 0
	if !f.burn(k.program.Price) {
		return kernel.Starved, false
	}
	how = run(row)
	k.flush()
	for i := range f.keyed {
		t := &k.program.Keyed[i]
		f.keyed[i].end(t.Stored, t.Rows)
	}
	return how, how == walking
}

// Fuel returns how much fuel is granted and not charged yet, and how much of it is left.
func (k *Kernel) Fuel() (granted, left int64) { return k.granted, k.frame.fuel }

// Close ends a run. Without Open no row has come; then only outputs are kept.
func (k *Kernel) Close(opened bool) {
	if opened {
		k.end()
		return
	}
	if k.program.Anys > 0 {
		clear(k.frame.a)
	}
}
