package emit

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/scalar"
)

// The decisions of the compiler: which Programs are refused, whether packed batches are tried, and whether the result is
// cheap enough to compile.

// What compiling a module may cost: see [abi.Unit.Cost].
const (
	mostCost       = 120_000 // beyond, the loop runs as closures
	mostPackedCost = 50_000  // with packed batches: beyond, rows are done number by number
)

// Unit returns the code of a Program for a query of a world; q is nil for a loop over events. forms are the packings to
// choose from; anyway takes one even if single rows are cheaper, or if it takes long to compile. fast says that the code may have a fast path. The error is an
// [abi.Refusal]. The world is only read.
func Unit(p *ir.Program, q *ecs.Query, w *ecs.World, forms []packing.Form, anyway, fast bool) (*abi.Unit, error) {
	m, own := memory.For(w)
	if m == nil {
		return nil, abi.Refusal("no memory is to be had for it")
	}
	if err := vet(p); err != nil {
		return nil, err
	}
	if _, late := analysis.AsksFlipped(p); late {
		return nil, abi.Refusal("an iteration asks for a tag after it has changed it")
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
	u, err := emitAs(p, strides, m.Pages(), forms, anyway, fast, q != nil && LooksAtRows(q.Filter()))
	if err == nil && !own && u.LooksBeyond() {
		return nil, abi.Refusal("it looks beyond its own rows, and the world's memory is Go's")
	}
	return u, err
}

// LooksAtRows reports whether a query has conditions that depend on rows, not only on tables.
func LooksAtRows(f ecs.Filter) bool {
	return f.Where != nil || len(f.Tagged)+len(f.Untagged)+len(f.Changed)+len(f.Added) > 0
}

// schemasOf returns the schemas of the components that the Program uses, by view.
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

// HasPointers reports whether a Program uses a component of its rows that has strings or tables. Such columns are on Go's
// heap, and code works on copies of their rows.
func HasPointers(p *ir.Program, q *ecs.Query, w *ecs.World) bool {
	return slices.ContainsFunc(schemasOf(p, q, w), func(s *ecs.Schema) bool { return s != nil && !s.PointerFree() })
}

// emitAs is Unit with the strides of the views and the pages of the memory. sparse says that a call is for some of up to 64
// rows, because conditions of the query depend on rows.
func emitAs(p *ir.Program, strides []uint32, pages uint32, forms []packing.Form, anyway, fast, sparse bool) (*abi.Unit, error) {
	u, err := emitWith(p, strides, pages, forms, anyway, sparse, fast)
	if !anyway && len(forms) > 0 && (err != nil || u.Packed && u.Cost > mostPackedCost) {
		u, err = emitWith(p, strides, pages, nil, false, sparse, fast)
	}
	if err == nil && !anyway && u.FastPath && u.Cost > mostCost {
		u, err = emitWith(p, strides, pages, nil, false, sparse, false)
	}
	if err == nil && !anyway && u.Cost > mostCost {
		return nil, abi.Refusal("it takes too long to compile")
	}
	return u, err
}

// emitWith is emitAs for one choice of forms, with or without a fast path, whatever the code costs to compile.
func emitWith(p *ir.Program, strides []uint32, pages uint32, forms []packing.Form, anyway, sparse, fast bool) (u *abi.Unit, err error) {
	defer abi.Refused(&err)
	if !p.Exact && canFail(p) {
		exact := *p
		exact.Exact = true
		p = &exact
	}
	e := scalar.New(p, strides, pages, sparse)
	if !fast {
		e.WithoutFastPath()
	}
	if !e.OneByOne() {
		if t, ok := packing.Choose(e, forms, anyway); ok {
			return e.Unit(&t), nil
		}
	}
	return e.Unit(nil), nil
}

// canFail reports whether a row may have to be restored.
func canFail(p *ir.Program) bool {
	found := p.Random || p.Optional != 0 || len(p.Refs) > 0 || len(p.Tables) > 0 || len(p.Layers) > 0 || len(p.Keyed) > 0 || len(p.Effects) > 0
	abi.Walk(p.Body, func(*ir.Stmt) {}, func(x *ir.Expr) { found = found || abi.FlipsTag(x) })
	return found
}
