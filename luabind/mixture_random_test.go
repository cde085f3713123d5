package luabind

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mixtureHead is what the loops of TestMixtureRandom use of their file: metatables with functions, functions with ..., iterators, functions that
// change variables, and functions that fail.
const mixtureHead = `local V = {} V.__index = V
V.__add = function(a, b) if type(b) == "number" then return setmetatable({ x = a.x + b }, V) end if type(a) == "number" then return setmetatable({ x = a - b.x }, V) end return setmetatable({ x = a.x + b.x }, V) end
V.__eq = function(a, b) up = up + 1 return a.x == b.x end V.__lt = function(a, b) return a.x < b.x end V.__le = function(a, b) up = up + 1 return a.x <= b.x end
V.__unm = function(a) return -a.x end V.__concat = function(a, b) return "V" .. (type(a) == "table" and a.x or a) end V.__tostring = function(a) up = up + 1 return "v" .. a.x end V.__len = function(a) return 7 end
V.__call = function(self, d) self.x = self.x + d return self.x, d end
function V.new(x, ...) return setmetatable({ x = x or 1, n = select("#", ...) }, V) end
function V:add(d) self.x = self.x + d return self end
function V:get() return self.x, self.y end
local D = setmetatable({}, { __index = V }) D.__index = D function D:get() return -self.x end
local va, vb = V.new(2), setmetatable({ x = 3, y = 4 }, D)
local twice = setmetatable({}, { __index = function(t, k) up = up + 1 return k * 2 end })
local made = setmetatable({}, { __index = function(t, k) local v = {} rawset(t, k, v) return v end })
local guard = setmetatable({}, { __newindex = function(t, k, v) up = up + 1 rawset(t, k, v) end })
local names, flags = { "P", "Q", "R" }, { true, false }
local F = { a = function(x) return x + 1 end, b = function(x) up = up + 1 return x * 2, x end, c = function(x, y) return y or x end }
local acc, log, byk, mem, objs, deep = {}, {}, {}, { n = 0 }, { V.new(1), V.new(2), setmetatable({ x = 9 }, D) }, { p = { x = 1 } }
local function cnt(...) return select("#", ...) end
local function sumof(...) local t, s = { ... }, 0 for i = 1, select("#", ...) do s = s + (t[i] or 0.5) end return s, ... end
local function pass(...) return ... end
local function second(...) local a, b = ... return b, a end
local function two(x) return x, x + 1 end
local function maybe(x) if x > 1 then return x end end
local function mixed(x) if x == 1 then return "one" elseif x == 2 then return false end return x end
local function bump(d) up = up + (d or 1) return up end
local function swap() deep.p = { x = deep.p.x % 50 + 1 } return up end
local function iter(l) local i = 0 return function() i = i + 1 if l[i] ~= nil then return i, l[i] end end end
local function range(n) local i = 0 return function() i = i + 1 up = up + 1 if i <= n then return i end end end
local function step(s, i) i = i + 1 if i <= 3 then return i, s[i] end end
local function risky(x) up = up + 1 if x > 100 then error("risk " .. x, 0) end return x * 2, nil end
local function failing(x) mem.n = mem.n + 1 if x % 40 == 7 then error({ code = x }) end return x end`

// mixture is a grammar of loop bodies: each word in capitals is replaced by one of its lines.
var mixture = map[string]string{
	"LEAF": `p.x
p.k
a
b
n
1
2
0
0.5
up
sum
mem.n
q.y`,
	"NUM": `LEAF
LEAF
(NUM + NUM)
(NUM - NUM)
(NUM * NUM) % 97
NUM % -5
bump(NUM)
bump()
(two(NUM))
cnt(ARGS)
cnt(pass(ARGS))
(sumof(ARGS))
(second(NUM, NUM))
(maybe(NUM) or NUM)
twice[p.k]
va(NUM % 5)
va:get()
#va
-va
(va + NUM).x
(NUM + vb).x
(va + vb).x
V.new(NUM, ARGS2).n
(select(2, NUM, NUM, NUM))
(COND and NUM or NUM)
(byk[p.k] or NUM)
(acc[e] or 0)
#acc
(F.b(NUM))
F[key](NUM)
(tonumber(STR) or NUM)
#(STR)
objs[p.k % 3 + 1]:get()
(rec.x or NUM)
({ NUM, NUM, NUM })[p.k % 3 + 1]
deep.p.x
swap()`,
	"ARGS": `NUM
NUM, nil
nil, NUM
NUM, maybe(p.k), nums[p.k]
two(p.x)
(two(p.k)), NUM
sumof(p.x, nil)
second(a, b)`,
	"ARGS2": `NUM
nil, NUM
NUM, NUM`,
	"STR": `"x"
s
("k" .. NUM % 10)
tostring(va)
("a" .. p.k .. s):sub(1, 6)
type(ANY)
(va .. "z")
(p.k .. va)
key
tostring(mixed(p.k))
table.concat({ p.k, s, up }, "-")`,
	"ANY": `NUM
STR
nil
false
m
mixed(p.k)
(p.k == 2 and "x" or 1)
va
maybe(p.k)
nums[p.k]
flags[p.k]
acc[e]
rec[key]
(m and 1 or s)
(m and NUM)
(flags[p.k] and nums[p.k])
r
world:get(e, "R")
(flags[p.k] and world:get(e, "Q"))
(m and world:get(e, "R"))
vk
(p.k > 1 and mixed(p.k))`,
	"COND": `NUM < NUM
NUM >= NUM
NUM ~= NUM
nums[p.k]
not nums[p.k]
p.k == 1
p.k == 2
p.x > 60
va == vb
va < vb
va <= vb
r
vk
ANY == ANY
ANY == nil
ANY == false
m
not m
acc[e]
world:has(e, names[p.k] or "Q")
type(ANY) == "number"
COND and COND
not (COND)
vk == p`,
	"STAT": `a = NUM
n = NUM
sum = NUM
a, b = NUM, NUM
a, b = second(a, b)
p.x = NUM % 200
p.u = p.u - 1
q.y, n = n, NUM
s = STR
m = ANY
m = ANY
if #text < 60 then text = text .. STR end
acc[e] = NUM
acc[e] = ANY
byk[p.k] = NUM
byk[p.k], byk[p.k + 1] = byk[p.k + 1] or 1, byk[p.k] or NUM
acc[e], n = n, NUM
log[#log + 1] = NUM if #log > 50 then log = {} end
made[p.k][1] = (made[p.k][1] or 0) + 1
guard[p.k] = NUM
rec[key] = NUM
rec = { x = NUM, n = NUM }
rec = V.new(NUM, nil, NUM)
rec.n, rec.x = rec.x or 1, rec.n
deep.p.x = NUM
deep.p.x = swap() + NUM
deep.p.x, deep.p = NUM, { x = NUM % 50 }
va = va + NUM va.x = va.x % 50
va, vb = vb, va
objs[p.k % 3 + 1]:add(NUM % 9)
objs[p.k % 3 + 1] = V.new(NUM)
objs[p.k % 3 + 1].x, objs[p.k % 3 + 1] = NUM, V.new(NUM)
world:set(e, "Q", { y = NUM })
world:tag(e, "red")
world:send("Out", { n = NUM })
local ok, w, z = pcall(risky, NUM) if ok then sum = sum + w + (z or 1) else last = w end
local ok, w = pcall(failing, NUM % 60) if not ok then sum = sum + (type(w) == "table" and w.code or 1) else n = w end
local ok, w = pcall(function() n = NUM p.x = p.x + 1 if COND then error("in") end return NUM end) if ok then sum = sum + w else up = up + 1 end
local v = world:get(e, names[p.k] or "P") if v and p.k == 2 then v.y = v.y + 1 end
local v = ANY if v == nil then sum = sum + 1 elseif v == false then sum = sum + 10 end
vk = p
vk = p.k == 2 and world:get(e, "P")
if vk then vk.x = vk.x + 1 end
if r then r.z = r.z + n end
acc.list = acc.list or {} acc.list[#acc.list + 1] = p
for _, o in ipairs(acc.list or {}) do sum = (sum + o.x) % 10007 if o.k == p.k then break end end
local f = p.k == 1 and F.a or F.b sum = sum + f(NUM)
key = p.k == 1 and "a" or p.k == 2 and "b" or "c"
mem[s] = ANY
if p.x == 41 then break end
if p.x == 83 then sum = sum + nil end
if p.x == 97 then return a, nil end
local function loc(x, ...) a = a + 1 return x + a, ... end sum, n = loc(NUM, NUM)
local x, y, z = pass(ARGS) m = z or y or x
local t = { ARGS } m = t[1] if t[2] then sum = sum + 1 end
table.insert(list, 2, table.remove(list, 1))
table.sort(list)
if COND then STAT end
if COND then STAT else STAT end
if COND then STAT elseif COND then STAT STAT else STAT end
for i = 1, 3 do STAT end
for i, x in ipairs(list) do STAT end
for i, x in iter(list) do sum = sum + i * x STAT end
for i in range(p.k % 4) do STAT end
for i, x in step, list, 0 do STAT if COND then break end end
for i in (STR .. "12"):gmatch("%d*") do n = n + (tonumber(i) or 0.5) STAT end
for k, x in pairs({ x = NUM, n = NUM }) do sum = sum + x end
for k, x in pairs(byk) do sum = (sum + k * x) % 10007 end
while a > 3 do a = a / 2 STAT end`,
}

var mixtureWord = regexp.MustCompile(`\b(LEAF|NUM|ARGS2?|STR|ANY|COND|STAT)\b`)

// written expands the words of the grammar at random, down to a depth.
func written(r *rand.Rand, text string, depth int) string {
	return mixtureWord.ReplaceAllStringFunc(text, func(word string) string {
		if depth == 0 {
			return map[string]string{"STAT": "sum = sum + 1", "COND": "nums[p.k]", "STR": "s", "ANY": "m", "ARGS": "a", "ARGS2": "a"}[word] + map[string]string{"LEAF": "a", "NUM": "n"}[word]
		}
		lines := strings.Split(mixture[word], "\n")
		return written(r, lines[r.IntN(len(lines))], depth-1)
	})
}

// Random loops that mix what scripts do with functions, metatables, iterators, pcall, values of several types, views and tables do the
// same with every implementation, whichever rows are left to the interpreter and whatever fails.
func TestMixtureRandom(t *testing.T) {
	t.Parallel()
	const locals = `local a, b, n, s, m, rec, key = 1, 2, 0, "s", nil, { n = 1 }, "a" `
	const shown = ` print(up, mem.n, #log, va.x, vb.x, deep.p.x, objs[1].x, #objs, vk and vk.x) for i = 1, 9 do print(rawget(byk, i), rawget(guard, i), rawget(twice, i)) end for k, v in pairs(mem) do print(k, type(v)) end`
	ran := 0
	programs := seeds(900, func(seed uint64) {
		if t.Failed() {
			return
		}
		r := rand.New(rand.NewPCG(seed, 20261125))
		around, inside := locals, ""
		if r.IntN(3) == 0 {
			around, inside = "", locals
		}
		body := "local vk " + around + "for e, p, q, r in world:each(some) do " + inside
		for range 1 + r.IntN(3) {
			body += written(r, "STAT ", 4)
		}
		patterns := []string{"false", "i == 70", "i % 31 == 5", "i % 4 == 1"}
		source := withHead(exitSource(body+"end"+shown, patterns[r.IntN(len(patterns))], exitCalls[r.IntN(len(exitCalls))]), mixtureHead)
		did := exitsAlike(t, "seed "+strconv.FormatUint(seed, 10), source)
		ran += did.Machine + did.Closures
	})
	if ran < 200*programs {
		t.Errorf("the test tests little: kernels ran %d rows of %d programs", ran, programs)
	}
}

// withHead puts declarations of the file before the function with the loop.
func withHead(source, head string) string {
	return strings.Replace(source, "local function run(", head+"\nlocal function run(", 1)
}
