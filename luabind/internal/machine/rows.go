package machine

import "github.com/ecsrun/ecsrun/luabind/internal/kernel"

// A walker is a pointer that moves on from row to row: through a column, the
// handles of the entities, or the marks of rows that were stored.
type walker struct {
	ptr    int    // local
	stride uint32 // bytes from row to row
	far    uint32 // behind the last byte of a row that is touched
}

// A batch is one way to do some rows at once. Rows of a table are done by the first
// batch as long as there are enough of them, then by the next; the last one does a
// single row.
//
// To add another form of code, say one that packs fields into vectors, give a batch
// of several rows in front of the others: see [emitter.batches].
type batch struct {
	rows int
	emit func()
}

// rowLoop writes the loops over the rows of a call. The walkers stand on the first
// row when it begins, and the number of rows is the second argument.
func (e *emitter) rowLoop(batches []batch) {
	first := e.walkers[0]
	end := e.local(i32)
	e.get(first.ptr)
	if e.prepaid = !e.turns(); e.prepaid {
		e.from = e.local(i32)
		e.tee(e.from)
		e.affordable()
	} else {
		e.get(argRows)
	}
	e.i32(int32(first.stride))
	e.op(opI32Mul, opI32Add)
	e.set(end)
	e.exit = e.block()
	again := e.loop()
	for i, t := range batches {
		done := e.block()
		e.giveUp = done
		last := e.local(i32) // where the last batch may begin
		e.get(end)
		e.i32(int32(first.stride) * int32(t.rows))
		e.op(opI32Sub)
		e.set(last)
		if i > 0 && t.rows == 1 {
			rows := batches[0].rows
			if e.guards {
				rows = 1
			}
			e.atMost(last, first, rows)
		}
		e.get(first.ptr)
		e.get(last)
		e.op(opI32GtU)
		e.jumpIf(done)
		e.loop()
		e.ringRoom()
		e.lookedEnough()
		e.burnRows(t.rows, done)
		if !e.guards || i > 0 {
			e.touch(t.rows)
		}
		t.emit()
		for _, w := range e.walkers {
			e.move(w, t.rows)
		}
		// The compiler fuses a comparison with the branch of an if, not with a br_if
		// to the start of a loop.
		e.get(first.ptr)
		e.get(last)
		e.op(opI32LeU)
		e.then(void)
		e.jump(label(e.depth - 1))
		e.end()
		e.end()
		e.end()
	}
	if len(batches) > 1 {
		e.get(first.ptr)
		e.get(end)
		e.op(opI32LtU)
		e.then(void)
		e.jump(again)
		e.end()
	}
	e.end()
	e.end()
	if e.prepaid {
		e.settle(first)
	}
}

// sparseLoop is rowLoop for the rows in the mask: bit 0 of it is the row at hand.
func (e *emitter) sparseLoop(t batch) {
	mask, gap := e.local(i64), e.local(i32)
	e.get(argFrame)
	e.memory(opI64Load, frameMask)
	e.set(mask)
	e.exit = e.block()
	again := e.loop()
	e.ringRoom()
	e.lookedEnough()
	e.burnRows(1, e.exit)
	e.touch(1)
	t.emit()
	for _, w := range e.walkers {
		e.move(w, 1)
	}
	e.get(mask)
	e.i64(1)
	e.op(opI64ShrU)
	e.tee(mask)
	e.op(opI64Eqz)
	e.jumpIf(e.exit)
	e.get(mask)
	e.op(opI64Ctz, opI32WrapI64)
	e.tee(gap)
	e.then(void)
	e.get(mask)
	e.get(gap)
	e.op(opI64ExtendI32U, opI64ShrU)
	e.set(mask)
	for _, w := range e.walkers {
		e.get(w.ptr)
		e.get(gap)
		e.i32(int32(w.stride))
		e.op(opI32Mul, opI32Add)
		e.set(w.ptr)
	}
	e.end()
	e.jump(again)
	e.end()
	e.end()
}

// turns reports whether there are loops within the body.
func (e *emitter) turns() (turns bool) {
	walk(e.p.Body, func(s *kernel.Stmt) { turns = turns || s.Price > 0 }, func(*kernel.Expr) {})
	return turns
}

// affordable is how many of the rows the fuel suffices for. Where all rows cost
// the same that is known beforehand, and settle pays for those that were done.
func (e *emitter) affordable() {
	rows := e.local(i64)
	e.get(e.fuel)
	e.i64(e.p.Price)
	e.op(opI64DivU)
	e.tee(rows)
	e.get(argRows)
	e.op(opI64ExtendI32U, opI64LtU)
	e.then(i32)
	e.get(rows)
	e.op(opI32WrapI64)
	e.otherwise()
	e.get(argRows)
	e.end()
}

// settle pays for the rows that were begun. When that was all that the fuel
// sufficed for, and there are more, the next one is paid for, too.
func (e *emitter) settle(first walker) {
	done := e.local(i32)
	e.get(first.ptr)
	e.get(e.from)
	e.op(opI32Sub)
	e.i32(int32(first.stride))
	e.op(opI32DivU)
	e.tee(done)
	e.get(argRows)
	e.op(opI32LtU)
	e.get(e.status)
	e.op(opI32Eqz, opI32And)
	e.then(void)
	e.i32(starved)
	e.set(e.status)
	e.end()
	e.get(e.fuel)
	e.get(done)
	e.get(e.status) // these two are of one more row
	e.i32(failed)
	e.op(opI32Eq)
	e.get(e.status)
	e.i32(starved)
	e.op(opI32Eq, opI32Or, opI32Add, opI64ExtendI32U)
	e.i64(e.p.Price)
	e.op(opI64Mul, opI64Sub)
	e.set(e.fuel)
}

// atMost lets the last batch begin no later than the last of some rows: a batch of
// several rows that could not be paid for is done row by row, and the fuel is
// replenished meanwhile.
func (e *emitter) atMost(last int, first walker, rows int) {
	limit := e.local(i32)
	e.get(first.ptr)
	e.i32(int32(first.stride) * int32(rows-1))
	e.op(opI32Add)
	e.tee(limit)
	e.get(last)
	e.op(opI32LtU)
	e.then(void)
	e.get(limit)
	e.set(last)
	e.end()
}

// move moves a walker by some rows.
func (e *emitter) move(w walker, rows int) {
	e.get(w.ptr)
	e.i32(int32(w.stride) * int32(rows))
	e.op(opI32Add)
	e.set(w.ptr)
}

// touch reads the farthest byte of a batch: the compiler then leaves out the bounds
// checks of all the others.
func (e *emitter) touch(rows int) {
	for i, w := range e.walkers {
		if w.far > 0 && (rows == 1 || !e.packs || i != e.marks) {
			e.touchOne(w, rows)
		}
	}
}

func (e *emitter) touchOne(w walker, rows int) {
	if w.far > 0 {
		e.get(w.ptr)
		e.memory(opI32Load8U, uint32(rows-1)*w.stride+w.far-1)
		e.op(opDrop)
	}
}

// ringRoom leaves the call when the ring of effects, or the log of stores, is half
// full: a row may fill the rest.
func (e *emitter) ringRoom() {
	leave := func(at int, end wordKind) {
		if at != 0 {
			e.get(at)
			e.get(e.word(end, 0))
			e.op(opI32GtU)
			e.then(void)
			e.leave(filled, 0, 0)
			e.end()
		}
	}
	e.flippedBefore()
	leave(e.ring, wordRingEnd)
	leave(e.log, wordLogEnd)
}

// burnRows pays for the rows of a batch. When the fuel does not suffice, it leaves
// a batch of several rows to the next form, and the call from a single row.
func (e *emitter) burnRows(rows int, done label) {
	if e.prepaid {
		return
	}
	e.get(e.fuel)
	e.i64(e.p.Price * int64(rows))
	e.op(opI64Sub)
	e.tee(e.fuel)
	e.i64(0)
	e.op(opI64LtS)
	e.then(void)
	if rows > 1 {
		e.refund(rows)
		e.jump(done)
	} else {
		e.leave(starved, 0, 0)
	}
	e.end()
}

// refund gives back what some rows cost.
func (e *emitter) refund(rows int) {
	if rows == 0 || e.prepaid {
		return
	}
	e.get(e.fuel)
	e.i64(e.p.Price * int64(rows))
	e.op(opI64Add)
	e.set(e.fuel)
}

// leave ends the call after some more rows of the batch; rest rows of it were paid
// for and not begun.
func (e *emitter) leave(how int32, rows, rest int) {
	e.refund(rest)
	if rows > 0 {
		e.move(e.walkers[0], rows)
	}
	e.i32(how)
	e.set(e.status)
	e.jump(e.exit)
}
