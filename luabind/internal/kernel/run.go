package kernel

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// A Kernel is the code of a Program. It belongs to one goroutine at a time.
type Kernel struct {
	program *Program
	body    step
	frame   frame

	always uint64 // views that each row stores
	others uint64 // views that some rows store

	budget  *sandbox.Budget
	granted int64

	table  *ecs.Table
	column [mostViews]*ecs.Column
	base   [mostViews]unsafe.Pointer
	stride [mostViews]uintptr

	from, to int // rows of table to be stamped for always

	undoStores [mostStores]uint64
	undoNumber [mostRegisters]float64
	undoBool   [mostRegisters]bool
	undoMark   [mostRegisters]bool
}

// Closures makes a kernel of Go closures.
func (p *Program) Closures(b *sandbox.Budget) *Kernel {
	k := &Kernel{program: p, body: sequence(p.Body), budget: b}
	for _, t := range p.Stores {
		if t.Always {
			k.always |= 1 << t.View
		} else {
			k.others |= 1 << t.View
		}
	}
	k.others &^= k.always
	k.frame.refuel = k.refuel
	k.frame.t, k.frame.tables = make([]string, p.Texts), make([]Elements, len(p.Tables))
	return k
}

// grain is how much is charged to the budget at once: some thousand rows.
const grain = 1 << 16

// grant sets fuel for the next stretch.
func (k *Kernel) grant() {
	k.granted = grain
	if limit := k.budget.Limit(); limit > 0 {
		k.granted = max(0, min(grain, limit-k.budget.Used()))
	}
	k.frame.fuel = k.granted
}

// refuel charges what was used; false when the turn must end. What does not fit
// the budget any more is left uncharged: the interpreter goes on at the row with
// what is left, and so ends at the line of the script where it runs out.
func (k *Kernel) refuel() bool {
	need := k.granted - k.frame.fuel
	limit := k.budget.Limit()
	if limit > 0 && k.budget.Used()+need > limit || !k.budget.Charge(need) {
		k.granted, k.frame.fuel = 0, 0
		return false
	}
	k.grant()
	return true
}

// Registers of the inputs and outputs, to be set before and read after Run.

// SetNumber sets a register.
func (k *Kernel) SetNumber(reg int, v float64) { k.frame.n[reg] = v }

// SetBool sets a register.
func (k *Kernel) SetBool(reg int, v bool) { k.frame.b[reg] = v }

// Number returns a register.
func (k *Kernel) Number(reg int) float64 { return k.frame.n[reg] }

// Bool returns a register.
func (k *Kernel) Bool(reg int) bool { return k.frame.b[reg] }

// SetText sets a register.
func (k *Kernel) SetText(reg int, v string) { k.frame.t[reg] = v }

// Text returns a register.
func (k *Kernel) Text(reg int) string { return k.frame.t[reg] }

// SetTable gives the elements of a table.
func (k *Kernel) SetTable(i int, e Elements) { k.frame.tables[i] = e }

// Results are the values of the Return that ended the loop.
func (k *Kernel) Results() []Result { return k.frame.results }

// Run is that of [Code].
func (k *Kernel) Run(c *ecs.Cursor) Ending {
	k.table, k.from, k.to = nil, 0, 0
	k.grant()
	done := k.walk(c)
	k.flush()
	k.budget.Charge(k.granted - k.frame.fuel)
	k.table = nil
	clear(k.column[:])
	clear(k.base[:])
	clear(k.frame.ptr[:])
	if !done {
		return Left
	}
	return Finished
}

func (k *Kernel) walk(c *ecs.Cursor) bool {
	f, p, views := &k.frame, k.program, k.program.Views
	for _, out := range p.Outputs {
		if out.Mark >= 0 {
			f.b[out.Mark] = false
		}
	}
	for c.Next() {
		if t := c.Table(); t != k.table && !k.enter(c, t) {
			return false
		}
		row := c.RowIndex()
		for i := range views {
			i &= mostViews - 1
			f.ptr[i] = unsafe.Add(k.base[i], uintptr(row)*k.stride[i])
		}
		if p.Entity {
			f.entity = float64(c.Entity())
		}
		if !f.burn(p.Price) {
			return false
		}
		if p.Exact {
			k.save()
		}
		f.dirty = 0
		how := k.body(f)
		if how == stopped {
			k.restore()
			return false
		}
		if k.always != 0 {
			if row != k.to || k.from == k.to {
				k.flush()
				k.from = row
			}
			k.to = row + 1
		}
		if dirty := f.dirty & k.others; dirty != 0 {
			for i := range views {
				if dirty&(1<<i) != 0 {
					c.Stamp(i)
				}
			}
		}
		if how == broken {
			c.End()
			return true
		}
	}
	return true
}

// enter looks up the columns of a table; false where a component is another
// entity's.
func (k *Kernel) enter(c *ecs.Cursor, t *ecs.Table) bool {
	k.flush()
	for i := range k.program.Views {
		if k.program.Uses&(1<<i) == 0 {
			continue
		}
		col := c.Column(i)
		if col == nil {
			return false
		}
		k.column[i] = col
		k.base[i], k.stride[i] = col.Memory()
	}
	k.table = t
	return true
}

// flush stamps the rows of the components that each row stores.
func (k *Kernel) flush() {
	if k.from == k.to {
		return
	}
	for i := range k.program.Views {
		if k.always&(1<<i) != 0 {
			k.column[i].StampRange(k.from, k.to)
		}
	}
	k.from, k.to = 0, 0
}

// save keeps what the row may change.
func (k *Kernel) save() {
	for i, t := range k.program.Stores {
		k.undoStores[i] = peek(k.frame.ptr[t.View], t.Field)
	}
	for i, out := range k.program.Outputs {
		if out.Type == Bool {
			k.undoBool[i] = k.frame.b[out.Reg]
		} else {
			k.undoNumber[i] = k.frame.n[out.Reg]
		}
		k.undoMark[i] = out.Mark >= 0 && k.frame.b[out.Mark]
	}
}

// restore puts the row back, and what the loop has worked out, as it was when the
// row began.
func (k *Kernel) restore() {
	for i, t := range k.program.Stores {
		poke(k.frame.ptr[t.View], t.Field, k.undoStores[i])
	}
	for i, out := range k.program.Outputs {
		if out.Type == Bool {
			k.frame.b[out.Reg] = k.undoBool[i]
		} else {
			k.frame.n[out.Reg] = k.undoNumber[i]
		}
		if out.Mark >= 0 {
			k.frame.b[out.Mark] = k.undoMark[i]
		}
	}
}

// peek and poke read and write the bytes of a field.

func peek(row unsafe.Pointer, f *ecs.Field) uint64 {
	p := unsafe.Add(row, f.Offset)
	switch f.Type.Size() {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

func poke(row unsafe.Pointer, f *ecs.Field, v uint64) {
	p := unsafe.Add(row, f.Offset)
	switch f.Type.Size() {
	case 1:
		*(*uint8)(p) = uint8(v)
	case 2:
		*(*uint16)(p) = uint16(v)
	case 4:
		*(*uint32)(p) = uint32(v)
	default:
		*(*uint64)(p) = v
	}
}
