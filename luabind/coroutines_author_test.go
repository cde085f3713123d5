package luabind

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A dramatist writes a system whose state has a list of coroutines. Each turn goes on with all of them, begins others and drops some half-way.
type dramatist struct {
	*rand.Rand
	b      strings.Builder
	across bool // yields in pcall, metamethods and iterators
	vars   []string
	depth  int
	n      int // names
}

func (g *dramatist) line(format string, args ...any) {
	fmt.Fprintf(&g.b, strings.Repeat(" ", g.depth)+format+"\n", args...)
}

func (g *dramatist) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *dramatist) name() string {
	g.n++
	return fmt.Sprintf("v%d", g.n)
}

func (g *dramatist) number() string { return g.pick("0", "1", "2", "3", "7", "0.5", "-1") }

// value is an expression without a yield.
func (g *dramatist) value() string {
	v := g.vars[g.IntN(len(g.vars))]
	switch g.IntN(8) {
	case 0:
		return g.number()
	case 1:
		return fmt.Sprintf("(num(%s) + %s)", v, g.number())
	case 2:
		return fmt.Sprintf("tostring(%s):sub(1, 4)", v)
	case 3:
		return fmt.Sprintf("{ x = %s, %s, k = { %s } }", v, g.number(), v)
	case 4:
		return fmt.Sprintf("(function(...) return select('#', ...), ... end)(%s, nil)", v)
	}
	return v
}

// waiting is an expression that yields, and gives what resume gives.
func (g *dramatist) waiting() string {
	v := g.value()
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("wait(%d)", 1+g.IntN(3))
	case 1:
		return fmt.Sprintf("(coroutine.yield(%s))", v)
	case 2:
		return fmt.Sprintf("M.state.thing:act(%s)", v)
	case 3:
		return fmt.Sprintf("deep(%d, %s)", g.IntN(5), v)
	case 4:
		if g.across {
			return g.pick("(o + 1)", "(2 ^ o)", "o.field", "o[1]", "(-o)", "(o .. 'x' .. 1)", "('a' .. o)", "o(1)", "(o < p)", "(o <= p)", "(o ~= p)", "#o", "select(2, pcall(coroutine.yield, 'p'))", "o:method(2)")
		}
	}
	return fmt.Sprintf("tail(%s)", v)
}

func (g *dramatist) any() string {
	if g.IntN(3) == 0 {
		return g.waiting()
	}
	return g.value()
}

// with writes a block that sees one more variable.
func (g *dramatist) with(name string, n int) {
	vars := g.vars
	g.vars = append(vars[:len(vars):len(vars)], name)
	g.block(n)
	g.vars = vars
}

// block writes statements with the variables of now.
func (g *dramatist) block(n int) {
	vars := g.vars
	g.depth++
	for range n {
		g.stmt()
	}
	g.depth--
	g.vars = vars[:len(vars):len(vars)]
}

func (g *dramatist) stmt() {
	if g.depth > 5 {
		g.line("print('deep', %s) coroutine.yield()", g.value())
		return
	}
	n := 1 + g.IntN(3)
	switch g.IntN(22) {
	case 0, 1:
		v := g.name()
		g.line("local %s = %s", v, g.any())
		g.vars = append(g.vars, v)
	case 2:
		g.line("%s = %s", g.vars[g.IntN(len(g.vars))], g.any())
	case 3:
		g.line("show(%q, %s, %s)", fmt.Sprint("at", g.n), g.any(), g.value())
	case 4:
		g.line("wait(%d)", n)
	case 5:
		v := g.name()
		g.line("for %s = 1, %d do", v, n)
		g.with(v, n)
		g.line("end")
	case 6:
		v := g.name()
		g.line("for _, %s in %s{ %s, %s, z = 3 } do", v, g.pick("ipairs", "pairs"), g.value(), g.value())
		g.with(v, n)
		g.line("end")
	case 7:
		g.line("if num(%s) %s %s then", g.any(), g.pick("<", ">=", "=="), g.number())
		g.block(n)
		g.line("else")
		g.block(1)
		g.line("end")
	case 8:
		v := g.name()
		g.line("local %s = 0", v)
		if g.IntN(2) == 0 {
			g.line("repeat %s = %s + 1", v, v)
			g.block(n)
			g.line("until %s >= %d", v, n)
		} else {
			g.line("while %s < %d do %s = %s + 1", v, n, v, v)
			g.block(n)
			g.line("end")
		}
	case 9:
		f := g.name()
		g.line("local function %s(a, ...)", f)
		vars := g.vars
		g.vars = append(g.vars[:len(g.vars):len(g.vars)], "a")
		g.block(n)
		g.line(" return %s, ...", g.any())
		g.line("end")
		g.vars = vars
		g.line("show('f', %s(%s, %s))", f, g.any(), g.any())
	case 10:
		g.line("local kept = keep(function(by) %s = num(%s) + by return %s end)", g.vars[0], g.vars[0], g.value())
		g.line("show('kept', kept(%s), M.state.kept[1](1))", g.number())
	case 11:
		g.line("for x in coroutine.wrap(function() for i = 1, %d do coroutine.yield(i, %s) end end) do", n, g.value())
		g.with("x", n)
		g.line("end")
	case 12:
		g.line("show('made', { a = %s, %s, b = %s, c = { d = %s } })", g.any(), g.any(), g.value(), g.any())
	case 13:
		if g.IntN(3) == 0 {
			g.line("if num(%s) > 1 then error(%s) end", g.value(), g.pick("'died'", "{ code = 3 }", "nil", g.vars[0]))
		}
	case 14:
		g.line("show(coroutine.running() == M.state.me[1], coroutine.status(M.state.me[1]), pcall(error, %s))", g.value())
	case 15:
		v := g.name()
		g.line("local %s = coroutine.create(function(...) local sum = %s for i = 1, 3 do local got = coroutine.yield(i, sum, ...) sum = sum + num(got) end error('inner') end)", v, g.number())
		g.line("for i = 1, %d do show('inner', coroutine.resume(%s, %s)) %s end", 1+g.IntN(5), v, g.value(), g.pick("", "wait(1)"))
	case 16, 17:
		if !g.across {
			g.line("show(pcall(function(...) return num(%s), ... end, %s))", g.value(), g.value())
			return
		}
		handled := g.IntN(2) == 0
		if handled {
			g.line("show('tried', xpcall(function(a)")
		} else {
			g.line("show('tried', pcall(function(a)")
		}
		vars := g.vars
		g.vars = append(g.vars[:len(g.vars):len(g.vars)], "a")
		g.block(n)
		g.line(" if num(%s) > 2 then error(%s) end", g.any(), g.pick("'e'", "{ 1 }"))
		g.line(" return %s", g.any())
		g.vars = vars
		if handled {
			g.line("end, function(m) %s return type(m) end))", g.pick("", "wait(1)"))
		} else {
			g.line("end, %s))", g.value())
		}
	case 18:
		if !g.across {
			g.line("wait(1)")
			return
		}
		g.line("for i, x in %s do", g.pick("slowly(3)", "stepper, 2, 0", "coroutine.yield"))
		g.with("x", 1)
		g.line(" if num(i) > 3 then break end")
		g.line("end")
	case 19:
		g.line("do local i = 0 ::top:: i = i + 1 local up = i keep(function() up = up + 1 return up end)")
		g.block(1)
		g.line("if i < %d then goto top end end", n)
	case 20:
		g.line("M.state.sum = M.state.sum + num(%s)", g.any())
	case 21:
		g.line("local e = world:spawn{ Position = { x = num(%s), y = 1 } } wait(1) show(world:alive(e), world:get(e, 'Position').x)", g.value())
	}
}

const stage = `local M = { state = { tasks = {}, kept = {}, sum = 0, begun = 0, me = {}, thing = { n = 0 } } }
local world
local function num(x) return type(x) == "number" and x % 1000 or type(x) == "string" and #x or x and 1 or 0 end
local function text(x) if type(x) == "table" then local out = {} for k, v in pairs(x) do out[#out + 1] = tostring(k) .. "=" .. text(v) end return "{" .. table.concat(out, " ") .. "}" end
 return type(x) == "number" and string.format("%.6g", x) or tostring(x) end
local function show(...) local out = {} for i = 1, select("#", ...) do out[i] = text((select(i, ...))) end print(table.concat(out, " ")) end
local function wait(n) local got for i = 1, n do got = coroutine.yield(i) end return got end
local deep deep = function(n, x) if n == 0 then return (coroutine.yield(x)) end local r = deep(n - 1, x) return r, n end
local function tail(...) return coroutine.yield(...) end
local function keep(f) local list = M.state.kept if #list > 5 then table.remove(list, 1) end list[#list + 1] = f return f end
local Thing = {} Thing.__index = Thing function Thing:act(x) self.n = self.n + num(x) local got = coroutine.yield(self.n) self.n = self.n + 1 return got, self.n end
setmetatable(M.state.thing, Thing)
local y = coroutine.yield
local mt = { __add = function(a, b) return y("add") end, __pow = function() return y("pow") end, __unm = function(a) return (y("unm")) end, __index = function(t, k) return y(k) end,
 __concat = function(a, b) return tostring(y("concat")) end, __call = function(self, a) return y("call"), a end, __lt = function() return num(y("lt")) > 2 end,
 __le = function() return num(y("le")) > 2 end, __eq = function() return num(y("eq")) > 2 end, __len = function() return (y("len")) end }
local o, p = setmetatable({}, mt), setmetatable({}, mt)
local function slowly(n) local i = 0 return function() i = i + 1 y("slowly") if i <= n then return i, i * 2 end end end
local stepper = setmetatable({}, { __call = function(self, n, i) local got = y("step") if i < n then return i + 1, got end end })
`

const direction = `
function M.update(w)
  world = w
  local tasks, state = M.state.tasks, M.state
  for i, body in ipairs(BODIES) do
    if (w.frame + i) % 4 == 1 and #tasks < 6 then state.begun = state.begun + 1 tasks[#tasks + 1] = { co = coroutine.create(body), id = state.begun } end
  end
  if w.frame % 5 == 4 then table.remove(tasks, 1) end
  for i = #tasks, 1, -1 do
    local t = tasks[i]
    state.me[1] = t.co
    show(t.id, coroutine.resume(t.co, w.frame % 5))
    if coroutine.status(t.co) == "dead" then table.remove(tasks, i) end
  end
  print(#tasks, state.sum, #state.kept)
end
return M
`

// play returns the text of a system.
func play(seed uint64, across bool) string {
	g := &dramatist{Rand: rand.New(rand.NewPCG(seed, 57)), across: across}
	g.b.WriteString(stage)
	g.line("local BODIES = {")
	for range 1 + g.IntN(3) {
		g.line("function(first, ...)")
		g.vars = []string{"first"}
		g.line(" local acc, name = 0, 'n'")
		g.vars = append(g.vars, "acc", "name")
		g.block(3 + g.IntN(5))
		g.line(" return %s", g.any())
		g.line("end,")
	}
	g.line("}")
	g.b.WriteString(direction)
	return g.b.String()
}
