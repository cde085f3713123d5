package luabind

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/memory"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// recordHead declares entities whose fields are keys and values of records.
const recordHead = `local ecs = require("ecs")
ecs.component("U", { kind = "string", name = "string", age = "f64", zero = "f64", cell = "i32", friend = "entity", on = "bool" })
ecs.resource("out", { type = "f64", default = 0 })
`

// recordSpawn makes entities: kinds come in no order, and one in 16 has a kind of its own.
const recordSpawn = recordHead + `return function(world)
	local last
	for i = 1, 400 do
		local kind = i % 16 == 5 and "own" .. i or ({ "fox", "rabbit", "owl", "newt", "" })[i * i % 5 + 1]
		last = world:spawn{ U = { kind = kind, name = "n" .. i % 23, age = i * 7 % 31 + 0.25, zero = i % 3 == 1 and -0.0 or 0, cell = i * i % 37 - 5, friend = i % 4 > 0 and last or nil, on = i % 6 > 2 } }
	end
end`

// A recordCase is the body of a loop. KEY stands for an expression of the row. The table is by, which a loop before may have filled.
type recordCase struct{ name, body string }

var recordCases = []recordCase{
	{"get or make", `local s = by[KEY] if not s then s = { n = 0, age = 0, oldest = 0 } by[KEY] = s end s.n = s.n + 1 s.age = s.age + u.age if u.age > s.oldest then s.oldest = u.age end`},
	{"get or make, with strings", `local f = by[KEY] if not f then f = { n = 0, named = 0, longest = "" } by[KEY] = f end f.n = f.n + 1 if u.name ~= "" then f.named = f.named + 1 end if f.longest == "" or u.age > f.named then f.longest = u.name end`},
	{"a comparison with nil", `local k = KEY local f = by[k] if f == nil then f = { n = 1, on = u.on } by[k] = f else f.n = f.n + 1 end f.on = f.on or u.on`},
	{"the other order", `local k = KEY local f = by[k] if not f then by[k] = { n = 0 } f = by[k] end f.n = f.n + u.age`},
	{"only the table", `local k = KEY if not by[k] then by[k] = { n = 0, first = e } end by[k].n = by[k].n + 1`},
	{"or an empty one", `local l = by[KEY] or {} by[KEY] = l l.count = (l.count or 0) + 1 l.age = (l.age or 0) + u.age`},
	{"or one with values", `by[KEY] = by[KEY] or { n = 0, who = u.name } local s = by[KEY] s.n = s.n + 1`},
	{"stored at the end", `local s = by[KEY] or { x = 0, y = 0, n = 0 } local l = u.age * 2 if l > 9 then s.x, s.y, s.n = s.x + u.age / l, s.y + l, s.n + 1 end by[KEY] = s`},
	{"members in another order", `local l = by[KEY] or {} by[KEY] = l local b = (l.b or 0) + 1 if u.on then l.a = u.age end if u.age > 9 then l.c = u.name end l.b = b if u.age < 5 then l.d = true end`},
	{"an empty one", `local k = KEY if not by[k] then by[k] = {} end`},
	{"two constructors", `local k = KEY local s = by[k] if not s then if u.on then s = { n = 1, on = true } by[k] = s else s = { on = false, n = 2 } by[k] = s end end s.n = s.n + 1`},
	{"two tables", `local k = KEY local s, o = by[k], other[u.kind] if not s then s = { n = 0 } by[k] = s end if not o then o = { n = 0, age = 0 } other[u.kind] = o end s.n = s.n + 1 o.n = o.n + s.n o.age = o.age + u.age`},
	{"a name for nil", `local k = KEY local before = by[k] local s = by[k] if not s then s = { n = 0 } by[k] = s end s.n = s.n + 1 if before then s.n = s.n + 100 end if not before then s.n = s.n + 0.5 end`},
	{"in a function", `local s = get(KEY) s.n = s.n + 1 bump(s, u.age)`},
	{"in an inner loop", `for i = 1, 3 do local k = KEYI local s = by[k] if not s then s = { n = 0 } by[k] = s end s.n = s.n + i end`},
	{"with a return value", `local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1 if s.n > 1e9 then return s.n end`},
	{"behind a goto", `local s = by[KEY] if s then goto found end by[KEY] = { n = 0 } ::found:: by[KEY].n = by[KEY].n + 1`},
	{"a branch in it", `local s = by[KEY] if not s then s = { n = u.on and 1 or 2, m = u.age > 9 and u.age or 0 } by[KEY] = s end s.n = s.n + s.m`},
	{"only some rows", `if u.on then local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + u.age u.age = u.age + 1 end`},
}

var recordKeys = map[string][2]string{
	"a string":         {"u.kind", `(i == 2 and "two" or u.kind)`},
	"a whole number":   {"u.cell", "u.cell + i * 5"},
	"an entity":        {"e", "e + i * 0.25"},
	"another entity":   {"(u.friend or 7)", "(u.friend or 7) + i"},
	"a fraction":       {"u.age", "u.age * i"},
	"a computed index": {"u.cell * u.cell % 40 + 1", "u.cell * u.cell % 40 + i"},
}

// recordTails are what stands around the loop.
var recordTails = map[string]string{
	"a new table in each turn": `local by, other = {}, {} turn(world, by, other) print(show(by), show(other))`,
	"a table that stays":       `turn(world, kept, keptOther) print(show(kept), show(keptOther))`,
	"a table with keys":        `local by, other = { fox = { n = 5, age = 2 }, [3] = { n = 2, oldest = 4, count = 1 }, owl = {}, [9] = 4, [4] = { n = "x" }, newt = { n = 1, age = "x" } }, {} turn(world, by, other) print(show(by), show(other))`,
}

func recordSource(c recordCase, key [2]string, tail string) string {
	body := strings.ReplaceAll(strings.ReplaceAll(c.body, "KEYI", key[1]), "KEY", key[0])
	return recordHead + `local kept, keptOther, nums = {}, {}, { 1 }
local function show(v)
	if type(v) ~= "table" then return tostring(v) end
	local s = "{" for k, x in pairs(v) do s = s .. tostring(k) .. "=" .. show(x) .. ";" end return s .. "#" .. #v .. "}"
end
local function turn(world, by, other)
	local function get(k) local s = by[k] if not s then s = { n = 0 } by[k] = s end return s end
	local function bump(s, x) s.sum = (s.sum or 0) + x end
	for e, u in world:each("U") do ` + body + ` end
end
return function(world) ` + tail + ` end`
}

// recordTrace runs a script for some frames, and returns what it printed, its errors, the world, the bytes that were left, and how
// many rows ran how.
func recordTrace(t *testing.T, impl Impl, limits Limits, source string, watch uint64) (seen string, did loops.Tally, machine int) {
	t.Helper()
	var out bytes.Buffer
	limits.OnError = Skip
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	if watch > 0 {
		memory.InstrumentsOf(w).WatchEvery = int(watch)
	}
	r, err := New(Options{
		Log: strictLog(t), World: w, Stdout: &out, Limits: limits, Scripts: files(map[string]string{"start": recordSpawn, "a": source}),
		Report: func(e *ScriptError) { fmt.Fprintf(&out, "%v\n%s\n%s\n", e, e.Excerpt, Traceback(e.Stack)) },
	})
	if err == nil {
		err = r.Add(System{Name: "start", Script: "start.lua", Stage: ecs.Startup})
	}
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
	r.CountRows()
	for range 3 {
		if err := r.Frame(context.Background(), 0.5); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		fmt.Fprintln(&out, w.Digest(), w.Check(), r.state.Budget().AllocationsLeft())
	}
	p := r.runner("a.lua")
	for _, l := range p.Loops {
		n := p.Tally(l)
		did.Machine, did.Closures, did.Left = did.Machine+n.Machine, did.Closures+n.Closures, did.Left+n.Left
	}
	return out.String(), did, p.MachineKernels()
}

// Loops that get or make a record at a key are machine code, and do what they do interpreted.
func TestRecords(t *testing.T) {
	t.Parallel()
	n := 0
	for _, c := range recordCases {
		n++ // the next case has the other half
		for _, keyName := range slices.Sorted(maps.Keys(recordKeys)) {
			for _, tailName := range slices.Sorted(maps.Keys(recordTails)) {
				key, tail := recordKeys[keyName], recordTails[tailName]
				if n++; !effort.Full() && n%2 > 0 { // half of them
					continue
				}
				source := recordSource(c, key, tail)
				name := c.name + ", " + keyName + ", " + tailName
				want, _, _ := recordTrace(t, Lua, Limits{}, source, 0)
				for _, impl := range []Impl{Closures, Auto} {
					got, did, machine := recordTrace(t, impl, Limits{}, source, 1)
					if got != want {
						t.Fatalf("%s, %v: got\n%s\nwant\n%s\n%s", name, impl, got, want, source)
					}
					if tailName != "a table with keys" && impl == Auto && (machine == 0 || did.Machine < 1000) {
						t.Errorf("%s: %d kernels are machine code, which ran %+v rows", name, machine, did)
					}
				}
			}
		}
	}
}

// recordTwists are bodies in which something happens to a record, or between its making and its storing. Some are no machine code; all
// do what they do interpreted.
var recordTwists = []string{
	// errors in the middle of a row
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1 if u.age > 28 then u.age = nums[u.age].x end s.late = 1`,
	`local s = by[KEY] if not s then s = { n = 0 } if u.age > 20 then u.age = nums[u.age].x end by[KEY] = s end s.n = s.n + 1`,
	`local s = by[KEY] or { n = 0 } s.n = s.n + 1 if u.age > 20 then u.age = u.age + nums[u.age] end by[KEY] = s`,
	`by[KEY] = by[KEY] or { n = u.age > 20 and nums[u.age].x or 1 } by[KEY].n = by[KEY].n + 1`,
	`local s = by[KEY] if s then s.n = s.n + 1 else s = { n = 0 } by[KEY] = s if u.age > 25 then error("no " .. u.name) end end`,
	`local s = by[KEY] s.n = 1 by[KEY] = { n = 0 }`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + s.m`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end u.cell = s.n * 1e9 s.n = s.n + 1`,
	// other keys, other values, other owners
	`local s = by[KEY] if not s then s = { n = 0 } u.kind, u.cell = "fox", 3 by[KEY] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s by[7] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } other[KEY] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s other[KEY] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s else s = { n = 5 } by[KEY] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1 if s.n > 3 then by[KEY] = nil end`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1 if s.n > 3 then s.n = nil end`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1 if s.n > 3 then s = nil end if s then s.m = 1 end`,
	`local s = by[KEY] if not s then s = { n = 0, list = { u.age } } by[KEY] = s end s.n = s.n + #s.list s.list[#s.list + 1] = u.age`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1 if s == by.fox then s.n = s.n + 0.5 end if s ~= other[1] then other[1] = s end`,
	`local s = by[KEY] if not s then s = setmetatable({ n = 0 }, { __index = { m = 4 } }) by[KEY] = s end s.n = s.n + s.m`,
	`local s = by[KEY] if not s then s = { n = 0, e = e, u = u } by[KEY] = s end s.n = s.n + s.u.age`,
	`local s = by[KEY] if not s then s = { u.age, u.cell } by[KEY] = s end s[1] = s[1] + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s[u.name] = (s[u.name] or 0) + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end s.n = u.age > 20 and u.name or u.age`,
	`local t = { n = u.age } by[KEY] = t t.n = t.n + 1`,
	`local t = { n = u.age } if not by[KEY] then by[KEY] = t end t.n = t.n + 1`,
	`local s if u.on then s = by[KEY] end if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1`,
	`local s, t = by[KEY], by[KEY] if not s then s = { n = 0 } by[KEY] = s end t = t or { n = 9 } s.n = s.n + t.n`,
	// something between the making and the storing
	`local s = by[KEY] if not s then s = { n = 0 } if by[KEY] then u.age = 1 end by[KEY] = s end s.n = s.n + 1`,
	`local s = by[KEY] or { n = 0 } s.n = s.n + 1 if by[KEY] then u.age = u.age + 1 end by[KEY] = s`,
	`local s = by[KEY] or { n = 0 } s.n = s.n + 1 by[u.name] = by[u.name] or { n = 1 } by[KEY] = s`,
	`local s = by[KEY] or { n = 0 } s.n = s.n + 1 if u.on then by[KEY] = s end`,
	`local s = by[KEY] or { n = 0 } s.n = s.n + 1 if u.age < 3 then return end by[KEY] = s`,
	`for i = 1, 2 do local s = by[KEYI] or { n = 0 } s.n = s.n + 1 if u.age < 3 then break end by[KEYI] = s end`,
	`for i = 1, 2 do local s = by[KEYI] or { n = 0 } s.n = s.n + 1 if u.age < 3 then goto next end by[KEYI] = s ::next:: end`,
	`local s = by[KEY] or { n = 0 } local n = 0 for k in pairs(by) do n = n + 1 end s.n = s.n + n by[KEY] = s`,
	`local s = by[KEY] or { n = 0 } s.n = s.n + #by by[KEY] = s`,
	`local s = by[KEY] if not s then s = { n = 0 } by[by[KEY] and KEY or 7] = s end s.n = s.n + 1`,
	`local function known(k) return by[k] and k or 7 end local s = by[KEY] if not s then s = { n = 0 } by[known(KEY)] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } s = { n = 1, m = 2 } by[KEY] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end local t = s local k = KEY u.kind, u.cell = "owl", 4 t.n = t.n + 1 by[k].n = by[k].n + 1 s = by[KEY] if s then s.n = s.n + 10 end`,
	// names that are nil, and keys that are the same
	`local a = by[KEY] local b = by[KEY] if not a then a = { n = 0 } by[KEY] = a end if b then b.n = b.n + 1 end local c = by[KEY] c.n = c.n + 0.25 local d = u.on and by[KEY] if d then d.n = d.n + 1 end`,
	`local a = by[KEY] local b = by[KEY] if not b then b = { n = 0 } by[KEY] = b end a.n = a.n + 1`,
	`local before, s = by[KEY], get(KEY) s.n = s.n + 1 if before then s.n = s.n + 10 end`,
	`local k = KEY by[k] = by[k] or { n = 0 } by[k].n = by[k].n + 1 k = u.name by[k] = by[k] or { n = 10 } by[k].n = by[k].n + 2 for i = 1, 2 do by[k].n = by[k].n + 4 k = KEY end`,
	`local k, l = KEY, KEY local has = by[l] ~= nil by[k] = by[k] or { n = 0 } if has then by[l].n = by[l].n + 1 end if by[l] then by[l].n = by[l].n + 0.5 end`,
	`local k = KEY if by[k] == nil then by[k] = { n = 0 } end local l = KEY if by[l] == nil then by[l] = { n = 100 } end by[k].n = by[k].n + 1 by[l].n = by[l].n + 2`,
	`local function has(k) return by[k] end local before = has(KEY) local s = get(KEY) local after = has(KEY) s.n = s.n + (before and 1 or 0) + (after and 2 or 0)`,
	`local function find(k) if u.on then return by[k] end return nil end local s = find(KEY) or { n = 0, new = true } by[KEY] = s s.n = s.n + 1`,
	`local function find(k) if u.on then return by[k] end end local s = find(KEY) if not s then s = { n = 0 } by[KEY] = s end s.n = s.n + 1`,
	`local k = (u.age - u.age) * -1 local s = by[k] if not s then s = { n = 0 } by[k] = s end s.n = s.n + 1 local z = u.zero local t = by[z] if not t then t = { n = 7 } by[z] = t end t.n = t.n + 1`,
	`local s = by[u.zero] if not s then s = { n = 0 } by[u.zero] = s end s.n = s.n + 1`,
	`local k = KEY if u.age > 29 then k = 0 / 0 end local s = by[k] if not s then s = { n = 0 } by[k] = s end s.n = s.n + 1`,
	`local k if u.age < 29 then k = KEY end local s = by[k] if not s then s = { n = 0 } by[k] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then s = { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9 } by[KEY] = s end s.j = (s.j or 0) + s.i s.k = u.on s.l = u.name`,
	`local s = by[KEY] if not s then s = { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13 } by[KEY] = s end s.a = s.b + s.m`,
	`local s = by[KEY] if not s then s = { n = 0 } by[KEY] = s end repeat s.n = s.n + 1 local k = KEY local t = by[k] until s.n % 3 == 0 or not t`,
	`local k = KEY local s = by[k] while not s do s = { n = 0 } by[k] = s end s.n = s.n + 1`,
	`local s = by[KEY] if not s then world:send("Hit", { who = e }) s = { n = 0 } by[KEY] = s world.commands:set(e, "U", { cell = s.n }) end s.n = s.n + 1`,
}

// A row that uses a record in any of these ways does the same as interpreted.
func TestTwistedRecords(t *testing.T) {
	t.Parallel()
	n, machine := 0, 0
	for _, body := range recordTwists {
		for _, key := range [][2]string{recordKeys["a string"], recordKeys["a whole number"], recordKeys["an entity"]} {
			for _, tailName := range slices.Sorted(maps.Keys(recordTails)) {
				if n++; !effort.Full() && n%2 > 0 { // half of them
					continue
				}
				tail := recordTails[tailName]
				source := strings.Replace(recordSource(recordCase{body: body}, key, tail), recordHead, recordHead+"ecs.event(\"Hit\", { who = \"entity\" }) ", 1)
				want, _, _ := recordTrace(t, Lua, Limits{}, source, 0)
				for _, impl := range []Impl{Closures, Auto} {
					got, did, _ := recordTrace(t, impl, Limits{}, source, 1)
					if got != want {
						t.Fatalf("%v: got\n%.3000s\nwant\n%.3000s\n%s", impl, got, want, source)
					}
					machine += did.Machine
				}
			}
		}
	}
	if machine < 50_000 {
		t.Errorf("the test tests little: %d rows ran as machine code", machine)
	}
}

// Under a limit of bytes, the turn ends at the same line; at other places than the interpreter only where the key of a new record is
// charged when the loop ends. Under a limit of instructions, closures and machine code end at the same row.
func TestRecordsUnderLimits(t *testing.T) {
	t.Parallel()
	for _, c := range recordCases {
		for _, key := range [][2]string{recordKeys["a string"], recordKeys["a whole number"]} {
			source := recordSource(c, key, recordTails["a new table in each turn"])
			for _, limits := range []Limits{{Instructions: 4000}, {Instructions: 9000}, {Instructions: 15_000}, {Instructions: 40_000}, {Allocations: 1 << 40}} {
				want, _, _ := recordTrace(t, Closures, limits, source, 0)
				if got, _, _ := recordTrace(t, Auto, limits, source, 1); got != want {
					t.Fatalf("%s, %+v: got\n%.3000s\nwant\n%.3000s\n%s", c.name, limits, got, want, source)
				}
				if limits.Instructions == 0 {
					if got, _, _ := recordTrace(t, Lua, limits, source, 0); got != want {
						t.Fatalf("%s, interpreted: got\n%.3000s\nas closures\n%.3000s\n%s", c.name, got, want, source)
					}
				}
			}
		}
	}
}
