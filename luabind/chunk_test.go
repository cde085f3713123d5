package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// The binding is tested in the language it is for. testdata/*.lua holds many
// small cases: "---" starts a fresh world; "--! text" expects the run to fail on
// its line with that text in the message. A case is the body of an update, run
// in frame 1; the words after "---" change that:
//
//	--- frames 3   the same body runs in frames 1 to 3
//	--- load       the case is the file itself, not a body
//
// The components, tags, events and resources of declareForTests exist.

func declareForTests(t testing.TB, w *ecs.World) {
	t.Helper()
	component := func(name string, fields ...ecs.Field) {
		s, err := ecs.NewSchema(fields...)
		if err == nil {
			_, err = w.DeclareComponent(name, s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f := func(name string, typ ecs.FieldType) ecs.Field { return ecs.Field{Name: name, Type: typ} }
	component("Position", f("x", ecs.F64), f("y", ecs.F64))
	component("Velocity", f("dx", ecs.F64), f("dy", ecs.F64))
	component("Health", ecs.Field{Name: "current", Type: ecs.F64, Default: ecs.Number(100)}, ecs.Field{Name: "max", Type: ecs.F64, Default: ecs.Number(100)})
	component("Kinds", f("f64", ecs.F64), f("f32", ecs.F32), f("i32", ecs.I32), f("u32", ecs.U32), f("i16", ecs.I16), f("u16", ecs.U16),
		f("i8", ecs.I8), f("u8", ecs.U8), f("flag", ecs.Bool), f("who", ecs.EntityField), f("name", ecs.String), f("items", ecs.TableField))
	component("Marker")
	for _, tag := range []string{"player", "enemy", "selected"} {
		if _, err := w.DeclareTag(tag); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ecs.NewSchema(f("target", ecs.EntityField), f("amount", ecs.F64), f("note", ecs.String), f("extra", ecs.TableField))
	if err == nil {
		_, err = w.DeclareEvent("Hit", s)
	}
	if err == nil {
		_, err = w.DeclareResource("score", ecs.I32, ecs.Number(0))
	}
	if err == nil {
		_, err = w.DeclareResource("title", ecs.String, ecs.Text("untitled"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

const checkModule = `
local M = {}
local function show(v)
  if type(v) == "string" then return string.format("%q", v) end
  if type(v) ~= "table" then return tostring(v) end
  local parts = {}
  for k, x in pairs(v) do parts[#parts + 1] = "[" .. show(k) .. "] = " .. show(x) end
  return "{" .. table.concat(parts, ", ") .. "}"
end
local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end
function M.eq(got, want)
  if not same(got, want) then error("got " .. show(got) .. ", want " .. show(want), 2) end
end
function M.fails(text, fn, ...)
  local ok, err = pcall(fn, ...)
  if ok then error("no error; want " .. text, 2) end
  if not string.find(tostring(err), text, 1, true) then error("got the error " .. tostring(err) .. "; want " .. text, 2) end
end
return M
`

func TestChunks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatalf("no chunk files: %v", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".lua")
		lines := strings.Split(strings.TrimRight(string(source), "\n"), "\n")
		from, how := 0, ""
		for i := 0; i <= len(lines); i++ {
			if i < len(lines) && !strings.HasPrefix(lines[i], "---") {
				continue
			}
			if from < i {
				t.Run(fmt.Sprintf("%s:%d", name, from+1), func(t *testing.T) { runChunk(t, how, lines[from:i], from) })
			}
			if i < len(lines) {
				how, from = strings.TrimSpace(strings.TrimLeft(lines[i], "-")), i+1
			}
		}
	}
}

// runChunk runs the lines of a case, the first of which is line skip+1 of the
// file.
func runChunk(t *testing.T, how string, lines []string, skip int) {
	wantLine, wantText := 0, ""
	for i, l := range lines {
		if _, text, ok := strings.Cut(l, "--!"); ok {
			wantLine, wantText = skip+i+1, strings.TrimSpace(text)
		}
	}
	frames := 1
	if _, err := fmt.Sscanf(how, "frames %d", &frames); err != nil && strings.HasPrefix(how, "frames") {
		t.Fatal(err)
	}
	head := `local ecs, check = require("ecs"), require("check"); `
	body := strings.Repeat("\n", skip) + strings.Join(lines, "\n")
	source := head + body
	if how != "load" {
		source = head + "return function(world, dt) " + body + "\nend"
	}
	w := ecs.NewWorld(ecs.Options{Seed: 7, MaxEntities: 10_000})
	declareForTests(t, w)
	var out bytes.Buffer
	r, err := New(Options{Log: strictLog(t), World: w, Stdout: &out, Scripts: fstest.MapFS{
		"case.lua":         {Data: []byte(source)},
		"check.lua":        {Data: []byte(checkModule)},
		"lib/counter.lua":  {Data: []byte(`local n = 0; return { next = function() n = n + 1; return n end }`)},
		"lib/broken.lua":   {Data: []byte("local x =\n= 1")},
		"lib/failing.lua":  {Data: []byte("local t = nil\nreturn t.x")},
		"lib/circle.lua":   {Data: []byte(`return require("lib.circle")`)},
		"lib/stateful.lua": {Data: []byte(`local M = {}; return M`)},
	}, Limits: Limits{Instructions: 2_000_000}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(System{Name: "case", Script: "case.lua"}); err != nil {
		t.Fatal(err)
	}
	err = r.Load()
	if err == nil {
		err = r.Start(context.Background())
	}
	for i := 0; i < frames && err == nil; i++ {
		err = r.Frame(context.Background(), 0.5)
	}
	if out.Len() > 0 {
		t.Logf("printed:\n%s", out.String())
	}
	if problem := w.Check(); problem != nil {
		t.Fatalf("the world is broken: %v", problem)
	}
	if wantText == "" {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	var se *ScriptError
	if !errors.As(err, &se) {
		t.Fatalf("line %d: got error %v, want %q", wantLine, err, wantText)
	}
	if se.Line != wantLine || !strings.Contains(se.Message, wantText) {
		t.Fatalf("got %v\nwant line %d: %s", err, wantLine, wantText)
	}
}
