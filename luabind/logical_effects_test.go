package luabind

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// logicalHead declares what the operands of these tests use. Each function does something that can be seen, whatever it returns.
const logicalHead = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64", b = "bool", s = "string", o = "entity" }) ecs.component("Q", { v = "f64" }) ecs.resource("r", { type = "f64" }) ecs.event("Ev", { n = "f64" })
local done, D, objs, list, word, no = 0, { t = { v = 1 } }, {}, { { v = 3 }, { v = 4 } }, "word", nil
local function nothing(p) p.x = p.x + 1 end
local function null(p) p.x = p.x + 2 return nil end
local function number(p) p.x = p.x + 4 return p.y end
local function flag(p) p.x = p.x + 8 return p.x > 30 end
local function text(p) p.x = p.x + 16 return p.s end
local function view(p) p.x = p.x + 32 return p end
local function maybe(p) p.x = p.x + 64 if p.y > 3 then return p.y end end
local function look(p, world) p.x = p.x + 128 return world:get(p.o, "Q") end
local function count(p) done = done + 1 if p.y > 2 then return "n" .. done end end
local function truth(v) if v then return 1 end return 0 end
local init = function(world) local last = 0 for i = 1, 12 do
  local o = world:spawn(i % 3 > 0 and { Q = { v = i } } or {})
  last = world:spawn{ P = { x = i, y = i % 6, b = i % 2 == 0, s = "s" .. i % 3, o = o } } objs[last] = i % 4 > 0 and { v = i } or nil
end end
`

var (
	logicalLeft = []string{
		`p`, `world:get(p.o, "Q")`, `p.y`, `(p.y > 2 and 7 or nil)`, `p.b`, `(p.y > 2)`, `p.s`, `D.t`, `number`, `objs[e]`, `list[p.y]`, `world.resources.r`, `p.o`, `nil`, `false`, `word`, `no`, `not p.b`,
		`view(p)`, `number(p)`, `flag(p)`, `maybe(p)`, `nothing(p)`, `look(p, world)`, `count(p)`, `list[3]`,
	}
	logicalRight = []string{
		`nothing(p)`, `null(p)`, `number(p)`, `flag(p)`, `text(p)`, `view(p)`, `maybe(p)`, `look(p, world)`, `count(p)`, `nil`, `false`, `5`,
	}
	logicalForms = []string{`L and R`, `L or R`, `L and R or 3`, `not L and R`, `L and (R or 2)`, `(L or p.b) and R`, `L and R and 4`}
	logicalUses  = []string{
		`local z = EXPR if z then p.y = p.y + 0.5 end`, `if EXPR then p.y = p.y + 0.5 end`, `p.y = truth(EXPR)`, `local z if p.x > 9 then z = EXPR end if z then p.y = 9 end`, `world:send("Ev", { n = (EXPR) and 1 or 2 })`,
	}
)

// logicalTrace runs a file with many loops for two frames. It returns what the file prints, and which loops have had their rows done by kernels.
func logicalTrace(t *testing.T, source string, impl Impl) (seen string, did loops.Tally) {
	t.Helper()
	var out strings.Builder
	r, err := New(Options{World: ecs.NewWorld(ecs.Options{Memory: restlessMemory()}), Scripts: files(map[string]string{"a": source}), Stdout: &out, Log: strictLog(t)})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	for range 2 {
		if err := r.Frame(context.Background(), 0.1); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
	}
	for _, p := range r.runners() {
		for _, l := range p.Loops {
			n := p.Tally(l)
			did.Machine, did.Closures, did.Left = did.Machine+n.Machine, did.Closures+n.Closures, did.Left+n.Left
		}
	}
	return out.String(), did
}

// and, or and not do what their operands do, in each row in which Lua evaluates them, whatever the operands are and however the value is used.
func TestLogicalEffects(t *testing.T) {
	t.Parallel()
	for f, form := range logicalForms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			ran, leaves := 0, 0
			for u, use := range logicalUses {
				for i, left := range logicalLeft {
					if !effort.Full() && (i+2*u+3*f)%10 != 0 { // about 1,100 of 11,000 loops
						continue
					}
					source, bodies := logicalHead+"return { init = init, update = function(world)\n", []string{}
					for _, right := range logicalRight {
						body := strings.Replace(use, "EXPR", strings.NewReplacer("L", left, "R", right).Replace(form), 1)
						bodies = append(bodies, body)
						source += fmt.Sprintf("for e, p in world:each('P') do %s end\n", body)
						source += fmt.Sprintf("do local a, b = 0, 0 for e, p in world:each('P') do a, b, p.x, p.y = a + p.x, b * 1.1 + p.y, p.x %% 50, p.y %% 6 end print(%d, a, b, done) end\n", len(bodies)-1)
					}
					source += "for ev in world:read('Ev') do print(ev.n) end end }"
					want, _ := logicalTrace(t, source, Lua)
					impls := []Impl{Closures}
					if effort.Full() || (i+u)%6 == 0 {
						impls = append(impls, Auto)
					}
					for _, impl := range impls {
						got, did := logicalTrace(t, source, impl)
						ran, leaves = ran+did.Machine+did.Closures, leaves+did.Left
						if got == want {
							continue
						}
						a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
						for n := range min(len(a), len(b)) {
							if a[n] != b[n] {
								t.Errorf("%v: got %s, want %s: %s", impl, a[n], b[n], bodies[min(n, len(bodies)-1)])
								break
							}
						}
					}
				}
			}
			if ran < 4*leaves {
				t.Errorf("kernels did only %d rows, and left %d", ran, leaves)
			}
		})
	}
}
