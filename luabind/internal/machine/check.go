package machine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// ErrDiffers is in the error of [Compile] when the code did not do what the
// closures do. That is a fault of the compiler of machine code.
var ErrDiffers = errors.New("machine code: the compiled loop differs from the interpreted one")

// Before code is used for the first time it runs over some rows of hard values, in
// a scratch world, and so do the closures. Random testing found two faults of
// wazero's compiler; this finds those that a program of a user meets.

const (
	checkedRows   = 100
	checkedRounds = 6
	checkedTries  = 12 // of a round: a row that was put back gets other values
	checkedFuel   = 1 << 17
)

// scratch is the memory of checks. It is cleared after each.
var scratch struct {
	sync.Mutex
	memory *Memory
}

// check compares code with the closures.
func check(p *kernel.Program, u *unit, c *compiled, schemas []*ecs.Schema, size int) error {
	scratch.Lock()
	defer scratch.Unlock()
	if scratch.memory == nil || len(scratch.memory.mapping) != size {
		scratch.memory = newMemory(uint64(size))
		if scratch.memory.mapping == nil {
			return errors.New("machine code: no memory to check it in")
		}
	}
	m := scratch.memory
	defer m.reset()
	want, err := newTrial(nil, schemas)
	if err != nil {
		return err
	}
	got, err := newTrial(m, schemas)
	if err != nil {
		return err
	}
	k, done, err := newKernel(p, u, c, m, &got.budget)
	if err != nil {
		return err
	}
	defer done()
	closures := p.Closures(&want.budget)
	rng := rand.New(rand.NewPCG(1, uint64(len(u.code))))
	for round := range checkedRounds {
		for row := range checkedRows {
			want.fill(got, row, rng, round%2 == 0)
		}
		setInputs(p, closures, k, rng)
		for range checkedTries {
			a, b := want.begin(), got.begin()
			x, y := closures.Run(&a), k.Run(&b)
			if err := compare(p, closures, k, x, y); err != nil {
				return fmt.Errorf("%w: %w", ErrDiffers, err)
			}
			if err := want.compare(got); err != nil {
				return fmt.Errorf("%w: %w", ErrDiffers, err)
			}
			if x != kernel.Left {
				break
			}
			row, also := want.number(&a), got.number(&b)
			if row != also {
				return fmt.Errorf("%w: it stops at row %d, not at row %d", ErrDiffers, also, row)
			}
			a.End()
			b.End()
			want.fill(got, row, rng, true)
		}
	}
	return nil
}

// firstTable is how many of the rows are in the first of two tables.
const firstTable = 71

// trial is a scratch world with rows in two tables.
type trial struct {
	world  *ecs.World
	query  *ecs.Query
	tables []*ecs.Table
	ids    []ecs.ComponentID
	budget sandbox.Budget
}

func newTrial(m *Memory, schemas []*ecs.Schema) (*trial, error) {
	o := ecs.Options{Seed: 1}
	if m != nil {
		o.Memory = m
	}
	t := &trial{world: ecs.NewWorld(o)}
	for i, s := range append(schemas, nil) {
		if s == nil { // a component that is not looked at
			var err error
			if s, err = ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64}); err != nil {
				return nil, err
			}
		}
		id, err := t.world.DeclareComponent(fmt.Sprintf("C%d", i), s)
		if err != nil {
			return nil, err
		}
		t.ids = append(t.ids, id)
	}
	n := len(schemas)
	rows := [...]int{firstTable, checkedRows - firstTable}
	for i, ids := range [...][]ecs.ComponentID{t.ids[:n], t.ids} {
		b, err := t.world.Bundle(ids...)
		if err != nil {
			return nil, err
		}
		if _, err := b.SpawnMany(rows[i], func(table *ecs.Table, _, _ int) { t.tables = append(t.tables, table) }); err != nil {
			return nil, err
		}
	}
	t.ids = t.ids[:n]
	var err error
	t.query, err = t.world.Query(ecs.Filter{Required: t.ids})
	return t, err
}

// begin opens a walk at a tick of its own, with a budget that ends endless loops.
func (t *trial) begin() ecs.Cursor {
	t.world.EndFrame()
	t.world.BeginFrame(1)
	t.budget.Reset(checkedFuel)
	return t.query.Begin()
}

// row finds a row by its number.
func (t *trial) row(row int) (table *ecs.Table, at int) {
	if row < firstTable {
		return t.tables[0], row
	}
	return t.tables[1], row - firstTable
}

// number is that of the row a walk stands on.
func (t *trial) number(c *ecs.Cursor) int {
	if c.Table() == t.tables[0] {
		return c.RowIndex()
	}
	return firstTable + c.RowIndex()
}

// fill gives new values to a row of both worlds, mild ones or hard ones.
func (t *trial) fill(other *trial, row int, rng *rand.Rand, mild bool) {
	table, at := t.row(row)
	also, _ := other.row(row)
	for _, id := range t.ids {
		fill(table.Column(id).Row(at), also.Column(id).Row(at), rng, mild)
	}
}

var hard = [...]float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, 3, 100, -100, 127, 128, 255, 256, 1e-3, math.NaN(), math.Inf(1), math.Inf(-1),
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-310, math.MaxFloat64, -math.MaxFloat64, 1 << 31, 1<<32 - 1, 1 << 53, 1e300, 0.1, math.MaxFloat32, math.Pi,
}

func pick(rng *rand.Rand, mild bool) float64 {
	switch n := rng.IntN(4); {
	case mild && n > 0:
		return rng.NormFloat64() * 50
	case n > 1:
		return rng.NormFloat64() * 10
	}
	return hard[rng.IntN(len(hard))]
}

func fill(a, b ecs.Row, rng *rand.Rand, mild bool) {
	for i, f := range a.Schema().Fields() {
		var v ecs.Value
		switch f.Type {
		case ecs.F64, ecs.F32:
			v = ecs.Number(pick(rng, mild))
		case ecs.Bool:
			v = ecs.Boolean(rng.IntN(2) == 0)
		case ecs.EntityField:
			e, _ := ecs.EntityFromNumber(float64(rng.IntN(3)) * (1<<32 + 1))
			v = ecs.EntityOf(e)
		default:
			v = ecs.Number(float64(rng.IntN(10)))
			if !mild && rng.IntN(4) == 0 {
				lo, hi := bounds(f.Type)
				v = ecs.Number([...]float64{lo, hi}[rng.IntN(2)])
			}
		}
		for _, row := range [...]ecs.Row{a, b} {
			if err := row.Set(i, v); err != nil {
				panic("machine: a value of a check does not fit: " + err.Error())
			}
		}
	}
}

// bounds are the smallest and largest numbers of a whole type.
func bounds(t ecs.FieldType) (lo, hi float64) {
	switch t {
	case ecs.I8:
		return math.MinInt8, math.MaxInt8
	case ecs.I16:
		return math.MinInt16, math.MaxInt16
	case ecs.I32:
		return math.MinInt32, math.MaxInt32
	case ecs.I64:
		return -1 << 53, 1 << 53
	case ecs.U8:
		return 0, math.MaxUint8
	case ecs.U16:
		return 0, math.MaxUint16
	case ecs.U32:
		return 0, math.MaxUint32
	}
	return 0, 1 << 53
}

func setInputs(p *kernel.Program, a, b kernel.Code, rng *rand.Rand) {
	set := func(at kernel.Place) {
		n, is := pick(rng, true), rng.IntN(2) == 0
		for _, c := range [...]kernel.Code{a, b} {
			if at.Type == kernel.Bool {
				c.SetBool(at.Reg, is)
			} else {
				c.SetNumber(at.Reg, n)
			}
		}
	}
	for _, in := range p.Inputs {
		if in.Used {
			set(in)
		}
	}
	for _, out := range p.Outputs {
		set(out.Place)
	}
}

// compare looks at how two runs ended, and at their outputs.
func compare(p *kernel.Program, want, got kernel.Code, x, y kernel.Ending) error {
	if x != y {
		return fmt.Errorf("it ends by %d, not by %d", y, x)
	}
	for i, out := range p.Outputs {
		if out.Mark >= 0 && want.Bool(out.Mark) != got.Bool(out.Mark) {
			return fmt.Errorf("whether output %d is assigned", i)
		}
		if out.Type == kernel.Bool && want.Bool(out.Reg) != got.Bool(out.Reg) {
			return fmt.Errorf("output %d is %v, not %v", i, got.Bool(out.Reg), want.Bool(out.Reg))
		}
		if a, b := want.Number(out.Reg), got.Number(out.Reg); out.Type == kernel.Number && !equal(a, b) {
			return fmt.Errorf("output %d is %v, not %v", i, b, a)
		}
	}
	return nil
}

// equal compares bits; NaN is NaN.
func equal(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// compare looks at all fields and stamps.
func (t *trial) compare(other *trial) error {
	for i, table := range t.tables {
		for _, id := range t.ids {
			a, b := table.Column(id), other.tables[i].Column(id)
			for row := range table.Len() {
				if a.Changed(row) != b.Changed(row) {
					return fmt.Errorf("row %d of view %d is written at tick %d, not %d", row, id, b.Changed(row), a.Changed(row))
				}
				for j, f := range a.Row(row).Schema().Fields() {
					x, y := a.Row(row).Get(j), b.Row(row).Get(j)
					if !x.Equal(y) || !equal(x.Float(), y.Float()) {
						return fmt.Errorf("field %q of row %d is %v, not %v", f.Name, row, y, x)
					}
				}
			}
		}
	}
	return nil
}
