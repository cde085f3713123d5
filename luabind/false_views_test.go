package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// maybeFalse are declarations of w, which is a view, nil or false. v is one, too.
var maybeFalse = []string{
	`local w = v`,
	`local w = p.x > 60 and v`,
	`local w = p.k and v`,
	`local w = world:get(e, "P") and v`,
	`local w = v or (p.x > 90 and world:get(e, "P"))`,
	`local w = v and v`,
	`local w = CHOSEN[p.s] and world:get(e, "P")`,
	`local w = ONE[p.s] and world:get(e, "P")`,
	`local w = mixed[p.k] and world:get(e, "P")`,
	`local w = flags[p.k] and world:get(e, "P")`,
	`local on = nil if p.k == 1 then on = false elseif p.k == 2 then on = true end local w = on and world:get(e, "P")`,
	`local on = true local function off() on = nil return "P" end if p.k == 1 then on = false end local w = on and world:get(e, off())`,
	`local w = p.k > 1 and p.x > 50 and world:get(e, "P")`,
	`local function at(k) return k > 1 and world:get(e, "P") end local w = at(p.k)`,
	`local w = v if p.x == 4 then w = nil end`,
	`local w = p.k > 1 and world:get(ecs.none, "P")`,
}

// usesOfFalse are uses of w, of which most tell nil from false.
var usesOfFalse = []string{
	`local c = w and p.x if c == nil then sum = sum + 1 else sum = sum + 5 end`,
	`local c = w and rows[1] if c == nil then sum = sum + 1 else sum = sum + 5 end`,
	`local c = w and fixed[2] if c ~= nil then sum = sum + 5 end`,
	`local c = w and texts[1] grow[#grow + 1] = c and 1 or 2 sum = sum + (c == nil and 1 or 3)`,
	`local c = nil if p.x > 3 then c = w and p.x end if c ~= nil then sum = sum + 5 end`,
	`local c = w and p.k > 2 if c == nil then sum = sum + 7 end`,
	`if w == nil then sum = sum + 1 else sum = sum + 5 end`,
	`if w ~= nil and p.x > 3 then sum = sum + 1 end`,
	`grow[#grow + 1] = w and 1 sum = sum + #grow`,
	`local t = { w } sum = sum + #t`,
	`local t = { x = w and p.x } for k, x in pairs(t) do sum = sum + 1 end`,
	`print(w and 1)`,
	`local c = w and w.x if c then sum = sum + c end`,
	`sum = sum + (w and w.x or 3)`,
	`if not w then sum = sum + 1 end`,
	`if w == v then sum = sum + 1 end`,
	`if w ~= world:get(e, "P") then sum = sum + 1 end`,
	`if world:get(ecs.none, "P") == w then sum = sum + 1 end`,
}

const falseViewsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string" })
local fixed = { { x = 11, y = 2 }, { x = 31, y = 4 }, { x = 55, y = 7 }, { x = 77, y = 8 }, { x = 98, y = 1 } }
local texts = { { x = 1, name = "a" }, { x = 3, name = "b" }, { x = 2, name = "c" } }
local rows = { { x = 1, y = 2, to = 3 }, { x = 3, y = 4, to = 5 }, { x = 5, y = 6, to = 2 }, { x = 7, y = 8, to = 1 }, { x = 9, y = 0, to = 9 } }
local grow, flags, mixed = {}, { true, false }, { 1, false, "a" }
local ONE, CHOSEN = { s0 = true, s1 = false }, { s0 = true, s1 = false, s2 = 5 }
return { init = function(world)
  for i = 1, 120 do world:spawn{ P = { x = i, k = i % 4, s = "s" .. (i * 7) % 4 } } end
end, update = function(world, dt)
  local sum = 0
  for e, p in world:each("P") do BODY end
  print(sum, #grow)
end }`

// Where a view was chosen with and, the script may have false: what is chosen by it with another and is false, too, and not nil.
func TestViewsThatMayBeFalse(t *testing.T) {
	t.Parallel()
	ran, compiled := 0, 0
	for i, w := range maybeFalse {
		for j, use := range usesOfFalse {
			if (i+j)%4 > 0 && !effort.More() {
				continue
			}
			body := `local v = p.k > 1 and world:get(e, "P") ` + w + " " + use
			sameCompiled(t, strings.Replace(falseViewsSource, "BODY", body, 1), body, func(_ Impl, did loops.Tally) bool {
				if ran++; did.Machine+did.Closures > 300 {
					compiled++
				}
				return true
			})
		}
	}
	if compiled < ran*2/5 {
		t.Errorf("only %d of %d loops were compiled", compiled, ran)
	}
}
