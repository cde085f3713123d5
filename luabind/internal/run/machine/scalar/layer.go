package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Cells of layers, which are read and written where they are. The first write to a page in a turn stops the row: the host opens the page, and the row is
// run again.

// layerCell puts the cell at a key on the stack.
func (e *Emitter) layerCell(x *ir.Expr) {
	if e.p.Layers[x.I].Places == ir.NextAt {
		e.behindInIndex(x)
		return
	}
	_, at := e.cellAt(x.I, x.A)
	e.Get(at)
	if fieldcode.Wide(x.Field.Type) {
		fieldcode.LoadWide(e.Function, x.Field.Type, 0, e.iter.stop)
		return
	}
	e.ReadField(x.Field, 0)
}

// cellAt leaves the number and the address of the cell at a key in locals. If there is none, the row stops.
func (e *Emitter) cellAt(layer int, key *ir.Expr) (cell, at int) {
	number := e.Local(wasm.F64)
	cell, at = e.Local(wasm.I32), e.Local(wasm.I32)
	e.Number(key, true)
	e.Tee(number)
	e.Saturating(wasm.I32TruncSatF64S)
	e.Tee(cell)
	e.Op(wasm.F64ConvertI32S)
	e.Get(number)
	e.Op(wasm.F64Eq)
	e.Get(cell)
	e.I32(int32(e.p.Layers[layer].Cells))
	e.Op(wasm.I32LtU, wasm.I32And, wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	e.Get(e.word(abi.WordLayer, layer))
	e.Get(cell)
	e.I32(int32(fieldcode.Size(e.p.Layers[layer].Field.Type)))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
	return cell, at
}

// putCell writes a cell. The old value is logged.
func (e *Emitter) putCell(s *ir.Stmt) {
	if e.p.Layers[s.I].Places == ir.PlaceOf {
		e.moveInIndex(s)
		return
	}
	t, value := s.Field.Type, e.Local(wasm.F64)
	cell, at := e.cellAt(s.I, s.A)
	e.Number(s.B, true)
	e.Set(value)
	switch t {
	case ecs.F64:
	case ecs.F32:
		e.Get(value)
		e.Op(wasm.F32DemoteF64, wasm.F64PromoteF32)
		e.Set(value)
	default:
		fieldcode.Fit(e.Function, t, value, e.iter.stop)
	}
	e.Get(e.word(abi.WordLayerOpen, s.I))
	e.Get(cell)
	e.I32(ecs.LayerPageShift)
	e.Op(wasm.I32ShrU, wasm.I32Add)
	e.Memory(wasm.I32Load8U, 0)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	e.Get(abi.ArgFrame)
	e.I32(int32(uint32(abi.MissingLayer | s.I)))
	e.Memory(wasm.I32Store, e.layout.Missing+abi.MissingTable)
	e.Get(abi.ArgFrame)
	e.Get(cell)
	e.Op(wasm.F64ConvertI32S)
	e.Memory(wasm.F64Store, e.layout.Missing+abi.MissingKey)
	e.Jump(e.iter.stop)
	e.End()
	e.keep(at, 0, fieldcode.Size(t), -1)
	e.Get(at)
	fieldcode.Store(e.Function, t, value, 0)
}
