package machine

import (
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// compare lets the closures do what a call has done, and returns the first thing
// that is not the same; nil when all is. Then the world is as the call left it;
// otherwise as it was before.
func (t *twin) compare(k *Kernel, status, done int, used int64) *kernel.Difference {
	if status == abi.Failed { // the row that was put back is not among those to compare
		for k.unit.Logs && *k.logAt > *k.undoAt {
			*k.logAt -= abi.LogRecord
			k.putBack(*k.logAt)
		}
	}
	t.takeOut(k)
	d := t.run(k, status, done, used)
	if d == nil {
		d = t.compareRecords(k)
	}
	t.stored = t.stored[:0]
	for i := range t.shadow.Stores() {
		p, typ := t.shadow.Store(i)
		t.stored = append(t.stored, twinStore{p, typ, peek(p, typ.Size())})
	}
	t.expected = t.shadow.Flips(t.expected[:0])
	t.shadow.TakeBack()
	t.write(k, t.old)
	if d == nil {
		d = t.compareFlips(k)
	}
	if d == nil {
		t.putIn(k)
		if d = t.compareStored(k); d != nil {
			t.takeOut(k)
		}
	}
	clear(t.stored)
	t.shadow.End()
	k.forgetPictures() // closures may have taken another one, outside the frames
	return d
}

// run runs the closures over the rows that are done, and compares what is to be seen
// before anything is taken back.
func (t *twin) run(k *Kernel, status, done int, used int64) *kernel.Difference {
	s := t.shadow
	s.Begin(t.world, 2*max(0, used)+2*abi.Grain, t.stream)
	if t.cursor != nil {
		s.Enter(t.cursor)
	}
	ran := 0
	var ends *kernel.Difference
	for i := 0; i < done && ends == nil; i++ {
		if !t.runs(k, i) {
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
			ends = t.what(i, "how the row ends", endings[want], endings[how])
		} else if d := t.compareMarks(k, i, ran); d != nil {
			return d
		}
		ran++
	}
	if d := t.compareRows(k); d != nil {
		return d
	}
	if ends != nil {
		return ends
	}
	// A turn whose budget is spent ends at the row that was put back, or before the
	// one that was not begun; how much that row used is not known.
	if status != abi.Failed || k.granted != 0 && !t.room {
		if status == abi.Failed {
			if how := t.one(done); how != closures.RowBailout {
				return t.what(done, "how the row ends", endings[closures.RowBailout], endings[how])
			}
		}
		if status == abi.Starved {
			used -= k.program.Price // of the row that was not begun
		}
		if got := s.Used(); got != used {
			return t.what(-1, "the fuel it uses", strconv.FormatInt(used, 10), strconv.FormatInt(got, 10))
		}
	}
	if d := t.compareRegisters(k); d != nil {
		return d
	}
	if status == abi.Returned {
		if d := t.compareResults(k); d != nil {
			return d
		}
	}
	if k.random != nil && s.Random() != *k.stream {
		return t.what(-1, "the random numbers it draws", "others", "others")
	}
	return nil
}

// endings are those of a row, in words.
var endings = [...]string{
	closures.RowDone: "the next row follows", closures.RowBroke: "the loop ends", closures.RowReturned: "the function returns",
	closures.RowBailout: "the row is left to the interpreter", closures.RowStarved: "the fuel is spent",
}

// one lets the closures do row i of the batch.
func (t *twin) one(i int) closures.RowEnding {
	if t.cursor != nil {
		return t.shadow.Row(t.first + i)
	}
	return t.shadow.Event(unsafe.Add(t.events, uintptr(i)*t.size))
}

// what is a difference that is of no field; i is the row of the batch, or -1.
func (t *twin) what(i int, what, code, closures string) *kernel.Difference {
	d := &kernel.Difference{Row: -1, Input: -1, What: what, Code: code, Closures: closures}
	t.place(d, i)
	return d
}

// place names row i of the batch.
func (t *twin) place(d *kernel.Difference, i int) {
	if i < 0 {
		return
	}
	d.Row = t.first + i
	if t.cursor != nil {
		d.Entity = t.cursor.Table().Entities()[d.Row]
	}
}

// component is the name of one.
func (t *twin) component(id ecs.ComponentID) string {
	info, _ := t.world.ComponentInfo(id)
	return info.Name
}
