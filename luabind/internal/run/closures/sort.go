package closures

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/draft"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// table.sort: an ir.Sort. As in the interpreter, a copy of the list is sorted, and written back when that has ended. So the
// function that compares may look at the list, and change it.

// A sorted is an item of a list that is being sorted.
type sorted struct {
	value anyRegister
}

// sort compiles ir.Sort.
func (c *compiler) sort(s *ir.Stmt) step {
	of, less, held := c.ref(s.A, true), c.sortedBy(s), new(ecs.Value)
	var memory []sorted
	return func(f *frame) int {
		list := of(f).Held(held)
		n := 0
		switch {
		case f.failed:
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
		memory = slices.Grow(memory[:0], n)[:n]
		items := memory
		defer clear(items)
		for i := range items {
			v, _ := list.Item(float64(i+1), true)
			items[i].value.set(v)
		}
		if f.failed || !sandbox.Sort(items, func(a, b sorted) (is, ok bool) { return less(f, &a, &b) }) {
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
