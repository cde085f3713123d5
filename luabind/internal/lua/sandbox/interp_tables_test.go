package sandbox

import (
	"fmt"
	"strings"
)

// Programs and random statements about tables whose names are known when they are made (interp/packed.go).

func init() { interpPrograms = append(interpPrograms, tablePrograms...) }

const listing = `
local function list(t) local out = {} for k, v in pairs(t) do out[#out + 1] = tostring(k) .. "=" .. (type(v) == "table" and "{}" or tostring(v)) end return table.concat(out, " ") .. " #" .. #t end
`

var tablePrograms = []interpProgram{
	{name: "tables with known names", src: listing + `
local none, yes
local function one(a, b) return { x = a, y = b } end
local function all(a) return { a = a, b = a, c = a, d = a, e = a, f = a, g = a, h = a } end
local function nine(a) return { a = a, b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a } end
local function mixed(a, ...) return { a, x = a, 2, y = { z = a, a }, ... } end
local function grown(a, b) local t = {} t.x = a t.y = b t.z = a and b return t end
local function later(a, b) local t = { x = a } local u = a t.y = b t.w = u t[1] = a t.v = b return t end
local function twice(a) return { x = a, x = 2, y = a } end
local function chosen(a, b) local t = { x = a } if b then t.y = b end t.z = 3 return t end
local function looped(n) local t = {} for i = 1, n do t.x = i end t.y = n return t end
local function own(a) local t = {} t.x = a t.t = t t.y = a return t end
local function named(a) local t = {} t.x = a t["y"] = a t[a] = 1 t["z z"] = a return t end
for round = 1, 2 do
  for _, v in ipairs{ round, "s" .. round, 0.5, -0, true, false } do
    local made = { one(v, v), one(v), one(nil, v), one(), all(v), nine(v), mixed(v, v, nil, v), grown(v, v), grown(v), grown(nil, v), later(v, v), later(v), twice(v), twice(), chosen(v, v), chosen(v), looped(2), own(v), named(v) }
    for i = 1, #made do show(i, list(made[i])) end
    for i = 1, #made do
      local t = made[i]
      t.x = t.x and { 1 } show(list(t), t.x == t.x, t.q)
      t.y = nil show(list(t), next(t)) t.y = 5 show(list(t))
      t.x = nil t.x = 1 t.new = i show(list(t), t.new, t.y)
      for j = 1, i do t["k" .. j] = j end show(list(t)) for k in pairs(t) do t[k] = nil end show(list(t), next(t)) t.y = 1 t.x = 2 show(list(t))
      if i > 3 then show(next(t, "y"), next(t, "x"), pcall(next, t, "nope")) end
    end
  end
end`},
	{name: "tables with known names in coroutines and errors", src: listing + `
local shared
local function make(a, b) local t = { x = a, y = b, f = function() return a end } shared = t return t end
local co = coroutine.wrap(function(t) while true do t.x = t.x and 7 t.z = 1 rawset(t, "w", 2) t.y = nil local u = { x = t.x, y = t } u.v = list(t) t = coroutine.yield(u) end end)
for i = 1, 20 do local t = make(i, i * 2) local u = co(t) show(list(t), u.x, u.y == t, u.v, t.f()) u.x = nil t.y = 3 u.q = 1 show(list(t), list(u)) end
for i = 1, 20 do local ok, t = pcall(function() local t = { x = i, y = i % 3 == 0 and error({ x = i, code = 5 }) or 1, z = i % 4 == 0 and nil_global.x } return t end) show(ok, type(t) == "table" and list(t) or t) end
local mt = { __index = function(t, k) return k .. "!" end, __newindex = function(t, k, v) rawset(t, k, v and v .. "?") end }
for i = 1, 20 do local t = setmetatable({ x = i, y = "a" }, mt) show(t.x, t.z, t.y) t.z = "b" t.x = 5 t.y = nil show(list(t), t.y) t.y = "c" show(list(t)) end
local keep = {} for i = 1, 50 do keep[i] = { id = i, name = "n" .. i, sub = { v = i + 0.5 } } gc() end for i = 1, 50 do show(list(keep[i]), keep[i].sub.v) end
local C = {} C.__index = C function C.new(v) local o = setmetatable({ v = v, n = 0 }, C) return o end function C:add(d) self.v = self.v + d self.n = self.n + 1 self.last = d return self end
for i = 1, 20 do local o = C.new(i):add(1):add(i) show(o.v, o.n, o.last, list(o)) end`},
	{name: "one place reads tables of all sizes", src: `
local function x(t) return t.x end local function h(t) return t.h end local function put(t, v) t.x = v t.h = v end
local ts = {}
for i = 1, 400 do
  ts[#ts + 1] = { x = i } ts[#ts + 1] = { a = i, x = i } ts[#ts + 1] = { a = 1, b = 2, x = i } ts[#ts + 1] = { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = i }
  ts[#ts + 1] = { h = i } ts[#ts + 1] = { a = 1 } ts[#ts + 1] = {} ts[#ts + 1] = { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, x = i }
end
local sum = 0
for round = 1, 3 do for i, t in ipairs(ts) do local a, b = x(t), h(t) if i % 97 == 0 then show(i, a, b) end sum = sum + (a or 0) * 3 + (b or 0) if i % 5 == round then put(t, i) end end end
show(sum)`},
	{name: "lists in one piece", src: `
local function list(t) local out = {} for i = 1, #t do out[i] = tostring(t[i]) end return table.concat(out, ",") end
local n
for i = 1, 5 do
  local made = { { i }, { i, 2 }, { 1, i, 3 }, { 1, 2, 3, i }, { 1, 2, 3, 4, 5, 6, 7, i }, { 1, 2, 3, 4, 5, 6, 7, 8, i }, { i, n, 3 }, { n, n }, { 1, n }, { list{ i }, list{ i, i } }, { (list{ 1 }) }, {} }
  for j = 1, #made do
    local t = made[j] show(j, #t, list(t)) t[#t + 1] = "a" show(list(t)) t[#t + 1] = "b" table.insert(t, 1, "c") show(list(t), table.remove(t), table.remove(t, 1), list(t)) t[1] = nil show(#t) t.x = 1 for k, v in pairs(t) do show(k, v) end t[20] = 1 show(#t)
    for k = 1, 12 do t[k] = k end show(#t, list(t)) table.sort(t, function(a, b) return tostring(a) > tostring(b) end) show(list(t))
  end
end
local long = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, unpack{ 1, 2 } } show(#long, long[51], long[54])`},
}

// record writes statements that make a table with known names, and use it.
func (w *writer) record() {
	t := w.name()
	names := []string{"a", "b", "c", "d", "x", "y", "z", "v", "w", "n"}
	w.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:w.IntN(len(names)+1)]
	within := w.IntN(len(names) + 1)
	var fields []string
	for _, name := range names[:within] {
		fields = append(fields, name+" = "+w.expr(2))
	}
	w.line("local %s = { %s }", t, strings.Join(fields, ", "))
	for i, name := range names[within:] {
		if w.IntN(8) == 0 {
			w.line("if %s then %s.%s = %s end", w.expr(1), t, name, w.expr(1))
			continue
		}
		if w.IntN(12) == 0 {
			w.locals = append(w.locals, t) // what follows may use it before all names are set
		}
		w.line("%s.%s = %s", t, name, w.expr(min(2, 3-i%2)))
	}
	w.locals = append(w.locals, t)
	if w.IntN(2) == 0 {
		w.line("for k, v in pairs(%s) do tick() show(k, type(v)) end", t)
	}
	if len(names) > 0 && w.IntN(2) == 0 {
		name := names[w.IntN(len(names))]
		w.line("%s.%s = %s show(%s)", t, name, w.pick("nil", w.expr(1)), fmt.Sprintf("%s.%s, next(%s)", t, name, t))
	}
}
