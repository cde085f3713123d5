package loops

import (
	"math"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Values at keys of the tables at the keys of a table (ir.Keyed.Pairs). The inner tables are found, claimed and made by the keyedInput of the
// table around them; what rows store goes into them when the kernel ends, after the inner tables that rows have made.

// A pairInput is such a table of Program.Keyed while a kernel runs. It implements [kernel.Keyed].
type pairInput struct {
	number int // index in Program.Keyed
	p      *ir.Keyed
	of     *keyedInput // has the inner tables
	keys   whole
	values int // how many the inner tables have together, or more; -1: they are not counted in this run
	boxes  interp.Boxes
	reader interp.Reader
	slots  []kernel.Slot // memory for Each
	budget *sandbox.Budget
}

// begin begins a run.
func (in *pairInput) begin() {
	in.keys.begin()
	in.values = -1
}

// row returns the inner table of a pair; ok is false if there is something else.
func (in *pairInput) row(key kernel.Key) (row *lua.LTable, ok bool) {
	x := in.of.get(key)
	if x == lua.LNil {
		return nil, true
	}
	row, ok = x.(*lua.LTable)
	first := kernel.Key{N: key.N, S: key.S}
	return row, ok && unmarked(row) && !(in.p.Stored && interp.Frozen(row)) && (in.of.alone == nil || in.of.alone.claim(row, in.of.number, first))
}

// Find implements [kernel.Keyed].
func (in *pairInput) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	row, ok := in.row(key)
	switch {
	case !ok:
		return kernel.Unfit
	case row == nil:
		return kernel.Absent
	case in.p.Second == ir.Text:
		return in.found(row.RawGetString(key.SecondS), values)
	}
	return in.found(in.reader.Get(row, key.SecondN), values)
}

// found is Find for the value x at the key.
func (in *pairInput) found(x lua.LValue, values []kernel.Slot) kernel.Finding {
	if x == lua.LNil {
		return kernel.Absent
	}
	var ok bool
	if values[0], ok = slotOf(x, in.p.Type); !ok {
		return kernel.Unfit
	}
	return kernel.Found
}

// Whole implements [kernel.Keyed]. Counting the values takes time for each inner table, so it is left until the number matters.
func (in *pairInput) Whole(asked int) bool {
	n := math.MaxInt
	if rows := interp.Entries(in.of.table); asked > 0 && in.keys.asked+asked >= manyAsked || rows <= max(fewKeys, in.keys.eager) {
		n = in.count()
	}
	return in.keys.pays(asked, n)
}

// count returns how many values the inner tables have.
func (in *pairInput) count() int {
	if in.values < 0 {
		in.values = 0
		in.eachRow(func(_ kernel.Key, row *lua.LTable) { in.values += interp.Entries(row) })
	}
	return in.values
}

// eachRow calls visit for each inner table and its key, in the order of pairs.
func (in *pairInput) eachRow(visit func(key kernel.Key, row *lua.LTable)) {
	interp.EachEntry(in.of.table, func(key, x lua.LValue) {
		if row, ok := x.(*lua.LTable); ok {
			if k, ok := kernelKey(key, in.of.p.Key); ok {
				visit(k, row)
			}
		}
	})
}

// kernelKey converts a Lua value to a key of a type; false if it has another one.
func kernelKey(x lua.LValue, t ir.Type) (key kernel.Key, ok bool) {
	switch x := x.(type) {
	case lua.LNumber:
		return kernel.Key{N: float64(x) + 0}, t == ir.Number
	case lua.LString:
		return kernel.Key{S: string(x)}, t == ir.Text
	}
	return key, false
}

// Each implements [kernel.Keyed].
func (in *pairInput) Each(most int, visit func(key kernel.Key, found kernel.Finding, values []kernel.Slot)) int {
	if most < 0 && in.values < 0 {
		return math.MaxInt
	}
	n := in.count()
	if n > most {
		return n
	}
	in.eachRow(func(key kernel.Key, row *lua.LTable) {
		_, ok := in.row(key)
		value := func(x lua.LValue) {
			found := kernel.Unfit
			if ok {
				found = in.found(x, in.slots)
			}
			visit(key, found, in.slots)
		}
		if in.p.Second == ir.Text {
			interp.EachText(row, func(second string, x lua.LValue) {
				key.SecondS = second
				value(x)
			})
			return
		}
		interp.EachNumber(row, func(second float64, x lua.LValue) {
			key.SecondN = second
			value(x)
		})
	})
	clear(in.slots)
	return n
}

// Put implements [kernel.Keyed]. As in keyedInput.Put, a new key is paid for here.
func (in *pairInput) Put(key kernel.Key, _ int, v kernel.Slot) {
	row, x := in.of.get(key).(*lua.LTable), luaValue(v, in.p.Type)
	if in.p.Second == ir.Text {
		in.budget.Allocate(interp.GrowthBytes(row, lua.LString(key.SecondS), x))
		row.RawSetString(key.SecondS, x)
		return
	}
	bytes, _ := setNumber(row, key.SecondN, x, &in.boxes)
	in.budget.Allocate(bytes)
}
