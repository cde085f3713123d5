package luabind

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// Stacks of Lua functions. The frames stay data until they are printed: [ScriptError] has them as they are,
// [Traceback] makes text of them.

// A StackFrame is one Lua function that was running when a script failed. Go functions that scripts call have no frame.
type StackFrame struct {
	File     string // as [ScriptError.File]
	Line     int    // where it was, counted from 1
	Function string // its name in the source, at most 60 bytes; "" unless Kind is NamedFunction
	Kind     FrameKind
}

// A FrameKind says what kind of function a StackFrame is.
type FrameKind uint8

// The kinds of functions.
const (
	NamedFunction     = FrameKind(sandbox.NamedFunction)     // the source names it: where it is made, or else where it is called
	AnonymousFunction = FrameKind(sandbox.AnonymousFunction) // the source has no name for it
	MainChunk         = FrameKind(sandbox.MainChunk)         // the code of a file outside all functions
)

// String returns the frame as a traceback shows it: "update (movement.lua:9)".
func (f StackFrame) String() string {
	name := f.Function
	switch f.Kind {
	case AnonymousFunction:
		name = "anonymous function"
	case MainChunk:
		name = "main chunk"
	}
	if f.File == "" {
		return name
	}
	return fmt.Sprintf("%s (%s:%d)", name, f.File, f.Line)
}

// Traceback returns a stack as text for people: one line for each frame, innermost first, without indentation. Of
// more than 21 frames it leaves out the middle, and one line says how many are left out. It is nil for an empty
// stack.
func Traceback(stack []StackFrame) []string {
	const head, tail = 12, 8
	var lines []string
	for i, f := range stack {
		if len(stack) > head+tail+1 && i >= head && i < len(stack)-tail {
			if i == head {
				lines = append(lines, fmt.Sprintf("... %d more", len(stack)-head-tail))
			}
			continue
		}
		lines = append(lines, f.String())
	}
	return lines
}

// stackOf converts the frames of an error of the sandbox.
func stackOf(frames []sandbox.Frame) []StackFrame {
	var stack []StackFrame
	for _, f := range frames {
		stack = append(stack, StackFrame{File: f.Pos.File, Line: f.Pos.Line, Function: f.Func, Kind: FrameKind(f.Kind)})
	}
	return stack
}
