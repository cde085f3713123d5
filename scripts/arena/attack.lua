-- Strikes. Whoever has a target in reach and a weapon ready sends a Hit; damage.lua decides what it does. In Go: ecs/native/attack.go.
local ecs = require("ecs")

return function(world)
  local now = world.time
  for e, pos, weapon, target in world:each("Position", "Weapon", "Target") do
    if target.entity ~= ecs.none and now >= weapon.ready then
      local at = world:get(target.entity, "Position") -- nil when it fell: targeting finds another
      if at then
        local dx, dy = at.x - pos.x, at.y - pos.y
        if dx * dx + dy * dy <= weapon.reach * weapon.reach then
          weapon.ready = now + weapon.reload * (0.75 + 0.5 * ecs.random())
          local amount = weapon.damage * (0.5 + ecs.random())
          world:send("Hit", { target = target.entity, amount = amount, fire = ecs.random() < weapon.fire })
        end
      end
    end
  end
end
