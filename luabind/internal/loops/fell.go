package loops

import (
	"strings"
)

// A loop that may have kernels is run by the interpreter all the same when its values are not what a kernel is for, or from a row on that
// the kernel cannot finish. The first time of each reason is noted, for the run to say so at its end.

// A Fall says that a loop was run by the interpreter, and why.
type Fall struct {
	Loop   *Loop
	Reason string
}

// mostFalls bounds the reasons that are kept of a file.
const mostFalls = 200

// fell notes why a loop was run by the interpreter.
func (r *Runner) fell(s *site, reason string) {
	f := Fall{r.kernels[s.number], reason}
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

// rest says why a kernel left the rest of a walk to the interpreter, as far as its body shows that.
func (v *variant) rest() string {
	if len(v.p.Leaves) == 0 {
		return "a row could not be finished: a component of its IsA base, an element that a table lacks, a value that raises (one that does not fit its field, or a whole number beyond 2^53), or more effects than a row may record"
	}
	if v.departed != "" {
		return v.departed
	}
	var texts []string
	for _, n := range v.p.Leaves {
		texts = append(texts, n.String())
	}
	v.departed = "from a row on, " + strings.Join(texts, ", or ")
	return v.departed
}
