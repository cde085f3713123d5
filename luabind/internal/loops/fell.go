package loops

import (
	"strings"
)

// A loop that may have kernels is run by the interpreter all the same when its values are not what a kernel is for, and so are single rows that
// the kernel cannot finish. The first time of each reason is noted, for the run to say so at its end.

// A Fall says that a loop, or rows of it, were run by the interpreter, and why.
type Fall struct {
	Loop   *Loop
	Reason string
	Rows   bool // the Reason says which rows
}

// mostFalls bounds the reasons that are kept of a file.
const mostFalls = 200

// fell notes why a loop was run by the interpreter.
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

// rest says which rows a kernel leaves to the interpreter, as far as its body shows that.
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
