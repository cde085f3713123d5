package scalar

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/analysis"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The fast path. In many bodies, most rows only compute with their own fields: what is expensive, such as calls, effects and
// looks at other entities, stands under a condition. For such bodies there is a batch that only does the former, and touches
// only the fields that it needs. A row that comes to the rest is left as it was, and is left to the next way of doing rows,
// which has the whole body.

const (
	// A batch has at most that many rows, which take that many operations in all.
	mostFastRows, mostFastOperations = 4, 240
	// fastWorth is the lowest price of a body with a fast path, if rows only compute with their own fields. Rows of cheaper bodies
	// take no longer than their tests.
	fastWorth = 12
)

// A fastPath is what the fast path does.
type fastPath struct {
	rows    int // of a batch
	body    []*ir.Stmt
	cells   []*Cell    // fields that it reads or stores
	walkers []bool     // pointers that it uses
	marks   bool       // it stores a view that not all rows store
	sets    []*ir.Stmt // statements that set registers
}

// fastPathOf returns the fast path; false if it would do all or nothing, or would not be worth while.
func (e *Emitter) fastPathOf() (b fastPath, ok bool) {
	body, leaving, ok := analysis.Cutter{Stmt: e.isFast, Expr: e.computesFast, Drops: func(*ir.Stmt) bool { return false }}.Body(e.p.Body)
	if !ok || !leaving || !e.expensive() && (e.p.Price < fastWorth || analysis.Stores(body)) {
		return b, false
	}
	operations := 0
	abi.Walk(body, func(*ir.Stmt) { operations++ }, func(*ir.Expr) { operations++ })
	if b.rows = min(mostFastRows, mostFastOperations/operations); b.rows < 2 {
		return b, false // what is begun again for a row that leaves is worth more than what is saved
	}
	b.body, b.walkers = body, make([]bool, len(e.own.walkers))
	b.walkers[0] = true
	use := func(view int, f *ecs.Field) {
		b.walkers[e.own.views[view]] = true
		c := e.cell(view, f)
		for _, known := range b.cells {
			if known == c {
				return
			}
		}
		b.cells = append(b.cells, c)
	}
	abi.Walk(body, func(s *ir.Stmt) {
		switch s.Op {
		case ir.Set:
			b.sets = append(b.sets, s)
		case ir.Store:
			use(s.I, s.Field)
			b.marks = b.marks || e.MarkBit(s.I) != 0
		}
	}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Load:
			use(x.I, x.Field)
		case ir.Entity:
			b.walkers[e.own.entities] = true
		}
	})
	if b.marks {
		b.walkers[e.own.marks] = true
	}
	return b, true
}

// expensive reports whether rows do more than to compute with their own fields.
func (e *Emitter) expensive() bool {
	return !e.evenRows() || analysis.LeavesLoop(e.p) || e.out.ring != 0 || e.p.SideExits || e.p.Returns > 0 || len(e.p.Refs)+len(e.p.Tables)+len(e.p.Layers)+len(e.p.Keyed) > 0
}

// isFast reports whether the fast path does a statement, apart from its expressions.
func (e *Emitter) isFast(s *ir.Stmt) bool {
	switch s.Op {
	case ir.Set:
		return s.A.Type != ir.Any
	case ir.Store:
		return e.cached(s.I) && s.Field.Type != ecs.String
	case ir.If, ir.Block, ir.Jump:
		return true
	default:
		return false
	}
}

// computesFast reports whether the fast path computes an expression, apart from its operands.
func (e *Emitter) computesFast(x *ir.Expr) bool {
	if x.Type == ir.Any {
		return false
	}
	switch x.Op {
	case ir.Const, ir.Reg, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Neg, ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or,
		ir.Select, ir.Min, ir.Max, ir.Call:
		return true
	case ir.Load:
		return e.cached(x.I)
	default:
		return false
	}
}

func (e *Emitter) fastBatch(b fastPath) Batch {
	return Batch{Rows: b.rows, FastPath: true, Stores: analysis.Stores(b.body), Emit: func() {
		for i, w := range e.own.walkers {
			if b.walkers[i] {
				e.touchOne(w, b.rows)
			}
		}
		for i := range b.rows {
			e.fastRow(b, i)
		}
		e.iter.row = 0
	}}
}

// fastRow writes a row of the fast path. If it leaves, the fuel of the rest of the batch is given back.
func (e *Emitter) fastRow(b fastPath, row int) {
	e.iter.row = row
	for _, c := range b.cells {
		if c.Read || !c.always {
			e.load(c)
		}
	}
	if b.marks {
		e.I32(0)
		e.Set(e.own.dirty)
	}
	done := e.Block()
	e.iter.stop = e.Block()
	saved := e.saveSet(b.sets)
	e.iter.finish, e.iter.fast = e.Block(), true
	e.loopBody(b.body)
	e.iter.fast = false
	e.End()
	e.Jump(done)
	e.End()
	e.restoreSet(saved)
	if row > 0 {
		for _, w := range e.own.walkers {
			e.move(w, row)
		}
	}
	e.GiveUp(b.rows - row)
	e.End()
	stored := map[*Cell]bool{}
	abi.Walk(b.body, func(s *ir.Stmt) {
		if s.Op == ir.Store {
			stored[e.cell(s.I, s.Field)] = true
		}
	}, func(*ir.Expr) {})
	for _, c := range b.cells {
		if stored[c] {
			e.write(c)
		}
	}
	if b.marks {
		e.Get(e.own.walkers[e.own.marks].Ptr)
		e.Get(e.own.dirty)
		e.Memory(wasm.I32Store8, uint32(row)*abi.MarkSize)
	}
}

// A savedLocal is a local, and the one that has what it was.
type savedLocal struct{ local, saved int }

// saveSet saves the outputs that statements set.
func (e *Emitter) saveSet(sets []*ir.Stmt) (list []savedLocal) {
	keep := func(to ir.Place) {
		if to.Type == ir.Any {
			return
		}
		for _, s := range sets {
			if s.A.Type == to.Type && s.I == to.Reg || to.Type == ir.Bool && s.Mark == to.Reg {
				local, typ, _ := e.register(to)
				l := e.Local(typ)
				e.Get(local)
				e.Set(l)
				list = append(list, savedLocal{local, l})
				return
			}
		}
	}
	for _, out := range e.p.Outputs {
		keep(out.Place)
		if out.Mark >= 0 {
			keep(ir.Place{Type: ir.Bool, Reg: out.Mark})
		}
	}
	return list
}

func (e *Emitter) restoreSet(list []savedLocal) {
	for _, s := range list {
		e.Get(s.saved)
		e.Set(s.local)
	}
}
