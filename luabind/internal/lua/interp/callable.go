package interp

import lua "github.com/yuin/gopher-lua"

// Metamethods that are tables with __call. gopher-lua calls only functions for an operator; Lua 5.1 calls any value. So its instructions look
// for such a metamethod first, if an operand may have one.

// mayHave reports whether a value may have a metamethod that is no function.
func mayHave(v lua.LValue) bool {
	switch v := v.(type) {
	case *lua.LTable:
		return v.Metatable != lua.LNil
	case *lua.LUserData:
		return v.Metatable != lua.LNil
	}
	return false
}

// Callable reports whether a metamethod is a table or userdata that can be called.
func Callable(L *lua.LState, op lua.LValue) bool {
	switch op.(type) {
	case *lua.LTable, *lua.LUserData:
		_, ok := L.GetMetaField(op, "__call").(*lua.LFunction)
		return ok
	}
	return false
}

// calledWith returns the first result of a metamethod.
func calledWith(L *lua.LState, op, x, y lua.LValue) lua.LValue {
	L.Push(op)
	L.Push(x)
	L.Push(y)
	L.Call(2, 1)
	v := L.Get(-1)
	L.Pop(1)
	return v
}

// binaryCallable is the result of an operator whose metamethod is callable and no function; ok is false otherwise.
func binaryCallable(L *lua.LState, event string, x, y lua.LValue) (v lua.LValue, ok bool) {
	op := L.GetMetaField(x, event)
	if op == lua.LNil {
		op = L.GetMetaField(y, event)
	}
	if !Callable(L, op) {
		return nil, false
	}
	return calledWith(L, op, x, y), true
}

// comparedBy is binaryCallable for a comparison: both operands must have the same metamethod.
func comparedBy(L *lua.LState, event string, x, y lua.LValue) (result, ok bool) {
	if x.Type() != y.Type() {
		return false, false
	}
	op := L.GetMetaField(x, event)
	if op != L.GetMetaField(y, event) || !Callable(L, op) {
		return false, false
	}
	return lua.LVAsBool(calledWith(L, op, x, y)), true
}

// LessThan is x < y.
func LessThan(L *lua.LState, x, y lua.LValue) bool {
	if mayHave(x) {
		if less, ok := comparedBy(L, "__lt", x, y); ok {
			return less
		}
	}
	return L.LessThan(x, y)
}

// operandOf returns an operand of the instruction at hand.
func operandOf(th *thread, rk int) lua.LValue {
	if isConstant(rk) {
		return th.currentFrame.Fn.Proto.Constants[rk&^constantBit]
	}
	return th.reg.array[th.currentFrame.LocalBase+rk]
}

func init() {
	for op, event := range map[int]string{
		lua.OP_ADD: "__add", lua.OP_SUB: "__sub", lua.OP_MUL: "__mul", lua.OP_DIV: "__div", lua.OP_MOD: "__mod", lua.OP_POW: "__pow", lua.OP_UNM: "__unm",
	} {
		original := jumpTable[op]
		jumpTable[op] = func(L *lua.LState, inst uint32, base *callFrame) int {
			th, w := threadOf(L), word(inst)
			x := operandOf(th, w.b())
			y := x
			if op != lua.OP_UNM {
				y = operandOf(th, w.c())
			}
			if mayHave(x) || mayHave(y) {
				if v, ok := binaryCallable(L, event, x, y); ok {
					at := th.currentFrame.LocalBase + w.a()
					th.reg.array[at] = v
					th.reg.top = max(th.reg.top, at+1)
					return 0
				}
			}
			return original(L, inst, base)
		}
	}
	for op, compare := range map[int]func(*lua.LState, lua.LValue, lua.LValue) (bool, bool){
		lua.OP_EQ: func(L *lua.LState, x, y lua.LValue) (bool, bool) {
			if x == y {
				return false, false
			}
			return comparedBy(L, "__eq", x, y)
		},
		lua.OP_LT: func(L *lua.LState, x, y lua.LValue) (bool, bool) { return comparedBy(L, "__lt", x, y) },
		lua.OP_LE: func(L *lua.LState, x, y lua.LValue) (bool, bool) {
			if less, ok := comparedBy(L, "__le", x, y); ok {
				return less, true
			}
			if le := L.GetMetaField(x, "__le"); le != lua.LNil && le == L.GetMetaField(y, "__le") {
				return false, false
			}
			greater, ok := comparedBy(L, "__lt", y, x)
			return !greater, ok
		},
	} {
		original := jumpTable[op]
		jumpTable[op] = func(L *lua.LState, inst uint32, base *callFrame) int {
			th, w := threadOf(L), word(inst)
			if x := operandOf(th, w.b()); mayHave(x) {
				if result, ok := compare(L, x, operandOf(th, w.c())); ok {
					if result == (w.a() == 0) {
						th.currentFrame.Pc++
					}
					return 0
				}
			}
			return original(L, inst, base)
		}
	}
}
