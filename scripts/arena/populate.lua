-- Draws up the two armies: once, before the first frame.
local ecs = require("ecs")
local sides = require("lib.sides")
local armoury = require("lib.armoury")
local prose = require("lib.prose")

local GAP = 40      -- between the two front lines
local SPACING = 2.5 -- between two soldiers
local MARGIN = 60   -- free field round the armies
local LONG = 10     -- an army is so many times as long as it is deep

local GENERALS = {
  [0] = { "Lady Ysolde", "Old Brannoc", "Captain Wren", "Maud the Unready" },
  [1] = { "King Hargen", "Sir Oswin the Late", "the Widow Thorne", "Red Aldous" },
}

-- A plan bends the front: it says how far ahead (in world units) the file at `across` stands, from -1 at one end to 1 at the other.
local PLANS = {
  { name = "in one long line", ahead = function(across, depth) return 0 end },
  { name = "in a wedge", ahead = function(across, depth) return (0.5 - math.abs(across)) * depth * 0.4 end },
  { name = "with two horns", ahead = function(across, depth) return (math.abs(across) - 0.5) * depth * 0.4 end },
}

-- draw_up spawns n soldiers of one kind; place_of gives the place of each, counted from 0 along the ranks, front rank first.
local function draw_up(world, side, kind, n, army, place_of)
  local template = armoury.template(kind)
  local home = side == 0 and -1 or 1 -- the direction of the side's own edge
  world:spawn_many(n, template, function(i)
    local place = place_of(i - 1)
    local file, rank = place % army.files, math.floor(place / army.files)
    local across = army.files > 1 and 2 * file / (army.files - 1) - 1 or 0
    local behind = GAP / 2 + rank * SPACING - army.plan.ahead(across, army.depth)
    return {
      Position = {
        x = army.middle + home * math.max(behind, 5) + (ecs.random() - 0.5),
        y = MARGIN + file * SPACING + (ecs.random() - 0.5),
      },
      Soldier = { side = side, slot = ecs.random(0, 7), speed = kind.speed * (0.9 + 0.2 * ecs.random()) },
    }
  end)
end

return function(world)
  local res = world.resources
  local half = math.floor(res.units / 2)
  local ranks = math.max(1, math.ceil(math.sqrt(half / LONG)))
  local files = math.max(1, math.ceil(half / ranks))
  local depth = ranks * SPACING

  res.field_width = 2 * (depth * 1.5 + MARGIN) + GAP
  res.field_height = files * SPACING + 2 * MARGIN
  res.wind_x = (ecs.random() - 0.5) * 8
  res.wind_y = (ecs.random() - 0.5) * 2

  for side = 0, 1 do
    local s = sides[side]
    local plan = PLANS[ecs.random(#PLANS)]
    res[s.general] = prose.pick(GENERALS[side])
    res[s.plan] = plan.name
    res[s.x] = res.field_width / 2 + (side == 0 and -1 or 1) * (GAP + depth) / 2
    res[s.y] = res.field_height / 2

    -- Every fourth soldier draws a bow.
    local army = { files = files, depth = depth, plan = plan, middle = res.field_width / 2 }
    local archers = math.floor(half / 4)
    draw_up(world, side, armoury.footman, half - archers, army, function(i) return math.floor(i / 3) * 4 + i % 3 end)
    draw_up(world, side, armoury.archer, archers, army, function(i) return i * 4 + 3 end)
  end
end
