package loops

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// pairsIn returns the input for values of a type in the tables in a table, as a run begins.
func pairsIn(table *lua.LTable, first, second, value ir.Type) *pairInput {
	of := &keyedInput{p: &ir.Keyed{Key: first, Rows: true, Stored: true}, table: table, alone: &owners{map[*lua.LTable]owner{}}}
	in := &pairInput{number: 1, p: &ir.Keyed{Key: ir.Number, Type: value, Pairs: true, Second: second, Stored: true}, of: of, slots: make([]kernel.Slot, 1), budget: new(sandbox.Budget)}
	of.pairs = append(of.pairs, in)
	in.begin()
	return in
}

// tableWith returns a table with keys and values by turns.
func tableWith(list ...lua.LValue) *lua.LTable {
	t := &lua.LTable{Metatable: lua.LNil}
	for i := 0; i < len(list); i += 2 {
		t.RawSet(list[i], list[i+1])
	}
	return t
}

// Find and Each say the same of each pair: the value, that there is none, or that something is not as expected.
func TestPairInput(t *testing.T) {
	n := func(x float64) lua.LValue { return lua.LNumber(x) }
	same := tableWith(n(1), n(70))
	behind := tableWith(n(1), n(80))
	behind.Metatable = tableWith()
	rows := tableWith(
		n(1), tableWith(n(1), n(10), n(0), n(5), n(2.5), n(25), n(-1), n(-10), lua.LString("a"), n(11), lua.LTrue, n(12)), n(2), tableWith(), n(0), tableWith(n(3), lua.LString("x"), n(4), n(40)), n(4), n(9),
		n(5), same, n(6), same, n(7), behind, lua.LString("r"), tableWith(lua.LString("a"), n(1), lua.LString(""), n(2), n(1), n(3)), lua.LString("s"), lua.LString("t"),
	)
	number := func(a, b float64) kernel.Key { return kernel.Key{N: a, SecondN: b} }
	for _, c := range []struct {
		first, second ir.Type
		values        map[kernel.Key]float64
		unfit, absent []kernel.Key
	}{
		{
			ir.Number, ir.Number,
			map[kernel.Key]float64{number(1, 1): 10, number(1, 0): 5, number(1, 2.5): 25, number(1, -1): -10, number(0, 4): 40, number(5, 1): 70},
			[]kernel.Key{number(0, 3), number(4, 1), number(6, 1), number(6, 9), number(7, 1)},
			[]kernel.Key{number(1, 2), number(2, 1), number(3, 1), number(0.5, 1)},
		},
		{ir.Number, ir.Text, map[kernel.Key]float64{{N: 1, SecondS: "a"}: 11}, []kernel.Key{{N: 4, SecondS: "a"}}, []kernel.Key{{N: 1, SecondS: "b"}, {N: 2, SecondS: "a"}, {N: 9, SecondS: "a"}, {N: 1, SecondS: "1"}}},
		{ir.Text, ir.Text, map[kernel.Key]float64{{S: "r", SecondS: "a"}: 1, {S: "r"}: 2}, []kernel.Key{{S: "s", SecondS: "a"}}, []kernel.Key{{S: "r", SecondS: "b"}, {S: "1", SecondS: "a"}}},
		{ir.Text, ir.Number, map[kernel.Key]float64{{S: "r", SecondN: 1}: 3}, []kernel.Key{{S: "s", SecondN: 1}}, []kernel.Key{{S: "r", SecondN: 2}, {S: "1", SecondN: 1}}},
	} {
		in, values := pairsIn(rows, c.first, c.second, ir.Number), make([]kernel.Slot, 1)
		for range 2 {
			for key, want := range c.values {
				if got := in.Find(key, values); got != kernel.Found || values[0] != (kernel.Slot{Has: true, N: want}) {
					t.Errorf("%v: found %v, %v, want %v", key, got, values, want)
				}
			}
			for _, key := range c.unfit {
				if got := in.Find(key, values); got != kernel.Unfit {
					t.Errorf("%v: found %v", key, got)
				}
			}
			for _, key := range c.absent {
				if got := in.Find(key, values); got != kernel.Absent {
					t.Errorf("%v: found %v", key, got)
				}
			}
		}
		in = pairsIn(rows, c.first, c.second, ir.Number)
		if got := in.Each(-1, nil); got != math.MaxInt {
			t.Errorf("there are %d pairs before they were counted", got)
		}
		all := in.Each(0, nil)
		if all < len(c.values) || all != in.Each(-1, nil) {
			t.Errorf("there are %d pairs", all)
		}
		got := map[kernel.Key]float64{}
		in.Each(all, func(key kernel.Key, found kernel.Finding, values []kernel.Slot) {
			if want := in.Find(key, make([]kernel.Slot, 1)); want != found {
				t.Errorf("%v: %v, and Find says %v", key, found, want)
			}
			if found == kernel.Found {
				got[key] = values[0].N
			}
		})
		if !maps.Equal(got, c.values) {
			t.Errorf("all pairs are %v, want %v", got, c.values)
		}
	}
}

// Put makes new values and changes others, and pays for what the tables grow.
func TestPairInputPuts(t *testing.T) {
	for typ, v := range map[ir.Type]struct {
		slot kernel.Slot
		want lua.LValue
	}{
		ir.Number: {kernel.Slot{Has: true, N: 2.5}, lua.LNumber(2.5)}, ir.Bool: {kernel.Slot{Has: true}, lua.LFalse}, ir.Text: {kernel.Slot{Has: true, S: "v"}, lua.LString("v")},
	} {
		for _, second := range []ir.Type{ir.Number, ir.Text} {
			row := tableWith()
			in := pairsIn(tableWith(lua.LString("r"), row), ir.Text, second, typ)
			in.budget.LimitAllocations(1 << 40)
			in.budget.Reset(1 << 40)
			left := in.budget.AllocationsLeft()
			for i := range 300 {
				key, at := kernel.Key{S: "r", SecondN: float64(i) * 0.5}, lua.LValue(lua.LNumber(float64(i)*0.5))
				if second == ir.Text {
					key, at = kernel.Key{S: "r", SecondS: fmt.Sprint("k", i)}, lua.LString(fmt.Sprint("k", i))
				}
				in.Put(key, -1, v.slot)
				if got := row.RawGet(at); got != v.want {
					t.Fatalf("%v: %v is there, not %v", key, got, v.want)
				}
				if values := make([]kernel.Slot, 1); in.Find(key, values) != kernel.Found || values[0] != v.slot {
					t.Fatalf("%v: found %v, not %v", key, values, v.slot)
				}
			}
			if paid := left - in.budget.AllocationsLeft(); paid < 300*8 {
				t.Errorf("300 values cost %d bytes", paid)
			}
		}
	}
}

// The inner tables are counted when there are few of them, or when many pairs were asked for; then they are read whole.
func TestPairInputReadsWhole(t *testing.T) {
	for _, c := range []struct{ rows, each, whole int }{{0, 0, 0}, {64, 1, 0}, {65, 1, 32}, {5, 20, 32}, {100, 20, 125}, {64, 2, 32}} {
		table := tableWith()
		for i := range c.rows {
			row := tableWith()
			for j := range c.each {
				row.RawSet(lua.LNumber(j), lua.LNumber(1))
			}
			table.RawSet(lua.LNumber(i), row)
		}
		in := pairsIn(table, ir.Number, ir.Number, ir.Number)
		asked, whole := 0, in.Whole(0)
		for !whole && asked < 1000 {
			asked++
			whole = in.Whole(1)
		}
		if asked != c.whole {
			t.Errorf("%d tables of %d values are read whole at pair %d, want %d", c.rows, c.each, asked, c.whole)
		}
		if in.begin(); c.rows*c.each > 0 && !in.Whole(0) {
			t.Errorf("%d tables of %d values are not read at once in the next run", c.rows, c.each)
		}
	}
}
