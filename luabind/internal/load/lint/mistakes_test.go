package lint

import (
	"strings"
	"testing"
)

// Correct code that looks like a mistake: nothing that the rules about mistakes report.
func TestNoMistakes(t *testing.T) {
	for _, source := range []string{
		// what is tested may be something else
		"local extra if extra then print(extra + 1) end",
		"local function f(w, extra) local d = 1 if extra then d = d + extra end print(w, d) end f(1) f(2)",
		"local function f(x) if type(x) == 'table' then print(x.y) end end return function(world) for e in world:each('Hp') do f(e) end end",
		"local DEBUG = false if DEBUG then print(DEBUG.level) DEBUG() for x in DEBUG do print(x + DEBUG) end end",
		"local DEBUG = false local n, max = DEBUG and DEBUG.level or 0, DEBUG and #DEBUG or 3 if DEBUG and n > DEBUG then print(-DEBUG .. max) end",
		"local function f(w, filter) for e in w:each('Hp') do if filter then filter(e) end end end return function(world) f(world, false) f(world, false) end",
		"local function f(o) if not o then return end print(o.n) end f(false) local function g(o) return not o and 3 or o.n end g(false)",
		"local which, n = false, false return function(world) if which and n then for e in world:each(which) do world:set(e, 'Hp', { n = n }) world:tag(e, which) end end end",
		"local n = false return function(world) for _, hp in world:each('Hp') do if n ~= false then hp.n = n world.commands:spawn{ Hp = { n = n } } end end end",
		"local compat = false local unp = compat and compat.unpack or unpack print(unp({}))",
		"local set, x, y = require('set'), nil, false if set(x) and not set(y) then print(x.n, y.n) end while set(x) do x() end",
		"local function off() return false end local x = off() local y = x if y then print(y.n, x) end",
		// metatables
		"local V = setmetatable({}, { __add = function() end }) return function(world) for e, hp in world:each('Hp') do print(V + hp, e) end end",
		"local V = require('vec') return function(world) for e, hp in world:each('Hp') do print(V.new(1) * hp, e) end end",
		"local t = {} setmetatable(t, { __call = print }) t(1) print(t + 1) print(t .. 'x')",
		"local t = {} class(t) t:new() t()",
		"local t = {} t[k] = f t:new()",
		"local t = {} function t:new() end t:new()",
		"local M, names = {}, {} function M.use(a, b) return (a * b) / names end return M",
		"local M, names = {}, {} function M.use(a) local x = a.x return x .. names, -a.y * names, a:f() + names end return M",
		"local names, set = {}, setmetatable local function P(s) return set({ s }, M) end local C = P('a') * P('b') print(C / names)",
		"local V, names = {}, {} function V.__div() end local x = V.new() print(x / names)",
		"local V, names = {}, {} function V.__len() return V end local x = f() print(#x + names, ('a' .. x):g())",
		"local M, names = {}, {} function M.use(a) return #a + names, ('a' .. a) * names end return M",
		// caught
		"return function(world) pcall(function() for e in world:each('Hp') do world:despawn(e) end end) end",
		"local function try(world) world:get(1) end return function(world) pcall(try, world) end",
		"local function try(f) pcall(f) end return function(world) try(function() for e in world:each('Hp') do world:despawn(e) end end) end",
		"local function f(n) return n < 2 and 1 or n * f(n - 1) end local function g(n) return 2 * g(n - 1) end print(f(3) + g(2))",
		// structure
		"return function(world) for e in world:each('Hp') do world.commands:despawn(e) world:tag(e, 'hot') world:set(e, 'Hp', { n = 1 }) end end",
		"return function(world) local list = {} for e in world:each('Hp') do list[#list + 1] = e end for _, e in ipairs(list) do world:despawn(e) end end",
		"return function(world) for e in world:removed('Hp') do world:despawn(e) end for ev in world:read('Hit') do world:despawn(ev.who) end end",
		"local function kill(world, e, now) if now then world:despawn(e) else world.commands:despawn(e) end end return function(world) for e in world:each('Hp') do kill(world, e, false) end end",
		"local function kill(world, e, later) if later then world.commands:despawn(e) return end world:despawn(e) end return function(world) for e in world:each('Hp') do kill(world, e, true) end end",
		"local M = {} function M.kill(world, e) world:despawn(e) end function M.kill(world, e) world.commands:despawn(e) end function M.update(world) for e in world:each('Hp') do M.kill(world, e) end end return M",
		"return function(world) local later = {} for e in world:each('Hp') do later[#later + 1] = function() world:despawn(e) end end for _, f in ipairs(later) do f() end end",
		"local world = { each = pairs, despawn = print } for e in world:each('Hp') do world:despawn(e) end",
		// another world
		"local W = {} return function(w) local world = setmetatable({}, W) world:hello(w.frame) world.name = 'a' for e in world:each('Hp') do world:despawn(e) end end",
		"local M = {} function M.kill(world, e) for f in world:each('Hp') do world:despawn(f, e) end end return M",
		"local M = {} function M.kill(world) for e in world:each('Hp') do world:despawn(e) end end function M.update(w) M.kill(w) M.kill({}) end return M",
		"local world = {} world.resources = {} world.resources.gold = {} print(world.resources.gold + 1)",
		"local M = { menu = { n = 1, update = function(self, dt) return self.n + dt.n end } } function M.update(world) M.menu:update(world) end return M",
		"local function make(o) return function() o:update({}) end end return make({ n = 1, update = function(self, dt) return self.n + dt.n end })",
		// libraries and modules
		"function string:twice() return self .. self end print((' x '):twice())",
		"local s = string s.twice = print function s.again() end print(('x'):twice(), ('x'):again())",
		"for k, v in pairs({ twice = print }) do string[k] = v end print(('x'):twice())",
		"rawset(string, 'twice', print) _G.string.again = print print(('x'):twice(), ('x'):again())",
		"extend(string) print(('x'):twice())",
		"package.preload['none'] = print print(require('none'))",
		"local p = package.loaded p['none'] = {} return function() print(require('none')) end",
		"for k in pairs({}) do package.preload[k] = print end print(require('none'))",
		"return function() local b = bit or require('none') if jit then print(require('none'), b) end end",
		// values
		"return function(world) world:spawn{ Hp = { n = nil }, To = { who = world:first('Hp'), text = 'a' .. 1 } } end",
		"return function(world, dt) for _, hp in world:each('Hp') do hp.n = hp.n * dt hp.on = hp.n > 1 hp.n = '5' + 1 end end",
		"return function(world) for _, to in world:each('To') do to.who = nil to.bag = {} to.text = to.text or '' end end",
		"local HP = { n = 1 } HP.n = 'x' return function(world) world:spawn{ Hp = HP } end",
		// arguments
		"return function(world) world:despawn(world:first('Hp')) world:count() world:spawn() world:send('Hit') world:stop() end",
		"return function(world) local e, hp = world:first('Hp') world:despawn(e, hp) print(world:get(f())) end",
		"return function(world) print(('%d'):format(f()), string.format('%5.1f%%', 3), ('a'):rep(3), ('%s %s'):format(world:first('Hp'))) end",
		"print(math.floor('3'), math.max(1, 2, 3), table.concat({}, ', '), unpack({}, 1, 2), tostring(nil), select('#', 1))",
		"return function(world, _, o) for e in world:each('Hp', { order = 'random' }) do print(e, world:first('Hp', { order = o }), world:first('Hp', o)) end end",
		"return function(world, e, ...) print(world:at('owned', nil, 'a'), world:count('owned', e, 'a'), world:at('owned', ...), world:at('owned', e, f()), world:count('Hp', 'To')) end",
		"local t = {} table.insert(t, 1, 'a') table.insert(t, f()) for i = '1', 2 do end",
		"function math.floor(x) return x.n end print(math.floor({}))",
		// places
		"local M = {} function M.init(world) world:on('added', 'Hp', function(w, e, hp) w.commands:tag(e, 'hot') hp.n = 1 end) end function M.update() end return M",
		"local co = coroutine.wrap(function() coroutine.yield() end) return function() co() end",
		"local M = {} function M:update() for e in self:each('Hp') do e = e end end return M",
		"local class = {} function class:update(world, dt) print(world, dt) end return function(world) class:update(world, 1) end",
	} {
		if got := mistakes(t, source); got != "" {
			t.Errorf("%s\n%s", source, got)
		}
	}
}

// One mistake of each sort; cmd/ecsrun/app has a long list.
func TestMistakes(t *testing.T) {
	for source, want := range map[string]string{
		"local on = false\nprint(on.level)":                                                                                                      "E203:2",
		"local on = true if on then\nprint(on.level) end":                                                                                        "E203:2",
		"local function f(on) if on then\nprint(on.level) end end f(true) f(false)":                                                              "E203:2",
		"return function(world) local on = world.frame > 3 or false if on then\nworld:tag(on, 'hot') end end":                                    "E205:2",
		"return function(world)\nfor e, hp in world:each('Hp') do\nprint(hp + 1, e) end end":                                                     "E203:3",
		"return function(world)\nfor e, hp in world:each('Hp') do\nhp = hp - 1 print(e) end end":                                                 "E203:3",
		"return function(world)\nfor e, hp in world:each('Hp') do for i = 1, 3 do hp = hp - i end print(e) end end":                              "",
		"return function(world)\nfor e, hp in world:each('Hp') do\nhp.n = 'x' print(e) end end":                                                  "E204:3",
		"return function(world)\nworld:spawn{ Hp = { n = 'x' } } end":                                                                            "E204:2",
		"return function(world)\nworld.commands:send('Hit', {}, { afer = 1 }) end":                                                               "E205:2",
		"return function(world)\nworld.commands:send('Hit', {}, 3) end":                                                                          "E205:2",
		"return function(world)\nfor e in world:each('Hp', { ordr = 'random' }) do print(e) end end":                                             "E205:2",
		"return function(world)\nprint(world:count('Hp', { order = 'random' })) end":                                                             "E205:2",
		"return function(world)\nworld.commands:cancel({}) end":                                                                                  "E205:2",
		"return function(world, e)\nprint(world:at('owned', e)) end":                                                                             "E205:2",
		"return function(world, e)\nfor o in world:all('owned', e, 'a', 1) do print(o) end end":                                                  "E205:2",
		"return function(world, e)\nprint(world:count('owned', e, 1)) end":                                                                       "E205:2",
		"return function(world, e)\nprint(world:at('owned', 'a', 'b'), e) end":                                                                   "E205:2",
		"return function(world)\nfor e in world:around('owned', 1, 2, 3) do print(e) end end":                                                    "E205:2",
		"return function(world)\nworld:tag(1) end":                                                                                               "E205:2",
		"local string = string print(string.rep)\nprint(('x'):twice())":                                                                          "E203:2",
		"package.preload['some'] = print return function(world)\nif world.frame > 1 then require('none') end end":                                "E202:2",
		"return function(world, e) local to = world:get(e, 'To')\nprint(#to.bag + {}) end":                                                       "E203:2",
		"local x = f()\nprint(#x + {})":                                                                                                          "E203:2",
		"local M, names = {}, {} function M.use(world) local x = f()\nreturn x / names, world end return M":                                      "E203:2",
		"return function(world)\nprint(math.floor({})) end":                                                                                      "E205:2",
		"return function(world)\nlocal x = require('none') print(x) end":                                                                         "E202:2",
		"return function(world) for e in world:each('Hp') do\nworld:despawn(e) end end":                                                          "E206:2",
		"return function(world)\nworld:on('added', 'Hp', print) end":                                                                             "E207:2",
		"return setmetatable({ update = function(w) for e in w:each('Hp') do\nw:despawn(e) end end }, {})":                                       "E206:2",
		"return { { name = 'a', update = function(w) for e in w:each('Hp') do\nw:despawn(e) end end } }":                                         "E206:2",
		"local M = {} function M.kill(world) for e in world:each('Hp') do\nworld:despawn(e) end end function M.update(w) M.kill(w) end return M": "E206:2",
		"local world return { init = function(w) world = w end, update = function() for e in world:each('Hp') do\nworld:despawn(e) end end }":    "E206:2",
		"local M = {}\nfunction M:update(world, dt) print(world, dt) end return M":                                                               "E207:2",
		"return function(world)\ncoroutine.yield() end":                                                                                          "E207:2",
	} {
		if got := mistakes(t, source); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
		}
	}
}

// Orders of loops.
func TestOrders(t *testing.T) {
	const query = "local ecs = require('ecs') return function(world) local q = ecs.query{ "
	for source, want := range map[string]string{
		"world:each('Hp', {\norder = 'Hp.n' })":                                          "",
		"world:each('Hp', {\norder = { '-Hp.n', 'Hp.on' } })":                            "",
		"world:each('Hp', {\norder = { 'random' } })":                                    "",
		"world:each('Hp', {\norder = o or 'Hp.m' })":                                     "",
		"world:each('Hp', name, {\norder = 'To.text' })":                                 "",
		"world:each('Hp', 'Near', 3, {\norder = 'To.text' })":                            "",
		"world:each('Hp', 'To', {\norder = 'To.text' })":                                 "",
		"world:first('Hp', {\norder = 'Hp.m' })":                                         "E202:2",
		"world:each('Hp', {\norder = '-Hq.n' })":                                         "E202:2",
		"world:each('Hp', {\norder = 'Random' })":                                        "E205:2",
		"world:each('Hp', {\norder = { 'Hp.n', 'n' } })":                                 "E205:2",
		"world:each('Hp', {\norder = { 'Hp.n', o, 'random' } })":                         "E205:2",
		"world:each('Hp', {\norder = {} })":                                              "E205:2",
		"world:each('Hp', {\norder = 1 })":                                               "E205:2",
		"world:each('Hp', {\norder = { 1 } })":                                           "E205:2",
		"world:each('Hp', {\norder = 'To.text' })":                                       "E205:2",
		"world:each('Hp', 'To', {\norder = 'To.bag' })":                                  "E205:2",
		"local list = {} table.insert(list, 'Hp.n') world:each('Hp', {\norder = list })": "",
	} {
		source = "return function(world, o, name) print(" + strings.ReplaceAll(source, "world:", "world:") + ") print(o, name) end"
		if strings.Contains(source, "local list") {
			source = "return function(world) local list = {} table.insert(list, 'Hp.n') print(world:each('Hp', {\norder = list })) end"
		}
		if got := mistakes(t, source); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
		}
	}
	for source, want := range map[string]string{
		"'Hp',\norder = 'Hp.n' } for e in world:each(q) do print(e) end end":                                                   "",
		"'Hp',\norder = 'Hp.m' } for e in world:each(q) do print(e) end end":                                                   "E202:2",
		"'Hp', optional = { 'To' },\norder = 'To.text' } print(world:count(q)) end":                                            "E205:2",
		"'Hp' } for e in world:each(q, {\norder = 'To.text' }) do print(e) end end":                                            "E205:2",
		"'Hp' } for e in world:each(q, 'Near', 1, {\norder = 'Hp.m' }) do print(e) end end":                                    "E202:2",
		"name } for e in world:each(q, {\norder = 'To.text' }) do print(e) end end":                                            "",
		"'Hp', order = name } for e in world:each(q, {\norder = 'Hp.n' }) do print(e) end end":                                 "",
		"'Hp' } local list = {} list[1] = 'Hp.n' for e in world:each(q, {\norder = list }) do print(e) end end":                "",
		"'Hp' } local list = { 'Hp.n', 'x' } table.remove(list) for e in world:each(q, {\norder = list }) do print(e) end end": "",
	} {
		if got := mistakes(t, query+source); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
		}
	}
}

// mistakes returns what check finds, without warnings.
func mistakes(t *testing.T, source string) string {
	t.Helper()
	var out []string
	for one := range strings.FieldsSeq(check(t, source)) {
		if one[0] == 'E' {
			out = append(out, one)
		}
	}
	return strings.Join(out, " ")
}

// Changed copies of tables in fields, and those that are stored, or that the file goes on with.
func TestChangedCopies(t *testing.T) {
	for body, want := range map[string]string{
		"local bag = to.bag\nbag.sword = 1":                                                       "W304:2",
		"local bag = to.bag\nbag.sword = 1 to.bag = bag":                                          "",
		"local bag = to.bag\nbag[#bag + 1] = 1":                                                   "W304:2",
		"local bag = to.bag\nif not bag.sword then\nbag.sword = 0 end\nbag.sword = bag.sword + 1": "W304:3",
		"local bag = to.bag\ntable.insert(bag, 'x')":                                              "W304:2",
		"local bag = to.bag\nbag.a.b = 1":                                                         "W304:2",
		"local deep = to.bag.deep\ndeep.n = 1":                                                    "W304:2",
		"for _, item in ipairs(to.bag) do\nitem.n = 1 end":                                        "W304:2",
		"local bag = to.bag\nbag.sword = 1\nprint(bag.sword)":                                     "",
		"local bag = to.bag\nbag.sword = 1 store(bag)":                                            "",
		"local bag = to.bag\ntable.sort(bag)\nfor _, x in ipairs(bag) do print(x) end":            "",
		"to.bag.sword = 1 table.insert(to.bag, 1)":                                                "",
		"local bag = { 1 }\nbag.sword = 1 print(to)":                                              "",
	} {
		source := "return function(world) for _, to in world:each('To') do " + body + " end end"
		if got := check(t, source); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", source, got, want)
		}
	}
}

// The advice on fields that are given to world:add is that of the run.
func TestFieldsThatAreGivenToAdd(t *testing.T) {
	for source, want := range map[string]string{
		"return function(world, e) world:add(e, 'Hp', { n = 1 }) end":          `write world:set(e, "Hp", { … }), which adds the component with these fields`,
		"return function(world, e) world.commands:add(e, 'Hp', { n = 1 }) end": `write world.commands:set(e, "Hp", { … }), which adds the component with these fields`,
		"return function(world, e) world:add(e, { 'Hp', 'To' }) end":           `write world:add(e, "Name", …)`,
	} {
		found := findings(t, source)
		if len(found) != 1 || found[0].Code != "E205" || found[0].Fix != want {
			t.Errorf("%s\ngot  %v\nwant %s", source, found, want)
		}
	}
}
