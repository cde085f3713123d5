package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// What fits limits.instructions under impl lua fits it under every implementation: near the limit and far from it.

// leastLimit returns the least limit under which a run is as without a limit.
func leastLimit(same func(limit uint64) bool) uint64 {
	low, high := uint64(0), uint64(64)
	for !same(high) {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if mid := (low + high) / 2; same(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// What compiled loops are charged ends no turn that the interpreter would not end.
func TestWhatFitsUnderLuaFits(t *testing.T) {
	t.Parallel()
	pool := ecs.NewPool(3)
	t.Cleanup(pool.Close)
	const sums = "local function sum(n) if n <= 0 then return 0 end return n + sum(n - 1) end\n"
	for name, body := range map[string]string{
		"branches that are not taken": `for e, pos in world:each("Position") do
			for i = 1, 200 do
				if pos.x == i then
					pos.y = pos.y * 2 + pos.x * 3 - i / 4 + pos.y % 5
				elseif pos.x == i + 1000 then
					pos.y = (pos.y + 1) * (pos.x + 2) * (i + 3) * (pos.y + 4)
				end
			end
		end`,
		"functions that return early": `local function clear(x, n)
			for i = 1, n do
				if x + i > 40 then return false end
				local far = math.sqrt(x * x + i * i) + math.floor(x / 2) * math.max(x, i)
				if far > 1e6 then return true end
			end
			return true
		end
		for e, pos in world:each("Position") do
			if clear(pos.x, 300) then pos.y = pos.y + 1 end
		end`,
		"then other code": `for e, pos in world:each("Position") do
			for i = 1, 150 do if pos.x > i then pos.y = pos.y + i * 2 + pos.x * 3 end end
		end
		local n = 0
		for i = 1, 9000 do n = n + i end`,
		"many loops, then other code": `for n = 1, 130 do
			for e, pos in world:each("Position") do if pos.x > n then pos.y = pos.y + n * 2 + pos.x * 3 end end
		end
		local n = 0
		for i = 1, 9000 do n = n + i end`,
		"other code, then cheap rows, then other code": `local n = 0
		for i = 1, 6000 do n = n + i end
		for e, pos in world:each("Position") do pos.y = n end
		for i = 1, 6000 do n = n + i end`,
		"a query loop in a counting loop": `for e, marker in world:each("Marker") do
			for i = 1, 50 do
				for f, pos in world:each("Position") do pos.y = pos.y + math.sqrt(pos.x * i) * 2 - pos.y / 3 end
			end
		end`,
		"rows for the interpreter": `local list = {}
		for e, pos in world:each("Position") do
			for i = 1, 100 do if pos.x == i then list[#list + 1] = { at = tostring(pos) } end end
		end`,
		"in a pcall": `pcall(function()
			for e, pos in world:each("Position") do
				for i = 1, 200 do if pos.x == i then pos.y = pos.y * 2 + pos.x * 3 - i / 4 + pos.y % 5 end end
			end
		end)
		world:spawn{}`,
		"in a coroutine": `coroutine.wrap(function()
			for e, pos in world:each("Position") do
				for i = 1, 200 do if pos.x == i then pos.y = pos.y * 2 + pos.x * 3 - i / 4 + pos.y % 5 end end
			end
		end)()
		world:spawn{}`,
		"recursion": sums + `for e, pos in world:each("Position") do
			pos.y = sum(pos.x % 30) + sum(20)
		end`,
		"an order": `for e, marker in world:each("Marker") do
			local list = {}
			for i = 1, 900 do list[i] = i * 7919 % 1000 end
			table.sort(list, function(a, b) return a % 100 < b % 100 end)
			for i = 1, 900 do list[i] = list[i] + 1 end
		end`,
		"texts": `local seen = {}
		for e, pos in world:each("Position") do
			for i = 1, 60 do seen[pos.x % 7 .. ":" .. i] = ("x"):rep(200) end
		end`,
		"events": `for hit in world:read("Hit") do
			for i = 1, 200 do if hit.amount == i + 9 then world.resources.score = i * 2 + hit.amount * 3 end end
		end`,
		"commands": `for e, pos in world:each("Position") do
			for i = 1, 60 do if i % 30 == 0 then world.commands:set(e, "Position", { x = i }) end end
		end`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, _, err := limitedRun(t, Lua, nil, body, 0)
			if err != nil {
				t.Fatal(err)
			}
			least := leastLimit(func(limit uint64) bool {
				_, _, err := limitedRun(t, Lua, nil, body, limit)
				return err == nil
			})
			for _, impl := range []Impl{Closures, Auto} {
				for _, limit := range []uint64{least, least + 1, least + least/8, 2 * least, 20 * least} {
					for _, pool := range []ecs.Pool{nil, pool} {
						if limit > least+1 && (impl == Closures || pool != nil) && !effort.More() {
							continue
						}
						if w, _, err := limitedRun(t, impl, pool, body, limit); err != nil || w.Digest() != want.Digest() {
							t.Errorf("it fits %d under lua; under %v with %d: %v, same world %v", least, impl, limit, err, w.Digest() == want.Digest())
						}
					}
				}
			}
		})
	}
}

// Everyday systems do under every implementation what they do under lua, with every limit that is enough there.
func TestWhatFitsUnderLuaFitsAtRandom(t *testing.T) {
	t.Parallel()
	run := func(seed uint64, impl Impl, limit uint64, sources []string) account {
		a, err := everydayRun(t, seed, impl, limit, everydayLibrary(seed), sources)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	seeds(24, func(seed uint64) {
		sources := everydaySources(seed)
		want := run(seed, Lua, 0, sources)
		least := leastLimit(func(limit uint64) bool { return run(seed, Lua, limit, sources).seen == want.seen })
		for _, impl := range []Impl{Closures, Auto} {
			for _, limit := range []uint64{least, least + least/4, 16 * least} {
				if run(seed, impl, limit, sources).seen == want.seen {
					continue
				}
				short := shrink(sources, func(sources []string) bool {
					want := run(seed, Lua, limit, sources)
					return want.seen == run(seed, Lua, 0, sources).seen && run(seed, impl, limit, sources).seen != want.seen
				})
				t.Fatalf("seed %d, %v with a limit of %d, of which lua needs %d:\n%s\nlua:\n%s\n%s", seed, impl, limit, least,
					run(seed, impl, limit, short).seen, run(seed, Lua, limit, short).seen, strings.Join(short, "\n-- the next system\n"))
			}
		}
	})
}
