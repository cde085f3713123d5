package luabind

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Errors as users of the package see them. Errors of the sandbox, of package script, of commands and of native
// systems come in; a [*ScriptError] with position, system, frame and excerpt goes out. Its causes stay reachable
// through errors.Is and errors.As.

// The kinds of errors, beside the cause of each. Test with errors.Is.
var (
	// ErrLoad: a script does not load. Everything [Runtime.Load] returns is one.
	ErrLoad = errors.New("a script does not load")
	// ErrLimit: a limit was exceeded: one of the config, of the watchdog, or one that is built in.
	ErrLimit = errors.New("a limit was passed")
	// ErrInit: an init failed, which ends the run whatever the policy.
	ErrInit = errors.New("an init failed")
	// ErrCondition: the condition of a system, [System].When, is invalid, or failed when it was evaluated. Such a [*ScriptError] has no file,
	// because the condition is not in a script.
	ErrCondition = errors.New("a condition failed")
	// ErrNative: the Go function of a system could not be made. Such a [*ScriptError] has no file either.
	ErrNative = errors.New("a native system failed to be made")
	// ErrBug: a Go function that a script called panicked, or machine code gave a wrong result ([*Difference]). It is a fault of the program, not of the script.
	ErrBug = errors.New("a bug in the program")
)

// A ScriptError says where and why a system failed, or why a file did not load.
type ScriptError struct {
	File   string // relative to the script folder; "" when no script was running
	Line   int    // counted from 1; 0 when the error has no line
	Column int    // of a syntax error, counted from 1; otherwise 0
	System string // "" while a file is loaded that is not the file of one system
	Frame  uint64 // counted from 1; 0 before frame 1

	Message string       // one line, without the place
	Excerpt string       // the line of the source with its number; "" when it is not known
	Stack   []StackFrame // the Lua functions that were running, innermost first; nil if there were none. [Traceback] prints them

	Err     error // the cause, never nil
	loading bool  // the error occurred during loading: the message has no frame
	counted bool  // it is in Failures
}

// Error returns one line:
//
//	poison.lua:9: system "poison", frame 42: component "Helth" is not declared; did you mean "Health"?
func (e *ScriptError) Error() string {
	s := ""
	switch {
	case e.Column > 0:
		s = fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Column)
	case e.Line > 0:
		s = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	case e.File != "":
		s = e.File + ": "
	}
	switch {
	case e.System != "" && !e.loading:
		s += fmt.Sprintf("system %q, frame %d: ", e.System, e.Frame)
	case e.System != "":
		s += fmt.Sprintf("system %q: ", e.System)
	}
	return s + e.Message
}

// Unwrap returns the cause.
func (e *ScriptError) Unwrap() error { return e.Err }

// A caused is a cause with several identities. Its text is the message; errors.Is finds everything in is: the
// original error, and the kinds of errors (ErrLimit, ErrInit and so on) that apply.
type caused struct {
	text string
	is   []error
}

func (c *caused) Error() string   { return c.text }
func (c *caused) Unwrap() []error { return c.is }

// scriptError makes a *ScriptError of the error that a call into Lua, or a native system, has returned. It takes
// position, excerpt and stack from the error of the sandbox, attaches the kinds that apply (ErrLimit, ErrBug,
// ErrLoad, the error of the context), and returns an error that is already a *ScriptError as it is.
func (r *Runtime) scriptError(system string, err error) *ScriptError {
	if already := (*ScriptError)(nil); errors.As(err, &already) {
		return already
	}
	if of := r.observerError(system, err); of != nil {
		return of
	}
	out := &ScriptError{System: system, Frame: r.world.Frame(), Message: err.Error(), loading: r.loading}
	var is []error
	var se *sandbox.Error
	if errors.As(err, &se) {
		if inner := (*sandbox.Error)(nil); errors.As(se.Cause, &inner) && inner.Pos.Line > 0 {
			inner.Stack = append(inner.Stack, se.Stack...) // a required file does not compile: the error has its position, and the stack of the require
			se = inner
		}
		out.File, out.Line, out.Column = se.Pos.File, se.Pos.Line, se.Column
		out.Message, out.Excerpt, out.Stack = se.Message, se.Excerpt(), stackOf(se.Stack)
		if se.Cause != nil {
			is = append(is, se.Cause)
		}
	} else {
		is = append(is, err)
	}
	if queued := (*ecs.CommandError)(nil); errors.As(err, &queued) {
		r.blameCommand(out, queued)
	}
	if bug := (*sandbox.PanicError)(nil); errors.As(err, &bug) {
		is = append(is, ErrBug)
	} else if spent := r.state.Budget().Spent(); errors.Is(err, ecs.ErrLimit) || errors.Is(err, sandbox.ErrLimit) || spent != nil && !r.cancelled(spent) {
		is = append(is, ErrLimit)
	}
	if key := surface.LimitKey(err); !strings.HasSuffix(out.Message, key) { // an operation of a script has it
		out.Message += key
	}
	if r.cancelled(err) {
		is = append(is, r.ctx.Err())
	}
	if r.loading {
		is = append(is, ErrLoad)
	}
	out.Err = &caused{out.Message, is}
	return out
}

// blameCommand sets the position of an error that occurred while queued commands were applied: it is the line that
// queued the command, not the line that runs. If the budget ended there, the message says so.
func (r *Runtime) blameCommand(out *ScriptError, err *ecs.CommandError) {
	pos := r.surface.PosOf(err.Place)
	out.File, out.Line, out.Excerpt = pos.File, pos.Line, r.scripts.Excerpt(pos.File, pos.Line)
	if b := r.state.Budget(); b.Spent() != nil {
		out.Message = b.SpentText() + "; it was passed while the queued commands were applied"
	}
}

// during adds to the message what an observer was called for.
func (e *ScriptError) during(text string) {
	e.Message += " (" + text + ")"
	if c, ok := e.Err.(*caused); ok {
		c.text = e.Message
	}
}

// wokenBy says what the observer is told, and which line or system has done it: "while Health of 17v2 was set by
// combat.lua:12".
func (o *observer) wokenBy(c ecs.Change) string {
	r := o.runtime
	text := "while " + o.in.Describe(c)
	if pos := r.surface.PosOf(c.Place); pos.Line > 0 {
		return text + " by " + pos.String()
	}
	if pos := r.state.Where(); pos.Line > 0 {
		return text + " by " + pos.String()
	}
	if c.System != nil {
		return fmt.Sprintf("%s by system %q", text, c.System.Name())
	}
	return text
}

// observerError makes a *ScriptError of an error that the world has found when it called an observer: a chain without
// an end. It is nil for any other error.
func (r *Runtime) observerError(system string, err error) *ScriptError {
	var of *ecs.ObserverError
	if !errors.As(err, &of) {
		return nil
	}
	for _, o := range r.observers {
		if o.in == of.Observer {
			out := &ScriptError{System: system, Frame: r.world.Frame(), Message: of.Err.Error(), File: o.at.File, Line: o.at.Line}
			out.Excerpt = r.scripts.Excerpt(o.at.File, o.at.Line)
			out.Err = &caused{out.Message, []error{err}}
			out.during(o.wokenBy(of.Change))
			return out
		}
	}
	return nil
}

// notLoaded returns the error of a file that cannot be read or does not compile. system is "" for a file that is
// not a system's.
func (r *Runtime) notLoaded(system string, err error) *ScriptError {
	if unreadable, ok := err.(*script.ReadError); ok {
		return r.loadError(unreadable.Shown, system, "%w", unreadable.Err)
	}
	out := r.scriptError(system, err)
	out.System = system
	return out
}

// loadError returns an error that occurred while scripts were loaded, but not in running Lua code: a missing
// function, a name that is not declared, a wrong table. format and args are those of fmt.Errorf, so %w keeps a
// cause.
func (r *Runtime) loadError(file string, system string, format string, args ...any) *ScriptError {
	err := fmt.Errorf(format, args...)
	return &ScriptError{
		File: file, System: system, Message: err.Error(), loading: true,
		Err: &caused{err.Error(), []error{err, ErrLoad}},
	}
}

// nativeError returns the error of making the Go function of a system. It is an [ErrNative] and an [ErrLoad].
func (r *Runtime) nativeError(sys *system, err error) *ScriptError {
	out := r.loadError("", sys.Name, "%s: %w", sys.nativeName(), err)
	out.Err = &caused{out.Message, []error{out.Err, ErrNative}}
	return out
}

// cut shortens a name for a message to 60 bytes.
func cut(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
