package luabind

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// What loops with strings and Lua tables cost per entity: one construct in the body of each.

// constructLoops are the loops, by name, in the order in which they run. Their world has the components Hp, Eff and Label.
var constructLoops = []struct{ name, lua string }{
	{"text_compare", `for e, hp, eff in world:each("Hp", "Eff") do
		if eff.kind == "fire" then hp.v = hp.v - 4 * dt elseif eff.kind == "ice" then hp.v = hp.v - dt end
	end`},
	{"text_assign", `for e, hp, eff in world:each("Hp", "Eff") do
		if hp.v > 50 then eff.other = "high" else eff.other = "low" end
	end`},
	{"number_compare", `for e, hp, eff in world:each("Hp", "Eff") do
		if eff.id == 1 then hp.v = hp.v - 4 * dt elseif eff.id == 2 then hp.v = hp.v - dt end
	end`},
	{"text_lookup", `for e, hp, eff in world:each("Hp", "Eff") do
		local r = RULES[eff.kind]
		if r then hp.v = hp.v - r.dps * dt end
	end`},
	{"concat", `for e, hp, label in world:each("Hp", "Label") do label.text = "hp " .. hp.n end`},
	{"append", `local list = {} for e, hp in world:each("Hp") do if hp.v > 0 then list[#list + 1] = e end end`},
	{"set", `local seen = {} for e, hp in world:each("Hp") do if hp.v > 0 then seen[e] = true end end`},
	{"once", `local seen = {} for e, hp in world:each("Hp") do if not seen[e] then seen[e] = true hp.d = hp.d + 1 end end`},
	{"map", `for e, hp in world:each("Hp") do LAST[e] = (LAST[e] or 0) + dt end`},
	{"ask", `local seen = SEEN for e, hp in world:each("Hp") do if seen[e] then hp.d = hp.d + 1 else seen[e] = true end end`},
	{"count", `local count = {} for e, hp in world:each("Hp") do count[hp.d] = (count[hp.d] or 0) + 1 end`},
	{"bins", `local bins = { 0, 0, 0, 0, 0, 0, 0, 0 } for e, hp in world:each("Hp") do bins[hp.n] = (bins[hp.n] or 0) + 1 end`},
	{"record", `local by = {} for e, hp, eff in world:each("Hp", "Eff") do
		local s = by[eff.kind] if not s then s = { n = 0, v = 0, most = 0 } by[eff.kind] = s end
		s.n = s.n + 1 s.v = s.v + hp.v if hp.d > s.most then s.most = hp.d end
	end`},
	{"record_by_entity", `local by = {} for e, hp in world:each("Hp") do
		local s = by[e] or { n = 0, v = 0 } by[e] = s s.n = s.n + 1 s.v = s.v + hp.v
	end`},
	{"groups", `local by = {} for e, hp in world:each("Hp") do
		local l = by[hp.v] if not l then l = {} by[hp.v] = l end
		l[#l + 1] = e
	end`},
	{"cells", `for e, hp in world:each("Hp") do
		local least
		for _, v in ipairs(CELLS[hp.n * 10] or {}) do
			if not least or v < least then least = v end
		end
		hp.d = least
	end`},
	{"best", `local best for e, hp in world:each("Hp") do if not best or hp.v > best.v then best = { e = e, v = hp.v } end end`},
	{"two_keys", `local by = {} for e, hp in world:each("Hp") do
		local row = by[hp.v] if not row then row = {} by[hp.v] = row end
		row[hp.d] = (row[hp.d] or 0) + 1
	end`},
	{"joined_key", `local by = {} for e, hp, eff in world:each("Hp", "Eff") do
		local k = eff.kind .. "/" .. hp.n
		by[k] = (by[k] or 0) + 1
	end`},
	{"nearest", `for e, hp in world:each("Hp") do
		local best, least
		for _, p in ipairs(POINTS) do
			local d = math.abs(p.x - hp.v)
			if not best or d < least then best, least = p, d end
		end
		hp.d = best.y
	end`},
	{"state", `for e, hp in world:each("Hp") do
		local s = STATE[e] if not s then s = { n = 0, v = 0 } STATE[e] = s end
		s.n = s.n + 1 s.v = s.v + hp.v
	end`},
}

// constructFloors are plain loops over slices that do the same work as some of constructLoops, for n entities.
var constructFloors = map[string]func(n int) func(){
	"cells": func(n int) func() {
		cells, keys, d := make([][]float64, 100), make([]int, n), make([]float64, n)
		for i := range cells {
			for j := range 20 {
				cells[i] = append(cells[i], float64(i*(j+1)%400))
			}
		}
		for i := range keys {
			keys[i] = (i%7 + 1) * 10
		}
		return func() {
			for i, k := range keys {
				least := math.Inf(1)
				for _, v := range cells[k] {
					if v < least {
						least = v
					}
				}
				d[i] = least
			}
		}
	},
	"best": func(n int) func() {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(i % 400)
		}
		best := -1
		return func() {
			best = -1
			for i, x := range v {
				if best < 0 || x > v[best] {
					best = i
				}
			}
		}
	},
	"nearest": func(n int) func() {
		type point struct{ x, y float64 }
		points, v, d := make([]point, 30), make([]float64, n), make([]float64, n)
		for i := range points {
			points[i] = point{float64(i * 13), float64(i)}
		}
		for i := range v {
			v[i] = float64(i % 400)
		}
		return func() {
			for i, x := range v {
				best, least := -1, 0.0
				for j := range points {
					if far := math.Abs(points[j].x - x); best < 0 || far < least {
						best, least = j, far
					}
				}
				d[i] = points[best].y
			}
		}
	},
	"groups": func(n int) func() {
		entities, v := make([]float64, n), make([]float64, n)
		for i := range v {
			entities[i], v[i] = float64(i), float64(i%400)
		}
		return func() {
			by := map[float64][]float64{}
			for i, x := range v {
				by[x] = append(by[x], entities[i])
			}
		}
	},
	"two_keys": func(n int) func() {
		v, d := make([]float64, n), make([]float64, n)
		for i := range v {
			v[i], d[i] = float64(i%400), float64(i%7)
		}
		return func() {
			by := map[float64]map[float64]int{}
			for i, x := range v {
				row := by[x]
				if row == nil {
					row = map[float64]int{}
					by[x] = row
				}
				row[d[i]]++
			}
		}
	},
	"joined_key": func(n int) func() {
		kinds, numbers := make([]string, n), make([]int, n)
		for i := range kinds {
			kinds[i], numbers[i] = []string{"fire", "ice", "acid"}[i%3], i%7
		}
		return func() {
			by := map[string]int{}
			for i, kind := range kinds {
				by[kind+"/"+strconv.Itoa(numbers[i])]++
			}
		}
	},
	"state": func(n int) func() {
		type state struct{ n, v float64 }
		states, v := make([]state, n), make([]float64, n)
		return func() {
			for i := range states {
				states[i].n++
				states[i].v += v[i]
			}
		}
	},
}

// constructLoop starts a world of n entities whose only system is a loop, and returns a function that runs a frame.
func constructLoop(tb testing.TB, lua string, n int, impl Impl) func() {
	tb.Helper()
	ctx := context.Background()
	r, err := New(Options{
		Log: strictLog(tb), Limits: Limits{Instructions: 1 << 40},
		World: ecs.NewWorld(ecs.Options{Seed: 1, Memory: NewMemory()}),
		Scripts: files(map[string]string{"a": `local ecs = require("ecs")
local RULES, SEEN, LAST, STATE, POINTS, CELLS = { fire = { dps = 4 }, ice = { dps = 1 }, acid = { dps = 2 } }, {}, {}, {}, {}, {}
for i = 0, 99 do CELLS[i] = {} for j = 1, 20 do CELLS[i][j] = i * j % 400 end end
for i = 0, 29 do POINTS[i + 1] = { x = i * 13, y = i } end
ecs.component("Hp", { v = "f64", d = "f64", n = "i32" })
ecs.component("Eff", { kind = "string", other = "string", id = "i32" })
ecs.component("Label", { text = "string" })
local s = {}
function s.init(world)
	local K = { "fire", "ice", "acid" }
	for i = 1, ` + fmt.Sprint(n) + ` do
		world:spawn{ Hp = { v = i % 400, d = i % 7, n = i % 7 + 1 }, Eff = { kind = K[i % 3 + 1], id = i % 3 + 1 }, Label = {} }
	end
end
function s.update(world, dt) ` + lua + ` end
return s`}),
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(ctx)
	}
	if err != nil {
		tb.Fatal(err)
	}
	frame := func() {
		if err := r.Frame(ctx, 1.0/1024); err != nil {
			tb.Fatal(err)
		}
	}
	frame()
	frame()
	return frame
}

func BenchmarkConstruct(b *testing.B) {
	const n = 2000
	run := func(b *testing.B, name string, frame func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				frame()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/entity")
		})
	}
	for _, c := range constructLoops {
		if floor := constructFloors[c.name]; floor != nil {
			run(b, c.name+"/floor", floor(n))
		}
		for _, impl := range []Impl{Closures, Auto} {
			run(b, fmt.Sprintf("%s/%s", c.name, impl), constructLoop(b, c.lua, n, impl))
		}
	}
}
