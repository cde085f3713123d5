package luabind

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// What everyday systems have found: each is the body of walk0 of a system, and differed once. The comments say why.
var everydayFound = []string{
	// The truth of a variable that began as nil and held a boolean later was whether it had a value: false counted as true.
	`local x for e, h in world:each("Hp") do x = not x h.now = x and 1 or 0 end print(x)`,
	`for e, h in world:each("Hp") do last = not last total = total + (last and 1 or 2) end print(last)`,
	`for e, h in world:each("Hp") do local found for i = 1, #nums do if not found then found = nums[i] > h.now total = total + i end end end`,
	`for e, h in world:each("Hp") do local found local i = 0 while not found and i < 5 do i = i + 1 found = i > h.now end total = total + i end`,
	`local a for e, h in world:each("Hp") do total = total + (a == nil and 1 or a and 2 or 3) a = h.now > 5 end print(a)`,
	`local a local function t() a = not a return a end for e, h in world:each("Hp") do if t() then total = total + 1 end end print(a)`,
	`for hit in world:read("Hit") do if last then total = total + 1 end last = not last end print(last)`,
	// table.remove of an empty list in a field marked the component as changed.
	`for e, b in world:each("Bag") do local it = table.remove(b.items) total = total + (it and 1 or 0) end`,
	`for e, b in world:each("Bag") do if b.items.sub then table.remove(b.items.sub) else b.items.sub = { 1 } end end`,
	`for e, b in world:each("Bag") do if b.items.sub then table.remove(b.items.sub) else b.items.sub = "" end end`,
	// A new key -0 of a table became 0.
	`for e, h in world:each("Hp") do count[-(h.now - h.now)] = (count[0] or 0) + h.now end for k, v in pairs(count) do print(k, 1 / k) end`,
	`for e, h in world:each("Hp") do local k = -floor(h.now / 10) count[k] = (count[k] or 0) + 1 end for k, v in pairs(count) do print(k, 1 / k, v) end`,
	`for e, h in world:each("Hp") do list[0 * -1] = e nums[-0] = 2 end print(next(list)) for k in pairs(nums) do print(k, 1 / k) end`,
	`for e, h in world:each("Hp") do seen[-floor(h.now / 10)] = e end for k, v in pairs(seen) do print(k, 1 / k, v) end`,
	// assert gives all its arguments, and only the first was passed on at the end of arguments, of a return and of a constructor.
	`for e, h in world:each("Hp") do table.insert(list, assert(nums[1], "")) end`,
	`local function f(a) return assert(a, KINDS[2]) end for e, h in world:each("Hp") do last, text = f(h.now) total = total + select("#", f(h.now)) end`,
	`for e, h in world:each("Hp") do if h.now > 2 then return assert(nums[1], KINDS[2]) end end`,
	`for e, h in world:each("Hp") do list = { assert(h.now, h.kind) } total = total + #list + math.max(assert(1, 7)) end`,
	`local function g(a) return a, "two" end for e, h in world:each("Hp") do list = { assert(g(h.now)) } text = tostring(#list) end`,
	// A comparison with a value that is nil did not evaluate the other side: no number was drawn, and no error raised.
	`for e, h in world:each("Hp") do if random() == last then total = total + 1 end if last ~= random(3) then total = total + 2 end if world:tag(e, "red") == by[h.kind] then total = total + 4 end end print(random())`,
	`for e, h in world:each("Hp") do local o = world:get(0, "Hp") if o.now == last then total = total + 1 end end`,
	`for e, h in world:each("Hp") do local o = world:get(0, "Hp") if last == o.now then total = total + 1 end end`,
	// A member that was nil before the loop was read as nil after the loop had assigned it by a computed key.
	`for hit in world:read("Hit") do by[hit.kind] = hit.amount by[hit.kind] = by["fire"] or 0 end total = by.fire`,
	`for e, h in world:each("Hp") do by[h.kind] = 1 if by.fire then total = total + 1 end end`,
	// A variable that is assigned only where a function of another file leaves the row became nil behind the row.
	`for e, h in world:each("Hp") do if h.max > 3 then text = lib.name("fire", h.max) end end`,
	`local a, b, c = 1, "x", 3 for e, h in world:each("Hp") do if h.now > 3 then b = lib.name("fire", h.max) end a = a + 1 if h.now > 2 then c = c + a end if h.now > 4 then b = "y" end end print(a, b, c)`,
	// What table.insert added was not seen by a read of the same row.
	`for e, u, h in world:each("Unit", "Hp") do table.insert(list, e) for j = 1, #list do if list[j] == e then total = total + j end end end`,
	`for e, u, h in world:each("Unit", "Hp") do list[#list + 1] = e for j = 1, #list do if list[j] == e then total = total + j end end end`,
	// The Program said that it draws numbers, and the code that does was never executed and left out. The watch compared a stream that
	// closures did not have.
	`local found, best = nil, -1 for e, p, h in world:each("Pos", "Hp") do do if (h.max <= (h.now / 4)) then if NEXT["none"] then if ((nums[random(2)] or 1) > #"ice") then table.insert(list, (0.5 - total)) last = nil else total = total end end for j = 1, #list do if list[j] == e then total = total + j end end end if (total == grid[floor(p.x) % 3 + 1][1]) then total = total + total end total = total + best last = nil last = (0.5 % 7) total = 0.5 end end`,
	`for e, h in world:each("Hp") do if NEXT["none"] then last = random(2) + nil end total = total + h.now end`,
	// A number drawn for the key of a constant table was drawn twice where the element was compared.
	`for e, h in world:each("Hp") do if KINDS[random(#KINDS)] ~= KINDS[2] then total = total + 1 end end`,
	`for e, h in world:each("Hp") do local x = KINDS[2] == KINDS[random(#KINDS)] if x then total = total + 1 end end`,
	`for e, u, h in world:each("Unit", "Hp") do u.on = (KINDS[random(#KINDS)] ~= "fire") and true or false end`,
	`for e, p, h in world:each("Pos", "Hp") do if total > 1e9 then for k, n in pairs(SPEED) do total = n end end for j = 1, 3 do if SPEED[KINDS[random(2)]] ~= world.dt then total = total + 1 end if total >= 0 then break end end end`,
	`for e, u, h in world:each("Unit", "Hp") do if h.kind == KINDS[random(4)] or KINDS[random(2)] == KINDS[random(3)] then total = total + 1 end end`,
	// A variable of any kind became 0 where the interpreter had the last row of a walk.
	`local n, t = world:count("Hp"), { {} } for e, h in world:each("Hp") do n = n - 1 if n == 0 then print(e) end t[#t + 1] = { h.now } if n == 3 then t = { {} } end end print(show(t, 0))`,
	// A key that needs statements of its own, in a table of a field, was a bug of the compiler.
	`for e, bag, h in world:each("Bag", "Hp") do h.kind = KINDS[1] if #bag.items < 6 then bag.items[#bag.items + 1] = { kind = KINDS[1], n = random(6) } end end`,
	`local function f() total = total + 1 return total end for e, bag in world:each("Bag") do bag.items[f()] = 1 end`,
	`local function f(bag) bag.items = { 7, 8 } return 2 end for e, bag in world:each("Bag") do bag.items[f(bag)] = 1 table.insert(bag.items, f(bag)) table.remove(bag.items, f(bag)) end`,
	`local function f(bag) bag.items.sub = { 7 } return 2 end for e, bag in world:each("Bag") do bag.items.sub = { 1 } bag.items.sub[f(bag)] = 1 bag.items.sub[3] = f(bag) end`,
}

// everydayBody is a system with a body of its own.
func everydayBody(body string) string {
	return everydayTables + "local function walk0(world, dt)\n  " + body + "\n  return total\nend\nreturn function(world, dt)\n  print(pcall(walk0, world, dt))\n" +
		"  print(total, last, text, show(kept, 0), show(list, 0), show(seen, 0), show(count, 0), show(by, 0), show(grid, 0), show(names, 0), show(stats, 0), random())\nend\n"
}

func TestEverydayFound(t *testing.T) {
	t.Parallel()
	library := everydayLibrary(1)
	for _, body := range everydayFound {
		for seed := range uint64(effort.Of(9)) {
			want, err := everydayRun(t, seed, Lua, 0, library, []string{everydayBody(body)})
			if err != nil {
				t.Fatalf("%v\n%s", err, body)
			}
			for _, impl := range []Impl{Closures, Auto} {
				if got, _ := everydayRun(t, seed, impl, 0, library, []string{everydayBody(body)}); got.seen != want.seen {
					t.Errorf("seed %d, %v: got\n%s\ninterpreted\n%s\n%s", seed, impl, got.seen, want.seen, body)
				}
			}
		}
	}
}
