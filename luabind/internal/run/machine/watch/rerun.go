package watch

import (
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/frame"
)

// A rerun runs the rows of a watched call again, as closures, and compares. It has copies of everything that a call may
// change. Its memory is kept from one watched call to the next.
type rerun struct {
	frame  *frame.Frame
	code   Code
	shadow *closures.Shadow
	cells  []cell
	room   bool // a row may do more than there is room to record; code leaves such rows, and closures do not

	Rows                      // of the current call
	used, granted, fuel int64 // of the turn, before the call: see frame.Fuel
	stream              ecs.RandomState
	registers           []byte
	elements            []float64 // of all tables
	keyed               []*keyedBefore
	texts               textCells
	before, after       []uint64 // values of the rows, before the call and after it: mostRows for each cell

	logged []uint64 // by record of the log: the value that code has stored
	stored []storedValue

	storedTexts []storedString
	mine        []closures.Write // rows of other entities that code has stored
	theirs      []closures.Write // those that closures have stored
	flipped     []closures.Flip  // changes of tags that code has recorded
	expected    []closures.Flip  // those that closures have made
	event       []byte           // scratch of compareRow
}

// A storedValue is a value that closures have stored in a row of another entity.
type storedValue struct {
	p     unsafe.Pointer
	typ   ecs.FieldType
	value uint64
}

// A storedString is a string that closures have stored in such a row.
type storedString struct {
	p     *string
	value string
}

// A cell is a field of a component that rows store. All fields of such a component are compared, also those that the rows
// should not store.
type cell struct {
	view  int
	field *ecs.Field
}

func newRerun(f *frame.Frame, code Code, w *ecs.World) *rerun {
	t := &rerun{frame: f, code: code, shadow: closures.NewShadow(f.Program), room: abi.NeedsRoom(f.Program)}
	if f.Program.Events != nil { // events are not stored into
		return t
	}
	stored := uint64(0)
	for _, s := range f.Program.Stores {
		stored |= 1 << s.View
	}
	for ; stored != 0; stored &= stored - 1 {
		view := bits.TrailingZeros64(stored)
		info, _ := w.ComponentInfo(f.Program.Components[view])
		fields := info.Schema.Fields()
		t.texts.add(view, fields)
		for i := range fields {
			if f := &fields[i]; f.Type != ecs.String && f.Type != ecs.TableField && f.Type.Len() == 0 {
				t.cells = append(t.cells, cell{view, f})
			}
		}
	}
	t.before, t.after = make([]uint64, mostRows*len(t.cells)), make([]uint64, mostRows*len(t.cells))
	return t
}

// begin copies what a call may change, and gives the closures their inputs. The call follows.
func (t *rerun) begin(rows Rows) {
	f := t.frame
	t.Rows = rows
	t.used, t.granted, t.fuel, t.stream = f.Fuel.Used(), f.Fuel.Granted, *f.Fuel.Left, *f.Stream
	t.read(t.before)
	t.readTexts(t.texts.before)
	t.registers = append(t.registers[:0], f.Registers()...)
	f.CopyTo(t.shadow.Registers())
	t.elements = t.elements[:0]
	for i := range f.Tables() {
		t.shadow.SetTable(i, f.Table(i).From, f.Elements(i))
		t.elements = append(t.elements, f.Elements(i)...)
	}
	t.beginKeyed()
}

// at returns the address of a cell in the first row, and the bytes from row to row; nil if the table lacks the component.
func (t *rerun) at(c cell) (first unsafe.Pointer, stride uintptr) {
	col := t.code.Column(c.view)
	if col == nil {
		return nil, 0
	}
	base, stride := ecs.Raw.Column(col)
	return unsafe.Add(base, uintptr(t.First)*stride+c.field.Offset), stride
}

// read copies the values of the rows from the world; write copies them to the world.
func (t *rerun) read(to []uint64) {
	for i, c := range t.cells {
		at, stride := t.at(c)
		if at == nil {
			continue
		}
		for row := range t.N {
			to[i*mostRows+row] = kernel.Peek(unsafe.Add(at, uintptr(row)*stride), c.field.Type.Size())
		}
	}
}

func (t *rerun) write(from []uint64) {
	for i, c := range t.cells {
		at, stride := t.at(c)
		if at == nil {
			continue
		}
		for row := range t.N {
			kernel.Poke(unsafe.Add(at, uintptr(row)*stride), c.field.Type.Size(), from[i*mostRows+row])
		}
	}
}

// swapLog exchanges the value in each record of the log with the value at its place. From the last record to the first, that
// takes what code has stored out of the world; from the first to the last it brings it back.
func (t *rerun) swapLog(out bool) {
	n := int(*t.frame.Log.End-t.frame.Log.Start) / abi.LogRecord
	for i := range n {
		at := t.frame.Log.Start + uint32(i)*abi.LogRecord
		if out {
			at = t.frame.Log.Start + uint32(n-1-i)*abi.LogRecord
		}
		p, size := t.frame.Logged(at)
		held := t.frame.Memory.At(at + abi.LogBits)
		was := kernel.Peek(p, size)
		kernel.Poke(p, size, kernel.Peek(held, size))
		kernel.Poke(held, size, was)
	}
}

// takeOut restores the values that the world had before the call, and keeps those that code has stored.
func (t *rerun) takeOut() {
	t.read(t.after)
	t.readTexts(t.texts.after)
	t.logged = t.logged[:0]
	if t.frame.Unit.Logs {
		for at := t.frame.Log.Start; at < *t.frame.Log.End; at += abi.LogRecord {
			p, size := t.frame.Logged(at)
			t.logged = append(t.logged, kernel.Peek(p, size))
		}
		t.swapLog(true)
		t.code.CarryOut()
	}
	t.write(t.before)
	t.writeTexts(t.texts.before)
}

// putIn brings the values that code has stored back into the world.
func (t *rerun) putIn() {
	t.write(t.after)
	t.writeTexts(t.texts.after)
	if t.frame.Unit.Logs {
		t.swapLog(false)
		t.code.CarryOut()
	}
}

// restore makes everything but the values of the world, which are restored already, as it was before the call.
func (t *rerun) restore() {
	f := t.frame
	*f.Ring.End, *f.Log.End = f.Ring.Start, f.Log.Start
	clear(f.Marks[:t.N])
	copy(f.Registers(), t.registers)
	rest := t.elements
	for i := range f.Tables() {
		rest = rest[copy(f.Elements(i), rest):]
	}
	t.restoreKeyed()
	*f.Stream = t.stream
	f.Fuel.Restore(t.used, t.granted, t.fuel)
	t.code.ForgetCopies()
	f.ForgetGrids()
}
