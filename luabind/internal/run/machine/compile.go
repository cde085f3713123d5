package machine

import (
	"errors"
	"fmt"
	"hash/crc32"
	"runtime"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/emit"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/selfcheck"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
)

// From a Program to a Kernel: package emit makes a module, package engine compiles it, package selfcheck compares it with
// closures, and newKernel instantiates it. Each step may refuse; then the loop runs as closures.

// ErrDiffers is in the error of [Compile] if the code did not do what closures do. That is a fault of the compiler of
// machine code.
var ErrDiffers = selfcheck.ErrDiffers

// ErrInvalid is in the error of [Compile] if wazero refuses the module. That is a fault of the compiler of machine code,
// too.
var ErrInvalid = engine.ErrInvalid

// Compile makes machine code of a Program over a query of a world; q is nil for a loop over events. The error says why
// there is none; closures can run every Program. If pool is not nil, the rows of large tables are shared among its workers. off are the mechanisms that the code does without.
func Compile(p *ir.Program, q *ecs.Query, w *ecs.World, b *sandbox.Budget, pool ecs.Pool, off without.Set) (*Kernel, error) {
	r, err := Prepare(p, q, w, off)
	if err != nil {
		return nil, err
	}
	return r.Kernel(b, pool)
}

// A Ready is compiled and checked code of a Program, for any number of Kernels. The code is held as long as the Ready, or
// one of them, is.
type Ready struct {
	program     *ir.Program // what code does
	whole       *ir.Program // what closures do: see emit.Hot
	memory      *memory.Memory
	unit        *abi.Unit
	code        *engine.Compiled
	instruments *memory.Instruments // of the world; nil: none
	off         without.Set
}

// Prepare does the part of [Compile] that takes time, some milliseconds. It only reads the world: several goroutines may
// prepare Programs of a world that nobody changes meanwhile.
func Prepare(p *ir.Program, q *ecs.Query, w *ecs.World, off without.Set) (*Ready, error) {
	forms := packing.Forms
	if off.Has(without.Packing) {
		forms = nil
	}
	return prepareAs(p, q, w, forms, false, off)
}

// Kernel instantiates the code, which takes microseconds.
func (r *Ready) Kernel(b *sandbox.Budget, pool ecs.Pool) (*Kernel, error) {
	k, done, err := newKernel(r.program, r.unit, r.code, r.memory, b)
	if err != nil {
		return nil, err
	}
	k.doesHotPartOf(r.whole)
	k.does(r.off)
	k.sharing.pool, k.instruments = pool, r.instruments
	if r.off.Has(without.Share) {
		k.sharing.pool = nil
	}
	if r.instruments != nil {
		k.sharing.from = r.instruments.ShareFrom
	}
	r.code.Use()
	c, code := r.code, r.unit.Code
	runtime.AddCleanup(k, func(code []byte) {
		done()
		c.Drop(code)
	}, code)
	return k, nil
}

// Refused is the error of [Compile] if the compiler has no code for a Program; [Forecast] says so, too.
type Refused = abi.Refusal

// Refusal returns why Compile would refuse a Program, as far as that is known without compiling it; "" if it would not.
func Refusal(p *ir.Program, q *ecs.Query, w *ecs.World) string { return Forecast(p, q, w, 0).Refusal }

// A Cut is a statement of a Program that only closures can do.
type Cut = emit.Cut

// An Outlook is what Compile would make of a Program.
type Outlook struct {
	Refusal string // why there would be no code
	OneCore string // why the code would run on one core; "" if large tables are shared among cores
	Cuts    []Cut  // statements that closures do, in the rows that reach them; without code, the first one that code cannot do
}

// Forecast says what Compile would make of a Program, as far as that is known without compiling it.
func Forecast(p *ir.Program, q *ecs.Query, w *ecs.World, off without.Set) Outlook {
	code, cuts := codeOf(p, off)
	u, err := emitFor(code, q, w, nil, false, off) // packing refuses nothing
	if r := abi.Refusal(""); errors.As(err, &r) {
		if code != p { // the cuts are not what is refused
			cuts = nil
		}
		return Outlook{Refusal: string(r), Cuts: cuts}
	}
	if err != nil {
		return Outlook{Refusal: err.Error()}
	}
	if u.OneCore == "" && emit.HasPointers(code, q, w) {
		return Outlook{OneCore: "it uses a component with strings or tables", Cuts: cuts}
	}
	return Outlook{OneCore: u.OneCore, Cuts: cuts}
}

// Outline describes what Compile makes of a Program, before wazero compiles it: the size and the checksum of the module,
// and what the host knows of it. Tests compare it with records. The error is that of [Compile].
func Outline(p *ir.Program, q *ecs.Query, w *ecs.World) (string, error) {
	p, _ = codeOf(p, 0)
	u, err := emitFor(p, q, w, packing.Forms, false, 0)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes %08x layout %v constants %v walkers %v views %v entities %d marks %d others %v always %v fast path %v packed %v sparse %v words %v "+
		"emits %d returns %d nears %d of %d effects %v logs %v strings %q tolls %v nanoseconds %.6g cost %d steps %d", len(u.Code), crc32.ChecksumIEEE(u.Code),
		u.Layout, u.Constants, u.Walkers, u.Views, u.Entities, u.Marks, u.Others, u.Always, u.FastPath, u.Packed, u.Sparse, u.Words,
		len(u.Emits), len(u.Returns), len(u.Nears), u.Neighbour, u.Effects, u.Logs, u.Strings, u.FuelChecks, u.Nanoseconds, u.Cost, u.Steps), nil
}

// emitFor emits the module of a Program. It refuses where wazero has no compiler.
func emitFor(p *ir.Program, q *ecs.Query, w *ecs.World, forms []packing.Form, anyway bool, off without.Set) (*abi.Unit, error) {
	if !engine.Supported() {
		return nil, abi.Refusal("there is no compiler for this processor or system")
	}
	return emit.Unit(p, q, w, forms, anyway, !off.Has(without.FastPath))
}

// Partial reports whether code would do only a part of a Program, and leave the rows that reach the rest to closures.
func Partial(p *ir.Program) bool {
	hot, _ := emit.Hot(p)
	return hot != nil
}

// codeOf returns the Program for code: p itself, or what is left of it without the cuts.
func codeOf(p *ir.Program, off without.Set) (code *ir.Program, cuts []emit.Cut) {
	if off.Has(without.Exits) {
		return p, nil
	}
	hot, cuts := emit.Hot(p)
	if hot != nil {
		return hot, cuts
	}
	return p, cuts
}

// prepareAs is Prepare with a choice of forms: see emit.Unit.
func prepareAs(p *ir.Program, q *ecs.Query, w *ecs.World, forms []packing.Form, anyway bool, off without.Set) (*Ready, error) {
	m, _ := memory.For(w) // it is held: what follows takes the same one again
	whole := p
	p, _ = codeOf(whole, off)
	u, err := emitFor(p, q, w, forms, anyway, off)
	if err != nil {
		return nil, err
	}
	c, err := engine.Compile(u.Code)
	if err != nil {
		return nil, err
	}
	check := func() error { return selfcheck.Check(p, q, w, uint64(len(u.Code)), underTest(u, c)) }
	if !off.Has(without.SelfCheck) {
		err = c.Checked(check)
	}
	if err != nil {
		c.Drop(u.Code)
		return nil, err
	}
	r := &Ready{p, whole, m, u, c, memory.InstrumentsOf(w), off}
	runtime.AddCleanup(r, c.Drop, u.Code)
	return r, nil
}

// underTest makes kernels of code for its self-check.
func underTest(u *abi.Unit, c *engine.Compiled) selfcheck.Maker {
	return func(p *ir.Program, w *ecs.World, m *memory.Memory, b *sandbox.Budget) (kernel.Kernel, func(), error) {
		return newKernel(p, u.Moved(w), c, m, b)
	}
}

// NewMemory returns memory for a world, in which machine code can reach columns. Where wazero has no compiler it hands out
// nothing, and the world uses Go's heap.
func NewMemory() *memory.Memory {
	if !engine.Supported() {
		return new(memory.Memory)
	}
	return memory.New()
}
