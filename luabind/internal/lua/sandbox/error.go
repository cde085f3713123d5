package sandbox

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// This file has the error that leaves a State. raise.go makes it; package luabind adds system and frame to it.

// Pos is a line of a source file. The zero Pos means that no Lua function was running.
type Pos struct {
	File string // the chunk name
	Line int    // counted from 1
}

// String returns "movement.lua:9"; it is empty for the zero Pos.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Frame is one Lua function that was running when an error occurred.
type Frame struct {
	Func string // its name, at most 60 bytes; "" unless Kind is NamedFunction
	Kind FrameKind
	Pos  Pos // where it was
}

// A FrameKind says what kind of function a Frame is.
type FrameKind uint8

// The kinds of functions.
const (
	NamedFunction FrameKind = iota
	AnonymousFunction
	MainChunk // the code of a file outside all functions
)

// An Error says where and why a script failed. It is the only kind of error that leaves a State.
type Error struct {
	Pos     Pos     // the line to blame; zero if no Lua function was running
	Column  int     // counted from 1, of a syntax error; otherwise 0
	Message string  // one line without position, cut to a readable length
	Stack   []Frame // innermost first, through coroutines and pcalls; nil if it did not compile
	Cause   error   // the Go error behind it, or nil: errors.Is and As look at it

	// Value is what pcall returns to the script: a string with the position in front, or the value that the script
	// gave to error().
	Value lua.LValue

	fatal bool // a spent budget or a bug: no pcall may keep it
	chunk *Chunk
}

// Error returns one line: movement.lua:9: attempt to index a nil value (local "hp").
func (e *Error) Error() string {
	switch {
	case e.Pos.File == "":
		return e.Message
	case e.Column > 0:
		return fmt.Sprintf("%s:%d: %s", e.Pos, e.Column, e.Message)
	}
	return e.Pos.String() + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Excerpt returns the line that failed, with its number:
//
//	9 |   local hp = world:get(e, "Helth")
//
// The number is right-aligned to five columns. The text is empty if the source is not known.
func (e *Error) Excerpt() string {
	if e.chunk == nil || e.chunk.Name != e.Pos.File {
		return ""
	}
	return e.chunk.Excerpt(e.Pos.Line)
}

// A PanicError is a Go panic inside of a function that a script called: a bug of the program, not of the script.
// It is the Cause of an Error, and no pcall catches it.
type PanicError struct {
	Value any    // what was passed to panic; its text if it passed a coroutine
	Stack string // the Go stack, empty if a coroutine was in between
}

func (p *PanicError) Error() string { return fmt.Sprintf("bug: %v", p.Value) }

// GoStack returns Stack, for programs that cannot see this type and look for an interface with this method.
func (p *PanicError) GoStack() string { return p.Stack }

// Unwrap returns the value of the panic if it was an error.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// maxMessage is the largest number of bytes of a message. Scripts have thrown strings of 15 MB.
const maxMessage = 1000

// cut shortens a message to maxMessage, at the border of a rune, and says so in the text.
func cut(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	n := maxMessage
	for n > maxMessage-4 && n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return fmt.Sprintf("%s … (%d bytes more)", s[:n], len(s)-n)
}
