package scalar

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// What package packing uses of an emitter: questions about the Program and its locals, and writing scalar code of a row
// within a batch. Instructions are written with the methods of [wasm.Function].

// Program is the Program that is compiled.
func (e *Emitter) Program() *ir.Program { return e.p }

// Fields returns the fields of a row that are kept in locals, in the order in which the body names them.
func (e *Emitter) Fields() []*Cell { return e.own.cells }

// Cached reports whether the fields of a view of the query loop are kept in locals during a row.
func (e *Emitter) Cached(view int) bool { return e.cached(view) }

// WithoutFastPath makes the emitter write no fast path: see fastpath.go.
func (e *Emitter) WithoutFastPath() { e.loop.noFastPath = true }

// Pointer is the local with the address of the first row of the batch, in a view that is used.
func (e *Emitter) Pointer(view int) int { return e.own.walkers[e.own.views[view]].Ptr }

// Stride is how many bytes a view has from row to row.
func (e *Emitter) Stride(view int) uint32 { return e.own.strides[view] }

// MarkPointer is the local with the address of the mark of the first row of the batch.
func (e *Emitter) MarkPointer() int { return e.own.walkers[e.own.marks].Ptr }

// NumberRegister returns the local of a register of type Number.
func (e *Emitter) NumberRegister(i int) int { return e.regs.numbers[i] }

// BoolRegister returns the local of a register of type Bool.
func (e *Emitter) BoolRegister(i int) int { return e.regs.bools[i] }

// SignMatters reports whether somebody looks at the sign of a zero in a register of type Number.
func (e *Emitter) SignMatters(reg int) bool { return e.signs.Matters(reg) }

// NeverNegativeZero reports that an expression is never -0, even where its sign does not matter.
func (e *Emitter) NeverNegativeZero(x *ir.Expr) bool { return e.signs.NeverNegativeZero(x, false) }

// SetRow sets the row of the batch that the following code is for.
func (e *Emitter) SetRow(row int) { e.iter.row = row }

// WithLeaf makes the emitter ask leaf whenever it writes an expression: leaf writes it and returns true, or returns false.
// nil ends that. restore sets what was before.
func (e *Emitter) WithLeaf(leaf func(*ir.Expr) bool) (restore func()) {
	was := e.iter.leaf
	e.iter.leaf = leaf
	return func() { e.iter.leaf = was }
}

// InFront makes write write code in front of the row loops.
func (e *Emitter) InFront(write func()) {
	body := e.Encoder
	e.Encoder = e.loop.ahead
	write()
	e.loop.ahead = e.Encoder
	e.Encoder = body
}

// Try calls write, and takes everything back that it has written. ok is false if write refuses.
func (e *Emitter) Try(write func()) (ok bool) {
	// The function itself: who refuses may be writing elsewhere for a while.
	function, ahead := *e.Function, e.loop.ahead
	words, wordLocals := e.beyond.words, maps.Clone(e.beyond.wordLocals)
	defer func() {
		e.beyond.words, e.beyond.wordLocals = words, wordLocals
		*e.Function, e.loop.ahead = function, ahead
		e.iter.leaf, e.iter.row = nil, 0
		switch r := recover().(type) {
		case nil:
		case abi.Refusal:
			ok = false
		default:
			panic(r)
		}
	}()
	write()
	return true
}
