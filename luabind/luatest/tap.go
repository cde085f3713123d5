package luatest

import (
	"fmt"
	"io"
	"strings"
)

// tap writes the Test Anything Protocol, version 13.
type tap struct {
	w io.Writer
	n int
}

// NewTAP returns a reporter of TAP version 13: a line per test, with a YAML block
// for each failure, and the plan at the end.
func NewTAP(w io.Writer) Reporter {
	fmt.Fprintln(w, "TAP version 13")
	return &tap{w: w}
}

// tapName returns a test's description; a # in it would begin a directive, so it is escaped.
func tapName(s string) string { return tapEscapes.Replace(printable(s)) }

var tapEscapes = strings.NewReplacer(`\`, `\\`, "#", `\#`)

func (t *tap) Result(r Result) {
	t.n++
	name := tapName(r.FullName())
	switch r.Status {
	case Passed, Measured:
		fmt.Fprintf(t.w, "ok %d - %s\n", t.n, name)
		if r.Bench != nil {
			fmt.Fprintf(t.w, "# %s\n", printable(r.Bench.String()))
		}
	case Listed:
		fmt.Fprintf(t.w, "ok %d - %s # SKIP listed\n", t.n, name)
	case Pending:
		fmt.Fprintf(t.w, "ok %d - %s # SKIP %s\n", t.n, name, tapName(strings.TrimSpace("pending "+r.Reason)))
	case Failed:
		if r.Unloaded {
			name += " does not load"
		}
		fmt.Fprintf(t.w, "not ok %d - %s\n  ---\n", t.n, name)
		for i, f := range r.Failures {
			suffix := ""
			if i > 0 {
				suffix = fmt.Sprintf("_%d", i+1)
			}
			t.field("message"+suffix, f.Error())
			if f.Line > 0 {
				t.field("at"+suffix, place(f.File, f.Line))
			}
			if f.Case != nil {
				t.field("case"+suffix, strings.Join(f.Case, "\n"))
			}
			if len(f.Diff) > 0 {
				t.field("diff"+suffix, strings.Join(f.Diff, "\n"))
			}
		}
		if r.Output != "" {
			t.field("output", r.Output)
		}
		t.field("alone", r.Alone)
		fmt.Fprintln(t.w, "  ...")
	}
}

// field writes a line of YAML. A JSON string is a valid scalar of YAML.
func (t *tap) field(key, value string) {
	fmt.Fprintf(t.w, "  %s: %s\n", key, encoded(value))
}

func (t *tap) End(r *Report) {
	for _, w := range r.Warnings {
		fmt.Fprintf(t.w, "# warning: %s: %s\n", printable(place(w.File, w.Line)), printable(w.Message))
	}
	fmt.Fprintf(t.w, "1..%d\n", t.n)
}
