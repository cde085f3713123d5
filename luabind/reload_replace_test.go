package luabind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"weak"

	"github.com/ecsrun/ecsrun/ecs"
)

// changing is a Runtime whose files a test changes.
type changing struct {
	*Runtime
	files fstest.MapFS
	out   bytes.Buffer
}

func startChanging(t *testing.T, impl Impl, files map[string]string, systems ...string) *changing {
	t.Helper()
	c := &changing{files: fstest.MapFS{}}
	for name, source := range files {
		c.files[name] = &fstest.MapFile{Data: []byte(source)}
	}
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	pos, vel := ecs.MustRegister[benchPos](w, "Position"), ecs.MustRegister[benchVel](w, "Velocity")
	for range 10 {
		if _, err := w.Spawn(pos.ID(), vel.ID()); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if c.Runtime, err = New(Options{World: w, Scripts: c.files, Stdout: &c.out, Limits: Limits{OnError: Skip}, Report: func(e *ScriptError) {
		fmt.Fprintf(&c.out, "%v\n%s\n", e, e.Excerpt)
	}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range systems {
		if err := c.Add(System{Name: name, Script: name + ".lua", Impl: impl}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Load(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return c
}

// frames runs frames and returns what they printed.
func (c *changing) frames(t *testing.T, n int) string {
	t.Helper()
	c.out.Reset()
	for range n {
		if err := c.Frame(context.Background(), 0.5); err != nil {
			t.Fatal(err)
		}
	}
	return c.out.String()
}

// change changes a file and reloads.
func (c *changing) change(file, source string) error {
	c.files[file] = &fstest.MapFile{Data: []byte(source)}
	_, err := c.Reload(context.Background(), Change{})
	return err
}

const countsV1 = `local M = { state = { n = 0 } }
function M.update(world, dt)
  M.state.n = M.state.n + 1
  local sum = 0
  for e, pos in world:each("Position") do pos.x = pos.x + 1 sum = sum + pos.x end
  print("one", M.state.n, sum)
end
return M`

// A system gets a new instance of its changed file between two frames: what it knows is handed over, its loops are compiled, and the world goes on.
func TestReplacedBetweenFrames(t *testing.T) {
	for _, impl := range []Impl{Lua, Closures, Auto} {
		c := startChanging(t, impl, map[string]string{"a.lua": countsV1}, "a")
		if got, want := c.frames(t, 2), "one\t1\t10\none\t2\t20\n"; got != want {
			t.Fatalf("%v: printed %q, want %q", impl, got, want)
		}
		if err := c.change("a.lua", strings.NewReplacer("+ 1 sum", "+ 100 sum", `"one"`, `"two"`).Replace(countsV1)); err != nil {
			t.Fatal(err)
		}
		if got, want := c.frames(t, 2), "two\t3\t1020\ntwo\t4\t2020\n"; got != want {
			t.Errorf("%v: replaced, it printed %q, want %q", impl, got, want)
		}
		want := 1
		if impl == Lua {
			want = 0
		}
		if got := c.runner("a.lua").Kernels(); got != want {
			t.Errorf("%v: %d loops were compiled, want %d", impl, got, want)
		}
		if impl == Auto && c.runner("a.lua").MachineKernels() != 1 {
			t.Errorf("the loop is not machine code")
		}
	}
}

// Whatever is wrong with the new version, the old one goes on, and its errors show its own lines.
func TestReplacementThatFails(t *testing.T) {
	const source = "local lib = require('lib')\nreturn function(world)\n  if world.frame > 1 then error('old line') end\n  print(lib)\nend"
	for name, wrong := range map[string]struct{ file, source, message string }{
		"syntax":         {"a.lua", "return function(", `a.lua:1:17: system "a": unexpected end of file: ")" is missing to close the "(" of line 1`},
		"raises":         {"a.lua", "\n\nlocal t = nil\nreturn t.x", `a.lua:4: system "a": attempt to index a nil value (local "t")`},
		"no function":    {"a.lua", "return 5", `a.lua: system "a": the file returns a number; a system's file returns a function or a table with update`},
		"unknown name":   {"a.lua", "local q = require('ecs').query{ 'Positoin' }\nreturn function() end", `a.lua:1: component "Positoin" is not declared; did you mean "Position"?`},
		"what it needs":  {"lib.lua", "return nil + 1", `lib.lua:1: system "a": attempt to perform arithmetic on a nil value`},
		"empty function": {"lib.lua", "local function f(", `lib.lua:1`},
	} {
		c := startChanging(t, Auto, map[string]string{"a.lua": source, "lib.lua": "return 'lib'"}, "a")
		c.frames(t, 1)
		before, scripts := c.systems[0].instance, c.scripts
		err := c.change(wrong.file, wrong.source)
		var se *ScriptError
		if !errors.As(err, &se) || !errors.Is(err, ErrLoad) || !strings.Contains(err.Error(), wrong.message) {
			t.Errorf("%s: error %v, want %s", name, err, wrong.message)
		}
		if c.systems[0].instance != before || c.scripts != scripts {
			t.Errorf("%s: something was replaced", name)
		}
		if got, want := c.frames(t, 1), "a.lua:3: system \"a\", frame 2: old line\n    3 |   if world.frame > 1 then error('old line') end\n"; got != want {
			t.Errorf("%s: then it printed %q, want %q", name, got, want)
		}
	}
}

// A changed module is loaded anew for all that use it, by way of other modules too; what does not use it keeps its instance.
func TestReplacedModule(t *testing.T) {
	c := startChanging(t, Auto, map[string]string{
		"base.lua":  "return { word = 'old' }",
		"mid.lua":   "return { base = require('base'), n = 0 }",
		"other.lua": "return { n = 0 }",
		"a.lua":     "local mid, other = require('mid'), require('other') return function() mid.n, other.n = mid.n + 1, other.n + 1 print('a', mid.base.word, mid.n, other.n) end",
		"b.lua":     "local other = require('other') return function() print('b', other.n, require('base').word) end",
		"c.lua":     "local n = 0 return function() n = n + 1 print('c', n) end",
	}, "a", "b", "c")
	if got, want := c.frames(t, 1), "a\told\t1\t1\nb\t1\told\nc\t1\n"; got != want {
		t.Fatalf("printed %q, want %q", got, want)
	}
	unit := c.scripts.Lookup("a.lua").Unit
	if err := c.change("base.lua", "return { word = 'new' }"); err != nil {
		t.Fatal(err)
	}
	if got, want := c.frames(t, 1), "a\tnew\t1\t2\nb\t2\tnew\nc\t2\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if c.scripts.Lookup("a.lua").Unit != unit {
		t.Error("a file that did not change was compiled again")
	}
}

// A function of an old version that somebody still holds goes on working, and requires what is in use now.
func TestHeldFunctionOfAnOldVersion(t *testing.T) {
	c := startChanging(t, Auto, map[string]string{
		"board.lua": "return {}",
		"late.lua":  "return 'late'",
		"a.lua":     "local board = require('board')\nboard.say = board.say or function() print(require('late'), board.missing.x) end\nreturn function() board.say() end",
	}, "a")
	if got, want := c.frames(t, 1), "a.lua:2: system \"a\", frame 1: attempt to index a nil value (field \"missing\")\n"; !strings.HasPrefix(got, want) {
		t.Fatalf("printed %q, want %q", got, want)
	}
	if err := c.change("a.lua", "-- one line more\nlocal board = require('board')\nreturn function() board.missing = { x = 3 } board.say() end"); err != nil {
		t.Fatal(err)
	}
	if got, want := c.frames(t, 1), "late\t3\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// What was replaced is garbage, also after a replacement that failed.
func TestReplacedIsReleased(t *testing.T) {
	const lib = "return { add = function(x) return x + VERSION end }"
	const source = `local lib = require('lib')
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
return function(world)
  for e, p in world:each('Position') do p.x = lib.add(p.x) end
  if VERSION ~= 0 then return end -- what follows leaves traces of the code in the state
  deep(20)
  coroutine.wrap(deep)(20)
  pcall(function() local wrong = 'Posi' .. 'toin' world:get(1, wrong) end)
  world.commands:despawn(world:first('Position'))
  if world:get(0, 'Position') then return end
  for e in world:each('Velocity') do print(e) break end
end`
	version := func(n int) (a, l *fstest.MapFile) {
		with := func(text string) *fstest.MapFile {
			return &fstest.MapFile{Data: []byte(strings.ReplaceAll(text, "VERSION", fmt.Sprint(n)))}
		}
		return with(source), with(lib)
	}
	a, l := version(0)
	c := startChanging(t, Auto, map[string]string{"lib.lua": string(l.Data), "a.lua": string(a.Data)}, "a")
	c.frames(t, 3)
	held := map[string]func() bool{}
	for n := range 4 {
		c.holdScripts(held, n)
		if n > 1 {
			if err := c.change("a.lua", "local lib = require('lib') return lib.x.y"); err == nil {
				t.Fatal("no error")
			}
		}
		c.files["a.lua"], c.files["lib.lua"] = version(n + 1)
		if _, err := c.Reload(context.Background(), Change{}); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			c.frames(t, 2)
			continue
		}
		runtime.GC()
		runtime.GC()
		for name, isHeld := range held { // nothing ran that could have overwritten a trace
			if isHeld() {
				t.Errorf("%s is held right after it was replaced", name)
			}
		}
	}
	runtime.GC()
	runtime.GC()
	for name, isHeld := range held {
		if isHeld() {
			t.Errorf("%s is still held", name)
		}
	}
	runtime.KeepAlive(c)
}

// holdScripts notes all that belongs to the version in use.
func (c *changing) holdScripts(held map[string]func() bool, n int) {
	instance := c.systems[0].instance
	hold(held, fmt.Sprintf("unit %d", n), instance.Unit)
	hold(held, fmt.Sprintf("code %d", n), instance.Unit.Code)
	hold(held, fmt.Sprintf("update %d", n), instance.Update.Proto)
	hold(held, fmt.Sprintf("instance %d", n), instance)
	hold(held, fmt.Sprintf("module %d", n), c.scripts.Lookup("lib.lua").Unit)
}

// hold notes a value that must become garbage.
func hold[T any](held map[string]func() bool, name string, v *T) {
	w := weak.Make(v)
	held[name] = func() bool { return w.Value() != nil }
}

// Systems keep their windows, readers and random streams when their scripts are replaced.
func TestReplacedSystemStaysItself(t *testing.T) {
	source := `return function(world)
  local changed = 0
  for e in world:each(require("ecs").query{ "Position", changed = { "Position" } }) do changed = changed + 1 end
  print(changed, math.random(1000000))
end`
	trace := func(replace bool) string {
		c := startChanging(t, Auto, map[string]string{"a.lua": source}, "a")
		out := c.frames(t, 2)
		if replace {
			if err := c.change("a.lua", source+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		return out + c.frames(t, 2)
	}
	if got, want := trace(true), trace(false); got != want {
		t.Errorf("replaced it printed\n%swant\n%s", got, want)
	}
}
