-- Tells the battle as it goes, every sixty frames (`every:` in the config).
--
-- What happened since the last report comes from events: a system that has read an event once misses none from then on, however seldom it
-- runs. What stands on the field comes from the ledger's resources and from two queries.
local ecs = require("ecs")
local sides = require("lib.sides")
local prose = require("lib.prose")

local number, many, pick, fill = prose.number, prose.many, prose.pick, prose.fill

local alight = ecs.query{ "Health", tagged = { "burning" } }
local archers = ecs.query{ "Soldier", tagged = { "archer" } }

local M = { state = { fallen = { 0, 0 }, fought = false } } -- fallen: as of the last report, Ravens first

local function say(text) print("       " .. text) end

local function clock(world, frame) return prose.clock(frame, world.resources.nightfall) end

-- init runs before the first frame: it sets the scene, and begins to read what later reports tell.
function M.init(world)
  for _ in world:read("Wave") do end
  for _ in world:read("Lead") do end
  for _ in world:read("Broke") do end

  local res = world.resources
  local half = number(math.floor(res.units / 2))
  print(clock(world, 0) .. "  " .. pick{ "A cold morning.", "Mist over the field, and then the sun.", "Dawn, and the crows are waiting." })
  for side = 0, 1 do
    local s = sides[side]
    say(half .. " " .. s.name .. " under " .. res[s.general] .. " stand " .. res[s.plan] .. ".")
  end
  local strength = math.abs(res.wind_x) < 1 and "There is hardly a wind."
    or "The wind blows towards the " .. sides[res.wind_x > 0 and 1 or 0].name .. "."
  say(strength .. " Both sides have fire arrows.")
end

local ARRIVALS = {
  "Horns behind the {name}: {kind}, {size} strong.",
  "{kind}, {size} strong, come up for the {name}.",
  "The {name} are no longer alone: {size} more, {kind}.",
}

local function tell_arrivals(world)
  for wave in world:read("Wave") do
    local text = fill(pick(ARRIVALS), { name = sides[wave.side].name, kind = wave.kind, size = number(wave.size) })
    say(text:sub(1, 1):upper() .. text:sub(2))
  end
end

-- tell_fighting compares the losses since the last report.
local function tell_fighting(world, lost)
  if lost[0] + lost[1] == 0 then
    say(pick{ "The lines have not met.", "They come on, and nobody speaks.", "Drums. Dust. Not a blow yet." })
    return
  end
  if not M.state.fought then
    M.state.fought = true
    say("First blood: the lines have met.")
  end
  local worse = lost[0] >= lost[1] and 0 or 1
  local w, b = sides[worse], sides[1 - worse]
  local values = { worse = w.name, better = b.name, lost = number(lost[worse]), won = number(lost[1 - worse]) }
  if lost[worse] > 1.25 * lost[1 - worse] then
    say(fill(pick{
      "A bad hour for the {worse}: {lost} of them fell, and only {won} {better}.",
      "The {better} are cutting their way in: {lost} {worse} fell for {won} of their own.",
      "The {worse} give ground. {lost} fell; the {better} lost {won}.",
    }, values))
  elseif lost[worse] > 1.05 * lost[1 - worse] then
    say(fill(pick{
      "The {better} have the better of it: {won} fell, against {lost} {worse}.",
      "It is going against the {worse}, slowly: {lost} fell, and {won} {better}.",
    }, values))
  else
    say(fill(pick{
      "Neither side gives a step: {lost} {worse} fell, and {won} {better}.",
      "Blow for blow: {lost} {worse}, {won} {better}.",
    }, values))
  end
end

local function tell_fires(world)
  local n = world:count(alight)
  if n == 0 then return end
  say(pick{ "Fire in the ranks: ", "Smoke over the field: ", "The arrows burn: " } .. many(n, "soldier is", "soldiers are") .. " alight.")
end

local function tell_lead(world)
  local last
  for lead in world:read("Lead") do last = lead end
  if last then
    say("Since " .. clock(world, last.frame) .. " the " .. sides[last.side].name .. " have more in the field.")
  end
end

local function tell_rout(world)
  for broke in world:read("Broke") do
    local s = sides[broke.side]
    say("At " .. clock(world, broke.frame) .. " the " .. s.name .. " broke, with " .. number(broke.left) .. " left. They are running.")
  end
end

function M.update(world)
  local res = world.resources
  local lost = { [0] = res.ravens_fallen - M.state.fallen[1], res.stags_fallen - M.state.fallen[2] }
  M.state.fallen = { res.ravens_fallen, res.stags_fallen }
  print(clock(world, world.frame) .. "  Ravens " .. number(res.ravens) .. " · Stags " .. number(res.stags)
    .. " · bows " .. number(world:count(archers)))
  tell_arrivals(world)
  tell_fighting(world, lost)
  tell_fires(world)
  tell_lead(world)
  tell_rout(world)
end

function M.on_reload(old) M.state = old or M.state end

return M
