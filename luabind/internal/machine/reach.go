package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// Views that a row reaches in memory each time, rather than holding its fields in
// locals: those of other entities, those that may be nil, and those whose component
// is reached in another way, too, and stored.

// within reports whether a view is one of the query loop itself.
func (e *emitter) within(view int) bool { return view < e.p.Views }

// component is that of a view.
func (e *emitter) component(view int) ecs.ComponentID {
	if e.within(view) {
		return e.p.Components[view]
	}
	return e.p.Refs[view-e.p.Views].Component
}

// findDirect finds the views of the query loop that are reached in memory.
func (e *emitter) findDirect() {
	e.direct = e.p.Optional
	for _, t := range e.p.Stores {
		for i := range e.p.Refs {
			if e.p.Refs[i].Component == e.component(t.View) {
				e.direct |= 1 << t.View
			}
		}
	}
	for _, ref := range e.p.Refs {
		for view := range e.p.Views {
			if ref.Stored && e.p.Uses&(1<<view) != 0 && e.p.Components[view] == ref.Component {
				e.direct |= 1 << view
			}
		}
	}
}

// cached reports whether the fields of a view are kept in locals.
func (e *emitter) cached(view int) bool { return e.within(view) && e.direct&(1<<view) == 0 }

// optional reports whether a view may be nil.
func (e *emitter) optional(view int) bool {
	if e.within(view) {
		return e.p.Optional&(1<<view) != 0
	}
	ref := e.p.Refs[view-e.p.Views]
	return ref.Query < 0 || ref.Optional
}

// present puts whether a view is not nil on the stack: 0 or another number.
func (e *emitter) present(view int) {
	if e.within(view) {
		e.get(e.word(wordPresent, view))
	} else {
		e.get(e.refs[view-e.p.Views])
	}
}

// reach puts the address of a view's row on the stack, and gives the offset of a
// field; a nil view stops the row.
func (e *emitter) reach(view int, f *ecs.Field) uint32 {
	if e.optional(view) {
		e.present(view)
		e.op(opI32Eqz)
		e.jumpIf(e.stop)
	}
	if e.within(view) {
		w := e.walkers[e.views[view]]
		e.get(w.ptr)
		return uint32(e.row)*w.stride + uint32(f.Offset)
	}
	e.get(e.refs[view-e.p.Views])
	return uint32(f.Offset)
}

// loadDirect puts a field on the stack.
func (e *emitter) loadDirect(x *kernel.Expr) {
	at := e.reach(x.I, x.Field)
	e.read(x.Field, at)
}

// storeDirect assigns a field of a view at once.
func (e *emitter) storeDirect(s *kernel.Stmt) {
	c := &cell{field: s.Field, local: e.local(valueType(s.Field))}
	e.assign(c, s.A)
	at := e.reach(s.I, s.Field)
	if e.log != 0 {
		row, ref := e.local(i32), -1
		if !e.within(s.I) {
			ref = s.I - e.p.Views
		}
		e.set(row)
		e.keep(row, at, s.Field.Type.Size(), ref)
		e.get(row)
	}
	e.writeAt(c, at)
	if e.within(s.I) {
		e.stored(s.I)
	}
}

// saveDirect keeps the fields that the row may store at once, unless there is a log
// of stores.
func (e *emitter) saveDirect() (saved []int) {
	if e.log != 0 {
		return nil
	}
	for _, t := range e.p.Stores {
		if e.cached(t.View) {
			continue
		}
		load, _, typ := rawAccess(t.Field)
		l := e.local(typ)
		e.ifPresent(t.View, func() {
			at := e.reach(t.View, t.Field)
			e.memory(load, at)
			e.set(l)
		})
		saved = append(saved, l)
	}
	return saved
}

func (e *emitter) restoreDirect(saved []int) {
	if e.log != 0 {
		return
	}
	for _, t := range e.p.Stores {
		if e.cached(t.View) {
			continue
		}
		_, store, _ := rawAccess(t.Field)
		l := saved[0]
		saved = saved[1:]
		e.ifPresent(t.View, func() {
			w := e.walkers[e.views[t.View]]
			e.get(w.ptr)
			e.get(l)
			e.memory(store, uint32(e.row)*w.stride+uint32(t.Field.Offset))
		})
	}
}

func (e *emitter) ifPresent(view int, do func()) {
	if !e.optional(view) {
		do()
		return
	}
	e.present(view)
	e.then(void)
	do()
	e.end()
}

// rawAccess are the instructions that copy the bits of a field.
func rawAccess(f *ecs.Field) (load, store, typ byte) {
	return rawBits(f.Type.Size())
}

func rawBits(size uintptr) (load, store, typ byte) {
	switch size {
	case 1:
		return opI32Load8U, opI32Store8, i32
	case 2:
		return opI32Load16U, opI32Store16, i32
	case 4:
		return opI32Load, opI32Store, i32
	}
	return opI64Load, opI64Store, i64
}

// slot leaves the address of the slot of a living entity in a local; 0 when x is
// none.
func (e *emitter) slot(x *kernel.Expr) int {
	if l, ok := e.living[x.I]; ok && x.Op == kernel.Reg {
		return l
	}
	slot, at := e.local(i32), e.local(i32)
	e.i32(0)
	e.set(slot)
	e.handle(x, e.word(wordSlotCount, 0), func(handle int) {
		e.get(e.word(wordSlots, 0))
		e.get(handle)
		e.op(opI32WrapI64)
		e.i32(int32(ecs.SlotSize))
		e.op(opI32Mul, opI32Add)
		e.tee(at)
		e.memory(opI32Load, uint32(ecs.SlotMeta))
		alive := uint32(ecs.SlotAlive)
		e.i32(int32(alive))
		e.op(opI32And)
		e.generation(handle)
		e.op(opI32Eq)
		e.then(void)
		e.get(at)
		e.set(slot)
		e.end()
	})
	return slot
}

// handle does something with the handle that a number is, in a local, if it is one
// and its index is below count.
func (e *emitter) handle(x *kernel.Expr, count int, do func(handle int)) {
	number, handle := e.local(f64), e.local(i64)
	e.number(x, false)
	e.tee(number)
	e.saturating(satI64F64S)
	e.tee(handle)
	e.op(opF64ConvertI64S)
	e.get(number)
	e.op(opF64Eq)
	e.get(handle) // a negative one could look like that of a free slot
	e.i64(1 << 53)
	e.op(opI64LtU, opI32And)
	e.get(handle)
	e.op(opI32WrapI64)
	e.get(count)
	e.op(opI32LtU, opI32And)
	e.then(void)
	do(handle)
	e.end()
}

func (e *emitter) generation(handle int) {
	e.get(handle)
	e.i64(32)
	e.op(opI64ShrU, opI32WrapI64)
}

// column puts the address of a component's column in the table of a slot on the
// stack, 0 when the table lacks it.
func (e *emitter) column(slot int, id ecs.ComponentID) {
	e.get(e.word(wordColumns, int(id)))
	e.get(slot)
	e.memory(opI32Load, uint32(ecs.SlotTable))
	e.i32(2)
	e.op(opI32Shl, opI32Add)
	e.memory(opI32Load, 0)
}

// look sets a view to a component of any entity.
func (e *emitter) look(s *kernel.Stmt) {
	ref := e.p.Refs[s.I-e.p.Views]
	slot, at := e.slot(s.A), e.refs[s.I-e.p.Views]
	if ref.Stored {
		e.get(slot)
		e.set(e.slots[s.I-e.p.Views])
	}
	e.i32(0)
	e.set(at)
	e.get(slot)
	e.then(void)
	e.column(slot, ref.Component)
	e.tee(at)
	e.then(void)
	e.get(at)
	e.get(slot)
	e.memory(opI32Load, uint32(ecs.SlotRow))
	e.i32(int32(ref.Schema.Size()))
	e.op(opI32Mul, opI32Add)
	e.set(at)
	e.end()
	e.end()
}

// asks writes what is asked of an entity: 1 or 0.
func (e *emitter) asks(x *kernel.Expr) {
	switch x.Op {
	case kernel.Alive:
		e.get(e.slot(x.A))
		e.op(opI32Eqz, opI32Eqz)
	case kernel.Has:
		slot := e.slot(x.A)
		e.get(slot)
		e.then(i32)
		e.column(slot, ecs.ComponentID(x.ID))
		e.op(opI32Eqz, opI32Eqz)
		e.otherwise()
		e.i32(0)
		e.end()
	case kernel.Tagged:
		has := e.local(i32)
		e.i32(0)
		e.set(has)
		e.handle(x.A, e.word(wordTagCount, int(x.ID)), func(handle int) {
			e.get(e.word(wordTag, int(x.ID)))
			e.get(handle)
			e.op(opI32WrapI64)
			e.i32(int32(ecs.TagEntrySize))
			e.op(opI32Mul, opI32Add)
			e.memory(opI32Load, uint32(ecs.TagEntryGeneration))
			e.generation(handle)
			e.op(opI32Eq)
			e.set(has)
		})
		e.get(has)
	}
}

// What a nested query loop walks is a list of tables: for each the number of rows,
// the address of the handles, and that of each view's first row, 0 for one that is
// nil.
const (
	walkedRows     = 0
	walkedEntities = 4
	walkedViews    = 8
)

// each is a query loop within. Rows that cannot end the loop are paid for at once,
// when the fuel suffices: without the call of the host in between, values stay in
// registers.
func (e *emitter) each(s *kernel.Stmt) {
	pays, turn := func() { e.burn(s.Price) }, func() { e.stmts(s.Body) }
	e.eachTable(s, func(rows, entity int) {
		if !e.straight(s.Body) {
			e.eachRow(s, rows, entity, pays, turn)
			return
		}
		cost := e.local(i64)
		e.get(e.fuel)
		e.get(rows)
		e.op(opI64ExtendI32U)
		e.i64(s.Price)
		e.op(opI64Mul)
		e.tee(cost)
		e.op(opI64GeS)
		e.then(void)
		e.get(e.fuel)
		e.get(cost)
		e.op(opI64Sub)
		e.set(e.fuel)
		e.eachRow(s, rows, entity, nil, turn)
		e.otherwise()
		e.eachRow(s, rows, entity, pays, turn)
		e.end()
	})
}

// eachTable walks the tables of a query; do walks the rows of one.
func (e *emitter) eachTable(s *kernel.Stmt, do func(rows, entity int)) {
	sub := &e.p.Queries[s.I]
	table, tables, rows, entity := e.local(i32), e.local(i32), e.local(i32), e.local(i32)
	e.get(e.word(wordWalk, s.I))
	e.set(table)
	e.get(e.word(wordWalkCount, s.I))
	e.set(tables)
	out := e.block()
	e.breaks = append(e.breaks, out)
	e.get(tables)
	e.op(opI32Eqz)
	e.jumpIf(out)
	nextTable := e.loop()
	e.get(table)
	e.memory(opI32Load, walkedRows)
	e.set(rows)
	if sub.Entity >= 0 {
		e.get(table)
		e.memory(opI32Load, walkedEntities)
		e.set(entity)
	}
	for i := range sub.Views {
		if e.refFar[sub.First-e.p.Views+i] > 0 {
			e.get(table)
			e.memory(opI32Load, walkedViews+4*uint32(i))
			e.set(e.refs[sub.First-e.p.Views+i])
		}
	}
	do(rows, entity)
	e.get(table)
	e.i32(walkedViews + 4*int32(sub.Views))
	e.op(opI32Add)
	e.set(table)
	e.get(tables)
	e.i32(1)
	e.op(opI32Sub)
	e.tee(tables)
	e.again(nextTable)
	e.end()
	e.breaks = e.breaks[:len(e.breaks)-1]
}

// eachRow walks the rows of a table. Pays, unless it is nil, pays for a turn.
func (e *emitter) eachRow(s *kernel.Stmt, rows, entity int, pays, turn func()) {
	sub := &e.p.Queries[s.I]
	nextRow := e.loop()
	if pays != nil {
		pays()
	}
	for i := range sub.Views {
		if far := e.refFar[sub.First-e.p.Views+i]; far > 0 && !e.optional(sub.First+i) {
			e.get(e.refs[sub.First-e.p.Views+i])
			e.memory(opI32Load8U, far-1)
			e.op(opDrop)
		}
	}
	if sub.Entity >= 0 {
		e.get(entity)
		e.memory(opI64Load, 0)
		e.op(opF64ConvertI64S)
		e.set(e.numbers[sub.Entity])
	}
	turn()
	for i := range sub.Views {
		ref := sub.First - e.p.Views + i
		if e.refFar[ref] == 0 {
			continue
		}
		move := func() {
			e.get(e.refs[ref])
			e.i32(int32(e.p.Refs[ref].Schema.Size()))
			e.op(opI32Add)
			e.set(e.refs[ref])
		}
		if e.optional(sub.First + i) {
			e.get(e.refs[ref])
			e.then(void)
			move()
			e.end()
		} else {
			move()
		}
	}
	if sub.Entity >= 0 {
		e.get(entity)
		e.i32(8)
		e.op(opI32Add)
		e.set(entity)
	}
	e.get(rows)
	e.i32(1)
	e.op(opI32Sub)
	e.tee(rows)
	e.again(nextRow)
}

// straight reports whether statements can do nothing but go on behind the last of
// them.
func (e *emitter) straight(body []*kernel.Stmt) bool {
	ok := true
	walk(body, func(s *kernel.Stmt) {
		switch s.Op {
		case kernel.Set, kernel.If, kernel.Block:
		case kernel.Store:
			ok = ok && e.cached(s.I) && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
		default:
			ok = false
		}
	}, func(x *kernel.Expr) {
		ok = ok && (x.Op != kernel.Load || !e.optional(x.I))
	})
	return ok
}
