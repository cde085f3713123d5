package machine

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// Loops over what is near a point, as [ecs.Grid.Near] finds it. The host takes the
// grid's snapshot when the first of a run asks for it, and each time where the body
// stores positions: it then depends on the world whether that is still the same
// snapshot. The points of a row of cells are introduced when they are first gone
// through: see [emitter.introduce]. Then all who are near are put on a list, without
// a branch that would have to be guessed; it is as long as the snapshot, and each
// loop has its own. The turns walk the list.

// grid view is what code needs to know of a grid, in the frame, for one loop.
type gridView struct {
	ready            uint32 // 0: ask the host
	points, starts   uint32 // addresses; no points: 0
	list             uint32 // address
	neighbours       uint32 // address; as many as points, in their order, and one more
	met              uint32 // address of a number for each row of cells: 0 until its points are introduced
	lastCol, lastRow uint32
	minX, minY, cell float64

	// Of the first loop over this grid, which has the neighbours for all of them.
	taken uint64 // which snapshot they are of
	kept  bool   // they are of this run
}

// found is an entity on the list.
type found struct {
	neighbour uint32  // address
	d2        float64 // squared distance
}

const (
	gridViewSize   = uint32(unsafe.Sizeof(gridView{}))
	foundSize      = int32(unsafe.Sizeof(found{}))
	foundNeighbour = uint32(unsafe.Offsetof(found{}.neighbour))
	foundD2        = uint32(unsafe.Offsetof(found{}.d2))

	// mostLooked is how many points a call goes through before it ends with the row:
	// those that are not near cost no fuel.
	mostLooked = 1 << 16
)

// nears counts the loops over what is near.
func nears(p *kernel.Program) (n uint32) {
	walk(p.Body, func(s *kernel.Stmt) {
		if s.Op == kernel.Near {
			n++
		}
	}, func(*kernel.Expr) {})
	return n
}

// snapshot fills in what code asks for; false when it cannot reach that.
func (k *Kernel) snapshot(loop int) bool {
	v := k.gridView(loop)
	v.ready, v.points = 0, 0
	grid := k.unit.nears[loop].Grid
	if grid == nil { // of a Program that was only to be explained
		return false
	}
	if grid.Ready() != nil {
		return false
	}
	g := ecs.Raw.Grid(grid)
	v.ready = 1
	if g.N == 0 {
		return true
	}
	first := slices.IndexFunc(k.unit.nears, func(s *kernel.Stmt) bool { return s.Grid == grid })
	owner := k.gridView(first)
	if (!owner.kept || owner.taken != g.Taken) && !k.introduces(first, g) {
		return false
	}
	// There is one more than can be found: who is not near is written, too, and then
	// written over.
	list := &k.taken.nears[loop]
	points, ok := k.memory.address(g.Points)
	starts, also := k.memory.address(g.Starts)
	if !ok || !also || list.set((g.N+1)*int(foundSize)/4) == nil {
		return false
	}
	v.points, v.starts, v.list = points, starts, list.at
	v.neighbours, v.met = owner.neighbours, owner.met
	v.lastCol, v.lastRow = uint32(g.Cols-1), uint32(g.Rows-1)
	v.minX, v.minY, v.cell = g.MinX, g.MinY, g.Cell
	return true
}

// introduces makes room for the neighbours of a snapshot, who are still to be met. A
// loop that goes through two of them at once may look beyond the last.
func (k *Kernel) introduces(first int, g ecs.RawGrid) bool {
	v, l := k.gridView(first), &k.taken.nears[len(k.unit.nears)+first]
	words := (g.N + 1) * int(k.unit.neighbour) / 4
	all := l.set(words + g.Rows)
	if all == nil {
		return false
	}
	clear(all[words:])
	v.neighbours, v.met = l.at, l.at+4*uint32(words)
	v.kept, v.taken = true, g.Taken
	return true
}

func (k *Kernel) gridView(loop int) *gridView {
	return (*gridView)(k.memory.at(k.frame + k.unit.layout.nears + gridViewSize*uint32(loop)))
}

// forgetPictures lets each loop ask again.
func (k *Kernel) forgetPictures() {
	for i := range k.unit.nears {
		v := k.gridView(i)
		v.ready, v.kept = 0, false
	}
}

// near is a loop over the entities near a point.
func (e *emitter) near(s *kernel.Stmt) {
	x, y, radius := e.local(f64), e.local(f64), e.local(f64)
	for i, a := range [...]*kernel.Expr{s.A, s.B, s.C} {
		e.number(a, false)
		e.set([...]int{x, y, radius}[i])
	}
	loop := number(&e.nears, s)
	at := e.layout.nears + gridViewSize*uint32(loop)
	e.lookRound(loop, at)
	list, to := e.local(i32), e.local(i32)
	e.get(argFrame)
	e.memory(opI32Load, at+uint32(unsafe.Offsetof(gridView{}.list)))
	e.tee(list)
	e.set(to)
	e.listNear(at, x, y, radius, to)
	count := e.local(i64)
	e.get(to)
	e.get(list)
	e.op(opI32Sub)
	e.i32(4)
	e.op(opI32ShrU, opI64ExtendI32U)
	e.set(count)
	e.burnOf(func() { e.get(count) })
	if !prepayable(s) {
		e.nearTurns(s, list, to, true)
		return
	}
	cost := e.local(i64)
	e.get(e.fuel)
	e.get(count)
	e.i64(s.Price)
	e.op(opI64Mul)
	e.tee(cost)
	e.op(opI64GeS)
	e.then(void)
	e.get(e.fuel)
	e.get(cost)
	e.op(opI64Sub)
	e.set(e.fuel)
	e.nearPaid(s, list, to)
	e.otherwise()
	e.nearTurns(s, list, to, true)
	e.end()
}

// lookRound lets the host take the snapshot, unless it is the same as before. The
// snapshot shows what the row has stored, so that is written, and taken back.
func (e *emitter) lookRound(loop int32, at uint32) {
	reached := e.local(i32)
	moves := e.moves(e.nears[loop].Grid)
	if !moves {
		e.get(argFrame)
		e.memory(opI32Load, at+uint32(unsafe.Offsetof(gridView{}.ready)))
		e.tee(reached)
		e.op(opI32Eqz)
		e.then(void)
	}
	var moved []*cell
	var old []int
	for _, c := range e.cells {
		if !c.stored || !moves {
			continue
		}
		load, _, typ := rawAccess(c.field)
		l := e.local(typ)
		offset := e.place(c)
		e.memory(load, offset)
		e.set(l)
		e.write(c)
		moved, old = append(moved, c), append(old, l)
	}
	e.i32(loop)
	e.call(importSnapshot)
	e.set(reached)
	for i, c := range moved {
		_, store, _ := rawAccess(c.field)
		offset := e.place(c)
		e.get(old[i])
		e.memory(store, offset)
	}
	if !moves {
		e.end()
	}
	e.get(reached)
	e.op(opI32Eqz)
	e.jumpIf(e.stop)
}

// moves reports whether the body stores the component whose positions a grid holds.
func (e *emitter) moves(g *ecs.Grid) bool {
	if g == nil { // of a Program that was only to be explained
		return true
	}
	id := g.Spec().Component
	return slices.ContainsFunc(e.p.Stores, func(t kernel.Target) bool { return e.p.Components[t.View] == id }) ||
		slices.ContainsFunc(e.p.Refs, func(r kernel.Ref) bool { return r.Stored && r.Component == id })
}

// nearTurns walks the list from a local on, which it moves. A break leaves it at the
// turn it is in.
func (e *emitter) nearTurns(s *kernel.Stmt, at, to int, pays bool) {
	out := e.block()
	e.breaks = append(e.breaks, out)
	e.nearLoop(s, at, to, pays)
	e.breaks = e.breaks[:len(e.breaks)-1]
	e.end()
}

func (e *emitter) nearLoop(s *kernel.Stmt, at, to int, pays bool) {
	e.get(at)
	e.get(to)
	e.op(opI32LtU)
	e.then(void)
	next := e.loop()
	if pays {
		e.burn(s.Price)
	}
	if s.J >= 0 {
		e.get(at)
		e.memory(opF64Load, foundD2)
		e.set(e.numbers[s.J])
	}
	if s.I >= 0 {
		neighbour := e.local(i32)
		e.get(at)
		e.memory(opI32Load, foundNeighbour)
		e.tee(neighbour)
		e.memory(opF64Load, e.neighbour.entity)
		e.set(e.numbers[s.I])
		e.living[s.I] = neighbour // the body does not set the register: see kernel.Near
	}
	e.stmts(s.Body)
	delete(e.living, s.I)
	e.get(at)
	e.i32(foundSize)
	e.op(opI32Add)
	e.tee(at)
	e.get(to)
	e.op(opI32LtU)
	e.again(next)
	e.end()
}

// nearPaid is nearTurns when all turns are paid for. What those cost that were not
// begun is given back.
func (e *emitter) nearPaid(s *kernel.Stmt, at, to int) {
	refund := func() {
		e.get(e.fuel)
		e.get(to)
		e.get(at)
		e.op(opI32Sub)
		e.i32(foundSize)
		e.op(opI32Sub)
		e.i32(4)
		e.op(opI32ShrU, opI64ExtendI32U)
		e.i64(s.Price)
		e.op(opI64Mul, opI64Add)
		e.set(e.fuel)
	}
	stop := e.stop
	done := e.block()
	e.stop = e.block()
	broken := e.block()
	e.breaks = append(e.breaks, broken)
	e.nearLoop(s, at, to, false)
	e.breaks = e.breaks[:len(e.breaks)-1]
	e.jump(done)
	e.end()
	refund()
	e.jump(done)
	e.end()
	e.stop = stop
	refund()
	e.jump(stop)
	e.end()
}

// prepayable reports whether the turns of a loop can be paid for before they begin:
// nothing else is paid for meanwhile, and there is no way out but by break or by
// putting the row back.
func prepayable(s *kernel.Stmt) bool {
	var blocks []int
	ok := true
	walk(s.Body, func(s *kernel.Stmt) {
		if s.Op == kernel.Block {
			blocks = append(blocks, s.I)
		}
	}, func(*kernel.Expr) {})
	walk(s.Body, func(s *kernel.Stmt) {
		ok = ok && s.Price == 0 && s.Op != kernel.Return && (s.Op != kernel.Jump || slices.Contains(blocks, s.I))
	}, func(*kernel.Expr) {})
	return ok
}

// lookedEnough ends a call that went through many points.
func (e *emitter) lookedEnough() {
	if e.looked == 0 {
		return
	}
	e.get(e.looked)
	e.i32(mostLooked)
	e.op(opI32GtU)
	e.then(void)
	e.leave(filled, 0, 0)
	e.end()
}
