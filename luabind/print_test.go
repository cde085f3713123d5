package luabind

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// printBodies are loops that print in each row, or in many.
var printBodies = []string{
	`for e, p in world:each("P") do print(e, p.x, p.k) end`,
	`for e, p in world:each("P") do print() print("") print("a", nil, true, -0.0, 1e100, 0/0, p.x / 3, p.x > 70) end`,
	`for e, p in world:each("P") do local n = p.k if p.k > 3 then n = nil end print(n, n and n + 1) sum = sum + 1 end`,
	`for e, p in world:each("P") do text = text .. p.k print(("%d:%s"):format(p.x, #text)) p.x = p.x + 1 end`,
	`local function two(x) return x, x * 2 end for e, p in world:each("P") do print(two(p.x)) print(two(p.x), 1) print((two(p.x))) end`,
	`local print, say = print, function(...) print("say", ...) end for e, p in world:each("P") do print(p.x) say(p.x, e) end`,
	`local function show(x) print("x", x) return x end for e, p in world:each("P") do sum = sum + show(p.x) + show(p.k) end`,
	`for e, p in world:each("P") do print(p.x) p.u = p.u + (p.k > 3 and 250 or 0) print("after", p.u) end`,
	`for e, p in world:each("P") do print(p.x) if p.x == 77 then error("seventy-seven") end end`,
	`for e, p in world:each("P") do print(p.x) if p.x == 77 then break end end`,
	`for e, p in world:each("P") do print(p.x) if p.x == 77 then return p.k end end`,
	`for hit in world:read("Hit") do print(hit.n, hit.k, hit.e) if hit.n == 30 then break end end`,
	`for e, p in world:each("P") do print(p) print({}) print(list) end`,
	`for e, p in world:each("P") do print(("x"):rep(p.x * 3), p.x) end`,
	`for e, p in world:each("P") do print(string.find("abc", "b")) print(unpack(list)) print(select("#", e, p)) end`,
	`for e, p in world:each("P") do if p.k > 3 then for i, name in ipairs({ "a", "b" }) do print(i, name) end end p.x = p.x + 1 end`,
	`for e, p in world:each("P") do list[1] = p.x print(list[1], #list, conf.n, bests[1].x) bests[1].x = p.k world:send("Out", { n = p.x }) print("sent") end`,
	`for e, p in world:each("P") do for f, q in world:each("Q", "R") do if p.x < 4 then print(e, f, q.y) end end end`,
	`for e, p in world:each("P") do local n = 0 while n < 2 do n = n + 1 print(n) end end`,
}

// A loop prints the same lines in the same order, whatever runs it.
func TestLoopsPrint(t *testing.T) {
	t.Parallel()
	compiled := 0
	for i, body := range printBodies {
		for _, pattern := range []string{"i % 31 == 5", "i % 4 == 1"} {
			source := exitSource(body, pattern, exitCalls[i%len(exitCalls)])
			want, _ := exitTrace(t, source, Lua, Limits{})
			for _, impl := range []Impl{Closures, Auto} {
				got, did := exitTrace(t, source, impl, Limits{})
				if got != want {
					t.Errorf("%v: got\n%.3000s\ninterpreted\n%.3000s\n%s", impl, got, want, body)
				}
				if did.Closures+did.Machine > 400 {
					compiled++
				}
			}
		}
	}
	if compiled < 40 {
		t.Errorf("%d runs were compiled: the test tests little", compiled)
	}
}

// A broken is an output that fails after some writes.
type broken struct{ left int }

func (b *broken) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errors.New("the pipe is gone")
	}
	return len(p), nil
}

// If a line cannot be written, the turn fails: at the call of print, or behind a compiled loop.
func TestLoopsPrintToABrokenPipe(t *testing.T) {
	t.Parallel()
	const source = `local ecs = require("ecs")
ecs.component("P", { x = "f64" })
return { init = function(world) for i = 1, 20 do world:spawn{ P = { x = i } } end end, update = function(world)
  for e, p in world:each("P") do print(p.x) end
end }`
	for _, impl := range []Impl{Lua, Closures, Auto} {
		w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
		r, err := New(Options{Log: strictLog(t), World: w, Stdout: &broken{left: 5}, Scripts: files(map[string]string{"a": source})})
		if err == nil {
			err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
		}
		if err == nil {
			err = r.Load()
		}
		if err == nil {
			err = r.Start(context.Background())
		}
		if err == nil {
			err = r.Frame(context.Background(), 1)
		}
		if err == nil || !strings.Contains(err.Error(), `a.lua:4: system "a", frame 1: print: the pipe is gone`) {
			t.Errorf("%v: error %v", impl, err)
		}
		if w.Locked() {
			t.Errorf("%v: the walk goes on", impl)
		}
	}
}
