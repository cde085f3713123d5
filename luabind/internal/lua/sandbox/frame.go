package sandbox

import (
	"fmt"
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// callFrame has the layout of gopher-lua's unexported call frame. Errors need the instruction at which a function
// has stopped, to name the variable that was nil; yield needs the chain of frames, to refuse crossing Go code. The
// public debug interface has neither. Frames are only read here, and checkFrameLayout compares the layout with the
// real one when the package starts.
type callFrame struct {
	Idx        int
	Fn         *lua.LFunction
	Parent     *callFrame
	Pc         int // of the next instruction
	Base       int
	LocalBase  int
	ReturnBase int
	NArgs      int
	NRet       int
	TailCall   int
}

// frameOffset is the offset of the current frame in gopher-lua's LState.
var frameOffset uintptr

func init() { checkFrameLayout() }

// checkFrameLayout finds frameOffset by reflection and panics if the layout of a frame is not the expected one.
func checkFrameLayout() {
	field, ok := reflect.TypeFor[lua.Debug]().FieldByName("frame")
	if !ok || field.Offset != 0 || field.Type.Kind() != reflect.Pointer {
		panic("sandbox: lua.Debug no longer starts with its call frame")
	}
	current, ok := reflect.TypeFor[lua.LState]().FieldByName("currentFrame")
	if !ok || current.Type != field.Type {
		panic("sandbox: gopher-lua no longer keeps its current frame")
	}
	frameOffset = current.Offset
	theirs, ours := field.Type.Elem(), reflect.TypeFor[callFrame]()
	if theirs.NumField() != ours.NumField() {
		panic("sandbox: gopher-lua's call frame has other fields")
	}
	for i := range ours.NumField() {
		a, b := ours.Field(i), theirs.Field(i)
		if a.Name != b.Name || a.Offset != b.Offset || a.Type.Kind() != b.Type.Kind() {
			panic(fmt.Sprintf("sandbox: gopher-lua's call frame differs in field %s", a.Name))
		}
	}
}

// topFrame returns the frame in which L is, nil if nothing runs on L. Frames are reused for later calls: the
// result is valid until L continues.
func topFrame(L *lua.LState) *callFrame {
	dbg, ok := L.GetStack(0)
	if !ok {
		return nil
	}
	return *(**callFrame)(unsafe.Pointer(dbg))
}

// A Site is a call in the code of a script. It is comparable, and the same each time the call is made.
type Site struct {
	proto *lua.FunctionProto
	pc    int
}

// CallSite returns where the innermost Lua function of L is, the zero Site if none runs. It allocates nothing.
func CallSite(L *lua.LState) Site {
	f := *(**callFrame)(unsafe.Add(unsafe.Pointer(L), frameOffset))
	for f != nil && f.Fn.IsG {
		f = f.Parent
	}
	if f == nil {
		return Site{}
	}
	return Site{f.Fn.Proto, f.Pc}
}

// Pos returns the line of the site, the zero Pos of the zero Site.
func (s Site) Pos() Pos {
	if s.proto == nil {
		return Pos{}
	}
	f := callFrame{Fn: &lua.LFunction{Proto: s.proto}, Pc: s.pc}
	return f.pos()
}

// line returns the source line at which f is, 0 in a Go function.
func (f *callFrame) line() int {
	if f.Fn.IsG {
		return 0
	}
	if pc := f.Pc - 1; pc >= 0 && pc < len(f.Fn.Proto.DbgSourcePositions) {
		return f.Fn.Proto.DbgSourcePositions[pc]
	}
	return f.Fn.Proto.LineDefined // a call that failed before its first instruction
}

// pos returns where f is, the zero Pos in a Go function.
func (f *callFrame) pos() Pos {
	if f.Fn.IsG {
		return Pos{}
	}
	return Pos{File: f.Fn.Proto.SourceName, Line: f.line()}
}

// luaFrame returns the frame of the innermost Lua function of L, to which a message points.
func luaFrame(L *lua.LState) *callFrame {
	f := topFrame(L)
	for f != nil && f.Fn.IsG {
		f = f.Parent
	}
	return f
}

// caller returns the chunk of the innermost Lua function of L; nil if there is none.
func (s *State) caller(L *lua.LState) *Chunk {
	if f := luaFrame(L); f != nil {
		return ChunkOf(f.Fn.Proto)
	}
	return nil
}

// Callers returns the chunks of the running Lua functions, innermost first, through coroutines and pcalls, until found returns true.
func (s *State) Callers(found func(*Chunk) bool) {
	for i := len(s.active) - 1; i >= 0; i-- {
		for f := topFrame(s.active[i]); f != nil; f = f.Parent {
			if c := ChunkOf(f.Fn.Proto); c != nil && found(c) {
				return
			}
		}
	}
}

// An instruction in the Lua 5.1 format that gopher-lua uses.
type instruction uint32

func (i instruction) op() int { return int(i >> 26) }
func (i instruction) a() int  { return int(i>>18) & 0xff }
func (i instruction) b() int  { return int(i & 0x1ff) }
func (i instruction) c() int  { return int(i>>9) & 0x1ff }
func (i instruction) bx() int { return int(i & 0x3ffff) }

// instr returns the instruction that f is executing, with its index; ok is false in a Go function.
func (f *callFrame) instr() (in instruction, pc int, ok bool) {
	pc = f.Pc - 1
	if f.Fn.IsG || pc < 0 || pc >= len(f.Fn.Proto.Code) {
		return 0, 0, false
	}
	return instruction(f.Fn.Proto.Code[pc]), pc, true
}

// setA writes the A operand of the instruction at pc, which only the repair of
// goto does (a compiled function is otherwise left as it came).
func setA(p *lua.FunctionProto, pc, a int) {
	p.Code[pc] = p.Code[pc]&^(0xff<<18) | uint32(a)<<18
}
