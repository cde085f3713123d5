package packing

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
)

// An operand is a place for a value in a batch: a field or a register of one of its rows.
// They are counted row by row, the fields of a row before its registers.
type operand int

func (p *packer) fieldOperand(row, cell int) operand { return operand(row*p.width() + cell) }

// register is a register whatever the row: that of the first.
func (p *packer) register(typ ir.Type, i int) operand {
	if typ == ir.Bool {
		i += p.program.Numbers
	}
	return operand(len(p.cells) + i)
}

// width is how many operands a row has.
func (p *packer) width() int { return len(p.cells) + p.program.Numbers + p.program.Bools }

// inRow is an operand of the first row, for another row.
func (p *packer) inRow(at operand, row int) operand { return at + operand(row*p.width()) }

// A slot is a local with one number, or two.
type slot struct {
	local  int
	raw    int // of f32: what goes to memory
	n      int
	typ    ecs.FieldType
	view   int // -1: it is no field
	at     [2]uint32
	mask   bool // of conditions: all bits or none
	loaded bool
	dirty  bool
	uses   int // segments to come that touch it
}

// A home is where in a slot a value is.
type home struct {
	*slot
	lane int
}

// A segment is a statement for a row of the batch.
type segment struct {
	*ir.Stmt
	row int
}

// A term is an expression for a row of the batch.
type term struct {
	*ir.Expr
	row int
}

func (t term) a() term { return term{t.A, t.row} }

func (t term) b() term { return term{t.B, t.row} }

func (t term) c() term { return term{t.C, t.row} }

// reg is a register of a row.
func (p *packer) reg(typ ir.Type, i, row int) operand {
	at := p.register(typ, i)
	if p.vars.carried[at] {
		return at
	}
	return p.inRow(at, row)
}
