package luatest

import (
	"slices"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/luabind"
)

// A Status says how a test has ended.
type Status uint8

// How a test ends.
const (
	Passed   Status = iota
	Failed          // or did not load
	Pending         // announced, not run to its end
	Listed          // not run: Options.List was set
	Measured        // a t.bench
)

// String returns "passed", "failed", "pending", "listed" or "measured".
func (s Status) String() string {
	return [...]string{"passed", "failed", "pending", "listed", "measured"}[s]
}

// A Result says how one test has ended, or that a file failed to load; then it has no Name.
type Result struct {
	File   string   // as File.Name
	Round  int      // as Options.Round
	Line   int      // where it is defined; 0 when the file did not load
	Within []string // the names of the describes around it, outermost first
	Name   string   // as it gives it

	Unloaded bool // there is no test: the file did not load, or the describe that Within names

	Status   Status
	Reason   string    // of a pending test; may be empty
	Failures []Failure // at least one when it failed: the test's own, then those of what comes after it
	Alone    string    // the command that runs it alone, when it failed
	Bench    *Bench    // what t.bench has measured; nil for other tests
	Output   string    // what it and its worlds printed and logged
	Elapsed  time.Duration
}

// FullName returns the names of the describes and that of the test, separated by spaces. --run is matched against
// it. A file that did not load has its path as the name, a describe its own.
func (r Result) FullName() string {
	switch {
	case r.Unloaded && r.Within == nil:
		return r.File
	case r.Unloaded:
		return strings.Join(r.Within, " ")
	}
	return strings.Join(append(append([]string(nil), r.Within...), r.Name), " ")
}

// Bug reports whether a Go function that the test called panicked, or the machine
// code of a loop was wrong: a mistake of the program, not of the test.
func (r Result) Bug() bool {
	for _, f := range r.Failures {
		if f.Bug || f.GoStack != "" {
			return true
		}
	}
	return false
}

// A Failure is one thing that went wrong in a test.
type Failure struct {
	Phase   string               // "before_each", "after_each", "setup", "finally" and so on; "load" for a file; "" for the test itself
	File    string               // where; a test file or one it required; "" when no line is to blame
	Line    int                  // counted from 1
	Message string               // one line, without the place
	Case    []string             // of a property: the smallest case that fails, as Lua code; nil for other tests
	Diff    []string             // what differs, a line each; nil unless two values were compared
	Excerpt string               // the line of the source with its number; may be empty
	Stack   []luabind.StackFrame // running functions, innermost first; nil when there was one only
	Causes  []Cause              // how the world's own scripts failed, when that is why
	GoStack string               // of a panic in a Go function; otherwise empty
	said    string               // of a failed assertion: the first line of luassert's text
	limit   bool                 // the test was ended because it passed a limit of its own
	Bug     bool                 // machine code of a world's loop was wrong, or a Go function panicked
}

// Error returns "poison_test.lua:22: expected 1, got 1.5". The text of a failure in a script of the world begins
// with the position in the script.
func (f Failure) Error() string {
	text := f.Message
	if f.around() {
		text = f.Phase + ": " + text
	}
	if f.Line > 0 && len(f.Causes) == 0 {
		text = place(f.File, f.Line) + ": " + text
	}
	return text
}

// around reports whether the failure is that of a function around the test.
func (f Failure) around() bool { return f.Phase != "" && f.Phase != "load" }

// A Cause is an error of a script of the world.
type Cause struct {
	Message string // with its position, system and frame
	Path    string // where it can be opened from the current folder, "scripts/poison.lua:9"; "" when that is not known
	Excerpt string
	Stack   []luabind.StackFrame
}

// A Report is the result of a run of tests.
type Report struct {
	Results     []Result // in the order they ran
	Seed        uint64   // given or default
	Seeded      bool     // it was given
	Shuffled    bool
	Left        int // tests that the options have left out
	Warnings    []Warning
	Stopped     bool // after the first failure, because of FailFast
	Interrupted bool
	Elapsed     time.Duration
}

// A Warning is about a test file, and no failure.
type Warning struct {
	File    string // as File.Name
	Line    int
	Message string // one line, without the place
}

// Add appends the results of another run, one of other files or of another round. The elapsed time stays.
func (r *Report) Add(o *Report) {
	r.Results = append(r.Results, o.Results...)
	r.Left += o.Left
	for _, w := range o.Warnings {
		if !slices.Contains(r.Warnings, w) { // each round finds the same
			r.Warnings = append(r.Warnings, w)
		}
	}
	r.Stopped = r.Stopped || o.Stopped
	r.Interrupted = r.Interrupted || o.Interrupted
}

// Count returns the number of results with a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, t := range r.Results {
		if t.Status == s {
			n++
		}
	}
	return n
}
