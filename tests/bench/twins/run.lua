-- Runs the plain twin of a mod: the same work over plain Lua tables, without ecsrun. It needs Lua 5.1 or later, or LuaJIT.
--
--   luajit tests/bench/twins/run.lua 33-routes                ms per frame, of the frames after the first
--   luajit tests/bench/twins/run.lua 33-routes time 5 3       … after 5 frames, of 3 repetitions; each frame counts as its quickest
--   luajit tests/bench/twins/run.lua 33-routes sums           the sums of every field after the last frame
--
-- A twin is a file that returns function(stream). stream(system) returns the random function of a system, which is called as ecs.random is.
-- For times it is math.random; for sums it gives the numbers that ecsrun gives (pcg.lua), so that the sums of both can be compared.
-- The function of the file makes a world and returns
--
--   frames, dt, seed   as in the mod's config
--   start              function(): the startup stage
--   systems            in the order of the schedule: { run = function(dt), every = N }
--   entities           function(): the lists of the world's entities; a list holds what ecsrun has in one table
--   resources          table of the resources, or nil
--   sums               list of "Component.field" and "resources.name"
--   tolerance          the largest relative difference of a sum from that of ecsrun; 1e-9 if there is none
local folder = string.match(arg[0], "^(.*[/\\])") or "./"
local name, what, warm_up, repeats = arg[1], arg[2] or "time", tonumber(arg[3] or 1), tonumber(arg[4] or 1)
local make = dofile(folder .. name .. ".lua")
local weigh = dofile(folder .. "weigh.lua")
if jit then jit.off(weigh, true) end -- LuaJIT 2.1.0-beta3 now and then compiles this recursion wrong: a local becomes nil
local show = print
print = function() end -- a twin prints what its mod prints; nobody looks at it, as in ecsrun bench

-- frame runs every system that has a turn in frame n.
local function frame(twin, n)
  for _, s in ipairs(twin.systems) do
    local every = s.every or 1
    if n % every == 0 then s.run(twin.dt * every) end
  end
end

local function sums()
  local pcg = dofile(folder .. "pcg.lua")
  local seed -- known when the twin is made; no number is drawn before
  local twin = make(function(system)
    local draw
    return function(...)
      draw = draw or pcg(seed, system)
      return draw(...)
    end
  end)
  seed = twin.seed
  twin.start()
  for n = 1, twin.frames do frame(twin, n) end
  show("frames " .. twin.frames)
  show(string.format("tolerance %g", twin.tolerance or 1e-9))
  for _, key in ipairs(twin.sums) do
    local component, field = string.match(key, "^(.-)%.(.*)$")
    local sum = 0
    if component == "resources" then
      sum = weigh(twin.resources[field])
    else
      for _, list in ipairs(twin.entities()) do
        for _, e in ipairs(list) do
          local c = e[component]
          if c then sum = sum + weigh(c[field]) end
        end
      end
    end
    show(string.format("sum %s %.17g", key, sum))
  end
end

local function time()
  local best, frames = {}, 0
  for _ = 1, repeats do
    local twin = make(function() return math.random end)
    frames = twin.frames
    math.randomseed(twin.seed)
    twin.start()
    for n = 1, frames do
      local began = os.clock()
      frame(twin, n)
      local took = os.clock() - began
      if not best[n] or took < best[n] then best[n] = took end
    end
  end
  local total = 0
  for n = warm_up + 1, frames do total = total + best[n] end
  show(string.format("%.4f ms per frame", total / (frames - warm_up) * 1000))
end

if what == "sums" then sums() else time() end
