package machine

import "slices"

// A touch is where rows stored a view that not all rows store: a vector with an
// element, all bits or none, for each of some rows. A row can have several.
type touch struct {
	local int
	rows  []int // 2, 4 or 8
	bit   int32
	first bool // the batch comes by where it is noted first
}

// noteStore notes that segments store a view that not every row stores.
func (p *packer) noteStore(segments ...segment) {
	bit := p.markOf(segments[0].I)
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
			l = p.local(i32)
			p.rowMark[x.row] = l
		}
		p.get(l)
		p.i32(bit)
		p.op(opI32Or)
		p.set(l)
		p.cost += 2
	}
}

// touchPair notes the condition under which a pair is assigned now.
func (p *packer) touchPair(bit int32, rows []int) {
	p.cost++
	i := slices.IndexFunc(p.touched, func(t touch) bool { return t.bit == bit && slices.Equal(t.rows, rows) })
	first := i < 0 && p.branch == 0
	if i < 0 {
		i = len(p.touched)
		p.touched = append(p.touched, touch{p.local(v128), rows, bit, first})
	}
	if !first { // in a loop it may have been noted in the turn before
		p.get(p.touched[i].local)
	}
	p.get(p.mask)
	if !first {
		p.vector(vecOr)
	}
	p.set(p.touched[i].local)
}

// fold puts what rows that are done touched into fewer vectors, so that it does not
// take up registers.
func (p *packer) fold() {
	for i := 0; i < len(p.touched); i++ {
		t := &p.touched[i]
		for j := i + 1; j < len(p.touched); j++ {
			u := p.touched[j]
			if u.bit != t.bit || len(u.rows) != len(t.rows) || len(t.rows) == 8 || !t.first || !u.first {
				continue
			}
			l := p.local(v128)
			p.get(t.local)
			p.get(u.local)
			if len(t.rows) == 2 {
				p.vector(vecNarrow32)
			} else {
				p.vector(vecNarrow16)
			}
			p.set(l)
			t.local, t.rows = l, append(slices.Clone(t.rows), u.rows...)
			p.touched = slices.Delete(p.touched, j, j+1)
			i = -1
			break
		}
	}
}

// clearMarks is what a batch begins with when it may mark rows.
func (p *packer) clearMarks() {
	for _, l := range p.rowMark {
		if l >= 0 {
			p.i32(0)
			p.set(l)
		}
	}
	for _, t := range p.touched {
		if !t.first {
			p.i64(0)
			p.vector(vecI64x2Splat)
			p.set(t.local)
		}
	}
}

// marks writes the marks of the rows, if there are any: all are clear before.
func (p *packer) marks() {
	n := 0
	or := func() {
		if n++; n > 1 {
			p.op(opI32Or)
		}
	}
	for i, t := range p.touched {
		p.get(t.local)
		if i > 0 {
			p.vector(vecOr)
		}
	}
	if len(p.touched) > 0 {
		p.vector(vecBits)
		or()
	}
	for _, l := range p.rowMark {
		if l >= 0 {
			p.get(l)
			or()
		}
	}
	if n == 0 {
		return
	}
	p.cost += 2 + n
	p.then(void)
	for row := range p.rows {
		p.markRow(row)
	}
	p.end()
}

// markRow writes the mark of a row.
func (p *packer) markRow(row int) {
	n := 0
	begin := func() {
		if n++; n == 1 {
			p.get(p.walkers[p.emitter.marks].ptr)
		}
	}
	end := func() {
		if n > 1 {
			p.op(opI32Or)
		}
	}
	if l := p.rowMark[row]; l >= 0 {
		begin()
		p.get(l)
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
		p.get(t.local)
		p.vector(vecBits)
		p.i32(bytes)
		p.op(opI32And, opI32Eqz, opI32Eqz)
		p.i32(t.bit)
		p.op(opI32Mul)
		end()
	}
	if n > 0 {
		p.memory(opI32Store8, uint32(row)*markSize)
	}
}
