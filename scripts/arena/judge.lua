-- Decides who is ahead, and when it is over. Whose courage breaks, the mod morale decides. It only writes resources and sends events;
-- report.lua and epilogue.lua find the words.
local sides = require("lib.sides")

local CLEAR = 1.02     -- who is ahead by less is not ahead
local GONE = 0.12      -- the pursuit ends when so few of a broken side are left
local PURSUIT = 120    -- frames, at most

local M = { state = { broke = 0 } } -- the frame in which a side broke; 0: none has

local function lead(world, res)
  for side = 0, 1 do
    local mine, theirs = res[sides[side].alive], res[sides[1 - side].alive]
    if mine > theirs * CLEAR and res.leading ~= side + 1 then
      res.leading = side + 1
      world:send("Lead", { side = side, frame = world.frame })
    end
  end
end

local function finish(res, winner)
  res.winner = winner
  res.over = true
end

function M.update(world)
  local res = world.resources
  if res.over then return end
  if res.ravens + res.stags == 0 then return finish(res, 0) end -- nobody is left to win
  lead(world, res)
  if res.broken > 0 and M.state.broke == 0 then
    M.state.broke = world.frame -- in this frame; the pursuit begins with the next
  elseif res.broken > 0 then
    local s = sides[res.broken - 1]
    if res[s.alive] <= GONE * res[s.mustered] or world.frame - M.state.broke >= PURSUIT then
      return finish(res, 3 - res.broken)
    end
  end
  if world.frame >= res.nightfall then
    -- A side that runs has lost; without one, the darkness leaves the field to whoever is ahead.
    finish(res, res.broken > 0 and 3 - res.broken or res.leading)
  end
end

function M.on_reload(old) M.state = old or M.state end

return M
