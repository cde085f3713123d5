package interp

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// An Ordered visits what pairs gives when the table has changed since the last walk, in any way in which code can change one.
func TestOrderedAgain(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 5))
		var o Ordered
		table := &lua.LTable{}
		key := func() lua.LValue {
			switch random.IntN(40) {
			case 0:
				return lua.LBool(random.IntN(2) == 0)
			case 1:
				return lua.LNumber(0)
			case 2:
				return lua.LString(fmt.Sprint(random.IntN(4)))
			}
			return lua.LNumber(1<<32 + random.IntN([]int{90, 300, 2000}[seed%3]))
		}
		for step := range 80 {
			switch changes := random.IntN(5); {
			case step == 0 && seed%4 != 3:
				for range 500 {
					table.RawSet(lua.LNumber(1<<32+random.IntN(400)), lua.LNumber(1))
				}
			default:
				for range changes {
					var v lua.LValue = lua.LNumber(random.IntN(100))
					if random.IntN(3) == 0 {
						v = lua.LNil
					}
					table.RawSet(key(), v)
				}
			}
			type entry struct {
				key   float64
				value lua.LValue
			}
			var want, got []entry
			for k, v := table.Next(lua.LNil); k != lua.LNil; k, v = table.Next(k) {
				if key, ok := k.(lua.LNumber); ok {
					want = append(want, entry{float64(key), v})
				}
			}
			o.Each(table, func(key float64, x lua.LValue) { got = append(got, entry{key, x}) })
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d: got %v, want %v", seed, step, got, want)
			}
			seen, wanted := map[entry]bool{}, map[entry]bool{}
			for _, e := range want {
				wanted[e] = true
			}
			EachNumber(table, func(key float64, x lua.LValue) {
				if e := (entry{key, x}); seen[e] || !wanted[e] {
					t.Fatalf("seed %d, step %d: EachNumber visits %v", seed, step, e)
				} else {
					seen[e] = true
				}
			})
			if len(seen) != len(want) {
				t.Fatalf("seed %d, step %d: EachNumber visits %d values, want %d", seed, step, len(seen), len(want))
			}
		}
	}
}

// An Ordered forgets one table for another one, even if the other one has the same keys.
func TestOrderedOfTwoTables(t *testing.T) {
	var o Ordered
	tables := [2]lua.LTable{}
	for i := range tables {
		for n := range 100 {
			tables[i].RawSet(lua.LNumber(1<<32+n), lua.LNumber(i))
		}
	}
	for round := range 6 {
		o.Each(&tables[round/2%2], func(key float64, x lua.LValue) {
			if x != lua.LNumber(round/2%2) {
				t.Fatalf("round %d: got %v at %v", round, x, key)
			}
		})
	}
}

// A key whose value is where that of a removed key was is not taken for the removed one.
func TestOrderedOfReusedEntries(t *testing.T) {
	reused := 0
	for n := range 400 {
		var o Ordered
		table := &lua.LTable{}
		for i := range 100 {
			table.RawSet(lua.LNumber(1<<32+i), lua.LNumber(i))
		}
		back, gone := lua.LNumber(1<<32+n%100), lua.LNumber(1<<32+(n*7+3)%100)
		if back == gone {
			continue
		}
		entries := func(key lua.LNumber) (at *dictEntry) {
			eachEntry(tableOf(table).dict, func(e *dictEntry) {
				if e.key == key {
					at = e
				}
			})
			return at
		}
		table.RawSet(back, lua.LNil)
		was := entries(gone)
		o.Each(table, func(float64, lua.LValue) {})
		table.RawSet(gone, lua.LNil)
		table.RawSet(back, lua.LNumber(-1))
		if entries(back) == was {
			reused++
		}
		o.Each(table, func(key float64, x lua.LValue) {
			if lua.LNumber(key) == gone || x == lua.LNumber(-1) != (lua.LNumber(key) == back) {
				t.Fatalf("got %v at %v", x, key)
			}
		})
	}
	if reused == 0 {
		t.Error("no key was stored where another one was")
	}
}

// A walk in the order of pairs, and one in any order, allocate nothing when the table is the same as before.
func TestOrderedAllocatesNothing(t *testing.T) {
	var o Ordered
	table := &lua.LTable{}
	for n := range 12000 { // a map of several parts
		table.RawSet(lua.LNumber(1<<32+n), lua.LNumber(n))
	}
	sum := 0.0
	visit := func(key float64, x lua.LValue) { sum += float64(x.(lua.LNumber)) }
	if n := testing.AllocsPerRun(5, func() {
		o.Each(table, visit)
		EachNumber(table, visit)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Replace does what an assignment to a field that is there does, to tables of all kinds and sizes, and nothing to others.
func TestFieldsAreReplaced(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	names := []string{"a", "b", "name", "x", "y", "z", "hp", "other", "q", "long name", ""}
	r := make([]FieldReader, len(names))
	for i, name := range names {
		r[i] = NewFieldReader(name)
	}
	layout := NewLayout(lua.LString("x"), lua.LString("y"), lua.LString("hp"))
	for n := range 3000 {
		one, two := &lua.LTable{Metatable: lua.LNil}, &lua.LTable{Metatable: lua.LNil}
		packed := layout != nil && random.IntN(3) == 0
		if packed {
			for _, of := range []**lua.LTable{&one, &two} {
				m := layout.Table(0)
				for i, name := range layout.names {
					m.Set(name, lua.LNumber(i))
				}
				*of = m.Table()
			}
		} else {
			for range random.IntN(14) {
				name, v := names[random.IntN(len(names))], lua.LNumber(random.IntN(50))
				one.RawSetString(name, v)
				two.RawSetString(name, v)
			}
			for i := range random.IntN(3) * 20 {
				one.RawSetString(fmt.Sprint("more", i), lua.LTrue)
				two.RawSetString(fmt.Sprint("more", i), lua.LTrue)
			}
		}
		for range 6 {
			i, v := random.IntN(len(names)), lua.LString(fmt.Sprint(n))
			has := two.RawGetString(names[i]) != lua.LNil
			if has {
				two.RawSetString(names[i], v)
			}
			if did := r[i].Replace(one, v); did != has {
				t.Fatalf("table %d: %q is replaced: %v", n, names[i], did)
			}
			if packed && !tableOf(one).inPiece() {
				t.Fatalf("table %d is no longer in one piece", n)
			}
		}
		for key, v := two.Next(lua.LNil); key != lua.LNil; key, v = two.Next(key) {
			if got := one.RawGet(key); got != v {
				t.Fatalf("table %d: %v at %v, want %v", n, got, key, v)
			}
		}
	}
}
