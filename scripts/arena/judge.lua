-- Decides who is ahead, whose courage breaks, and when it is over. It only writes resources and sends events; report.lua and epilogue.lua
-- find the words.
local sides = require("lib.sides")

local COURAGE = 0.42   -- a side breaks when no more than this share of all who ever came for it is left in the field,
local OUTNUMBERED = 0.65 -- or than this share of the enemy
local CLEAR = 1.02     -- who is ahead by less is not ahead
local GONE = 0.12      -- the pursuit ends when so few of a broken side are left
local PURSUIT = 120    -- frames, at most

local M = { state = { broke = 0 } } -- the frame in which a side broke

local function lead(world, res)
  for side = 0, 1 do
    local mine, theirs = res[sides[side].alive], res[sides[1 - side].alive]
    if mine > theirs * CLEAR and res.leading ~= side + 1 then
      res.leading = side + 1
      world:send("Lead", { side = side, frame = world.frame })
    end
  end
end

-- courage gives how near a side is to breaking: at 1 or below it does.
local function courage(res, side)
  local mine, theirs = res[sides[side].alive], res[sides[1 - side].alive]
  return math.min(mine / (COURAGE * math.max(1, res[sides[side].mustered])), mine / (OUTNUMBERED * math.max(1, theirs)))
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
  if res.broken == 0 then
    local weaker = courage(res, 0) <= courage(res, 1) and 0 or 1
    if courage(res, weaker) <= 1 then
      res.broken = weaker + 1
      M.state.broke = world.frame
      world:send("Broke", { side = weaker, frame = world.frame, left = res[sides[weaker].alive] })
    end
  else
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
