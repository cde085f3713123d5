package machine

import (
	"context"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/frame"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/watch"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	"github.com/tetratelabs/wazero/api"
)

// A Kernel is machine code for a Program, in one world. It is a [kernel.Kernel], or a [kernel.EventKernel] if the Program is
// of a loop over events. Its state is divided by concern; each part says what holds for it.
type Kernel struct {
	program *ir.Program // what code does
	whole   *ir.Program // what closures do: the same, or more (see sideexit.go)
	unit    *abi.Unit
	budget  *sandbox.Budget
	memory  *memory.Memory
	stored  []int             // the views of the walk that rows store
	beyond  []ecs.ComponentID // the components that are stored in other rows than those of the walk
	plain   bool              // see plain.go
	closing bool              // the next run, or the one that runs, is the last thing that its turn does

	frame   *frame.Frame // what host and code tell each other
	code    code
	current currentTable
	entered entered
	blocks  blockCopies
	outside *outside // what the words of the frame are about
	mirrors []*mirror
	effects kernel.Effects
	tables  kernel.TableWriter // of effects
	args    []kernel.Arg       // scratch of apply
	listed  []ecs.Entity       // scratch of sources
	texts   textCalls
	sharing sharing
	taken   *taken

	rest  *closures.Kernel // does the rows that code cannot; made when there are such rows
	exits sideExits
	words [abi.MostMasks]uint64 // scratch of walk
	pace  copyPace
	watch watch.Watch
	off   without.Set

	instruments *memory.Instruments // nil: none
	wrong       func(row, done int) // changes what a call has left, in tests of the watch; nil: nothing does
}

// code is the function run of an instance of the compiled module, and how it is called. It belongs to one goroutine; the
// workers of sharing have functions of their own, of the same instance.
type code struct {
	instance api.Module
	run      api.Function
	ctx      context.Context
	stack    [2]uint64 // arguments, then the result
}

// currentTable is the table whose rows the code visits. Between runs table is nil and no column is held, so that a Kernel
// does not keep a world alive.
//
// from and to are the rows that have been stored in the views of Unit.Always and are not stamped yet: flush stamps them
// before another table is entered, before closures go on, and at the end of a run. Rows in other views are stamped at once.
type currentTable struct {
	table    *ecs.Table
	column   [abi.MostViews]*ecs.Column // by view; nil: the table lacks it
	base     [abi.MostWalkers]uint32    // by walker: address of row 0, in the column or as if the block began there
	present  [abi.MostViews]uint32      // by view: an address, 0 if the table lacks it
	from, to int
	done     int // rows that the last run has finished, in all tables
}

// entered says which table was entered last, if code reaches its columns where they are. As long as no column has moved, the
// addresses in current hold for it: base and present.
type entered struct {
	world  *ecs.World // nil: no such table
	table  int
	layout uint64
}

// taken is the linear memory that a kernel has beside its frame. It is freed when the kernel is collected, and so must not lead
// to the kernel.
type taken struct {
	workers []workerFrame
	marks   memory.List          // of the rows of a table that workers share
	nears   []memory.List        // of near entities, by loop; then the caches, by the first loop over their grid
	blocks  []block              // by walker
	columns map[int]*memory.List // by component: see outside
	walks   map[int]*memory.List // by query within: see outside
	pages   map[int]*memory.List // of tags and indexes: see outside
	mirrors []*mirrorMemory
	sources []memory.List // by loop over sources
	calls   memory.List   // the caches of calls on strings
}

// free gives the memory back.
func (x *taken) free(m *memory.Memory) {
	for _, lists := range [...]map[int]*memory.List{x.columns, x.walks, x.pages} {
		for _, l := range lists {
			l.Free()
		}
	}
	x.marks.Free()
	x.calls.Free()
	for i := range x.sources {
		x.sources[i].Free()
	}
	for _, held := range x.mirrors {
		for _, b := range held.blocks {
			if b.p != nil {
				m.Free(b.p, b.size)
			}
		}
	}
	for i := range x.nears {
		x.nears[i].Free()
	}
	for _, b := range x.blocks {
		if b.p != nil {
			m.Free(b.p, b.size)
		}
	}
	for _, w := range x.workers {
		m.Free(w.p, w.size)
		for i := range w.lists {
			w.lists[i].Free()
		}
	}
}

// does turns mechanisms off.
func (k *Kernel) does(off without.Set) {
	k.off = off
	k.plain = k.plain && !off.Has(without.Plain)
}

// A codeHost answers the calls of the code of a kernel.
type codeHost struct{ kernel *Kernel }

func (h codeHost) Refuel() bool           { return h.kernel.frame.Fuel.Refuel() }
func (h codeHost) Snapshot(loop int) bool { return h.kernel.snapshot(loop) }
func (h codeHost) Fetch(component int, mirror uint32, row int) {
	h.kernel.fetch(ecs.ComponentID(component), mirror, row)
}
func (h codeHost) Sources(loop int, e float64) bool { return h.kernel.sources(loop, e) }
func (h codeHost) Call(call int, entry uint32) bool { return h.kernel.textCall(call, entry) }

// newKernel instantiates compiled code in a memory. done frees what the kernel takes there. It must be called when the kernel
// is collected, and does not keep the kernel alive.
func newKernel(p *ir.Program, u *abi.Unit, c *engine.Compiled, m *memory.Memory, b *sandbox.Budget) (k *Kernel, done func(), err error) {
	f, release, err := frame.New(p, u, m, b)
	if err != nil {
		return nil, nil, err
	}
	instance, err := c.Instantiate(m)
	if err != nil {
		release()
		return nil, nil, fmt.Errorf("machine code: %w", err)
	}
	k = &Kernel{program: p, whole: p, unit: u, budget: b, memory: m, frame: f, watch: watch.New(f)}
	k.stored, k.beyond = stores(p)
	k.plain = plain(p, u, k.beyond)
	k.effects.PayTo(b)
	k.code = code{instance: instance, run: instance.ExportedFunction("run"), ctx: engine.Context(codeHost{k})}
	k.current.base[0] = memory.Lowest // of a walker that only counts: the loops go back below the first row
	k.blocks.rows = blockRows(u)
	more := &taken{marks: memory.List{Memory: m}, columns: map[int]*memory.List{}, walks: map[int]*memory.List{}, pages: map[int]*memory.List{}}
	more.nears, more.blocks = make([]memory.List, 2*len(u.Nears)), make([]block, len(u.Walkers))
	for i := range more.nears {
		more.nears[i].Memory = m
	}
	more.sources = make([]memory.List, len(u.Sources))
	for i := range more.sources {
		more.sources[i].Memory = m
	}
	// The maps are shared, but more does not lead to the world, which leads to k through its systems.
	k.outside = &outside{columns: more.columns, walks: more.walks, pages: more.pages, paged: map[int]uint64{}, rows: map[int]int64{}}
	k.taken = more
	k.newMirrors()
	return k, func() {
		_ = instance.Close(context.Background()) // never fails
		release()
		more.free(m)
	}, nil
}

// SetNumber implements [kernel.Kernel], and so are the following.
func (k *Kernel) SetNumber(reg int, v float64) { k.frame.SetNumber(reg, v) }

// SetBool sets a register.
func (k *Kernel) SetBool(reg int, v bool) { k.frame.SetBool(reg, v) }

// SetText sets a register.
func (k *Kernel) SetText(reg int, v string) { k.frame.SetText(reg, v) }

// SetTable gives the elements of a table.
func (k *Kernel) SetTable(i int, e kernel.Elements) { k.frame.SetTable(i, e) }

// SetKeyed gives a table that is looked up by strings.
func (k *Kernel) SetKeyed(i int, t kernel.Keyed) { k.frame.SetKeyed(i, t) }

// SetTableWriter sets what makes the effects on Lua tables.
func (k *Kernel) SetTableWriter(w kernel.TableWriter) {
	k.tables = w
	if k.rest != nil {
		k.rest.SetTableWriter(w)
	}
}

// Number returns a register.
func (k *Kernel) Number(reg int) float64 { return k.frame.Number(reg) }

// Bool returns a register.
func (k *Kernel) Bool(reg int) bool { return k.frame.Bool(reg) }

// Text returns a register.
func (k *Kernel) Text(reg int) string { return k.frame.Text(reg) }

// Results returns the values of the return that ended the loop.
func (k *Kernel) Results() []kernel.Result { return k.frame.Results }

// Rows implements [kernel.Kernel].
func (k *Kernel) Rows() int { return k.current.done }
