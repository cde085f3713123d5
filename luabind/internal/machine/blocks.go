package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// Code cannot reach what lies on Go's heap: the columns of components with strings
// or tables, and all there is of a world without a [Memory]. The host copies such a
// column of the query loop into memory, a block of rows at a time, and back what
// the rows stored that are done. A row that is put back never leaves its block.

const (
	blockBytes = 16 << 10 // of a block, all columns together: it stays in the first cache
	leastRows  = 64       // of a block
)

// copied is a column, or the handles of the entities, of the table at hand that
// code sees block by block.
type copied struct {
	walker int
	base   unsafe.Pointer // of row 0
	stride uintptr
	at     uint32 // address of the block
	back   *copyPlan
}

// A copyPlan says what of a view goes back.
type copyPlan struct {
	made  bool
	whole bool   // rows do, as they are
	words []span // these fields do
}

// A span is a field of a row that is a number, a boolean or an entity.
type span struct {
	offset uintptr
	size   uintptr
}

// block is the memory of one.
type block struct {
	p    unsafe.Pointer
	size uintptr
}

// blockRows is how many rows a block has.
func (u *unit) blockRows() int {
	bytes := 0
	for _, w := range u.walkers {
		bytes += int(w.stride)
	}
	return min(mostRows, max(leastRows, blockBytes/bytes&^63))
}

// copies lets a walker go through copies of rows; false when there is no memory
// for them.
func (k *Kernel) copies(walker int, base unsafe.Pointer, stride uintptr, back *copyPlan) (at uint32, ok bool) {
	b := &k.taken.blocks[walker]
	if b.p == nil {
		size := stride * uintptr(k.unit.blockRows())
		if b.p = k.memory.Alloc(size); b.p == nil {
			return 0, false
		}
		b.size = size
	}
	at, _ = k.memory.address(b.p)
	k.copied = append(k.copied, copied{walker, base, stride, at, back})
	return at, true
}

// copiesView is that for the column of a view. The host must see what is stored of
// a component with a grid at once.
func (k *Kernel) copiesView(view int, col *ecs.Column, w *ecs.World) (at uint32, ok bool) {
	p := &k.plans[view]
	if !p.made {
		k.planCopies(p, view, w)
	}
	for _, s := range k.unit.nears {
		if (p.whole || len(p.words) > 0) && (s.Grid == nil || s.Grid.Spec().Component == col.Component()) {
			return 0, false
		}
	}
	walker := k.unit.views[view]
	if walker < 0 { // code asks only whether it is there
		return lowest, true
	}
	base, stride := col.Memory()
	return k.copies(walker, base, stride, p)
}

func (k *Kernel) planCopies(p *copyPlan, view int, w *ecs.World) {
	info, _ := w.ComponentInfo(k.program.Components[view])
	for _, t := range k.program.Stores {
		switch {
		case t.View != view:
		case info.Schema.PointerFree():
			p.whole = true
		default: // pointers are for Go to write
			p.words = append(p.words, span{t.Field.Offset, t.Field.Type.Size()})
		}
	}
	p.made = true
}

// bring fills the blocks with rows of the table, and returns how many.
func (k *Kernel) bring(row, n int) int {
	n = min(n, k.unit.blockRows())
	for i := range k.copied {
		c := &k.copied[i]
		size := uintptr(n) * c.stride
		from := unsafe.Add(c.base, uintptr(row)*c.stride)
		copy(unsafe.Slice((*byte)(k.memory.at(c.at)), size), unsafe.Slice((*byte)(from), size))
		k.base[c.walker] = c.at - uint32(row)*uint32(c.stride) // wraps round, and back
	}
	return n
}

// takeBack copies back what rows that are done may have stored.
func (k *Kernel) takeBack(row, n int) {
	for i := range k.copied {
		c := &k.copied[i]
		if c.back == nil || n == 0 {
			continue
		}
		from, to := k.memory.at(c.at), unsafe.Add(c.base, uintptr(row)*c.stride)
		if c.back.whole {
			size := uintptr(n) * c.stride
			copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(from), size))
		}
		for _, s := range c.back.words {
			from, to := unsafe.Add(from, s.offset), unsafe.Add(to, s.offset)
			switch s.size {
			case 8:
				copyWords[uint64](to, from, c.stride, n)
			case 4:
				copyWords[uint32](to, from, c.stride, n)
			case 2:
				copyWords[uint16](to, from, c.stride, n)
			default:
				copyWords[uint8](to, from, c.stride, n)
			}
		}
	}
}

// copyWords copies one value of each row.
func copyWords[T uint8 | uint16 | uint32 | uint64](to, from unsafe.Pointer, stride uintptr, rows int) {
	for at := uintptr(0); rows > 0; rows-- {
		*(*T)(unsafe.Add(to, at)) = *(*T)(unsafe.Add(from, at))
		at += stride
	}
}
