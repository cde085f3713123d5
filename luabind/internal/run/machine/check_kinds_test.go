package machine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/selfcheck"
	"github.com/yuin/gopher-lua/ast"
)

// declarations are what the bodies of these tests name, by name.
type declarations struct {
	ids  map[string]ecs.ComponentID
	tags map[string]ecs.TagID
	hit  *ecs.Schema
}

// fullBed is a world with components of all types of fields, tags, relations, an event, resources and a grid. Its loop walks what a filter asks for;
// its views are named after the components.
func fullBed(t testing.TB, filter func(d *declarations) ecs.Filter) (*bed, *declarations) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()})
	d := &declarations{ids: map[string]ecs.ComponentID{}, tags: map[string]ecs.TagID{}}
	schema := func(fields ...ecs.Field) *ecs.Schema {
		s, err := ecs.NewSchema(fields...)
		must(err)
		return s
	}
	f64 := func(names ...string) (out []ecs.Field) {
		for _, name := range names {
			out = append(out, ecs.Field{Name: name, Type: ecs.F64})
		}
		return out
	}
	for _, name := range []string{ecs.ChildOf, ecs.IsA, "Likes"} {
		id, err := w.DeclareRelation(name)
		must(err)
		d.ids[name] = id
	}
	for _, c := range []struct {
		name   string
		fields []ecs.Field
	}{
		{"A", f64("x", "y")},
		{"B", f64("x", "y")},
		{"C", f64("x", "y", "z")},
		{"W", []ecs.Field{
			{Name: "f", Type: ecs.F32},
			{Name: "i8", Type: ecs.I8},
			{Name: "u8", Type: ecs.U8},
			{Name: "i16", Type: ecs.I16},
			{Name: "u16", Type: ecs.U16},
			{Name: "i32", Type: ecs.I32},
			{Name: "u32", Type: ecs.U32},
			{Name: "i64", Type: ecs.I64},
			{Name: "u64", Type: ecs.U64},
			{Name: "on", Type: ecs.Bool},
			{Name: "who", Type: ecs.EntityField},
		}},
		{"S", []ecs.Field{{Name: "n", Type: ecs.F64}, {Name: "s", Type: ecs.String}, {Name: "u", Type: ecs.U8}, {Name: "t", Type: ecs.TableField}}},
	} {
		id, err := w.DeclareComponent(c.name, schema(c.fields...))
		must(err)
		d.ids[c.name] = id
	}
	for _, name := range []string{"red", "blue"} {
		id, err := w.DeclareTag(name)
		must(err)
		d.tags[name] = id
	}
	d.hit = schema(ecs.Field{Name: "n", Type: ecs.F64}, ecs.Field{Name: "who", Type: ecs.EntityField}, ecs.Field{Name: "u", Type: ecs.U8}, ecs.Field{Name: "on", Type: ecs.Bool})
	_, err := w.DeclareEvent("Hit", d.hit)
	must(err)
	_, err = w.DeclareResource("score", ecs.F64, ecs.Number(3))
	must(err)
	_, err = w.DeclareResource("small", ecs.I8, ecs.Number(3))
	must(err)
	_, err = w.DeclareGrid(ecs.GridSpec{Name: "g", Component: d.ids["A"], X: "x", Y: "y", Cell: 20})
	must(err)
	b := &bed{tb: t, world: w, budget: sandbox.New(sandbox.Options{}).Budget()}
	b.query, err = w.Query(filter(d))
	must(err)
	for _, id := range b.query.Terms() {
		b.ids, b.names = append(b.ids, id), append(b.names, strings.ToLower(w.ComponentNames()[id]))
	}
	return b, d
}

// over is the filter of some components.
func over(names ...string) func(d *declarations) ecs.Filter {
	return func(d *declarations) (f ecs.Filter) {
		for _, name := range names {
			f.Required = append(f.Required, d.ids[name])
		}
		return f
	}
}

// eventProgram is the program of a loop over the events Hit.
func (b *bed) eventProgram(d *declarations, body string) *ir.Program {
	b.tb.Helper()
	file, err := syntax.Parse("test", "for ev in each() do\n"+body+"\nend")
	if err != nil {
		b.tb.Fatal(err)
	}
	loop := file.Stmts[0].(*ast.GenericForStmt)
	t, reason := lower.Prepare(lower.Source{Line: 1, Names: file.Bindings, Variables: file.Bindings.Declared(loop), Events: true, Body: loop.Stmts})
	if reason != nil {
		b.tb.Fatal(reason)
	}
	kinds := make([]lower.Kind, len(t.Inputs))
	for i, in := range t.Inputs {
		switch {
		case in.Member != "":
			kinds[i] = lower.Kind{InputKind: lower.FuncInput, Name: in.Member}
		case in.Name() == "world":
			kinds[i] = lower.Kind{InputKind: lower.WorldInput}
		}
	}
	p, reason := t.Lower(kinds, lower.Context{World: b.world, Events: d.hit})
	if reason != nil {
		b.tb.Fatalf("%s: %v", body, reason)
	}
	return p
}

// A checkedKind is a body, and others that do something else: their code is found out.
type checkedKind struct {
	name   string
	filter func(d *declarations) ecs.Filter // nil: of events
	body   string
	others []string
}

var checkedKinds = []checkedKind{
	{"a number", over("A"), "sum = sum + a.x", []string{"sum = sum + a.y", "sum = sum - a.x", "sum = a.x"}},
	{"a truth", over("A"), "flag = a.x > 3", []string{"flag = a.x <= 3", "flag = a.y > 3"}},
	{"a text", over("A"), `if a.x > 3 then word = "b" end`, []string{`if a.x > 3 then word = "c" end`}},
	{"a variable without a value", over("A"), "if a.x > 3 then best = a.x end", []string{"if a.x > 3 then best = a.y end", "if a.x > 1e9 then best = a.x end"}},
	{"a variable that is nil again", over("A"), "if a.x > 3 then best = a.x elseif best ~= nil then best = nil end", []string{"if a.x > 3 then best = a.y elseif best ~= nil then best = nil end", "if a.x > 3 then best = a.x end if best == 7e77 then best = nil end"}},
	{"a returned number", over("A"), "if a.x > 30 then return a.x end a.y = 1", []string{"if a.x > 30 then return a.y end a.y = 1", "if a.x > 30 then return a.x + 1 end a.y = 1"}},
	{"a returned truth", over("A"), "if a.x > 30 then return a.y > 1 end a.y = 1", []string{"if a.x > 30 then return a.y > 2 end a.y = 1"}},
	{"a returned text", over("A"), `if a.x > 30 then return a.y > 1 and "p" or word end a.y = 1`, []string{`if a.x > 30 then return a.y > 1 and "q" or word end a.y = 1`}},
	{"an element", over("A"), "list[1] = a.x", []string{"list[1] = a.y", "list[2] = a.x"}},
	{"an element that may lack", over("A", "W"), "list[w.u8] = a.x", nil},
	{"a member", over("A"), "rows[1].p = rows[1].q + a.x", []string{"rows[1].p = rows[1].q + a.y", "rows[1].p = rows[1].p + a.x"}},
	{"draws alone", over("A"), "local t = math.random() a.y = 1", []string{"local t = math.random() t = math.random() a.y = 1"}},
	{"stamps alone", over("A"), "a.x = a.x", []string{"if a.x < 0 then a.x = a.x end"}},
	{"commands that do nothing", over("A"), `world.commands:despawn(0)`, nil},
	{"commands", over("A"), `world.commands:despawn(e)`, []string{`world.commands:despawn(e) world.commands:despawn(e)`, `if a.x > 0 then world.commands:despawn(e) end`}},
	{"events", over("A"), `world:send("Hit", { n = a.x, who = e, u = 3, on = a.y > 1 })`, []string{
		`world:send("Hit", { n = a.y, who = e, u = 3, on = a.y > 1 })`, `world:send("Hit", { n = a.x, u = 3, on = a.y > 1 })`, `world:send("Hit", { n = a.x, who = e, u = 4, on = a.y > 1 })`,
		`world:send("Hit", { n = a.x, who = e, u = 3, on = a.y > 2 })`, `if a.x > 0 then world:send("Hit", { n = a.x, who = e, u = 3, on = a.y > 1 }) end`,
	}},
	{"spawns", over("A"), `world.commands:spawn{ "red", B = { x = a.x }, Likes = e }`, []string{`world.commands:spawn{ "red", B = { y = a.x }, Likes = e }`, `world.commands:spawn{ "blue", B = { x = a.x }, Likes = e }`, `world.commands:spawn{ "red", B = { x = a.x } }`}},
	{"components added", over("A"), `if a.x > 3 then world.commands:add(e, "B") else world.commands:remove(e, "C") end`, []string{`if a.x > 3 then world.commands:add(e, "C") else world.commands:remove(e, "C") end`}},
	{"relations", over("A", "W"), `world.commands:relate(e, "Likes", w.who) world.commands:unrelate(w.who, "Likes")`, []string{`world.commands:relate(e, "Likes", e) world.commands:unrelate(w.who, "Likes")`}},
	{"tags of two kinds", over("A"), `if a.x > 3 then world:tag(e, "red") else world:untag(e, "blue") end`, []string{`if a.x > 3 then world:tag(e, "blue") else world:untag(e, "blue") end`, `if a.x > 3 then world:tag(e, "red") else world:untag(e, "red") end`}},
	{"an unknown entity", over("A", "W"), `if world:alive(w.who) then a.x = 1 elseif world:has(w.who, "C") then a.x = 2 end`, []string{`if world:alive(e) then a.x = 1 elseif world:has(w.who, "C") then a.x = 2 end`}},
	{"the fields of another", over("A", "W"), `local o = world:get(w.who, "B") if o then o.x = a.x end`, []string{`local o = world:get(w.who, "B") if o then o.y = a.x end`, `local o = world:get(e, "B") if o then o.x = a.x end`}},
	{"whole numbers", over("W"), "w.i8 = w.i8 + 1 w.u8 = w.u8 - 1 w.i16 = w.i8 w.u16 = w.u8 w.i32 = w.i32 * 2 w.u32 = w.u8", []string{
		"w.i8 = w.i8 + 2 w.u8 = w.u8 - 1 w.i16 = w.i8 w.u16 = w.u8 w.i32 = w.i32 * 2 w.u32 = w.u8", "w.i8 = w.i8 + 1 w.u8 = w.u8 - 1 w.i16 = w.i8 w.u16 = w.u8 w.i32 = w.i32 * 3 w.u32 = w.u8",
	}},
	{"short numbers", over("W"), "w.f = w.f * 1.1 w.on = w.f > 3", []string{"w.f = w.f * 1.2 w.on = w.f > 3", "w.f = w.f * 1.1 w.on = w.f > 4"}},
	{"entities", over("W"), "if w.who == e then w.who = nil else w.who = e end", nil},
	{"entities that are stored", over("W"), "if w.on then w.who = e end", []string{"if not w.on then w.who = e end"}},
	{"beside strings", over("S", "A"), "s.n = s.n + s.u a.x = s.n s.u = 3", []string{"s.n = s.n - s.u a.x = s.n s.u = 3", "s.n = s.n + s.u a.x = s.n s.u = 4"}},
	{"resources", over("A"), "world.resources.score = world.resources.score + a.x", []string{"world.resources.score = world.resources.score - a.x"}},
	{"a resource that may not fit", over("W"), "world.resources.small = w.u8", []string{"world.resources.small = w.i8"}},
	{"time", over("A"), "a.x = a.x + world.dt * world.frame if world.time > 3 then a.y = 2 end", []string{"a.x = a.x - world.dt * world.frame if world.time > 3 then a.y = 2 end", "a.x = a.x + world.dt * world.frame if world.time > 3 then a.y = 3 end"}},
	{"who is near", over("A"), `local n = 0 for o, d in world:near("g", a.x, a.y, 30) do n = n + d end a.y = n`, nil},
	{"a query within a query", over("A"), `for o, b in world:each("B") do for p, c in world:each("C") do if c.x > b.x then a.x = a.x + 1 end end end`, []string{`for o, b in world:each("B") do for p, c in world:each("C") do if c.x >= b.y then a.x = a.x + 1 end end end`}},
	{"counts", over("A"), "for i = 1, a.x % 9, 2 do a.y = a.y + i if a.y > 50 then break end end", []string{"for i = 1, a.x % 9, 2 do a.y = a.y + i if a.y > 51 then break end end", "for i = 1, a.x % 8, 2 do a.y = a.y + i if a.y > 50 then break end end"}},
	{
		"views that may be nil", func(d *declarations) ecs.Filter {
			return ecs.Filter{Required: []ecs.ComponentID{d.ids["A"]}, Optional: []ecs.ComponentID{d.ids["B"], d.ids["C"]}}
		}, "if b then a.x = b.x elseif c then c.z = a.y end", []string{"if b then a.x = b.y elseif c then c.z = a.y end", "if b then a.x = b.x elseif c then c.z = a.x end"},
	},
	{
		"one view that may be nil", func(d *declarations) ecs.Filter {
			return ecs.Filter{Required: []ecs.ComponentID{d.ids["A"]}, Optional: []ecs.ComponentID{d.ids["B"]}}
		}, "if b then a.x = b.x else a.y = 3 end", []string{"if b then a.x = b.x else a.y = 4 end"},
	},
	{
		"tagged rows", func(d *declarations) ecs.Filter {
			return ecs.Filter{Required: []ecs.ComponentID{d.ids["A"]}, Tagged: []ecs.TagID{d.tags["red"]}, Untagged: []ecs.TagID{d.tags["blue"]}}
		}, "a.x = a.x + a.y", []string{"a.x = a.x - a.y"},
	},
	{
		"tagged rows that ask for it", func(d *declarations) ecs.Filter {
			return ecs.Filter{Required: []ecs.ComponentID{d.ids["A"]}, Tagged: []ecs.TagID{d.tags["red"]}}
		}, `if not world:tagged(e, "blue") then world:untag(e, "red") a.x = 1 end`, []string{`if world:tagged(e, "blue") then world:untag(e, "red") a.x = 1 end`},
	},
	{
		"changed rows", func(d *declarations) ecs.Filter {
			return ecs.Filter{Required: []ecs.ComponentID{d.ids["A"]}, Changed: []ecs.ComponentID{d.ids["A"]}}
		}, "a.x = a.x + a.y", []string{"a.x = a.x - a.y"},
	},
	{
		"any of two", func(d *declarations) ecs.Filter {
			return ecs.Filter{Required: []ecs.ComponentID{d.ids["A"]}, Any: []ecs.ComponentID{d.ids["B"], d.ids["C"]}, Without: []ecs.ComponentID{d.ids["W"]}}
		}, "a.x = a.x + a.y", []string{"a.x = a.x - a.y"},
	},
	{
		"related rows", func(d *declarations) ecs.Filter {
			return ecs.Filter{Required: []ecs.ComponentID{d.ids["A"], d.ids["Likes"]}}
		}, "a.x = a.x + a.y", []string{"a.x = a.x - a.y"},
	},
	{"events that are read", nil, "sum = sum + ev.n if ev.on then sum = sum + ev.u end", []string{"sum = sum + ev.n if not ev.on then sum = sum + ev.u end", "sum = sum - ev.n if ev.on then sum = sum + ev.u end"}},
	{"events that end the loop", nil, "if ev.n > 30 then return ev.who end sum = sum + 1", []string{"if ev.n > 30 then return ev.u end sum = sum + 1", "if ev.n > 30 then break end sum = sum + 1"}},
	{"events that are rare", nil, "if ev.n == 12345.5 then sum = sum + 1 end", []string{"if ev.n == 12345.5 then sum = sum + 2 end"}},
	{"events that look", nil, `local a = world:get(ev.who, "A") if a then a.x = a.x + ev.n end`, []string{`local a = world:get(ev.who, "A") if a then a.y = a.x + ev.n end`}},
	{"events that send", nil, `if ev.u > 3 then world:send("Hit", { n = ev.n }) world.commands:despawn(ev.who) end`, []string{`if ev.u > 3 then world:send("Hit", { n = ev.n + 1 }) world.commands:despawn(ev.who) end`}},
	{"events that loop", nil, `for i = 1, ev.u do sum = sum + i end`, []string{`for i = 1, ev.u do sum = sum - i end`}},
}

// checkKind checks the code of one body as that of another, in a world of its own, and shows the self-test.
func checkKind(t testing.TB, c checkedKind, body, other string, ended func(selfcheck.Report)) error {
	t.Helper()
	filter := c.filter
	if filter == nil {
		filter = over("A")
	}
	b, d := fullBed(t, filter)
	program := func(body string) *ir.Program {
		if c.filter == nil {
			return b.eventProgram(d, body)
		}
		p, _, reason := b.program(body)
		if reason != nil {
			t.Fatalf("%s: %s: %v", c.name, body, reason)
		}
		return p
	}
	p, wrong, query := program(body), program(other), b.query
	if c.filter == nil {
		query = nil
	}
	u, err := emitFor(wrong, query, b.world, packing.Forms, false, 0)
	if err != nil {
		t.Fatalf("%s: %s: %v", c.name, other, err)
	}
	code, err := engine.Compile(u.Code)
	if err != nil {
		t.Fatal(err)
	}
	defer code.Drop(u.Code)
	return selfcheck.CheckWith(p, query, b.world, uint64(len(u.Code)), underTest(u, code), ended)
}

// A check finds out code that does something else, in whatever it differs, and says what the difference is. What rows it makes is recorded, and what it says.
func TestRecordedKindsOfChecks(t *testing.T) {
	var out strings.Builder
	for _, c := range checkedKinds {
		fmt.Fprintf(&out, "%s: %s\n", c.name, c.body)
		err := checkKind(t, c, c.body, c.body, func(d selfcheck.Report) {
			fmt.Fprintf(&out, "  work %d draws %x want %v got %v handles %d\n", d.Work, d.Draws, d.Want, d.Got, d.Handles)
			for i, side := range d.Conditions {
				fmt.Fprintf(&out, "  condition %d: inputs %b rows %v turns %d seen %v often %v\n", i, side.Inputs, side.Rows, side.Rounds, side.Seen, side.Often)
				for _, n := range side.Nearest {
					if n != nil {
						fmt.Fprintf(&out, "    %v %v\n", n.Distance, n.Rows)
					}
				}
			}
		})
		if err != nil {
			t.Errorf("%s: %s: %v", c.name, c.body, err)
		}
		for _, other := range c.others {
			err := checkKind(t, c, c.body, other, nil)
			if !errors.Is(err, selfcheck.ErrDiffers) {
				t.Errorf("%s: %s\nas the code of\n%s\n%v", c.name, other, c.body, err)
			}
			fmt.Fprintf(&out, "  as %s: %v\n", other, err)
		}
	}
	asRecorded(t, "kinds.txt", out.String())
}
