package luabind

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Random systems that put together what modders use: relations and trees, rules with functions that may be missing, lists of views and events, computed
// names, parts of resources, functions that call themselves, iterators, pcall. They run in one world, in which entities are born, die and change
// between them, and do the same interpreted by gopher-lua, as closures and as machine code. modder_grammar_test.go has their statements,
// modder_helpers_test.go the functions that they call.

const (
	modderSystems = 6 // in one world
	modderFrames  = 4
)

// modderSizes are numbers of entities: around the ends of blocks of 64 rows, and more.
var modderSizes = []int{0, 1, 2, 3, 5, 8, 20, 40, 63, 64, 65, 100, 129, 1100}

// modderWorld makes the world and what happens in it between the systems. Its words in capitals are replaced: the number of entities, and whether
// all have the same components.
const modderWorld = `local ecs = require("ecs")
ecs.component("Pos", { x = "f64", y = "f64" }) ecs.component("Hp", { now = "f64", max = "f64", kind = "string" })
ecs.component("Unit", { side = "u8", level = "i32", state = "string", target = "entity", on = "bool" })
ecs.component("Bag", { items = "table", count = "i32", n = "f64" }) ecs.component("Aura", { power = "f64" })
ecs.relation("Likes") ecs.tag("red") ecs.tag("blue")
ecs.event("Hit", { from = "entity", to = "entity", amount = "f64", kind = "string", data = "table" }) ecs.event("Note", { n = "f64", text = "string" })
ecs.resource("gold", { type = "f64", default = 3 }) ecs.resource("title", { type = "string", default = "none" }) ecs.resource("stats", "table")
ecs.grid("g", { component = "Pos", x = "x", y = "y", cell = 3 })
local random, KINDS, STATES = ecs.random, { "fire", "ice", "stone", "none", "" }, { "idle", "fight", "flee", "lost" }
local M, made = {}, {}
local function parts(i)
  local t = { Pos = { x = random(0, 12), y = random(0, 12) / 2 }, Hp = { now = random(0, 40) / 4, max = 10, kind = KINDS[random(#KINDS)] },
    Unit = { side = random(0, 2), level = random(0, 9), state = STATES[random(#STATES)], target = made[random(#made + 1)] or ecs.none, on = random() < 0.5 } }
  local items = {}
  for j = 1, random(0, 3) do items[j] = { kind = KINDS[random(#KINDS)], n = random(0, 5) } end
  if random() < 0.3 then items.gold = random(9) end
  t.Bag = { items = items, count = #items, n = 1 }
  if not SAME then
    for _, name in ipairs({ "Pos", "Hp", "Unit", "Bag" }) do if random() < 0.2 then t[name] = nil end end
    if random() < 0.4 then t.Aura = { power = random(5) } end
  end
  return t
end
local function born(world, i)
  local e = world:spawn(parts(i))
  made[#made + 1] = e
  if random() < 0.3 then world:tag(e, "red") end
  if random() < 0.05 then world:tag(e, "blue") end
  if #made > 1 and random() < 0.5 then world:relate(e, "ChildOf", made[random(#made - 1)]) end
  if random() < 0.4 then world:relate(e, "Likes", made[random(#made)]) end
end
function M.init(world)
  world.resources.stats = { n = 0, counts = { fire = 1 }, list = { 1, 2 } }
  for i = 1, NUMBER do born(world, i) end
end
function M.update(world)
  for i = 1, random(0, 6) do
    if #made > 0 then world:send("Hit", { from = made[random(#made)], to = made[random(#made)], amount = i, kind = KINDS[random(#KINDS)], data = { n = i } }) end
  end
  if #made == 0 or world.frame < 2 then return end
  for i = 1, random(0, 3) do
    local e = made[random(#made)]
    local what = random(8)
    if not world:alive(e) then what = 8 end
    if what == 1 then world:despawn(e) elseif what == 2 then world:remove(e, "Hp") elseif what == 3 then world:add(e, "Aura") elseif what == 4 then world:tag(e, "blue")
    elseif what == 5 then world:unrelate(e, "ChildOf") elseif what == 6 then world:relate(e, "Likes", made[1 + #made % 3] and world:alive(made[1 + #made % 3]) and made[1 + #made % 3] or e)
    elseif what == 7 then world:set(e, "Hp", { now = random(9) }) else born(world, i) end
  end
end
return M`

// A modderSetting is how systems run.
type modderSetting struct {
	impl   Impl
	limits Limits // those of instructions begin with the first frame
	pool   ecs.Pool
	waits  bool // in some seeds loops wait for kernels in spite of a limit: what waits uses other instructions
}

// modderRun runs systems in the world of a seed, and returns all that can be seen. The error is that they do not load.
func modderRun(t testing.TB, seed uint64, s modderSetting, sources []string) (account, error) {
	t.Helper()
	var out bytes.Buffer
	var a account
	size := modderSizes[seed%uint64(len(modderSizes))]
	if size > 1000 && seed%3 > 0 {
		size = 30
	}
	w := ecs.NewWorld(ecs.Options{Seed: seed, Memory: memoryOf(seed), MaxEntities: 6000})
	scripts := map[string]string{"world": strings.NewReplacer("NUMBER", fmt.Sprint(size), "SAME", fmt.Sprint(seed/7%3 == 0)).Replace(modderWorld), "lib": modderLibrary}
	for i, source := range sources {
		scripts[fmt.Sprint("a", i)] = source
	}
	limits := s.limits
	limits.OnError = []Policy{Skip, Skip, Disable}[seed/5%3]
	limits.Errors = 2
	limits.Instructions = 0
	sparing := s.impl == Auto && seed/3%4 == 0 && (s.limits.Instructions == 0 || s.waits)
	r, err := New(Options{
		World: w, Stdout: &out, Limits: limits, Scripts: files(scripts), Pool: s.pool, Sparing: sparing, Settle: seed/11%2 == 0,
		Report: func(e *ScriptError) {
			a.failed++
			fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack))
		},
		Log: strictLog(t),
	})
	if err == nil {
		err = r.Add(System{Name: "world", Script: "world.lua", Impl: Lua})
	}
	for i := range sources {
		if err == nil {
			err = r.Add(System{Name: fmt.Sprint("a", i), Script: fmt.Sprint("a", i, ".lua"), Impl: s.impl})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Load(); err != nil {
		return a, err
	}
	if err := r.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.options.Limits.Instructions = s.limits.Instructions
	for range modderFrames {
		a.tried += len(sources)
		if err := r.Frame(context.Background(), 0.25); err != nil {
			fmt.Fprintln(&out, err)
			break
		}
		h := fnv.New64a()
		for _, table := range w.Tables() {
			for _, id := range table.Components() {
				for row := range table.Len() {
					fmt.Fprintln(h, table.Column(id).Changed(row), table.Column(id).Added(row))
				}
			}
		}
		fmt.Fprintf(&out, "digest %v stamps %x locked %v check %v\n", w.Digest(), h.Sum64(), w.Locked(), w.Check())
	}
	a.seen = out.String()
	for _, p := range r.runners() {
		a.loops += p.Kernels()
		a.machine += p.MachineKernels()
	}
	return a, nil
}

// modderCompare compares systems in several settings with how gopher-lua runs them.
func modderCompare(t testing.TB, seed uint64, sources []string) (last account) {
	t.Helper()
	known := map[modderSetting]account{}
	run := func(s modderSetting, sources []string) account {
		a, ok := known[s]
		if !ok {
			var err error
			if a, err = modderRun(t, seed, s, sources); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(sources, "\n-- the next system\n"))
			}
			known[s] = a
		}
		return a
	}
	compare := func(reference, s modderSetting) account {
		want, got := run(reference, sources), run(s, sources)
		if want.seen == got.seen {
			return got
		}
		short := shrink(sources, func(sources []string) bool {
			x, err := modderRun(t, seed, reference, sources)
			y, err2 := modderRun(t, seed, s, sources)
			return err == nil && err2 == nil && x.seen != y.seen
		})
		clear(known)
		t.Fatalf("seed %d, %+v:\n%s\n%v:\n%s\n%s", seed, s, run(s, short).seen, reference.impl, run(reference, short).seen, strings.Join(short, "\n-- the next system\n"))
		return got
	}
	compare(modderSetting{impl: Lua}, modderSetting{impl: Closures})
	if seed%4 == 1 {
		limits := Limits{Instructions: 3000 << (seed / 4 % 5)}
		compare(modderSetting{impl: Closures, limits: limits}, modderSetting{impl: Auto, limits: limits})
	}
	if seed%4 == 2 {
		return compare(modderSetting{impl: Lua}, modderSetting{impl: Auto, pool: modderCores})
	}
	return compare(modderSetting{impl: Lua}, modderSetting{impl: Auto})
}

var modderCores = ecs.NewPool(2)

// modderSame compares the systems of a seed in all settings.
func modderSame(t testing.TB, seed uint64) account {
	t.Helper()
	return modderCompare(t, seed, modderSources(seed))
}

// modderSources returns the systems of a seed.
func modderSources(seed uint64) (sources []string) {
	for i := range uint64(modderSystems) {
		sources = append(sources, modderSystem(rand.New(rand.NewPCG(seed*modderSystems+i, 20261127))))
	}
	return sources
}

// Systems of modders do the same with every implementation.
func TestModderSystems(t *testing.T) {
	t.Parallel()
	var sum account
	n := seeds(60, func(seed uint64) {
		a := modderSame(t, seed)
		sum.loops, sum.machine, sum.failed, sum.tried = sum.loops+a.loops, sum.machine+a.machine, sum.failed+a.failed, sum.tried+a.tried
	}) * modderSystems
	t.Logf("%d systems, %d kernels, %d of them machine code; %d of %d turns failed", n, sum.loops, sum.machine, sum.failed, sum.tried)
	// -short: the few systems may all have worlds in which loops are not compiled
	if sum.loops < n/2 && !testing.Short() || sum.failed > sum.tried*2/3 {
		t.Error("the test tests little")
	}
}

func FuzzModderSystems(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { modderSame(t, seed) })
}
