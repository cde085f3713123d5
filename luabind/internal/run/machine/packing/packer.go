package packing

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/scalar"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// A packer writes one batch. pack lays out the fields of the rows in slots, writes the statements of the body for all rows
// (block.go), stores what is left in slots, and writes the marks.

// A packer writes a batch in a form. It is used once, on trial or for good: see Choose.
//
// While it works, the emitter asks it for the fields and registers of the row at hand when it writes scalar code: see leaf.
// Nothing in a batch calls a function, because the compiler loses the upper halves of vectors over calls in loops.
type packer struct {
	*wasm.Function                 // the function that the emitter writes
	e              *scalar.Emitter // writes scalar code, and knows the rest of the function
	Form
	program *ir.Program
	body    []*ir.Stmt // of the Program, without blocks

	cells   []*scalar.Cell // fields of the rows that scalar code keeps in locals
	fields  []location     // by operand
	slots   []*slot        // of all operands
	vars    variables
	hoisted map[string]int // locals of what is loaded in front of the loops, by name

	row    int // of the batch, for which scalar code is written
	mask   int // local of the condition under which pairs are assigned, -1
	branch int // ifs around that are branches
	cost   int // roughly, in instructions

	deferred []deferred
	guard    int // local: whether one of them is to be done, 0: there are none
	touched  []touch
	rowMark  []int // by row: local of the views that it stored in branches, -1
}

// variables is what is known of the registers of the Program in a batch.
type variables struct {
	locations []location // by operand; no slot: it is in no vector
	single    []int      // by operand: locals of registers that are in no vector, 0: none yet
	known     []bool     // by operand: it has been assigned
	carried   []bool     // by operand: registers that go on from row to row, outputs and their marks; always the first row's
	changes   []bool     // by operand of the first row: registers that the body of the Program assigns

	uniforms map[*ir.Expr]bool // what uniform has found of operations
}

// at sets the row of the batch that the following scalar code is for.
func (p *packer) at(row int) {
	p.row = row
	p.e.SetRow(row)
}

// pack writes a batch and returns what it costs. It panics with an [abi.Refusal] if the form cannot do the body.
func pack(e *scalar.Emitter, f Form, body []*ir.Stmt) int {
	p := &packer{e: e, Function: e.Function, Form: f, program: e.Program(), body: body, cells: fieldsOf(e, body), mask: -1, hoisted: map[string]int{}, vars: variables{uniforms: map[*ir.Expr]bool{}}}
	n := p.width()
	p.vars.changes = make([]bool, n)
	n *= rowsOfBatch
	p.fields, p.vars.locations, p.vars.single, p.vars.known, p.vars.carried = make([]location, n), make([]location, n), make([]int, n), make([]bool, n), make([]bool, n)
	for range rowsOfBatch {
		p.rowMark = append(p.rowMark, -1)
	}
	p.registers()
	p.layOut()
	restore := e.WithLeaf(p.leaf)
	start := len(e.Encoder)
	if !p.independent(p.body) {
		abi.Refuse("two statements use a register that is carried from row to row")
	}
	for row := 0; row < rowsOfBatch; row += window {
		var segments []segment
		for _, s := range p.body {
			for i := range window {
				segments = append(segments, segment{s, row + i})
			}
		}
		p.block(segments, true)
		p.fold()
	}
	for _, s := range p.slots {
		p.flush(s)
	}
	if f.Cold {
		p.coldPart()
	} else {
		p.marks()
	}
	e.Insert(start, p.clearMarks)
	restore()
	p.at(0)
	return p.cost + batchCost
}

// fieldsOf returns the fields of a row that a body reads or stores, of those that scalar code keeps in locals.
func fieldsOf(e *scalar.Emitter, body []*ir.Stmt) []*scalar.Cell {
	used := func(c *scalar.Cell) (is bool) {
		abi.Walk(body, func(s *ir.Stmt) {
			is = is || s.Op == ir.Store && s.I == c.View && s.Field.Offset == c.Field.Offset
		}, func(x *ir.Expr) {
			is = is || x.Op == ir.Load && x.I == c.View && x.Field.Offset == c.Field.Offset
		})
		return is
	}
	return slices.DeleteFunc(slices.Clone(e.Fields()), func(c *scalar.Cell) bool { return !used(c) })
}

// registers finds out which registers are carried from row to row, and which the body assigns.
func (p *packer) registers() {
	for _, out := range p.program.Outputs {
		if out.Type == ir.Text || out.Type == ir.Any {
			continue
		}
		p.vars.carried[p.register(out.Type, out.Reg)] = true
		if out.Mark >= 0 {
			p.vars.carried[p.register(ir.Bool, out.Mark)] = true
		}
	}
	abi.Walk(p.body, func(s *ir.Stmt) {
		if s.Op == ir.Set {
			p.vars.changes[p.register(s.A.Type, s.I)] = true
			if s.Mark >= 0 {
				p.vars.changes[p.register(ir.Bool, s.Mark)] = true
			}
		}
	}, func(*ir.Expr) {})
}

// uniform reports whether an expression has the same value in all rows of a call. Such values are computed in front of the
// row loop.
func (p *packer) uniform(x *ir.Expr) bool {
	switch {
	case x == nil, x.Op == ir.Const:
		return true
	case x.Op == ir.Reg:
		return !p.vars.changes[p.register(x.Type, x.I)]
	case x.Op == ir.Load, x.Op == ir.Entity:
		return false
	}
	is, known := p.vars.uniforms[x]
	if !known {
		p.e.Spend(1)
		is = p.uniform(x.A) && p.uniform(x.B) && p.uniform(x.C)
		p.vars.uniforms[x] = is
	}
	return is
}

// independent reports whether the body may be reordered, so that all rows run one statement before they run the next: no
// register that is carried from row to row is used by two statements.
func (p *packer) independent(body []*ir.Stmt) bool {
	seen := make([]*ir.Stmt, p.width())
	ok := true
	for _, top := range body {
		meet := func(at operand) {
			if p.vars.carried[at] && seen[at] != nil && seen[at] != top {
				ok = false
			}
			seen[at] = top
		}
		abi.Walk([]*ir.Stmt{top}, func(s *ir.Stmt) {
			if s.Op == ir.Set {
				meet(p.register(s.A.Type, s.I))
				if s.Mark >= 0 {
					meet(p.register(ir.Bool, s.Mark))
				}
			}
		}, func(x *ir.Expr) {
			if x.Op == ir.Reg {
				meet(p.register(x.Type, x.I))
			}
		})
	}
	return ok
}

// hoist returns a local that is set in front of the row loop. write puts its value on the stack. It is called once for each
// key.
func (p *packer) hoist(key string, typ byte, write func()) int {
	if l, ok := p.hoisted[key]; ok {
		return l
	}
	l := p.Local(typ)
	p.hoisted[key] = l
	p.e.InFront(func() {
		write()
		p.Set(l)
	})
	return l
}
