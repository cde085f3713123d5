package luatest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// This file converts errors to Failures: of the test's own code, of the scripts of its worlds, and of Go functions
// that panic.

// failure converts the error of a call into the test to a Failure. phase is as in Failure.
func (s *suite) failure(err error, phase string) Failure {
	f := failure(err, phase)
	if strings.HasPrefix(f.File, libraryPrefix) {
		for _, frame := range f.Stack {
			if !strings.HasPrefix(frame.File, libraryPrefix) {
				f.File, f.Line, f.Excerpt = frame.File, frame.Line, ""
				break
			}
		}
	}
	if name := nilGlobal.FindStringSubmatch(f.Message); name != nil {
		f.Message = s.undeclared(name[1], f.Message)
	}
	if se := (*sandbox.Error)(nil); s.refused != nil && errors.As(err, &se) && se.Value == s.refused {
		f.said = f.Message // of assert(false, message)
	}
	return f
}

// nilGlobal is the message about a global that is nil.
var nilGlobal = regexp.MustCompile(`^attempt to (?:call|index) a nil value \(global "(.*)"\)$`)

// undeclared returns what scripts are told about an undeclared global: a test file reads it as nil. message is returned for
// one that is declared.
func (s *suite) undeclared(name, message string) string {
	if s.scope._g.RawGetString(name) != lua.LNil || s.words[name] != nil {
		return message
	}
	known := append(sortedNamesOf(s.words), s.scope.names()...)
	if near, ok := suggest.Closest(name, known); ok {
		return fmt.Sprintf("undeclared global %q; did you mean %q?", name, near)
	}
	var se *sandbox.Error
	if err := s.state.Call(s.scope.strict, s.scope._g, lua.LString(name)); errors.As(err, &se) && s.state.Budget().Spent() == nil {
		return se.Message
	}
	return message
}

func failure(err error, phase string) Failure {
	f := Failure{Phase: phase, Message: firstLine(err.Error())}
	var se *sandbox.Error
	if errors.As(err, &se) {
		if inner := (*sandbox.Error)(nil); errors.As(se.Cause, &inner) && inner.Pos.Line > 0 {
			both := *inner // what it required does not compile, or it was caught and raised again
			both.Stack = slices.Concat(inner.Stack, se.Stack)
			se = &both
		}
		f.at(se)
	}
	if wrong := (*mismatch)(nil); errors.As(err, &wrong) {
		f.Message, f.Diff, f.said = firstLine(wrong.message), wrong.diff, firstLine(wrong.text)
	}
	if bug := (*sandbox.PanicError)(nil); errors.As(err, &bug) {
		f.GoStack = bug.Stack
		if f.GoStack == "" {
			f.GoStack = "(not known)"
		}
	}
	f.Bug = errors.Is(err, luabind.ErrBug)
	f.Causes = causes(err, nil)
	if n := len(f.Causes); n > 1 {
		f.Message = fmt.Sprintf("%s, and %d more", firstLine(f.Message), n-1)
	}
	return f
}

// at takes over the position and the message of an error of Lua.
func (f *Failure) at(se *sandbox.Error) {
	f.File, f.Line, f.Message, f.Excerpt = se.Pos.File, se.Pos.Line, firstLine(se.Message), se.Excerpt()
	if f.Line == 0 { // assert(v, message), which gives no place
		for _, frame := range se.Stack {
			if frame.Pos.Line > 0 {
				f.File, f.Line = frame.Pos.File, frame.Pos.Line
				break
			}
		}
	}
	if len(se.Stack) > 1 {
		f.Stack = make([]luabind.StackFrame, len(se.Stack))
		for i, frame := range se.Stack {
			f.Stack[i] = luabind.StackFrame{File: frame.Pos.File, Line: frame.Pos.Line, Function: frame.Func, Kind: luabind.FrameKind(frame.Kind)}
		}
	}
}

// causes returns the errors of the world's scripts that err contains, in order. at returns where they can be
// opened; it may be nil.
func causes(err error, at func(*luabind.ScriptError) string) []Cause {
	switch e := err.(type) {
	case nil:
		return nil
	case *worldError:
		return causes(e.err, e.at)
	case *luabind.ScriptError:
		c := Cause{Message: e.Error(), Excerpt: e.Excerpt, Stack: e.Stack}
		if at != nil {
			c.Path = at(e)
		}
		return []Cause{c}
	case interface{ Unwrap() []error }:
		var all []Cause
		for _, one := range e.Unwrap() {
			all = append(all, causes(one, at)...)
		}
		return all
	}
	return causes(errors.Unwrap(err), at)
}

// A worldError is an error of the runtime of a world. It knows where the scripts of that world are.
type worldError struct {
	err error
	at  func(*luabind.ScriptError) string
}

func (e *worldError) Error() string { return e.err.Error() }
func (e *worldError) Unwrap() error { return e.err }

func firstLine(text string) string {
	first, rest, more := strings.Cut(text, "\n")
	if more && strings.TrimSpace(rest) != "" {
		return first + " …"
	}
	return first
}

// unknownKey returns the error for a key that is not in known.
func unknownKey(shown, key string, known []string) error {
	if near, ok := suggest.Closest(key, known); ok {
		return fmt.Errorf("unknown key %s; did you mean %s?", shown, near)
	}
	return fmt.Errorf("unknown key %s; there are %s", shown, strings.Join(known, ", "))
}

// unknownName returns the error for the name of something that is not declared.
func unknownName(what, name string, known []string) error {
	text := fmt.Sprintf("%s %q is not declared", what, name)
	if near, ok := suggest.Closest(name, known); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(text)
}
