package packing

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The data of a packer: which values a batch has, and where each is kept.
//	segment, term   a statement or an expression, for one row of the batch
//	operand         a field or a register of one row, as a number
//	location        the lane of a slot where an operand is kept
//	slot            a local with one value or two

// An operand is the number of a value in a batch: a field or a register of one of its rows. Row after row is counted, first
// the fields of a row, then its registers.
type operand int

// fieldOperand returns the operand of a field, by its number among the fields of a row.
func (p *packer) fieldOperand(row, cell int) operand { return operand(row*p.width() + cell) }

// register returns the operand of a register in the first row.
func (p *packer) register(typ ir.Type, i int) operand {
	if typ == ir.Bool {
		i += p.program.Numbers
	}
	return operand(len(p.cells) + i)
}

// width returns how many operands a row has.
func (p *packer) width() int { return len(p.cells) + p.program.Numbers + p.program.Bools }

// inRow returns the operand of another row for one of the first row.
func (p *packer) inRow(at operand, row int) operand { return at + operand(row*p.width()) }

// A slot is a local with one value, or a vector with two. Slots of fields are loaded and stored as a whole.
type slot struct {
	local  int
	raw    int // local: two f32 as they are in memory
	n      int // values: 1 or 2
	typ    ecs.FieldType
	view   int    // -1: the values are registers
	at     uint32 // offset of the first field from the pointer of its view
	mask   bool   // the values are conditions: all bits of a lane are set, or none
	loaded bool   // the local has the values
	dirty  bool   // the local has values that are not stored yet
	uses   int    // segments that are still to be written and read or write it
}

// A location is a lane of a slot: 0 or 1. Without a slot it is none.
type location struct {
	*slot
	lane int
}

// A segment is a statement, for one row of the batch.
type segment struct {
	*ir.Stmt
	row int
}

// A term is an expression, for one row of the batch. Its operands are terms of the same row.
type term struct {
	*ir.Expr
	row int
}

func (t term) a() term { return term{t.A, t.row} }

func (t term) b() term { return term{t.B, t.row} }

func (t term) c() term { return term{t.C, t.row} }

// reg returns the operand of a register in a row. A register that is carried from row to row is one operand, that of the
// first row.
func (p *packer) reg(typ ir.Type, i, row int) operand {
	at := p.register(typ, i)
	if p.vars.carried[at] {
		return at
	}
	return p.inRow(at, row)
}
