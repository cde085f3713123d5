package luabind

import (
	"fmt"
	"strings"
)

// The corpus of hostile scripts: classes, each a way to do harm, with the scripts of the class. A script is the body of update(world, dt), unless it
// begins with "file:"; then it is a whole file.

// A hostileClass is a class of scripts.
type hostileClass struct {
	class   string
	wants   string // in the error of every script of the class: one of the texts between |; "" if they must succeed
	scripts []string
}

// each makes a script for every filler: %s in the pattern stands for it.
func each(pattern string, fillers ...string) (out []string) {
	for _, f := range fillers {
		out = append(out, strings.ReplaceAll(pattern, "%s", f))
	}
	return out
}

const noEnd = "instructions|allocat|bytes|spawn|limit"

func hostileCorpus() []hostileClass {
	deep := func(open, middle, close string, n int) string {
		return "local x = " + strings.Repeat(open, n) + middle + strings.Repeat(close, n)
	}
	return []hostileClass{
		{"loops", noEnd, append(each("%s",
			"while true do end", "repeat until false", "for i = 1, math.huge do end", "for i = 1, 2, 0 do end while true do end", "while 1 do local x = {} end",
			"for i = 1, 1e15 do end", "local i = 0 repeat i = i + 1 until i < 0", "while true do while true do break end end",
			"for i = 1, 1e15 do for j = 1, 10 do if j == 5 then break end end end", "local t = { 1 } while #t > 0 do t[1] = t[1] + 1 end",
			"local t = {} t[1] = 1 for i in function() return 1 end do end", "local function f() return f() end f()", "local function a() return a() end pcall(a) return a()",
			"local a, b function a() return b() end function b() return a() end a()", "while not nil do local f = function() return 1 end f() end",
			"local s = 'a' while true do s = s:reverse() end", "while true do tostring({}) end", "while true do select('#', 1, 2, 3) end", "while true do math.sin(1) end",
			"while true do local _ = world.frame end", "while true do world:count() end", "while true do for e in world:each('Position') do end end", "while true do world:has(1, 'Position') end",
		), each("world:spawn{ Position = {} } for e, p in world:each('Position') do %s end", "while true do end", "while p.x == p.x do p.x = p.x + 1 end", "for i = 1, 1e12 do p.x = i end", "repeat local q = p.y until false")...)},
		{"loops in protected calls", noEnd, each("%s",
			"while true do pcall(function() while true do end end) end", "return pcall(function() while true do end end)", "xpcall(function() while true do end end, function() while true do end end)",
			"xpcall(error, function(w, e) while true do end end)", "pcall(pcall, pcall, function() while true do end end) while true do end", "local function f() pcall(f) while true do end end f()",
			"while true do pcall(error) end", "while true do pcall(error, {}) end", "while true do xpcall(error, tostring, 1) end", "for i = 1, 1e9 do pcall(string.rep) end",
			"while true do if not pcall(function() error('x') end) then end end", "return xpcall(function() while true do end end, function(w, e) return e end)",
			"pcall(function() pcall(function() pcall(function() while true do end end) end) end) while true do end")},
		{"loops in coroutines", noEnd, each("%s",
			"coroutine.wrap(function() while true do end end)()", "local co = coroutine.create(function() while true do end end) coroutine.resume(co) while true do end",
			"coroutine.wrap(function() pcall(function() while true do end end) end)() while true do end", "local f = coroutine.wrap(function() while true do coroutine.yield() end end) while true do f() end",
			"pcall(coroutine.wrap(function() while true do end end)) while true do end", "return pcall(coroutine.wrap(function() while true do end end))",
			"local co co = coroutine.create(function() while true do pcall(coroutine.resume, co) end end) coroutine.resume(co) while true do end",
			"coroutine.wrap(function() coroutine.wrap(function() coroutine.wrap(function() while true do end end)() end)() end)()")},
		{"loops in metamethods", noEnd, append(each("local t = setmetatable({}, { %s })",
			"__index = function() while true do end end }) local x = t.a; tostring({ ", "__newindex = function() while true do end end }) t.a = 1; tostring({ ", "__call = function() while true do end end }) t(); tostring({ ",
			"__concat = function() while true do end end }) local x = t .. 'a'; tostring({ ", "__unm = function() while true do end end }) local x = -t; tostring({ ", "__tostring = function() while true do end end }) tostring(t); tostring({ ",
			"__add = function() while true do end end }) local x = t + 1; tostring({ ", "__sub = function() while true do end end }) local x = t - 1; tostring({ ", "__mul = function() while true do end end }) local x = t * 1; tostring({ ",
			"__div = function() while true do end end }) local x = t / 1; tostring({ ", "__mod = function() while true do end end }) local x = t % 1; tostring({ ", "__pow = function() while true do end end }) local x = t ^ 1; tostring({ "),
			each("local function go() while true do end end local m = { __eq = go, __lt = go, __le = go } local a, b = setmetatable({}, m), setmetatable({}, m) local x = a %s b", "==", "~=", "<", "<=", ">", ">=")...)},
		{"calls too deep", "stack overflow|too many values|limits.allocations", each("%s",
			"local function f() f() return 1 end f()", "local function f(...) return 1 + f(1, ...) end f()", "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] .. 'x' end local x = t.a",
			"local t = setmetatable({}, {}) getmetatable(t).__newindex = function(t, k, v) t[k] = v return 1 end t.a = 1", "local t = setmetatable({}, {}) getmetatable(t).__call = function(t) t() return 1 end t()",
			"local t = setmetatable({}, {}) getmetatable(t).__add = function(a, b) return (a + b) + 1 end local x = t + 1", "local t = setmetatable({}, {}) getmetatable(t).__concat = function(a, b) return (a .. b) .. '' end local x = t .. 1",
			"local function f() table.sort({ 3, 2, 1 }, function(a, b) f() return a < b end) end f()", "local function f(s) return (s:gsub('.', f)) .. 'x' end f('abc')",
			"local function f() local x = tostring(setmetatable({}, { __tostring = function() f() return 'x' end })) end f()", "local function f() local co = coroutine.wrap(function() f() end) co() end f()")},
		{"patterns", noEnd, append(each("for i = 1, 1e6 do local x = string.find(string.rep('a', 400), '%s') end", "a*a*a*a*b", "(a*)*b", ".-.-.-.-.-b", "a-a-a-a-b", "[a]*[a]*[a]*[a]*b", "a?a?a?a?a?a*a*a*b", "%f[b]a*a*a*b", "(a*)(a*)(a*)%1b"),
			each("local s = string.rep('a', 100000) while true do local x = %s end", "s:gsub('a', 'b')", "s:gsub('.-', 'x')", "s:match('^(a+)$')", "s:find('b')", "s:gsub('a', function(c) return c end)", "s:gsub('a', { a = 'b' })", "s:find('aaab', 1, true)", "s:upper()", "s:byte(1, 100)", "s:sub(2)")...)},
		{"malformed patterns", "pattern|capture|captures", each("string.find('aaaa', %s)", "'('", "'['", "'[a'", "'%'", "'(()'", "'%b'", "'%bx'", "'%f'", "'[%'", "'%1'", "'(a)%2'", "string.rep('(', 100)")},
		{"callbacks that loop", noEnd, each("%s",
			"table.sort({ 3, 2, 1 }, function(a, b) while true do end end)", "string.gsub('abc', '.', function() while true do end end)", "for a in string.gmatch(string.rep('a', 1000), '.') do while true do end end",
			"while true do table.sort({ 3, 2, 1 }, function(a, b) return a < b end) end", "local t = {} for i = 1, 5000 do t[i] = i end while true do table.sort(t) end", "for k in setmetatable({}, { __call = function() return 1 end }) do end",
			"world:spawn_many(3, {}, function() while true do end end)", "while true do pcall(table.sort, { 3, 1, 2 }, function() return true end) end")},
		{"comparators that lie", "", each("local t = {} for i = 1, 500 do t[i] = i % 17 end pcall(table.sort, t, %s)",
			"function() return true end", "function() return false end", "function(a, b) return a <= b end", "function(a, b) t[1] = nil return a < b end", "function(a, b) return nil end", "function(a, b) return (a * 7) % 5 < 3 end", "function(a, b) table.insert(t, 1) return a < b end")},
		{"strings too long", "too long|limit|allocat|instructions|bytes", each("%s",
			"local s = 'xxxxxxxx' while true do s = s .. s end", "string.rep('x', 1e9)", "string.rep('xxxxxxxxxx', 1e8)", "local s = string.rep('x', 2^23) local t = s .. s .. s .. s .. s", "local s = string.rep('x', 2^23) table.concat({ s, s, s, s, s })",
			"string.format('%s%s%s', string.rep('x', 2^23), string.rep('x', 2^23), string.rep('x', 2^23))", "('x'):rep(2^23):gsub('x', 'xxxx')", "string.rep('', 1e300) string.rep('ab', 1e15)", "table.concat({ 'a', 'b' }, string.rep('x', 2^24))")},
		{"hoards", "allocat|instructions", each("%s",
			"local t = {} for i = 1, 1e9 do t[i] = {} end", "local t = {} while true do t = { t } end", "local t = {} for i = 1, 1e9 do t['k' .. i] = i end", "local t = {} for i = 1, 1e9 do t[i] = function() return i end end",
			"for i = 1, 1e9 do local s = string.rep('x', 1e6 + i) end", "local t = {} for i = 1, 1e9 do t[#t + 1] = ('x'):rep(1000) .. i end", "local s = '' for i = 1, 1e9 do s = s .. 'xxxxxxxxxxxxxxxx' end",
			"local t = {} for i = 1, 1e9 do t[-i] = { i } end", "local t = {} for i = 1, 1e9 do t[i + 0.5] = { i } end", "for i = 1, 1e9 do local t = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, i } end", "for i = 1, 1e9 do string.format('%99d', i) end",
			"for i = 1, 1e9 do table.concat({ i, ('x'):rep(1000) }) end")},
		{"coroutines without end", "coroutines|allocat", each("%s", "while true do coroutine.create(function() end) end", "local t = {} for i = 1, 1e9 do t[i] = coroutine.wrap(function() coroutine.yield() end) t[i]() end", "while true do coroutine.wrap(function() end)() end")},
		{"entities without end", "limit|instructions|allocat|at most", each("%s", "for i = 1, 1e9 do world:spawn{} end", "world:spawn_many(1e9, {})", "for i = 1, 1e9 do world.commands:spawn{} end", "for i = 1, 1e9 do world:spawn{ Position = {} } end", "world:spawn_many(4e9, { Position = {} })",
			"world:spawn{ Position = {} } for e in world:each('Position') do while true do world.commands:spawn{ Position = {} } end end")},
		{"floods of events", "limit|instructions|allocat", each("for i = 1, 1e9 do world:send('Hit', %s) end", "{}", "{ amount = i }", "{ note = 'x' }", "{ extra = { 1 } }")},
		{"floods of commands", "limit reached", []string{
			"local v = {} for i = 1, 21000 do world.commands:send('Hit', v) end", "for i = 1, 6000 do world.commands:tag(world:spawn{}, 'selected') end",
			"for i = 1, 6000 do world:spawn{} end for e in world:each() do world.commands:tag(e, 'selected') end", "for i = 1, 6000 do world:tag(world:spawn{}, 'selected') end",
		}},
		{"wrong counts", "", each("local ok = pcall(world.spawn_many, world, %s) assert(not ok)", "-1", "0/0", "1.5", "'x'", "{}", "1/0", "nil", "2^60")},
		{"forged entities", "", each("local ok, v = pcall(world.get, world, %s, 'Position') assert(not ok or v == nil)", "0", "1", "-1", "2^32", "2^53", "2^53 + 1", "0/0", "1/0", "2^32 + 999999", "'1v1'", "{}", "2^33")},
		{"observers that call each other", "without an end", []string{
			`file:return { init = function(world) world:on("tagged", "selected", function(w, e) world.commands:untag(e, "selected") end) world:on("untagged", "selected", function(w, e) world.commands:tag(e, "selected") end) end, update = function(world) local e = world:spawn{} world:tag(e, "selected") end }`,
		}},
		{"observers that fail", "while", []string{
			`file:return { init = function(world) world:on("tagged", "selected", function(w, e) while true do end end) end, update = function(world) local e = world:spawn{} world:tag(e, "selected") world:despawn(e) end }`,
			`file:return { init = function(world) world:on("tagged", "selected", function(w, e) error({}) end) end, update = function(world) local e = world:spawn{} world:tag(e, "selected") world:despawn(e) end }`,
			`file:return { init = function(world) world:on("tagged", "selected", function(w, e) local t = {} while true do t = { t } end end) end, update = function(world) local e = world:spawn{} world:tag(e, "selected") world:despawn(e) end }`,
		}},
		{"names that are not there", "", each("assert(rawget(_G, '%s') == nil)",
			"getfenv", "setfenv", "loadfile", "dofile", "debug", "os", "io", "module", "newproxy", "_printregs", "channel", "jit", "bit32", "ffi", "utf8", "python", "collect")},
		{"members that are not there", "", each("assert(%s == nil)", "string.dump", "rawget(coroutine, 'close')", "rawget(math, 'os')", "rawget(table, 'foreach')", "rawget(string, 'load')")},
		{"undeclared names", "undeclared global", each("return %s", "os.exit(1)", "io.open('/etc/passwd')", "debug.getinfo(1)", "getfenv(0)", "setfenv(1, {})", "dofile('/etc/passwd')", "newproxy(true)", "module('x')")},
		{"files", "", each("local ok, err = pcall(require, %s) assert(not ok and not tostring(err):find('root:', 1, true))",
			"'..'", "'../secret'", "'/etc/passwd'", "'..secret'", "'a.b.c'", "''", "'\\0'", "string.rep('a', 10000)", "'lib/../../x'", "'C:\\\\x'", "'file:///etc/passwd'", "'\\255'", "'.'", "'~'", "{}", "nil", "1")},
		{"metatables", "", each("%s",
			"assert(getmetatable('') == 'locked' or getmetatable('') == nil or type(getmetatable('')) ~= 'table')", "assert(not pcall(setmetatable, '', {}))", "assert(not pcall(setmetatable, world, {}))", "assert(not pcall(setmetatable, print, {}))", "assert(not pcall(setmetatable, 1, {}))",
			"local t = setmetatable({}, { __metatable = 1 }) assert(not pcall(setmetatable, t, {}))", "assert(type(getmetatable(world)) ~= 'table')", "assert(type(getmetatable(world.commands)) ~= 'table')", "assert(getmetatable(print) == nil)",
			"assert(not pcall(rawset, world, 'x', 1))", "assert(not pcall(rawset, '', 'x', 1))", "assert(not pcall(function() world.spawn = 1 end))", "assert(not pcall(function() world.commands.spawn = 1 end))", "setmetatable(string, { __index = error })")},
		{"metatables that are locked", "cannot change a protected metatable", each("%s", "setmetatable(_G, { __index = function() return 1 end })", "setmetatable(_G, nil)", "setmetatable(_G, {})")},
		{"poison", "", each("%s",
			"string.format = function() return 'mine' end string.rep = nil", "rawset(_G, 'pairs', function() error('mine') end)", "for k in pairs(string) do string[k] = nil end", "for k in pairs(math) do math[k] = function() return 0 end end", "for k in pairs(table) do rawset(table, k, nil) end",
			"rawset(_G, 'print', nil) rawset(_G, 'world', 1)", "rawset(_G, 'setmetatable', nil) rawset(_G, 'pcall', nil)", "math.randomseed(1) for i = 1, 100 do math.random() end", "collectgarbage() collectgarbage('collect')",
			"local ecs = require('ecs') pcall(function() for k in pairs(ecs) do ecs[k] = nil end end)", "local s = require('shared') s.mine = {} s.add_more = function() error('mine') end")},
		{"errors that are hard to describe", "", each("pcall(error, %s) local ok, e = pcall(error, %s)",
			"nil", "{}", "print", "world", "setmetatable({}, { __tostring = function() error('x') end })", "setmetatable({}, { __index = function() error('x') end })", "string.rep('x', 1e6)", "'\\0\\27[2J\\r\\n'", "coroutine.create(print)", "0/0")},
		{"errors of errors", "hostile.lua", each("error(%s)", "setmetatable({}, { __tostring = function() error('again') end })", "setmetatable({}, { __tostring = function() return nil end })", "setmetatable({}, { __tostring = function() return {} end })",
			"setmetatable({}, { __index = function() while true do end end })", "{}", "nil", "print", "'\\27[31m'", "string.rep('long ', 1e5)", "setmetatable({}, { __tostring = function() while true do end end })")},
		{"odd keys", "hostile.lua", each("%s", "local t = {} t[nil] = 1", "local t = {} t[0/0] = 1", "require('ecs').component = nil", "local s = require('ecs') s.mine = 1", "rawset({}, nil, 1)", "for i = 1, 10, 0 do local x = nil + 1 end local x = nil + 1", "local x = #nil", "local x = {} < {}", "unpack({}, 1, 1e8)", "select(-5)", "string.char(-1)", "('x'):rep(-1, {}) .. nil", "setmetatable({}, 1)", "tonumber('1', 99)", "table.insert({}, 5, 5, 5)", "string.format('%d', 'x')", "string.format('%y', 1)", "string.format('%')", "table.concat({ {} })", "ipairs()", "coroutine.resume(1)", "math.random(2, 1)")},
		{"files that do not end", noEnd, each("file:%s", "while true do end", "local function f() return f() end f()", "return pcall(function() while true do end end)", "local t = setmetatable({}, { __index = function() while true do end end }) return t.update")},
		{"sources that are too deep", "hostile.lua", []string{
			"file:" + deep("(", "1", ")", 100_000), "file:" + deep("{", "", "}", 100_000), "file:" + deep("not ", "1", "", 200_000), "file:" + deep("-", "1", "", 100_000), "file:" + deep("function() ", "", " end", 20_000), "file:" + deep("f(", "", ")", 50_000),
			"file:local x = 1" + strings.Repeat("+1", 100_000), "file:local x = 1" + strings.Repeat("^1", 50_000), "file:local x = ''" + strings.Repeat("..''", 50_000), "file:" + strings.Repeat("do ", 50_000) + strings.Repeat("end ", 50_000), "file:" + strings.Repeat("if x then ", 30_000) + strings.Repeat("end ", 30_000),
			"file:local t = {" + strings.Repeat("1,", 300_000) + "}", "file:" + strings.Repeat("local a = 1 ", 300), "file:x" + strings.Repeat(".x", 200_000), "file:return '" + strings.Repeat("x", 2<<20) + "'", "file:\x1bLua\x00\x01", "file:\x00", "file:" + strings.Repeat("[", 100_000), "file:--[" + strings.Repeat("=", 100_000) + "[",
		}},
	}
}

// A hostileScript is a script of the corpus, as a whole file.
type hostileScript struct {
	name, source, wants string
	trespasses          bool // every turn writes to what belongs to the benign system, and fails
}

// hostileScripts lists all scripts with their class.
func hostileScripts() (list []hostileScript) {
	corpus := hostileCorpus()
	plain := len(corpus)
	for k, h := range append(corpus, trespassing()...) {
		for i, s := range h.scripts {
			body, whole := strings.CutPrefix(s, "file:")
			if !whole {
				body = "return function(world, dt)\n" + s + "\nend"
			}
			list = append(list, hostileScript{fmt.Sprintf("%s/%d", h.class, i+1), body, h.wants, k >= plain})
		}
	}
	return list
}
