package selfcheck

import (
	"math"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Which sides of its conditions the rows of a check have seen. A check that never meets a condition says nothing about the
// statements under it. So the closures are probed: for each condition of the body it is known which of its results, false
// or true, some row has had. drive.go makes rows for the others.

// sides are the conditions of a body, in its order.
type sides struct {
	list []*twoSided
	of   map[*ir.Expr]*twoSided
}

// A twoSided is a condition, and what is known of its sides: index 0 is false, 1 true.
type twoSided struct {
	inputs uint64 // of the self-test, on which it depends: one bit each
	rows   bool   // it depends on what is in the row, or in the world
	rounds int    // rounds of the search that were for it
	seen   [2]bool
	often  [2]int // how many rows, or iterations of an inner loop
	// nearest is a row that has seen the side, or of the others the one that came nearest.
	nearest [2]*candidate
}

// A candidate is a row of the loop and the registers around it, as they were before the row began.
type candidate struct {
	of       *twoSided
	distance float64 // signed; infinite when it is not known
	inputs   []input
	rows     [][]ecs.Value // by view; nil for one that is not used, or nil
}

// sidesOf finds the conditions of a body. Constant ones are not among them.
func sidesOf(p *ir.Program) *sides {
	s := &sides{of: map[*ir.Expr]*twoSided{}}
	known := sourcesOf(p)
	abi.Walk(p.Body, func(*ir.Stmt) {}, func(x *ir.Expr) {
		if x.Type == ir.Bool && x.Op != ir.Const && !abi.FlipsTag(x) && s.of[x] == nil {
			from := known.of(x)
			c := &twoSided{inputs: from.inputs, rows: from.rows}
			s.of[x] = c
			s.list = append(s.list, c)
		}
	})
	return s
}

// A source is what a value depends on: inputs of the check, one bit each, and the row or the world. Conditions that decide
// whether a value is assigned do not count.
type source struct {
	inputs uint64
	rows   bool
}

// sources are the sources of registers.
type sources map[ir.Place]source

func sourcesOf(p *ir.Program) sources {
	s := sources{}
	places := placesOf(p)
	for i, at := range places {
		s[registerOf(at.Type, at.Reg)] = source{inputs: 1 << min(i, 63)}
	}
	for changed := true; changed; {
		changed = false
		add := func(typ ir.Type, reg int, from source) {
			at := registerOf(typ, reg)
			if was := s[at]; was.inputs|from.inputs != was.inputs || from.rows && !was.rows {
				s[at], changed = source{was.inputs | from.inputs, was.rows || from.rows}, true
			}
		}
		abi.Walk(p.Body, func(st *ir.Stmt) {
			switch st.Op {
			case ir.Set, ir.Fit:
				add(st.A.Type, st.I, s.of(st.A))
			case ir.Count:
				for _, x := range []*ir.Expr{st.A, st.B, st.C} {
					add(ir.Number, st.I, s.of(x))
				}
			case ir.Each:
				if reg := p.Queries[st.I].Entity; reg >= 0 {
					add(ir.Number, reg, source{rows: true})
				}
			case ir.Emit:
				if st.I >= 0 {
					add(ir.Number, st.I, source{rows: true})
				}
			case ir.Sources:
				if st.I >= 0 {
					add(ir.Number, st.I, source{rows: true})
				}
			case ir.Near:
				for _, reg := range []int{st.I, st.J} {
					if reg >= 0 {
						add(ir.Number, reg, source{rows: true})
					}
				}
			}
		}, func(*ir.Expr) {})
	}
	return s
}

func registerOf(typ ir.Type, reg int) ir.Place {
	return ir.Place{Used: true, Type: typ, Reg: reg}
}

// of returns what an expression depends on.
func (s sources) of(x *ir.Expr) (out source) {
	abi.WalkOwn(&ir.Stmt{A: x}, func(x *ir.Expr) {
		switch x.Op {
		case ir.Const:
		case ir.Reg:
			from := s[registerOf(x.Type, x.I)]
			out.inputs, out.rows = out.inputs|from.inputs, out.rows || from.rows
		case ir.Load, ir.Entity, ir.Present, ir.Alive, ir.Has, ir.Tagged, ir.Element, ir.Exists, ir.Lookup, ir.HasKey, ir.Pair, ir.As, ir.Truth, ir.Related, ir.Random:
			out.rows = true
		}
	})
	return out
}

// probe is told the result of a condition, and how far it was from the other result.
func (d *selfTest) probe(x *ir.Expr, is bool, distance float64, rows []unsafe.Pointer) {
	c := d.sides.of[x]
	if c == nil {
		return
	}
	side := 0
	if is {
		side = 1
	}
	c.often[side]++
	if c.seen[0] && c.seen[1] {
		return
	}
	if !c.seen[side] {
		c.seen[side] = true
		c.nearest[side] = d.candidate(c, 0, rows)
	}
	if c.seen[1-side] {
		return
	}
	if distance != distance {
		distance = math.Inf(1)
	}
	if best := c.nearest[1-side]; best == nil || math.Abs(distance) < math.Abs(best.distance) {
		c.nearest[1-side] = d.candidate(c, distance, rows)
	}
}

// candidate is the row where the views are, as it was when the walk began: the world of
// the code still has it.
func (d *selfTest) candidate(of *twoSided, distance float64, rows []unsafe.Pointer) *candidate {
	c := &candidate{of: of, distance: distance, inputs: append([]input(nil), d.inputs...), rows: make([][]ecs.Value, len(rows))}
	if d.column != nil {
		if base, stride := ecs.Raw.Column(d.column); rows[0] != nil && stride > 0 {
			c.rows[0] = valuesOf(d.column.Row(int((uintptr(rows[0]) - uintptr(base)) / stride)))
		}
		return c
	}
	table, row := d.want.find(rows)
	if table < 0 {
		return c
	}
	for view := range rows {
		if d.program.Uses&(1<<view) == 0 || !d.got.fills(d.program.Components[view]) {
			continue
		}
		if col := d.got.world.Tables()[table].Column(d.program.Components[view]); col != nil {
			c.rows[view] = valuesOf(col.Row(row))
		}
	}
	return c
}

// find returns the table and row at which views stand; -1 if they stand in none.
func (t *trial) find(rows []unsafe.Pointer) (table, row int) {
	for view, p := range rows {
		if p == nil {
			continue
		}
		for i, table := range t.world.Tables() {
			col := table.Column(t.program.Components[view])
			if col == nil || col.Len() == 0 {
				continue
			}
			base, stride := ecs.Raw.Column(col)
			if at := uintptr(p) - uintptr(base); stride > 0 && uintptr(p) >= uintptr(base) && at < uintptr(col.Len())*stride {
				return i, int(at / stride)
			}
		}
	}
	return -1, 0
}

func valuesOf(row ecs.Row) []ecs.Value {
	out := make([]ecs.Value, len(row.Schema().Fields()))
	for i := range out {
		out[i] = row.Get(i)
	}
	return out
}
