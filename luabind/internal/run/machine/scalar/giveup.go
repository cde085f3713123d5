package scalar

import "github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"

// Batches that are given up. A row of a batch may come to what only code for single rows does. Then the batch, which has
// stored nothing of the row, gives way to the next one. The more often that happens, the more rows are done without it: twice
// as many if it is given up again soon, else half as many. A fast path that only tests holds nothing
// back: a row that leaves it has cost no more than its tests.

const (
	mostAlone = 512 // rows that are done without a batch at most: a power of two
	soon      = 2   // a batch that is given up within that many rows is given up soon
)

// A givenUp is what code knows of the batches that it has given up. alone and until are locals: how many bytes the first
// walker moves over the rows that are done without the batch, less one row, and where the last of them lies.
type givenUp struct {
	alone, until int
}

// beginGivingUp prepares for batches that may be given up.
func (e *Emitter) beginGivingUp() *givenUp {
	g := &givenUp{e.Local(wasm.I32), e.Local(wasm.I32)}
	e.I32(0)
	e.Set(g.alone)
	e.I32(0)
	e.Set(g.until)
	return g
}

// GiveUp gives up the batch that is being written, before one of its rows that is now the first. Some rows were paid for and
// not begun.
func (e *Emitter) GiveUp(rest int) {
	e.refund(rest)
	if e.loop.given != nil {
		e.countGivenUp(e.loop.given)
	}
	e.Jump(e.loop.giveUp)
}

// countGivenUp decides how many rows are done without the batch that is given up.
func (e *Emitter) countGivenUp(g *givenUp) {
	first := e.own.walkers[0]
	stride := int32(first.Stride)
	// alone has the bytes of n-1 rows, and gets those of 2n-1 or n/2-1, without a branch: nobody can predict it.
	twice, half := e.Local(wasm.I32), e.Local(wasm.I32)
	e.Get(g.alone)
	e.Get(g.alone)
	e.Op(wasm.I32Add)
	e.I32(stride)
	e.Op(wasm.I32Add)
	e.Set(twice)
	e.mix(twice, func() { e.I32(stride * (mostAlone - 1)) }, wasm.I32GtU)
	e.Get(g.alone)
	e.I32(stride)
	e.Op(wasm.I32Add)
	e.I32(1)
	e.Op(wasm.I32ShrU)
	e.I32(stride)
	e.Op(wasm.I32Sub)
	e.Set(half)
	e.mix(half, func() { e.I32(0) }, wasm.I32LtS)
	e.Get(half)
	e.Get(half)
	e.Get(twice)
	e.Op(wasm.I32Xor)
	e.Get(first.Ptr)
	e.Get(g.until)
	e.I32(stride * (1 + soon))
	e.Op(wasm.I32Add, wasm.I32LtU)
	e.where()
	e.Op(wasm.I32Xor)
	e.Set(g.alone)
	e.Get(first.Ptr)
	e.Get(g.alone)
	e.Op(wasm.I32Add)
	e.Set(g.until)
}

// atMost lets a batch of some rows run over no more rows than are to be done without a batch that was given up, but over one in
// any case.
func (e *Emitter) atMost(last int, g *givenUp, rows int) {
	first := e.own.walkers[0]
	e.Get(g.until)
	e.I32(int32(first.Stride) * int32(rows-1))
	e.Op(wasm.I32Sub)
	if rows == 1 {
		limit := e.Local(wasm.I32)
		e.Set(limit)
		e.mix(limit, func() { e.Get(first.Ptr) }, wasm.I32LtU)
		e.Get(limit)
	}
	e.lower(last)
}

// lower sets a local to the number on the stack if that is less.
func (e *Emitter) lower(local int) {
	limit := e.Local(wasm.I32)
	e.Tee(limit)
	e.Get(local)
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.Get(limit)
	e.Set(local)
	e.End()
}

// mix sets a local to another number, which write puts on the stack, if a comparison of both holds.
func (e *Emitter) mix(local int, write func(), compare byte) {
	e.Get(local)
	e.Get(local)
	write()
	e.Op(wasm.I32Xor)
	e.Get(local)
	write()
	e.Op(compare)
	e.where()
	e.Op(wasm.I32Xor)
	e.Set(local)
}

// where makes the number on the stack 0 unless the condition above it holds. It stands for a select: see the package.
func (e *Emitter) where() {
	l := e.Local(wasm.I32)
	e.Set(l)
	e.I32(0)
	e.Get(l)
	e.Op(wasm.I32Sub, wasm.I32And)
}
