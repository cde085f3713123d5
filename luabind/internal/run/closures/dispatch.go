package closures

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	lua "github.com/yuin/gopher-lua"
)

// Dynamic dispatch: an ir.Invoke looks up a method or a metamethod as Lua does, and gives its place among the functions that
// the Program has inlined (lower/dispatch.go). A row that finds another function is left to the interpreter.

// A chooser is the table of one such place: it maps the function that a row finds to its place.
type chooser struct {
	name    string
	numbers []int // by place: the numbers of functions, from 1 on
	out     int   // the register of the result
	places  []ecs.Value
}

// newChooser makes the chooser of a statement whose first operands are objects.
func newChooser(s *ir.Stmt, objects int) *chooser {
	c := &chooser{name: s.Args[objects].A.S, out: s.I, places: []ecs.Value{ecs.Number(0)}}
	for i, x := range s.Args[objects+1:] {
		c.numbers = append(c.numbers, int(x.A.N))
		c.places = append(c.places, ecs.Number(float64(i+1)))
	}
	return c
}

// choose sets the result to the place of a function.
func (c *chooser) choose(f *frame, v lua.LValue) int {
	fn, ok := v.(*lua.LFunction)
	if !ok || f.failed {
		return stopped
	}
	for i, n := range c.numbers {
		if n <= len(f.functions) && SameFunction(f.functions[n-1], fn) {
			return c.give(f, i+1)
		}
	}
	return stopped
}

// SameFunction reports whether two functions do the same: the script may have made one anew in each turn, from the same place of its source and with
// the same variables around it.
func SameFunction(a, b *lua.LFunction) bool {
	return a == b || a.Proto == b.Proto && a.Proto != nil && a.Env == b.Env && slices.Equal(a.Upvalues, b.Upvalues)
}

// give sets the result; 0 stands for no function.
func (c *chooser) give(f *frame, place int) int {
	f.a[c.out].set(draft.Ref{Value: &c.places[place]})
	return next
}

// invokeMethod compiles the lookup of a method.
func invokeMethod(s *ir.Stmt, object refFn) step {
	c := newChooser(s, 1)
	field := newLuaField(c.name)
	return func(f *frame) int {
		r := object(f)
		if f.failed || r.Lua == nil {
			return stopped
		}
		return c.choose(f, field.value(f, r.Lua))
	}
}

// invokeValue compiles the call of a value: a function, or a table that is called with the function of an event.
func invokeValue(s *ir.Stmt, value refFn) step {
	c := newChooser(s, 1)
	return func(f *frame) int {
		r := value(f)
		switch {
		case f.failed:
			return stopped
		case c.name == "" && r.Other != nil:
			return c.choose(f, r.Other.LValue)
		case c.name != "" && r.Lua != nil:
			return c.choose(f, handlerOf(r.Lua, c.name))
		}
		return stopped
	}
}

// invokeOperator compiles the lookup of the metamethod of an operator. A unary operator has nil as its second operand. The
// result is 0 if no operand is a table, and for the length of a table without __len.
func invokeOperator(s *ir.Stmt, left, right refFn) step {
	c := newChooser(s, 2)
	return func(f *frame) int {
		a := left(f).Lua
		b := right(f).Lua
		if f.failed {
			return stopped
		}
		if a == nil && b == nil {
			return c.give(f, 0)
		}
		handler := lua.LValue(lua.LNil)
		if a != nil {
			handler = handlerOf(a, c.name)
		}
		if handler == lua.LNil && b != nil {
			handler = handlerOf(b, c.name)
		}
		if handler == lua.LNil && c.name == "__len" {
			return c.give(f, 0) // the length of the table itself
		}
		return c.choose(f, handler)
	}
}

// invokeComparison compiles the lookup of the function of a comparison. Lua calls it for two tables that have the same one.
// The result is 0 if the operands are compared without a function.
func invokeComparison(s *ir.Stmt, left, right refFn) step {
	c := newChooser(s, 2)
	equality := c.name == "__eq"
	return func(f *frame) int {
		a := left(f).Lua
		b := right(f).Lua
		switch {
		case f.failed:
			return stopped
		case a == nil && b == nil, equality && (a == nil || b == nil || a == b):
			return c.give(f, 0)
		case a == nil || b == nil:
			return stopped
		}
		handler, other := handlerOf(a, c.name), handlerOf(b, c.name)
		switch {
		case equality && handler == lua.LNil && other == lua.LNil:
			return c.give(f, 0)
		case handler != other:
			return stopped
		}
		return c.choose(f, handler)
	}
}

// invokeIndex compiles the lookup of a function in __index or __newindex for a key of a table. The first result is the place
// of the function, 0 where none is called. The second is the table in whose metatable the function is.
func invokeIndex(s *ir.Stmt, object, key refFn) step {
	c := newChooser(s, 2)
	return func(f *frame) int {
		t := object(f).Lua
		k, ok := f.luaOf(key(f))
		if f.failed || !ok {
			return stopped
		}
		f.a[s.I+1].set(draft.Ref{Value: &draft.Nil})
		if t == nil || k == lua.LNil {
			return c.give(f, 0)
		}
		for range mostBases {
			if t.RawGet(k) != lua.LNil || t.Metatable == lua.LNil {
				return c.give(f, 0)
			}
			meta, ok := t.Metatable.(*lua.LTable)
			if !ok {
				return stopped
			}
			switch handler := meta.RawGetString(c.name).(type) {
			case *lua.LNilType:
				return c.give(f, 0)
			case *lua.LTable:
				t = handler
			case *lua.LFunction:
				f.a[s.I+1].set(draft.LuaTable(t))
				return c.choose(f, handler)
			default:
				return stopped
			}
		}
		return stopped
	}
}

// handlerOf returns the metamethod of a table with this name; nil of Lua if there is none.
func handlerOf(t *lua.LTable, event string) lua.LValue {
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return lua.LNil
	}
	return meta.RawGetString(event)
}

// invokeSetMetatable compiles a call of setmetatable.
func invokeSetMetatable(args []refFn) step {
	return func(f *frame) int {
		t := f.escaped(args[0](f))
		meta := args[1](f)
		if f.failed || t == nil || meta.Lua == nil && !meta.IsNil() || f.changes.Len() > mostUndone {
			return stopped
		}
		if _, constant := f.constants[t]; constant {
			return stopped
		}
		if _, guarded := f.guarded[t]; guarded {
			return stopped
		}
		if old, ok := t.Metatable.(*lua.LTable); ok && old.RawGetString("__metatable") != lua.LNil {
			return stopped
		}
		v, ok := f.luaOf(meta)
		if !ok {
			return stopped
		}
		f.changes.SetMetatable(t, v)
		return next
	}
}

// invokeGetMetatable compiles a call of getmetatable with a table.
func invokeGetMetatable(s *ir.Stmt, object refFn) step {
	held := new(ecs.Value)
	return func(f *frame) int {
		t := object(f).Lua
		if f.failed || t == nil {
			return stopped
		}
		v := t.Metatable
		if meta, ok := v.(*lua.LTable); ok {
			if shown := meta.RawGetString("__metatable"); shown != lua.LNil {
				v = shown
			}
		}
		f.a[s.I].set(f.refOf(v, held))
		if f.failed {
			return stopped
		}
		return next
	}
}

// invokeRawGet compiles a call of rawget.
func invokeRawGet(s *ir.Stmt, args []refFn) step {
	held := new(ecs.Value)
	return func(f *frame) int {
		t := f.escaped(args[0](f))
		key, ok := f.luaOf(args[1](f))
		if f.failed || !ok || t == nil {
			return stopped
		}
		f.a[s.I].set(f.refOf(t.RawGet(key), held))
		if f.failed {
			return stopped
		}
		return next
	}
}

// invokeRawSet compiles a call of rawset.
func invokeRawSet(args []refFn) step {
	return func(f *frame) int {
		t := f.escaped(args[0](f))
		key := args[1](f)
		v := args[2](f)
		if f.failed || t == nil {
			return stopped
		}
		return f.rawPut(t, key, v)
	}
}
