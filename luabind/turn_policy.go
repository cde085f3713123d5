package luabind

import (
	"errors"
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
)

// What a failing turn means for the run. The schedule calls onError with the error of a turn; Limits.OnError
// decides whether the run ends, the system is disabled, or the turn is skipped. Everything that goes wrong is
// counted in [Failures].

// Failures counts the errors of a run, including those that did not end it.
type Failures struct {
	Errors     int      // failing turns and inits, without those that exceeded a limit
	Limits     int      // failing turns and inits that exceeded a limit
	FirstError error    // nil when Errors is 0
	FirstLimit error    // nil when Limits is 0
	Disabled   []string // names of the systems that the policy has disabled, in that order
	Bugs       int      // differences between machine code and closures that were found while loops ran
	FirstBug   error    // nil when Bugs is 0; errors.As finds a *Difference in it
}

// Failures returns the counts so far. The result is a copy.
func (r *Runtime) Failures() Failures {
	f := r.failures
	f.Disabled = append([]string(nil), f.Disabled...)
	return f
}

// count adds an error to the counts and returns it. Cancellations and bugs are not counted.
func (r *Runtime) count(err error) error {
	if se := (*ScriptError)(nil); errors.As(err, &se) {
		if se.counted { // of an observer that has ended the turn of another system
			return err
		}
		se.counted = true
	}
	switch {
	case r.cancelled(err) || errors.Is(err, ErrBug):
	case errors.Is(err, ErrLimit):
		if r.failures.Limits++; r.failures.FirstLimit == nil {
			r.failures.FirstLimit = err
		}
	default:
		if r.failures.Errors++; r.failures.FirstError == nil {
			r.failures.FirstError = err
		}
	}
	return err
}

// onError applies the policy to a failing turn. The schedule calls it (ecs.Schedule.OnError). A nil result means
// that the run continues; the error was reported then. Cancellations, bugs and failing inits end the run whatever
// the policy.
func (r *Runtime) onError(entry *ecs.System, err error) error {
	err = r.judge(entry, err)
	if err == nil {
		return nil
	}
	r.failed = true  // also if an observer has failed between frames: the next one ends the run
	if r.calls > 0 { // the error of an observer: the turn that has called it ends, too
		r.state.Budget().End(err)
	}
	return err
}

// judge is onError without its consequences for the turn that runs.
func (r *Runtime) judge(entry *ecs.System, err error) error {
	if r.cancelled(err) || r.editing {
		return err
	}
	err = r.count(r.scriptError(entry.Name(), err)) // still a *ScriptError
	if errors.Is(err, ErrBug) || errors.Is(err, ErrInit) {
		return err
	}
	switch r.options.Limits.OnError {
	case Skip:
	case Disable:
		sys := r.system(entry.Name())
		if sys == nil {
			return err
		}
		if sys.strikes++; sys.strikes >= max(1, r.options.Limits.Errors) && entry.Enabled() { // an observer may have failed before its system
			entry.SetEnabled(false)
			r.failures.Disabled = append(r.failures.Disabled, sys.Name)
			r.dropping = append(r.dropping, sys)
		}
	default:
		return err
	}
	r.report(err.(*ScriptError), entry)
	return nil
}

// report passes on an error that does not end the run: to Options.Report if it is set, otherwise to the log.
func (r *Runtime) report(err *ScriptError, entry *ecs.System) {
	if r.options.Report != nil {
		r.options.Report(err)
		return
	}
	then := "turn skipped"
	if !entry.Enabled() {
		then = "system disabled"
	}
	r.options.Log.LogAttrs(r.ctx, slog.LevelError, err.Error(), slog.String("then", then))
}
