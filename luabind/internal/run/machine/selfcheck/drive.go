package selfcheck

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// The search for rows that reach a side of a condition which no row has seen. Rows are copies of the row that came nearest,
// each with one or two fields changed by steps of the size of the distance; registers declared outside the loop are changed,
// too. Every round of the search is a round of the check. Rows that are found are then put into all tables, so that each
// form of code meets them at each place.

const (
	mostDriven = 32 // rounds of the search
	mostSown   = 8  // rounds with what was found
	often      = 40 // rows are enough for a side
	stuck      = 12 // rounds after which a search that comes no nearer ends
)

// A sideOf is one side of a condition.
type sideOf struct {
	*twoSided
	side int
}

// drive makes rounds until both sides of all conditions have been seen, or the search does not get nearer; then some rounds
// in which many rows see the sides that few have seen.
func (d *selfTest) drive() error {
	var rare []sideOf
	for _, c := range d.sides.list {
		for side, n := range c.often {
			if n < often {
				rare = append(rare, sideOf{c, side})
			}
		}
	}
	best, since := d.toGo(), 0
	d.work = 0
	for round := range mostDriven {
		target := d.target(round)
		if target == nil || since == stuck || d.work > checkedWork {
			break
		}
		if more, err := d.driven(round, target, true); !more {
			return err
		}
		if now := d.toGo(); now != best {
			best, since = now, -1
		}
		since++
	}
	d.work = 0
	sown := 0
	for _, r := range rare {
		if r.seen[r.side] && sown < mostSown && d.work <= checkedWork {
			sown++
			if more, err := d.driven(mostDriven+sown, r.nearest[r.side], false); !more {
				return err
			}
		}
	}
	return nil
}

// toGo measures how far the sides are that no row has seen.
func (d *selfTest) toGo() (sum [2]float64) {
	for _, c := range d.sides.list {
		for side := range c.seen {
			if n := c.nearest[side]; !c.seen[side] && n != nil {
				sum[0]++
				sum[1] += math.Min(math.Abs(n.distance), 1e300)
			}
		}
	}
	return sum
}

// target returns the candidate with whose registers a round begins; missing sides take turns. It is nil if no side is
// missing, or none has a candidate.
func (d *selfTest) target(round int) *candidate {
	missing := d.missing()
	if len(missing) == 0 {
		return nil
	}
	return missing[round%len(missing)]
}

// missing returns the nearest rows of the sides that no row has seen.
func (d *selfTest) missing() (out []*candidate) {
	for _, c := range d.sides.list {
		for side, seen := range c.seen {
			if !seen && c.nearest[side] != nil {
				out = append(out, c.nearest[side])
			}
		}
	}
	return out
}

// driven makes a round whose rows are candidates, changed if it is for a search. more is false after an error, and when the
// worlds differ.
func (d *selfTest) driven(round int, target *candidate, search bool) (more bool, err error) {
	for _, t := range [...]*trial{d.want, d.got} {
		if err := t.prepare(checkedAtMost + round); err != nil {
			return false, err
		}
	}
	d.want.fillAll(d.rng, round%2 == 0)
	pool := d.missing()
	if !search {
		pool = d.found()
	}
	d.eachPlace(func(rows []ecs.Row) {
		if d.rng.IntN(4) == 0 {
			return
		}
		from := target
		if d.rng.IntN(3) == 0 && len(pool) > 0 {
			from = pool[d.rng.IntN(len(pool))]
		}
		d.plant(rows, from, search)
	})
	d.got.copyFrom(d.want)
	d.setInputs()
	if len(target.inputs) == len(d.inputs) {
		copy(d.inputs, target.inputs)
	}
	if search {
		d.changeInput(target)
	}
	d.putInputs()
	return d.tries(checkedFuel)
}

// changeInput changes one of the registers on which a condition depends: first by the distance of the condition, then
// randomly. If the condition depends on the row, too, that is done in every second round for it.
func (d *selfTest) changeInput(target *candidate) {
	of := target.of
	round := of.rounds
	of.rounds++
	if of.rows {
		if round%2 == 1 {
			return
		}
		round /= 2
	}
	var list []*input
	for i := range d.inputs {
		if of.inputs&(1<<min(i, 63)) != 0 {
			list = append(list, &d.inputs[i])
		}
	}
	if len(list) == 0 {
		return
	}
	in, round := list[round%len(list)], round/len(list)
	far := target.distance
	if math.IsInf(far, 0) {
		round = 6
	}
	switch round {
	case 0:
		in.n -= far
	case 1:
		in.n += far
	case 2:
		in.n = math.Nextafter(in.n-far, math.Inf(-1))
	case 3:
		in.n = math.Nextafter(in.n-far, math.Inf(1))
	case 4:
		in.n = math.Nextafter(in.n+far, math.Inf(-1))
	case 5:
		in.n = math.Nextafter(in.n+far, math.Inf(1))
	default:
		in.n = d.step(in.n, math.Abs(far))
	}
	in.is = !in.is
	in.text = d.texts[d.rng.IntN(len(d.texts))]
}

// found returns rows that have seen a side.
func (d *selfTest) found() (out []*candidate) {
	for _, c := range d.sides.list {
		for side, seen := range c.seen {
			if seen {
				out = append(out, c.nearest[side])
			}
		}
	}
	return out
}

// eachPlace visits the rows of the loop, by view. The row of a view that is not used, or nil, is not valid.
func (d *selfTest) eachPlace(visit func(rows []ecs.Row)) {
	if d.column != nil {
		for row := range d.column.Len() {
			visit([]ecs.Row{d.column.Row(row)})
		}
		return
	}
	rows := make([]ecs.Row, d.program.Views)
	for table := range d.want.query.Tables {
		for row := range table.Len() {
			for view := range rows {
				rows[view] = ecs.Row{}
				if d.program.Uses&(1<<view) == 0 || !d.want.fills(d.program.Components[view]) {
					continue
				}
				if col := table.Column(d.program.Components[view]); col != nil {
					rows[view] = col.Row(row)
				}
			}
			visit(rows)
		}
	}
}

// plant copies a candidate to a row, and changes one or two of the fields that the body reads.
func (d *selfTest) plant(rows []ecs.Row, from *candidate, change bool) {
	for view, row := range rows {
		if view >= len(from.rows) || from.rows[view] == nil || !row.Valid() {
			continue
		}
		for i, v := range from.rows[view] {
			d.put(row, i, v)
		}
	}
	if !change || len(d.read) == 0 || d.rng.IntN(10) == 0 {
		return
	}
	for range 1 + d.rng.IntN(2) {
		at := d.read[d.rng.IntN(len(d.read))]
		if at.I < len(rows) && rows[at.I].Valid() {
			d.change(rows[at.I], at.Field, math.Abs(from.distance))
		}
	}
}

// put sets a field to a value, if the field can hold it.
func (d *selfTest) put(row ecs.Row, i int, v ecs.Value) {
	if row.Schema().Fields()[i].Type != ecs.TableField {
		_ = row.Set(i, v)
	}
}

// change gives a field another value.
func (d *selfTest) change(row ecs.Row, f *ecs.Field, distance float64) {
	i := row.Schema().Index(f.Name)
	switch f.Type {
	case ecs.Bool:
		d.put(row, i, ecs.Boolean(!row.Get(i).Bool()))
	case ecs.EntityField:
		d.put(row, i, ecs.EntityOf(d.want.handle(d.rng)))
	case ecs.String:
		d.put(row, i, ecs.Text(d.texts[d.rng.IntN(len(d.texts))]))
	case ecs.TableField:
	case ecs.F64, ecs.F32:
		d.put(row, i, ecs.Number(d.step(row.Number(i), distance)))
	default:
		lo, hi, _ := f.Type.Range()
		v := math.Round(d.step(row.Number(i), distance))
		if v != v {
			v = 0
		}
		d.put(row, i, ecs.Number(math.Max(lo, math.Min(hi, v))))
	}
}

// step returns a number near another, or one at which a comparison changes its result. distance is how far the comparison
// is from that: a step by the distance solves linear conditions, a step by its root squares.
func (d *selfTest) step(v, distance float64) float64 {
	if v != v || math.IsInf(v, 0) {
		v = d.rng.NormFloat64()
	}
	if distance > math.MaxFloat64 {
		distance = 1
	}
	switch d.rng.IntN(10) {
	case 0:
		return d.pick(d.rng, true)
	case 1:
		return math.Nextafter(v, math.Inf(1-2*d.rng.IntN(2)))
	case 2:
		return -v
	case 3:
		if n := len(d.constants); n > 0 {
			c := d.constants[d.rng.IntN(n)]
			return [...]float64{c, v + c, v - c, v * c}[d.rng.IntN(4)]
		}
		return math.Floor(v)
	case 4, 5:
		return v + float64(distance*[...]float64{1, -1, 0.5, -0.5, 2, -2}[d.rng.IntN(6)])
	case 6:
		return v + float64(math.Sqrt(distance)*d.rng.NormFloat64())
	case 7:
		return v + float64(distance*d.rng.NormFloat64())
	}
	return v + float64(math.Pow(10, float64(d.rng.IntN(8)-4))*d.rng.NormFloat64())
}

// readBy returns the loads of fields of the loop's own views, each field once.
func readBy(p *ir.Program) (out []*ir.Expr) {
	abi.Walk(p.Body, func(*ir.Stmt) {}, func(x *ir.Expr) {
		if x.Op == ir.Load && x.I < p.Views && !slices.ContainsFunc(out, func(o *ir.Expr) bool { return o.I == x.I && o.Field == x.Field }) {
			out = append(out, x)
		}
	})
	return out
}
