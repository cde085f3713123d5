package loops

import (
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	lua "github.com/yuin/gopher-lua"
)

// The VM keeps key 0 apart from the keys above it; a kernel sees one row of
// elements.
func TestTableFromZero(t *testing.T) {
	n, goal := &lua.LTable{}, &lua.LTable{}
	row := func(x float64) *lua.LTable {
		r := &lua.LTable{Metatable: lua.LNil}
		r.RawSetString("x", lua.LNumber(x))
		return r
	}
	for key := range 3 {
		n.RawSetInt(key, lua.LNumber(key*10))
		goal.RawSetInt(key, row(float64(key)))
	}
	var in tableInput
	if in.read(n, ir.Table{}) != "" || in.elements.From != 0 || !slices.Equal(in.elements.Values, []float64{0, 10, 20}) {
		t.Errorf("read %+v", in.elements)
	}
	if in.read(goal, ir.Table{Rows: true, Members: []string{"x"}}) != "" || in.elements.From != 0 || !slices.Equal(in.elements.Values, []float64{0, 1, 2}) {
		t.Errorf("read %+v", in.elements)
	}
	zero := &lua.LTable{}
	zero.RawSetInt(0, row(1))
	hasRows := func(t *lua.LTable) bool { return kindOfTable(t, lower.Input{}).Rows }
	if !hasRows(goal) || !hasRows(zero) || hasRows(n) {
		t.Error("tables of tables are not told from others")
	}
}

// listOf makes a table of numbers at the keys from first to last.
func listOf(first, last int) *lua.LTable {
	t := &lua.LTable{Metatable: lua.LNil}
	for key := first; key <= last; key++ {
		t.RawSet(lua.LNumber(key), lua.LNumber(key))
	}
	return t
}

// with returns t with one more element.
func with(t *lua.LTable, key, value lua.LValue) *lua.LTable {
	t.RawSet(key, value)
	return t
}

// A table is read from its first key to the first one that is missing.
func TestReadTable(t *testing.T) {
	point := func(x, y lua.LValue) *lua.LTable {
		return with(with(&lua.LTable{Metatable: lua.LNil}, lua.LString("x"), x), lua.LString("y"), y)
	}
	marked := point(lua.LNumber(1), lua.LNumber(2))
	marked.Metatable = &lua.LTable{}
	members := []string{"x", "y"}
	for _, c := range []struct {
		name    string
		table   *lua.LTable
		members []string
		from, n int
		why     string
	}{
		{"empty", listOf(1, 0), nil, 1, 0, ""},
		{"one", listOf(1, 1), nil, 1, 1, ""},
		{"from 0", listOf(0, 3), nil, 0, 4, ""},
		{"from below 0", listOf(-5, 3), nil, -5, 9, ""},
		{"only 0", listOf(0, 0), nil, 0, 1, ""},
		{"from 2", listOf(2, 5), nil, 1, 0, ""},
		{"a hole", with(listOf(1, 3), lua.LNumber(5), lua.LNumber(5)), nil, 1, 3, ""},
		{"a name beside", with(listOf(1, 3), lua.LString("n"), lua.LString("text")), nil, 1, 3, ""},
		{"a broken key beside", with(listOf(1, 3), lua.LNumber(1.5), lua.LString("text")), nil, 1, 3, ""},
		{"the most", listOf(1, 16384), nil, 1, 16384, ""},
		{"the most from 0", listOf(0, 16383), nil, 0, 16384, ""},
		{"one too many", listOf(1, 16385), nil, 1, 16384, "has more than 16,384 elements"},
		{"one too many from 0", listOf(0, 16384), nil, 0, 16384, "has more than 16,384 elements"},
		{"far too many below", listOf(-20000, 0), nil, -16383, 16384, ""},
		{"a string", with(listOf(1, 3), lua.LNumber(2), lua.LString("2")), nil, 1, 2, "has an element that is no number, but a string"},
		{"a boolean", with(listOf(1, 3), lua.LNumber(1), lua.LTrue), nil, 1, 1, "has an element that is no number, but a boolean"},
		{"a table among numbers", with(listOf(1, 3), lua.LNumber(3), listOf(1, 1)), nil, 1, 3, "has an element that is no number, but a table"},
		{"points", with(with(listOf(1, 0), lua.LNumber(1), point(lua.LNumber(1), lua.LNumber(2))), lua.LNumber(2), point(lua.LNumber(3), lua.LNumber(4))), members, 1, 4, ""},
		{"points from 0", with(listOf(1, 0), lua.LNumber(0), point(lua.LNumber(1), lua.LNumber(2))), members, 0, 2, ""},
		{"a number among points", listOf(1, 1), members, 1, 0, "has an element that is no table with numbers x and y, but a number"},
		{"a point without y", with(listOf(1, 0), lua.LNumber(1), point(lua.LNumber(1), lua.LNil)), members, 1, 1, "has an element that is no table with numbers x and y"},
		{"a point with a string", with(listOf(1, 0), lua.LNumber(1), point(lua.LString("1"), lua.LNumber(2))), members, 1, 0, "has an element that is no table with numbers x and y"},
		{"a point with a metatable", with(listOf(1, 0), lua.LNumber(1), marked), members, 1, 0, "has an element with a metatable"},
	} {
		in := tableInput{before: []float64{7}, rows: []*lua.LTable{marked}}
		in.elements.Values = []float64{7, 7}
		why := in.read(c.table, ir.Table{Members: c.members, Rows: c.members != nil})
		if why != c.why || in.elements.From != c.from || len(in.elements.Values) != c.n {
			t.Errorf("%s: %q, %d elements from %d, want %q, %d from %d", c.name, why, len(in.elements.Values), in.elements.From, c.why, c.n, c.from)
		}
		if why == "" && !slices.Equal(in.before, in.elements.Values) {
			t.Errorf("%s: what it held before is not noted", c.name)
		}
		if c.members == nil && why == "" && c.n > 0 && in.elements.Values[0] != float64(c.from) {
			t.Errorf("%s: the first element is %v", c.name, in.elements.Values[0])
		}
		if why == "" && len(in.rows) != c.n/max(1, len(c.members)) && c.members != nil {
			t.Errorf("%s: %d rows are noted", c.name, len(in.rows))
		}
	}
	for _, c := range []struct {
		members []string
		want    string
	}{
		{nil, "has an element that is no number"},
		{members, "has an element that is no table with numbers x and y"},
	} {
		if got := mayHold(ir.Table{Members: c.members, Rows: c.members != nil}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// What a table has instead of a number is named, and the advice is for that.
func TestOtherElements(t *testing.T) {
	for _, c := range []struct {
		x            lua.LValue
		what, advice string
	}{
		{&lua.LUserData{}, "a view or an event", "keep entities in it, and look their components up with world:get"},
		{lua.LString("a"), "a string", "keep only numbers in it"},
		{&lua.LFunction{}, "a function", "keep only numbers in it"},
	} {
		in := tableInput{}
		why := in.read(with(listOf(1, 0), lua.LNumber(1), c.x), ir.Table{})
		if want := "has an element that is no number, but " + c.what; why != want || string(adviceOnTable(ir.Table{}, why)) != c.advice {
			t.Errorf("%q; %q, want %q; %q", why, adviceOnTable(ir.Table{}, why), want, c.advice)
		}
	}
}

// Loops read tables and store in them, as if the interpreter ran them.
func TestTables(t *testing.T) {
	const show = "print(list[0], list[1], list[2], list[3])"
	const store = "for e, p in world:each('A') do list[p.x] = list[p.x] + 1 end "
	runCases(t, []loopCase{
		{"numbers", "local list = { 5, 6, 7 }", "local n = 0 for e, p in world:each('A') do if p.x <= 3 then n = n + list[p.x] end end print(n)", "18\n18", 1, ""},
		{"numbers that are stored", "local list = { 5, 6, 7 }", store + show, "nil\t6\t7\t8\nnil\t7\t8\t9", 1, ""},
		{"numbers from 0", "local list = { [0] = 4, 5, 6 }", "for e, p in world:each('A') do list[p.x - 1] = p.x * 10 end " + show, "10\t20\t30\tnil\n10\t20\t30\tnil", 1, ""},
		{"a change between the loops", "local list = { 5, 6, 7 }", store + "list[1] = 100 list[3] = 'x' list[3] = 1 " + store + show, "nil\t101\t8\t2\nnil\t101\t10\t2", 2, ""},
		{"members of tables", "local rows = { { x = 1, y = 2 }, { x = 3, y = 4 }, { x = 5, y = 6, z = 'text' } }", "for e, p in world:each('A') do rows[p.x].x = rows[p.x].y + p.x end print(rows[1].x, rows[2].x, rows[3].x)", "3\t6\t9\n3\t6\t9", 1, ""},
		{"two tables", "local list, other = { 1, 1, 1 }, { 2, 2, 2 }", "for e, p in world:each('A') do list[p.x] = list[p.x] + other[p.x] end " + show, "nil\t3\t3\t3\nnil\t5\t5\t5", 1, ""},
		{"one table with two names", "local list = { 1, 1, 1 } local other = { 1 } other = list", "for e, p in world:each('A') do list[p.x] = list[p.x] + other[1] end " + show, "nil\t2\t3\t3\nnil\t4\t7\t7", 1, "2: a table that it stores in has two names"},
		{"one row twice", "local row = { x = 1 } local list = { row, row, { x = 1 } }", "for e, p in world:each('A') do list[p.x].x = list[1].x + 1 end print(row.x, list[3].x)", "3\t4\n5\t6", 1, "2: a table that it stores in has two names"},
		{"one table with two names that is only read", "local list = { 1, 1, 1 } local other = { 1 } other = list", "local n = 0 for e, p in world:each('A') do n = n + list[1] + other[1] end print(n)", "6\n6", 1, ""},
		{"a string among the numbers", "local list = { 1, '2', 3 }", "local n = 0 for e, p in world:each('A') do n = n + list[p.x] end print(n)", "6\n6", 1, "2: the table \"list\" has an element that is no number, but a string"},
		{"one element too many", "local list = {} for i = 1, 4097 do list[i] = i end", "local n = 0 for e, p in world:each('A') do n = n + list[4097] end print(n)", "12291\n12291", 1, ""},
		{"a member and an element of one table", "local list = { 1, 1, 1, n = 0 }", "for e, p in world:each('A') do list.n = list.n + list[p.x] end print(list.n)", "3\n6", 1, ""},
		{"many tables", "local row = { x = 1 } local list = {} for i = 1, 500 do list[i] = { x = i } end", "for e, p in world:each('A') do list[p.x].x = 5 end print(list[3].x, list[4].x)", "5\t4\n5\t4", 1, ""},
		{"many tables, one of them twice", "local list = {} for i = 1, 500 do list[i] = { x = i } end list[501] = list[3]", "for e, p in world:each('A') do list[p.x].x = 5 end print(list[3].x, list[501].x)", "5\t5\n5\t5", 1, "2: a table that it stores in has two names"},
	})
}

// The elements of a table are tables when its first one is.
func TestHasRows(t *testing.T) {
	row := &lua.LTable{}
	for _, c := range []struct {
		name  string
		table *lua.LTable
		want  bool
	}{
		{"nothing", listOf(1, 0), false},
		{"numbers", listOf(1, 3), false},
		{"a table first", with(listOf(2, 3), lua.LNumber(1), row), true},
		{"a table second", with(listOf(1, 1), lua.LNumber(2), row), false},
		{"a table at 0", with(listOf(1, 0), lua.LNumber(0), row), true},
		{"a table at 0, and numbers", with(listOf(1, 1), lua.LNumber(0), row), false},
		{"a table with a name", with(listOf(1, 0), lua.LString("x"), row), true},
		{"a number with a name, and a table", with(with(listOf(1, 0), lua.LString("x"), lua.LNumber(1)), lua.LString("y"), row), false},
	} {
		if kindOfTable(c.table, lower.Input{}).Rows != c.want {
			t.Errorf("%s: %v", c.name, !c.want)
		}
	}
}

// A long list is copied for a loop over many rows, and looked up key by key otherwise.
func TestLongListsForManyRows(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	p := ecs.MustRegister[struct{ X float64 }](w, "P")
	q, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{p.ID()}})
	if err != nil {
		t.Fatal(err)
	}
	spawn := func(n int) {
		for range n {
			w.Spawn(p.ID())
		}
	}
	long, most, sparse := listOf(1, fewElements+400), listOf(1, mostElements+1), listOf(1, fewElements+400)
	sparse.RawSet(lua.LNumber(0.5), lua.LTrue)
	spawn(fewElements / elementsARow)
	if isFor(long, q) {
		t.Error("few rows copy a long list")
	}
	spawn(200 / elementsARow * 2)
	if !isFor(long, q) || isFor(long, nil) || isFor(listOf(1, fewElements), q) || isFor(sparse, q) {
		t.Error("many rows do not copy a long list, or what is none")
	}
	spawn(mostElements)
	if isFor(most, q) {
		t.Error("a list that is too long is copied")
	}
}
