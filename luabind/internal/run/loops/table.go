package loops

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Lua tables from around a loop whose elements are numbers. Their elements are copied when the loop begins, and
// those that have changed are written back when it ends.

// A tableInput is a table of Program.Tables while a kernel runs. It keeps its memory from one run to the next.
type tableInput struct {
	elements kernel.Elements
	before   []float64     // the values at the beginning, for finding those that have changed
	rows     []*lua.LTable // of a table of tables: its elements
}

// mostElements is the largest number of elements that are copied. A list of more than fewElements is only copied for a loop
// over many rows (isFor); otherwise it is looked up key by key, as a map is.
const (
	mostElements = 1 << 14
	fewElements  = 1 << 12
	elementsARow = 4 // elements that are copied in the time that a row takes longer to look one up in a map
)

// isFor reports whether a long list is copied for a loop over a query; nil stands for any other loop.
func isFor(t *lua.LTable, q *ecs.Query) bool {
	n := t.Len()
	return q != nil && n > fewElements && n <= mostElements && interp.IsList(t) && q.Rows() >= n/elementsARow && q.Count() >= n/elementsARow // Rows is quick
}

func element(t *lua.LTable, key int) lua.LValue {
	if v := t.RawGetInt(key); v != lua.LNil {
		return v
	}
	return interp.Get(t, lua.LNumber(key))
}

// beginTables copies the tables for the kernel. It returns false, and sets v.left, if one of them is not what the
// kernel is for.
func (v *variant) beginTables(s *site) bool {
	for i, t := range v.p.Tables {
		table, ok := s.values[t.Input].(*lua.LTable)
		if !ok {
			v.left = refusal{text: s.linked.named(t.Input) + " is no table"}
			return false
		}
		if why := v.tables[i].read(table, t); why != "" {
			if why == hasHoles || t.Rows && why == "has "+otherElement(t) { // a map may have them
				v.holed = t.Input
			}
			v.left = refusal{fmt.Sprintf("the table %s %s", s.linked.named(t.Input), why), adviceOnTable(t, why)}
			return false
		}
		v.kernel.SetTable(i, v.tables[i].elements)
	}
	if (v.writes || v.writer != nil) && v.storesInFrozen(s) {
		v.left = refusal{"it stores in a table of ecs.data", "change a copy of the table"}
		return false
	}
	if v.writes && !v.apart(s) || (v.writes || v.writer != nil) && v.inheritsStored(s) || !v.beginSinks(s) || !v.apartFromConstants(s) {
		v.left = refusal{"a table that it stores in has two names", "use one of the names in the loop"}
		return false
	}
	return v.beginKeyed(s)
}

// read copies the elements from 1 on, and those at 0 and below. It returns why no kernel can work on the table; ""
// if one can.
func (in *tableInput) read(t *lua.LTable, p ir.Table) (why string) {
	if p.Flat {
		return in.readFlat(t)
	}
	from := 1
	for element(t, from-1) != lua.LNil && from > 1-mostElements {
		from--
	}
	e := &in.elements
	e.From, e.Values, in.rows = from, e.Values[:0], in.rows[:0]
	key := from
	if from == 1 && !p.Rows {
		key += in.addNumbers(t)
	}
	for ; ; key++ {
		x := element(t, key)
		if x == lua.LNil {
			break
		}
		if key-from >= mostElements {
			return tooMany
		}
		if why := in.add(x, p); why != "" {
			return "has " + why
		}
	}
	if p.Asked && t.Len() >= from+len(e.Values)/max(1, len(p.Members)) {
		return hasHoles
	}
	in.before = append(in.before[:0], e.Values...)
	return ""
}

// Reasons why no kernel can work on a table.
const (
	tooMany    = "has more than 16,384 elements"
	hasHoles   = "has holes"
	otherWidth = "has lists of different lengths"
	listAt0    = "has a list at 0"
	tooWide    = "has more than 16,384 elements in its lists"

	withMetatable = "an element with a metatable"
)

// adviceOnTable says what to change about a table that no kernel can work on.
func adviceOnTable(p ir.Table, why string) lower.Advice {
	switch {
	case why == tooMany:
		return "divide it into smaller tables"
	case why == hasHoles || why == listAt0:
		return "keep its elements at 1, 2, 3 and so on"
	case why == otherWidth:
		return "make its lists equally long"
	case why == tooWide:
		return "keep the numbers in one list, t[(y - 1) * width + x]"
	case why == "has "+withMetatable:
		return "keep tables without metatables in it"
	case strings.HasSuffix(why, aView):
		return lower.KeepEntities
	case !p.Rows:
		return "keep only numbers in it"
	}
	return "make its elements alike"
}

// otherElement names the kind of element that a kernel cannot read.
func otherElement(p ir.Table) string {
	if p.Flat {
		return "an element that is no list of numbers, or lists of different lengths"
	}
	if !p.Rows {
		return "an element that is no number"
	}
	if len(p.Members) == 0 {
		return "an element that is no table"
	}
	return "an element that is no table with " + numbersCalled(p.Members)
}

// numbersCalled names members that have to be numbers: "a number x", "numbers x and y".
func numbersCalled(members []string) string {
	last := len(members) - 1
	if last == 0 {
		return "a number " + members[0]
	}
	return "numbers " + strings.Join(members[:last], ", ") + " and " + members[last]
}

// aView is how reasons name an element that scripts cannot make.
const aView = "a view or an event"

// whatIs names the kind of an element.
func whatIs(x lua.LValue) string {
	switch x.(type) {
	case lua.LNumber:
		return "a number"
	case lua.LString:
		return "a string"
	case lua.LBool:
		return "a boolean"
	case *lua.LTable:
		return "a table"
	case *lua.LUserData:
		return aView
	}
	return "a " + x.Type().String()
}

// mayHold says what must not be in a table for a kernel to work on it.
func mayHold(p ir.Table) string {
	return "has " + otherElement(p)
}

// addNumbers copies the elements from 1 on, up to one that is no number. It returns how many.
func (in *tableInput) addNumbers(t *lua.LTable) int {
	list, _, _, _ := interp.Parts(t)
	values := in.elements.Values
	for _, x := range list[:min(len(list), mostElements)] {
		n, ok := x.(lua.LNumber)
		if !ok {
			break
		}
		values = append(values, float64(n))
	}
	in.elements.Values = values
	return len(values)
}

// add copies one element. If the element is not what the kernel expects, it says what it is.
func (in *tableInput) add(x lua.LValue, p ir.Table) (other string) {
	if !p.Rows {
		n, ok := x.(lua.LNumber)
		in.elements.Values = append(in.elements.Values, float64(n))
		if !ok {
			return otherElement(p) + ", but " + whatIs(x)
		}
		return ""
	}
	row, ok := x.(*lua.LTable)
	switch {
	case !ok:
		return otherElement(p) + ", but " + whatIs(x)
	case !unmarked(row):
		return withMetatable
	}
	in.rows = append(in.rows, row)
	if len(p.Members) == 0 { // each element has one value even if no member is used
		in.elements.Values = append(in.elements.Values, 0)
	}
	for _, member := range p.Members {
		n, ok := row.RawGetString(member).(lua.LNumber)
		if !ok {
			return otherElement(p)
		}
		in.elements.Values = append(in.elements.Values, float64(n))
	}
	return ""
}

// usedTables returns which inputs are Lua tables whose values the kernel reads or stores. Of the others the loop only
// calls functions.
func usedTables(p *ir.Program, k *linked, kinds []lower.Kind) []bool {
	used := make([]bool, len(k.template.Inputs))
	for _, t := range p.Tables {
		used[t.Input] = true
	}
	for _, t := range p.Keyed {
		used[t.Input] = true
	}
	for _, t := range p.Sinks {
		used[t.Input] = true
	}
	for _, o := range p.Origins {
		if o.From == ir.FromLength || o.From == ir.FromWidth {
			used[o.Input] = true
		}
	}
	sets := slices.ContainsFunc(p.Outputs, func(out ir.Output) bool { // a member that is nil here may be set through another variable
		o := p.Origins[out.Input]
		return out.Mark >= 0 && o.From == ir.FromVariable && k.template.Inputs[o.Input].Member != ""
	})
	keys := len(p.Sinks) > 0 || slices.ContainsFunc(p.Keyed, func(t ir.Keyed) bool { return t.Stored }) // likewise, at a key
	for i, in := range k.template.Inputs {
		if in.Member != "" && (p.Inputs[i].Used || in.Assigned || in.Read && (sets || keys && kinds[i].InputKind == lower.NilInput)) {
			used[k.bases[i]] = true
		}
	}
	return used
}

// apart reports whether all tables of a loop are different tables. If not, what is stored in one would have to be
// seen in another.
func (v *variant) apart(s *site) bool {
	defer clear(v.seen)
	fresh := func(t *lua.LTable) bool {
		n := len(v.seen)
		v.seen[t] = struct{}{}
		return len(v.seen) > n
	}
	for i := range s.template.Inputs {
		if t, ok := s.values[i].(*lua.LTable); ok && v.used[i] && !fresh(t) {
			return false
		}
	}
	for i := range v.tables {
		if t := v.p.Tables[i]; !t.Flat && len(t.Members) == 0 { // its elements are numbers, or no member of them is used
			continue
		}
		for _, row := range v.tables[i].rows {
			if !fresh(row) {
				return false
			}
		}
	}
	return true
}

// endTables writes the elements back that have changed.
func (v *variant) endTables(s *site) {
	for i, t := range v.p.Tables {
		in := &v.tables[i]
		for j, x := range in.elements.Values {
			if !t.Stored || math.Float64bits(x) == math.Float64bits(in.before[j]) {
				continue
			}
			if t.Flat {
				in.putCell(j, x)
			} else if len(t.Members) == 0 {
				interp.Set(s.values[t.Input].(*lua.LTable), lua.LNumber(in.elements.From+j), surface.Number(x))
			} else {
				in.rows[j/len(t.Members)].RawSetString(t.Members[j%len(t.Members)], surface.Number(x))
			}
		}
		clear(in.rows)
	}
	v.endKeyed()
}

// elements returns how many values of tables the kernel gets when it begins. pace counts them as a cost.
func (v *variant) elements() (n int) {
	for i := range v.tables {
		n += len(v.tables[i].elements.Values)
	}
	for i := range v.keyed {
		n += v.keyed[i].keys.read
		for _, pairs := range v.keyed[i].pairs {
			n += pairs.keys.read
		}
	}
	return n
}
