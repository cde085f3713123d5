-- Lets every soldier look round for an enemy, and walk.
--
-- Looking round is the dearest thing a soldier does, so only one in eight does it per frame: Soldier.slot says in which of every eight
-- frames it is its turn. The grid finds who is near without asking all fifty thousand.
--
-- The same in Go: ecs/native/targeting.go. Both must do the same in the same order, to the last bit.
local ecs = require("ecs")
local field = require("lib.field")

local REACTION = 8 -- frames between two looks of one soldier
local ELBOW = 2    -- a comrade ahead within this distance is in the way
local CROWD = 3    -- with more of them than this a soldier waits
local NEARBY = 4   -- how far everybody looks first
local SIGHT = 14   -- how far those look who see no enemy close by and have room to go

-- look gives the nearest enemy in sight, or none, and whether comrades are in the way.
local function look(world, pos, side, reach, goal)
  local enemy, best, comrades = ecs.none, math.huge, 0
  local ahead = goal.x - pos.x -- only its sign counts
  for other, d2 in world:near(field, pos.x, pos.y, ELBOW) do
    local them = world:get(other, "Soldier") -- embers are in the grid, too
    if them and them.side == side and d2 < ELBOW * ELBOW and (world:get(other, "Position").x - pos.x) * ahead > 0 then
      comrades = comrades + 1
    end
  end
  for other, d2 in world:near(field, pos.x, pos.y, NEARBY) do
    if d2 < best then
      local them = world:get(other, "Soldier")
      if them and them.side ~= side then
        enemy, best = other, d2
      end
    end
  end
  local crowded = comrades > CROWD
  -- Who has enemies at arm's length, or no way to go, need not look further: this is what keeps a dense field cheap.
  if enemy ~= ecs.none or (crowded and reach <= NEARBY) then return enemy, crowded end
  for other, d2 in world:near(field, pos.x, pos.y, math.max(SIGHT, reach)) do
    if d2 < best then
      local them = world:get(other, "Soldier")
      if them and them.side ~= side then
        enemy, best = other, d2
      end
    end
  end
  return enemy, crowded
end

-- march gives the velocity towards the enemy, or towards the middle of the other army: mostly ahead, so that the lines keep their width.
local function march(world, enemy, crowded, pos, soldier, reach, goal)
  local dx, dy = goal.x - pos.x, (goal.y - pos.y) * 0.25
  local at = world:get(enemy, "Position")
  if at then
    dx, dy = at.x - pos.x, at.y - pos.y
    if dx * dx + dy * dy <= reach * reach then return 0, 0 end
  end
  local far = math.sqrt(dx * dx + dy * dy)
  if crowded or far == 0 then return 0, 0 end
  return dx / far * soldier.speed, dy / far * soldier.speed
end

local function in_reach(world, enemy, pos, reach)
  local at = world:get(enemy, "Position")
  if not at then return false end
  local dx, dy = at.x - pos.x, at.y - pos.y
  return dx * dx + dy * dy <= reach * reach
end

return function(world)
  local res = world.resources
  local turn, broken = world.frame % REACTION, res.broken
  local goals = { [0] = { x = res.stags_x, y = res.stags_y }, { x = res.ravens_x, y = res.ravens_y } }
  for e, pos, vel, soldier, weapon, target in world:each("Position", "Velocity", "Soldier", "Weapon", "Target") do
    if soldier.slot == turn then
      if broken == soldier.side + 1 then -- run for home
        target.entity = ecs.none
        vel.dx = (soldier.side == 0 and -1 or 1) * soldier.speed
        vel.dy = 0
      elseif in_reach(world, target.entity, pos, weapon.reach) then -- stand and fight
        vel.dx, vel.dy = 0, 0
      else
        local goal = goals[soldier.side]
        local enemy, crowded = look(world, pos, soldier.side, weapon.reach, goal)
        target.entity = enemy
        vel.dx, vel.dy = march(world, enemy, crowded, pos, soldier, weapon.reach, goal)
      end
    end
  end
end
