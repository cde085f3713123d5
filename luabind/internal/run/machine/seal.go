package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
)

// What a run tells the world's journal before it writes. If failed turns are taken back, the journal copies the old
// values. It is told of the rows of a walk right before a call of the code does them, so that they are in the cache. A
// run that cannot fail, and with which its turn ends, seals the turn instead, and nothing is copied.

// mostSealed is the fuel that a run may use in a sealed turn, which no watchdog can end. To use it takes a small part of
// a second.
const mostSealed = 1 << 24

// stores returns the views of the walk that rows of a Program store, and the components that it stores in other rows.
func stores(p *ir.Program) (views []int, beyond []ecs.ComponentID) {
	for _, t := range p.Stores {
		if !slices.Contains(views, t.View) {
			views = append(views, t.View)
		}
	}
	for _, ref := range p.Refs {
		if ref.Stored && !slices.Contains(beyond, ref.Component) {
			beyond = append(beyond, ref.Component)
		}
	}
	return views, beyond
}

// NothingFollows implements [kernel.Sealing].
func (k *Kernel) NothingFollows() { k.closing = true }

// tell tells the journal that n rows of the current table are about to be stored.
func (k *Kernel) tell(row, n int) {
	for _, view := range k.stored {
		if col := k.current.column[view]; col != nil {
			col.BeforeWrite(row, row+n)
		}
	}
}

// seal seals the turn if it ends with this run and no row can fail. It is called before the first row.
func (k *Kernel) seal(c *ecs.Cursor) {
	if k.off.Has(without.Seal) || !k.closing || len(k.stored) == 0 || !k.certain() || !ecs.Raw.Sealable(c.World()) || !k.reaches(c.Query()) {
		return
	}
	rows := c.Rows()
	cost, enough := k.affords(rows)
	cost *= int64(rows)
	if enough && cost <= mostSealed && k.budget.Seal(k.frame.Fuel.Used()+cost) {
		ecs.Raw.Seal(c.World())
	}
}

// reaches reports whether every table of a walk has all components that rows use, in memory that code reaches. If so,
// the run enters all tables, and no row has the component of another entity.
func (k *Kernel) reaches(q *ecs.Query) bool {
	if ecs.Raw.SharedSteps(q) > 0 {
		return false
	}
	for t := range q.Tables {
		var at uint32
		for i, id := range k.program.Components[:k.program.Views] {
			if k.program.Uses&(1<<i) == 0 {
				continue
			}
			if col := t.Column(id); col == nil || !k.addressOf(col, t, &at) {
				return false
			}
		}
		if k.unit.Entities >= 0 {
			if _, ok := k.memory.Address(ecs.Raw.Entities(t)); !ok {
				return false
			}
		}
	}
	return true
}
