package interp

import (
	"context"
	"fmt"
	"reflect"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua keeps its call frames, its registers and the parts of a table in
// unexported fields. This file mirrors them. checkLayout compares each mirror with
// the real type when the program starts, so that another version of gopher-lua
// cannot be misread in silence.

// callFrame mirrors gopher-lua's record of a running function.
type callFrame struct {
	Idx        int
	Fn         *lua.LFunction
	Parent     *callFrame
	Pc         int // of the next instruction
	Base       int
	LocalBase  int // the register of gopher-lua that local 0 has
	ReturnBase int
	NArgs      int
	NRet       int
	TailCall   int
}

// frameStack mirrors gopher-lua's stack of a fixed size.
type frameStack struct {
	array []callFrame
	sp    int
}

// registry mirrors the registers of gopher-lua. They hold the arguments and results
// of Go functions, and a frame's values while gopher-lua runs an instruction of it.
type registry struct {
	array []lua.LValue
	top   int
	// More fields follow, which nothing here needs.
}

// thread mirrors lua.LState.
type thread struct {
	G       *lua.Global
	Parent  *lua.LState
	Env     *lua.LTable
	Panic   func(*lua.LState)
	Dead    bool
	Options lua.Options

	stop         int32
	reg          *registry
	stack        iface
	alloc        unsafe.Pointer
	currentFrame *callFrame
	wrapped      bool
	uvcache      *lua.Upvalue
	hasErrorFunc bool
	mainLoop     func(*lua.LState, *callFrame)
	ctx          context.Context
	ctxCancelFn  context.CancelFunc
}

// table mirrors lua.LTable.
type table struct {
	Metatable lua.LValue

	array   []lua.LValue
	dict    map[lua.LValue]lua.LValue
	strdict map[string]lua.LValue
	keys    []lua.LValue
	k2i     map[lua.LValue]int
}

// upvalue mirrors lua.Upvalue.
type upvalue struct {
	//lint:ignore U1000 the check at the start of the program compares the names of all fields
	next   *lua.Upvalue
	reg    *registry
	index  int
	value  lua.LValue
	closed bool
}

// iface is how Go lays out an interface with methods.
type iface struct {
	tab  unsafe.Pointer
	data unsafe.Pointer
}

func threadOf(L *lua.LState) *thread { return (*thread)(unsafe.Pointer(L)) }

// fixedFrames is the type of a stack of frames of a fixed size. Coroutines have another one.
var fixedFrames = threadOf(lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 1, RegistrySize: 1})).stack.tab

// TakeFrames gives a new thread the stack of frames of a thread that is no longer used. Both have one of a fixed size.
func TakeFrames(to, from *lua.LState) {
	threadOf(to).stack = threadOf(from).stack
	frames := threadOf(to).frames()
	clear(frames.array[:min(frames.sp+1, len(frames.array))])
	frames.sp = 0
}

// Empty makes a thread of a Machine that an error has left one on which nothing runs.
func Empty(L *lua.LState) {
	th := threadOf(L)
	th.frames().sp, th.currentFrame = 0, nil
	clear(th.reg.array[:min(th.reg.top, len(th.reg.array))])
	th.reg.top = 0
}

// Depth returns the number of calls that are running on a thread. The Go function that asks does not count, in neither of its forms.
func Depth(L *lua.LState) int {
	th := threadOf(L)
	if th.stack.tab != fixedFrames {
		switch f := th.currentFrame; {
		case f == nil:
			return 0
		case f.Fn.IsG:
			return f.Idx
		default:
			return f.Idx + 1
		}
	}
	frames := th.frames()
	if frames.sp > 0 && frames.array[frames.sp-1].Fn.IsG {
		return frames.sp - 1
	}
	return frames.sp
}

// Room returns how many calls fit within one another on a thread, inside those that are running.
func Room(L *lua.LState) int {
	th := threadOf(L)
	if th.stack.tab != fixedFrames {
		return L.Options.CallStackSize - Depth(L)
	}
	return th.mostFrames() - Depth(L)
}

func tableOf(t *lua.LTable) *table     { return (*table)(unsafe.Pointer(t)) }
func (th *thread) frames() *frameStack { return (*frameStack)(th.stack.data) }

// jumpTable has gopher-lua's own implementation of each instruction. What the
// interpreter of this package does not do itself is done there (slow.go).
//
//go:linkname jumpTable github.com/yuin/gopher-lua.jumpTable
var jumpTable [lua.OP_NOP + 1]func(*lua.LState, uint32, *callFrame) int

// A program with a gopher-lua that this package does not know must not start.
func init() {
	if err := checkLayout(); err != nil {
		panic(err)
	}
}

// checkLayout compares the mirrors with gopher-lua's types.
func checkLayout() error {
	state := reflect.TypeFor[lua.LState]()
	if err := same("LState", state, reflect.TypeFor[thread](), 3); err != nil {
		return err
	}
	if err := same("LTable", reflect.TypeFor[lua.LTable](), reflect.TypeFor[table](), 1); err != nil {
		return err
	}
	if err := same("Upvalue", reflect.TypeFor[lua.Upvalue](), reflect.TypeFor[upvalue](), 0); err != nil {
		return err
	}
	for i, op := range jumpTable {
		if op == nil {
			return fmt.Errorf("interp: gopher-lua has no instruction %d", i)
		}
	}
	return nil
}

// same compares two structs field by field. depth is how far pointers are followed.
func same(name string, theirs, ours reflect.Type, depth int) error {
	if whole := ours != reflect.TypeFor[registry](); theirs.NumField() < ours.NumField() || whole && theirs.Size() != ours.Size() {
		return fmt.Errorf("interp: gopher-lua's %s has %d fields, not %d", name, theirs.NumField(), ours.NumField())
	}
	for i := range ours.NumField() {
		a, b := theirs.Field(i), ours.Field(i)
		if a.Name != b.Name || a.Offset != b.Offset || a.Type.Size() != b.Type.Size() {
			return fmt.Errorf("interp: gopher-lua's %s differs in field %s", name, b.Name)
		}
		if depth > 0 && a.Type.Kind() == reflect.Pointer && b.Type.Kind() == reflect.Pointer &&
			a.Type != b.Type && b.Type.Elem().Kind() == reflect.Struct {
			if err := same(name+"."+a.Name, a.Type.Elem(), b.Type.Elem(), depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkThread reports whether the stack of frames of a thread is the one that
// frameStack mirrors: gopher-lua has another one for states that save memory.
func checkThread(L *lua.LState) error {
	field, ok := reflect.TypeFor[lua.LState]().FieldByName("stack")
	if !ok {
		return fmt.Errorf("interp: gopher-lua's LState has no stack of frames")
	}
	v := reflect.ValueOf(L).Elem().FieldByIndex(field.Index).Elem()
	if v.Kind() != reflect.Pointer {
		return fmt.Errorf("interp: gopher-lua's stack of frames is no pointer")
	}
	stack := v.Type().Elem()
	if err := same("fixedCallFrameStack", stack, reflect.TypeFor[frameStack](), 0); err != nil {
		return err
	}
	return same("callFrame", stack.Field(0).Type.Elem(), reflect.TypeFor[callFrame](), 0)
}
