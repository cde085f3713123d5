package sandbox

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// An error begins in one of three ways. All of them lead to raised, which gopher-lua calls on the failing thread
// while its frames still exist:
//
//   - the VM or a library function raises a text: names.go and text.go replace it by one that says more;
//   - a bound Go function calls Raise with an error, which becomes the Cause;
//   - a script calls error: its value is kept unchanged. A message that the script has caught before stands for
//     the error that it belongs to: see rethrow.go.
//
// raised builds the *Error and panics with it, inside of gopher-lua's own error type. It is caught in State.run
// (at the edge of a Call or of a pcall), which drops the thread, or by gopher-lua at the edge of a coroutine.

// goError carries a Go error through LState.Error.
type goError struct{ err error }

// Raise ends the running Lua function with err, which becomes the Cause of the
// [Error] that leaves [State.Call]. A script that catches it with pcall gets the
// string "file:line: " + err.Error(). It does not return.
func Raise(L *lua.LState, err error) {
	L.Error(&lua.LUserData{Value: goError{err}, Metatable: lua.LNil}, 0)
}

// Raisef is Raise(L, fmt.Errorf(format, args...)).
func Raisef(L *lua.LState, format string, args ...any) {
	Raise(L, fmt.Errorf(format, args...))
}

// thrown is the value that a script gave to error, on its way to raised.
type thrown struct {
	value lua.LValue
	pos   Pos
	text  string // without the position
}

// raised is the Panic hook of every thread that runs scripts.
func (s *State) raised(L *lua.LState) {
	e := s.newError(L, L.Get(-1))
	s.throw(e)
}

// throw continues e out of the running thread.
func (s *State) throw(e *Error) { panic(s.apiError(e)) }

// apiError is what throw panics with.
func (s *State) apiError(e *Error) *lua.ApiError {
	s.last = e
	// A StackTrace keeps gopher-lua from building its own, which can panic.
	return &lua.ApiError{Type: lua.ApiErrorRun, Object: e.Value, StackTrace: "-", Cause: e}
}

func (s *State) newError(L *lua.LState, obj lua.LValue) *Error {
	thrown := s.thrown
	s.thrown = nil
	if err := s.budget.Spent(); err != nil {
		return s.spentError(L, err)
	}
	if s.rethrown != nil { // a wrapped coroutine or our pcall passes it on
		e := s.rethrown
		s.rethrown = nil
		return e
	}
	e := &Error{Stack: s.frames(), Value: obj}
	if f := luaFrame(L); f != nil {
		e.Pos = f.pos()
	}
	switch v := obj.(type) {
	case *lua.LUserData:
		if ge, ok := v.Value.(goError); ok {
			if inner, ok := ge.err.(*Error); ok {
				return inner // of a Call within this one: it knows better where
			}
			e.Cause = ge.err
			e.Message = cut(ge.err.Error())
			e.Value = lua.LString(prefixed(e.Pos, ge.err.Error()))
			break
		}
		e.Message = describe(obj)
	case lua.LString:
		if thrown != nil {
			e.Pos, e.Message = thrown.pos, cut(thrown.text)
			s.rethrow(e, thrown.text)
			break
		}
		where := "" // gopher-lua writes "file:line: text", or " text" without a line
		if e.Pos.Line > 0 {
			where = e.Pos.String() + ":"
		}
		text := strings.TrimSpace(strings.TrimPrefix(string(v), where))
		e.Message = cut(s.reword(L, text))
		e.Value = lua.LString(prefixed(e.Pos, e.Message))
		if vmLimits[text] {
			e.Cause = limitError(e.Message)
		}
	default:
		if thrown != nil {
			e.Pos = thrown.pos
		}
		e.Message = describe(obj)
	}
	e.chunk = s.chunkAt(L, e.Pos)
	return e
}

// spentError returns the error of a spent budget. The first one of a turn says where the script was; later ones,
// raised while the script unwinds, are the same error.
func (s *State) spentError(L *lua.LState, cause error) *Error {
	if s.spent != nil && s.spentTurn == s.budget.Turn() {
		return s.spent
	}
	e := &Error{Stack: s.frames(), Cause: cause, Message: cut(cause.Error()), fatal: true}
	if f := luaFrame(L); f != nil && f.Fn.Proto != launcher {
		e.Pos = f.pos()
	} else {
		for _, f := range e.Stack {
			if f.Pos.Line > 0 {
				e.Pos = f.Pos
				break
			}
		}
	}
	if cause == ErrInstructions {
		e.Message = s.budget.SpentText() + "; is there an endless loop?"
	}
	if cause == ErrAllocations {
		e.Message = s.budget.SpentText()
	}
	e.Value = lua.LString(prefixed(e.Pos, e.Message))
	e.chunk = s.chunkAt(L, e.Pos)
	s.spent, s.spentTurn = e, s.budget.Turn()
	return e
}

// SpentAfter returns the error of a budget that was spent, or interrupted, when fn had returned: a pcall in tail
// position ends a spent turn without an error, and an interruption comes at any time. The place is where the script
// was stopped, the last line of fn if it was not stopped. It returns nil while the budget lasts.
func (s *State) SpentAfter(fn *lua.LFunction) error {
	cause := s.budget.Spent()
	if cause == nil {
		return nil
	}
	e := s.spentError(s.base, cause)
	if e.Pos.Line == 0 && !fn.IsG {
		e.Pos = Pos{File: fn.Proto.SourceName, Line: fn.Proto.LastLineDefined}
		e.Value, e.chunk = lua.LString(prefixed(e.Pos, e.Message)), ChunkOf(fn.Proto)
	}
	return e
}

// fromPanic converts what a thread panicked with to an *Error.
func (s *State) fromPanic(th *lua.LState, r any) *Error {
	if api, ok := r.(*lua.ApiError); ok {
		if e, ok := api.Cause.(*Error); ok {
			return e
		}
		return s.newError(th, api.Object)
	}
	if raising() {
		return s.overflowError(th, valuesText)
	}
	return s.panicError(th, r, string(debug.Stack()))
}

// raising reports whether the panic that is being recovered comes from gopher-lua while it raises an error. When
// values do not fit, it looks up the line of a tail call before it has one: an index panic, but the script's
// fault.
func raising() bool {
	var pcs [256]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for {
		f, more := frames.Next()
		switch f.Function {
		case "github.com/yuin/gopher-lua.(*LState).registryOverflow", "github.com/yuin/gopher-lua.(*LState).raiseError":
			return true
		}
		if !more {
			return false
		}
	}
}

// overflowError is the error for a limit of gopher-lua that it does not report as an error.
func (s *State) overflowError(th *lua.LState, text string) *Error {
	e := &Error{Stack: s.frames(), Message: text, Cause: limitError(text)}
	if f := luaFrame(th); f != nil {
		e.Pos = f.pos()
	}
	e.Value = lua.LString(prefixed(e.Pos, e.Message))
	e.chunk = s.chunkAt(th, e.Pos)
	return e
}

func (s *State) panicError(th *lua.LState, value any, stack string) *Error {
	cause := &PanicError{Value: value, Stack: stack}
	e := &Error{Stack: s.frames(), Cause: cause, Message: cut(cause.Error()), fatal: true}
	if f := luaFrame(th); f != nil {
		e.Pos = f.pos()
	}
	e.Value = lua.LString(prefixed(e.Pos, e.Message))
	e.chunk = s.chunkAt(th, e.Pos)
	return e
}

func prefixed(pos Pos, text string) string {
	if pos.Line == 0 {
		return text
	}
	return pos.String() + ": " + text
}

// frames returns the running functions, innermost first, across coroutines and pcalls.
func (s *State) frames() []Frame {
	const most = 400 // each thread has at most 200, but there may be many threads
	var out []Frame
	for i := len(s.active) - 1; i >= 0 && len(out) < most; i-- {
		for f := topFrame(s.active[i]); f != nil && len(out) < most; f = f.Parent {
			if f.Fn.IsG || f.Fn.Proto == launcher {
				continue // pcall, error, the wrapper of a coroutine: the lines around them say it
			}
			kind, name := s.functionOf(f)
			out = append(out, Frame{Func: name, Kind: kind, Pos: f.pos()})
		}
	}
	return out
}

// describe describes a value that was given to error and is not a string.
func describe(v lua.LValue) string {
	switch v := v.(type) {
	case *lua.LNilType:
		return "error(nil): no message was given"
	case *lua.LTable:
		return "error object " + tableText(v)
	case lua.LNumber:
		return NumberText(float64(v))
	}
	return "error object (a " + v.Type().String() + " value)"
}

// tableText returns the plain fields of an error object as text, sorted by name.
func tableText(t *lua.LTable) string {
	const most = 8
	var parts []string
	for k, v := t.Next(lua.LNil); k != lua.LNil && len(parts) < 64; k, v = t.Next(k) {
		key, ok := k.(lua.LString)
		if !ok || len(key) > 64 {
			continue
		}
		switch v := v.(type) {
		case lua.LString:
			parts = append(parts, fmt.Sprintf("%s = %q", string(key), cut(string(v))))
		case lua.LNumber:
			parts = append(parts, string(key)+" = "+NumberText(float64(v)))
		case lua.LBool:
			parts = append(parts, fmt.Sprintf("%s = %v", string(key), bool(v)))
		}
	}
	if len(parts) == 0 {
		return "(a table value)"
	}
	sort.Strings(parts)
	if len(parts) > most {
		parts = append(parts[:most], "…")
	}
	return cut("{" + strings.Join(parts, ", ") + "}")
}
