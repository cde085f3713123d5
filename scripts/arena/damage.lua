-- Takes every Hit from its target's health. In Go: ecs/native/damage.go.
--
-- A shield takes most of a blow until it breaks. Breaking is a change of structure (the soldier loses a component and moves to another
-- table), so it is queued; setting a tag moves nothing and happens at once.
return function(world)
  for hit in world:read("Hit") do
    local health = world:get(hit.target, "Health")
    if health and health.current > 0 then -- of several blows in one frame only those count that find their target standing
      local amount = hit.amount
      local shield = world:get(hit.target, "Shield")
      if shield then
        shield.strength = shield.strength - amount
        amount = amount * 0.4
        if shield.strength <= 0 then world.commands:remove(hit.target, "Shield") end
      end
      health.current = health.current - amount
      if hit.fire then world:tag(hit.target, "burning") end
    end
  end
end
