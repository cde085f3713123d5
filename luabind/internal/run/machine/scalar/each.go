package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Query loops within the body. The host lists the tables of such a query before a run: see [abi.WalkedRows]. Code walks
// this list, and in each table the rows. Package packing uses the same loops with bodies of its own.

// each writes a query loop within. If rows cannot leave the loop, the rows of a table are paid for at once where the fuel
// suffices: without the call of the host in between, values stay in registers of the processor.
func (e *Emitter) each(s *ir.Stmt) {
	pays, body := func() { e.burn(s.Price) }, func() { e.loopBody(s.Body) }
	e.EachTable(s, func(rows, entity int) {
		if !e.straight(s.Body) {
			e.EachRow(s, rows, entity, pays, body)
			return
		}
		e.prepay(s.Price, func() {
			e.Get(rows)
			e.Op(wasm.I64ExtendI32U)
		}, func() {
			paid := func() { e.EachRow(s, rows, entity, nil, body) }
			if two := e.pairOf(s); two != nil {
				two.write(rows, paid)
				return
			}
			paid()
		}, func() { e.EachRow(s, rows, entity, pays, body) })
	})
}

// EachTable writes a walk over the tables of a query. do writes what is done in a table: rows is a local with the number of
// its rows, which is not 0, and entity one with the address of its handles.
func (e *Emitter) EachTable(s *ir.Stmt, do func(rows, entity int)) {
	sub := &e.p.Queries[s.I]
	table, tables, rows, entity := e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	e.Get(e.word(abi.WordWalk, s.I))
	e.Set(table)
	e.Get(e.word(abi.WordWalkCount, s.I))
	e.Set(tables)
	out := e.Block()
	e.iter.breaks = append(e.iter.breaks, out)
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
		if e.beyond.refFar[sub.First-e.p.Views+i] > 0 {
			e.Get(table)
			e.Memory(wasm.I32Load, abi.WalkedViews+4*uint32(i))
			e.Set(e.beyond.refs[sub.First-e.p.Views+i])
			e.fetchAll(sub.First + i)
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
	e.Again(nextTable)
	e.End()
	e.iter.breaks = e.iter.breaks[:len(e.iter.breaks)-1]
}

// EachRow writes a walk over the rows of a table, inside EachTable. pays, unless it is nil, writes the payment for an
// iteration; body writes the iteration.
func (e *Emitter) EachRow(s *ir.Stmt, rows, entity int, pays, body func()) {
	sub := &e.p.Queries[s.I]
	nextRow := e.Loop()
	if pays != nil {
		pays()
	}
	for i := range sub.Views {
		if far := e.beyond.refFar[sub.First-e.p.Views+i]; far > 0 && !e.optional(sub.First+i) {
			e.Get(e.beyond.refs[sub.First-e.p.Views+i])
			e.Memory(wasm.I32Load8U, far-1)
			e.Op(wasm.Drop)
		}
	}
	if sub.Entity >= 0 {
		e.Get(entity)
		e.Memory(wasm.I64Load, 0)
		e.Op(wasm.F64ConvertI64S)
		e.Set(e.regs.numbers[sub.Entity])
	}
	body()
	for i := range sub.Views {
		ref := sub.First - e.p.Views + i
		if e.beyond.refFar[ref] == 0 {
			continue
		}
		move := func() {
			e.Get(e.beyond.refs[ref])
			e.I32(int32(e.p.Refs[ref].Schema.Size()))
			e.Op(wasm.I32Add)
			e.Set(e.beyond.refs[ref])
		}
		if e.optional(sub.First + i) {
			e.Get(e.beyond.refs[ref])
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
	e.Again(nextRow)
}

// straight reports whether statements always run to their end: nothing in them leaves the loop or stops the row.
func (e *Emitter) straight(body []*ir.Stmt) bool {
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
