package machine

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// each is a query loop within. Rows that cannot end the loop are paid for at once,
// when the fuel suffices: without the call of the host in between, values stay in
// registers.
func (e *emitter) each(s *ir.Stmt) {
	pays, turn := func() { e.burn(s.Price) }, func() { e.stmts(s.Body) }
	e.eachTable(s, func(rows, entity int) {
		if !e.straight(s.Body) {
			e.eachRow(s, rows, entity, pays, turn)
			return
		}
		cost := e.Local(wasm.I64)
		e.Get(e.fuel)
		e.Get(rows)
		e.Op(wasm.I64ExtendI32U)
		e.I64(s.Price)
		e.Op(wasm.I64Mul)
		e.Tee(cost)
		e.Op(wasm.I64GeS)
		e.Then(wasm.Void)
		e.Get(e.fuel)
		e.Get(cost)
		e.Op(wasm.I64Sub)
		e.Set(e.fuel)
		e.eachRow(s, rows, entity, nil, turn)
		e.Otherwise()
		e.eachRow(s, rows, entity, pays, turn)
		e.End()
	})
}

// eachTable walks the tables of a query; do walks the rows of one.
func (e *emitter) eachTable(s *ir.Stmt, do func(rows, entity int)) {
	sub := &e.p.Queries[s.I]
	table, tables, rows, entity := e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	e.Get(e.word(abi.WordWalk, s.I))
	e.Set(table)
	e.Get(e.word(abi.WordWalkCount, s.I))
	e.Set(tables)
	out := e.Block()
	e.breaks = append(e.breaks, out)
	e.Get(tables)
	e.Op(wasm.I32Eqz)
	e.JumpIf(out)
	nextTable := e.Loop()
	e.Get(table)
	e.Memory(wasm.I32Load, abi.WalkedRows)
	e.Set(rows)
	if sub.Entity >= 0 {
		e.Get(table)
		e.Memory(wasm.I32Load, abi.WalkedEntities)
		e.Set(entity)
	}
	for i := range sub.Views {
		if e.refFar[sub.First-e.p.Views+i] > 0 {
			e.Get(table)
			e.Memory(wasm.I32Load, abi.WalkedViews+4*uint32(i))
			e.Set(e.refs[sub.First-e.p.Views+i])
		}
	}
	do(rows, entity)
	e.Get(table)
	e.I32(abi.WalkedViews + 4*int32(sub.Views))
	e.Op(wasm.I32Add)
	e.Set(table)
	e.Get(tables)
	e.I32(1)
	e.Op(wasm.I32Sub)
	e.Tee(tables)
	e.again(nextTable)
	e.End()
	e.breaks = e.breaks[:len(e.breaks)-1]
}

// eachRow walks the rows of a table. Pays, unless it is nil, pays for a turn.
func (e *emitter) eachRow(s *ir.Stmt, rows, entity int, pays, turn func()) {
	sub := &e.p.Queries[s.I]
	nextRow := e.Loop()
	if pays != nil {
		pays()
	}
	for i := range sub.Views {
		if far := e.refFar[sub.First-e.p.Views+i]; far > 0 && !e.optional(sub.First+i) {
			e.Get(e.refs[sub.First-e.p.Views+i])
			e.Memory(wasm.I32Load8U, far-1)
			e.Op(wasm.Drop)
		}
	}
	if sub.Entity >= 0 {
		e.Get(entity)
		e.Memory(wasm.I64Load, 0)
		e.Op(wasm.F64ConvertI64S)
		e.Set(e.numbers[sub.Entity])
	}
	turn()
	for i := range sub.Views {
		ref := sub.First - e.p.Views + i
		if e.refFar[ref] == 0 {
			continue
		}
		move := func() {
			e.Get(e.refs[ref])
			e.I32(int32(e.p.Refs[ref].Schema.Size()))
			e.Op(wasm.I32Add)
			e.Set(e.refs[ref])
		}
		if e.optional(sub.First + i) {
			e.Get(e.refs[ref])
			e.Then(wasm.Void)
			move()
			e.End()
		} else {
			move()
		}
	}
	if sub.Entity >= 0 {
		e.Get(entity)
		e.I32(8)
		e.Op(wasm.I32Add)
		e.Set(entity)
	}
	e.Get(rows)
	e.I32(1)
	e.Op(wasm.I32Sub)
	e.Tee(rows)
	e.again(nextRow)
}

// straight reports whether statements can do nothing but go on behind the last of
// them.
func (e *emitter) straight(body []*ir.Stmt) bool {
	ok := true
	abi.Walk(body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set, ir.If, ir.Block:
		case ir.Store:
			ok = ok && e.cached(s.I) && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
		default:
			ok = false
		}
	}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Const, ir.Reg, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Pow, ir.Neg, ir.Less, ir.LessEqual,
			ir.Equal, ir.Not, ir.And, ir.Or, ir.Select, ir.Call, ir.Min, ir.Max, ir.Present, ir.Alive, ir.Has, ir.Tagged:
		case ir.Load:
			ok = ok && !e.optional(x.I)
		case ir.Random: // bounds may raise
			ok = ok && x.A == nil
		default:
			ok = false
		}
	})
	return ok
}
