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

local function fire_arrows(world)
  for e, weapon in world:each("Weapon") do
    if weapon.fire > 0 then return true end
  end
  return false
end

-- init runs before the first frame: it sets the scene, and begins to read what later reports tell.
function M.init(world)
  for _ in world:read("Wave") do end
  for _ in world:read("Lead") do end
  for _ in world:read("Broke") do end

  local res = world.resources
  local half = math.floor(res.units / 2)
  print(clock(world, 0) .. "  " .. pick{ "A cold morning.", "Mist over the field, and then the sun.", "Dawn, and the crows are waiting." })
  for side = 0, 1 do
    local s = sides[side]
    say(prose.sentence(many(half, s.one, s.name)) .. " under " .. res[s.general] .. ", drawn up " .. res[s.plan] .. ".")
  end
  local strength = math.abs(res.wind_x) < 1 and "There is hardly a wind."
    or "The wind blows towards the " .. sides[res.wind_x > 0 and 1 or 0].name .. "."
  if fire_arrows(world) then strength = strength .. " Both sides have fire arrows." end
  say(strength)
end

local ARRIVALS = {
  "Horns behind the {name}: {kind}, {size} strong.",
  "{kind}, {size} strong, come up for the {name}.",
  "The {name} are no longer alone: {size} more, {kind}.",
}

local function tell_arrivals(world)
  for wave in world:read("Wave") do
    say(prose.sentence(fill(pick(ARRIVALS), { name = sides[wave.side].name, kind = wave.kind, size = number(wave.size) })))
  end
end

-- tell_fighting compares the losses since the last report; a rout that is older than that leaves only the pursuit to tell.
local function tell_fighting(world, lost, routed)
  if lost[0] + lost[1] == 0 and M.state.fought then
    say(pick{ "A lull. Both sides get their breath back.", "Nobody fell. They look at each other over the shields." })
    return
  end
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
  if routed and world.resources.broken > 0 then
    local s, o = sides[world.resources.broken - 1], sides[2 - world.resources.broken]
    say("The pursuit: " .. many(lost[world.resources.broken - 1], s.one, s.name) .. " fell, and "
      .. many(lost[2 - world.resources.broken], o.one, o.name) .. ".")
    return
  end
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
  if last and world.resources.broken == 0 then
    say("Since " .. clock(world, last.frame) .. " the " .. sides[last.side].name .. " have more in the field.")
  end
end

local function tell_rout(world)
  local told = false
  for broke in world:read("Broke") do
    local s = sides[broke.side]
    say("At " .. clock(world, broke.frame) .. " the " .. s.name .. " BROKE, with " .. number(broke.left) .. " left. "
      .. pick{ "They throw down their shields and run.", "A shout goes up, and they run.", "One turned, then ten, then all of them." })
    told = true
  end
  return told
end

function M.update(world)
  local res = world.resources
  local lost = { [0] = res.ravens_fallen - M.state.fallen[1], res.stags_fallen - M.state.fallen[2] }
  M.state.fallen = { res.ravens_fallen, res.stags_fallen }
  print(clock(world, world.frame) .. "  Ravens " .. number(res.ravens) .. " · Stags " .. number(res.stags)
    .. " · bows " .. number(world:count(archers)))
  tell_arrivals(world)
  local now = tell_rout(world)
  tell_fighting(world, lost, not now)
  tell_fires(world)
  tell_lead(world)
end

function M.on_reload(old) M.state = old or M.state end

return M
