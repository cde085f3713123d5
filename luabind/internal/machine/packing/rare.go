package packing

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/scalar"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"
)

// Rows that leave. What stands under a condition may be nothing for a batch: see analysis/rare.go. In the body of a batch, an
// ir.Leave stands in its place. If a row of a batch comes to one, the batch gives up before it has stored anything, and
// its rows are left to the next way of doing rows. What must hold: nothing that a batch keeps in vectors is needed behind a single row, because
// the compiler loses halves of vectors over calls. So values in front of the loops are computed again whenever batches begin
// anew.

// A batchBody is what a batch does of the body of a Program.
type batchBody struct {
	list    []*ir.Stmt
	leaving bool // rows may leave the batch
}

// reduce returns the body of a batch; ok is false if each row does what no batch does, and if rows may leave and it is not
// worth while: the fast path of package scalar does tests as quickly. loops says that batches have loops within.
func reduce(e *scalar.Emitter, loops bool) (body batchBody, ok bool) {
	r := reduction{e, loops}
	list, leaving, ok := analysis.Cutter{Stmt: r.statement, Expr: r.expression, Drops: r.drops}.Body(e.Program().Body)
	return batchBody{flat(list), leaving}, ok && (!leaving || e.Expensive() && analysis.Stores(list))
}

// A reduction makes the body of a batch.
type reduction struct {
	e     *scalar.Emitter
	loops bool
}

// drops reports whether a statement is left out: it sets a string for rare branches, for no batch reads strings, and it cannot
// fail.
func (r reduction) drops(s *ir.Stmt) bool {
	if s.Op != ir.Set || s.Mark >= 0 || s.A.Type != ir.Text {
		return false
	}
	for _, out := range r.e.Program().Outputs {
		if out.Type == ir.Text && out.Reg == s.I {
			return false
		}
	}
	x := s.A
	return x.Op == ir.Const || x.Op == ir.Reg || x.Op == ir.Load && r.e.Within(x.I) && r.e.Program().Optional&(1<<x.I) == 0
}

// statement reports whether batches do a statement, apart from its expressions.
func (r reduction) statement(s *ir.Stmt) bool {
	switch s.Op {
	case ir.Set, ir.If, ir.Block:
		return true
	case ir.Count, ir.Each:
		return r.loops
	case ir.Store:
		return r.field(s.I) && (s.Field.Type == ecs.F64 || s.Field.Type == ecs.F32 || s.Field.Type == ecs.Bool)
	default:
		return false
	}
}

// field reports whether a batch reads and stores fields of a view.
func (r reduction) field(view int) bool {
	if p := r.e.Program(); !r.e.Within(view) {
		ref := p.Refs[view-p.Views]
		return !r.e.Mirrored() && ref.Query >= 0 && !ref.Optional && !ref.Stored
	}
	return r.e.Cached(view)
}

// expression reports whether batches compute an expression, apart from its operands.
func (r reduction) expression(x *ir.Expr) bool {
	if x.Type == ir.Text || x.Type == ir.Any {
		return false
	}
	switch x.Op {
	case ir.Const, ir.Reg, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or,
		ir.Select, ir.Min, ir.Max:
		return true
	case ir.Load:
		return r.field(x.I)
	case ir.Call:
		return vectorCalls[x.Func] != nil
	default:
		return false
	}
}

// leave notes the rows at hand for which the current condition holds: they leave the batch.
func (p *packer) leave() {
	p.cost++
	if p.left == 0 {
		p.left = p.Local(wasm.V128)
	}
	p.Get(p.left)
	p.Get(p.mask)
	p.Vector(wasm.V128Or)
	p.Set(p.left)
}

// leaveAlone notes that the row at hand leaves the batch.
func (p *packer) leaveAlone() {
	p.I32(1)
	p.Set(p.anyLeft())
	p.cost++
}

// anyLeft returns the local that is not 0 if rows that were looked at alone leave the batch.
func (p *packer) anyLeft() int {
	if p.leftAlone == 0 {
		p.leftAlone = p.Local(wasm.I32)
	}
	return p.leftAlone
}

// onlyLeaves reports whether an If does nothing but leave.
func onlyLeaves(s *ir.Stmt) bool {
	return len(s.Else) == 0 && len(s.Body) == 1 && s.Body[0].Op == ir.Leave
}

// A keptRegister is a register that goes from row to row, and the local that has what it was before the batch.
type keptRegister struct{ register, local int }

// beginLeaving writes what a batch begins with that rows may leave: nobody has left, and registers that go from row to row
// are kept.
func (p *packer) beginLeaving() {
	if p.left != 0 {
		p.I64(0)
		p.Vector(wasm.I64x2Splat)
		p.Set(p.left)
	}
	if p.leftAlone != 0 {
		p.I32(0)
		p.Set(p.leftAlone)
	}
	for _, k := range p.kept {
		p.Get(k.register)
		p.Set(k.local)
	}
}

// keepCarried allocates locals for the registers that go from row to row and that a batch sets.
func (p *packer) keepCarried() {
	keep := func(typ ir.Type, reg int) {
		switch {
		case !p.vars.sets[p.register(typ, reg)]:
		case typ == ir.Bool:
			p.kept = append(p.kept, keptRegister{p.e.BoolRegister(reg), p.Local(wasm.I32)})
		default:
			p.kept = append(p.kept, keptRegister{p.e.NumberRegister(reg), p.Local(wasm.F64)})
		}
	}
	for _, out := range p.program.Outputs {
		if out.Type == ir.Text || out.Type == ir.Any {
			continue
		}
		keep(out.Type, out.Reg)
		if out.Mark >= 0 {
			keep(ir.Bool, out.Mark)
		}
	}
	p.cost += 2 * len(p.kept)
}

// endLeaving gives the batch up if a row has left it. Nothing has been stored.
func (p *packer) endLeaving() {
	n := 0
	if p.left != 0 {
		p.Get(p.left)
		p.Vector(wasm.I8x16Bitmask)
		n++
	}
	if p.leftAlone != 0 {
		p.Get(p.leftAlone)
		if n++; n > 1 {
			p.Op(wasm.I32Or)
		}
	}
	if n == 0 {
		abi.Refuse("no row leaves")
	}
	p.cost += 1 + n
	p.Then(wasm.Void)
	for _, k := range p.kept {
		p.Get(k.local)
		p.Set(k.register)
	}
	p.e.GiveUp(p.Rows)
	p.End()
}
