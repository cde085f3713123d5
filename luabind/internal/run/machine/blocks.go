package machine

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/emit"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// Blocks. Code cannot reach columns on Go's heap: those of components with strings or tables, and all columns of a world
// without a [memory.Memory]. The host copies the columns of the query loop into linear memory, a block of rows at a time,
// and copies back what rows have stored that are done. A row that fails is restored in its block and never copied back.

const (
	blockBytes = 16 << 10 // of a block, all columns together: it stays in the first cache
	leastRows  = 64       // of a block
	someRows   = 16       // are copied in also where a condition lets the loop see one at a time
)

// blockCopies are the columns of the current table that code sees block by block. The blocks hold copies of the rows from
// from to to, of all columns in copied; what rows that are done have stored is copied back before the blocks get other rows.
// Between tables, copied is empty.
type blockCopies struct {
	copied   []copied
	plans    [abi.MostViews]copyPlan // by view, made when a column is first copied
	rows     int                     // of a block
	shared   bool                    // some are of components that the rows inherit
	oneBase  bool                    // all of these rows from the same entity
	from, to int
}

// A copied is a column of the current table, or its handles, that code sees block by block.
type copied struct {
	walker int
	base   unsafe.Pointer // of row 0
	stride uintptr
	at     uint32    // address of the block, or of row 0 in a mirror
	plan   *copyPlan // nil: of handles
	mirror *mirror   // nil: copies are in a block
	shares sharedRows
}

// A copyPlan says which bytes of the rows of a view are copied.
type copyPlan struct {
	made   bool
	stored bool
	whole  bool   // rows as they are, both ways
	allIn  bool   // rows are brought in as they are
	in     []span // otherwise
	back   []span
	texts  []textPlace // fields that are strings
}

// A textPlace is a field that is a string. In a block it holds the number of the string.
type textPlace struct {
	offset       uintptr
	read, stored bool
	always       bool // every row that is done has stored it
}

// A span is a part of a row without pointers: 16, 8, 4, 2 or 1 bytes.
type span struct {
	offset uintptr
	size   uintptr
}

// A block is the linear memory for one walker. It is kept for the next tables.
type block struct {
	p    unsafe.Pointer
	size uintptr
}

// blockRows returns how many rows a block has: as many as fill blockBytes in all columns together, in multiples of 64.
func blockRows(u *abi.Unit) int {
	bytes := 0
	for _, w := range u.Walkers {
		bytes += int(w.Stride)
	}
	return min(abi.MostRows, max(leastRows, blockBytes/bytes&^63))
}

// copies makes a walker go through copies of rows, and returns the address of the block; false if there is no memory for
// it. p is nil for handles.
func (k *Kernel) copies(walker int, base unsafe.Pointer, stride uintptr, p *copyPlan) (at uint32, ok bool) {
	b := &k.taken.blocks[walker]
	if b.p == nil {
		size := stride * uintptr(k.blocks.rows)
		if b.p = k.memory.Alloc(size); b.p == nil {
			return 0, false
		}
		b.size = size
	}
	at, _ = k.memory.Address(b.p)
	k.blocks.copied = append(k.blocks.copied, copied{walker, base, stride, at, p, nil, sharedRows{}})
	return at, true
}

// copiesView is copies for the column of a view; false also for stores of what
// a grid holds, which the host must see at once.
func (k *Kernel) copiesView(view int, col *ecs.Column, t *ecs.Table, w *ecs.World) (at uint32, ok bool) {
	p := &k.blocks.plans[view]
	if !p.made {
		k.planCopies(p, view, w)
	}
	for _, s := range k.unit.Nears {
		if p.stored && (s.Grid == nil || emit.MovesInGrid(k.program, s.Grid.Spec(), func(of int) bool { return of == view })) {
			return 0, false
		}
	}
	walker := k.unit.Views[view]
	if walker < 0 { // code asks only whether it is there
		return memory.Lowest, true
	}
	if k.unit.InMirror&(1<<view) != 0 {
		return k.ownMirror(walker, col, t, p)
	}
	base, stride := ecs.Raw.Column(col)
	return k.copies(walker, base, stride, p)
}

// planCopies finds out what is copied of a view: whole rows, which is fast, or a few fields of long rows. Bytes with
// pointers are never written.
func (k *Kernel) planCopies(p *copyPlan, view int, w *ecs.World) {
	info, _ := w.ComponentInfo(k.program.Components[view])
	used, stored := make([]bool, info.Schema.Size()), make([]bool, info.Schema.Size())
	mark := func(list []bool, f *ecs.Field) {
		for i := range f.Type.Size() {
			list[f.Offset+i] = true
		}
	}
	abi.Walk(k.program.Body, func(s *ir.Stmt) {
		if s.Op == ir.Store && s.I == view {
			if s.Field.Type == ecs.String {
				p.text(s.Field).stored = true
				return
			}
			mark(used, s.Field)
			mark(stored, s.Field)
		}
	}, func(x *ir.Expr) {
		if x.Op == ir.Load && x.I == view {
			if x.Type == ir.Text {
				p.text(x.Field).read = true
				return
			}
			mark(used, x.Field)
		}
	})
	p.in, p.back = spans(used), spans(stored)
	p.stored = len(p.back) > 0
	for _, t := range k.program.Stores {
		if t.Always && !k.unit.Sparse && t.View == view && t.Field.Type == ecs.String {
			p.text(t.Field).always = true
		}
	}
	for _, t := range p.texts {
		p.stored = p.stored || t.stored
	}
	if uintptr(len(p.in))*spanWorth >= info.Schema.Size() {
		p.in, p.allIn = nil, true
		p.whole = info.Schema.PointerFree()
	}
	p.made = true
}

// spanWorth is how many bytes of a row are copied in the time that one more span takes.
const spanWorth = 32

// spans covers some bytes of a row. No span covers others.
func spans(bytes []bool) (list []span) {
	for at := 0; at < len(bytes); {
		n := 0
		for at+n < len(bytes) && bytes[at+n] {
			n++
		}
		if n == 0 {
			at++
			continue
		}
		size := 16
		for size > n || at%min(size, 8) != 0 {
			size /= 2
		}
		list = append(list, span{uintptr(at), uintptr(size)})
		at += size
	}
	return list
}

// copyIn makes the blocks hold a row, and returns how many rows from there on they hold, at most asked. Nobody else stores
// rows while the loop runs.
func (k *Kernel) copyIn(row, asked int) int {
	if row >= k.blocks.from && row < k.blocks.to {
		return min(asked, k.blocks.to-row)
	}
	n := min(max(asked, someRows), k.blocks.rows, k.current.table.Len()-row)
	k.blocks.from, k.blocks.to = row, row+n
	for i := range k.blocks.copied {
		c := &k.blocks.copied[i]
		if c.shares.on {
			k.bringShared(c, row, n)
			continue
		}
		if c.mirror != nil {
			k.fill(c.mirror, k.current.table.ID(), row, row+n)
			k.current.base[c.walker] = c.at
			continue
		}
		from, to := unsafe.Add(c.base, uintptr(row)*c.stride), k.memory.At(c.at)
		if c.plan == nil || c.plan.allIn {
			copyRows(to, from, c.stride, n)
		} else {
			copySpans(c.plan.in, to, from, c.stride, n)
		}
		if c.plan != nil {
			k.bringTexts(c.plan.texts, to, from, c.stride, n)
		}
		k.current.base[c.walker] = c.at - uint32(row)*uint32(c.stride) // wraps round, and back
	}
	return min(asked, n)
}

// trim shortens the list of strings if it has become long. Then their numbers in copies of rows are wrong.
func (k *Kernel) trim() {
	if k.frame.Trim() {
		k.texts.forget()
		k.forgetCopies()
		k.frame.ForgetGrids() // they may lead to rows of mirrors
	}
}

// homeOfBlock returns the place in the world of which an address in a block has a copy, and whether a string is there.
func (k *Kernel) homeOfBlock(address uint32) (p unsafe.Pointer, text, ok bool) {
	for i := range k.blocks.copied {
		c := &k.blocks.copied[i]
		if c.mirror != nil || c.plan == nil {
			continue
		}
		if skip := uintptr(address - c.at); address >= c.at && skip < uintptr(k.blocks.to-k.blocks.from)*c.stride {
			isText := slices.ContainsFunc(c.plan.texts, func(t textPlace) bool { return t.offset == skip%c.stride })
			return unsafe.Add(c.base, uintptr(k.blocks.from)*c.stride+skip), isText, true
		}
	}
	return nil, false, false
}

// forgetCopies drops all copies of rows.
func (k *Kernel) forgetCopies() {
	k.blocks.from, k.blocks.to = 0, 0
	for i := range k.blocks.copied {
		k.blocks.copied[i].shares.filled = 0
	}
	k.forgetMirrors()
}

// leaveBlocks forgets the columns of a table.
func (k *Kernel) leaveBlocks() {
	clear(k.blocks.copied)
	k.blocks.copied, k.blocks.from, k.blocks.to, k.blocks.shared = k.blocks.copied[:0], 0, 0, false
}

// copyOut copies back what n rows that are done may have stored.
func (k *Kernel) copyOut(row, n int) {
	for i := range k.blocks.copied {
		c := &k.blocks.copied[i]
		if c.plan == nil || !c.plan.stored || n == 0 {
			continue
		}
		from, to := k.memory.At(k.current.base[c.walker]+uint32(row)*uint32(c.stride)), unsafe.Add(c.base, uintptr(row)*c.stride)
		if c.plan.whole {
			copyRows(to, from, c.stride, n)
		} else {
			copySpans(c.plan.back, to, from, c.stride, n)
			k.takeTexts(c.plan.texts, to, from, c.stride, n)
		}
	}
}

func copyRows(to, from unsafe.Pointer, stride uintptr, rows int) {
	size := uintptr(rows) * stride
	copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(from), size))
}

func copySpans(list []span, to, from unsafe.Pointer, stride uintptr, rows int) {
	for _, s := range list {
		to, from := unsafe.Add(to, s.offset), unsafe.Add(from, s.offset)
		switch s.size {
		case 16:
			copySpan[[2]uint64](to, from, stride, rows)
		case 8:
			copySpan[uint64](to, from, stride, rows)
		case 4:
			copySpan[uint32](to, from, stride, rows)
		case 2:
			copySpan[uint16](to, from, stride, rows)
		default:
			copySpan[uint8](to, from, stride, rows)
		}
	}
}

// copySpan copies a span of each row. It is unrolled for speed.
func copySpan[T [2]uint64 | uint64 | uint32 | uint16 | uint8](to, from unsafe.Pointer, stride uintptr, rows int) {
	at := uintptr(0)
	for ; rows >= 4; rows -= 4 {
		*(*T)(unsafe.Add(to, at)) = *(*T)(unsafe.Add(from, at))
		at += stride
		*(*T)(unsafe.Add(to, at)) = *(*T)(unsafe.Add(from, at))
		at += stride
		*(*T)(unsafe.Add(to, at)) = *(*T)(unsafe.Add(from, at))
		at += stride
		*(*T)(unsafe.Add(to, at)) = *(*T)(unsafe.Add(from, at))
		at += stride
	}
	for ; rows > 0; rows-- {
		*(*T)(unsafe.Add(to, at)) = *(*T)(unsafe.Add(from, at))
		at += stride
	}
}
