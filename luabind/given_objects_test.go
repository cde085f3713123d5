package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
)

// givenObjectsSource is a file with a loop that finds the object of an entity in a table, and makes one where there is none. Each frame brings
// a new entity, and every third one takes one away.
const givenObjectsSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string" })
local O = {} O.__index = O
function O.new(x) local o = setmetatable({ n = 0, s = 0 }, O) o.s = x or 0 return o end
function O:add(x) self.n = self.n + 1 self.s = self.s + x return self.n end
function O:get() return self.s end
local D = setmetatable({}, { __index = O }) D.__index = D
function D.new() return setmetatable({ n = 10, s = 0 }, D) end
function D:get() return -self.s end
local all, rec = {}, {}
HEAD
return { init = function(world) for i = 1, 120 do world:spawn{ P = { x = i, k = i % 7, s = "s" .. i % 5 } } end end, update = function(world, dt)
  local sum = 0
  if world.frame > 1 then world:spawn{ P = { x = 1000 + world.frame, k = world.frame, s = "new" .. world.frame } } end
  for e, p in world:each("P") do BODY end
  print(sum, #all)
  local of = 0
  for e, p in world:each("P") do local o = rec[e] or rec[p.s] or rec[p.k] if o then of = of + o.n * 3 + o.s end end
  print(of)
  if world.frame % 3 == 0 then local e = world:first("P") rec[e] = nil world:despawn(e) end
end }`

// givenObjects are heads and bodies of such files. machine says that under auto most rows of all but the first frames are machine code.
var givenObjects = []struct {
	head, body string
	machine    bool
}{
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r end sum = sum + r:add(p.x)`, true},
	{``, `local r = rec[e] if r == nil then r = O.new(p.x) rec[e] = r end r:add(p.x) sum = sum + r:get()`, true},
	{``, `local r = rec[p.s] if not r then r = O.new() rec[p.s] = r end sum = sum + r:add(p.x)`, true},
	{``, `local r = rec[p.k] if not r then r = O.new() rec[p.k] = r end sum = sum + r:add(p.x)`, true},
	{``, `local r = rec[e] if not r then r = setmetatable({ n = 2, s = 0 }, O) rec[e] = r end sum = sum + r:add(p.x)`, true},
	{``, `local r = rec[e] if not r then if p.x > 50 then r = O.new() else r = D.new() end rec[e] = r end r:add(p.x) sum = sum + r:get()`, true},
	{``, `local r = rec[e] if not r then r = p.x > 50 and O.new() or D.new() rec[e] = r end r:add(p.x) sum = sum + r:get()`, false},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r all[#all + 1] = r end sum = sum + r:add(p.x) + all[1].n`, false},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r all[#all + 1] = r end sum = sum + r:add(p.x)`, true},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r end sum = sum + r:add(p.x) if p.k == 3 then r = D.new() rec[e] = r end sum = sum + r:get()`, false},
	{``, `local r = rec[e] if not r then r = O.new() end sum = sum + r:add(p.x) if p.k == 3 then rec[e] = r end`, false},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r end r:add(p.x) r = nil sum = sum + (r and 1 or 2)`, false},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r end local function f() return r:add(p.x) end sum = sum + f()`, false},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r end for i = 1, 2 do if r.n > 8 then r = O.new() end sum = sum + r:add(i) end`, false},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r end local q = r sum = sum + q:add(p.x) + r.n`, false},
	{``, `local r, n = rec[e], p.x if not r then r, n = O.new(), 5 rec[e] = r end sum = sum + r:add(n)`, false},
	{``, `local r = rec[e] while not r do r = O.new() rec[e] = r end sum = sum + r:add(p.x)`, false},
	{`local function of(e) local r = rec[e] if not r then r = O.new() rec[e] = r end return r end`, `sum = sum + of(e):add(p.x)`, false},
	{`local function count(e, x) local r = rec[e] if not r then r = O.new() rec[e] = r end return r:add(x) end`, `sum = sum + count(e, p.x)`, true},
	{``, `if world.frame == 3 then O.add = O.get end local r = rec[e] if not r then r = O.new() rec[e] = r end sum = sum + r:add(p.x)`, false},
	{``, `local r = rec[e] if not r then r = O.new() rec[e] = r r.extra = p.x end sum = sum + r:add(p.x) + (r.extra or 0)`, true},
	{`local names = {}`, `local s = names[e] if not s then s = tostring(p.k) names[e] = s end sum = sum + #s:upper()`, false},
	{`local names = { "one", "two" }`, `local s = names[p.k] if not s then s = p.s:sub(2) end sum = sum + #s:rep(2)`, false},
}

// What an object has is the same whether the loop has made it or found it.
func TestGivenObjects(t *testing.T) {
	t.Parallel()
	for i, c := range givenObjects {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			source := strings.NewReplacer("HEAD", c.head, "BODY", c.body).Replace(givenObjectsSource)
			sameCompiled(t, source, c.head+"\n"+c.body, func(impl Impl, did loops.Tally) bool { return impl != Auto || !c.machine || did.Machine > 300 })
		})
	}
}
