package luabind

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// pathSource is a file with a module whose state is two names away from its variable.
const pathSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "u8", kind = "string" })
local M = { state = { counts = {}, by = {}, seen = {}, list = {}, n = 0, deep = { more = {}, n = 1 } }, old = { counts = { ash = 5 }, by = {}, list = {} }, free = {} }
local counts, same = M.state.counts, M
local other = { state = { counts = {} } }
function M.reset() M.state.counts = {} end
function M.bump(k) M.state.counts[k] = (M.state.counts[k] or 0) + 10 end
function M.read(k) return M.state.counts[k] or 0 end
function M.swap() M.state, M.old = M.old, M.state end
local function replace() M.state = { counts = { ash = 100 }, by = {}, list = {} } end
local function add(k, n) M.state.counts[k] = (M.state.counts[k] or 0) + n return M.state.counts[k] end
local function whole(k) local m = M m.state.by[k] = 1 end
local function through(t, k) t[k] = 7 end
local guarded = { state = setmetatable({ counts = {} }, { __index = function(t, k) return M.free end }) }
local kinds = { "ash", "birch", "cedar" }
local function show(t) local keys, out = {}, {} for k in pairs(t) do keys[#keys + 1] = tostring(k) end table.sort(keys) for i, k in ipairs(keys) do out[i] = k .. "=" .. tostring(t[k] or t[tonumber(k)]) end return table.concat(out, " ") end
return { init = function(world) for i = 1, 90 do world:spawn{ P = { x = i, k = i % 5, kind = kinds[i % 3 + 1] } } end end, update = function(world, dt)
  local sum, frame = 0, world.frame
  M.state.list = {}
  for e, p in world:each("P") do BODY end
  print(sum, show(M.state.counts), show(M.old.counts), show(M.free), show(counts), M.state.n, #M.state.list, show(other.state.counts))
  print(show(M.state.by), show(M.state.seen or {}), M.state.deep and show(M.state.deep.more), M.state.deep and M.state.deep.n)
end }`

// Tables that a path names are changed as those that a variable holds, by machine code, unless something may change the path.
func TestPathsThatBecomeVariables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body    string
		machine bool
	}{
		{`M.state.counts[p.kind] = (M.state.counts[p.kind] or 0) + 1`, true},
		{`local s = M.state s.counts[p.kind] = (s.counts[p.kind] or 0) + 1 s.n = s.n + p.x`, true},
		{`M.state.by[p.k] = (M.state.by[p.k] or 0) + p.x M.state.n = M.state.n + 1`, true},
		{`M.state.seen[e] = true`, true},
		{`if not M.state.seen[e] then M.state.seen[e] = true sum = sum + 1 end`, true},
		{`M.state.list[#M.state.list + 1] = e`, true},
		{`table.insert(M.state.list, p.x)`, true},
		{`M.state.deep.more[p.kind] = (M.state.deep.more[p.kind] or 0) + 1`, true},
		{`M.state.deep.more[p.k] = p.x M.state.deep.n = M.state.deep.n + 1`, true},
		{`local d = M.state.deep d.more[p.kind] = p.x sum = sum + d.n`, true},
		{`M.state.counts[p.kind] = (M.state.counts[p.kind] or 0) + 1 other.state.counts[p.kind] = M.state.counts[p.kind]`, true},
		{`M.state.counts[p.kind] = M.old.counts.ash`, false},
		{`sum = sum + (M.state.counts[p.kind] or 0) + (M.state.by[e] or 1)`, true},
		{`if M.state.by[e] then sum = sum + 1 end local s = M.old sum = sum + (s.counts[p.kind] or 0)`, true},
		{`for i, v in ipairs(M.state.list) do sum = sum + i * v end p.x = p.x + 0`, true},
		{`sum = sum + #M.state.list`, true},
		{`if p.x == 40 then M.state.counts = nil end if M.state.counts then sum = sum + (M.state.counts[p.kind] or 0) end`, false},
		{`if p.x == 40 then M.old.counts.ash = p.x end sum = sum + (M.old.counts[p.kind] or 0)`, false},
		{`M.old.counts.ash = p.x sum = sum + (M.old.counts[p.kind] or 0)`, false},
		{`M.old.counts[p.kind] = p.x sum = sum + (M.old.counts.ash or 0)`, false},
		{`sum = sum + add(p.kind, p.x)`, true},
		{`local s = M.state add(p.kind, 2) s.by[p.k] = (s.by[p.k] or 0) + add(p.kind, 1)`, true},
		{`add(p.kind, 2) if p.x == 40 then whole(p.k) end`, false},
		{`add(p.kind, 2) if p.x == 40 then replace() end`, false},
		{`add(p.kind, 2) M.bump(p.kind)`, false},
		{`counts[p.kind] = 3 M.state.counts[p.kind] = (M.state.counts[p.kind] or 0) + 1`, false},
		{`M.state.counts[p.kind] = 1 if counts[p.kind] then sum = sum + counts[p.kind] end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then M.state.counts = {} end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then M.state = M.old end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then M.reset() end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then M.swap() end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then replace() end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then same.state = M.old end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then same["state"] = M.old end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 40 then through(M, "state") end`, false},
		{`M.state.counts[p.kind] = p.x local k = p.x == 90 and "state" or "free" same[k] = M.old`, false},
		{`M.state.counts[p.kind] = p.x local k = p.x == 90 and "state" or "free" M[k] = M.old`, false},
		{`M.state.counts[p.kind] = p.x local k = p.x == 90 and "counts" or "by" M.state[k] = {}`, false},
		{`M.bump(p.kind) sum = sum + M.read(p.kind)`, false},
		{`M.state.counts[p.kind] = p.x M.bump(p.kind) sum = sum + M.read(p.kind)`, false},
		{`M.state.counts[p.kind] = p.x sum = sum + M.read(p.kind)`, false},
		{`if frame == 2 and p.x == 1 then M.swap() end M.state.counts[p.kind] = (M.state.counts[p.kind] or 0) + 1`, false},
		{`guarded.state.counts[p.kind] = p.x sum = sum + guarded.state.counts[p.kind]`, false},
		{`M.state.missing[p.kind] = p.x`, false},
		{`if p.x > 85 then M.state.missing[p.kind] = p.x end M.state.counts[p.kind] = p.x`, false},
		{`M.state.counts[p.kind] = p.x for k, v in pairs(M) do sum = sum + #k end`, false},
		{`M.state.counts[p.kind] = p.x local m = M if p.x == 40 then m.state = M.old end`, false},
		{`M.state.counts[p.kind] = p.x local f = function() M.state = M.old end if p.x == 40 then f() end`, false},
		{`M.state.counts[p.kind] = p.x if p.x % 30 == 1 then local co = coroutine.wrap(function() M.state, M.old = M.old, M.state end) co() end`, false},
		{`M.state.counts[p.kind] = p.x if p.x == 50 then error("stop") end`, false},
		{`M.state.by[p.k % 2 == 0 and p.k or p.x / 0] = 1 M.state.by[p.x ~= p.x and 1 or p.k] = p.x`, false},
		{`local s = p.x > 40 and M.state or M.old s.counts[p.kind] = (s.counts[p.kind] or 0) + 1`, false},
		{`local s = M.state if p.x > 40 then s = M.old end s.counts[p.kind] = (s.counts[p.kind] or 0) + 1`, false},
		{`M.free[p.kind] = M.state.counts M.state.counts[p.kind] = p.x`, false},
	} {
		source := strings.Replace(pathSource, "BODY", c.body, 1)
		sameCompiled(t, source, c.body, func(impl Impl, did loops.Tally) bool { return !c.machine || byMachine(impl, did) })
	}
}
