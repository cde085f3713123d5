package luatest

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/luabind"
)

// A Reporter writes results as they come. It ignores errors of its writer; the writer should remember them.
type Reporter interface {
	Result(Result)
	End(*Report) // after the last result
}

// TextOptions configure the text for people.
type TextOptions struct {
	Color   bool
	Verbose bool // what passing tests printed, too
}

// text writes one line per test, and the failures once more at the end.
type text struct {
	w     io.Writer
	o     TextOptions
	file  string // of the last line
	round int    // likewise
}

// NewText returns the reporter for people.
func NewText(w io.Writer, o TextOptions) Reporter { return &text{w: w, o: o} }

const (
	red    = "31"
	green  = "32"
	yellow = "33"
	dim    = "2"
)

func (t *text) paint(color, s string) string {
	if !t.o.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func (t *text) Result(r Result) {
	if r.Status == Listed {
		fmt.Fprintf(t.w, "%s: %s\n", printable(place(r.File, r.Line)), printable(r.FullName()))
		return
	}
	if r.File != t.file || r.Round != t.round {
		t.file, t.round = r.File, r.Round
		fmt.Fprint(t.w, printable(r.File))
		if r.Round > 0 {
			fmt.Fprintf(t.w, " (round %d)", r.Round+1)
		}
		fmt.Fprintln(t.w)
	}
	name := printable(r.FullName())
	switch {
	case r.Unloaded:
		at := ""
		if r.Within != nil {
			at = name + " "
		}
		fmt.Fprintf(t.w, "  %s  %sdoes not load: %s\n", t.paint(red, "FAIL"), at, printable(firstError(r)))
	case r.Status == Failed:
		fmt.Fprintf(t.w, "  %s  %s: %s\n", t.paint(red, "FAIL"), name, printable(firstError(r)))
	case r.Status == Pending && r.Reason != "":
		fmt.Fprintf(t.w, "  %s  %s: %s\n", t.paint(yellow, "wait"), name, printable(r.Reason))
	case r.Status == Pending:
		fmt.Fprintf(t.w, "  %s  %s\n", t.paint(yellow, "wait"), name)
	case r.Bench != nil:
		fmt.Fprintf(t.w, "  %s  %s: %s\n", t.paint(dim, "time"), name, printable(r.Bench.String()))
	default:
		fmt.Fprintf(t.w, "  %s    %s%s\n", t.paint(green, "ok"), name, t.slow(r.Elapsed))
	}
	if t.o.Verbose && r.Status != Failed {
		t.indented("        ", r.Output)
	}
}

// slow returns the time of a test that takes long, "" otherwise.
func (t *text) slow(d time.Duration) string {
	if d < 500*time.Millisecond {
		return ""
	}
	return t.paint(dim, fmt.Sprintf(" (%.1f s)", d.Seconds()))
}

func firstError(r Result) string { return r.Failures[0].Error() }

func (t *text) End(r *Report) {
	n := 0
	for _, one := range r.Results {
		if one.Status == Failed {
			n++
			name := printable(one.FullName())
			if one.Unloaded {
				name += " does not load"
			}
			if one.Round > 0 {
				name += fmt.Sprintf(" (round %d)", one.Round+1)
			}
			fmt.Fprintf(t.w, "\n%s\n", t.paint(red, fmt.Sprintf("%d) %s", n, name)))
			t.failures(one)
			fmt.Fprintf(t.w, "   run it alone: %s\n", printable(one.Alone))
		}
	}
	if n == 0 && r.Count(Listed) > 0 {
		return
	}
	if len(r.Results) > 0 {
		fmt.Fprintln(t.w)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(t.w, "%s %s: %s\n", t.paint(yellow, "warning:"), printable(place(w.File, w.Line)), printable(w.Message))
	}
	failed := fmt.Sprintf("%d failed", n)
	if n > 0 {
		failed = t.paint(red, failed)
	}
	fmt.Fprintf(t.w, "%s, %d passed, %d pending", failed, r.Count(Passed), r.Count(Pending))
	if measured := r.Count(Measured); measured > 0 {
		fmt.Fprintf(t.w, ", %d measured", measured)
	}
	fmt.Fprintf(t.w, " in %.2f s.", r.Elapsed.Seconds())
	if r.Stopped {
		fmt.Fprint(t.w, " Stopped at the first failure.")
	}
	if r.Interrupted {
		fmt.Fprint(t.w, " Interrupted.")
	}
	if r.Shuffled {
		fmt.Fprintf(t.w, " Shuffled by --seed %d", r.Seed)
	}
	fmt.Fprintln(t.w)
}

func (t *text) failures(r Result) {
	for _, f := range r.Failures {
		for _, c := range f.Causes {
			fmt.Fprintf(t.w, "   %s\n", printable(c.Message))
			if c.Path != "" {
				fmt.Fprintf(t.w, "     --> %s\n", printable(c.Path))
			}
			t.source(c.Excerpt, c.Stack)
		}
		message := printable(f.Message)
		if len(f.Causes) > 0 {
			message = "called from here" // the causes have the words
		}
		if f.Line > 0 {
			message = printable(place(f.File, f.Line)) + ": " + message
		}
		if f.around() {
			message += " (in " + f.Phase + ")"
		}
		fmt.Fprintf(t.w, "   %s\n", message)
		t.source(f.Excerpt, f.Stack)
		if f.Case != nil {
			fmt.Fprintln(t.w, "   the simplest case that fails:")
			for _, line := range f.Case {
				fmt.Fprintf(t.w, "     %s\n", printable(line))
			}
		}
		if len(f.Diff) > 1 {
			fmt.Fprintln(t.w, "   what differs:")
			for _, d := range f.Diff {
				fmt.Fprintf(t.w, "     %s\n", printable(d))
			}
		}
		if f.GoStack != "" {
			fmt.Fprintln(t.w, "   a Go function panicked; its stack:")
			t.indented("     ", f.GoStack)
		}
	}
	if r.Output != "" {
		fmt.Fprintln(t.w, "   printed:")
		t.indented("     ", r.Output)
	}
}

func (t *text) source(excerpt string, stack []luabind.StackFrame) {
	if excerpt != "" {
		fmt.Fprintf(t.w, "   %s\n", printable(excerpt))
	}
	for i, f := range luabind.Traceback(stack) {
		head := "         "
		if i == 0 {
			head = "  stack: "
		}
		fmt.Fprintf(t.w, "   %s%s\n", head, printable(f))
	}
}

func (t *text) indented(by, s string) {
	for line := range strings.Lines(s) {
		fmt.Fprintf(t.w, "%s%s\n", by, printable(strings.TrimRight(line, "\r\n")))
	}
}

// printable returns a text without line breaks and without characters that control the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, s)
}
