package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Query loops within that work on two rows at once. Package packing puts rows of the outer loop side by side, which cannot
// be done when a row reads what the row before it has stored: the pull of all points on each other, written to the points
// themselves. There two rows of the inner loop go side by side: their values are computed with vectors, and then added to
// the sums one after the other, so each sum has the bits of row by row.

// A rowPair is an inner loop that can be written for two rows at once: its body only computes values of one row, and adds
// them to sums.
type rowPair struct {
	*Emitter
	s      *ir.Stmt
	sub    *ir.Subquery
	sums   map[int]bool       // registers to which the body adds
	values map[int]int        // registers that hold a value of the row at hand, and the locals with both rows' values
	same   map[*ir.Expr]int   // locals of values that are the same for all rows
	fields map[fieldOfRow]int // locals of fields that were read from both rows
	zero   int                // local: 0 twice
}

type fieldOfRow struct {
	view   int
	offset uintptr
}

// pairOf returns the form for two rows of an inner loop; nil if there is none, or if it would gain nothing.
func (e *Emitter) pairOf(s *ir.Stmt) *rowPair {
	w := &rowPair{Emitter: e, s: s, sub: &e.p.Queries[s.I], sums: map[int]bool{}, values: map[int]int{}, same: map[*ir.Expr]int{}, fields: map[fieldOfRow]int{}}
	if w.sub.Entity >= 0 || e.iter.leaf != nil {
		return nil
	}
	for i := range w.sub.Views {
		if e.beyond.refFar[w.sub.First-e.p.Views+i] > 0 && e.optional(w.sub.First+i) {
			return nil
		}
	}
	sets, reads, all := map[int]int{}, map[int]int{}, map[int]int{}
	countNumbers(s.Body, sets, reads)
	countNumbers(e.p.Body, map[int]int{}, all)
	for _, out := range e.p.Outputs {
		all[out.Reg]++
	}
	known, slow := map[int]bool{}, false
	for _, st := range s.Body {
		if st.Op != ir.Set || st.A.Type != ir.Number || st.Mark >= 0 || sets[st.I] != 1 {
			return nil
		}
		x := st.A
		if sum := x.Op == ir.Add && x.A.Op == ir.Reg && x.A.I == st.I && reads[st.I] == 1; sum {
			w.sums[st.I] = true
			x = x.B
		} else if all[st.I] != reads[st.I] { // it is used after the loop
			return nil
		}
		if !w.pairs(x, sets, known, &slow) {
			return nil
		}
		if known[st.I] = !w.sums[st.I]; known[st.I] {
			w.values[st.I] = 0
		}
	}
	if !slow || len(w.sums) == 0 {
		return nil
	}
	return w
}

// countNumbers counts how often statements set and read number registers.
func countNumbers(body []*ir.Stmt, sets, reads map[int]int) {
	var in func(x *ir.Expr)
	in = func(x *ir.Expr) {
		if x == nil {
			return
		}
		if x.Op == ir.Reg && x.Type == ir.Number {
			reads[x.I]++
		}
		in(x.A)
		in(x.B)
		in(x.C)
	}
	for _, s := range body {
		if s.Op == ir.Set && s.A.Type == ir.Number {
			sets[s.I]++
		}
		for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
			in(x)
		}
		countNumbers(s.Body, sets, reads)
		countNumbers(s.Else, sets, reads)
	}
}

// pairs reports whether there is code for an expression of two rows. known are the values that are set before it. slow is
// set if the expression has an operation that takes so long that it is worth to do two at once.
func (w *rowPair) pairs(x *ir.Expr, sets map[int]int, known map[int]bool, slow *bool) bool {
	switch x.Op {
	case ir.Const:
		return true
	case ir.Reg:
		return sets[x.I] == 0 || known[x.I]
	case ir.Load:
		return x.Field.Type == ecs.F64 || !w.within(x)
	case ir.Div:
		*slow = true
	case ir.Call:
		if x.Func != "sqrt" {
			return false
		}
		*slow = true
		return w.pairs(x.A, sets, known, slow)
	case ir.Add, ir.Sub, ir.Mul:
	default:
		return false
	}
	return w.pairs(x.A, sets, known, slow) && w.pairs(x.B, sets, known, slow)
}

// within reports whether a field is one of the inner loop's rows.
func (w *rowPair) within(x *ir.Expr) bool { return x.I >= w.sub.First && x.I < w.sub.First+w.sub.Views }

// write writes the loop over the rows of a table, which are paid for. rows is the local with their number, which is not 0;
// single writes the loop for the rest of them, row by row.
func (w *rowPair) write(rows int, single func()) {
	for _, st := range w.s.Body {
		w.hold(st.A)
	}
	w.zero = w.Local(wasm.V128)
	w.constant(0)
	w.Vector(wasm.F64x2Splat)
	w.Set(w.zero)
	less := w.Block()
	w.Get(rows)
	w.I32(2)
	w.Op(wasm.I32LtU)
	w.JumpIf(less)
	next := w.Loop()
	w.eachView(func(ref int, size int32) {
		w.Get(w.beyond.refs[ref])
		w.Memory(wasm.I32Load8U, w.beyond.refFar[ref]-1+uint32(size))
		w.Op(wasm.Drop)
	})
	w.body()
	w.eachView(func(ref int, size int32) {
		w.Get(w.beyond.refs[ref])
		w.I32(2 * size)
		w.Op(wasm.I32Add)
		w.Set(w.beyond.refs[ref])
	})
	w.Get(rows)
	w.I32(2)
	w.Op(wasm.I32Sub)
	w.Tee(rows)
	w.I32(1)
	w.Op(wasm.I32GtU)
	w.Again(next)
	w.End()
	w.Get(rows)
	w.Then(wasm.Void)
	single()
	w.End()
}

// eachView calls visit for the views of the inner loop that are used, with their index in Refs and the bytes of a row.
func (w *rowPair) eachView(visit func(ref int, size int32)) {
	for i := range w.sub.Views {
		if ref := w.sub.First - w.p.Views + i; w.beyond.refFar[ref] > 0 {
			visit(ref, int32(w.p.Refs[ref].Schema.Size()))
		}
	}
}

// hold puts what is the same for all rows into vectors, twice.
func (w *rowPair) hold(x *ir.Expr) {
	if x == nil {
		return
	}
	if _, row := w.values[x.I]; x.Op == ir.Const || x.Op == ir.Reg && !row && !w.sums[x.I] || x.Op == ir.Load && !w.within(x) {
		l := w.Local(wasm.V128)
		w.Number(x, false)
		w.Vector(wasm.F64x2Splat)
		w.Set(l)
		w.same[x] = l
		return
	}
	w.hold(x.A)
	w.hold(x.B)
}

// body writes two rows: first all values, then the sums, the first row's before the second one's.
func (w *rowPair) body() {
	clear(w.fields)
	added := map[int]int{}
	for _, st := range w.s.Body {
		x := st.A
		l := w.Local(wasm.V128)
		if w.sums[st.I] {
			w.vector(x.B, analysis.OperandMatters(x, 1, w.signs.Matters(st.I)))
			added[st.I] = l
		} else {
			w.vector(x, w.signs.Matters(st.I))
			w.values[st.I] = l
		}
		w.Set(l)
	}
	for lane := range byte(2) {
		for _, st := range w.s.Body {
			if !w.sums[st.I] {
				continue
			}
			w.Get(w.regs.numbers[st.I])
			w.Get(added[st.I])
			w.Vector(wasm.I64x2ExtractLane) // see LowLane
			w.Op(lane, wasm.F64ReinterpretI64, wasm.F64Add)
			if w.signs.Matters(st.I) && !w.signs.NeverNegativeZero(st.A, false) {
				w.constant(0)
				w.Op(wasm.F64Add)
			}
			w.Set(w.regs.numbers[st.I])
		}
	}
}

// vector puts the values of an expression in both rows on the stack. matters is that of [Emitter.Number].
func (w *rowPair) vector(x *ir.Expr, matters bool) {
	w.Spend(1)
	if l, ok := w.same[x]; ok {
		w.Get(l)
		return
	}
	switch x.Op {
	case ir.Reg:
		w.Get(w.values[x.I])
	case ir.Load:
		w.field(x)
	case ir.Call:
		w.vector(x.A, analysis.OperandMatters(x, 0, matters))
		w.Vector(wasm.F64x2Sqrt)
	default:
		w.vector(x.A, analysis.OperandMatters(x, 0, matters))
		w.vector(x.B, analysis.OperandMatters(x, 1, matters))
		w.Vector(wasm.F64x2Add + uint32(x.Op-ir.Add))
		if matters && !w.signs.NeverNegativeZero(x, false) {
			w.Get(w.zero)
			w.Vector(wasm.F64x2Add)
		}
	}
}

// field puts a field of both rows on the stack.
func (w *rowPair) field(x *ir.Expr) {
	at := fieldOfRow{x.I, x.Field.Offset}
	if l, ok := w.fields[at]; ok {
		w.Get(l)
		return
	}
	l, ref := w.Local(wasm.V128), x.I-w.p.Views
	w.Get(w.beyond.refs[ref])
	w.VectorMemory(wasm.V128Load64Zero, uint32(x.Field.Offset))
	w.Get(w.beyond.refs[ref])
	w.Memory(wasm.F64Load, uint32(x.Field.Offset)+uint32(w.p.Refs[ref].Schema.Size()))
	w.Vector(wasm.F64x2ReplaceLane)
	w.Op(1)
	w.Tee(l)
	w.fields[at] = l
}
