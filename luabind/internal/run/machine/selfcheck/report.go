package selfcheck

import "github.com/ecsrun/ecsrun/ecs"

// A Report says what a self-check did: the same Program is checked in the same way each time. Tests compare it with what
// is recorded.
type Report struct {
	Work       int64  // fuel of all tries, those of the search counted anew
	Draws      uint64 // the next random number of the check
	Want, Got  ecs.Digest
	Handles    int // entities that values are taken from
	Conditions []Condition
	Inputs     []Input
}

// A Condition is one of the body, and what is known of its sides: 0 is false, 1 true.
type Condition struct {
	Inputs  uint64 // that it depends on, one bit each
	Rows    bool   // it depends on the row or the world
	Rounds  int    // of the search that were for it
	Seen    [2]bool
	Often   [2]int // rows
	Nearest [2]*Nearest
}

// A Nearest is the row that came nearest to a side that no row has seen, or one that has seen it.
type Nearest struct {
	Distance float64
	Rows     [][]ecs.Value // by view
}

// An Input is what a variable declared outside the loop held in the last round.
type Input struct {
	N    float64
	Is   bool
	Text string
}

// report describes a self-test that has ended.
func (d *selfTest) report() Report {
	r := Report{Work: d.work, Draws: d.rng.Uint64(), Want: d.want.world.Digest(), Got: d.got.world.Digest(), Handles: len(d.want.handles)}
	for _, c := range d.sides.list {
		out := Condition{Inputs: c.inputs, Rows: c.rows, Rounds: c.rounds, Seen: c.seen, Often: c.often}
		for i, n := range c.nearest {
			if n != nil {
				out.Nearest[i] = &Nearest{n.distance, n.rows}
			}
		}
		r.Conditions = append(r.Conditions, out)
	}
	for _, in := range d.inputs {
		r.Inputs = append(r.Inputs, Input{in.n, in.is, in.text})
	}
	return r
}
