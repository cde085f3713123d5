package luatypes

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// world declares something of every kind, with a field of every type.
func world(t *testing.T) *ecs.World {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{})
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	schema := func(fields ...ecs.Field) *ecs.Schema {
		s, err := ecs.NewSchema(fields...)
		must(err)
		return s
	}
	_, err := w.DeclareComponent("Position", schema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64}))
	must(err)
	var all []ecs.Field
	for _, name := range ecs.FieldTypes() {
		typ, _ := ecs.ParseFieldType(name)
		all = append(all, ecs.Field{Name: "of_" + name, Type: typ})
	}
	pos, err := w.DeclareComponent("Every", schema(all...))
	must(err)
	_ = pos
	_, err = w.DeclareRelation("ChildOf")
	must(err)
	_, err = w.DeclareTag("player")
	must(err)
	_, err = w.DeclareEvent("Hit", schema(ecs.Field{Name: "amount", Type: ecs.F64}))
	must(err)
	_, err = w.DeclareResource("score", ecs.I32, ecs.Value{})
	must(err)
	_, err = ecs.RegisterResource[struct{ X, Y float64 }](w, "wind")
	must(err)
	return w
}

// What scripts can call has a definition, and what has a definition can be called: the names are those that package surface binds.
func TestNamesAreThoseOfTheBinding(t *testing.T) {
	text := Definitions(world(t))
	object := map[string]string{"world:": "world:", "commands:": "world.commands:", "ecs.": "ecs.", "log.": "ecs.log.", "layer:": "layer:"}
	var defined []string
	for _, m := range regexp.MustCompile(`(?m)^function (\w+[.:])(\w+)\(`).FindAllStringSubmatch(text, -1) {
		if prefix, ok := object[m[1]]; ok {
			defined = append(defined, prefix+m[2])
		}
	}
	class := regexp.MustCompile(`(?s)---@class ecs\.World\n(.*?)local world`).FindStringSubmatch(text)
	for _, m := range regexp.MustCompile(`---@field (\w+) `).FindAllStringSubmatch(class[1], -1) {
		defined = append(defined, "world."+m[1])
	}
	if !strings.Contains(text, "---@field none ecs.Entity") {
		t.Error("ecs.none has no definition")
	}
	defined = append(defined, "ecs.none")
	slices.Sort(defined)
	if bound := surface.Names(); !slices.Equal(defined, bound) {
		t.Errorf("defined: %v\nbound:   %v", defined, bound)
	}
}

// The headings of docs/lua-api.md name the same arguments as the definitions.
func TestTheManualNamesTheSameArguments(t *testing.T) {
	page, err := os.ReadFile("../../docs/lua-api.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := map[string][]string{} // name -> its forms
	call := regexp.MustCompile("`((?:ecs|world|layer)[.:][a-z_.:]+)(\\(.*?\\)| ?\\{.*?\\})`")
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "### ") {
			continue
		}
		for _, m := range call.FindAllStringSubmatch(line, -1) {
			manual[m[1]] = append(manual[m[1]], m[2])
		}
	}
	texts := map[string]api.Text{"ecs.random": api.RandomText}
	for _, o := range api.Objects {
		for name, text := range o.Texts {
			texts[o.Prefix+name] = text
		}
	}
	for name, text := range texts {
		if !slices.ContainsFunc(manual[name], func(form string) bool { return same(form, plain(text)) }) {
			t.Errorf("%s takes (%s); the manual has %v", name, plain(text), manual[name])
		}
	}
	for name := range manual {
		if _, ok := texts[name]; !ok {
			t.Errorf("the manual describes %s, which has no text", name)
		}
	}
}

// plain returns the arguments of a text as the manual writes them.
func plain(text api.Text) string { return strings.ReplaceAll(text.Params, "?", "") }

// same reports whether a heading has these arguments. A table that the manual writes out, { … }, has a name in the texts: options, or if it is the only argument
// parts or terms.
func same(form, arguments string) bool {
	if strings.HasPrefix(form, "{") {
		return arguments == "parts" || arguments == "terms"
	}
	inside := strings.TrimSuffix(strings.TrimPrefix(form, "("), ")")
	return regexp.MustCompile(`\{.*\}`).ReplaceAllString(inside, "options") == arguments
}

// The definitions are Lua.
func TestDefinitionsAreLua(t *testing.T) {
	for name, text := range map[string]string{"ecs.lua": Definitions(world(t)), "ecs.test.lua": TestStub(), ".luacheckrc": LuacheckConfig()} {
		if _, err := syntax.Parse(name, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text != strings.ReplaceAll(text, "$", "") {
			t.Errorf("%s: a type was not replaced", name)
		}
	}
}

// What a world declares has its place in the definitions.
func TestDefinitionsOfDeclarations(t *testing.T) {
	text := Definitions(world(t))
	for _, want := range []string{
		"---@class Position: ecs.View\n---@field x number f64\n---@field y number f64\n",
		"---@class Position.Fields\n---@field x? number f64\n",
		"---@field of_entity ecs.Entity entity\n",
		"---@field of_table table table\n",
		"---@field of_u8 integer u8\n",
		"---@alias ecs.ComponentName\n---| \"Position\"\n---| \"Every\"\n",
		"---@alias ecs.TagName\n---| \"player\"\n",
		"---@alias ecs.GridName string\n",
		"---@class ecs.event.Hit\n---@field amount number f64\n",
		"---@field score integer i32\n",
		"---@field wind ecs.resource.wind\n",
		"---@field Position? Position.Fields\n",
		"---@field ChildOf? ecs.Entity\n",
		"---@overload fun(self: ecs.World, e: ecs.Entity, component: \"Position\"): Position?\n",
		"---@overload fun(self: ecs.World, e: ecs.Entity, component: \"Position\", fields: Position.Fields): boolean\n",
		"---@overload fun(self: ecs.Commands, e: ecs.Entity, component: \"Position\", fields: Position.Fields)\n",
		"---@overload fun(self: ecs.World, event: \"Hit\", fields?: ecs.event.Hit.Fields)\n",
		"---@overload fun(self: ecs.World, event: \"Hit\"): fun(): ecs.event.Hit\n",
		"---@param b? `B`|ecs.PartName\n",
		"---@return fun(): ecs.Entity, A, B, C, D, E, F, G, H next\nfunction world:each(a, b, c, d, e, f, g, h, ...) end\n",
		"---@return ecs.Entity? e\n---@return A\n",
		"function tested:step(frames, dt) end\n",
		"function assert.equal(expected, actual, message) end\n",
		"function describe(name, fn) end\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the definitions lack\n%s", want)
		}
	}
	if text != Definitions(world(t)) {
		t.Error("two equal worlds have different definitions")
	}
}

// Loops over queries of scripts, and near with one, have the types of what they yield; the queries are found by their names.
func TestDefinitionsOfQueries(t *testing.T) {
	text := Definitions(world(t), api.Terms{Required: []string{"Position"}, Optional: []string{"Every", "ChildOf"}}, api.Terms{Optional: []string{"Position"}}, api.Terms{})
	for _, want := range []string{
		"---@class ecs.Query.Position.optional.Every.ChildOf: ecs.Query\n",
		"---@class ecs.QueryTerms.Position.optional.Every.ChildOf.names\n---@field [1] \"Every\"\n---@field [2] \"ChildOf\"\n---@field [3]? nil\n",
		"---@class ecs.QueryTerms.Position.optional.Every.ChildOf: ecs.QueryTerms\n---@field [1] \"Position\"\n---@field [2]? nil\n---@field optional ecs.QueryTerms.Position.optional.Every.ChildOf.names\n",
		"---@overload fun(terms: ecs.QueryTerms.optional.Position): ecs.Query.optional.Position\nfunction ecs.query(terms) end\n",
		"---@overload fun(self: ecs.World, query: ecs.Query.Position.optional.Every.ChildOf, relation?: ecs.RelationName, target?: ecs.Entity): fun(): ecs.Entity, Position, Every?, ChildOf?\n",
		"---@overload fun(self: ecs.World, query: ecs.Query.optional.Position, relation?: ecs.RelationName, target?: ecs.Entity): ecs.Entity?, Position?\n",
		"---@overload fun(self: ecs.World, name: ecs.GridName, x: number, y: number, radius: number, filter: ecs.Query.optional.Position): fun(): ecs.Entity, number, Position?\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the definitions lack\n%s", want)
		}
	}
	if _, err := syntax.Parse("ecs.lua", text); err != nil {
		t.Error(err)
	}
	if strings.Contains(Definitions(world(t), api.Terms{}), "ecs.Query.") {
		t.Error("a query without components has a class")
	}
}

// A component whose name means a type of Lua gets a class of another name.
func TestNamesOfLuaTypes(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	s, _ := ecs.NewSchema()
	if _, err := w.DeclareComponent("number", s); err != nil {
		t.Fatal(err)
	}
	if text := Definitions(w); !strings.Contains(text, "---@class ecs.component.number: ecs.View\n") || strings.Contains(text, "---@class number") {
		t.Error("the component number became the class number")
	}
}
