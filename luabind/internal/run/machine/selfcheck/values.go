package selfcheck

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Values of a check: edge values of fields and registers, tables declared outside the loop, and the comparison of two worlds.

var hard = [...]float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, 3, 100, -100, 127, 128, 255, 256, 1e-3, math.NaN(), math.Inf(1), math.Inf(-1),
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-310, math.MaxFloat64, -math.MaxFloat64, 1 << 31, 1<<32 - 1, 1 << 53, 1e300, 0.1, math.MaxFloat32, math.Pi,
}

// pick returns an ordinary number or an edge value, often one at which a comparison of the Program changes its result. NaN
// and infinities are rare, because they spread to sums over all rows, and in some rounds there are none.
func (s *subject) pick(rng *rand.Rand, mild bool) float64 {
	if s.tame {
		return rng.NormFloat64() * 50
	}
	if n := len(s.constants); n > 0 && rng.IntN(6) == 0 {
		v := s.constants[rng.IntN(n)]
		return [...]float64{v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1))}[rng.IntN(3)]
	}
	switch n := rng.IntN(4); {
	case mild && n > 0:
		return rng.NormFloat64() * 50
	case n > 1:
		return rng.NormFloat64() * 10
	}
	return hard[rng.IntN(len(hard))]
}

// fill gives values to the fields of a row.
func (t *trial) fill(row ecs.Row, rng *rand.Rand, mild bool) {
	for i, f := range row.Schema().Fields() {
		var v ecs.Value
		if f.Type.Len() > 0 {
			continue // code does not touch it
		}
		switch f.Type {
		case ecs.F64, ecs.F32:
			v = ecs.Number(t.pick(rng, mild))
		case ecs.Bool:
			v = ecs.Boolean(rng.IntN(2) == 0)
		case ecs.EntityField:
			v = ecs.EntityOf(t.handle(rng))
		case ecs.String:
			v = ecs.Text(t.texts[rng.IntN(len(t.texts))])
		case ecs.TableField:
			continue
		default:
			v = ecs.Number(float64(rng.IntN(10)))
			if !mild && rng.IntN(4) == 0 {
				lo, hi, _ := f.Type.Range()
				v = ecs.Number([...]float64{lo, hi}[rng.IntN(2)])
			}
		}
		if err := row.Set(i, v); err != nil {
			panic("machine: a value of a check does not fit: " + err.Error())
		}
	}
}

// An input is the value of a register at the begin of a loop.
type input struct {
	ir.Place
	n    float64
	is   bool
	text string
}

// placesOf returns the registers that have a value at the begin of a loop.
func placesOf(p *ir.Program) (out []ir.Place) {
	for _, in := range p.Inputs {
		if in.Used {
			out = append(out, in)
		}
	}
	for _, o := range p.Outputs {
		out = append(out, o.Place)
	}
	return out
}

// setInputs gives both kernels the same new registers and tables.
func (d *selfTest) setInputs() {
	d.inputs = d.inputs[:0]
	add := func(at ir.Place) {
		in := input{at, d.pick(d.rng, true), d.rng.IntN(2) == 0, d.texts[d.rng.IntN(len(d.texts))]}
		if d.asks && d.rng.IntN(3) == 0 {
			in.n = float64(d.want.handle(d.rng))
		}
		d.inputs = append(d.inputs, in)
	}
	for _, at := range placesOf(d.want.program) {
		add(at)
	}
	d.putInputs()
	d.setTables()
	d.setLayers()
	d.setKeyed()
}

// putInputs sets the registers of both kernels.
func (d *selfTest) putInputs() {
	for _, in := range d.inputs {
		for _, c := range [...]kernel.Kernel{d.closures, d.code} {
			switch in.Type {
			case ir.Any: // no machine code has it: see emit.vet
			case ir.Bool:
				c.SetBool(in.Reg, in.is)
			case ir.Text:
				c.SetText(in.Reg, in.text)
			case ir.Number:
				c.SetNumber(in.Reg, in.n)
			}
		}
	}
}

// setTables gives both kernels the same tables.
func (d *selfTest) setTables() {
	d.want.tables, d.got.tables = nil, nil
	for i, table := range d.want.program.Tables {
		values := make([]float64, (1+d.rng.IntN(12))*max(1, len(table.Members)))
		for j := range values {
			values[j] = d.pick(d.rng, true)
		}
		from := 1 - d.rng.IntN(2)
		d.want.tables, d.got.tables = append(d.want.tables, values), append(d.got.tables, slices.Clone(values))
		d.closures.SetTable(i, kernel.Elements{From: from, Values: d.want.tables[i]})
		d.code.SetTable(i, kernel.Elements{From: from, Values: d.got.tables[i]})
	}
}

// setLayers gives both worlds the same cells, some of them other ones than before.
func (d *selfTest) setLayers() {
	if len(d.want.program.Layers) > 0 {
		ecs.Raw.Reindex(d.want.world)
		ecs.Raw.Reindex(d.got.world)
	}
	for _, l := range d.want.program.Layers {
		if l.Places != 0 {
			continue // who is where follows from the rows
		}
		want, got := d.want.world.LookupLayer(l.Name), d.got.world.LookupLayer(l.Name)
		for cell := range min(l.Cells, 64) {
			x, y := cell%want.Spec().Width, cell/want.Spec().Width
			v := ecs.Number(math.Abs(math.Trunc(math.Mod(d.pick(d.rng, true), 100))))
			switch want.Spec().Type {
			case ecs.Bool:
				v = ecs.Boolean(v.Float() > 1)
			case ecs.EntityField:
				v = ecs.EntityOf(ecs.None)
			}
			_, _ = want.Set(x, y, v), got.Set(x, y, v) // a NaN stays out of integers
		}
	}
}

// alike gives a register of one kernel the value that it has in another one.
func alike(from, to kernel.Kernel, p ir.Place) {
	switch p.Type {
	case ir.Any: // no machine code has it: see emit.vet
	case ir.Bool:
		to.SetBool(p.Reg, from.Bool(p.Reg))
	case ir.Text:
		to.SetText(p.Reg, from.Text(p.Reg))
	case ir.Number:
		to.SetNumber(p.Reg, from.Number(p.Reg))
	}
}

// compareResults compares outputs, results, tables and fuel, after closures have ended by how and code by also.
func (d *selfTest) compareResults(how, also kernel.Ending) error {
	a, b := d.closures, d.code
	for i, out := range d.want.program.Outputs {
		if out.Mark >= 0 {
			assigned := a.Bool(out.Mark)
			if b.Bool(out.Mark) != assigned {
				return fmt.Errorf("whether output %d is assigned", i)
			}
			if !assigned { // nobody reads the register; but the next try may begin with it
				alike(a, b, out.Place)
				continue
			}
		}
		switch out.Type {
		case ir.Any: // no machine code has it: see emit.vet
		case ir.Bool:
			if x, y := a.Bool(out.Reg), b.Bool(out.Reg); x != y {
				return fmt.Errorf("output %d is %v, not %v", i, y, x)
			}
		case ir.Text:
			if x, y := a.Text(out.Reg), b.Text(out.Reg); x != y {
				return fmt.Errorf("output %d is %q, not %q", i, y, x)
			}
		case ir.Number:
			if x, y := a.Number(out.Reg), b.Number(out.Reg); !equal(x, y) {
				return fmt.Errorf("output %d is %v, not %v", i, y, x)
			}
		}
	}
	if same := func(x, y kernel.Result) bool { return x.Type == y.Type && equal(x.N, y.N) && x.S == y.S }; how == kernel.Returned && !slices.EqualFunc(a.Results(), b.Results(), same) {
		return fmt.Errorf("it returns %v, not %v", b.Results(), a.Results())
	}
	for i := range d.want.tables {
		if !slices.EqualFunc(d.want.tables[i], d.got.tables[i], equal) {
			return fmt.Errorf("table %d is %v, not %v", i, d.got.tables[i], d.want.tables[i])
		}
	}
	if err := d.compareSinks(); err != nil {
		return err
	}
	for i := range d.want.keyed {
		if !d.want.keyed[i].equal(d.got.keyed[i]) {
			return fmt.Errorf("keyed table %d is %v, not %v", i, d.got.keyed[i], d.want.keyed[i])
		}
	}
	x, y := d.want.budget.Used(), d.got.budget.Used()
	// Code may have left the row earlier, for want of room, and closures later, for want of fuel. The last of it is not charged.
	roomless := d.records && how.Leaves() && (y < x || how == kernel.Starved && also == kernel.Bailout)
	if x != y && !roomless {
		return fmt.Errorf("it uses %d of its fuel, not %d", y, x)
	}
	return nil
}

// equal compares two numbers by their bits. All NaNs are equal.
func equal(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// compare compares the rows, tags, random numbers and queued commands of two worlds.
func (t *trial) compare(other *trial) error {
	if a, b := t.world.Commands().Len(), other.world.Commands().Len(); a != b {
		return fmt.Errorf("it queues %d commands, not %d", b, a)
	}
	if ecs.Raw.RandomState(t.world.Random()) != ecs.Raw.RandomState(other.world.Random()) {
		return fmt.Errorf("it draws other random numbers")
	}
	for _, id := range t.subject.tags {
		if !slices.Equal(t.world.TagMembers(id), other.world.TagMembers(id)) {
			return fmt.Errorf("other entities have tag %d", id)
		}
	}
	for _, l := range t.program.Layers {
		if l.Places != 0 {
			if err := ecs.Raw.DifferentPlaces(t.world.LookupIndex(l.Name), other.world.LookupIndex(l.Name)); err != nil {
				return err
			}
			continue
		}
		a, b := t.world.LookupLayer(l.Name), other.world.LookupLayer(l.Name)
		if bytes.Equal(cellsOf(a), cellsOf(b)) {
			continue
		}
		for cell := range l.Cells {
			at := func(l *ecs.AnyLayer) ecs.Value { return ecs.Must(l.Get(cell%l.Spec().Width, cell/l.Spec().Width)) }
			if x, y := at(a), at(b); !x.Equal(y) || !equal(x.Float(), y.Float()) {
				return fmt.Errorf("cell %d of layer %q is %v, not %v", cell, l.Name, y, x)
			}
		}
	}
	for i, table := range t.world.Tables() {
		for _, id := range table.Components() {
			if err := compareColumns(table.Column(id), other.world.Tables()[i].Column(id)); err != nil {
				return fmt.Errorf("component %d in table %d: %w", id, i, err)
			}
		}
	}
	return nil
}

func compareColumns(a, b *ecs.Column) error {
	for row := range a.Len() {
		if a.Changed(row) != b.Changed(row) {
			return fmt.Errorf("row %d is written at tick %d, not %d", row, b.Changed(row), a.Changed(row))
		}
	}
	if x := bytesOf(a); x != nil && slices.Equal(x, bytesOf(b)) {
		return nil
	}
	for row := range a.Len() {
		for j, f := range a.Row(row).Schema().Fields() {
			x, y := a.Row(row).Get(j), b.Row(row).Get(j)
			if !x.Equal(y) || !equal(x.Float(), y.Float()) {
				return fmt.Errorf("field %q of row %d is %v, not %v", f.Name, row, y, x)
			}
		}
	}
	return nil
}
