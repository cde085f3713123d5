package machine

import (
	"errors"
	"fmt"
	"hash/crc32"
	"runtime"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// Compile makes machine code of a Program that runs over a query of a world. The
// error says why there is none: the closures can do all of it.
// pool, if it is not nil, shares the rows of large tables.
func Compile(p *ir.Program, q *ecs.Query, w *ecs.World, b *sandbox.Budget, pool ecs.Pool) (*Kernel, error) {
	r, err := Prepare(p, q, w)
	if err != nil {
		return nil, err
	}
	return r.Kernel(b, pool)
}

// A Ready is compiled and checked code of a Program, for any number of Kernels. The
// code is held as long as the Ready or one of them is.
type Ready struct {
	program *ir.Program
	memory  *memory.Memory
	unit    *abi.Unit
	code    *compiled
}

// Prepare does what takes time in [Compile]. It only reads the world: several
// goroutines may prepare Programs of one that nobody changes meanwhile.
func Prepare(p *ir.Program, q *ecs.Query, w *ecs.World) (*Ready, error) {
	return prepareAs(p, q, w, forms, false)
}

// Kernel puts the code to work.
func (r *Ready) Kernel(b *sandbox.Budget, pool ecs.Pool) (*Kernel, error) {
	k, done, err := newKernel(r.program, r.unit, r.code, r.memory, b)
	if err != nil {
		return nil, err
	}
	k.pool = pool
	r.code.use()
	c, code := r.code, r.unit.Code
	runtime.AddCleanup(k, func(code []byte) {
		done()
		c.drop(code)
	}, code)
	return k, nil
}

// Refusal says why Compile gives no code for a Program, as far as that is known without compiling it; "" when it would.
func Refusal(p *ir.Program, q *ecs.Query, w *ecs.World) string {
	_, err := emitFor(p, q, w, nil, false) // packing refuses nothing
	if r := abi.Refusal(""); errors.As(err, &r) {
		return string(r)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Outline describes what Compile makes of a Program, before wazero compiles it: the size and the checksum of the module, and what the host knows
// of it. Tests compare it with what is recorded. The error is that of [Compile] where there is no code.
func Outline(p *ir.Program, q *ecs.Query, w *ecs.World) (string, error) {
	u, err := emitFor(p, q, w, forms, false)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes %08x layout %v constants %v walkers %v views %v entities %d marks %d others %v always %v guards %v packed %v sparse %v words %v "+
		"emits %d returns %d nears %d of %d effects %v logs %v strings %q tolls %v nanoseconds %.6g cost %d steps %d", len(u.Code), crc32.ChecksumIEEE(u.Code),
		u.Layout, u.Constants, u.Walkers, u.Views, u.Entities, u.Marks, u.Others, u.Always, u.Guards, u.Packed, u.Sparse, u.Words,
		len(u.Emits), len(u.Returns), len(u.Nears), u.Neighbour, u.Effects, u.Logs, u.Strings, u.FuelChecks, u.Nanoseconds, u.Cost, u.Steps), nil
}

// emitFor makes the module of a Program for a query of a world.
func emitFor(p *ir.Program, q *ecs.Query, w *ecs.World, forms []form, anyway bool) (*abi.Unit, error) {
	if !supported() {
		return nil, errors.New("machine code: there is no compiler for this processor or system")
	}
	if !supported() {
		return nil, abi.Refusal("there is no compiler for this processor or system")
	}
	m, own := memory.For(w)
	if m == nil {
		return nil, abi.Refusal("no memory is to be had for it")
	}
	if err := vet(p); err != nil {
		return nil, err
	}
	if _, late := asksFlipped(p); late {
		return nil, abi.Refusal("a turn asks for a tag after it has flipped it")
	}
	schemas := schemasOf(p, q, w)
	if err := beyondBlocks(p, schemas); err != nil {
		return nil, err
	}
	strides := make([]uint32, len(schemas))
	for i, s := range schemas {
		if s != nil {
			strides[i] = uint32(s.Size())
		}
	}
	u, err := emitAs(p, strides, m.Pages(), forms, anyway, q != nil && looksAtRows(q.Filter()))
	if err == nil && !own && u.LooksBeyond() {
		return nil, abi.Refusal("it looks beyond its own rows, and the world's memory is Go's")
	}
	return u, err
}

// looksAtRows reports whether a query has conditions that tables cannot answer.
func looksAtRows(f ecs.Filter) bool {
	return f.Where != nil || len(f.Tagged)+len(f.Untagged)+len(f.Changed)+len(f.Added) > 0
}

// prepareAs is Prepare with a choice of forms: see emitAs.
func prepareAs(p *ir.Program, q *ecs.Query, w *ecs.World, forms []form, anyway bool) (*Ready, error) {
	m, _ := memory.For(w) // it is held: what follows takes the same one again
	u, err := emitFor(p, q, w, forms, anyway)
	if err != nil {
		return nil, err
	}
	c, err := compile(u.Code)
	if err != nil {
		return nil, err
	}
	c.check.Do(func() { c.fault = check(p, u, c, q, w, forms, anyway) })
	if err = c.fault; err != nil {
		c.drop(u.Code)
		return nil, err
	}
	r := &Ready{p, m, u, c}
	runtime.AddCleanup(r, c.drop, u.Code)
	return r, nil
}

// schemasOf are those of the components that are used, by view.
func schemasOf(p *ir.Program, q *ecs.Query, w *ecs.World) []*ecs.Schema {
	schemas := make([]*ecs.Schema, p.Views)
	if p.Events != nil {
		schemas[0] = p.Events
		return schemas
	}
	for i := range schemas {
		if p.Uses&(1<<i) == 0 {
			continue
		}
		info, ok := w.ComponentInfo(q.Terms()[i])
		if !ok {
			panic("machine: a query of another world")
		}
		schemas[i] = info.Schema
	}
	return schemas
}

// NewMemory returns memory for a world whose columns machine code can reach. Where machine code is not to be had, it
// hands out nothing, and the world uses Go's heap.
func NewMemory() *memory.Memory {
	if !supported() {
		return new(memory.Memory)
	}
	return memory.New()
}
