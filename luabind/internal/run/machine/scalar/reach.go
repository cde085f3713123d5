package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Views that a row reads and writes in memory each time, and does not keep in locals: those of other entities, those that
// may be nil, those with fields of 64 bits, and those whose component is also reached in another way and stored. What they store is logged or saved,
// because the row may fail.

// Within reports whether a view is one of the query loop itself.
func (e *Emitter) Within(view int) bool { return view < e.p.Views }

func (e *Emitter) component(view int) ecs.ComponentID {
	if e.Within(view) {
		return e.p.Components[view]
	}
	return e.p.Refs[view-e.p.Views].Component
}

// findDirect finds the views of the query loop that are reached in memory.
func (e *Emitter) findDirect() {
	e.own.direct = e.p.Optional | wideViews(e.p)
	used := abi.UsedRefs(e.p)
	for _, t := range e.p.Stores {
		for i := range e.p.Refs {
			if used[i] && e.p.Refs[i].Component == e.component(t.View) {
				e.own.direct |= 1 << t.View
			}
		}
	}
	for _, ref := range e.p.Refs {
		for view := range e.p.Views {
			if ref.Stored && e.p.Uses&(1<<view) != 0 && e.p.Components[view] == ref.Component {
				e.own.direct |= 1 << view
			}
		}
	}
}

// wideViews returns the views of the query loop with fields of 64 bits that rows read or store. A row that does not come to such a field may not stop
// because no number can hold what it has.
func wideViews(p *ir.Program) (views uint64) {
	mark := func(view int, f *ecs.Field) {
		if view < p.Views && fieldcode.Wide(f.Type) {
			views |= 1 << view
		}
	}
	abi.Walk(p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Store {
			mark(s.I, s.Field)
		}
	}, func(x *ir.Expr) {
		if x.Op == ir.Load {
			mark(x.I, x.Field)
		}
	})
	return views
}

// cached reports whether the fields of a view are kept in locals.
func (e *Emitter) cached(view int) bool { return e.Within(view) && e.own.direct&(1<<view) == 0 }

// optional reports whether a view may be nil.
func (e *Emitter) optional(view int) bool {
	if e.Within(view) {
		return e.p.Optional&(1<<view) != 0
	}
	ref := e.p.Refs[view-e.p.Views]
	return ref.Query < 0 || ref.Optional
}

// present puts a number on the stack that is 0 if a view is nil.
func (e *Emitter) present(view int) {
	if e.Within(view) {
		e.Get(e.word(abi.WordPresent, view))
	} else {
		e.Get(e.beyond.refs[view-e.p.Views])
	}
}

// Reach puts the address of the row of a view on the stack, and returns the offset of a field from it. If the view is nil,
// the row stops.
func (e *Emitter) Reach(view int, f *ecs.Field) uint32 {
	if e.optional(view) {
		e.present(view)
		e.Op(wasm.I32Eqz)
		e.JumpIf(e.iter.stop)
	}
	if e.Within(view) {
		w := e.own.walkers[e.own.views[view]]
		e.Get(w.Ptr)
		return uint32(e.iter.row)*w.Stride + uint32(f.Offset)
	}
	e.Get(e.beyond.refs[view-e.p.Views])
	return uint32(f.Offset)
}

// LoadElsewhere puts a field of a view on the stack that is reached in memory.
func (e *Emitter) LoadElsewhere(x *ir.Expr) {
	at := e.Reach(x.I, x.Field)
	if fieldcode.Wide(x.Field.Type) {
		fieldcode.LoadWide(e.Function, x.Field.Type, at, e.iter.stop)
		return
	}
	e.ReadField(x.Field, at)
}

// storeDirect assigns a field of a view that is reached in memory. The old value is logged, if there is a log.
func (e *Emitter) storeDirect(s *ir.Stmt) {
	c := &Cell{Field: s.Field, local: e.Local(fieldcode.ValueType(s.Field.Type))}
	e.assign(c, s.A)
	at := e.Reach(s.I, s.Field)
	if e.out.log != 0 {
		row, ref := e.Local(wasm.I32), -1
		if !e.Within(s.I) {
			ref = s.I - e.p.Views
		}
		e.Set(row)
		if ref >= 0 && e.p.Refs[ref].Query >= 0 { // a row of a query within
			e.Get(e.slot(&ir.Expr{Op: ir.Reg, I: e.p.Queries[e.p.Refs[ref].Query].Entity}))
			e.Set(e.beyond.slots[ref])
		}
		e.keep(row, at, fieldcode.Size(s.Field.Type), ref)
		e.Get(row)
	}
	e.writeAt(c, at)
	if e.Within(s.I) {
		e.stored(s.I)
	}
}

// saveDirect saves the fields that the row may store directly, in locals that it returns, unless there is a log of stores.
func (e *Emitter) saveDirect() (saved []int) {
	if e.out.log != 0 {
		return nil
	}
	for _, t := range e.p.Stores {
		if e.cached(t.View) {
			continue
		}
		load, _, typ := fieldcode.Raw(fieldcode.Size(t.Field.Type))
		l := e.Local(typ)
		e.ifPresent(t.View, func() {
			at := e.Reach(t.View, t.Field)
			e.Memory(load, at)
			e.Set(l)
		})
		saved = append(saved, l)
	}
	return saved
}

func (e *Emitter) restoreDirect(saved []int) {
	if e.out.log != 0 {
		return
	}
	for _, t := range e.p.Stores {
		if e.cached(t.View) {
			continue
		}
		_, store, _ := fieldcode.Raw(fieldcode.Size(t.Field.Type))
		l := saved[0]
		saved = saved[1:]
		e.ifPresent(t.View, func() {
			w := e.own.walkers[e.own.views[t.View]]
			e.Get(w.Ptr)
			e.Get(l)
			e.Memory(store, uint32(e.iter.row)*w.Stride+uint32(t.Field.Offset))
		})
	}
}

// ifPresent runs the code that do writes if a view is not nil.
func (e *Emitter) ifPresent(view int, do func()) {
	if !e.optional(view) {
		do()
		return
	}
	e.present(view)
	e.Then(wasm.Void)
	do()
	e.End()
}
