package luabind

import (
	"strings"
	"testing"
)

// nestedConstants look into tables of records that have tables in them, and give numbers of them to functions of the library. CHANGE
// stands in front of the loop.
var nestedConstants = []string{
	`local crop = crops[p.s] if crop then local ok = crop.seasons[season] if ok and p.x > crop.thirst then p.x = p.x - crop.thirst end end`,
	`local crop = crops[p.s] if crop and crop.seasons[season] then p.k = math.min(crop.stages, p.k + 1) else p.k = 0 end`,
	`local crop = crops[p.s] sum = sum + math.max(crop and crop.stages or 1, p.k) + math.floor(crops.s1.stages / 2)`,
	`local crop = crops[p.s] sum = sum + math.floor(crops.s1.stages) if crop and crop.seasons[season] then p.x = p.x + crop.seasons[season] end`,
	`local crop = crops[p.s] if crop then local n = crop.seasons[p.k % 2 == 0 and "summer" or "winter"] if n then sum = sum + n * crop.thirst end end`,
}

const nestedConstantsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string" })
local crops = {
  s0 = { seasons = { spring = 1, summer = 2 }, stages = 5, thirst = 0.25 }, s1 = { seasons = { summer = 3 }, stages = 7, thirst = 0.5 },
  s2 = { seasons = { autumn = 1, winter = 4, spring = 2 }, stages = 4, thirst = 0.125 },
}
local season = "spring"
return { init = function(world)
  for i = 1, 120 do world:spawn{ P = { x = i, k = i % 4, s = "s" .. i % 4 } } end
end, update = function(world, dt)
  local sum = 0
  CHANGE
  for e, p in world:each("P") do BODY end
  print(sum)
end }`

// Such a loop is machine code.
func TestNestedConstants(t *testing.T) {
	t.Parallel()
	for _, body := range nestedConstants {
		sameCompiled(t, strings.NewReplacer("BODY", body, "CHANGE", "").Replace(nestedConstantsSource), body, byMachine)
	}
}

// It sees what the script changes in the tables between two turns.
func TestNestedConstantsThatChange(t *testing.T) {
	t.Parallel()
	for _, change := range []string{
		`crops.s0.seasons.spring = world.frame`, `crops.s1 = world.frame % 2 == 0 and { seasons = { spring = 9 }, stages = 1, thirst = 1 } or nil`,
		`crops.s2.stages = crops.s2.stages + 1`, `if world.frame == 3 then crops.s3 = { seasons = {}, stages = 2, thirst = 0 } season = "winter" end`,
	} {
		for _, body := range nestedConstants {
			sameCompiled(t, strings.NewReplacer("BODY", body, "CHANGE", change).Replace(nestedConstantsSource), change+" "+body, byAny)
		}
	}
}
