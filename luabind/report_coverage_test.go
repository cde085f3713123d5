package luabind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/ecs"
)

// The lines that these files mark with "-- ran" run in three frames, those with "-- not" do not; all others are not executable.
var coveredFiles = map[string]string{
	"main.lua": `local lib = require("lib.tools") -- ran
local M = { state = { n = 0 } } -- ran
local function never() -- ran
  return 1 -- not
end

local function twice(x) -- ran
  if x < 0 then -- ran
    return 0 -- not
  end
  return lib.double(x) -- ran
end

function M.init(world) -- ran
  for i = 1, 10 do -- ran
    world:spawn{ -- ran
      P = { x = i },
    }
  end
end

function M.update(world, dt) -- ran
  local n = 0 -- ran
  for e, p in world:each("P") do -- ran
    p.x = p.x + twice(1) * dt -- ran
    if p.x > 1000 then -- ran
      p.x = 0 -- not
    elseif p.x > 900 then -- ran
      p.x = 1 -- not
    else
      n = n + 1 -- ran
    end
  end
  do
    local co = coroutine.wrap(function() -- ran
      coroutine.yield(1) -- ran
      M.state.n = 2 -- ran
      coroutine.yield(2) -- ran
      M.state.n = 3 -- not
    end)
    co() -- ran
    co() -- ran
  end
  local ok = pcall(function() -- ran
    error("out") -- ran
    n = 0 -- not
  end)
  repeat
    n = n - 1 -- ran
    if n == 3 then break end -- ran
    if n == 2 then goto continue end -- ran
    ::continue::
  until n < 0 -- ran
  while n > 100 do -- ran
    n = n - 1 -- not
  end
  local t = { f = function() -- ran
    return 1 -- not
  end, g = function() return 2 end } -- not
  if n then -- ran
    if ok then -- ran
      n = 1 -- not
    else
      return -- ran
    end
  end
end

return M -- ran
`,
	"lib/tools.lua": `local M = {} -- ran
-- a comment
function M.double(x) -- ran
  return x * 2 -- ran
end
function M.half(x) -- ran
  return x / 2 -- not
end
return M -- ran
`,
	"mods/fire/tick.lua": `local heat = require("heat") -- ran
return function(world, dt) -- ran
  world:send("Burnt", { n = heat.of(1) }) -- ran
  for burnt in world:read("Burnt") do -- ran
    if burnt.n > 1 then -- ran
      heat.of(2) -- not
    end
  end
end
`,
	"mods/fire/heat.lua": `return { of = function(n) -- ran
  return n -- ran
end }
`,
}

// expectedLines returns the lines of a source that are marked to have run, and those that have not.
func expectedLines(source string) (ran, not []int) {
	for i, line := range strings.Split(source, "\n") {
		switch {
		case strings.HasSuffix(line, "-- ran"):
			ran = append(ran, i+1)
		case strings.HasSuffix(line, "-- not"):
			not = append(not, i+1)
		}
	}
	return ran, not
}

func linesOf(f CoveredFile) (ran, not []int) {
	for _, l := range f.Lines {
		if l.Count > 0 {
			ran = append(ran, l.Number)
		} else {
			not = append(not, l.Number)
		}
	}
	return ran, not
}

// runCovered runs files with the system main, and perhaps the mod fire, for three frames, and returns the digest. hit is what scripts call as
// require("host").hit.
func runCovered(t *testing.T, files map[string]string, impl Impl, coverage *Coverage, hit Function) ecs.Digest {
	t.Helper()
	own, mod := fstest.MapFS{}, fstest.MapFS{}
	systems := []System{{Name: "main", Script: "main.lua", Impl: impl}}
	for name, text := range files {
		if inside, ok := strings.CutPrefix(name, "mods/fire/"); ok {
			mod[inside] = &fstest.MapFile{Data: []byte(text)}
		} else {
			own[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	if len(mod) > 0 {
		systems = append(systems, System{Name: "fire.tick", Script: "fire/tick.lua", Impl: impl})
	}
	w := ecs.NewWorld(ecs.Options{Memory: restlessMemory()})
	schema, _ := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64})
	_, err := w.DeclareComponent("P", schema)
	if err != nil {
		t.Fatal(err)
	}
	event, _ := ecs.NewSchema(ecs.Field{Name: "n", Type: ecs.F64})
	if _, err := w.DeclareEvent("Burnt", event); err != nil {
		t.Fatal(err)
	}
	rt, err := New(Options{
		World: w, Scripts: own, Mods: []Mod{{Name: "fire", Scripts: mod}}, Coverage: coverage,
		Limits: Limits{Instructions: 1_000_000}, Modules: map[string]map[string]Function{"host": {"hit": hit}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	for _, s := range systems {
		if err := rt.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	if err := rt.Load(); err != nil {
		t.Fatal(err)
	}
	if err := rt.Start(ctx); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := rt.Frame(ctx, 0.5); err != nil {
			t.Fatal(err)
		}
	}
	return w.Digest()
}

func TestCoverageOfAKnownFile(t *testing.T) {
	want := runCovered(t, coveredFiles, Auto, nil, nil)
	for _, impl := range []Impl{Lua, Closures, Auto} {
		c := NewCoverage()
		named := c.Named(func(path string) string {
			if rest, ok := strings.CutPrefix(path, "fire/"); ok {
				return "mods/fire/" + rest
			}
			return path
		})
		if got := runCovered(t, coveredFiles, impl, named, nil); got != want {
			t.Errorf("%v: digest %x, without coverage %x", impl, got, want)
		}
		files := c.Files()
		if len(files) != len(coveredFiles) {
			t.Errorf("%v: %d files", impl, len(files))
		}
		for _, f := range files {
			ran, not := linesOf(f)
			wantRan, wantNot := expectedLines(coveredFiles[f.Name])
			if !slices.Equal(ran, wantRan) || !slices.Equal(not, wantNot) {
				t.Errorf("%v: %s: ran %v, want %v; not %v, want %v", impl, f.Name, ran, wantRan, not, wantNot)
			}
		}
	}
}

func TestCoverageKeepsTheBudget(t *testing.T) {
	for _, source := range []string{
		"return function(world) for i = 1, 10000 do\nlocal x = i\nend end",
		"return function(world) coroutine.wrap(function() for i = 1, 10000 do\nlocal x = i\nend end)() end",
	} {
		for _, c := range []*Coverage{nil, NewCoverage()} {
			w := ecs.NewWorld(ecs.Options{})
			rt, err := New(Options{
				World: w, Scripts: fstest.MapFS{"a.lua": {Data: []byte(source)}}, Coverage: c, Limits: Limits{Instructions: 20_500},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(rt.Add(System{Name: "a", Script: "a.lua", Impl: Lua}), rt.Load(), rt.Start(context.Background()), rt.Frame(context.Background(), 1)); err != nil {
				t.Errorf("with coverage %v: %v", c != nil, err)
			}
		}
	}
}

// A file with as many locals as a function can have is counted, too, though marks need one more.
func TestAFileOfManyLocalsIsCounted(t *testing.T) {
	source := "local v = 0\n"
	for i := range 199 {
		source += fmt.Sprintf("local v%d = v\n", i)
	}
	source += "return function() end\n"
	c := NewCoverage()
	w := ecs.NewWorld(ecs.Options{})
	rt, err := New(Options{World: w, Scripts: fstest.MapFS{"a.lua": {Data: []byte(source)}}, Coverage: c})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rt.Add(System{Name: "a", Script: "a.lua"}), rt.Load()); err != nil {
		t.Fatal(err)
	}
	if files := c.Files(); len(files) != 1 || files[0].Uncounted || len(files[0].Lines) != 201 {
		t.Errorf("%+v", files)
	}
}

// A reload counts in the new text, on_reload included; one that fails leaves the counts of the text in use.
func TestCoverageOfAReload(t *testing.T) {
	const old = "local M = { state = {} }\nfunction M.update()\nM.state.n = 1\nend\nreturn M"
	files := fstest.MapFS{"a.lua": {Data: []byte(old)}}
	c := NewCoverage()
	rt, err := New(Options{World: ecs.NewWorld(ecs.Options{}), Scripts: files, Coverage: c})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := errors.Join(rt.Add(System{Name: "a", Script: "a.lua"}), rt.Load(), rt.Start(ctx), rt.Frame(ctx, 1)); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		text, kept string
		ran        []int
	}{
		{"return 1", old, []int{1, 2, 3, 5}},
		{strings.Replace(old, "return M", "\nfunction M.on_reload()\nM.state.n = nil + 1\nend return M", 1), old, []int{1, 2, 3, 5}},
		{strings.Replace(old, "return M", "function M.on_reload()\nM.state.n = 7\nend return M", 1), "", []int{1, 2, 5, 6, 7}},
	} {
		files["a.lua"] = &fstest.MapFile{Data: []byte(step.text)}
		_, err := rt.Reload(ctx, Change{})
		if (err != nil) != (step.kept != "") {
			t.Fatalf("%q: %v", step.text, err)
		}
		if step.kept == "" {
			step.kept = step.text
		}
		f := c.Files()[0]
		if ran, _ := linesOf(f); f.Source != step.kept || !slices.Equal(ran, step.ran) {
			t.Errorf("%q: ran %v of %q", step.text, ran, f.Source)
		}
	}
}
