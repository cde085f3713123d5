package luabind

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// What suspended coroutines may hold when a run is saved: each of them goes on in the resumed run as if nothing had happened.
func TestRestoreCoroutines(t *testing.T) {
	for name, text := range map[string]string{
		"locals and loops": `local co = coroutine.create(function(a) local n, list = a, {} for i = 1, 100 do for _, v in ipairs{ 1, 2 } do for k, w in pairs{ x = 1, y = 2 } do
 list[#list + 1] = k .. i .. v n = n + w print(coroutine.yield(#list, n)) end end end end)
return function(world) print(coroutine.resume(co, world.frame)) print(coroutine.status(co)) end`,
		"wrap": `local gen = coroutine.wrap(function() local i = 0 while true do i = i + 1 if i > 6 then return "over" end coroutine.yield(i) end end)
return function() print(pcall(gen)) end`,
		"not begun": `local cos = {} for i = 1, 4 do cos[i] = coroutine.create(function(x) print("began", i, x) return i end) end
return function(world) print(coroutine.resume(cos[world.frame], world.frame)) end`,
		"calls within each other": `local function walk(t, depth) if type(t) ~= "table" then coroutine.yield(t, depth) return 1 end local n = 0 for i = 1, #t do n = n + walk(t[i], depth + 1) end return n end
local gen = coroutine.wrap(function() return "leaves", walk({ 1, { 2, { 3, { 4, 5 } }, 6 }, 7 }, 0) end) return function() print(gen()) end`,
		"shared variables": `local n, get, co = 0 do local m = 0 get = function() return n, m end co = coroutine.wrap(function() local k = 0 local function up() k = k + 1 m = m + k return k end
 while true do n = n + up() coroutine.yield(up, k) k = k + 10 end end) end local up
return function() local f, k = co() print(get()) print(up and up(), f == up, k) up = f print(up()) end`,
		"captured loop variables": `local fs = {} local co = coroutine.wrap(function() for i = 1, 20 do local j = i * 2 fs[#fs + 1] = function() j = j + 1 return i, j end coroutine.yield(i) j = j + 100 end end)
return function() co() for _, f in ipairs(fs) do print(f()) end end`,
		"pcall": `local co = coroutine.wrap(function(...) local log = {} for i = 1, 9 do
 local ok, a, b = pcall(function(x, ...) local y = coroutine.yield("in", x, ...) if i % 2 == 0 then error({ i = i, y = y }) end return y, x end, i, ...)
 log[#log + 1] = tostring(ok) .. tostring(type(a) == "table" and a.i or a) coroutine.yield("out", log[#log], b) end end)
return function(world) print(co(world.frame, nil, 3)) end`,
		"xpcall and pcall of yield": `local co = coroutine.wrap(function() for i = 1, 40 do
 print("x", xpcall(function() local v = coroutine.yield(1) error("e" .. tostring(v), 0) end, function(m) return m .. "!" end))
 print("p", pcall(coroutine.yield, 2)) print("pp", pcall(pcall, coroutine.yield, 3)) end end) return function(world) print(co(world.frame)) end`,
		"a handler that yields": `local co = coroutine.wrap(function() for i = 1, 40 do print(xpcall(error, function(m) return coroutine.yield(m) end, "m" .. i)) end end) return function(world) print(co(world.frame)) end`,
		"metamethods": `local y = coroutine.yield local mt = { __index = function(t, k) return y(k) end, __newindex = function(t, k, v) y(k) rawset(t, k, v) end,
 __add = function() return y("add") end, __pow = function() return y("pow") end, __lt = function() return y("lt") end, __le = function() return y("le") end, __eq = function() return y("eq") end,
 __concat = function(a, b) return "<" .. tostring(y("concat")) .. ">" end, __call = function(_, x) return y(x) end, __unm = function() return y("unm") end, __len = function() return y("len") end }
local o, p = setmetatable({}, mt), setmetatable({}, mt)
local co = coroutine.wrap(function() while true do print(o.a, o[1]) o.b = 1 rawset(o, "b", nil) print(o + 1, 2 ^ o, -o, #o) print(o < p, o <= p, o == p, o ~= p) print("x" .. 1 .. o .. "y" .. "z") print(o(1), (o(2))) print(pcall(function() return o:m() end)) end end)
return function(world) print(co(world.frame % 3 ~= 0 and world.frame % 3 or function() return 7 end)) print(co(world.frame)) end`,
		"iterators": `local function each(n) return function(_, i) i = coroutine.yield(i) or i + 1 if i <= n then return i, i * i end end, nil, 0 end
local it = setmetatable({}, { __call = function(_, n, i) coroutine.yield("c") if i < n then return i + 1 end end })
local co = coroutine.wrap(function() for i, s in each(5) do print(i, s) end for i in it, 3, 0 do print(i) end for v in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do coroutine.yield(v) end return "over" end)
return function() print(co()) end`,
		"loops over arrays": `local ecs = require("ecs") ecs.component("Pack", { items = "f64[4]" }) local M, co, ps = {}
function M.init(world) local e = world:spawn{ Pack = { items = { 3, 1, 4, 1 } } }
 co = coroutine.wrap(function() for round = 1, 9 do for i, v in ipairs(world:get(e, "Pack").items) do world:get(e, "Pack").items[i] = v + 1 coroutine.yield(i, v) end ps = world:get(e, "Pack").items for k, v in pairs(ps) do coroutine.yield(k, v) end end end) end
function M.update() print(co()) print(ps and #ps, ps and ps[1]) end return M`,
		"varargs": `local co = coroutine.wrap(function(...) local t = { ... } while true do t = { n = select("#", ...), coroutine.yield(...) } print(t.n, #t, select("#", ...), (select(2, ...))) end end)
return function(world) print(co(world.frame, "b", nil)) end`,
		"constructors": `local function f(t) return t.a, t.b, t[1], t.sub and t.sub.x end
local co = coroutine.wrap(function() local y = coroutine.yield while true do local t = { a = 1, b = y("b"), y("one"), sub = { x = y("x"), z = 2 } } print(t.a, t.b, t[1], t.sub.x, t.sub.z)
 print(f{ a = y("A"), b = 2, y("i"), sub = { x = y("X") } }) local g = function() return { p = y("p"), q = 1 } end print(g().p) local out = {} for k, v in pairs{ m = y("m"), n = y("n"), o = 3 } do out[#out + 1] = k .. tostring(v) end print(table.concat(out, " ")) end end)
return function(world) print(co(world.frame)) print(co(world.frame * 10)) end`,
		"coroutines in coroutines": `local function level(n) return coroutine.wrap(function(x) local inner = n > 0 and level(n - 1) for i = 1, 3 do x = coroutine.yield(n, i, inner and inner(x)) or x end return "end" .. n end) end
local co = level(3) return function(world) print(pcall(co, world.frame)) end`,
		"each other and running": `local a, b a = coroutine.create(function() local me = coroutine.running() while true do print("a", me == a, coroutine.status(b)) coroutine.yield(b) end end)
b = coroutine.create(function() while true do local _, x = coroutine.resume(a) print("b", x == coroutine.running(), coroutine.status(a)) coroutine.yield(a) end end)
return function() print(coroutine.resume(b)) print(coroutine.status(a), coroutine.status(b)) end`,
		"keys and metatables": `local by = {} local mt = {} local co = coroutine.create(function() while true do coroutine.yield(mt) end end) by[co] = setmetatable({ n = 0 }, mt) mt.co = co
return function() local _, m = coroutine.resume(co) by[co].n = by[co].n + 1 print(m == mt, by[mt.co].n) end`,
		"state":                  `local M = { state = { talk = coroutine.create(function() for i = 1, 20 do coroutine.yield("line " .. i) end end) } } function M.update() print(coroutine.resume(M.state.talk)) end return M`,
		"globals":                `rawset(_G, "job", coroutine.wrap(function() local n = 0 while true do n = n + 1 coroutine.yield(n) end end)) return function() print(job()) end`,
		"functions of libraries": `local co, w = coroutine.create(coroutine.yield), coroutine.wrap(pcall) return function(world) print(coroutine.resume(co, world.frame, 2)) print(coroutine.status(co)) print(pcall(w, coroutine.yield, world.frame)) end`,
		"tail calls":             `local function f(n) if n == 0 then return coroutine.yield("deep") end return f(n - 1) end local co = coroutine.wrap(function() while true do print((f(10))) end end) return function(world) print(co(world.frame)) end`,
		"many values": `local co = coroutine.wrap(function() local a, b, c, d = 1 while true do local t = { coroutine.yield(a, b, c, d), (coroutine.yield(d)), coroutine.yield() } a, b, c, d = d, a, #t, (a or 0) + 1 end end)
return function(world) print(co(world.frame, 2, 3)) end`,
		"goto and repeat":            `local co = coroutine.wrap(function() local i = 0 ::again:: i = i + 1 local x = i repeat x = x - 1 local z = x coroutine.yield(i, z) until z <= 0 if i < 5 then goto again end return "over" end) return function() print(pcall(co)) end`,
		"errors":                     `local cos = {} for i = 1, 6 do cos[i] = coroutine.create(function() for k = 1, i do coroutine.yield(k) end local x = nil return x.y end) end return function(world) for i = 1, 6 do print(i, coroutine.resume(cos[i])) end end`,
		"string methods and numbers": `local co = coroutine.wrap(function() for w in pairs{ ["1"] = 1, ["0.5"] = 2 } do for i = 10, 1, -3 do coroutine.yield(("%s:%d"):format(w, i), i / 4, 1 / 3) end end end) return function() print(co()) end`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, impl := range []Impl{Auto, Closures} {
				x := scriptOf(text)
				x.systems[0].Impl = impl
				for n := 1; n <= 4; n++ {
					if name == "not begun" && n > 2 {
						break
					}
					x.resumes(t, n)
				}
			}
		})
	}
}

// An error of a coroutine that a file has brought back is that of one that was never saved.
func TestRestoreFailingCoroutine(t *testing.T) {
	x := scriptOf("local co = coroutine.wrap(function()\n for i = 1, 3 do coroutine.yield() end\n local function bad(x)\n  return x.y\n end\n bad(nil)\nend)\nreturn function() co() end")
	x.policy = Skip
	tr := x.resumes(t, 3)
	if !strings.Contains(tr.log.String(), "a.lua:4") {
		t.Error(&tr.log)
	}
}

// Programs as a beginner writes them: the same under every implementation, and saved and resumed at each frame where that can be.
func TestCoroutinesOfBeginners(t *testing.T) {
	for name, x := range map[string]struct {
		source string
		want   []string // lines of the frames
	}{
		"cutscene": {`
local function say(who, text, frames)
  for i = 1, frames do print(who .. ": " .. text:sub(1, i * 4)) coroutine.yield() end
end

local function walk(world, e, x)
  local pos = world:get(e, "Position")
  while pos.x < x do
    pos.x = pos.x + 1
    print("walks to " .. pos.x)
    coroutine.yield()
  end
end

local M = { state = {} }

function M.init(world)
  local hero = world:spawn{ Position = { x = 0 } }
  M.state.scene = coroutine.create(function(world)
    say("Ann", "Hello!", 2)
    walk(world, hero, 3)
    for i, answer in ipairs{ "yes", "no" } do say("Bob", i .. " " .. answer, 1) end
    return "curtain"
  end)
end

function M.update(world)
  if coroutine.status(M.state.scene) == "dead" then print("over") return end
  local ok, last = coroutine.resume(M.state.scene, world)
  if not ok then error(last) end
  if last then print(last) end
end

return M`, []string{"Ann: Hell", "Ann: Hello!", "walks to 1", "walks to 2", "walks to 3", "Bob: 1 ye", "Bob: 2 no", "curtain", "over", "over"}},
		"patrol": {`
local ecs = require("ecs")
local Guard = {}
Guard.__index = Guard

function Guard.new(name, path)
  local self = setmetatable({ name = name, at = 1, seen = false }, Guard)
  self.brain = coroutine.wrap(function() self:run(path) end)
  return self
end

function Guard:wait(n) for _ = 1, n do coroutine.yield() end end

function Guard:go(to)
  while self.at ~= to do
    self.at = self.at + (to > self.at and 1 or -1)
    if self.seen then self.seen = false self:alarm() end
    coroutine.yield()
  end
end

function Guard:alarm()
  print(self.name .. " shouts at " .. self.at)
  self:wait(2)
end

function Guard:run(path)
  while true do
    for _, to in ipairs(path) do
      self:go(to)
      print(self.name .. " is at " .. to)
      self:wait(1)
    end
  end
end

local guards = { Guard.new("A", { 3, 1 }), Guard.new("B", { 2, 4, 2 }) }

return function(world)
  if world.frame == 3 then guards[2].seen = true end
  for _, g in ipairs(guards) do g.brain() end
end`, nil},
		"producer and consumer": {`
local function producer()
  local i = 0
  return coroutine.create(function()
    while i < 5 do
      i = i + 1
      coroutine.yield("item " .. i)
    end
    return nil
  end)
end

local function filter(from)
  return coroutine.create(function()
    local n = 0
    while true do
      local _, item = coroutine.resume(from)
      if not item then return nil end
      n = n + 1
      coroutine.yield(("%d: %s"):format(n, item))
    end
  end)
end

local pipe = filter(producer())

return function(world)
  local ok, item = coroutine.resume(pipe)
  print(ok, item or coroutine.status(pipe))
end`, []string{"true\t1: item 1", "true\t2: item 2", "true\t3: item 3", "true\t4: item 4", "true\t5: item 5", "true\tdead", "false\tcannot resume dead coroutine"}},
	} {
		t.Run(name, func(t *testing.T) {
			var first string
			for _, impl := range []Impl{Auto, Closures, Lua} {
				r := scriptOf(x.source)
				r.systems[0].Impl = impl
				tr := &runTrace{}
				rt := r.open(t, tr)
				start(t, rt)
				tr.frames(t, rt, max(10, len(x.want)))
				if got := tr.out.String(); first == "" {
					first = got
				} else if got != first {
					t.Errorf("%v: %s", impl, firstDifference(got, first))
				}
				for n := 1; n <= 5 && impl != Lua; n++ {
					r.resumes(t, n)
				}
			}
			if x.want != nil && !strings.HasPrefix(first, strings.Join(x.want, "\n")+"\n") {
				t.Errorf("%s", first)
			}
		})
	}
}

// A coroutine goes on with the code that it began with when its file is replaced, and so does a run that is saved then.
func TestReloadLeavesCoroutines(t *testing.T) {
	const source = `local M = { state = { talk = false } } local function line(n) return "VERSION " .. n end
function M.update() M.state.talk = M.state.talk or coroutine.wrap(function() for i = 1, 100 do pcall(function() coroutine.yield(line(i)) end) end end) print(M.state.talk(), line(0)) end RELOAD return M`
	version := func(v, reload string) string {
		return strings.NewReplacer("VERSION", v, "RELOAD", reload).Replace(source)
	}
	x, tr := scriptOf(version("old", "")), &runTrace{}
	x.sources["a.lua"] = strings.ReplaceAll(x.sources["a.lua"], "talk = false", "talk = coroutine.wrap(function() end)")
	x.sources["a.lua"] = strings.Replace(x.sources["a.lua"], "M.state.talk = M.state.talk or coroutine.wrap(function() for", "if not BEGUN then rawset(_G, 'BEGUN', true) M.state.talk = coroutine.wrap(function() for", 1)
	x.sources["a.lua"] = strings.Replace(x.sources["a.lua"], "end) end end) print", "end) end end) end print", 1)
	x.sources["a.lua"] = "rawset(_G, 'BEGUN', false) " + x.sources["a.lua"]
	old := x.sources["a.lua"]
	rt := x.open(t, tr)
	start(t, rt)
	tr.frames(t, rt, 2)
	change := func(text string) []string {
		x.files["a.lua"].Data = []byte(strings.Replace(text, "rawset(_G, 'BEGUN', false)", "", 1))
		done, err := rt.Reload(context.Background(), Change{})
		if err != nil {
			t.Fatal(err)
		}
		return done.Kept
	}
	if kept := change(strings.ReplaceAll(old, "old", "new")); len(kept) != 1 || kept[0] != "a.lua" {
		t.Error(kept)
	}
	tr.frames(t, rt, 1)
	if kept := change(strings.ReplaceAll(old, "old", "newer")); len(kept) != 0 {
		t.Error("named again:", kept)
	}
	tr.frames(t, rt, 1)
	if got, want := tr.out.String(), "old 1\told 0\nold 2\told 0\nold 3\tnew 0\nold 4\tnewer 0\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	var file bytes.Buffer
	if err := rt.Save(&file); err != nil {
		t.Fatal(err)
	}
	x.sources["a.lua"] = string(x.files["a.lua"].Data)
	if got, want := x.restored(t, file.Bytes(), 1).out.String(), "old 5\tnewer 0\n"; got != want {
		t.Errorf("resumed: %s\nwant %s", got, want)
	}
}
