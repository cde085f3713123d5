package luatest

import (
	"encoding/json"
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
func tapName(s string) string { return strings.ReplaceAll(printable(s), "#", `\#`) }

func (t *tap) Result(r Result) {
	t.n++
	name := tapName(r.FullName())
	switch r.Status {
	case Passed:
		fmt.Fprintf(t.w, "ok %d - %s\n", t.n, name)
	case Pending:
		fmt.Fprintf(t.w, "ok %d - %s # SKIP %s\n", t.n, name, tapName(strings.TrimSpace("pending "+r.Reason)))
	case Failed:
		if r.Name == "" {
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
			if len(f.Diff) > 0 {
				t.field("diff"+suffix, strings.Join(f.Diff, "\n"))
			}
		}
		if r.Output != "" {
			t.field("output", r.Output)
		}
		fmt.Fprintln(t.w, "  ...")
	}
}

// field writes a line of YAML. A JSON string is a valid scalar of YAML.
func (t *tap) field(key, value string) {
	fmt.Fprintf(t.w, "  %s: ", key)
	e := json.NewEncoder(t.w)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // a string always encodes, and the writer remembers
}

func (t *tap) End(*Report) { fmt.Fprintf(t.w, "1..%d\n", t.n) }
