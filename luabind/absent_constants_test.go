package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// absentTables are tables that do not change, in which a row may look for a key that they do not have.
var absentTables = map[string]string{
	"records":                `{ fire = { on = true, n = 3, name = "f", f = function(p) p.x = p.x + 4 end }, ice = { on = false, n = 4, name = "i", f = function(p) p.x = p.x + 5 end } }`,
	"flat records":           `{ fire = { on = true, n = 3, name = "f" }, ice = { on = false, n = 4, name = "i" } }`,
	"records with tables":    `{ fire = { on = true, n = 3, name = "f", mods = { x = 1 }, list = { 5, 6 } }, ice = { on = false, n = 4, name = "i", mods = { y = 2 }, list = { 7 } } }`,
	"records, one without":   `{ fire = { on = true, n = 3, name = "f", mods = { x = 1 } }, ice = { mods = { x = 2 }, list = { 7 } } }`,
	"records beside others":  `{ fire = { on = true, n = 3, name = "f", mods = { x = 1 } }, ice = 7, salt = "text", light = function() return 1 end, iron = true }`,
	"tables of such records": `{ fire = { fire = { on = true, n = 1 }, on = true, n = 3, mods = {} }, ice = { ice = { on = false, n = 2 }, n = 4, mods = {} } }`,
}

// absentUses use what a table T has at p.k, which is one of the names in the order of kinds.
var absentUses = []string{
	`if T[kinds[p.k]].on then p.x = p.x + 1 end`,
	`local r = T[kinds[p.k]] if r.on then p.x = p.x + 1 end`,
	`local r = T[kinds[p.k]] if r.on == nil then p.x = p.x + 2 end`,
	`local r = T[kinds[p.k]] p.x = r.on and 4 or 5`,
	`local r = T[kinds[p.k]] p.x = p.x + (r.n or 7)`,
	`local r = T[kinds[p.k]] if r.nope then p.x = p.x + 2 end`,
	`local r = T[kinds[p.k]] if r and r.on then p.x = p.x + 3 end`,
	`local r = T[kinds[p.k]] or T.fire if r.on then p.x = p.x + 3 end`,
	`local r = T[kinds[p.k]] if p.x > 5 and r.on then p.x = 1 end if r.on then p.x = p.x + 3 end`,
	`local r = T[kinds[p.k]] if p.x > 5 then if r.on then p.x = 1 end end if r.n then p.x = p.x + 3 end`,
	`local r = T[kinds[p.k]] local on = r.on if on then p.x = p.x + 3 end local name = r.name if name then last = name end`,
	`local r = T[kinds[p.k]] last = tostring(r.n)`,
	`local r = T[kinds[p.k]] last = r.on`,
	`local r = T[kinds[p.k]] if r.mods then p.x = p.x + 1 end`,
	`local r = T[kinds[p.k]] if r.mods.x then p.x = p.x + 1 end`,
	`local r = T[kinds[p.k]] p.x = p.x + (r.mods.x or 2)`,
	`local r = T[kinds[p.k]] if r.list[1] then p.x = p.x + 1 end`,
	`local r = T[kinds[p.k]] if r.f then r.f(p) end`,
	`local r = T[kinds[p.k]] local f = r.f if f then f(p) else p.x = 0 end`,
	`local r = T[kinds[p.k]] for i, v in ipairs(r.list) do p.x = p.x + v end`,
	`if T[kinds[p.k]][kinds[p.j]] then p.x = p.x + 1 end`,
	`local row = T[kinds[p.k]] local x = row[kinds[p.j]] if x and x.on then p.x = p.x + 1 end`,
	`if T.fire[kinds[p.k]].on then p.x = p.x + 1 end`,
	`p.x = p.x + (T.fire[kinds[p.k]].n or 5)`,
	`if T[kinds[p.k]].on then p.x = p.x + 1 elseif T[kinds[p.j]].on then p.x = p.x + 2 end`,
	`local function on(k) return T[k].on end if on(kinds[p.k]) then p.x = p.x + 1 end`,
}

// What a table that does not change lacks is nil, and indexing that is an error, in each row and in each use: also where the part of it is
// only asked for.
func TestAbsentConstants(t *testing.T) {
	kinds := [][]string{{"fire", "ice"}, {"fire", "ice", "water"}, {"fire", "water", "ice", "salt", "light", "iron"}, {"water"}}
	compiled := 0
	for name, table := range absentTables {
		for i, use := range absentUses {
			source := fmt.Sprintf(`local ecs = require("ecs")
				ecs.component("P", { x = "f64", k = "i32", j = "i32" })
				local kinds, last, frame = { "%s" }, "", 0
				local T = %s
				return { init = function(world)
					for i = 1, 60 do world:spawn{ P = { x = i %% 9, k = i %% #kinds + 1, j = i %% 7 %% #kinds + 1 } } end
				end, update = function(world)
					frame = frame + 1
					local ok, err = pcall(function() for e, p in world:each("P") do %s end end)
					print(last, ok, err)
				end }`, strings.Join(kinds[i%len(kinds)], `", "`), table, use)
			for j := range kinds {
				if j != (i+len(name))%len(kinds) && !effort.More() {
					continue
				}
				source := strings.Replace(source, strings.Join(kinds[i%len(kinds)], `", "`), strings.Join(kinds[j], `", "`), 1)
				did := exitsAlike(t, fmt.Sprintf("%s, %s, %v", name, use, kinds[j]), source)
				compiled += did.Machine
			}
		}
	}
	if compiled < 5_000 {
		t.Errorf("%d rows ran as machine code", compiled)
	}
}
