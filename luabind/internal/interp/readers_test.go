package interp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// A FieldsReader gives the right values for each table, also when its names differ from those of the table before.
func TestFieldsReader(t *testing.T) {
	names := []string{"x", "y", "e", "none", "", "long name", "k7"}
	r := NewFieldsReader(names...)
	random := rand.New(rand.NewPCG(1, 2))
	layout := NewLayout(lua.LString("y"), lua.LString("e"))
	out := make([]lua.LValue, len(names))
	alike := 0
	for n := range 3000 {
		table := &lua.LTable{}
		switch random.IntN(5) {
		case 0:
		case 1:
			for i := range random.IntN(12) { // gopher-lua makes a large map
				table.RawSetString(fmt.Sprint("k", i), lua.LNumber(i))
			}
		case 2:
			for i := range random.IntN(12) {
				tableOf(table).add(lua.LString(fmt.Sprint("k", i)), lua.LNumber(i))
			}
		case 3:
			for _, name := range names[:random.IntN(len(names))] {
				tableOf(table).add(lua.LString(name), lua.LNumber(n))
			}
			table.RawSetString("x", lua.LNil)
		case 4:
			if layout != nil {
				m := layout.Table(0)
				m.Set(lua.LString("y"), lua.LNumber(1))
				m.Set(lua.LString("e"), lua.LNumber(2))
				table = m.Table()
			}
		}
		if random.IntN(3) == 0 {
			table.RawSetString(string([]byte("e")), lua.LTrue) // equal text at another address
		}
		for range 2 {
			r.Get(table, out)
			for i, name := range names {
				if want := table.RawGetString(name); out[i] != want {
					t.Fatalf("table %d: %q is %v, want %v", n, name, out[i], want)
				}
			}
		}
		if group, size := groupsOf(tableOf(table).strdict); group != nil && size == groupSize && r.same(group) {
			alike++
		}
	}
	if mapsKnown && alike < 300 {
		t.Errorf("%d tables were read at once", alike)
	}
}

// Two names may begin at one address, as those that string.sub makes.
func TestFieldsReaderOfParts(t *testing.T) {
	name := "long name"
	r := NewFieldsReader(name, name[:4])
	for _, n := range []int{9, 4, 9} {
		table := &table{}
		table.add(lua.LString(name[:n]), lua.LTrue)
		out := make([]lua.LValue, 2)
		if r.Get(asLua(table), out); out[0] == lua.LTrue != (n == 9) || out[1] == lua.LTrue != (n == 4) {
			t.Errorf("a name of %d bytes: got %v", n, out)
		}
	}
}

// An Ordered visits what pairs gives, in the same order.
func TestOrdered(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var o Ordered
	for n := range 300 {
		table := &lua.LTable{}
		for range random.IntN([]int{3, 60, 70, 800}[n%4]) {
			var key lua.LValue = lua.LNumber(1<<32 + random.IntN(900))
			switch random.IntN(6) {
			case 0:
				key = lua.LNumber(random.IntN(9) - 1)
			case 1:
				key = lua.LNumber(random.Float64())
			case 2:
				key = lua.LString(fmt.Sprint(random.IntN(9)))
			case 3:
				key = lua.LBool(random.IntN(2) == 0)
			}
			var value lua.LValue = lua.LNumber(random.IntN(100))
			if random.IntN(4) == 0 {
				value = lua.LNil
			}
			table.RawSet(key, value)
		}
		var want, got []string
		for k, v := table.Next(lua.LNil); k != lua.LNil; k, v = table.Next(k) {
			if key, ok := k.(lua.LNumber); ok {
				want = append(want, fmt.Sprint(float64(key), v))
			}
		}
		o.Each(table, func(key float64, x lua.LValue) { got = append(got, fmt.Sprint(key, x)) })
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("table %d: got %v, want %v", n, got, want)
		}
	}
}
