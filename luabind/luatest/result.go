package luatest

import (
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/luabind"
)

// A Status says how a test has ended.
type Status uint8

// How a test ends.
const (
	Passed  Status = iota
	Failed         // or did not load
	Pending        // announced, not run to its end
)

// String returns "passed", "failed" or "pending".
func (s Status) String() string { return [...]string{"passed", "failed", "pending"}[s] }

// A Result says how one test has ended, or that a file failed to load; then it has no Name.
type Result struct {
	File   string   // as File.Name
	Line   int      // where it is defined; 0 when the file did not load
	Within []string // the names of the describes around it, outermost first
	Name   string   // as it gives it; "" when the file did not load

	Status   Status
	Reason   string    // of a pending test; may be empty
	Failures []Failure // at least one when it failed: the test's own, then those of its after_each
	Output   string    // what it and its worlds printed and logged
	Elapsed  time.Duration
}

// FullName returns the names of the describes and that of the test, separated by spaces. --run is matched against
// it. A file that did not load has its path as the name.
func (r Result) FullName() string {
	if r.Name == "" {
		return r.File
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
	Phase   string               // "before_each" or "after_each"; "load" for a file; "" for the test itself
	File    string               // where; a test file or one it required; "" when no line is to blame
	Line    int                  // counted from 1
	Message string               // one line, without the place
	Diff    []string             // what differs, a line each; nil unless two values were compared
	Excerpt string               // the line of the source with its number; may be empty
	Stack   []luabind.StackFrame // running functions, innermost first; nil when there was one only
	Causes  []Cause              // how the world's own scripts failed, when that is why
	GoStack string               // of a panic in a Go function; otherwise empty
	Bug     bool                 // machine code of a world's loop was wrong, or a Go function panicked
}

// Error returns "poison_test.lua:22: expected 1, got 1.5". The text of a failure in a script of the world begins
// with the position in the script.
func (f Failure) Error() string {
	text := f.Message
	if f.Phase == "before_each" || f.Phase == "after_each" {
		text = f.Phase + ": " + text
	}
	if f.Line > 0 && len(f.Causes) == 0 {
		text = place(f.File, f.Line) + ": " + text
	}
	return text
}

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
	Left        int // tests that --run has left out
	Interrupted bool
	Elapsed     time.Duration
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
