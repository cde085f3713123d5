package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// The frame of one kernel: how it is allocated, and what is set when a run begins.

// A Frame is the memory that one kernel shares with its code: the registers of the Program, what the host tells the
// code before a call, and what the code leaves for the host. Its pointers lead into linear memory and are valid
// until it is released. Host and code use it in turn: while code runs, the host reads it only in functions that
// code has called.
type Frame struct {
	Program *ir.Program
	Unit    *abi.Unit
	Memory  *memory.Memory
	Address uint32 // of the frame; the first argument of run

	Ptr   *[abi.MostWalkers]uint32 // for each walker: the address of the first row of a call; code moves the first walker to where it stopped
	Masks *[abi.MostMasks]uint64   // the rows of a call, if Unit.Sparse; nil otherwise
	Words *[abi.MostWords]uint32   // by Unit.Words

	// The marks of the rows of a call, if Unit.Marks is a walker: which of the views Unit.Others a row has stored. Before a
	// call all are 0; the host clears what it has read.
	MarkAt uint32 // address of the first one
	Marks  *[abi.MostRows]uint8

	Fuel Fuel
	Ring Ring
	Log  Log

	// The values of a return, after a call that ended with abi.Returned and TakeResults.
	Results []kernel.Result

	// Stream is the state of the random stream of the running system, while Random is not nil: see LendRandom.
	Stream *ecs.RandomState
	Random *ecs.Random

	outMarks  []*uint32         // marks of outputs: whether the loop has assigned them
	outGiven  []uint32          // the values of these marks when a loop begins
	given     []kernel.Elements // by Program.Tables; the values are Go memory
	keyed     []keyed           // by Program.Keyed
	lines     []string          // that rows print
	lists     *lists
	lent      bool     // the inputs are in linear memory, and may have changed there
	texts     *texts   // the strings that code knows
	registers []string // of type Text
	site      *uint32  // the number of the return that ended the loop
}

// A lists is the linear memory that a Frame uses besides the frame itself. It must not refer to the kernel: see
// New.
type lists struct {
	tables  []memory.List // copies of the elements, by Program.Tables
	entries []entries     // by Program.Keyed
}

// New allocates the frame of a kernel. release frees its memory. It must be called when the kernel is garbage, so
// it does not refer to the Frame. The error is an [abi.Refusal] if no memory is left.
func New(p *ir.Program, u *abi.Unit, m *memory.Memory, b *sandbox.Budget) (f *Frame, release func(), err error) {
	size := uintptr(u.Layout.Size) + abi.MostRows
	if u.Effects {
		size += abi.RingSize
	}
	if u.Logs {
		size += abi.LogSize
	}
	masks := size
	if u.Sparse {
		size += 8 * abi.MostMasks
	}
	start := m.Alloc(size)
	if start == nil {
		return nil, nil, abi.Refusal("no memory is left")
	}
	f = &Frame{Program: p, Unit: u, Memory: m}
	f.Address, _ = m.Address(start)
	f.MarkAt = f.Address + u.Layout.Size
	f.Marks = (*[abi.MostRows]uint8)(m.At(f.MarkAt))
	if u.Sparse {
		f.Masks = (*[abi.MostMasks]uint64)(unsafe.Add(start, masks))
		*(*uint32)(unsafe.Add(start, abi.FrameMask)) = f.Address + uint32(masks)
	}
	f.Ptr = (*[abi.MostWalkers]uint32)(unsafe.Add(start, abi.FramePtr))
	f.Words = (*[abi.MostWords]uint32)(unsafe.Add(start, u.Layout.Words))
	f.Stream = (*ecs.RandomState)(unsafe.Add(start, u.Layout.Random))
	f.site = (*uint32)(unsafe.Add(start, abi.FrameSite))
	missing := unsafe.Add(start, u.Layout.Missing)
	clear(unsafe.Slice((*byte)(missing), u.Layout.Size-u.Layout.Missing))
	f.Fuel = NewFuel((*int64)(unsafe.Add(start, abi.FrameFuel)), (*int64)(unsafe.Add(missing, abi.MissingFuel)), b)
	f.Ring = Ring{Start: f.MarkAt + abi.MostRows, End: (*uint32)(unsafe.Add(start, abi.FrameRing))}
	f.Log = Log{Start: f.Ring.Start, End: (*uint32)(unsafe.Add(start, abi.FrameLog)), Row: (*uint32)(unsafe.Add(start, abi.FrameUndo))}
	if u.Effects {
		f.Log.Start += abi.RingSize
	}
	*f.Ring.End, *f.Log.End = f.Ring.Start, f.Log.Start
	for i, n := range u.Constants {
		*(*float64)(unsafe.Add(start, u.Layout.Constants+8*uint32(i))) = n
	}
	for _, out := range p.Outputs {
		if out.Mark >= 0 {
			f.outMarks = append(f.outMarks, f.bool(out.Mark))
			given := uint32(0)
			if out.Given {
				given = 1
			}
			f.outGiven = append(f.outGiven, given)
		}
	}
	l := &lists{tables: make([]memory.List, len(p.Tables)), entries: make([]entries, len(p.Keyed))}
	for i := range l.entries {
		l.entries[i].memory = m
	}
	for i := range l.tables {
		l.tables[i].Memory = m
	}
	f.keyed = make([]keyed, len(p.Keyed))
	for i := range f.keyed {
		f.keyed[i].slots = make([]kernel.Slot, p.Keyed[i].Width())
	}
	f.given, f.registers, f.lists, f.texts = make([]kernel.Elements, len(p.Tables)), make([]string, p.Texts), l, newTexts(u.Strings)
	return f, func() {
		m.Free(start, size)
		for i := range l.tables {
			l.tables[i].Free()
		}
		for i := range l.entries {
			l.entries[i].free()
		}
	}, nil
}

// Begin prepares the frame for a run: fuel is granted, and nothing is assigned or returned yet.
func (f *Frame) Begin() {
	f.Fuel.Spent = false
	f.Fuel.Grant()
	f.ForgetGrids()
	for i, m := range f.outMarks {
		*m = f.outGiven[i]
	}
	f.Results = f.Results[:0]
}

// GridView returns what code knows of the grid of a loop over near entities, given the loop's index in Unit.Nears.
func (f *Frame) GridView(loop int) *abi.GridView {
	return (*abi.GridView)(f.Memory.At(f.Address + f.Unit.Layout.Nears + abi.GridViewSize*uint32(loop)))
}

// ForgetGrids makes each loop over near entities ask for a snapshot again.
func (f *Frame) ForgetGrids() {
	for i := range f.Unit.Nears {
		v := f.GridView(i)
		v.Ready, v.Kept = 0, false
	}
}

// Registers returns the bytes of all registers. Whoever writes them restores an earlier state of the run.
func (f *Frame) Registers() []byte {
	return unsafe.Slice((*byte)(f.Memory.At(f.Address+f.Unit.Layout.Numbers)), f.Unit.Layout.Constants-f.Unit.Layout.Numbers)
}
