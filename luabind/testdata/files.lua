--- load
-- load-time code has no world
world:spawn{} --! undeclared global "world"; init and update are given the world; while a file is being loaded there is none
--- load
ecs.describe(nil, 5) --! bad argument #1 to 'describe' (world expected, got nil)
--- load
count = 0 --! undeclared global "count"; use local
--- load
return function(world) total = 1 end --! undeclared global "total"; use local: local total = …
--- load
return function(world) return prnt end --! undeclared global "prnt"; did you mean "print"?
--- load
local util = require("lib.countr") --! require "lib.countr": there is no file lib/countr.lua in the script folder; did you mean "lib.counter"?
--- load
local util = require("..secret") --! require "..secret": no module name
--- load
local util = require("") --! require "": no module name
--- load
--- load
local c = require("lib.counter")
check.eq(c.next(), 1)
check.eq(require("lib.counter").next(), 2) -- loaded once
check.eq(require("ecs"), ecs)
return function() check.eq(c.next(), 3) end
--- load
require(5) --! bad argument #1 to 'require' (string expected, got number)
--- load
-- a table with init and update; its state
local M = { state = { n = 0 } }
function M.init(world)
  M.state.n = 10
  world:spawn{ Position = {} }
end
function M.update(world, dt)
  check.eq(M.state.n, 10)
  check.eq(world:count("Position"), 1)
end
return M
--- load
return { init = function(world) world:spawn{} end } -- no update: init only
--- load
-- several systems in a file: the one of the name is picked
return {
  { name = "other", update = function() error("the wrong one") end },
  { name = "case", update = function(world) world:spawn{} end },
}
