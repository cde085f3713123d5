-- Turns round whatever leaves the field. In Go: ecs/native/bounce.go.
--
-- Only what moves outwards turns: what is already on its way back must not turn again.
return function(world)
  local width, height = world.resources.field_width, world.resources.field_height
  for e, pos, vel in world:each("Position", "Velocity") do
    if (pos.x < 0 and vel.dx < 0) or (pos.x > width and vel.dx > 0) then vel.dx = -vel.dx end
    if (pos.y < 0 and vel.dy < 0) or (pos.y > height and vel.dy > 0) then vel.dy = -vel.dy end
  end
end
