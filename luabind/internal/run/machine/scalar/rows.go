package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The loops over the rows of a call, and the fuel of rows. Rows are done by the first batch as long as there are enough of
// them, then by the next; the last one does a single row. If all rows cost the same, they are paid for when the call ends;
// otherwise each batch is paid for before it begins.

// A Batch is one way to do some rows at once: Emit writes the code for Rows rows, on the first of which the walkers stand.
// To add another form of code, give a batch of several rows in front of the others: see [Emitter.Unit].
type Batch struct {
	Rows int
	Emit func()
	// FastPath says that the code itself touches the columns that it needs, and may give the batch up at one of its rows.
	FastPath bool
	Stores   bool // it does more than to test
}

// rowLoop writes the loops over the rows of a call. At their begin, the walkers stand on the first row; the number of rows
// is the second argument.
func (e *Emitter) rowLoop(batches []Batch) {
	first := e.own.walkers[0]
	end := e.Local(wasm.I32)
	e.Get(first.Ptr)
	if e.loop.prepaid = e.evenRows(); e.loop.prepaid {
		e.loop.from = e.Local(wasm.I32)
		e.Tee(e.loop.from)
		e.affordable()
	} else {
		e.Get(abi.ArgRows)
	}
	e.I32(int32(first.Stride))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(end)
	given := make([]*givenUp, len(batches)) // of each batch, or of the one before it
	for i, t := range batches {
		switch {
		case t.FastPath && t.Stores:
			given[i] = e.beginGivingUp()
		case t.FastPath:
		case i > 0:
			given[i] = given[i-1]
		}
	}
	e.loop.exit = e.Block()
	again := e.Loop()
	for i, t := range batches {
		done := e.Block()
		e.loop.giveUp = done
		last := e.Local(wasm.I32) // where the last batch may begin
		e.Get(end)
		e.I32(int32(first.Stride) * int32(t.Rows))
		e.Op(wasm.I32Sub)
		e.Set(last)
		if i > 0 {
			if before := batches[i-1]; given[i-1] != nil {
				e.atMost(last, given[i-1], t.Rows)
			} else if t.Rows == 1 { // a batch that could not be paid for is done row by row, and meanwhile the host grants fuel
				e.Get(first.Ptr)
				if !before.FastPath {
					e.I32(int32(first.Stride) * int32(before.Rows-1))
					e.Op(wasm.I32Add)
				}
				e.lower(last)
			}
		}
		e.Get(first.Ptr)
		e.Get(last)
		e.Op(wasm.I32GtU)
		e.JumpIf(done)
		next := e.Loop()
		e.ringRoom()
		e.lookedEnough()
		e.burnRows(t.Rows, done)
		if !t.FastPath {
			e.touch(t.Rows)
		}
		e.loop.given = given[i]
		t.Emit()
		for _, w := range e.own.walkers {
			e.move(w, t.Rows)
		}
		// The compiler fuses a comparison with the branch of an if, not with a br_if
		// to the start of a loop.
		e.Get(first.Ptr)
		e.Get(last)
		e.Op(wasm.I32LeU)
		e.Then(wasm.Void)
		e.Jump(next)
		e.End()
		e.End()
		e.End()
	}
	if len(batches) > 1 {
		e.Get(first.Ptr)
		e.Get(end)
		e.Op(wasm.I32LtU)
		e.Then(wasm.Void)
		e.Jump(again)
		e.End()
	}
	e.End()
	e.End()
	if e.loop.prepaid {
		e.settle(first)
	}
}

// evenRows reports whether all rows cost the same: there are no inner loops, and no calls on strings.
func (e *Emitter) evenRows() bool { return !analysis.HasLoops(e.p) && !e.out.asks }

// sparseLoop is rowLoop for the rows of masks, each of which is about 64 rows. At the end, the first walker stands behind the rows of the last mask.
func (e *Emitter) sparseLoop(t Batch) {
	mask, row, next, end := e.Local(wasm.I64), e.Local(wasm.I32), e.Local(wasm.I32), e.Local(wasm.I32)
	bases := make([]int, len(e.own.walkers)) // where the rows of the mask begin
	for i, w := range e.own.walkers {
		bases[i] = e.Local(wasm.I32)
		e.Get(w.Ptr)
		e.Set(bases[i])
	}
	e.Get(abi.ArgFrame)
	e.Memory(wasm.I32Load, abi.FrameMask)
	e.Tee(next)
	e.Get(abi.ArgRows)
	e.I32(63)
	e.Op(wasm.I32Add)
	e.I32(6)
	e.Op(wasm.I32ShrU)
	e.I32(3)
	e.Op(wasm.I32Shl, wasm.I32Add)
	e.Set(end)
	e.loop.exit = e.Block()
	masks := e.Loop()
	e.Get(next)
	e.Memory(wasm.I64Load, 0)
	e.Tee(mask)
	e.I64(0)
	e.Op(wasm.I64Ne)
	e.Then(wasm.Void)
	again := e.Loop()
	e.Get(mask)
	e.Op(wasm.I64Ctz, wasm.I32WrapI64)
	e.Set(row)
	for i, w := range e.own.walkers {
		e.Get(row)
		e.I32(int32(w.Stride))
		e.Op(wasm.I32Mul)
		e.Get(bases[i])
		e.Op(wasm.I32Add)
		e.Set(w.Ptr)
	}
	e.ringRoom()
	e.lookedEnough()
	e.burnRows(1, e.loop.exit)
	e.touch(1)
	t.Emit()
	e.Get(mask)
	e.Get(mask)
	e.I64(1)
	e.Op(wasm.I64Sub, wasm.I64And)
	e.Tee(mask)
	e.I64(0)
	e.Op(wasm.I64Ne)
	e.Then(wasm.Void)
	e.Jump(again)
	e.End()
	e.End()
	e.End()
	for i, w := range e.own.walkers {
		e.Get(bases[i])
		e.I32(64 * int32(w.Stride))
		e.Op(wasm.I32Add)
		e.Set(bases[i])
	}
	e.Get(next)
	e.I32(8)
	e.Op(wasm.I32Add)
	e.Tee(next)
	e.Get(end)
	e.Op(wasm.I32LtU)
	e.Then(wasm.Void)
	e.Jump(masks)
	e.End()
	e.Get(bases[0])
	e.Set(e.own.walkers[0].Ptr)
	e.End()
	e.End()
}

// affordable puts the number of rows on the stack for which the fuel suffices. All rows cost the same; settle charges those
// that were done.
func (e *Emitter) affordable() {
	rows := e.Local(wasm.I64)
	e.Get(e.loop.fuel)
	e.I64(e.p.Price)
	e.Op(wasm.I64DivU)
	e.Tee(rows)
	e.Get(abi.ArgRows)
	e.Op(wasm.I64ExtendI32U, wasm.I64LtU)
	e.Then(wasm.I32)
	e.Get(rows)
	e.Op(wasm.I32WrapI64)
	e.Otherwise()
	e.Get(abi.ArgRows)
	e.End()
}

// settle charges the rows that were begun. If there are more rows than the fuel sufficed for, the next one is charged, too,
// so that the fuel runs out at the same row as by closures.
func (e *Emitter) settle(first abi.Walker) {
	done := e.Local(wasm.I32)
	e.Get(first.Ptr)
	e.Get(e.loop.from)
	e.Op(wasm.I32Sub)
	e.I32(int32(first.Stride))
	e.Op(wasm.I32DivU)
	e.Tee(done)
	e.Get(abi.ArgRows)
	e.Op(wasm.I32LtU)
	e.Get(e.loop.status)
	e.Op(wasm.I32Eqz, wasm.I32And)
	e.Then(wasm.Void)
	e.I32(abi.Starved)
	e.Set(e.loop.status)
	e.End()
	e.Get(e.loop.fuel)
	e.Get(done)
	e.Get(e.loop.status) // these two are of one more row
	e.I32(abi.Failed)
	e.Op(wasm.I32Eq)
	e.Get(e.loop.status)
	e.I32(abi.Starved)
	e.Op(wasm.I32Eq, wasm.I32Or, wasm.I32Add, wasm.I64ExtendI32U)
	e.I64(e.p.Price)
	e.Op(wasm.I64Mul, wasm.I64Sub)
	e.Set(e.loop.fuel)
}

// move moves a walker by some rows.
func (e *Emitter) move(w abi.Walker, rows int) {
	e.Get(w.Ptr)
	e.I32(int32(w.Stride) * int32(rows))
	e.Op(wasm.I32Add)
	e.Set(w.Ptr)
}

// touch reads the farthest byte of a batch in each column: then the compiler leaves out the other bounds checks.
func (e *Emitter) touch(rows int) {
	for i, w := range e.own.walkers {
		if w.Far > 0 && (rows == 1 || !e.loop.packs || i != e.own.marks) {
			e.touchOne(w, rows)
		}
	}
}

func (e *Emitter) touchOne(w abi.Walker, rows int) {
	if w.Far > 0 {
		e.Get(w.Ptr)
		e.Memory(wasm.I32Load8U, uint32(rows-1)*w.Stride+w.Far-1)
		e.Op(wasm.Drop)
	}
}

// ringRoom ends the call if the ring of effects, or the log of stores, is half full: one row may fill the rest.
func (e *Emitter) ringRoom() {
	leave := func(at int, end abi.WordKind) {
		if at != 0 {
			e.Get(at)
			e.Get(e.word(end, 0))
			e.Op(wasm.I32GtU)
			e.Then(wasm.Void)
			e.leave(abi.Filled, 0, 0)
			e.End()
		}
	}
	e.flippedBefore()
	leave(e.out.ring, abi.WordRingEnd)
	leave(e.out.log, abi.WordLogEnd)
}

// burnRows pays for the rows of a batch. If the fuel does not suffice, several rows are left to the next batch, and a
// single row ends the call.
func (e *Emitter) burnRows(rows int, done wasm.Label) {
	if e.loop.prepaid {
		return
	}
	e.Get(e.loop.fuel)
	e.I64(e.p.Price * int64(rows))
	e.Op(wasm.I64Sub)
	e.Tee(e.loop.fuel)
	e.I64(0)
	e.Op(wasm.I64LtS)
	e.Then(wasm.Void)
	if rows > 1 {
		e.refund(rows)
		e.Jump(done)
	} else {
		e.leave(abi.Starved, 0, 0)
	}
	e.End()
}

// refund gives back the fuel of some rows.
func (e *Emitter) refund(rows int) {
	if rows == 0 || e.loop.prepaid {
		return
	}
	e.Get(e.loop.fuel)
	e.I64(e.p.Price * int64(rows))
	e.Op(wasm.I64Add)
	e.Set(e.loop.fuel)
}

// leave ends the call, with a status, after some more rows of the batch. rest rows of it were paid for and not begun.
func (e *Emitter) leave(how int32, rows, rest int) {
	e.refund(rest)
	if rows > 0 {
		e.move(e.own.walkers[0], rows)
	}
	e.I32(how)
	e.Set(e.loop.status)
	e.Jump(e.loop.exit)
}
