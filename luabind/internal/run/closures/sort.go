package closures

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// table.sort: an ir.Sort. As in the interpreter, a copy of the list is sorted, and written back when that has ended. So the
// function that compares may look at the list, and change it.

// A sorted is an item of a list that is being sorted.
type sorted struct {
	value anyRegister
	lua   lua.LValue // the same, of a list of the script
}

// sort compiles ir.Sort.
func (c *compiler) sort(s *ir.Stmt) step {
	of, less, held := c.changed(s.A), c.sortedBy(s), new(ecs.Value)
	var memory []sorted
	var values []lua.LValue
	again := ir.Recurs(s)
	return func(f *frame) int {
		held, items := held, memory
		if again {
			held, items = new(ecs.Value), nil
		}
		list := of(f).Held(held)
		n := 0
		switch {
		case f.failed:
		case list.Lua != nil:
			n = interp.Length(list.Lua)
			f.failed = !f.mayChange(list.Lua) || list.Lua.Metatable != lua.LNil || n > sandbox.MaxList
		case list.Table != nil:
			length, _ := list.Length()
			n = int(length)
			f.failed = !list.Table.IsList()
		default:
			f.failed = true
		}
		if f.failed || !f.burn(int64(n)) {
			return stopped
		}
		items = slices.Grow(items[:0], n)[:n]
		if !again {
			memory = items
		}
		defer clear(items)
		for i := range items {
			it := &items[i]
			if list.Lua == nil {
				v, _ := list.Item(float64(i+1), true)
				it.value.set(v)
				continue
			}
			var v ecs.Value
			it.lua = list.Lua.RawGetInt(i + 1)
			it.value.set(f.refOf(it.lua, &v))
		}
		if f.failed || !sandbox.Sort(items, func(a, b sorted) (is, ok bool) { return less(f, &a, &b) }) {
			return stopped
		}
		if list.Lua != nil {
			values = values[:0]
			for i := range items {
				values = append(values, items[i].lua)
			}
			f.changes.SetList(list.Lua, values)
			clear(values)
			return next
		}
		if list.Table.Escaped() {
			f.blames(putsWalked)
			return stopped
		}
		for i := range items {
			key := ecs.Number(float64(i + 1))
			if !list.Table.Set(draft.Ref{Value: &key}, items[i].value.ref()) {
				return stopped
			}
		}
		return f.settle()
	}
}

// sortedBy compiles the comparison of two items. It is not ok if the row has to be left to the interpreter.
func (c *compiler) sortedBy(s *ir.Stmt) func(f *frame, a, b *sorted) (is, ok bool) {
	price, i, j := s.Price, s.I, s.J
	if s.B == nil {
		return func(f *frame, a, b *sorted) (is, ok bool) {
			if !f.burn(price) {
				return false, false
			}
			is = f.lessOf(a.value.ref(), b.value.ref())
			return is, !f.failed
		}
	}
	body, test := c.sequence(s.Body), c.condition(s.B)
	c.fails(s.B)
	return func(f *frame, a, b *sorted) (is, ok bool) {
		if !f.burn(price) {
			return false, false
		}
		f.a[i], f.a[j] = a.value, b.value
		if body(f) != next {
			return false, false
		}
		is = test(f)
		return is, !f.failed
	}
}
