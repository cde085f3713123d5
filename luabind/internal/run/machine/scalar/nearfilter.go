package scalar

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/nearby"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The filter of a loop over near entities: [ir.Stmt.Filter]. It is tested for every point of the cells in reach, so it has
// no branches: all parts of it are evaluated. That is allowed because none of them can fail, and because a field of a
// component that the entity lacks reads as 0.

// A filtering writes the filter of one loop.
type filtering struct {
	*Emitter
	loop *ir.Stmt
	held map[*ir.Expr]int // locals of parts that are the same for all points, by the operand of a comparison

	record int // local with the address of the point's record
	offset uint32
	d2     int // local with its squared distance
}

// filter writes what comes before the list of near entities, and returns the filter; nil if there is none.
func (e *Emitter) filter(s *ir.Stmt) *nearby.Filter {
	f := e.grids.cache.NewFilter(s)
	if f == nil {
		return nil
	}
	w := &filtering{Emitter: e, loop: s, held: map[*ir.Expr]int{}}
	w.hold(s.Filter())
	f.Holds = func(record int, offset uint32, d2 int) {
		w.record, w.offset, w.d2 = record, offset, d2
		w.test(s.Filter())
	}
	if _, demand := nearby.Demands(e.p, s); demand != nil {
		f.Demand = func(record int) {
			w.record, w.offset = record, 0
			w.test(demand)
		}
	}
	return f
}

// hold evaluates what is the same for all points.
func (w *filtering) hold(x *ir.Expr) {
	switch {
	case x == nil || x.Op == ir.Const:
	case nearby.Varies(w.p, w.loop, x):
		w.hold(x.A)
		w.hold(x.B)
		w.hold(x.C)
	case x.Type == ir.Number:
		l := w.Local(wasm.F64)
		w.Emitter.Number(x, false)
		w.Set(l)
		w.held[x] = l
	default:
		l := w.Local(wasm.I32)
		w.Condition(x)
		w.Set(l)
		w.held[x] = l
	}
}

// test puts a condition on the stack: 1 or 0.
func (w *filtering) test(x *ir.Expr) {
	w.Spend(1)
	if l, ok := w.held[x]; ok {
		w.Get(l)
		return
	}
	switch x.Op {
	case ir.Const:
		w.Condition(x)
	case ir.Not:
		w.test(x.A)
		w.Op(wasm.I32Eqz)
	case ir.And, ir.Or:
		w.test(x.A)
		w.test(x.B)
		if x.Op == ir.And {
			w.Op(wasm.I32And)
		} else {
			w.Op(wasm.I32Or)
		}
	case ir.Equal, ir.Less, ir.LessEqual:
		w.value(x.A)
		w.value(x.B)
		w.Op(map[ir.Op]byte{ir.Equal: wasm.F64Eq, ir.Less: wasm.F64Lt, ir.LessEqual: wasm.F64Le}[x.Op])
	case ir.Present:
		w.grids.cache.LoadPresent(w.record, w.offset, x.I)
		w.Op(wasm.I32Eqz, wasm.I32Eqz)
	case ir.Load:
		w.grids.cache.LoadValue(w.record, w.offset, x)
	case ir.Tagged:
		w.grids.cache.LoadTag(w.record, w.offset, x.ID)
	default:
		abi.Refuse("it has a condition without code (%d)", x.Op)
	}
}

// value puts a number on the stack.
func (w *filtering) value(x *ir.Expr) {
	w.Spend(1)
	if l, ok := w.held[x]; ok {
		w.Get(l)
		return
	}
	switch x.Op {
	case ir.Const:
		w.constant(x.N)
	case ir.Reg:
		if x.I == w.loop.J {
			w.Get(w.d2)
			return
		}
		w.Get(w.record)
		w.Memory(wasm.F64Load, w.offset+w.grids.cache.EntityOffset())
	case ir.Load:
		w.grids.cache.LoadValue(w.record, w.offset, x)
	case ir.Add, ir.Sub, ir.Mul:
		w.value(x.A)
		w.value(x.B)
		w.Op(wasm.F64Add + byte(x.Op-ir.Add))
	default:
		abi.Refuse("it has an expression without code (%d)", x.Op)
	}
}
