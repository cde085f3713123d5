package coverage

import (
	"slices"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// hook is a context that gopher-lua asks before each instruction: a line hook.
type hook struct {
	state *lua.LState
	lines map[int]bool
}

func (h *hook) Deadline() (time.Time, bool) { return time.Time{}, false }
func (h *hook) Err() error                  { return nil }
func (h *hook) Value(any) any               { return nil }
func (h *hook) Done() <-chan struct{} {
	if dbg, ok := h.state.GetStack(0); ok {
		if _, err := h.state.GetInfo("l", dbg, lua.LNil); err == nil {
			h.lines[dbg.CurrentLine] = true
		}
	}
	return nil
}

const hooked = `local n = 0
local function odd(x)
  return x % 2 == 1
end
local function never()
  n = n + 1
end
for i = 1, 10 do
  if odd(i) then
    n = n + 1
  elseif i > 100 then
    n = never()
  elseif i == 4 then
    n = n + 2
  else
    n = n + 3
  end
end
while n > 0 do
  n = n - 1
  if n == 3 then
    local t = {
      n,
      n + 1,
    }
    n = #t
    break
  end
end
repeat
  n = n + 1
  local m = n
until m > 5
for _, v in ipairs({ 1, 2 }) do
  n = n + v
end
for _ in pairs({}) do
  n = 0
end
local ok = pcall(function()
  error("x")
  n = 0
end)
if ok then
  n = 0
end
do
  local f = function(...)
    return select("#", ...)
  end
  n = f(1,
    2)
end
return n
`

// run runs a source with marks and returns its coverage.
func run(t *testing.T, source string, plain bool) File {
	t.Helper()
	set := NewSet().Named(func(path string) string { return "x/" + path })
	counts := set.File("a.lua", source)
	chunk, err := sandbox.Compile("a.lua", source, counts.Pass())
	if err != nil {
		t.Fatal(err)
	}
	state := sandbox.New(sandbox.Options{Plain: plain})
	env := state.NewEnv(sandbox.EnvOptions{})
	if err := state.Call(env.Load(chunk, set.Keep(counts).Fill(state))); err != nil {
		t.Fatal(err)
	}
	return set.Files()[0]
}

// The lines that have run are those that a line hook of plain gopher-lua sees, as far as they are executable.
func TestMarksAgreeWithALineHook(t *testing.T) {
	L := lua.NewState()
	defer L.Close()
	h := &hook{L, map[int]bool{}}
	fn, err := L.LoadString(hooked)
	if err != nil {
		t.Fatal(err)
	}
	L.SetContext(h)
	L.Push(fn)
	if err := L.PCall(0, 0, nil); err != nil {
		t.Fatal(err)
	}
	for _, plain := range []bool{false, true} {
		f := run(t, hooked, plain)
		if f.Name != "x/a.lua" || f.Source != hooked || len(f.Lines) < 30 {
			t.Fatalf("%+v", f)
		}
		for _, l := range f.Lines {
			if (l.Count > 0) != h.lines[l.Number] {
				t.Errorf("line %d: counted %d times, by the hook %v", l.Number, l.Count, h.lines[l.Number])
			}
		}
	}
}

func TestCounts(t *testing.T) {
	f := run(t, "local n = 0\nfor i = 1, 3 do n = n + i end\n::x:: do n = 1 end\nif n == 2 then\nn = 1 end\nrepeat\nn = n + 1 until n > 4", false)
	want := []Line{{1, 1}, {2, 3}, {3, 1}, {4, 1}, {5, 0}, {7, 4}}
	if !slices.Equal(f.Lines, want) {
		t.Errorf("%v, want %v", f.Lines, want)
	}
	if f.Ran() != 5 {
		t.Errorf("%d lines ran", f.Ran())
	}
}

func TestMerge(t *testing.T) {
	a := []File{{Name: "b", Lines: []Line{{1, 2}, {2, 0}}}, {Name: "c", Uncounted: true}}
	b := []File{{Name: "a", Lines: []Line{{9, 0}}}, {Name: "b", Source: "text", Lines: []Line{{1, 1}, {3, 4}}}}
	got := Merge(a, b)
	if len(got) != 3 || got[0].Name != "a" || got[2].Name != "c" || !got[2].Uncounted {
		t.Fatalf("%+v", got)
	}
	if m := got[1]; m.Source != "text" || !slices.Equal(m.Lines, []Line{{1, 3}, {2, 0}, {3, 4}}) {
		t.Errorf("%+v", m)
	}
}

// A file whose text has changed starts anew; what Begin returns takes that back.
func TestAFileThatChanges(t *testing.T) {
	set := NewSet()
	keep := func(source string) *Counts {
		c := set.File("a", source)
		if _, err := sandbox.Compile("a", source, c.Pass()); err != nil {
			t.Fatal(err)
		}
		return set.Keep(c)
	}
	first := keep("local a")
	if keep("local a") != first {
		t.Error("the same text has other counts")
	}
	back := set.Begin()
	if keep("local b") == first {
		t.Error("another text has the same counts")
	}
	back()
	if set.Files()[0].Source != "local a" {
		t.Error("it was not taken back")
	}
}
