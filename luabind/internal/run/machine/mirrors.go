package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// Mirrors, from the side of the host: see [abi.Mirror]. When the layout of the world has changed, each column of a component
// that is seen in mirrors gets memory for all rows of its table. When a run begins, no row of a mirror is valid. Code asks for
// rows while it runs, and the host copies them in by blocks. After a call, what rows have stored in mirrors is written to
// the columns: the log of stores tells where, and for rows of the walk copyOut does it.

// A mirror is the mirrors of the columns of one component.
type mirror struct {
	abi.Mirror
	stride uintptr
	spans  []span
	whole  bool // rows are copied as they are, and then the numbers of strings
	texts  []uintptr
	tables []mirroredTable // by table
	filled []int           // the tables of which some row is valid
}

// A mirroredTable is the mirror of one column.
type mirroredTable struct {
	base     uint32 // address of row 0; 0 if the table lacks the component
	capacity int    // rows for which there is memory
	flags    uintptr
	fetched  int // how often code has asked in this run
	filled   bool
}

// mirrorMemory is the memory of the mirrors of a component, by table. It must not lead to the kernel: see taken.
type mirrorMemory struct{ blocks []block }

// newMirrors finds out which components are seen in mirrors, and which of their bytes are copied.
func (k *Kernel) newMirrors() {
	for _, x := range abi.Mirrors(k.program) {
		m := &mirror{Mirror: x, stride: x.Schema.Size()}
		used := make([]bool, x.Schema.Size())
		for _, f := range x.Fields {
			if f.Type == ecs.String {
				m.texts = append(m.texts, f.Offset)
				continue
			}
			for i := range f.Type.Size() {
				used[f.Offset+i] = true
			}
		}
		m.spans = spans(used)
		m.whole = uintptr(len(m.spans))*spanWorth >= x.Schema.Size()
		k.mirrors = append(k.mirrors, m)
		k.taken.mirrors = append(k.taken.mirrors, &mirrorMemory{})
	}
}

// mirrorOf returns the mirrors of a component; nil if code does not see it in mirrors.
func (k *Kernel) mirrorOf(id ecs.ComponentID) *mirror {
	for _, m := range k.mirrors {
		if m.Component == id {
			return m
		}
	}
	return nil
}

// findMirrors makes room for the mirrors of all columns; false if there is no memory. No row of them is valid then.
func (k *Kernel) findMirrors(tables []*ecs.Table) bool {
	k.forgetMirrors()
	for i, m := range k.mirrors {
		held := k.taken.mirrors[i]
		for len(m.tables) < len(tables) {
			m.tables, held.blocks = append(m.tables, mirroredTable{}), append(held.blocks, block{})
		}
		for id := range m.tables {
			if !k.findMirror(m, id, &held.blocks[id], tables) {
				return false
			}
		}
	}
	return true
}

// findMirror makes room for the mirror of a column, and frees that of a column that is gone.
func (k *Kernel) findMirror(m *mirror, id int, held *block, tables []*ecs.Table) bool {
	t := &m.tables[id]
	capacity := 0
	if id < len(tables) && tables[id].Column(m.Component) != nil {
		capacity = max(1, ecs.Raw.Capacity(tables[id]))
	}
	if t.capacity == capacity {
		return true
	}
	if held.p != nil {
		k.memory.Free(held.p, held.size)
	}
	*held, *t = block{}, mirroredTable{}
	if capacity == 0 {
		return true
	}
	flags := (uintptr(capacity+abi.MirrorBlock-1)>>abi.MirrorShift + abi.MirrorFlags + 63) &^ 63
	size := flags + uintptr(capacity)*m.stride
	p := k.memory.Alloc(size)
	if p == nil {
		return false
	}
	*held = block{p, size}
	at, _ := k.memory.Address(p)
	*t = mirroredTable{base: at + uint32(flags), capacity: capacity, flags: flags}
	*(*uint32)(k.memory.At(t.base - abi.MirrorTable)) = uint32(id)
	return true
}

// forgetMirrors makes all rows of mirrors invalid.
func (k *Kernel) forgetMirrors() {
	for _, m := range k.mirrors {
		for _, id := range m.filled {
			t := &m.tables[id]
			clear(unsafe.Slice((*byte)(k.memory.At(t.base-uint32(t.flags))), t.flags))
			*(*uint32)(k.memory.At(t.base - abi.MirrorTable)) = uint32(id)
			t.fetched, t.filled = 0, false
		}
		m.filled = m.filled[:0]
	}
}

// moreRows is how many times code asks for rows before a fetch copies twice as many.
const moreRows = 4

// fetch copies the block of a row into a mirror, and more after it if code has asked often; all rows if row is -1.
func (k *Kernel) fetch(id ecs.ComponentID, base uint32, row int) {
	k.pace.fetched()
	defer k.frame.SetKeyedWords() // entries have moved if strings are new
	m := k.mirrorOf(id)
	table := int(*(*uint32)(k.memory.At(base - abi.MirrorTable)))
	n := k.outside.world.Tables()[table].Len()
	if row < 0 {
		k.fill(m, table, 0, n)
		*(*byte)(k.memory.At(base - abi.MirrorWhole)) = 1
		return
	}
	t := &m.tables[table]
	k.fill(m, table, row, min(n, row+abi.MirrorBlock<<min(t.fetched/moreRows, 10)))
	t.fetched++
}

// fill copies the rows of all blocks with rows between two that are not valid yet.
func (k *Kernel) fill(m *mirror, table, from, to int) {
	t, tab := &m.tables[table], k.outside.world.Tables()[table]
	if to <= from {
		return
	}
	if !t.filled {
		t.filled, m.filled = true, append(m.filled, table)
	}
	column, _ := ecs.Raw.Column(tab.Column(m.Component))
	flag := func(block int) *byte { return (*byte)(k.memory.At(t.base - abi.MirrorFlags - uint32(block))) }
	last := (to - 1) >> abi.MirrorShift
	for block := from >> abi.MirrorShift; block <= last; block++ {
		if *flag(block) != 0 {
			continue
		}
		begin := block
		for ; block <= last && *flag(block) == 0; block++ {
			*flag(block) = 1
		}
		first := begin << abi.MirrorShift
		k.copyToMirror(m, t, column, first, min(block<<abi.MirrorShift, tab.Len())-first)
	}
}

// copyToMirror copies some rows of a column.
func (k *Kernel) copyToMirror(m *mirror, t *mirroredTable, column unsafe.Pointer, first, rows int) {
	k.pace.copied(rows, len(m.texts))
	skip := uintptr(first) * m.stride
	to, from := unsafe.Add(k.memory.At(t.base), skip), unsafe.Add(column, skip)
	if m.whole {
		copyRows(to, from, m.stride, rows)
	} else {
		copySpans(m.spans, to, from, m.stride, rows)
	}
	for _, offset := range m.texts {
		k.frame.NumberRows(unsafe.Add(to, offset), unsafe.Add(from, offset), m.stride, rows)
	}
}

// carryOut writes to the columns what the log says that rows have stored in mirrors. The mirrors have the newest values.
func (k *Kernel) carryOut() {
	if !k.unit.Logs || len(k.mirrors) == 0 {
		return
	}
	log := &k.frame.Log
	for at := log.Start; at < *log.End; at += abi.LogRecord {
		p, text, ok := k.home(at)
		if !ok {
			continue
		}
		from, size := k.frame.Logged(at)
		if text {
			*(*string)(p) = k.frame.TextOf(*(*uint32)(from))
			continue
		}
		copy(unsafe.Slice((*byte)(p), size), unsafe.Slice((*byte)(from), size))
	}
}

// home returns the place in the world of a value that a record of the log is about, if it lies in a mirror, and whether it is a
// string.
func (k *Kernel) home(at uint32) (p unsafe.Pointer, text, ok bool) {
	address := *(*uint32)(k.memory.At(at + abi.LogAddress))
	id, table, row, other := k.frame.LoggedRow(at)
	if !other { // of the walk, or no field at all
		return k.homeOfOwn(address)
	}
	m := k.mirrorOf(id)
	if m == nil {
		return nil, false, false
	}
	offset := uintptr(address-m.tables[table].base) - uintptr(row)*m.stride
	column, _ := ecs.Raw.Column(k.outside.world.Tables()[table].Column(id))
	return unsafe.Add(column, uintptr(row)*m.stride+offset), m.isText(offset), true
}

// homeOfOwn is home for a field of a row of the walk.
func (k *Kernel) homeOfOwn(address uint32) (p unsafe.Pointer, text, ok bool) {
	for i := range k.blocks.copied {
		c := &k.blocks.copied[i]
		if c.mirror == nil {
			continue
		}
		if skip := uintptr(address - c.at); address >= c.at && skip < uintptr(k.current.table.Len())*c.stride {
			return unsafe.Add(c.base, skip), c.mirror.isText(skip % c.stride), true
		}
	}
	return nil, false, false
}

// isText reports whether the field at an offset is a string.
func (m *mirror) isText(offset uintptr) bool {
	for _, at := range m.texts {
		if at == offset {
			return true
		}
	}
	return false
}

// ownMirror makes a walker go through the mirror of the column of a view, if rows also store the component elsewhere.
func (k *Kernel) ownMirror(walker int, col *ecs.Column, t *ecs.Table, p *copyPlan) (at uint32, ok bool) {
	m := k.mirrorOf(col.Component())
	base, stride := ecs.Raw.Column(col)
	at = m.tables[t.ID()].base
	k.blocks.copied = append(k.blocks.copied, copied{walker, base, stride, at, p, m, sharedRows{}})
	return max(at, memory.Lowest), true
}
