-- Sends the reserves: three waves for each side, at hours and in strengths that the day's luck decides.
--
-- The plan of the day lives in M.state: plain data, so it survives a hot reload. The system sleeps (`when:` in the config) once the reserves
-- are spent, or a side has broken: then those who have not come yet stay behind the hills.
local ecs = require("ecs")
local armoury = require("lib.armoury")

local M = { state = { waves = {} } }

-- What may come: how many percent of an army, and what they are called, by side and wave.
local KINDS = {
  { kind = "rider", percent = { 3, 7 }, called = {
    [0] = { "the hill riders", "the black horse", "the lancers of Highmere" },
    [1] = { "the outriders of the moor", "the king's horse", "the toll-gate cavalry" },
  } },
  { kind = "footman", percent = { 5, 12 }, called = {
    [0] = { "the levy of the river towns", "the men of Low Ford", "the charcoal burners" },
    [1] = { "the millers' guild", "the second line", "everybody who could hold a pike" },
  } },
  { kind = "archer", percent = { 4, 9 }, called = {
    [0] = { "the bowmen of Yewdale", "the fire archers", "the ferry guard" },
    [1] = { "the fen hunters", "the tower garrison", "the crossbows of Saltmarsh" },
  } },
}

-- init runs once, before the first frame, and draws up the plan.
function M.init(world)
  local half = world.resources.units / 2
  local pace = 8 * math.sqrt(half / 10) -- large armies fight longer: about so many frames
  for side = 0, 1 do
    for n = 1, 3 do
      local k = KINDS[ecs.random(#KINDS)]
      local wave = {
        side = side,
        kind = k.kind,
        called = k.called[side][n],
        size = math.floor(half * ecs.random(k.percent[1], k.percent[2]) / 100),
        frame = math.floor(30 + pace * (0.25 * n + 0.2 * ecs.random())),
      }
      if wave.size > 0 then
        table.insert(M.state.waves, wave)
        world.resources.reserves = world.resources.reserves + wave.size
      end
    end
  end
end

-- send brings a wave up on its own side's edge, in one block somewhere along the line.
local function send(world, wave)
  local res = world.resources
  local kind = armoury[wave.kind]
  local files = math.max(1, math.ceil(math.sqrt(wave.size * 3)))
  local top = 20 + ecs.random() * math.max(0, res.field_height - 40 - files * 2.5)
  world:spawn_many(wave.size, armoury.template(kind), function(i)
    local file, rank = (i - 1) % files, math.floor((i - 1) / files)
    local x = 4 + rank * 2.5
    if wave.side == 1 then x = res.field_width - x end
    return {
      Position = { x = x, y = math.min(top + file * 2.5, res.field_height) },
      Soldier = { side = wave.side, slot = ecs.random(0, 7), speed = kind.speed },
    }
  end)
  res.reserves = res.reserves - wave.size
  world:send("Wave", { side = wave.side, size = wave.size, kind = wave.called, frame = world.frame })
end

function M.update(world)
  local waiting = {}
  for _, wave in ipairs(M.state.waves) do
    if wave.frame <= world.frame then
      send(world, wave)
    else
      table.insert(waiting, wave)
    end
  end
  M.state.waves = waiting
end

function M.on_reload(old) M.state = old or M.state end

return M
