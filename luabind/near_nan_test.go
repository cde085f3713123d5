package luabind

import "testing"

// nearNaNSource is a file with a field z that is NaN in some entities.
const nearNaNSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", y = "f64" }) ecs.component("Z", { z = "f64" }) ecs.grid("g", { component = "P", x = "x", y = "y", cell = 3 })
return { init = function(world)
  for i = 1, 150 do world:spawn{ P = { x = i % 12, y = i % 11 }, Z = { z = i % 5 == 0 and 0/0 or i % 3 == 1 and 2 or 10 } } end
end, update = function(world, dt)
  local sum = 0
  for e, p in world:each("P") do
    local best = 3
    for o, d in world:near("g", p.x, p.y, 2) do local at = world:get(o, "Z") if at then BODY end end
  end
  print(sum)
end }`

// nearNaNs are bodies of loops over neighbours that keep a minimum or a maximum, of numbers some of which are NaN.
var nearNaNs = []rowsCase{
	{name: "a minimum of what may be NaN", source: nearNaNSource, body: `if not (best <= at.z) then best = at.z end if not (best < 5) then sum = sum + 1 end`, ran: 600, machine: true},
	{name: "a maximum of what may be NaN", source: nearNaNSource, body: `if not (best >= at.z) then best = at.z end if not (1 < best) then sum = sum + 1 end`, ran: 600, machine: true},
	{name: "a maximum of what may be NaN, below", source: nearNaNSource, body: `if not (best >= at.z) then best = at.z end if not (best > 5) then sum = sum + 1 end`, ran: 600, machine: true},
	{name: "a minimum that is compared with what may be NaN", source: nearNaNSource, body: `if not (best <= at.z) then best = at.z end if not (best < at.z) then sum = sum + 1 end`, ran: 600, machine: true},
	{name: "a minimum of numbers alone", source: nearNaNSource, body: `if at.z < best then best = at.z end if best < 5 then else sum = sum + 1 end`, ran: 600, machine: true},
	{name: "a minimum of distances", source: nearNaNSource, body: `if d < best then best = d end if not (best < at.z) then sum = sum + 1 end`, ran: 600, machine: true},
	{name: "a minimum of distances, compared with the distance", source: nearNaNSource, body: `if d < best then best = d end if not (best < d) then sum = sum + 1 end`, ran: 600, machine: true},
}

// A neighbour is not passed over because of what was known before a NaN was kept.
func TestNearNaNs(t *testing.T) { sameRows(t, nearNaNs) }
