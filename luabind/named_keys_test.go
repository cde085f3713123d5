package luabind

import (
	"strings"
	"testing"
)

// namedKeys use a table by computed strings and by names, and store in it. count has numbers, flag booleans, name strings, and mix
// values of several types; all have the keys s0 to s3 of the rows but for one.
var namedKeys = []string{
	`count[p.s] = (count[p.s] or 0) + 1 count.all = count.all + 1`,
	`count[p.s] = (count[p.s] or 0) + p.x count.all = (count.all or 0) + 1 sum = sum + count[p.s] * count.all`,
	`local n = count[p.s] if n then count.all = count.all + n count.s1 = count.s1 - 1 end`,
	`count.all = count.all + 1 sum = sum + (count[p.s] or 0.5)`,
	`if p.k > 1 then count.fresh = (count.fresh or 0) + 1 end if count[p.s] then count[p.s] = nil end sum = sum + (count.fresh or 3)`,
	`count.s2 = p.x sum = sum + (count[p.s] or 0)`,
	`local k = p.k == 1 and "all" or p.s count[k] = (count[k] or 0) + count.all`,
	`count["all"] = count.all * 0.5 + 1 count[p.s] = count["all"]`,
	`flag[p.s] = p.k > 1 if flag.on and flag[p.s] then flag.on = false sum = sum + 1 else flag.on = not flag.on end`,
	`name.last = p.s name[p.s] = name.last if name.first == "none" then name.first = p.s end if name[p.s] == name.first then sum = sum + 1 end`,
	`count[p.s], count.all = count.all, count[p.s] or 1`,
	`local q = p.k == 1 and "s1" or "s3" count[p.s], count[q] = count[q], count[p.s] or 1`,
	`local function two(a, b) count.all = count.all + 1 return (a or 2) + (b or 3) end sum = sum + two(count[p.s], count.all)`,
	`local a, b = count[p.s], count.all count.all = 7 count[p.s] = 2 sum = sum + (a or 1) + b`,
	`count.all = count.all + 1 if count.all % 7 == 0 then count[p.s] = count.all end`,
	`for i = 1, 2 do count.all = count.all + i count[p.s] = (count[p.s] or 0) + count.all end`,
	`local function add(t, k, n) t[k] = (t[k] or 0) + n t.all = t.all + n end add(count, p.s, p.x)`,
}

const namedKeysSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string" })
local count, flag, name = { s0 = 3, s1 = 1, s3 = 5, all = 0 }, { s0 = true, s1 = false, s3 = true, on = true }, { s0 = "a", s1 = "b", s3 = "s3", first = "none", last = "" }
local note = { s1 = 3, text = "x", all = 2 }
return { init = function(world)
  for i = 1, 120 do world:spawn{ P = { x = i, k = i % 4, s = "s" .. (i * 7) % 4 } } end
end, update = function(world, dt)
  local sum = 0
  for e, p in world:each("P") do BODY end
  print(sum)
  for _, t in ipairs{ count, flag, name, note } do for k, v in pairs(t) do print(k, v) end end
end }`

// Such a loop is machine code: names are looked up as keys, too.
func TestNamedKeys(t *testing.T) {
	t.Parallel()
	for _, body := range namedKeys {
		sameCompiled(t, strings.Replace(namedKeysSource, "BODY", body, 1), body, byMachine)
	}
}

// mixedKeys are like namedKeys, but the names have values of other types, or get nil.
var mixedKeys = []string{
	`if p.k == 3 then count.all = nil else count.all = p.x end sum = sum + (count.all or 10) + (count[p.s] or 0)`,
	`local q = p.k == 1 and "s1" or "s3" count[p.s], count[q] = count[q], count[p.s]`,
	`count[p.s] = (count[p.s] or 0) + 1 count.last = p.s`,
	`count.on = p.k > 1 if count.on then count[p.s] = (count[p.s] or 0) + 1 end`,
	`count[p.s] = (count[p.s] or 0) + 1 count.where = { x = p.x } sum = sum + count.where.x`,
	`if note.text == "x" and note.all > 2 then sum = sum + 1 end note[p.s] = (note[p.s] or 0) + 1`,
	`name[p.s] = p.s name.n = (name.n or 0) + 1 sum = sum + name.n`,
	`count.all = count.all + 1 if p.k == 2 then count[p.s] = "many" end sum = sum + (tonumber(count[p.s]) or 0)`,
	`if flag.deep then sum = sum + flag.deep.x end flag[p.s] = not flag[p.s] flag.on = flag[p.s]`,
}

// They do the same as interpreted, too.
func TestMixedKeys(t *testing.T) {
	t.Parallel()
	for _, body := range mixedKeys {
		sameCompiled(t, strings.Replace(namedKeysSource, "BODY", body, 1), body, byAny)
	}
}
