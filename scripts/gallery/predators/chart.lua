-- A line for each moment: rabbits as dots, foxes as a star.
local ecs = require("ecs")

local rabbits, foxes = ecs.query{ tagged = { "rabbit" } }, ecs.query{ tagged = { "fox" } }

local M = { state = { eaten = 0 } }

function M.update(world)
  for event in world:read("Eaten") do M.state.eaten = M.state.eaten + 1 end
  local r, f = world:count(rabbits), world:count(foxes)
  local line = ("."):rep(math.floor(r / 4))
  local at = math.floor(f / 2)
  if #line < at then line = line .. (" "):rep(at - #line) end
  line = line:sub(1, at) .. "*" .. line:sub(at + 2)
  print(("%4d  %3d rabbits  %3d foxes  %4d eaten  |%s"):format(world.frame, r, f, M.state.eaten, line))
end

return M
