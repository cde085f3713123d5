-- Makes the world: runs once, in the startup stage.
--
-- In a spawn, a named part is a component (fields left out take their defaults), and a word alone is a tag. A component is data; a tag is
-- only a mark, cheap to set and to take off.
return function(world)
  world:spawn{ Name = { text = "player" }, Position = { x = 0 }, Velocity = { dx = 1 }, "player" }
  world:spawn{ Name = { text = "enemy" }, Position = { x = 6 }, Velocity = { dx = -1 }, "enemy" }
  world:spawn{ Name = { text = "landmark" }, Position = { x = 10, y = 10 } } -- no Velocity: no system will ever move it
end
