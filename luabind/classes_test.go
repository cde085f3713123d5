package luabind

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Whole systems with objects, each as another author would write it: constructors, inheritance, metamethods, variables that begin as nil and
// get an object. testdata/classes.txt has them: "=== name" begins a system, "=== name/of/module" a required file. "left" behind the name says that the
// interpreter has to run many of its rows.

// A writtenSystem is one of these.
type writtenSystem struct {
	name, source string
	left         bool
}

// writtenSystems reads them, and the modules.
func writtenSystems(t *testing.T) (list []writtenSystem, modules map[string]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/classes.txt")
	if err != nil {
		t.Fatal(err)
	}
	modules = map[string]string{}
	for _, part := range strings.Split(string(text), "=== ")[1:] {
		head, source, _ := strings.Cut(part, "\n")
		name, more, _ := strings.Cut(head, " ")
		if strings.Contains(name, "/") {
			modules[name] = source
			continue
		}
		list = append(list, writtenSystem{name, source, more == "left"})
	}
	return list, modules
}

// writtenWorld makes the entities that the systems walk over.
const writtenWorld = `local ecs = require("ecs")
local KINDS = { "fire", "ice", "stone" }
return function(world)
  local last = ecs.none
  for i = 1, 40 do
    last = world:spawn{ Pos = { x = ecs.random(0, 9), y = ecs.random() * 5 }, Hp = { now = ecs.random(9), max = 10, kind = KINDS[i % 3 + 1] }, Unit = { side = i % 2, gold = i % 7, target = last } }
  end
end`

const writtenFrames = 30

// runWritten runs a system. It returns what can be seen.
func runWritten(t *testing.T, s writtenSystem, modules map[string]string, impl Impl) string {
	t.Helper()
	var out bytes.Buffer
	w := ecs.NewWorld(ecs.Options{Seed: 7, Memory: restlessMemory()})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
	}
	component := func(name string, fields ...ecs.Field) {
		schema, err := ecs.NewSchema(fields...)
		must(err)
		_, err = w.DeclareComponent(name, schema)
		must(err)
	}
	component("Pos", ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64})
	component("Hp", ecs.Field{Name: "now", Type: ecs.F64}, ecs.Field{Name: "max", Type: ecs.F64}, ecs.Field{Name: "kind", Type: ecs.String})
	component("Unit", ecs.Field{Name: "side", Type: ecs.I32}, ecs.Field{Name: "gold", Type: ecs.F64}, ecs.Field{Name: "target", Type: ecs.EntityField})
	scripts := map[string]string{"start": writtenWorld, s.name: s.source}
	for name, source := range modules {
		scripts[name] = source
	}
	r, err := New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Limits: Limits{OnError: Skip}, Scripts: files(scripts),
		Report: func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
	})
	must(err)
	must(r.Add(System{Name: "start", Script: "start.lua", Impl: Lua, Stage: ecs.Startup}))
	must(r.Add(System{Name: s.name, Script: s.name + ".lua", Impl: impl}))
	must(r.Load())
	must(r.Start(context.Background()))
	for range writtenFrames {
		must(r.Frame(context.Background(), 0.1))
		fmt.Fprintf(&out, "digest %v check %v\n", w.Digest(), w.Check())
	}
	return out.String()
}

// Systems with objects do the same with every implementation.
func TestClassesAsWritten(t *testing.T) {
	t.Parallel()
	list, modules := writtenSystems(t)
	for _, s := range list {
		want := runWritten(t, s, modules, Lua)
		for _, impl := range []Impl{Closures, Auto} {
			got := runWritten(t, s, modules, impl)
			if got != want {
				t.Errorf("%s, %v: got\n%.2000s\ninterpreted\n%.2000s\n%s", s.name, impl, got, want, s.source)
			}
		}
	}
}
