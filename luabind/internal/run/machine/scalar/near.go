package scalar

import (
	"math"
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Loops over near entities. Package nearby lists the entities; the loop here walks the list. The host takes the snapshot of
// the grid when a run first asks for it. If the body stores positions of the grid, the host is asked each time, because the
// snapshot may be another one by then.

// mostLooked is how many points a call visits before it ends after the row: points that are not near cost no fuel.
const mostLooked = 1 << 16

// near writes a loop over near entities. The iterations are paid for at once where that is possible and the fuel suffices.
func (e *Emitter) near(s *ir.Stmt) {
	x, y, radius := e.Local(wasm.F64), e.Local(wasm.F64), e.Local(wasm.F64)
	for i, a := range [...]*ir.Expr{s.A, s.B, s.C} {
		e.Number(a, false)
		e.Set([...]int{x, y, radius}[i])
	}
	loop := number(&e.grids.nears, s)
	at := e.layout.Nears + abi.GridViewSize*uint32(loop)
	e.lookRound(loop, at)
	filter := e.filter(s)
	list, to := e.Local(wasm.I32), e.Local(wasm.I32)
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I32Load, at+uint32(unsafe.Offsetof(abi.GridView{}.List)))
	e.Tee(list)
	e.Set(to)
	e.grids.cache.List(at, x, y, radius, to, filter)
	count := e.Local(wasm.I64)
	e.Get(to)
	e.Get(list)
	e.Op(wasm.I32Sub)
	e.I32(4)
	e.Op(wasm.I32ShrU, wasm.I64ExtendI32U)
	e.Set(count)
	e.burnOf(func() {
		if filter != nil {
			e.Get(filter.Reach)
			e.Op(wasm.I64ExtendI32U)
			return
		}
		e.Get(count)
	})
	if !analysis.Prepayable(s) {
		e.nearIterations(s, list, to, true)
		return
	}
	e.prepay(s.Price, func() { e.Get(count) }, func() { e.nearPaid(s, list, to) }, func() { e.nearIterations(s, list, to, true) })
}

// lookRound asks the host for the snapshot, unless it is the same as before. The snapshot must show what the row has stored
// so far: that is written to the row for the call, and taken back.
func (e *Emitter) lookRound(loop int32, at uint32) {
	reached := e.Local(wasm.I32)
	moves := e.moves(e.grids.nears[loop].Grid)
	if !moves {
		e.Get(abi.ArgFrame)
		e.Memory(wasm.I32Load, at+uint32(unsafe.Offsetof(abi.GridView{}.Ready)))
		e.Tee(reached)
		e.Op(wasm.I32Eqz)
		e.Then(wasm.Void)
	}
	var moved []*Cell
	var old []int
	for _, c := range e.own.cells {
		if !c.Stored || !moves {
			continue
		}
		load, _, typ := fieldcode.Raw(c.Field.Type.Size())
		l := e.Local(typ)
		offset := e.place(c)
		e.Memory(load, offset)
		e.Set(l)
		e.write(c)
		moved, old = append(moved, c), append(old, l)
	}
	e.I32(loop)
	e.Call(abi.ImportSnapshot)
	e.Set(reached)
	for i, c := range moved {
		_, store, _ := fieldcode.Raw(c.Field.Type.Size())
		offset := e.place(c)
		e.Get(old[i])
		e.Memory(store, offset)
	}
	if !moves {
		e.End()
	}
	e.Get(reached)
	e.Op(wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
}

// moves reports whether the body stores the component whose positions a grid holds.
func (e *Emitter) moves(g *ecs.Grid) bool {
	if g == nil { // of a Program that was only to be explained
		return true
	}
	id := g.Spec().Component
	return slices.ContainsFunc(e.p.Stores, func(t ir.Target) bool { return e.p.Components[t.View] == id }) ||
		slices.ContainsFunc(e.p.Refs, func(r ir.Ref) bool { return r.Stored && r.Component == id })
}

// nearIterations walks the list from the local at, which it moves, to the local to. pays says that each iteration is paid
// for. A break leaves at on the entry of its iteration.
func (e *Emitter) nearIterations(s *ir.Stmt, at, to int, pays bool) {
	out := e.Block()
	e.iter.breaks = append(e.iter.breaks, out)
	e.nearLoop(s, at, to, pays)
	e.iter.breaks = e.iter.breaks[:len(e.iter.breaks)-1]
	e.End()
}

// nearLoop is nearIterations without the block that a break leaves.
func (e *Emitter) nearLoop(s *ir.Stmt, at, to int, pays bool) {
	e.Get(at)
	e.Get(to)
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	next := e.Loop()
	if pays {
		e.burn(s.Price)
	}
	if s.J >= 0 {
		e.Get(at)
		e.Memory(wasm.F64Load, abi.FoundD2)
		e.Set(e.regs.numbers[s.J])
	}
	if s.I >= 0 {
		neighbour := e.Local(wasm.I32)
		e.Get(at)
		e.Memory(wasm.I32Load, abi.FoundNeighbour)
		e.Tee(neighbour)
		e.grids.cache.LoadEntity()
		e.Set(e.regs.numbers[s.I])
		e.grids.living[s.I] = neighbour // the body does not set the register: see ir.Near
	}
	e.loopBody(s.Body)
	delete(e.grids.living, s.I)
	e.Get(at)
	e.I32(abi.FoundSize)
	e.Op(wasm.I32Add)
	e.Tee(at)
	e.Get(to)
	e.Op(wasm.I32LtU)
	e.Again(next)
	e.End()
}

// nearPaid is nearIterations when all iterations are paid for. After a break, or if the row stops, the fuel of those that
// were not begun is given back.
func (e *Emitter) nearPaid(s *ir.Stmt, at, to int) {
	refund := func() {
		e.Get(e.loop.fuel)
		e.Get(to)
		e.Get(at)
		e.Op(wasm.I32Sub)
		e.I32(abi.FoundSize)
		e.Op(wasm.I32Sub)
		e.I32(4)
		e.Op(wasm.I32ShrU, wasm.I64ExtendI32U)
		e.I64(s.Price)
		e.Op(wasm.I64Mul, wasm.I64Add)
		e.Set(e.loop.fuel)
	}
	stop := e.iter.stop
	done := e.Block()
	e.iter.stop = e.Block()
	broken := e.Block()
	e.iter.breaks = append(e.iter.breaks, broken)
	e.nearLoop(s, at, to, false)
	e.iter.breaks = e.iter.breaks[:len(e.iter.breaks)-1]
	e.Jump(done)
	e.End()
	refund()
	e.Jump(done)
	e.End()
	e.iter.stop = stop
	refund()
	e.Jump(stop)
	e.End()
}

// lookedEnough ends a call that has visited many points.
func (e *Emitter) lookedEnough() {
	if e.grids.cache == nil {
		return
	}
	e.grids.cache.Visited()
	e.I32(mostLooked)
	e.Op(wasm.I32GtU)
	e.Then(wasm.Void)
	e.leave(abi.Filled, 0, 0)
	e.End()
}

// fillCode returns code that fills the caches of grids if the call asks for that ([abi.FillCache]), and leaves no rows to do
// then. It is empty if rows are not shared.
func (e *Emitter) fillCode() wasm.Encoder {
	if e.grids.cache == nil || e.loop.oneCore != "" {
		return nil
	}
	body := e.Encoder
	e.Encoder = nil
	e.Get(abi.ArgRows)
	e.I32(0)
	e.Op(wasm.I32LtS)
	e.Then(wasm.Void)
	for loop, s := range e.grids.nears {
		if first := slices.IndexFunc(e.grids.nears, func(n *ir.Stmt) bool { return n.Grid == s.Grid }); first < loop {
			continue // it uses the cache of that loop
		}
		e.Get(abi.ArgRows)
		e.I32(math.MinInt32 + int32(loop))
		e.Op(wasm.I32Eq)
		e.Then(wasm.Void)
		e.grids.cache.Fill(e.layout.Nears + abi.GridViewSize*uint32(loop))
		e.End()
	}
	e.I32(0)
	e.Set(abi.ArgRows)
	e.End()
	code := e.Encoder
	e.Encoder = body
	return code
}
