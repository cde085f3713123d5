package sandbox

import (
	"strings"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// pcall, xpcall and coroutine.resume hand a caught error to the script as a string, and the script may throw that string again: error(message), or
// error("while moving: " .. message). This file finds the error that such a string stands for, so that what leaves Lua in the end still has the Go error
// behind it and the position where it was first thrown.
//
// A string is recognised by its bytes in memory, not by what it says: every caught error gets a string of its own, and a copy of a string in Lua shares its
// bytes. Text that only looks like that of a caught error is a new error. The strings are known until the turn ends.

// caughtErrors are the strings that stand for caught errors: the last eight of a turn. So few suffice, because
// scripts throw an error again soon after they have caught it.
type caughtErrors struct {
	list [8]caughtText
	next int    // counts the strings; the next one is list[next%8]
	turn uint64 // the turn of the budget in which they were made
}

// caughtText is a string that stands for an error.
type caughtText struct {
	text  string
	err   *Error
	whole bool // the text is what pcall returned; otherwise a string that was made of it
}

// add makes t.text stand for t.err in this turn. Its bytes belong to no other string.
func (c *caughtErrors) add(turn uint64, t caughtText) {
	if c.turn != turn {
		*c = caughtErrors{turn: turn}
	}
	c.list[c.next%len(c.list)] = t
	c.next++
}

// find returns what text stands for, nil if it is not the string of a caught error.
func (c *caughtErrors) find(turn uint64, text string) *caughtText {
	if c.next == 0 || text == "" || c.turn != turn {
		return nil
	}
	for i := range c.list {
		t := &c.list[i]
		if len(t.text) == len(text) && unsafe.StringData(t.text) == unsafe.StringData(text) {
			return t
		}
	}
	return nil
}

// remember gives a string of its own to an error that a script catches.
func (s *State) remember(e *Error) {
	text, ok := e.Value.(lua.LString)
	if !ok || text == "" {
		return
	}
	own := strings.Clone(string(text))
	e.Value = lua.LString(own)
	s.caught.add(s.budget.Turn(), caughtText{own, e, true})
}

// inherit makes text, which a library function has just made from part, stand for the error that part stands for.
// Usually part stands for none; as long as nothing was caught, a call costs one comparison.
func (s *State) inherit(text, part lua.LString) {
	if s.caught.next == 0 {
		return
	}
	turn := s.budget.Turn()
	from := s.caught.find(turn, string(part))
	if from == nil || s.caught.find(turn, string(text)) != nil { // part .. "" has the bytes of part
		return
	}
	s.caught.add(turn, caughtText{string(text), from.err, false})
}

// inheritFrom is inherit with each argument of L that is a string.
func (s *State) inheritFrom(L *lua.LState, text lua.LString) {
	for i := 1; i <= L.GetTop() && s.caught.next > 0; i++ {
		if part, ok := L.Get(i).(lua.LString); ok {
			s.inherit(text, part)
		}
	}
}

// rethrow completes e, which a script has thrown with text as its message, from the error that the text stands for: its Go error; and if the text is as
// pcall returned it, its message and the position where it was first thrown.
func (s *State) rethrow(e *Error, text string) {
	c := s.caught.find(s.budget.Turn(), text)
	if c == nil {
		return
	}
	e.Cause = c.err.Cause
	if c.whole {
		e.Pos, e.Message = c.err.Pos, c.err.Message
	}
}
