package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// Effects are recorded in a ring of memory, row by row, and made by the host after
// the call, in that order. A record is the number of the statement and a value of 8
// bytes for each of its Args that is no constant string: the host has those. See sendrow.go for another form of it. A row that is put back takes its records back.

const (
	ringSize   = 1 << 16
	mostRecord = 8 * 64 // bytes of a record
)

// emitEffect records an effect. What would raise stops the row.
func (e *emitter) emitEffect(s *ir.Stmt) {
	if s.I >= 0 {
		refuse("it uses a spawned entity")
	}
	if 8+8*len(s.Args) > mostRecord {
		refuse("an effect has too many values")
	}
	e.roomLeft()
	if sendsRow(s.Effect) {
		e.sendRow(s)
		return
	}
	values := make([]int, len(s.Args))
	for i, x := range s.Args {
		if !known(x) {
			values[i] = e.Local(wasm.F64)
			e.value(x)
			e.Set(values[i])
		}
	}
	effect := s.Effect
	args, given := values, s.Args
	if effect.Op > ir.QueueSpawn {
		args, given = args[1:], given[1:]
	}
	for i, f := range effect.Fields {
		switch t := f.Field.Type; {
		case t == ecs.F64, t == ecs.F32, t == ecs.Bool, t == ecs.String:
		case t == ecs.EntityField && isHandle(given[i]):
		default:
			e.fits(&cell{field: f.Field, local: args[i]})
		}
	}
	if effect.Op != ir.QueueUnrelate {
		for i := range effect.Relations { // a target may be dead, but it must be an entity
			local := args[len(effect.Fields)+i]
			e.fitsEntity(&cell{local: local})
			e.Get(local)
			e.constant(0)
			e.Op(wasm.F64Eq)
			e.JumpIf(e.stop)
		}
	}
	e.Get(e.ring)
	e.I32(number(&e.emits, s))
	e.Memory(wasm.I32Store, 0)
	at := uint32(8)
	for i, x := range s.Args {
		if !known(x) {
			e.Get(e.ring)
			e.Get(values[i])
			e.Memory(wasm.F64Store, at)
			at += 8
		}
	}
	e.Get(e.ring)
	e.I32(int32(at))
	e.Op(wasm.I32Add)
	e.Set(e.ring)
}

// isHandle reports whether a number is one in any case.
func isHandle(x *ir.Expr) bool {
	return x.Op == ir.Entity || x.Op == ir.Load && x.Field.Type == ecs.EntityField || x.Op == ir.Const && x.N == 0
}

// roomLeft stops the row when the ring is full.
func (e *emitter) roomLeft() {
	e.Get(e.ring)
	e.Get(e.word(wordRingEnd, 0))
	e.I32(ringSize/2 - mostRecord)
	e.Op(wasm.I32Add, wasm.I32GtU)
	e.JumpIf(e.stop)
}

// returning leaves the values of a return in the frame, and the loop.
func (e *emitter) returning(s *ir.Stmt) {
	if len(s.Args) > mostResults {
		refuse("it returns too many values")
	}
	for i, x := range s.Args {
		if known(x) {
			continue
		}
		e.Get(argFrame)
		e.value(x)
		e.Memory(wasm.F64Store, e.layout.results+8*uint32(i))
	}
	e.site(s)
	e.I32(returned)
	e.Set(e.brk)
	e.Jump(e.finish)
}

// site leaves in the frame which return it was.
func (e *emitter) site(s *ir.Stmt) {
	e.Get(argFrame)
	e.I32(number(&e.returns, s))
	e.Memory(wasm.I32Store, frameSite)
}

// number is the place of a statement in a list, to which it is added when it is
// new.
func number(list *[]*ir.Stmt, s *ir.Stmt) int32 {
	i := slices.Index(*list, s)
	if i < 0 {
		i = len(*list)
		*list = append(*list, s)
	}
	return int32(i)
}
