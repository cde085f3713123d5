package packing

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Marks: which rows stored a view that not all rows store. Package abi says what a mark is. A batch collects them in
// locals, and writes the marks of its rows at its end if one of them is not empty.

// A touch collects, for some rows of the batch, whether they stored a view. A row may be in several.
type touch struct {
	local int   // a vector with an element for each of the rows: all bits set, or none
	rows  []int // 2 or 4 of them
	bit   int32 // of the view in a mark
	first bool  // the local is set whenever the batch runs, so it needs no clearing
}

// noteStore writes code that marks the rows of segments which store a view, if not every row stores it.
func (p *packer) noteStore(segments ...segment) {
	bit := p.e.MarkBit(segments[0].I)
	if bit == 0 {
		return
	}
	if len(segments) == 2 && p.mask >= 0 {
		p.touchPair(bit, []int{segments[0].row, segments[1].row})
		return
	}
	for _, x := range segments {
		l := p.rowMark[x.row]
		if l < 0 {
			l = p.Local(wasm.I32)
			p.rowMark[x.row] = l
		}
		p.Get(l)
		p.I32(bit)
		p.Op(wasm.I32Or)
		p.Set(l)
		p.cost += 2
	}
}

// touchPair adds the condition under which a pair is assigned now to the touch of a view and two rows.
func (p *packer) touchPair(bit int32, rows []int) {
	p.cost++
	i := slices.IndexFunc(p.touched, func(t touch) bool { return t.bit == bit && slices.Equal(t.rows, rows) })
	first := i < 0 && p.branch == 0
	if i < 0 {
		i = len(p.touched)
		p.touched = append(p.touched, touch{p.Local(wasm.V128), rows, bit, first})
	}
	if !first { // an earlier iteration may have set it
		p.Get(p.touched[i].local)
	}
	p.Get(p.mask)
	if !first {
		p.Vector(wasm.V128Or)
	}
	p.Set(p.touched[i].local)
}

// fold narrows touches of finished rows into one vector, so that they take fewer registers of the processor.
func (p *packer) fold() {
	for i := 0; i < len(p.touched); i++ {
		t := &p.touched[i]
		for j := i + 1; j < len(p.touched); j++ {
			u := p.touched[j]
			if u.bit != t.bit || len(u.rows) != len(t.rows) || len(t.rows) == rowsOfBatch || !t.first || !u.first {
				continue
			}
			l := p.Local(wasm.V128)
			p.Get(t.local)
			p.Get(u.local)
			p.Vector(wasm.I16x8NarrowI32x4S)
			p.Set(l)
			t.local, t.rows = l, append(slices.Clone(t.rows), u.rows...)
			p.touched = slices.Delete(p.touched, j, j+1)
			i = -1
			break
		}
	}
}

// clearMarks writes what a batch begins with if it may mark rows.
func (p *packer) clearMarks() {
	for _, l := range p.rowMark {
		if l >= 0 {
			p.I32(0)
			p.Set(l)
		}
	}
	for _, t := range p.touched {
		if !t.first {
			p.I64(0)
			p.Vector(wasm.I64x2Splat)
			p.Set(t.local)
		}
	}
}

// marks writes the code that stores the marks of the rows, if there are any. They are 0 before the batch.
func (p *packer) marks() {
	n := 0
	or := func() {
		if n++; n > 1 {
			p.Op(wasm.I32Or)
		}
	}
	for i, t := range p.touched {
		p.Get(t.local)
		if i > 0 {
			p.Vector(wasm.V128Or)
		}
	}
	if len(p.touched) > 0 {
		p.Vector(wasm.I8x16Bitmask)
		or()
	}
	for _, l := range p.rowMark {
		if l >= 0 {
			p.Get(l)
			or()
		}
	}
	if n == 0 {
		return
	}
	p.cost += 2 + n
	p.Then(wasm.Void)
	for row := range rowsOfBatch {
		p.markRow(row)
	}
	p.End()
}

// markRow writes the code that stores the mark of one row.
func (p *packer) markRow(row int) {
	n := 0
	begin := func() {
		if n++; n == 1 {
			p.Get(p.e.MarkPointer())
		}
	}
	end := func() {
		if n > 1 {
			p.Op(wasm.I32Or)
		}
	}
	if l := p.rowMark[row]; l >= 0 {
		begin()
		p.Get(l)
		end()
	}
	for _, t := range p.touched {
		width := 16 / len(t.rows)
		bytes := int32(0)
		for i, r := range t.rows {
			if r == row {
				bytes |= (1<<width - 1) << (i * width)
			}
		}
		if bytes == 0 {
			continue
		}
		begin()
		p.Get(t.local)
		p.Vector(wasm.I8x16Bitmask)
		p.I32(bytes)
		p.Op(wasm.I32And, wasm.I32Eqz, wasm.I32Eqz)
		p.I32(t.bit)
		p.Op(wasm.I32Mul)
		end()
	}
	if n > 0 {
		p.Memory(wasm.I32Store8, uint32(row)*abi.MarkSize)
	}
}
