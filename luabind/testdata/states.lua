--- frames 3
check.eq(tostring(world.states), "world.states")
if world.frame == 1 then
  check.eq(world.states.game, "menu")
  local e = world:spawn{ Health = {}, "game.menu" }
  world:spawn{ Position = {}, ChildOf = e }
  world:spawn{ Marker = {}, "game.over" }
  world.commands:state("game", "over")
  world.commands:state("game", "playing")
  check.eq(world.states.game, "menu")
elseif world.frame == 2 then
  check.eq(world.states["game"], "playing")
  check.eq(world:count("Health") + world:count("Position"), 0)
  check.eq(world:count("Marker"), 1)
  world.commands:state("game", "playing")
else
  check.eq(world.states.game, "playing")
end
---
local n = 0
for i = 1, 3 do world:spawn{ Position = { x = i } } end
for e, pos in world:each("Position") do
  if world.states.game ~= "over" then n = n + pos.x end
end
check.eq(n, 6)
---
world.states.game = "over" --! world.states is read-only; write world.commands:state("game", …), which changes it at the beginning of the next frame
---
print(world.states.gane) --! state "gane" is not declared; did you mean "game"?
---
print(world.states[1]) --! world.states has named values only, not [1]
---
for k in world.states do end --! a loop cannot walk it: write world.states.NAME
---
world.commands:state("game", "ovre") --! state "game" has no value "ovre"; did you mean "over"?
---
world.commands:state("game", "won") --! state "game" has no value "won"; it has menu, playing, over
---
world.commands:state("net", "on") --! state "net" is not declared; declare it under states in the config
---
world.commands:state("game") --! value of the state expected, got no value
---
world.commands:state("game.over") --! the value of a state stands apart: write world.commands:state("game", "over")
---
world.commands:state("game", "over", 1) --! it takes at most 2
