package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// emitter writes the code of one Program.
type emitter struct {
	*wasm.Function
	m *wasm.Module
	p *ir.Program
	abi.Layout
	strides []uint32 // of the components, by view
	steps   int      // left: see spend

	numbers, bools []int // locals of the registers
	texts          []int
	fuel, status   int
	exit           wasm.Label

	walkers   []abi.Walker
	views     [abi.MostViews]int // walker of each view, -1
	entities  int                // walker of the handles, -1
	marks     int                // walker of the marks, -1
	cells     []*cell
	others    uint64 // views that some rows store; their bits in a mark are counted from 0
	dirty     int    // mark of the row at hand
	brk       int    // whether the row broke the loop
	signs     signs
	constants []float64 // by place in the frame
	held      map[uint64]int

	direct     uint64   // views of the query loop that are reached in memory
	refs       []int    // locals with the addresses of the views beyond those
	refFar     []uint32 // behind the last byte that is touched there
	words      []abi.Word
	wordLocals map[abi.Word]int
	drawn      int   // whether the row has drawn a random number
	ring       int   // where the next effect is recorded; 0: there are none
	log        int   // where the next store is logged; 0: none is
	slots      []int // locals with the addresses of the slots of the views in refs that are stored
	emits      []*ir.Stmt
	returns    []*ir.Stmt
	strings    []string // constants
	nears      []*ir.Stmt
	looked     int         // points that were gone through; 0: no loop asks who is near
	living     map[int]int // locals with the addresses of the neighbours who are, by register
	neighbour  neighbourLayout
	handles    handles

	// of the row being written
	row     int        // how many rows after the walkers it is
	stop    wasm.Label // where to go to put it back
	finish  wasm.Label // where to go when it is done early
	breaks  []wasm.Label
	targets map[int]wasm.Label

	guards  bool // the first form does the rows that do nothing, and touches them itself
	prepaid bool // rows are paid for when the call ends: they all cost the same
	from    int  // local, then: where the first row lies

	// of packed batches
	forms   []form
	anyway  bool                // even if that is slower than row by row
	packs   bool                // there is one
	leaf    func(*ir.Expr) bool // writes a field or register; false: as usual
	ahead   wasm.Encoder        // code in front of the loops over rows
	flipped int                 // local: a row has flipped a tag; 0 when no row asks for such
	sparse  bool                // which rows is in the mask of the frame
	giveUp  wasm.Label          // where to go to leave the rows of a batch to the next form
}

// cell is a stored or read field of a view of the query loop. It is kept in a local
// from the start of a row on.
type cell struct {
	view         int
	field        *ecs.Field
	local        int
	read, stored bool
	always       bool
}

// run writes the function that does some rows.
func (e *emitter) run() {
	e.fuel, e.status = e.Local(wasm.I64), e.Local(wasm.I32)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I64Load, abi.FrameFuel)
	e.Set(e.fuel)
	for i, w := range e.walkers {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, abi.FramePtr+4*uint32(i))
		e.Set(w.Ptr)
	}
	for range e.p.Numbers {
		e.numbers = append(e.numbers, e.Local(wasm.F64))
	}
	for range e.p.Bools {
		e.bools = append(e.bools, e.Local(wasm.I32))
	}
	for range e.p.Texts {
		e.texts = append(e.texts, e.Local(wasm.I32))
	}
	for _, in := range e.p.Inputs {
		if in.Used {
			e.fetch(in)
		}
	}
	for _, out := range e.p.Outputs {
		e.fetch(out.Place)
		if out.Mark >= 0 {
			e.fetch(ir.Place{Type: ir.Bool, Reg: out.Mark})
		}
	}
	if asks, _ := asksFlipped(e.p); asks {
		e.flipped = e.Local(wasm.I32)
	}
	if e.ring != 0 {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, abi.FrameRing)
		e.Set(e.ring)
	}
	if e.log != 0 {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, abi.FrameLog)
		e.Set(e.log)
	}
	e.holdConstants()
	start := len(e.Encoder)
	if batches := e.batches(); e.sparse {
		e.sparseLoop(batches[0])
	} else {
		e.rowLoop(batches)
	}
	e.Encoder = slices.Insert(e.Encoder, start, e.ahead...)
	for _, out := range e.p.Outputs {
		e.put(out.Place)
		if out.Mark >= 0 {
			e.put(ir.Place{Type: ir.Bool, Reg: out.Mark})
		}
	}
	e.Get(abi.ArgFrame)
	e.Get(e.fuel)
	e.Memory(wasm.I64Store, abi.FrameFuel)
	if e.ring != 0 {
		e.Get(abi.ArgFrame)
		e.Get(e.ring)
		e.Memory(wasm.I32Store, abi.FrameRing)
	}
	if e.log != 0 {
		e.Get(abi.ArgFrame)
		e.Get(e.log)
		e.Memory(wasm.I32Store, abi.FrameLog)
	}
	e.Get(abi.ArgFrame)
	e.Get(e.walkers[0].Ptr)
	e.Memory(wasm.I32Store, abi.FramePtr)
	e.Get(e.status)
}

// register is the local of a register, and where in the frame it is.
func (e *emitter) register(p ir.Place) (local int, typ byte, at uint32) {
	switch p.Type {
	case ir.Bool:
		return e.bools[p.Reg], wasm.I32, e.Layout.Bools + 4*uint32(p.Reg)
	case ir.Text:
		return e.texts[p.Reg], wasm.I32, e.Layout.Texts + 4*uint32(p.Reg)
	default:
		return e.numbers[p.Reg], wasm.F64, e.Layout.Numbers + 8*uint32(p.Reg)
	}
}

// fetch loads a register from the frame; put stores it there.
func (e *emitter) fetch(p ir.Place) {
	local, typ, at := e.register(p)
	e.Get(abi.ArgFrame)
	if typ == wasm.I32 {
		e.Memory(wasm.I32Load, at)
	} else {
		e.Memory(wasm.F64Load, at)
	}
	e.Set(local)
}

func (e *emitter) put(p ir.Place) {
	local, typ, at := e.register(p)
	e.Get(abi.ArgFrame)
	e.Get(local)
	if typ == wasm.I32 {
		e.Memory(wasm.I32Store, at)
	} else {
		e.Memory(wasm.F64Store, at)
	}
}

// batches are the forms of the row loop, those of several rows first.
func (e *emitter) batches() []batch {
	loops := e.turns()
	one := batch{1, func() { e.rowAt(0, 1) }}
	if e.sparse || e.flipped != 0 {
		return []batch{one}
	}
	if t, ok := e.packed(); ok {
		return []batch{t, one}
	}
	if t, ok := e.guarded(); ok {
		return []batch{t, one}
	}
	loops = loops || len(e.p.Refs) > 0
	n := 0
	switch {
	case loops, e.p.Price > 100:
	case e.p.Price > 50:
		n = 2
	default:
		n = 4
	}
	if n == 0 {
		return []batch{one}
	}
	return []batch{{n, func() {
		for i := range n {
			e.rowAt(i, n)
		}
	}}, one}
}
