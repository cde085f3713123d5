package machine

import (
	"math/bits"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// A twin is the closures of a Kernel that is watched, with copies of what a call
// changes. Its memory is kept from one watched call to the next.
type twin struct {
	shadow *closures.Shadow
	cells  []twinCell
	room   bool // rows may do more than code has room to record, and are left then

	callRows
	used      int64 // fuel of the turn before the call
	granted   int64
	fuel      int64
	stream    ecs.RandomState
	registers []byte
	elements  []float64 // of all tables
	old, code []uint64  // values of the rows, before the call and after it: by cell, mostWatched each

	logged   []uint64 // what is stored elsewhere, by record of the log: as code left it
	stored   []twinStore
	mine     []closures.Write
	theirs   []closures.Write
	flipped  []closures.Flip
	expected []closures.Flip
	event    []byte
}

// A twinStore is a value that closures have stored elsewhere.
type twinStore struct {
	p     unsafe.Pointer
	typ   ecs.FieldType
	value uint64
}

// twinCell is a field of a component that rows store: not only the fields that they
// are to store.
type twinCell struct {
	view  int
	field *ecs.Field
}

func newTwin(k *Kernel, w *ecs.World) *twin {
	t := &twin{shadow: closures.NewShadow(k.program), room: abi.NeedsRoom(k.program)}
	if k.program.Events != nil { // events are not stored into
		return t
	}
	stored := uint64(0)
	for _, s := range k.program.Stores {
		stored |= 1 << s.View
	}
	for ; stored != 0; stored &= stored - 1 {
		view := bits.TrailingZeros64(stored)
		info, _ := w.ComponentInfo(k.program.Components[view])
		fields := info.Schema.Fields()
		for i := range fields {
			if f := &fields[i]; f.Type != ecs.String && f.Type != ecs.TableField {
				t.cells = append(t.cells, twinCell{view, f})
			}
		}
	}
	t.old, t.code = make([]uint64, mostWatched*len(t.cells)), make([]uint64, mostWatched*len(t.cells))
	return t
}

// begin copies what a call may change, and gives the closures what they need.
func (t *twin) begin(k *Kernel, b callRows) {
	t.callRows = b
	t.used, t.granted, t.fuel, t.stream = k.usedFuel(), k.granted, *k.fuel, *k.stream
	t.read(k, t.old)
	t.registers = append(t.registers[:0], t.frame(k)...)
	to := t.shadow.Registers()
	for _, in := range k.program.Inputs {
		if in.Used {
			k.lend(to, in)
		}
	}
	for _, out := range k.program.Outputs {
		k.lend(to, out.Place)
		if out.Mark >= 0 {
			to.SetBool(out.Mark, k.Bool(out.Mark))
		}
	}
	t.elements = t.elements[:0]
	for i := range k.given {
		t.shadow.SetTable(i, k.given[i].From, k.elements(i))
		t.elements = append(t.elements, k.elements(i)...)
	}
}

// frame is the registers.
func (t *twin) frame(k *Kernel) []byte {
	return unsafe.Slice((*byte)(k.memory.At(k.frame+k.unit.Layout.Numbers)), k.unit.Layout.Constants-k.unit.Layout.Numbers)
}

// at is where a row of the batch has a cell; nil where the table lacks it.
func (t *twin) at(k *Kernel, c twinCell) (first unsafe.Pointer, stride uintptr) {
	col := k.column[c.view]
	if col == nil {
		return nil, 0
	}
	base, stride := ecs.Raw.Column(col)
	return unsafe.Add(base, uintptr(t.first)*stride+c.field.Offset), stride
}

// read copies the values of the rows, write puts them back.
func (t *twin) read(k *Kernel, to []uint64) {
	for i, c := range t.cells {
		at, stride := t.at(k, c)
		if at == nil {
			continue
		}
		for row := range t.n {
			to[i*mostWatched+row] = peek(unsafe.Add(at, uintptr(row)*stride), c.field.Type.Size())
		}
	}
}

func (t *twin) write(k *Kernel, from []uint64) {
	for i, c := range t.cells {
		at, stride := t.at(k, c)
		if at == nil {
			continue
		}
		for row := range t.n {
			poke(unsafe.Add(at, uintptr(row)*stride), c.field.Type.Size(), from[i*mostWatched+row])
		}
	}
}

// swapLog exchanges what records of the log hold for what lies at their places: from
// the last one on that takes out what code stored, from the first one on it puts
// that in again.
func (t *twin) swapLog(k *Kernel, out bool) {
	n := int(*k.logAt-k.log) / abi.LogRecord
	for i := range n {
		at := k.log + uint32(i)*abi.LogRecord
		if out {
			at = k.log + uint32(n-1-i)*abi.LogRecord
		}
		p, size := k.logPlace(at)
		held := k.memory.At(at + abi.LogBits)
		was := peek(p, size)
		poke(p, size, peek(held, size))
		poke(held, size, was)
	}
}

// takeOut takes the values that code has stored out of the world.
func (t *twin) takeOut(k *Kernel) {
	t.read(k, t.code)
	t.logged = t.logged[:0]
	if k.unit.Logs {
		for at := k.log; at < *k.logAt; at += abi.LogRecord {
			p, size := k.logPlace(at)
			t.logged = append(t.logged, peek(p, size))
		}
		t.swapLog(k, true)
	}
	t.write(k, t.old)
}

// putIn puts them in again.
func (t *twin) putIn(k *Kernel) {
	t.write(k, t.code)
	if k.unit.Logs {
		t.swapLog(k, false)
	}
}

// putBack makes as if the call had not been. The values of the world are those
// before it already.
func (t *twin) putBack(k *Kernel) {
	*k.ringAt, *k.logAt = k.ring, k.log
	clear(k.markBytes[:t.n])
	copy(t.frame(k), t.registers)
	rest := t.elements
	for i := range k.given {
		rest = rest[copy(k.elements(i), rest):]
	}
	*k.stream = t.stream
	k.budget.Refund(k.budget.Used() - (t.used - t.granted + t.fuel))
	k.granted, *k.fuel = t.granted, t.fuel
	k.heldFrom, k.heldTo = 0, 0
	k.forgetPictures()
}

// peek and poke read and write a value of 1, 2, 4 or 8 bytes.

func peek(p unsafe.Pointer, size uintptr) uint64 {
	switch size {
	case 8:
		return *(*uint64)(p)
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	}
	return uint64(*(*uint32)(p))
}

func poke(p unsafe.Pointer, size uintptr, v uint64) {
	switch size {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	case 8:
		*(*uint64)(p) = v
	}
}
