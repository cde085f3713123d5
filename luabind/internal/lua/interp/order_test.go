package interp

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// TestOrderOf says which functions are not called by table.sort. TestOrders in package sandbox compares what they do.
func TestOrderOf(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`return a.n < b.n`:   true,
		`return a[2] > b[2]`: true,
		`return a < b`:       true,
		`if a.n ~= b.n then return a.n > b.n end return a.id < b.id`:                              true,
		`return a.s < b.s or a.s == b.s and a.id > b.id`:                                          true,
		`if a.f ~= b.f then return a.f end return not b.f`:                                        true,
		`return rank[a.s] < rank[b.s]`:                                                            true,
		`local x, y = a.n, b.n if x == y then x, y = a.id, b.id end return x < y`:                 true,
		`if a.n < b.n then return true elseif a.n > b.n then return false end return a.id < b.id`: true,
		`return a.f and not b.f`:                                                                  true, `return a.f or b.f`: true, `return not (a.f and b.f)`: true, `return not nil`: true,
		`if a.f then return true end return a.n < b.n`:        true,
		`if a.f and b.f then return a.n < b.n end return a.f`: true,
		`local limit = 2 return a.n < limit`:                  true, `return not limit`: false, `return not true`: true,
		`local x = false if x then return true end return a.n < b.n`: true,
		`local x = a.n < b.n return x and a.f`:                       true,
		`return a.n`:                                                 true, `return`: true, `return true, false`: true, `return a, b`: false,
		`return f()`: false, `return ("x").y < b.n`: false,
		`rank = 1 return a.n < b.n`:    false,
		`a.n = 1 return a.n < b.n`:     false,
		`return f(a) < f(b)`:           false,
		`return a[b] < b[a]`:           false,
		`while a.n do end return true`: false,
		`return a.a < b.a or a.b < b.b or a.c < b.c or a.d < b.d or a.e < b.e or a.f < b.f or a.g < b.g or a.h < b.h or a.i < b.i`: false,
	} {
		p := compile(t, "local rank = {} return function(a, b) "+body+" end").FunctionPrototypes[0]
		if got := orderOf(p) != nil; got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
	for _, head := range []string{"function(a)", "function(a, b, c)", "function(a, ...)"} {
		if p := compile(t, "return "+head+" return true end").FunctionPrototypes[0]; orderOf(p) != nil {
			t.Errorf("%s is an order", head)
		}
	}
}

// An Ordering needs a few items, all with the same types of values, and makes a comparison without memory.
func TestOrdering(t *testing.T) {
	L := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer L.Close()
	fn := L.NewFunctionFromProto(compile(t, `return function(a, b) if a.n ~= b.n then return a.n > b.n end return a.s < b.s end`).FunctionPrototypes[0])
	m := newMachine()
	m.L = L
	list := func(n int) (items []lua.LValue) {
		for i := range n {
			item := L.NewTable()
			item.RawSetString("n", lua.LNumber(i%3))
			item.RawSetString("s", lua.LString(rune('a'+i%2)))
			items = append(items, item)
		}
		return items
	}
	if m.Ordering(L, fn, list(leastOrdering-1)) != nil {
		t.Error("few items have an ordering")
	}
	items := list(leastOrdering)
	g := m.Ordering(L, fn, items)
	if g == nil {
		t.Fatal("no ordering")
	}
	is, cost := g.Less(2, 1)
	same, costSame := g.Less(0, 3)
	if other, _ := g.Less(1, 2); !is || other || !same || cost >= costSame {
		t.Errorf("got %v and %v, %v, for %d and %d instructions", is, other, same, cost, costSame)
	}
	if n := testing.AllocsPerRun(10, func() { g.Less(0, 3) }); n != 0 {
		t.Errorf("a comparison makes %v objects", n)
	}
	for _, v := range []lua.LValue{lua.LString("x"), lua.LNil, L.NewTable()} {
		items[4].(*lua.LTable).RawSetString("n", v)
		if m.Ordering(L, fn, items) != nil {
			t.Errorf("an item with a %s where others have a number has an ordering", v.Type())
		}
	}
}
