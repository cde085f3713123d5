package machine

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/tetratelabs/wazero/api"
)

// A Kernel is machine code for a Program, in one world. It is a [kernel.Kernel].
type Kernel struct {
	program  *ir.Program
	unit     *abi.Unit
	budget   *sandbox.Budget
	memory   *memory.Memory
	run      api.Function
	ctx      context.Context
	stack    [2]uint64
	closures *closures.Kernel // for columns that lie elsewhere; made when there are such

	frame     uint32 // address
	marks     uint32 // address of the marks, mostRows
	fuel      *int64
	mask      *uint64
	granted   int64
	ptr       *[abi.MostWalkers]uint32
	table     *ecs.Table
	column    [abi.MostViews]*ecs.Column
	base      [abi.MostWalkers]uint32 // of row 0
	from, to  int                     // rows of table to be stamped for the views that each row stores
	outMarks  []*uint32
	markBytes *[abi.MostRows]uint8

	copied    []copied // of the table at hand
	plans     [abi.MostViews]copyPlan
	blockRows int // of a block
	heldFrom  int // rows that the blocks hold
	heldTo    int

	present  [abi.MostViews]uint32
	words    *[abi.MostWords]uint32
	site     *uint32 // which return it was
	ring     uint32  // address of the records of effects
	ringAt   *uint32
	log      uint32 // address of the log of stores
	logAt    *uint32
	undoAt   *uint32
	outside  *outside
	given    []kernel.Elements // by table
	brought  bool              // they are in memory, and may have changed there
	texts    []string          // by register
	strings  []string          // those that code knows, by its numbers for them
	pool     ecs.Pool          // nil: one core
	instance api.Module
	sharing  sharing
	taken    *taken
	effects  kernel.Effects
	writes   []ecs.ComponentID // see ir.Program.Writes
	args     []kernel.Arg
	results  []kernel.Result
	random   *ecs.Random      // while its state is in the frame
	stream   *ecs.RandomState // there
	watch    watch
}

// A codeHost answers the calls of the code of a kernel.
type codeHost struct{ kernel *Kernel }

func (h codeHost) Refuel() bool           { return h.kernel.refuel() }
func (h codeHost) Snapshot(loop int) bool { return h.kernel.snapshot(loop) }

// newKernel puts a unit into a memory. done gives back what it takes there.
func newKernel(p *ir.Program, u *abi.Unit, c *engine.Compiled, m *memory.Memory, b *sandbox.Budget) (k *Kernel, done func(), err error) {
	size := uintptr(u.Layout.Size) + abi.MostRows
	if u.Effects {
		size += abi.RingSize
	}
	if u.Logs {
		size += abi.LogSize
	}
	frame := m.Alloc(size)
	if frame == nil {
		return nil, nil, abi.Refusal("no memory is left")
	}
	instance, err := c.Instantiate(m)
	if err != nil {
		m.Free(frame, size)
		return nil, nil, fmt.Errorf("machine code: %w", err)
	}
	k = &Kernel{program: p, unit: u, budget: b, memory: m, run: instance.ExportedFunction("run"), blockRows: blockRows(u)}
	k.ctx = engine.Context(codeHost{k})
	k.base[0] = memory.Lowest // of a walker that only counts: the loops go back below the first row
	k.frame, _ = m.Address(frame)
	k.marks = k.frame + u.Layout.Size
	k.fuel, k.mask = (*int64)(unsafe.Add(frame, abi.FrameFuel)), (*uint64)(unsafe.Add(frame, abi.FrameMask))
	k.ptr = (*[abi.MostWalkers]uint32)(unsafe.Add(frame, abi.FramePtr))
	k.markBytes = (*[abi.MostRows]uint8)(m.At(k.marks))
	for i, n := range u.Constants {
		*(*float64)(unsafe.Add(frame, u.Layout.Constants+8*uint32(i))) = n
	}
	for _, out := range p.Outputs {
		if out.Mark >= 0 {
			k.outMarks = append(k.outMarks, k.bool(out.Mark))
		}
	}
	k.stream = (*ecs.RandomState)(unsafe.Add(frame, u.Layout.Random))
	k.words = (*[abi.MostWords]uint32)(unsafe.Add(frame, u.Layout.Words))
	k.site = (*uint32)(unsafe.Add(frame, abi.FrameSite))
	k.ring, k.ringAt = k.marks+abi.MostRows, (*uint32)(unsafe.Add(frame, abi.FrameRing))
	*k.ringAt = k.ring
	k.log, k.logAt, k.undoAt = k.ring, (*uint32)(unsafe.Add(frame, abi.FrameLog)), (*uint32)(unsafe.Add(frame, abi.FrameUndo))
	if u.Effects {
		k.log += abi.RingSize
	}
	*k.logAt = k.log
	o := &outside{columns: map[int]*memory.List{}, walks: map[int]*memory.List{}, rows: map[int]int64{}}
	more := &taken{marks: memory.List{Memory: m}, tables: make([]memory.List, len(p.Tables))}
	more.nears, more.blocks = make([]memory.List, 2*len(u.Nears)), make([]block, len(u.Walkers))
	for i := range more.nears {
		more.nears[i].Memory = m
	}
	for i := range more.tables {
		more.tables[i].Memory = m
	}
	k.writes = p.Writes()
	k.given, k.texts = make([]kernel.Elements, len(p.Tables)), make([]string, p.Texts)
	k.outside, k.taken, k.instance = o, more, instance
	columns, walks := o.columns, o.walks // o itself holds the world, and through its systems k: what is held here until k is gone may not lead to k
	return k, func() {
		_ = instance.Close(context.Background()) // never fails
		m.Free(frame, size)
		for _, lists := range [...]map[int]*memory.List{columns, walks} {
			for _, l := range lists {
				l.Free()
			}
		}
		more.marks.Free()
		for i := range more.tables {
			more.tables[i].Free()
		}
		for i := range more.nears {
			more.nears[i].Free()
		}
		for _, b := range more.blocks {
			if b.p != nil {
				m.Free(b.p, b.size)
			}
		}
		for _, p := range more.frames {
			m.Free(p, uintptr(u.Layout.Size))
		}
	}, nil
}
