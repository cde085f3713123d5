package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/mathfn"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// check refuses what there is no code for.
func (e *emitter) check() {
	p := e.p
	switch {
	case p.Views+len(p.Refs) > abi.MostViews:
		abi.Refuse("it uses too many components")
	}
	for _, ref := range p.Refs {
		if ref.Stored && ref.Query >= 0 {
			abi.Refuse("it stores components of other rows of a query within")
		}
		if ref.Schema != nil && !ref.Schema.PointerFree() {
			abi.Refuse("it reads components with strings or tables")
		}
	}
	for _, q := range p.Queries {
		f := q.Query.Filter()
		if len(f.Tagged)+len(f.Untagged)+len(f.Changed)+len(f.Added) > 0 || f.Where != nil {
			abi.Refuse("it has a query within that looks at rows")
		}
	}
}

// survey finds the fields, the registers and the functions in use.
func (e *emitter) survey() {
	for i := range e.views {
		e.views[i] = -1
	}
	var names []string
	e.findDirect()
	if abi.LogsStores(e.p) {
		e.log = e.Local(wasm.I32)
	}
	if abi.CountNear(e.p) > 0 {
		e.looked = e.Local(wasm.I32)
		e.findNeighbours()
	}
	abi.Walk(e.p.Body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Store:
			if e.uses(s.I, s.Field) {
				e.cell(s.I, s.Field).stored = true
			}
		case ir.Emit, ir.Do:
			if e.ring == 0 && (s.Op == ir.Emit || abi.FlipsTag(s.A)) {
				e.ring = e.Local(wasm.I32)
			}
		}
	}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Load:
			if e.uses(x.I, x.Field) {
				e.cell(x.I, x.Field).read = true
			}
		case ir.Mod:
			names = append(names, "%")
		case ir.Pow:
			names = append(names, "^")
		case ir.Call:
			switch {
			case mathfn.Inline(x.Func) != nil:
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
			e.others |= 1 << t.View
		}
	}
	e.others &^= always
	for range e.p.Refs {
		e.refs = append(e.refs, e.Local(wasm.I32))
	}
	e.slots = make([]int, len(e.p.Refs))
	for i, ref := range e.p.Refs {
		if ref.Stored {
			e.slots[i] = e.Local(wasm.I32)
		}
	}
	e.signs = signsOf(e.p, e.spend)
	for _, c := range e.cells {
		c.local = e.Local(valueType(c.field))
	}
	if e.p.Entity {
		e.entities = e.walker(8)
		e.walkers[e.entities].Far = 8
	}
	if e.others != 0 {
		e.marks = e.walker(abi.MarkSize)
		e.walkers[e.marks].Far = abi.MarkSize
		e.dirty = e.Local(wasm.I32)
	}
	if len(e.walkers) == 0 {
		e.walker(1) // it only counts
	}
}

// uses notes that a field is used. It is held in a local, or reached in memory.
func (e *emitter) uses(view int, f *ecs.Field) (cached bool) {
	far := uint32(f.Offset + f.Type.Size())
	if !e.within(view) {
		ref := view - e.p.Views
		e.refFar[ref] = max(e.refFar[ref], far)
		return false
	}
	w := e.views[view]
	if w < 0 {
		w = e.walker(e.strides[view])
		e.views[view] = w
	}
	e.walkers[w].Far = max(e.walkers[w].Far, far)
	return e.cached(view)
}

func (e *emitter) walker(stride uint32) int {
	if len(e.walkers) == abi.MostWalkers {
		abi.Refuse("it uses too many components")
	}
	e.walkers = append(e.walkers, abi.Walker{Ptr: e.Local(wasm.I32), Stride: stride})
	return len(e.walkers) - 1
}

// cell is that of a field.
func (e *emitter) cell(view int, f *ecs.Field) *cell {
	for _, c := range e.cells {
		if c.view == view && c.field.Offset == f.Offset {
			return c
		}
	}
	c := &cell{view: view, field: f}
	e.cells = append(e.cells, c)
	return c
}
