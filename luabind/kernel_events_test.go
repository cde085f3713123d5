package luabind

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// eventHead declares an event with a field of each type, and a function that sends
// some to all A.
const eventHead = `local ecs = require("ecs")
ecs.event("E", { who = "entity", n = "i8", f = "f64", g = "f32", s = "string", b = "bool", u = "u8", i = "i16", h = "u16", w = "u32", v = "i32" })
ecs.event("F", { n = "f64" })
ecs.event("N", {})
ecs.event("T", { n = "f64", t = "table" })
ecs.tag("red")
ecs.resource("seen", { type = "i32", default = 0 })
local total, last, text = 0, nil, "none"
local function send(world)
  local n = 0
  for e, p in world:each("A") do
    n = n + 1
    world:send("E", { who = n % 4 > 0 and e or ecs.none, n = n, f = p.x, g = p.x, s = "s" .. n, b = p.b, u = 255 - n, i = -n * 2000, h = n, w = n, v = -n })
    world:send("F", { n = -(n * 0) })
    world:send("N")
    world:send("T", { n = n, t = { n } })
  end
end
local function rest(world, name)
  for ev in world:read(name) do print("rest", ev) end
  for ev in world:peek(name) do print("held", ev) end
end
`

// Loops over events do compiled what they do interpreted, and leave the same events
// for those who come after.
func TestEventKernels(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		kernels int
	}{
		"all types": {`for ev in world:METHOD("E") do
			total = total + ev.n + ev.f + ev.g + ev.u + ev.i + ev.h + ev.w + ev.v
			if ev.s == "s3" then text = ev.s end
			if ev.b then last = ev.who end
		end`, 1},
		"nothing but to move on": {`for _ in world:METHOD("E") do end`, 1},
		"minus zero":             {`for ev in world:METHOD("F") do last = ev.n end print(last and 1 / last)`, 1},
		"no fields":              {`for ev in world:METHOD("N") do if ev then total = total + 1 end end`, 1},
		"a table beside":         {`for ev in world:METHOD("T") do total = total + ev.n end`, 1},
		"a table":                {`for ev in world:METHOD("T") do total = total + ev.t[1] end`, 1},
		"break":                  {`for ev in world:METHOD("E") do total = total + 1 if ev.n == 3 then break end total = total + 10 end`, 1},
		"break at once":          {`for ev in world:METHOD("E") do break end`, 1},
		"return":                 {`print((function() for ev in world:METHOD("E") do total = total + 1 if ev.n == 2 then return ev.s, ev.who, ev.b end end end)())`, 1},
		"an error": {`print(pcall(function() for ev in world:METHOD("E") do
			total = total + 1
			world:get(ev.who, "A").x = 7
		end end))`, 1},
		"does not fit": {`print(pcall(function() for ev in world:METHOD("E") do
			local a = world:get(ev.who, "A")
			if a then a.y = 3 a.i8 = ev.n * 50 end
		end end))`, 1},
		"one that is left": {`local count = {} for i = 1, 3 do count[i] = 0 end
		for ev in world:METHOD("E") do
			world.resources.seen = world.resources.seen + 1
			count[ev.n] = ev.n
		end print(#count)`, 1},
		"sends what it walks": {`for ev in world:METHOD("E") do
			if ev.n < 100 then world:send("E", { n = 100, who = ev.who, s = ev.s }) total = total + 1 end
		end`, 1},
		"sends what it walks, and is left": {`local count = { 0, 0, 0 } for ev in world:METHOD("E") do
			world:send("E", { n = 100, s = ev.s })
			count[ev.n] = 1
			total = total + 1
		end`, 1},
		"commands": {`for ev in world:METHOD("E") do
			if world:tagged(ev.who, "red") then world.commands:remove(ev.who, "B") elseif world:alive(ev.who) then world:tag(ev.who, "red") end
			world.commands:spawn{ A = { x = ev.f } }
			world.commands:send("E", { n = 5 })
		end`, 1},
		"random":      {`for ev in world:METHOD("E") do total = total + ecs.random() * ecs.random(3) end print(math.random())`, 1},
		"a query":     {`for ev in world:METHOD("E") do for e, p in world:each("A") do if e == ev.who then p.x = p.x + ev.n else p.y = p.y + 1 end end end`, 1},
		"more names":  {`for ev, more in world:METHOD("E") do if more == nil then total = total + ev.n end end`, 1},
		"passed on":   {`local function of(x, k) local y = x return y.n * k end for ev in world:METHOD("E") do total = total + of(ev, 2) end`, 1},
		"asked for":   {`for ev in world:METHOD("E") do if ev and ev ~= nil then total = total + 1 end end`, 1},
		"by a local":  {`local function walk(name) for ev in world:METHOD(name) do total = total + ev.n end end walk("E") walk("F") walk("E")`, 2},
		"assigned":    {`print(pcall(function() for ev in world:METHOD("E") do local same = ev same.n = 1 end end))`, 0},
		"replaced":    {`for ev in world:METHOD("E") do ev = world:get(ev.who, "A") if ev then total = total + ev.x end end`, 0},
		"unknown":     {`print(pcall(function() for ev in world:METHOD("Nope") do total = 1 end end))`, 0},
		"no name":     {`print(pcall(function() local k = 5 for ev in world:METHOD(k) do total = 1 end end))`, 0},
		"wrong field": {`print(pcall(function() for ev in world:METHOD("E") do total = ev.nope end end))`, 0},
		"no world":    {`local list = { METHOD = function(self, x) return pairs({ x }) end } for k, v in list:METHOD("E") do total = total + k end`, 0},
		"structure":   {`for ev in world:METHOD("E") do if ev.n < 3 then world:spawn{} end end`, 1},
		"one in another": {`for ev in world:METHOD("E") do
			for f in world:METHOD("F") do total = total + 1 if total % 3 == 0 then break end end
			print(ev.n, total)
		end`, 1},
		"drained while it is peeked": {`for ev in world:peek("E") do
			for d in world:drain("E") do total = total + d.n if d.n == 4 then break end end
			print(ev)
		end`, 1},
		"drained while it is read": {`for ev in world:read("E") do
			print(ev)
			if ev.n == 2 then for d in world:METHOD("E") do total = total + d.n end end
		end`, 1},
		"in a coroutine": {`local co = coroutine.wrap(function() for ev in world:METHOD("E") do total = total + ev.n end coroutine.yield() for ev in world:METHOD("E") do total = total + ev.n end end) co() send(world) co()`, 2},
	} {
		for _, method := range []string{"read", "peek", "drain"} {
			t.Run(name+"/"+method, func(t *testing.T) {
				source := eventHead + "return function(world)\n  if world.frame ~= 2 then send(world) end\n" + strings.ReplaceAll(c.body, "METHOD", method) +
					"\n  print(total, last, text, world.resources.seen)\n  rest(world, \"E\") rest(world, \"F\")\nend"
				want, _ := kernelTrace(t, 3, Lua, source)
				for _, impl := range []Impl{Closures, Auto} {
					got, kernels := kernelTrace(t, 3, impl, source)
					if got != want {
						t.Errorf("%v\n%s\ninterpreted\n%s", impl, got, want)
					}
					if kernels != c.kernels+1 { // one is that of the loop in send
						t.Errorf("%d kernels, want %d", kernels, c.kernels+1)
					}
				}
				if strings.Count(want, "digest") != 3 {
					t.Errorf("little happens: %s", want)
				}
			})
		}
	}
}

// A loop over events that runs out of instructions has seen each event once, in
// order. Under skip the turn leaves no trace, and a later one sees them.
func TestEventKernelSpent(t *testing.T) {
	ends := map[string]bool{}
	for n := uint64(1300); n < 4000; n += 61 {
		interrupt := func(policy Policy) string {
			w := kernelTestWorld(t)
			r, err := New(Options{Log: strictLog(t), World: w, Limits: Limits{OnError: policy, Instructions: n}, Report: func(*ScriptError) {}, Scripts: files(map[string]string{
				"a": `local ecs = require("ecs") ecs.event("E", { n = "f64" })
local n = 0
return function(world) for i = 1, 20 do n = n + 1 world:send("E", { n = n }) end end`,
				"b": `local ecs = require("ecs")
ecs.resource("count", { type = "f64" }) ecs.resource("wrong", { type = "f64" }) ecs.resource("last", { type = "f64" })
return function(world)
  for i = 1, 100 do for ev in world:peek("E") do break end end -- no further loop adds to the budget
  for ev in world:read("E") do
    local res = world.resources
    if ev.n <= res.last then res.wrong = res.wrong + 1 end
    res.last, res.count = ev.n, res.count + 1
    for i = 1, ev.n % 40 * 20 do local x = i * 2 end
  end
end`,
			})})
			for _, name := range []string{"a", "b"} {
				if err == nil {
					err = r.Add(System{Name: name, Script: name + ".lua", Impl: Closures})
				}
			}
			if err == nil {
				err = r.Load()
			}
			for range 8 {
				if err == nil {
					err = r.Frame(context.Background(), 1)
				}
			}
			if err != nil && (policy == Skip || !errors.Is(err, ErrLimit)) {
				t.Fatal(err)
			}
			number := func(name string) float64 {
				id, _ := w.LookupResource(name)
				return w.Resource(id).Number(0)
			}
			limits := r.Failures().Limits
			if wrong, missed := number("wrong"), number("last")-number("count"); wrong != 0 || missed < -float64(limits) || missed > float64(limits) || policy == Skip && missed != 0 {
				t.Errorf("%d instructions: %v of %v events twice or out of order, %v missed by %d turns that interrupted", n, wrong, number("count"), missed, limits)
			}
			if r.runner("b.lua").Kernels() != 2 {
				t.Error("the loops are not compiled")
			}
			return fmt.Sprint(w.Digest(), number("count"), limits)
		}
		interrupt(Skip)
		end := interrupt(Stop)
		if again := interrupt(Stop); end != again {
			t.Errorf("%d instructions: %s, then %s", n, end, again)
		}
		ends[end] = true
	}
	if len(ends) < 10 {
		t.Errorf("only %d different ends", len(ends))
	}
}

// A loop over events allocates nothing once its memory has grown.
func TestEventKernelAllocates(t *testing.T) {
	count := func(loop string, kernels int) float64 {
		w := kernelTestWorld(t)
		hit, err := ecs.RegisterEvent[struct {
			Target ecs.Entity
			Amount float64
			Kind   string
		}](w, "Blow")
		if err != nil {
			t.Fatal(err)
		}
		p, _ := w.LookupComponent("Position")
		q, err := w.Query(ecs.Filter{Required: []ecs.ComponentID{p}})
		if err != nil {
			t.Fatal(err)
		}
		r := kernelRuntime(t, w, "return function(world, dt)\n"+loop+"\nend", Closures)
		frame := func() {
			list := hit.Buffer()
			for c := ecs.Raw.Begin(q); c.Next(); {
				list = append(list, struct {
					Target ecs.Entity
					Amount float64
					Kind   string
				}{c.Entity(), 2.5, "arrow"})
			}
			hit.SendAll(list)
			if err := r.Frame(context.Background(), 1.0/60); err != nil {
				t.Fatal(err)
			}
		}
		for range 5 {
			frame()
		}
		if got := r.runner("a.lua").Kernels(); got != kernels {
			t.Errorf("%d loops are compiled in %s", got, loop)
		}
		return testing.AllocsPerRun(100, frame)
	}
	want := count(" ", 0)
	for _, method := range []string{"read", "peek"} {
		loop := strings.ReplaceAll(`local n = 0
			for ev in world:METHOD("Blow") do
				local pos = world:get(ev.target, "Position")
				if pos and ev.kind == "arrow" then pos.x = pos.x + ev.amount n = n + 1 end
			end`, "METHOD", method)
		if got := count(loop, 1); got != want {
			t.Errorf("%v allocations, %v without the loop %s", got, want, loop)
		}
	}
}

// randomEvents writes a system as [randomSystem] does, with a loop over events.
func randomEvents(seed uint64) string {
	g := &systemWriter{Rand: rand.New(rand.NewPCG(seed, 3))}
	g.WriteString(systemHead)
	g.WriteString("local function add(a, b) return a + b end\n")
	g.WriteString("local function bump(k) total = total + k return total end\n")
	g.WriteString("local function pickOne(a, c)\n  if c then return a end\n  local d = a * 2\n  return d - 1\nend\n")
	g.WriteString("local function near(world, v, u)\n  local at = world:get(u, \"A\")\n  return at ~= nil and at.x - v.x < 2\nend\n")
	g.WriteString("local function sideways(world, u, v, k)\n  world:untag(u, \"red\")\n  return v.x + k\nend\n")
	g.WriteString("local function two(world, u, v, k)\n  if v.x > k then return k, 1 else return v.y, add(k, 1) end\nend\n")
	g.WriteString(systemInit)
	fmt.Fprintf(g, `local function walk(world, dt)
  local res, last, found = world.resources
  for ev in world:%s("Hit") do
    local e = ev.who
    local p, q = world:get(e, "A"), world:get(e, "B")
    if p and q then
`, g.pick("read", "read", "peek", "drain"))
	g.depth, g.returns = 2, 9
	g.nums, g.texts, g.bools = []string{"ev.n", "ev.f", "ev.who"}, []string{"ev.s"}, []string{"ev.b"}
	g.block(2+g.IntN(5), 3)
	g.WriteString("    end\n    ::continue::\n  end\n  print(last, found)\nend\n")
	g.WriteString(`function M.update(world, dt)
  for e, p, q in world:each("A", "B") do
    if world.frame < 3 then world:send("Hit", { who = e, n = 3, f = p.x, s = q.s, b = p.b }) end
  end
  for ev in world:read("Hit") do print("first", ev) if ecs.random(4) == 1 then break end end
  print(pcall(walk, world, dt))
  local res = world.resources
  print(total, kept, title, best, res.rn, res.ri, res.rf, res.rs, res.rb, res.re, n[0], n[1], n[2], goals[0].x, goals[0].y, goals[1].x, conf.count)
  for ev in world:read("Hit") do print("unread", ev.who, ev.n, ev.f, ev.s, ev.b) end
end
return M
`)
	return g.String()
}

// sameEvents compares a random system interpreted and compiled.
func sameEvents(t testing.TB, seed uint64) (ran int) {
	return sameTraces(t, kernelWorld, seed*4, []string{randomEvents(seed)}) // of these seeds, B has a string
}

func TestEventKernelRandom(t *testing.T) {
	t.Parallel()
	ran := 0
	systems := seeds(200, func(seed uint64) {
		if sameEvents(t, seed) > 1 { // the loop over entities is one
			ran++
		}
	})
	if ran < systems*2/3 {
		t.Errorf("of %d systems only %d were compiled: the test tests little", systems, ran)
	}
}
