package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Changes of tags. They are recorded like effects, and made by the host after the call. If a loop asks for a tag that it
// changes, the call ends after each row that has changed one, so that the next row sees it. A row that asks after its own
// change runs as closures: see package emit.

// flip records the change of a tag.
func (e *Emitter) flip(s *ir.Stmt) {
	to := e.Local(wasm.F64)
	e.Number(s.A.A, false)
	e.Set(to)
	e.roomLeft()
	e.Get(e.out.ring)
	e.I32(number(&e.out.emits, s))
	e.Memory(wasm.I32Store, 0)
	e.Get(e.out.ring)
	e.Get(to)
	e.Memory(wasm.F64Store, 8)
	e.Get(e.out.ring)
	e.I32(16)
	e.Op(wasm.I32Add)
	e.Set(e.out.ring)
	if e.loop.flipped != 0 {
		e.I32(1)
		e.Set(e.loop.flipped)
	}
}

// flippedBefore ends the call before a row if an earlier row has changed a tag that the loop asks for.
func (e *Emitter) flippedBefore() {
	if e.loop.flipped == 0 {
		return
	}
	e.Get(e.loop.flipped)
	e.Then(wasm.Void)
	e.leave(abi.Filled, 0, 0)
	e.End()
}
