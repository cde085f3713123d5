package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Functions that are made while code runs, and the variables that they capture.

// A closed is a function in one piece with its list of captured variables. U is an array of them.
type closed[U any] struct {
	fn       lua.LFunction
	upvalues U
}

func newClosed[U any](n int) (*lua.LFunction, *lua.Upvalue) {
	f := new(closed[U])
	f.fn.Upvalues = unsafe.Slice((**lua.Upvalue)(unsafe.Pointer(&f.upvalues)), n)
	return &f.fn, nil
}

// A closedBox is a closed with one of the variables.
type closedBox[U any] struct {
	closed[U]
	box lua.Upvalue
}

func newClosedBox[U any](n int) (*lua.LFunction, *lua.Upvalue) {
	f := new(closedBox[U])
	f.fn.Upvalues = unsafe.Slice((**lua.Upvalue)(unsafe.Pointer(&f.upvalues)), n)
	return &f.fn, &f.box
}

// closers make functions, by whether a variable is in one piece with them, and by how many they capture.
var closers = [2][5]func(n int) (*lua.LFunction, *lua.Upvalue){
	{1: newClosed[[1]*lua.Upvalue], 2: newClosed[[2]*lua.Upvalue], 3: newClosed[[3]*lua.Upvalue], 4: newClosed[[4]*lua.Upvalue]},
	{1: newClosedBox[[1]*lua.Upvalue], 2: newClosedBox[[2]*lua.Upvalue], 3: newClosedBox[[3]*lua.Upvalue], 4: newClosedBox[[4]*lua.Upvalue]},
}

// newFunction makes a function that captures n variables. If fresh is 1, box is a new one.
func newFunction(n, fresh int) (fn *lua.LFunction, box *lua.Upvalue) {
	switch {
	case n == 0:
		return new(lua.LFunction), nil
	case n < len(closers[fresh]):
		return closers[fresh][n](n)
	}
	return &lua.LFunction{Upvalues: make([]*lua.Upvalue, n)}, nil
}

// closure makes a function. The registers that it captures, which the instructions from pc on list, become captured
// variables.
func (m *Machine) closure(act *activation, index, pc int, r unsafe.Pointer) *lua.LFunction {
	outer := act.frame.Fn
	proto := outer.Proto.FunctionPrototypes[index]
	n, fresh := int(proto.NumUpvalues), 0
	words := outer.Proto.Code[pc : pc+n]
	for _, w := range words {
		if word(w).op() != lua.OP_GETUPVAL && (act.boxes == nil || act.boxes[word(w).b()] == nil) {
			fresh = 1
		}
	}
	fn, box := newFunction(n, fresh)
	fn.Env, fn.Proto = outer.Env, proto
	for i, w := range words {
		w := word(w)
		if w.op() == lua.OP_GETUPVAL {
			fn.Upvalues[i] = outer.Upvalues[w.b()]
			continue
		}
		if act.boxes == nil {
			act.boxes = make([]*lua.Upvalue, act.code.size)
		}
		if act.boxes[w.b()] == nil {
			if box == nil {
				box = &lua.Upvalue{}
			}
			box.SetValue(m.boxes.value(at(r, w.b()))) // it belongs to no register of gopher-lua, which takes it for a closed upvalue
			act.boxes[w.b()], box = box, nil
		}
		fn.Upvalues[i] = act.boxes[w.b()]
	}
	return fn
}

// loadBox sets a register to the value of the variable that was captured in it.
func (act *activation) loadBox(register int) {
	if box := act.boxes[register]; box != nil {
		*at(act.r, register) = Of(box.Value())
	}
}

// storeBox sets a captured variable to the value of its register.
func (act *activation) storeBox(register int, b *boxes) {
	if box := act.boxes[register]; box != nil {
		box.SetValue(b.value(at(act.r, register)))
	}
}
