package watch

import (
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// compare runs the closures over what a call has done, and returns the first difference; nil if there is none. Then the world
// is as the call left it; otherwise as it was before. status and done are what the call returned, used is the fuel it took.
//
//	code has run              values of the rows as code left them
//	takeOut                   as before the call
//	run                       as closures left them: compared
//	shadow.TakeBack, write    as before the call
//	putIn                     as code left them: what closures stored in other rows is compared with that
func (t *rerun) compare(status, done int, used int64) *kernel.Difference {
	if status == abi.Failed { // the row that failed is not among those to compare
		t.frame.UndoRow()
	}
	t.code.CarryOut()
	t.takeOut()
	d := t.run(status, done, used)
	if d == nil {
		d = t.compareRecords()
	}
	t.stored = t.stored[:0]
	for i := range t.shadow.Stores() {
		p, typ := t.shadow.Store(i)
		t.stored = append(t.stored, storedValue{p, typ, kernel.Peek(p, typ.Size())})
	}
	t.storedTexts = t.storedTexts[:0]
	for p := range t.shadow.StoredTexts {
		t.storedTexts = append(t.storedTexts, storedString{p, *p})
	}
	t.keepKeyed()
	t.expected = t.shadow.Flips(t.expected[:0])
	t.shadow.TakeBack()
	t.write(t.before)
	t.writeTexts(t.texts.before)
	if d == nil {
		d = t.compareFlips()
	}
	if d == nil {
		t.putIn()
		if d = t.compareStored(); d != nil {
			t.takeOut()
		}
	}
	clear(t.stored)
	clear(t.storedTexts)
	t.forgetTexts()
	t.shadow.End()
	t.frame.ForgetGrids() // closures may have taken another snapshot
	return d
}

// run runs the closures over the rows that are done, and compares everything that must be compared before it is undone.
func (t *rerun) run(status, done int, used int64) *kernel.Difference {
	s := t.shadow
	s.Begin(t.World, 2*max(0, used)+2*abi.Grain, t.stream)
	if t.Cursor != nil {
		s.Enter(t.Cursor)
	}
	ran := 0
	var ends *kernel.Difference
	for i := 0; i < done && ends == nil; i++ {
		if !t.runs(i) {
			continue
		}
		want := closures.RowDone
		switch {
		case i < done-1:
		case status == abi.Broke:
			want = closures.RowBroke
		case status == abi.Returned:
			want = closures.RowReturned
		}
		if how := t.one(i); how != want {
			ends = t.difference(i, "how the row ends", endings[want], endings[how])
		} else if d := t.compareMarks(i, ran); d != nil {
			return d
		}
		ran++
	}
	if d := t.compareRows(); d != nil {
		return d
	}
	if d := t.compareTexts(); d != nil {
		return d
	}
	if ends != nil {
		return ends
	}
	// If the budget is used up, the turn ends at a row that failed or was not begun. How much that row used is not known.
	if status != abi.Failed || t.frame.Fuel.Granted != 0 && !t.room {
		if status == abi.Failed {
			if how := t.one(done); how != closures.RowBailout {
				return t.difference(done, "how the row ends", endings[closures.RowBailout], endings[how])
			}
		}
		if status == abi.Starved {
			used -= t.frame.Program.Price // of the row that was not begun
		}
		if got := s.Used(); got != used {
			return t.difference(-1, "the fuel it uses", strconv.FormatInt(used, 10), strconv.FormatInt(got, 10))
		}
	}
	if d := t.compareRegisters(); d != nil {
		return d
	}
	if status == abi.Returned {
		if d := t.compareResults(); d != nil {
			return d
		}
	}
	if t.frame.Random != nil && s.Random() != *t.frame.Stream {
		return t.difference(-1, "the random numbers it draws", "others", "others")
	}
	return nil
}

// endings describes how a row of a Shadow ends.
var endings = [...]string{
	closures.RowDone: "the next row follows", closures.RowBroke: "the loop ends", closures.RowReturned: "the function returns",
	closures.RowBailout: "the row is left to the interpreter", closures.RowStarved: "the fuel is spent",
}

// runs reports whether code does row i of the call, unless it stops before.
func (t *rerun) runs(i int) bool { return !t.frame.Unit.Sparse || t.Mask>>i&1 != 0 }

// one runs row i of the call as closures.
func (t *rerun) one(i int) closures.RowEnding {
	if t.Cursor != nil {
		return t.shadow.Row(t.First + i)
	}
	return t.shadow.Event(unsafe.Add(t.Events, uintptr(i)*t.Size))
}

// difference describes a difference that is not in a field of the rows. i is the row of the call, or -1.
func (t *rerun) difference(i int, what, code, closures string) *kernel.Difference {
	d := &kernel.Difference{Row: -1, Input: -1, What: what, Code: code, Closures: closures}
	t.place(d, i)
	return d
}

// place adds row i of the call to a difference.
func (t *rerun) place(d *kernel.Difference, i int) {
	if i < 0 {
		return
	}
	d.Row = t.First + i
	if t.Cursor != nil {
		d.Entity = t.Cursor.Table().Entities()[d.Row]
	}
}

// component returns the name of a component.
func (t *rerun) component(id ecs.ComponentID) string {
	info, _ := t.World.ComponentInfo(id)
	return info.Name
}
