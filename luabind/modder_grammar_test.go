package luabind

// modderHeads are loops. Each says which variables its rows have.
var modderHeads = []struct{ text, vars string }{
	{`for e, p, h in world:each("Pos", "Hp") do`, "e p h"},
	{`for e, h, u in world:each("Hp", "Unit") do`, "e h u"},
	{`for e, u, h in world:each("Unit", "Hp") do`, "e h u"},
	{`for e, p, h, u in world:each("Pos", "Hp", "Unit") do`, "e p h u"},
	{`for e, b in world:each("Bag") do`, "e b"},
	{`for e, b, h in world:each("Bag", "Hp") do`, "e b h"},
	{`for e, h in world:each("Hp") do`, "e h"},
	{`for e, h, par in world:each("Hp", "ChildOf") do`, "e h par"},
	{`for e, u, par in world:each("Unit", "Likes") do`, "e u par"},
	{`for e, p, par in world:each("Pos", "ChildOf") do`, "e p par"},
	{`for e, h, u in world:each(Q.hurt) do`, "e h u"},
	{`for e, h in world:each(Q.blue) do`, "e h"},
	{`for e, p in world:each(Q.moved) do`, "e p"},
	{`for e, h in world:each(Q.fresh) do`, "e h"},
	{`for e, h in world:each(conf.on and Q.bare or Q.blue) do`, "e h"},
	{`for e, h, a in world:each(ecs.query{ "Hp", optional = { "Aura" } }) do`, "e h a"},
	{`for e, h, u in world:each("Hp", "Unit", "ChildOf", world:first("Hp") or ecs.none) do`, "e h u"},
	{`for hit in world:read("Hit") do`, "hit"},
	{`for hit in world:peek("Hit") do`, "hit"},
	{`for hit in world:drain("Hit") do`, "hit"},
	{`for i = 1, 20 do`, "i"},
	{`for i, v in ipairs(nums) do`, "i"},
}

// modderGrammar is a grammar of statements: each word in capitals is replaced by one of its lines, of those whose variables are there. STATO and CONDO are a
// statement and a condition where there is another entity o with its view oh, too; STATQ and STATW, where there is an element q of a list of records with views, a
// string w.
var modderGrammar = map[string]string{
	"LEAF": `p.x
p.y
h.now
h.now
h.max
u.side
u.level
b.count
b.n
oh.now
a.power
hit.amount
i
q.n
total
dt
1
2
0.5
3
7
0
-1`,
	"NUM": `LEAF
LEAF
LEAF
(NUM + NUM)
(NUM - NUM)
(NUM * NUM) % 97
NUM % 7
math.floor(NUM)
math.max(NUM, NUM)
clamp(NUM, 0, 9)
lib.clamp(NUM, NUM)
(last or NUM)
(COND and NUM or NUM)
(count[ENT] or NUM)
(by[STR] or 0)
(SPEED[STR] or NUM)
#STR
#list
#prey
#b.items
(b.items.gold or 0)
((b.items[1] or {}).n or 2)
addup(NUM, NUM)
addup(nil, NUM)
(second(NUM, NUM))
select("#", NUM, nil)
fact(NUM % 5)
depth(world, ENT)
weight(world, ENT, 2)
spread(world, ENT, 2)
tree:sum() % 1000
tree.n
at:len2() % 100
(at + vec(NUM, NUM)).x
(at * 0.5).y
#at
world:count("Hp")
world:count(Q.hurt)
world.resources.gold
(res.stats.counts[STR] or 0)
res.stats.n
#res.stats.list
state.vars.n
(state.vars[STR] or 0)
auto[STR].n
strict.n
strict[STR]
world:get(ENT, "Hp").now
(world:get(ENT, "Pos") or p).x
(world:get(ENT, "Bag") or b).count
(best and best.now or NUM)
(q.hp and q.hp.now or 1)
ecs.random(6)
(tonumber(STR) or NUM)
nums[i]
(nums[NUM % 4] or 1)
h[conf.field]
hit.data.n
lib.hits()
(select(2, pcall(risky, NUM)) or 0)`,
	"ENT": `e
e
o
q.e
u.target
hit.from
hit.to
par
kept
ecs.none
(par or e)
(world:related(e, "Likes") or ecs.none)
(lib.parent(world, e) or ecs.none)
e
e
(world:first("Hp") or ecs.none)`,
	"STR": `h.kind
h.kind
u.state
hit.kind
oh.kind
q.kind
w
text
"fire"
"ice"
""
KINDS[2]
(KINDS[math.floor(NUM) % 5] or "x")
(NEXT[STR] or "none")
(STR .. "!")
("k" .. math.floor(NUM) % 5)
tostring(NUM)
tostring(at)
(at .. "x")
world:get(ENT, "Hp").kind
(world:get(ENT, "Unit") or u).state
world.resources.title
(COND and "fire" or STR)
state.phase
(STR):upper()
(STR):sub(1, 2)
((STR):gsub("i", function(c) return c .. "1" end))
string.format("%d:%s", math.floor(NUM), STR)
type(ANY)
tostring(mixed(NUM))
lib.RULES[2].name
table.concat({ STR, NUM, STR }, "-")`,
	"ANY": `NUM
STR
ENT
nil
false
h
q
best
mixed(NUM)
(COND and STR or NUM)
last
list[1]
world:get(ENT, "Hp")
(COND and world:get(ENT, "Hp"))
seen[ENT]
by[STR]
state.vars[STR]
{ NUM, STR }
{ e = ENT, n = NUM }`,
	"COND": `NUM < NUM
math.floor(NUM) % 13 == 5
NUM % 17 > 15
total % 23 > 21
NUM > NUM
NUM >= NUM
NUM ~= NUM
STR == STR
STR ~= STR
STR < STR
u.on
seen[ENT]
not seen[ENT]
h.kind == "fire"
world:get(ENT, "Hp")
world:get(ENT, "Unit").state == STR
world:has(ENT, "Hp")
world:has(ENT, NAMES[math.floor(NUM) % 4 + 1])
world:tagged(ENT, "red")
world:tagged(ENT, conf.tag)
world:alive(ENT)
ENT == ENT
oh ~= h
best == h
best
a
par
last
last == nil
ANY == ANY
not (COND)
COND and COND
COND or COND
type(ANY) == "number"
next(by) == nil
at == vec(1, NUM)
ecs.random() < 0.3
math.floor(NUM) % 13 == 3
math.floor(total) % 31 == 5
(STR):find("i")`,
	"STAT": `total = total + NUM
total = NUM
last = NUM
last = ANY
text = STR
h.now = NUM
h.now = math.max(0, h.now - NUM)
h.kind = STR
h[conf.field] = NUM
p.x = NUM % 13
p.x, p.y = p.y, p.x
u.level = math.floor(NUM) % 100
u.state = STR
u.target = ENT
u.on = not u.on
u.side = u.side + 1
a.power = a.power + 1
if a then a.power = NUM end
oh.now = oh.now - NUM
b.items.gold = (b.items.gold or 0) + 1
if #b.items < 6 then b.items[#b.items + 1] = { kind = STR, n = NUM } end
for j, it in ipairs(b.items) do it.n = it.n + NUM if it.kind == STR then total = total + it.n end end
for j = #b.items, 1, -1 do if b.items[j].n > NUM then table.remove(b.items, j) end end
local items = b.items items[1] = { kind = STR, n = NUM } b.items = items
b.items = merge(b.items, { gold = NUM })
b.count = #b.items
list[#list + 1] = ANY if #list > 30 then list = {} end
table.insert(list, 1, NUM) if #list > 20 then table.remove(list) end
seen[ENT] = true
seen[ENT] = nil
count[ENT] = (count[ENT] or 0) + 1
for k in pairs(count) do if count[k] > 2 then count[k] = nil end end
for k, v in pairs(seen) do if COND then seen[k] = nil else seen[k] = NUM end end
by[STR] = (by[STR] or 0) + NUM
by[STR] = nil
by.all = (by.all or 0) + NUM
by[STR], by[STR] = by[STR], (by[STR] or 0) + NUM
by[STR], by.all = (by.all or 0) + 1, by[STR] or NUM
count[ENT], count[e] = count[e] or 1, (count[ENT] or 0) + 1
for k, v in pairs(by) do total = total + v by[k] = v > 20 and nil or v + 1 end
prey[#prey + 1] = { e = e, hp = h, n = NUM, kind = STR } if #prey > 70 then prey = {} end
prey[#prey + 1] = { e = e, hp = world:get(ENT, "Hp"), n = NUM, kind = STR } if #prey > 70 then prey = {} end
if COND then prey[#prey + 1] = { e = e, hp = h, n = 1, kind = "x" } end
for _, q in ipairs(prey) do STATQ end
for j, q in ipairs(prey) do if world:alive(q.e) then STATQ end end
for q in alive(world, prey) do STATQ end
for j = #prey, 1, -1 do if prey[j].n > NUM or not world:alive(prey[j].e) then table.remove(prey, j) end end
table.sort(prey, function(x, y) if x.n == y.n then return x.e < y.e end return x.n > y.n end)
local q = prey[#prey] if q then STATQ end
local q = prey[math.floor(NUM)] if q and q.e ~= e then STATQ end
sides[u.side] = sides[u.side] or {} local l = sides[u.side] l[#l + 1] = u if #l > 40 then sides = {} end
for side, l in pairs(sides) do for _, v in ipairs(l) do total = total + v.level + side end end
local c = math.floor(p.x / 3) cells[c] = cells[c] or {} table.insert(cells[c], { e = e, hp = h, n = 1, kind = "c" })
for _, q in ipairs(cells[math.floor(NUM) % 5] or {}) do STATQ end
queue[#queue + 1] = hit
for _, ev in ipairs(queue) do total = total + ev.amount text = ev.kind end queue = {}
local ev = queue[1] if ev then total = total + ev.amount if ev == hit then total = total + 1 end end
if not best or h.now < best.now then best = h end
if best then best.now = best.now + 1 end
best = COND and h or best
best = world:get(ENT, "Hp")
if not worst or NUM < worst.n then worst = { n = NUM, e = e } end
local top = strongest(world) if top then top.now = top.now - 1 end
visit(world, function(o, oh) STATFO end)
local found = visit(world, function(o, oh) return CONDO end) if found then total = total + 1 end
local o, far = nearest(world, p, e) if o then local oh = world:get(o, "Hp") if oh then STATO end total = total + far end
local o = world:related(e, "ChildOf") if o then local oh = world:get(o, "Hp") if oh then STATO end end
local o = ENT local oh = o ~= e and world:get(o, "Hp") if oh then STATO end
local o = ENT if world:has(o, "Hp") then local oh = world:get(o, "Hp") STATO end
for o in world:sources("ChildOf", ENT) do local oh = world:get(o, "Hp") if oh then STATO end end
for o in world:sources("Likes", e) do total = total + 1 if CONDO1 then break end end
for o, oh in world:each("Hp", "ChildOf", ENT) do STATO end
for o, oh in world:each("Hp", "Aura") do STATO break end
for o, oh in world:each(Q.blue) do if o ~= e then STATO end end
local rec = { n = NUM, tag = STR } if COND then rec.n = nil end total = total + (rec.n or 1)
local seen = {} for j = 1, 5 do local at = j * j % 7 + 1 if not seen[at] then seen[at] = true total = total + 1 end end total = total + #seen
for o, oh, oa, ou in world:each(Q.maybe) do if oa then total = total + 1 elseif not ou then oh.now = oh.now - 1 end end
for o, d in world:near("g", p.x, p.y, 2) do total = total + d if d > 1 then local oh = world:get(o, "Hp") if oh then STATO end end end
for j, rule in ipairs(rules) do if not rule.when or rule.when(h) then local act = rule.act or function() total = total + 1 end if act(h, NUM) then break end end end
for _, rule in ipairs(lib.RULES) do if rule.act and (not rule.when or rule.when(h)) then total = total + (rule.act(h, 0.5) or 1) end end
local act = ACT[u.state] if act then last = act(world, e, u, NUM) end
local act = ACT[STR] or ACT.idle act(world, e, u, 1)
local f = COND and clamp or math.max total = total + f(NUM, NUM)
timers[#timers + 1] = Timer.new(NUM, function(x, y) total = total + x last = y end, NUM, STR) if #timers > 8 then timers = {} end
for j = #timers, 1, -1 do if timers[j]:tick(dt) then table.remove(timers, j) end end
timers[e] = Timer.new(NUM % 3)
local o = objs[e] if not o then o = COND and Derived.new(e, h) or Base.new(e, NUM) objs[e] = o end total = total + o:step(NUM)
objs[ENT] = Derived.new(ENT, world:get(ENT, "Hp"))
if objs[ENT] then text = objs[ENT]:name() end
for k, o in pairs(objs) do if o.n > 9 then objs[k] = nil end end
tree:insert(NUM % 50) if tree.n > 40 then tree = Node.new(3) end
local found = tree:find(NUM) if found then found.n = found.n + 1 end
at = at + vec(NUM % 3, 1)
at = -at
at(NUM)
if at < vec(NUM, 1) then at = vec(1, 2) end
auto[STR].n = auto[STR].n + 1
auto[ENT] = { n = NUM }
strict[STR] = NUM
strict.n = strict.n + 1
state.vars.n = NUM
state.vars[STR] = NUM
state.vars[STR] = (state.vars[STR] or 0) + 1
state.log[#state.log + 1] = STR if #state.log > 5 then table.remove(state.log, 1) end
state.phase = STR
res.gold = NUM
res.title = STR
res.stats.n = res.stats.n + 1
res.stats.counts[STR] = (res.stats.counts[STR] or 0) + 1
res.stats.list[#res.stats.list + 1] = NUM if #res.stats.list > 9 then res.stats.list = {} end
res.stats = { n = NUM, counts = { ice = 2 }, list = {} }
world.resources[conf.resource] = NUM
adjust(by, { fire = NUM, ice = 0.5 })
last = adjust({ n = NUM }, { n = 1, [STR] = 2 }).n
for j, x in iter({ NUM, NUM, 3 }) do total = total + j * x end
for x in range(NUM, 2) do total = total + x end
for w in (STR .. " " .. STR):gmatch("%S+") do STATW end
for _, w in ipairs(lib.split("fire,ice,new")) do STATW end
for w, n in pairs(SPEED) do STATW end
for _, x in ipairs(flat({ NUM, { NUM, { 2 } } }, {})) do total = total + x end
for k, x in next, nums, nil do total = total + k * x end
for j, x in ipairs(lib.map(nums, function(x) return x + NUM end)) do total = total + x * j end
lib.each(nums, function(x, j) total = total + x if COND then return false end end)
for j = 1, #nums do nums[j] = nums[j] % 50 + NUM % 3 end
if #nums < 40 then nums[#nums + 1] = NUM end
nums[math.floor(NUM) % 4 + 1] = NUM
last, text = apply(risky, NUM, STR)
local bx = boxed(NUM, STR, nil) total = total + bx.n + #bx
local ok, x = pcall(risky, NUM) if ok then total = total + x else last = type(x) == "table" and x.code or x end
local ok, x = pcall(function() STATF if COND then error("inner") end return NUM end) if not ok then text = tostring(x):sub(-12) end
local ok, x = pcall(function(f) f.now = NUM return f.max end, h) if ok then total = total + x end
local ok = xpcall(function() total = total + h.none.x end, function(m) text = m end)
if COND then error("bad " .. STR) end
if math.floor(total) % 41 == 7 then error({ code = 1 }) end
local x = assert(ANY, "nothing") last = type(x)
local v = COND and STR or NUM if type(v) == "string" then text = v else total = total + v end
local v = mixed(NUM) if v then last = v end
local v local n = NUM if n > 3 then v = "big" elseif n > 1 then v = n end last = v
local v = ANY if v == nil then total = total + 1 elseif v == false then total = total + 10 end
local t = { e = e, x = NUM, [STR] = 1, list = { NUM } } total = total + t.x + (t[STR] or 0) t.list[2] = t last = #t.list
local t = {} t[#t + 1] = NUM t[#t + 1] = STR t.n = #t total = total + t.n
print(STR, NUM, ENT)
if COND then print(ANY == nil, text, total) end
world:set(ENT, "Hp", { now = NUM })
world:set(e, "Hp", { now = NUM, kind = STR })
world:set(e, conf.comp, { max = NUM })
world:tag(ENT, "red")
world:untag(e, "red")
world:tag(ENT, conf.tag)
world:send("Note", { n = NUM, text = STR })
world:send("Hit", { from = ENT, to = ENT, amount = NUM, kind = STR })
world.commands:set(ENT, "Aura", { power = NUM })
world.commands:tag(ENT, COND and "red" or "blue")
world.commands:add(ENT, "Aura")
world.commands:relate(e, "Likes", ENT)
world.commands:unrelate(e, "ChildOf")
world.commands:send("Note", { n = NUM, text = "late" })
if math.floor(NUM) % 11 == 3 then world.commands:despawn(ENT) end
if world.frame < 3 and math.floor(NUM) % 9 == 3 then local f = world.commands:spawn{ Hp = { now = NUM, kind = STR }, Pos = { x = NUM }, ChildOf = e } kept = f end
kept = ENT
local h = world:get(ENT, "Hp") if h then STAT end
local h = world:get(kept, "Hp") or { now = NUM, max = 1, kind = "none" } STAT
goto continue
if COND then goto continue end
if math.floor(total) % 17 == 3 then break end
if math.floor(total) % 37 == 3 then return NUM, STR end
if COND then STAT end
if COND then STAT else STAT end
if COND then STAT elseif COND then STAT else STAT end
if COND then STAT STAT end
for i = 1, 3 do STAT end
for i = #nums, 1, -1 do STAT end
local i = 0 while i < 3 do i = i + 1 STAT end
local i = 0 repeat i = i + 1 local done = i > 2 do STAT end until done or COND
do local last = NUM STAT end
local function loc(x, ...) total = total + x return x, ... end last = loc(NUM, STR)
local total = NUM STAT`,
	"STATO": `oh.now = oh.now - NUM
oh.kind = STR
total = total + oh.now
if CONDO1 then STAT end
if oh.now < 0 then world.commands:despawn(o) end
count[o] = (count[o] or 0) + oh.max
STAT
STAT`,
	"CONDO": `oh.now > NUM
oh.kind == STR
o == kept
COND`,
	"CONDO1": `o ~= kept
COND`,
	"STATQ": `q.n = q.n + 1
q.hp.now = q.hp.now - 1
if q.hp and q.hp.now > NUM then total = total + q.hp.max end
if q.hp == h then total = total + 1 end
q.kind = STR
total = total + q.n
if q.hp then q.hp.kind = q.kind end
q.hp = nil
STAT`,
	"STATW": `total = total + #w
text = w
by[w] = (by[w] or 0) + NUM
names[#names + 1] = w if #names > 9 then names = {} end
STAT`,
}
