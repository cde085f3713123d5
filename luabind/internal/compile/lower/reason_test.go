package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/yuin/gopher-lua/ast"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// A fixture is a world with components P and Q, the relation Likes, the tag red, the event hit, and the resources score and place.
type fixture struct {
	world   *ecs.World
	context Context
	p       ecs.ComponentID
	kinds   map[string]Kind // of inputs, by name
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	x := &fixture{world: w, kinds: map[string]Kind{
		"w": {InputKind: WorldInput}, "math": {InputKind: OtherInput}, "math.floor": {InputKind: FuncInput, Name: "floor"}, "n": {InputKind: NumberInput},
		"word": {InputKind: TextInput, Name: "red"}, "list": {InputKind: TableInput}, "rows": {InputKind: TableInput, Rows: true},
	}}
	schema := func(fields ...ecs.Field) *ecs.Schema { return must[*ecs.Schema](t)(ecs.NewSchema(fields...)) }
	x.p = must[ecs.ComponentID](t)(w.DeclareComponent("P", schema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "s", Type: ecs.String})))
	q := must[ecs.ComponentID](t)(w.DeclareComponent("Q", schema(ecs.Field{Name: "y", Type: ecs.F64})))
	must[ecs.RelationID](t)(w.DeclareRelation("Likes"))
	must[ecs.TagID](t)(w.DeclareTag("red"))
	must[ecs.EventID](t)(w.DeclareEvent("hit", schema(ecs.Field{Name: "n", Type: ecs.F64})))
	must[ecs.ResourceID](t)(w.DeclareResource("score", ecs.F64, ecs.Number(1)))
	if _, err := ecs.RegisterResource[struct{ X, Y float64 }](w, "place"); err != nil {
		t.Fatal(err)
	}
	x.context = Context{World: w, Query: must[*ecs.Query](t)(w.Query(ecs.Filter{Required: []ecs.ComponentID{x.p}, Optional: []ecs.ComponentID{q}}))}
	return x
}

// program lowers the last loop of a text. Inputs that x.kinds does not name are nil.
func (x *fixture) program(t *testing.T, text string) (p *ir.Program, reason *Reason) {
	t.Helper()
	tpl, reason := prepared(t, text)
	if reason != nil {
		return nil, reason
	}
	kinds := make([]Kind, len(tpl.Inputs))
	for i, in := range tpl.Inputs {
		kind, ok := x.kinds[in.Text()]
		if !ok {
			kind = Kind{InputKind: NilInput}
		}
		kinds[i] = kind
	}
	return tpl.Lower(kinds, x.context)
}

// lower returns why the last loop of a text is not lowered, "" if it is.
func (x *fixture) lower(t *testing.T, text string) string {
	t.Helper()
	if _, reason := x.program(t, text); reason != nil {
		return reason.Text
	}
	return ""
}

// What keeps a loop from becoming a Program when the types are known.
func TestLowerReasons(t *testing.T) {
	x := newFixture(t)
	const empty = "local function f() return end "
	for _, c := range []struct{ text, want string }{
		{"for e, p in w:each() do p.x = f().x end", "calls f"},
		{empty + "for e, p in w:each() do p.x = f().x end", "indexes something that is no view"},
		{empty + "for e, p in w:each() do local a, b = f() p.x = a end", `uses "a", which is nil`},
		{empty + "for e, p in w:each() do return f() end", "returns a number of values that is not known"},
		{"local function f(e) local v = w:get(e, 'P') v = w:get(e, 'P') return v end for e, p in w:each() do p.x = f(e).x end", `the function "f" returns a view`},
		{"for e, p in w:each() do p.x = w.resources.place end", `the resource "place" has fields`},
		{"for e, p in w:each() do p.x = w.resources.score end", ""},
		{"for e, p in w:each() do p:alive(e) end", "calls p:alive"},
		{"for e, p in w:each() do (p or e):alive(e) end", "calls (p or e):alive"},
		{"for e, p in w:each() do (p or e)(1) end", "calls (p or e)"},
		{"for e, p in w:each() do ('%s'):none() end", `calls ("%s"):none`},
		{"for e, p in w:each() do ('a text of many words is cut'):none() end", `calls ("…"):none`},
		{"for e, p in w:each() do p.a[e + 1]['a b']:m(1) end", `calls p.a[e + 1]["a b"]:m`},
		{"for e, p in w:each() do w.commands:alive(e) end", "calls w.commands:alive"},
		{"for e, p in w:each() do w.commands:add() end", "calls w.commands:add without arguments"},
		{"for e, p in w:each() do w.commands:add(e) end", "calls w.commands:add with 1 arguments"},
		{"for e, p in w:each() do w.commands:add(e, 'Q', 'P') end", ""},
		{"for e, p in w:each() do w.commands:add(e, 'Q', 'Q') end", "names a component twice"},
		{"for e, p in w:each() do w.commands:add(e, 'Likes') end", `"Likes" is a relation`},
		{"for e, p in w:each() do w.commands:remove(e, 'Likes') end", ""},
		{"for e, p in w:each() do w.commands:despawn(e, e) end", "calls w.commands:despawn with 2 arguments"},
		{"for e, p in w:each() do w.commands:set(e, 'P', {x = 1}, 1) end", "calls w.commands:set with 4 arguments"},
		{"for e, p in w:each() do w.commands:relate(e, 'Likes') end", "calls w.commands:relate with 2 arguments"},
		{"for e, p in w:each() do w.commands:relate(e, 'Likes', e) end", ""},
		{"for e, p in w:each() do w.commands:unrelate(e, 'Likes', e) end", "calls w.commands:unrelate with 3 arguments"},
		{"for e, p in w:each() do w.commands:unrelate(e, 'Hates') end", `there is no relation "Hates"`},
		{"for e, p in w:each() do w.commands:tag(e) end", "calls w.commands:tag with 1 arguments"},
		{"for e, p in w:each() do w:tag(e, p.s) end", ""},
		{"for e, p in w:each() do w:tag(e, n) end", "takes a name that is not known before the loop begins"},
		{"local word for e, p in w:each() do w:tag(e, word) end", ""},
		{"local word for e, p in w:each() do p.s = word w:tag(e, word) end", ""},
		{"local word for e, p in w:each() do p.s = word w:tag(e, word) word = 'a' end", ""},
		{"local function f(name) w:tag(1, name) name = 'a' end local word for e, p in w:each() do p.s = word f(word) end", ""},
		{"for e, p in w:each() do for other in w:each('Hates', e) do end end", `there is no component "Hates"`},
		{"for e, p in w:each() do for other in w:each('Likes', e) do end end", "takes a name that is not known before the loop begins"},
		{"for e, p in w:each() do w:send('hit', {1}) end", "makes a table with a key that is no name"},
		{"for e, p in w:each() do w.commands:spawn{P = {1}} end", "makes a table with a key that is no name"},
		{"for e, p in w:each() do w.commands:spawn{[1] = 'P'} end", "makes a table with a key that is no name"},
		{"for e, p in w:each() do w:send('hit', {[1] = 1}) end", "makes a table with a key that is no name"},
		{"local list for e, p in w:each() do p.x = list.a end", "uses list.a, which is nil when the loop begins"},
		{"local other for e, p in w:each() do p.x = other.a end", "uses other.a, which is no number, boolean, string or table of constants when the loop begins"},
		{"for e, p in w:each() do p.x = p.x " + strings.Repeat("p.x = 1 ", mostStatements-1) + "end", ""},
		{"for e, p in w:each() do p.x = p.x " + strings.Repeat("p.x = 1 ", mostStatements) + "end", tooLarge},
	} {
		if got := x.lower(t, c.text); got != c.want {
			t.Errorf("%.200s: %q, want %q", c.text, got, c.want)
		}
	}
}

// A loop takes at most mostInputs values from around itself.
func TestTooManyInputs(t *testing.T) {
	for n, want := range map[int]string{mostInputs: "", mostInputs + 1: "the loop uses too many variables from around itself"} {
		var text strings.Builder
		text.WriteString("for e, p in w:each() do ")
		for i := range n {
			fmt.Fprintf(&text, "p.x = g%d ", i)
		}
		text.WriteString("end")
		_, reason := prepared(t, text.String())
		if got := ""; reason != nil && reason.Text != want || reason == nil && got != want {
			t.Errorf("%d inputs: %v, want %q", n, reason, want)
		}
	}
}

// A query within may ask for components and tags, and for nothing else.
func TestQueriesWithin(t *testing.T) {
	x := newFixture(t)
	p, red := []ecs.ComponentID{x.p}, must[ecs.TagID](t)(x.world.DeclareTag("red"))
	for _, c := range []struct {
		filter ecs.Filter
		want   string
	}{
		{ecs.Filter{Required: p}, ""},
		{ecs.Filter{Required: p, Tagged: []ecs.TagID{red}}, ""},
		{ecs.Filter{Required: p, Untagged: []ecs.TagID{red}}, ""},
		{ecs.Filter{Required: p, Changed: p}, "the query within asks for changes"},
		{ecs.Filter{Required: p, Added: p}, "the query within asks for changes"},
		{ecs.Filter{Required: p, Where: ecs.Not(ecs.HasTag(red))}, "the query within has a combination of conditions"},
	} {
		x.kinds["q"] = Kind{InputKind: QueryInput, Query: must[*ecs.Query](t)(x.world.Query(c.filter))}
		if got := x.lower(t, "local q for e, p in w:each() do w:tag(e, 'red') for other, v in w:each(q) do v.x = 1 end end"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.filter, got, c.want)
		}
	}
}

// Nodes that no parsed and prepared loop has are refused, too.
func TestUnknownNodes(t *testing.T) {
	type statement struct{ ast.StmtBase }
	tpl, _ := prepared(t, "for e, p in w:each() do end")
	for want, fn := range map[string]func(*lowerer){
		"has a statement of an unknown kind":                     func(c *lowerer) { c.stmt(&statement{}) },
		"has an expression that is no number, boolean or string": func(c *lowerer) { c.expr(&ast.Comma3Expr{}) },
		"has a malformed number":                                 func(c *lowerer) { c.expr(&ast.NumberExpr{Value: "1x"}) },
		`uses the global "x"`:                                    func(c *lowerer) { c.expr(&ast.IdentExpr{Value: "x"}) },
	} {
		got := ""
		func() {
			var reason *Reason
			defer func() {
				if reason != nil {
					got = reason.Text
				}
			}()
			defer caught(&reason)
			fn(&lowerer{t: tpl})
		}()
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
