package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/mathfn"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/nearby"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// What an emitter finds out before it writes: what it must refuse, and which fields, pointers, records and functions the
// body needs. Here they get their locals.

// check refuses Programs for which there is no code.
func (e *Emitter) check() {
	p := e.p
	switch {
	case p.Views+len(p.Refs) > abi.MostViews:
		abi.Refuse("it uses too many components")
	}
	for _, q := range p.Queries {
		f := q.Query.Filter()
		if len(f.Tagged)+len(f.Untagged)+len(f.Changed)+len(f.Added) > 0 || f.Where != nil {
			abi.Refuse("it has a query within that looks at rows")
		}
	}
}

// survey finds what the body uses, and allocates locals for it.
func (e *Emitter) survey() {
	for i := range e.own.views {
		e.own.views[i] = -1
	}
	var names []string
	e.findDirect()
	if abi.LogsStores(e.p) {
		e.out.log = e.Local(wasm.I32)
	}
	if abi.CountNear(e.p) > 0 {
		e.grids.cache = nearby.New(e.Function, e.p, around{e})
	}
	abi.Walk(e.p.Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Store:
			if e.uses(s.I, s.Field) {
				e.cell(s.I, s.Field).Stored = true
			}
		case ir.Emit, ir.Do:
			if e.out.ring == 0 && (s.Op == ir.Emit || abi.FlipsTag(s.A)) {
				e.out.ring = e.Local(wasm.I32)
			}
		}
	}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Load:
			if e.uses(x.I, x.Field) {
				e.cell(x.I, x.Field).Read = true
			}
		case ir.Present:
			if !e.Within(x.I) && e.optional(x.I) {
				e.beyond.refFar[x.I-e.p.Views] = max(e.beyond.refFar[x.I-e.p.Views], 1) // its address is 0 if it is nil
			}
		case ir.Mod:
			names = append(names, "%")
		case ir.Pow:
			names = append(names, "^")
		case ir.Call:
			switch {
			case mathfn.Inline(x.Func) != nil, bitCode[x.Func] != 0:
			case mathfn.Has(x.Func):
				names = append(names, x.Func)
			default:
				abi.Refuse("it calls math.%s", x.Func)
			}
		}
	})
	e.m.Math = mathfn.Closure(names...)
	always := uint64(0)
	for _, t := range e.p.Stores {
		if t.Always {
			if e.cached(t.View) {
				e.cell(t.View, t.Field).always = true
			}
			always |= 1 << t.View
		} else {
			e.own.others |= 1 << t.View
		}
	}
	e.own.others &^= always
	for range e.p.Refs {
		e.beyond.refs = append(e.beyond.refs, e.Local(wasm.I32))
	}
	e.beyond.slots = make([]int, len(e.p.Refs))
	for i, ref := range e.p.Refs {
		if ref.Stored {
			e.beyond.slots[i] = e.Local(wasm.I32)
		}
	}
	e.signs = analysis.SignsOf(e.p, e.Spend)
	for _, c := range e.own.cells {
		c.local = e.Local(fieldcode.ValueType(c.Field.Type))
	}
	if e.p.Entity {
		e.own.entities = e.walker(8)
		e.own.walkers[e.own.entities].Far = 8
	}
	if e.own.others != 0 {
		e.own.marks = e.walker(abi.MarkSize)
		e.own.walkers[e.own.marks].Far = abi.MarkSize
		e.own.dirty = e.Local(wasm.I32)
	}
	if len(e.own.walkers) == 0 {
		e.walker(1) // it only counts
	}
}

// uses notes that a field is used, and reports whether it is kept in a local.
func (e *Emitter) uses(view int, f *ecs.Field) (cached bool) {
	far := uint32(f.Offset + f.Type.Size())
	if !e.Within(view) {
		ref := view - e.p.Views
		e.beyond.refFar[ref] = max(e.beyond.refFar[ref], far)
		return false
	}
	w := e.own.views[view]
	if w < 0 {
		w = e.walker(e.own.strides[view])
		e.own.views[view] = w
	}
	e.own.walkers[w].Far = max(e.own.walkers[w].Far, far)
	return e.cached(view)
}

// walker adds a pointer that goes from row to row, and returns its number.
func (e *Emitter) walker(stride uint32) int {
	if len(e.own.walkers) == abi.MostWalkers {
		abi.Refuse("it uses too many components")
	}
	e.own.walkers = append(e.own.walkers, abi.Walker{Ptr: e.Local(wasm.I32), Stride: stride})
	return len(e.own.walkers) - 1
}

// cell returns the cell of a field, and makes it when it is first asked for.
func (e *Emitter) cell(view int, f *ecs.Field) *Cell {
	for _, c := range e.own.cells {
		if c.View == view && c.Field.Offset == f.Offset {
			return c
		}
	}
	c := &Cell{View: view, Field: f}
	e.own.cells = append(e.own.cells, c)
	return c
}
