package scalar

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/nearby"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/pcg"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The state of an emitter, and what stands before and after the row loops. Written code is a function run(frame, rows):
// pointers, fuel and registers come from the frame into locals; the loops run; the outputs, the fuel and the position go
// back into the frame.

// An Emitter writes the code of one Program. Its state is divided by concern. The number 0 for a local means that there is
// none: locals 0 and 1 are the arguments.
type Emitter struct {
	*wasm.Function // run, as far as it is written
	m              *wasm.Module
	p              *ir.Program
	layout         abi.Layout
	steps          int      // left: see Spend
	at             *ir.Stmt // the statement that is being written, for refusals

	regs   registers
	consts constants
	own    ownRows
	beyond beyond
	out    records
	grids  grids
	loop   rowLoop
	iter   iteration

	random  *pcg.Generator
	signs   analysis.Signs
	handles handles
}

// registers are the locals of the registers of the Program.
type registers struct {
	numbers, bools, texts []int
	anys                  map[int]anyLocals // of results of calls on strings
}

// constants are the numbers and strings of the body. Numbers are loaded into locals in front of the loops, because the
// compiler would build them at each use.
type constants struct {
	constants []float64      // by place in the frame
	held      map[uint64]int // locals of numbers, by their bits
	strings   []string       // by the numbers that code has for them
}

// ownRows is what code knows of the rows of the query loop: the pointers that go from row to row, and the fields that are
// kept in locals during a row.
type ownRows struct {
	strides  []uint32           // bytes from row to row, by view
	walkers  []abi.Walker       // pointers that go from row to row
	views    [abi.MostViews]int // walker of each view, -1
	entities int                // walker of the handles, -1
	marks    int                // walker of the marks, -1
	cells    []*Cell            // fields that are kept in locals
	direct   uint64             // views that are reached in memory instead
	others   uint64             // views that only some rows store; their bits in a mark are counted from 0
	dirty    int                // local: the mark of the row at hand
}

// beyond is what code knows of the world beside these rows: views of other entities, and the words that the host puts into
// the frame.
type beyond struct {
	refs       []int            // locals with the addresses of the views of other entities
	refFar     []uint32         // of each of these, after the last byte that is touched
	slots      []int            // of each that is stored, the local with the address of the entity's slot
	mirrors    []abi.Mirror     // components that code sees in mirrors
	words      []abi.Word       // what the host tells, in this order
	wordLocals map[abi.Word]int // and in which local it is

	lastEntries map[int]lastEntry // by table that is looked up by numbers
	searches    map[int]int       // by table of pairs: the number of the function that searches it
}

// records is what rows leave for the host: effects in a ring, old values of stores in a log, values of a return. The
// statements are numbered, because code can only leave numbers.
type records struct {
	ring    int // local: where the next effect is recorded; 0: there are none
	log     int // local: where the next store is logged; 0: none is
	emits   []*ir.Stmt
	returns []*ir.Stmt
	sources []*ir.Stmt // loops over sources
	calls   []abi.TextCall
	asks    bool // there are calls
	room    int  // local: how many bytes may still be allocated for strings
}

// grids is the state of loops over near entities.
type grids struct {
	nears  []*ir.Stmt
	living map[int]int    // locals with the addresses of the records of near entities, by the register that holds the entity
	cache  *nearby.Writer // nil: there is no such loop
}

// rowLoop is the state of the loops over the rows of a call. The labels are those of the batch that is being written.
type rowLoop struct {
	ahead wasm.Encoder // code in front of the loops

	given *givenUp // what code knows of the batches that are being written

	fuel       int        // local: what is left
	status     int        // local: how run ends
	exit       wasm.Label // where to go to end the call
	giveUp     wasm.Label // where to go to leave the rows of a batch to the next way of doing them
	fastPath   bool       // there is a fast path
	noFastPath bool       // there is to be none
	packs      bool       // the first batch works on vectors
	prepaid    bool       // rows are paid for when the call ends: they all cost the same
	from       int        // local, then: where the first row lies
	sparse     bool       // which rows is in the masks of the frame
	oneCore    string     // see abi.Unit
	flipped    int        // local: a row has flipped a tag that rows ask for; 0 when none asks
}

// iteration is the state of the row that is being written.
type iteration struct {
	row     int                 // how many rows after the walkers it is
	leaf    func(*ir.Expr) bool // see WithLeaf; nil: none
	stop    wasm.Label          // where a row goes that fails
	finish  wasm.Label          // where a row goes that is done early
	breaks  []wasm.Label        // where a break goes, innermost last
	targets map[int]wasm.Label  // where jumps go
	found   map[foundKey]int    // locals with the addresses of entries of tables that are looked up: see entries.go
	brk     int                 // local: how the row ended the loop, 0 when it did not
	fast    bool                // it stores nothing before it is done
}

// A Cell is a field of the row that is read or stored. It is kept in a local from the start of the row; a stored one is
// written to the row at once, or at the end of the row if the row may fail.
type Cell struct {
	View         int
	Field        *ecs.Field
	local        int
	Read, Stored bool
	always       bool // every row stores it
}

// begin writes what stands in front of the row loops: fuel, pointers, inputs and outputs come from the frame into locals.
func (e *Emitter) begin() {
	e.loop.fuel, e.loop.status = e.Local(wasm.I64), e.Local(wasm.I32)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I64Load, abi.FrameFuel)
	e.Set(e.loop.fuel)
	for i, w := range e.own.walkers {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, abi.FramePtr+4*uint32(i))
		e.Set(w.Ptr)
	}
	for range e.p.Numbers {
		e.regs.numbers = append(e.regs.numbers, e.Local(wasm.F64))
	}
	for range e.p.Bools {
		e.regs.bools = append(e.regs.bools, e.Local(wasm.I32))
	}
	for range e.p.Texts {
		e.regs.texts = append(e.regs.texts, e.Local(wasm.I32))
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
	if asks, _ := analysis.AsksFlipped(e.p); asks {
		e.loop.flipped = e.Local(wasm.I32)
	}
	if e.out.ring != 0 {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, abi.FrameRing)
		e.Set(e.out.ring)
	}
	if e.out.log != 0 {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, abi.FrameLog)
		e.Set(e.out.log)
	}
	if e.out.asks {
		e.out.room = e.Local(wasm.I64)
		e.loadRoom()
	}
	e.holdConstants()
}

// rowLoops writes the row loops, and what stands after them: outputs, fuel, the ends of ring and log, and the position go
// back into the frame. The result of the function is how the call ended.
func (e *Emitter) rowLoops(batches []Batch) {
	start := len(e.Encoder)
	if e.loop.sparse {
		e.sparseLoop(batches[0])
	} else {
		e.rowLoop(batches)
	}
	fill := e.fillCode()
	e.Encoder = slices.Insert(e.Encoder, start, slices.Concat(e.loop.ahead, fill)...)
	for _, out := range e.p.Outputs {
		e.put(out.Place)
		if out.Mark >= 0 {
			e.put(ir.Place{Type: ir.Bool, Reg: out.Mark})
		}
	}
	e.Get(abi.ArgFrame)
	e.Get(e.loop.fuel)
	e.Memory(wasm.I64Store, abi.FrameFuel)
	if e.out.ring != 0 {
		e.Get(abi.ArgFrame)
		e.Get(e.out.ring)
		e.Memory(wasm.I32Store, abi.FrameRing)
	}
	if e.out.log != 0 {
		e.Get(abi.ArgFrame)
		e.Get(e.out.log)
		e.Memory(wasm.I32Store, abi.FrameLog)
	}
	if e.out.asks {
		e.storeRoom()
	}
	e.Get(abi.ArgFrame)
	e.Get(e.own.walkers[0].Ptr)
	e.Memory(wasm.I32Store, abi.FramePtr)
	e.Get(e.loop.status)
}

// register returns the local of a register, its type, and its offset in the frame.
func (e *Emitter) register(p ir.Place) (local int, typ byte, at uint32) {
	switch p.Type {
	case ir.Bool:
		return e.regs.bools[p.Reg], wasm.I32, e.layout.Bools + 4*uint32(p.Reg)
	case ir.Text:
		return e.regs.texts[p.Reg], wasm.I32, e.layout.Texts + 4*uint32(p.Reg)
	default:
		return e.regs.numbers[p.Reg], wasm.F64, e.layout.Numbers + 8*uint32(p.Reg)
	}
}

// fetch loads a register from the frame.
func (e *Emitter) fetch(p ir.Place) {
	local, typ, at := e.register(p)
	e.Get(abi.ArgFrame)
	if typ == wasm.I32 {
		e.Memory(wasm.I32Load, at)
	} else {
		e.Memory(wasm.F64Load, at)
	}
	e.Set(local)
}

// put stores a register in the frame.
func (e *Emitter) put(p ir.Place) {
	local, typ, at := e.register(p)
	e.Get(abi.ArgFrame)
	e.Get(local)
	if typ == wasm.I32 {
		e.Memory(wasm.I32Store, at)
	} else {
		e.Memory(wasm.F64Store, at)
	}
}

// OneByOne reports whether rows cannot be done in batches, because only after a row is it known which row is next.
func (e *Emitter) OneByOne() bool { return e.loop.sparse || e.loop.flipped != 0 }

// batches returns the ways in which rows are done, largest first. packed, if it is not nil, is a batch of package packing.
// Without it, cheap bodies are written two or four times in a row, which saves a part of the loop.
func (e *Emitter) batches(packed *Batch) []Batch {
	one := Batch{Rows: 1, Emit: func() { e.rowAt(0, 1) }}
	if e.OneByOne() {
		return []Batch{one}
	}
	var list []Batch
	if packed != nil {
		e.loop.packs = true
		list = append(list, *packed)
	}
	if !e.loop.noFastPath && packed == nil {
		if b, ok := e.fastPathOf(); ok {
			e.loop.fastPath = true
			list = append(list, e.fastBatch(b))
		}
	}
	if len(list) > 0 && (packed != nil || !list[0].Stores) {
		return append(list, one)
	}
	n := 0
	switch {
	case !e.evenRows(), len(e.p.Refs) > 0, e.p.Price > 100:
	case e.p.Price > 50:
		n = 2
	default:
		n = 4
	}
	if n > 0 {
		list = append(list, Batch{Rows: n, Emit: func() {
			for i := range n {
				e.rowAt(i, n)
			}
		}})
	}
	return append(list, one)
}
