package loops

import (
	"strings"
)

// Reports of loops that could have run as kernels and did not. A loop may begin with values that no kernel is for,
// and a kernel may leave single rows. The first occurrence of each reason is kept, for the report at the end of a
// run.

// A Fall says that the interpreter has run a loop that may have kernels, or rows of it, and why.
type Fall struct {
	Loop   *Loop
	Reason string
	Rows   bool // the interpreter ran single rows, and the Reason says which
}

// mostFalls is the largest number of reasons that are kept for a file.
const mostFalls = 200

// fell keeps the reason why the interpreter runs a loop or rows of it. A known reason costs a search among those of
// the site.
func (r *Runner) fell(s *site, reason string, rows bool) {
	f := Fall{r.kernels[s.number], reason, rows}
	for _, known := range s.fallen {
		if known == reason {
			return
		}
	}
	if len(r.Falls) == mostFalls {
		return
	}
	s.fallen = append(s.fallen, reason)
	r.Falls = append(r.Falls, f)
}

// rest says which rows a kernel leaves to the interpreter, as far as its Program shows that.
func (v *variant) rest() string {
	if len(v.p.Leaves) == 0 {
		return "rows that could not be finished: with a component of their IsA base, an element that a table lacks, a value that raises (one that does not fit its field, or a whole number beyond 2^53), or more effects than a row may record"
	}
	if v.departed != "" {
		return v.departed
	}
	var texts []string
	for _, n := range v.p.Leaves {
		texts = append(texts, n.String())
	}
	v.departed = strings.Join(texts, ", or ")
	return v.departed
}
