package loops

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Lua tables that a kernel looks up by key. A kernel asks for each key once in a run, so a walk over few rows does
// not read a large table.

// A keyedInput is a table of Program.Keyed while a kernel runs. It implements [kernel.Keyed] over a Lua table.
type keyedInput struct {
	number  int // index in Program.Keyed
	p       *ir.Keyed
	table   *lua.LTable
	alone   *owners // nil if the loop assigns to no table
	reader  interp.Reader
	boxes   interp.Boxes
	slots   []kernel.Slot // memory for Each
	ordered interp.Ordered
	keys    whole
	rows    rowReader
	world   *surface.World
	budget  *sandbox.Budget
	pairs   []*pairInput // of its values, which are tables
	stores  bool         // the loop may store in its values
}

// beginKeyed gives the kernel its keyed tables. It returns false if a value is not a table.
func (v *variant) beginKeyed(s *site) bool {
	clear(v.owners.of)
	v.long = 0
	if len(v.keyed) > 0 && v.keyed[0].alone != nil {
		v.claimOthers(s)
	}
	for i := range v.keyed {
		in := &v.keyed[i]
		if in.p.Pairs {
			continue // after the table that has the inner ones
		}
		table, ok := s.values[in.p.Input].(*lua.LTable)
		if !ok {
			v.left = refusal{text: fmt.Sprintf("%q is no table", s.template.Inputs[in.p.Input].Text())}
			return false
		}
		in.world = s.world()
		in.table = table
		in.keys.begin()
		if in.p.Key == ir.Number {
			if table.Len() > mostElements && interp.IsList(table) {
				v.long = in.p.Input + 1
			}
			in.Whole(0) // code asks so when a run begins, and closures are to be charged alike
		}
		in.rows.begin(s.classesOf(in.p.Input))
		v.kernel.SetKeyed(i, in)
		for _, pairs := range in.pairs {
			pairs.begin()
			v.kernel.SetKeyed(pairs.number, pairs)
		}
	}
	return true
}

// claimOthers claims the tables that the loop reaches without a look at a key, first those in which it stores: what it stores must not be
// seen in two ways, and a table at a key must not be one of them.
func (v *variant) claimOthers(s *site) {
	claim := func(x lua.LValue, number int) {
		if t, ok := x.(*lua.LTable); ok {
			v.owners.claim(t, number, kernel.Key{})
		}
	}
	if v.writer != nil {
		for _, t := range v.writer.sinks {
			claim(t, assigned)
		}
	}
	for i, in := range s.template.Inputs {
		if in.Member != "" && in.Assigned {
			claim(s.values[s.bases[i]], assigned)
		}
	}
	for _, of := range v.p.Keyed {
		if of.Stored {
			claim(s.values[of.Input], assigned)
		}
	}
	for i, of := range v.p.Tables {
		if of.Stored {
			claim(s.values[of.Input], assigned)
			for _, t := range v.tables[i].rows {
				claim(t, assigned)
			}
		}
	}
	for _, t := range s.constantTables() {
		claim(t, shared)
	}
	if !v.storesInTables() {
		return
	}
	for i := range s.template.Inputs {
		if t, ok := s.values[i].(*lua.LTable); ok && v.used[i] {
			claim(t, shared)
			eachBase(t, func(base *lua.LTable) bool {
				claim(base, shared)
				return false
			})
		}
	}
	for i := range v.p.Tables {
		for _, t := range v.tables[i].rows {
			claim(t, shared)
		}
	}
}

// storesInTables reports whether the loop stores at keys of tables, or in tables at keys.
func (v *variant) storesInTables() bool {
	return slices.ContainsFunc(v.p.Keyed, func(k ir.Keyed) bool { return k.Stored }) || slices.ContainsFunc(v.p.Tables, func(t ir.Table) bool { return t.Stored })
}

// endKeyed forgets the tables, so that the garbage collector can free them.
func (v *variant) endKeyed() {
	for i := range v.keyed {
		v.keyed[i].table, v.keyed[i].world = nil, nil
		clear(v.keyed[i].rows.values)
	}
	clear(v.owners.of)
}

// newKeyed makes the keyed inputs of a variant.
func (v *variant) newKeyed(p *ir.Program, budget *sandbox.Budget) {
	v.owners = &owners{map[*lua.LTable]owner{}}
	v.keyed = make([]keyedInput, len(p.Keyed))
	for i := range v.keyed {
		v.keyed[i] = keyedInput{number: i, p: &p.Keyed[i], slots: make([]kernel.Slot, p.Keyed[i].Width()), rows: newRowReader(&p.Keyed[i]), budget: budget}
		v.keyed[i].stores = slices.ContainsFunc(p.Keyed[i].Members, func(m ir.Member) bool { return m.Stored })
		if v.writes || len(p.Sinks) > 0 {
			v.keyed[i].alone = v.owners
		}
		if k := &p.Keyed[i]; k.Pairs {
			of := &v.keyed[k.Of]
			of.pairs = append(of.pairs, &pairInput{number: i, p: k, of: of, slots: make([]kernel.Slot, 1), budget: budget})
		}
	}
}

// Find implements [kernel.Keyed].
func (in *keyedInput) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	return in.found(in.get(key), key, values)
}

// found is Find for the value x at the key.
func (in *keyedInput) found(x lua.LValue, key kernel.Key, values []kernel.Slot) kernel.Finding {
	if x == lua.LNil {
		return kernel.Absent
	}
	if !in.p.Rows {
		var ok bool
		if values[0], ok = slotOf(x, in.p.Type); !ok {
			return kernel.Unfit
		}
		return kernel.Found
	}
	row, ok := x.(*lua.LTable)
	if !ok || len(in.pairs) > 0 && !unmarked(row) || in.stores && interp.Frozen(row) || in.alone != nil && !in.alone.claim(row, in.number, key) || !in.row(row, values) {
		return kernel.Unfit
	}
	return kernel.Found
}

// Whole implements [kernel.Keyed].
func (in *keyedInput) Whole(asked int) bool { return in.keys.pays(asked, interp.Numbers(in.table)) }

// Each implements [kernel.Keyed].
func (in *keyedInput) Each(most int, visit func(key kernel.Key, found kernel.Finding, values []kernel.Slot)) int {
	n := interp.Numbers(in.table)
	if n <= most {
		each := interp.EachNumber
		if in.p.Rows { // tables in their order are often side by side in memory; and if they are claimed, the order matters
			each = in.ordered.Each
		}
		each(in.table, func(key float64, x lua.LValue) {
			visit(kernel.Key{N: key}, in.found(x, kernel.Key{N: key}, in.slots), in.slots)
		})
		clear(in.slots)
	}
	return n
}

func (in *keyedInput) get(key kernel.Key) lua.LValue {
	if in.p.Key == ir.Number {
		return in.reader.Get(in.table, key.N)
	}
	return in.table.RawGetString(key.S)
}

// slotOf converts a Lua value to a slot; false if it has another type.
func slotOf(x lua.LValue, t ir.Type) (s kernel.Slot, ok bool) {
	switch x := x.(type) {
	case *lua.LNilType:
		return s, true
	case lua.LNumber:
		return kernel.Slot{Has: true, N: float64(x)}, t == ir.Number
	case lua.LBool:
		s.Has = true
		if x {
			s.N = 1
		}
		return s, t == ir.Bool
	case lua.LString:
		return kernel.Slot{Has: true, S: string(x)}, t == ir.Text
	}
	return s, false
}

// Put implements [kernel.Keyed]. A new key is paid for here, when the loop ends: if the limit of allocations is passed,
// the turn ends after the loop.
func (in *keyedInput) Put(key kernel.Key, member int, v kernel.Slot) {
	switch {
	case member >= 0:
	case in.p.Key == ir.Number:
		bytes, _ := setNumber(in.table, key.N, luaValue(v, in.p.Type), &in.boxes)
		in.budget.Allocate(bytes)
		return
	default:
		in.budget.Allocate(interp.GrowthBytes(in.table, lua.LString(key.S), luaValue(v, in.p.Type)))
		in.table.RawSetString(key.S, luaValue(v, in.p.Type))
		return
	}
	m := in.p.Members[member]
	row, x := in.get(key).(*lua.LTable), luaValue(v, m.Type)
	if x != lua.LNil && in.rows.members[member].Replace(row, x) {
		return
	}
	in.budget.Allocate(interp.GrowthBytes(row, lua.LString(m.Name), x))
	row.RawSetString(m.Name, x)
}

// luaValue converts a slot to a Lua value.
func luaValue(v kernel.Slot, t ir.Type) lua.LValue {
	switch {
	case !v.Has:
		return lua.LNil
	case t == ir.Bool:
		return lua.LBool(v.N != 0)
	case t == ir.Text:
		return lua.LString(v.S)
	}
	return surface.Number(v.N)
}

// An owners has the tables that were found at keys, in a loop that assigns to tables. If one table is found at two
// keys, what is assigned through one of them would not be seen through the other; so such a loop is interpreted.
type owners struct{ of map[*lua.LTable]owner }

// An owner is the place where a table was found.
type owner struct {
	number int // index of the keyed table that it was found in, or one of the following
	key    kernel.Key
}

// The numbers of owners that are no keyed tables.
const (
	shared   = -1 // the loop reads the table
	assigned = -2 // the loop stores in it
)

// claim reports whether a table was found only at this key so far, and notes it.
func (o *owners) claim(row *lua.LTable, number int, key kernel.Key) bool {
	is := owner{number, key}
	if known, ok := o.of[row]; ok {
		return known == is
	}
	o.of[row] = is
	return true
}
