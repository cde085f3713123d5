package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

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
		switch x.Op {
		case kernel.Const, kernel.Reg, kernel.Entity, kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Mod, kernel.Pow, kernel.Neg, kernel.Less, kernel.LessEqual,
			kernel.Equal, kernel.Not, kernel.And, kernel.Or, kernel.Select, kernel.Call, kernel.Min, kernel.Max, kernel.Present, kernel.Alive, kernel.Has, kernel.Tagged:
		case kernel.Load:
			ok = ok && !e.optional(x.I)
		case kernel.Random: // bounds may raise
			ok = ok && x.A == nil
		default:
			ok = false
		}
	})
	return ok
}
