package machine

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// Components that all rows of a table inherit, because the query asks for them and the table lacks them. Code that only reads their numbers sees a block
// of copies, one for each row. Rows that follow each other mostly have one base: then the block is filled once for a table. Code for which that does not do, as for stores, leaves the table to closures.

// sharedRows are the copies of a component that the rows of the current table inherit.
type sharedRows struct {
	on     bool
	id     ecs.ComponentID
	base   ecs.Entity // of the first filled rows of the block
	filled int
}

// copiesShared makes code see the component of a view that the rows of a table inherit; false if it has to be left to closures.
func (k *Kernel) copiesShared(view int, t *ecs.Table, w *ecs.World) (at uint32, ok bool) {
	p := &k.blocks.plans[view]
	if !p.made {
		k.planCopies(p, view, w)
	}
	id := k.program.Components[view]
	if p.stored || len(p.texts) > 0 || k.unit.InMirror&(1<<view) != 0 || slices.Contains(k.beyond, id) || ecs.Raw.Bases(t) == nil {
		k.outside.heirs.met = inherited{id, true}
		return 0, false
	}
	walker := k.unit.Views[view]
	if walker < 0 { // code asks only whether it is there
		return memory.Lowest, true
	}
	info, _ := w.ComponentInfo(id)
	if at, ok = k.copies(walker, nil, info.Schema.Size(), nil); ok {
		k.blocks.copied[len(k.blocks.copied)-1].shares = sharedRows{on: true, id: id}
		k.blocks.shared = true
	}
	return at, ok
}

// bringShared brings what n rows from row on inherit into a block.
func (k *Kernel) bringShared(c *copied, row, n int) {
	t, s := k.current.table, &c.shares
	bases, block := ecs.Raw.Bases(t)[row:row+n], k.memory.At(c.at)
	k.current.base[c.walker] = c.at - uint32(row)*uint32(c.stride) // wraps round, and back
	if bases[0] != s.base {
		s.base, s.filled = bases[0], 0
	}
	same := 1 // how many rows have the base of the first one
	if k.blocks.oneBase {
		same = n
	}
	for ; same+8 <= n; same += 8 { // unrolled for speed
		b := (*[8]ecs.Entity)(bases[same:])
		if (b[0]^s.base)|(b[1]^s.base)|(b[2]^s.base)|(b[3]^s.base)|(b[4]^s.base)|(b[5]^s.base)|(b[6]^s.base)|(b[7]^s.base) != 0 {
			break
		}
	}
	for same < n && bases[same] == s.base {
		same++
	}
	if same > s.filled {
		fillRows(block, ecs.Raw.Shared(t, s.id, row), c.stride, s.filled, same)
		s.filled = same
	}
	for from := same; from < n; {
		to := from + 1
		for to < n && bases[to] == bases[from] {
			to++
		}
		fillRows(block, ecs.Raw.Shared(t, s.id, row+from), c.stride, from, to)
		s.filled = min(s.filled, from)
		from = to
	}
}

// fillRows copies a value to the rows from..to-1 of a block. Rows without one are not visited.
func fillRows(block, value unsafe.Pointer, stride uintptr, from, to int) {
	if value == nil {
		return
	}
	if from >= to {
		return
	}
	first := unsafe.Add(block, uintptr(from)*stride)
	copyRows(first, value, stride, 1)
	for done := 1; done < to-from; done *= 2 {
		copyRows(unsafe.Add(first, uintptr(done)*stride), first, stride, min(done, to-from-done))
	}
}
