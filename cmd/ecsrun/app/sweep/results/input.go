package results

import (
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/stats"
)

// An Input is what is known of a sweep at its end.
type Input struct {
	Plan       *plan.Plan
	Measures   []string // their names
	Thresholds []*stats.Threshold
	Worst      []int                                             // rows that are named
	Failing    []int                                             // the first rows that did not end by themselves
	Rows       int                                               // that are wanted
	Early      bool                                              // the sweep ended before its plan
	Part       bool                                              // rows are missing
	Each       func(do func(row int, r *job.Result) error) error // calls do for each row that has a result, in plan order
	Table      *stats.Table                                      // of all rows from the first one on that have results
	Whole      bool                                              // the table has a row for each row of the plan, so that points can be told apart

	sensitivities []Sensitivity // once they are asked for
}

// A Verdict is a threshold with its value.
type Verdict struct {
	Text  string
	Value float64
	Holds bool
}

// Verdicts returns the thresholds with their values over all rows.
func (in *Input) Verdicts() []Verdict {
	var out []Verdict
	for _, t := range in.Thresholds {
		v := t.Of(in.Table, in.Table.All())
		out = append(out, Verdict{t.Text, v, t.Holds(v)})
	}
	return out
}
