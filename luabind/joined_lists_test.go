package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
)

// joinedSource is a file whose second loop reads lists at the keys of tables: lists that the first loop fills, lists that stay and change
// between turns, and tables that are no lists of numbers.
const joinedSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string", other = "entity" })
local fixed, names = { { 1, 2, 3 }, { 4 }, {}, { 5, 6.5, 7, 8 } }, { s0 = { 3, 1 }, s1 = { 2 }, s3 = { 9, 9, 9, n = 4 } }
local even, mixed = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, { { 1, 2 }, { "a", 3 }, { 4, nil, 6 }, 7, setmetatable({ 8 }, { __index = function() return 5 end }) }
local odd = { { 1, 2, [0] = 5 }, { 3, [1e9] = 4 }, { 5, [true] = 6 }, { 7, [2.5] = 8 } }
local turning, same1 = { { 1, 2 }, { 3 } }, fixed[1]
local big = {} for i = 1, 4 do big[i] = {} for j = 1, 300 do big[i][j] = i * j end end
local texts, maps, kept = { { "a", "b" }, { "c" } }, { { [5] = 1 }, { [7] = 2 } }, {}
local function first(list) for _, v in ipairs(list) do if v > 5 then return v end end return nil end
local function total(list) local n = 0 for i = 1, #list do n = n + list[i] end return n end
return { init = function(world)
  local last = ecs.none
  for i = 1, 120 do last = world:spawn{ P = { x = i, k = i % 5, s = "s" .. (i * 7) % 4, other = last } } end
end, update = function(world, dt)
  local near, sum, found, empty = {}, 0, {}, {}
  for e, p in world:each("P") do
    local l = near[p.k] if not l then l = {} near[p.k] = l end
    if p.x % 3 > 0 then l[#l + 1] = e end
  end
  near[4] = nil
  kept[world.frame % 3] = { world.frame, 5, 6 }
  if world.frame == 2 then fixed[2][2] = 44 end
  if world.frame == 3 then turning[1][1] = "7" turning[2] = { 5, 6 } even[0] = { 7, 8 } end
  for e, p in world:each("P") do BODY end
  print(sum, #found, found[1], found[9], #fixed[1], fixed[1][1])
end }`

// joinedBodies read such lists. All but those with "exit" in front are machine code for all rows.
var joinedBodies = []string{
	`for _, o in ipairs(near[p.k] or {}) do sum = sum + (o == e and 1 or 2) end`,
	`local l = near[p.k] if l then for i, o in ipairs(l) do sum = sum + i if o == e then p.x = p.x + 1 end end end`,
	`local l = near[p.k] or {} for i = 1, #l do local o = l[i] if o ~= e then sum = sum + i end end`,
	`for k = p.k - 1, p.k + 1 do for _, o in ipairs(near[k] or {}) do local q = world:get(o, "P") if q.x > p.x then sum = sum + q.x end end end`,
	`local best, d for _, o in ipairs(near[p.k] or {}) do local q = world:get(o, "P") local far = math.abs(q.x - p.x) if o ~= e and (not d or far < d) then best, d = o, far end end if best then found[#found + 1] = d end`,
	`local l = fixed[p.k] if l and #l > 0 then sum = sum + l[#l] end`,
	`local l = fixed[p.k] if l then sum = sum + (l[1] or 0.5) + (l[4] or 0.25) end`,
	`for _, v in ipairs(fixed[p.k] or {}) do sum = sum + v if v > 5 then break end end`,
	`for i, v in ipairs(fixed[p.k > 3 and 1 or p.k + 1]) do sum = sum * 1.01 + i * v end`,
	`local l = fixed[1] if p.x > 100 then l = fixed[2] end for _, v in ipairs(l) do sum = sum + v end`,
	`local l = names[p.s] if l then for _, v in ipairs(l) do sum = sum + v end else sum = sum + 0.5 end`,
	`for _, v in ipairs(names[p.s] or {}) do sum = sum + v end`,
	`local l = kept[p.k] if l then sum = sum + total(l) + (first(l) or 0.5) end`,
	`sum = sum + total(fixed[1]) + (first(fixed[4]) or 0)`,
	`local l = even[p.k % 3 + 1] for _, v in ipairs(l) do sum = sum + v end`,
	`local l = fixed[4] sum = sum + l[ecs.random(#l)]`,
	`local l = near[p.k] if l and l[2] then found[#found + 1] = l[2] end`,
	`for _, a in ipairs(fixed[1]) do for _, b in ipairs(fixed[4]) do sum = sum + a * b end end`,
	`for _, v in ipairs(fixed[4]) do if v == 6.5 then goto next end sum = sum + v ::next:: end`,
	`local l = p.k > 0 and near[p.k] or near[0] for _, o in ipairs(l or {}) do sum = sum + 1 end`,
	`exit local l = near[p.k] for _, o in ipairs(l) do sum = sum + 1 end`,
	`exit local l = fixed[p.k] if l then sum = sum + l[1] end`,
	`exit local l = fixed[p.k] if l then sum = sum + (l[p.x] or 0) + (l[p.k / 2] or 0) + (l[0] or 0) + (l[-1] or 0) end`,
	`exit for _, v in ipairs(mixed[p.k + 1]) do sum = sum + (tonumber(v) or 100) end`,
	`exit local l = mixed[1] for _, v in ipairs(l) do sum = sum + v end if p.x == 50 then sum = sum + mixed[5][3] end`,
	`exit for _, v in ipairs(texts[p.k % 2 + 1]) do sum = sum + #v end`,
	`exit local m = maps[p.k % 2 + 1] sum = sum + (m[5] or 0) + (m[7] or 0.5)`,
	`exit local l = fixed[p.k] if l then for k, v in pairs(l) do sum = sum + v end end`,
	`exit local l = fixed[p.k] if l then l[#l + 1] = p.x sum = sum + l[#l] end`,
	`exit local l = near[p.k] or {} l[#l + 1] = e sum = sum + #l`,
	`exit local l = fixed[1] for _, v in ipairs(l) do sum = sum + v end if p.x == 60 then fixed[1] = { 9 } end`,
	`exit local l = fixed[1] for _, v in ipairs(l) do sum = sum + v end if p.x == 60 then l[2] = 50 end`,
	`exit local l = fixed[1] for _, v in ipairs(l) do sum = sum + v end if p.x == 60 then table.insert(fixed[4], 50) end`,
	`exit local l = fixed[1] for _, v in ipairs(l) do sum = sum + v end if p.x == 60 then coroutine.wrap(print)() end`,
	`exit for _, v in ipairs(fixed[p.k]) do sum = sum + v end`,
	`exit local l = near[p.k] or {} if l then sum = sum + 1 end if l.n then sum = sum + 1 end for _, o in ipairs(l) do sum = sum + 1 end`,
	`exit for _, v in ipairs(empty[p.k] or {}) do sum = sum + v end`,
	`exit for _, v in ipairs(big[p.k] or {}) do sum = sum + v % 7 end`,
	`exit for _, v in ipairs(turning[p.k] or {}) do sum = sum + v end`,
	`exit local l = even[p.k % 4] if l then local v = l[1] if v then sum = sum + v end end`,
	`exit local l = turning[p.k] if l then sum = sum + l[1] + #l end`,
	`exit for _, v in ipairs(fixed[p.k] or {}) do sum = sum + v end same1[2] = p.x`,
	`exit for _, v in ipairs(fixed[p.k] or {}) do sum = sum + v end same1[2] = same1[2] + 1`,
	`exit for _, v in ipairs(fixed[p.k] or {}) do sum = sum + v end same1[#same1 + 1] = p.x`,
	`exit for _, v in ipairs(mixed[p.k] or {}) do sum = sum + v end`,
	`exit local l = odd[p.k] if l then sum = sum + (l[0] or 0.5) + (l[1e9] or 0.25) + (l[2.5] or 0.125) + (l[1] or 0) end`,
	`exit local l = odd[3] sum = sum + (l[1] or 0) + (l[2] or 0.5) if l[true] then sum = sum + 1 end`,
	`exit local l = near[p.k] or {} if p.x > 60 then l = near[1] or {} end if l then sum = sum + 1 end for _, v in ipairs(l) do sum = sum + 1 end`,
	`exit local l = fixed[p.k] or {} if p.x > 60 then l = fixed[2] end if l then sum = sum + #l end`,
	`exit local function of(k) return fixed[k] or {} end local l = of(p.k) if l then sum = sum + #l + #of(p.k + 1) end for _, v in ipairs(of(2)) do sum = sum + v end`,
	`exit local function of(k) if k > 2 then return {} end return fixed[k] or {} end for _, v in ipairs(of(p.k)) do sum = sum + v end`,
	`exit local l, m = fixed[p.k] or {}, near[p.k] or {} if l == m then sum = sum + 1 end if #l > #m then sum = sum + 2 end`,
	`exit local l = (fixed[p.k] or {}) or near[1] sum = sum + #l`,
	`exit local l = fixed[p.k] and fixed[p.k] or {} sum = sum + #l for _, v in ipairs(l) do sum = sum + v end`,
	`exit local l = fixed[p.k] or { 1 } sum = sum + #l for _, v in ipairs(l) do sum = sum + v end`,
	`exit local l = fixed[p.k] or kept[1] or {} sum = sum + #l for _, v in ipairs(l) do sum = sum + v end`,
	`exit local l = near[p.k] or fixed[1] for _, v in ipairs(l) do sum = sum + v % 7 end`,
	`exit local l = fixed[1] local m = fixed[1] if l == m then sum = sum + 1 end for _, v in ipairs(l) do sum = sum + v end`,
	`exit local l = names.s0 for _, v in ipairs(l) do sum = sum + v end for _, v in ipairs(names[p.s] or {}) do sum = sum + v end`,
}

// What rows read of lists in a table is in the lists.
func TestJoinedLists(t *testing.T) {
	t.Parallel()
	for _, body := range joinedBodies {
		text, exits := strings.CutPrefix(body, "exit ")
		sameCompiled(t, strings.Replace(joinedSource, "BODY", text, 1), body, func(impl Impl, did loops.Tally) bool {
			return exits || impl != Auto || did.Machine > 700 && did.Closures == 0
		})
	}
}

// A joinedWriter writes random bodies that read lists.
type joinedWriter struct{ *rand.Rand }

func (r joinedWriter) of(list ...string) string { return list[r.IntN(len(list))] }

func (r joinedWriter) list() string {
	return r.of("near[p.k]", "near[p.k]", "near[p.k - 1]", "fixed[p.k]", "fixed[p.k + 1]", "fixed[1]", "fixed[4]", "names[p.s]", "kept[p.k]", "even[p.k]", "even[2]", "mixed[p.k]", "mixed[1]", "texts[p.k]", "maps[p.k]", "near[e]", "fixed[p.x]", "kept[p.x / 2]", "near[p.other]", "empty[1]")
}

func (r joinedWriter) use(v string) string {
	return r.of("sum = sum + "+v, "sum = sum + "+v+" % 13", "if "+v+" == e then sum = sum + 1 end", "if "+v+" > 5 then sum = sum + 1 "+r.of("", "break ")+"end", "local q = world:get("+v+", 'P') if q then sum = sum + q.x end", "found[#found + 1] = "+v, "p.x = p.x + 0.5")
}

func (r joinedWriter) statement() string {
	l := r.list()
	if r.IntN(3) == 0 {
		l += " or {}"
	}
	switch r.IntN(9) {
	case 0, 1, 2:
		return "for i, v in ipairs(" + l + ") do " + r.use("v") + " end"
	case 3, 4:
		return "do local l = " + l + " if l then for _, v in ipairs(l) do " + r.use("v") + " end end end"
	case 5:
		return "do local l = " + l + " if l then for i = 1, #l do local v = l[i] " + r.use("v") + " end end end"
	case 6:
		return "do local l = " + l + " if l and #l > 0 then local v = l[" + r.of("#l", "1", "ecs.random(#l)", "p.k", "2", "#l + 1") + "] if v then " + strings.ReplaceAll(r.use("v"), "break", "") + " end end end"
	case 7:
		return "do local l = " + l + " if l then sum = sum + #l + (first(l) or 0) end end"
	}
	return r.of("sum = sum + 1", "if p.x == 50 then coroutine.wrap(print)() end", "if p.x == 60 then fixed[1] = { 9, 8 } end", "if p.x == 70 then fixed[4][1] = 1 end", "if p.x == 80 then print(#p.s .. 'a') end", "if p.x == 90 then kept[1] = nil end", "if p.x == 100 then near[2] = { 5 } end", "if p.x == 110 then break end")
}

// TestJoinedListsRandom compares random files that read lists. -kernel.from and -kernel.seeds choose others.
func TestJoinedListsRandom(t *testing.T) {
	t.Parallel()
	rows := 0
	n := seeds(180, func(seed uint64) {
		r := joinedWriter{rand.New(rand.NewPCG(seed, 80))}
		var body strings.Builder
		for range 1 + r.IntN(4) {
			body.WriteString(r.statement() + " ")
		}
		sameCompiled(t, strings.Replace(joinedSource, "BODY", body.String(), 1), fmt.Sprint("seed ", seed), func(impl Impl, did loops.Tally) bool {
			rows += int(did.Machine)
			return true
		})
	})
	if rows < n*500 { // 480 are those of the first loop
		t.Errorf("in %d files only %d rows were machine code", n, rows)
	}
}
