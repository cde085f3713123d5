package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/lower"
)

// heldTables are bodies with variables, or values of functions, that hold tables of a list: rows is a list that changes, fixed one that
// does not, texts one with strings in its tables, far one that is looked up by other numbers than 1, 2, 3, and made one that each turn makes.
// A body that begins with "exit" has rows that only closures or the interpreter can finish.
var heldTables = []string{
	`local best, least for _, c in ipairs(fixed) do local d = math.abs(c.x - p.x) if not best or d < least then best, least = c, d end end sum = sum + best.y`,
	`local best, least for _, c in ipairs(rows) do local d = math.abs(c.x - p.x) if not least or d < least then best, least = c, d end end best.y = best.y + 1 sum = sum + best.y`,
	`local best for i = 1, #made do local c = made[i] if c.x < p.x and (best == nil or c.y < best.y) then best = c end end if best then sum = sum + best.x * 3 + best.y end`,
	`local best for i = 1, #texts do local c = texts[i] if c.name ~= p.s and (not best or c.x > best.x) then best = c end end if best.name == "b" then sum = sum + 1 end p.s = best.name`,
	`local best = fixed[1] for i = 2, #fixed do if fixed[i].x < p.x then best = fixed[i] end end sum = sum + best.y`,
	`local best = rows[p.k + 3] if best then sum = sum + best.x end best = rows[p.k] if best ~= nil then sum = sum * 3 + best.y end best = nil if best then sum = 0 end`,
	`local a, b = rows[p.k + 1], rows[5 - p.k] a, b = b, a a.x, b.y = b.x + 1, a.y sum = sum + a.x * 5 + b.y`,
	`local a = rows[p.k + 1] local b = a a = rows[2] a.x = a.x + 1 sum = sum + b.x * 7 + a.x`,
	`local cur, n = rows[1], 0 while cur and n < 9 do sum, n = sum + cur.x, n + 1 cur = rows[cur.to + p.k] end sum = sum + n`,
	`local cur, n = fixed[p.k + 1], 0 repeat n = n + cur.y cur = fixed[n] until not cur sum = sum + n`,
	`local function nearest(list, x) local best, least for i = 1, #list do local c = list[i] local d = (c.x - x) ^ 2 if not least or d < least then best, least = c, d end end return best, least end
	 local c, d = nearest(rows, p.x) c.y = c.y + d % 3 local f = nearest(fixed, p.x) sum = sum + c.y + f.y`,
	`local function find(list, x) for _, c in ipairs(list) do if c.x > x then return c end end end local c = find(rows, p.k) if c then sum = sum + c.y else sum = sum - 1 end`,
	`local function find(list, x) for _, c in ipairs(list) do if c.x > x then return c, x end end return nil, 0 end local c, x = find(fixed, p.k + 5) if c then sum = sum + c.y + x else sum = sum - 1 end`,
	`local function pick(x) if x > 60 then return nil end return rows[x % 5 + 1] end local c = pick(p.x) if c and c.x > 2 then sum = sum + c.x end sum = sum + (c and c.y or 100)`,
	`local function last(list) return list[#list] end local function step(c, n) if n > 2 then c = rows[1] end return c.x end sum = sum + step(last(rows), p.k) + last(fixed).y`,
	`local best for i = 1, #rows do best = rows[i] if best.x > p.x % 9 then break end end sum = sum + best.x`,
	`for n = 1, 3 do local best if n > p.k then best = rows[n] end if best then sum = sum + best.y * n end end`,
	`local best for i = 1, 3 do local c = far[i * 10] if c and c.x ~= p.k then best = c end end if best then best.x = best.x + 1 sum = sum + best.x end`,
	`local best = far[p.k * 10] if not best then best = far[10] end sum = sum + best.x best.y = sum % 50`,
	`local best = rows[p.k] local other = best and rows[best.to] if other then sum = sum + other.x end`,
	`local best = rows[0.5 + p.k / 2] sum = sum + (best and best.x or 7) best = rows[-p.k] sum = sum + (best and best.x or 3) best = rows[p.x / 0] if best then sum = 0 end`,
	`local a, b for i = 1, #rows do local c = rows[i] if not a or c.x > a.x then a, b = c, a elseif not b or c.x > b.x then b = c end end sum = sum + a.x * 2 + (b and b.x or 0) a.x = a.x + 1`,
	`local best for i = 1, #fixed do local c = fixed[i] if c.y % 2 == p.k % 2 then best = c end end local q = best if q then best = fixed[1] sum = sum + q.x + best.x end`,
	`local best = rows[1] best.x = best.x + 1 local x = best.x best = rows[2] best.x = x * 2 % 17 sum = sum + x`,
	`local best = rows[p.k] local c = best or rows[2] c.x = c.x + 1 sum = sum + c.x * 3 + (best and best.x or 0)`,
	`local c = p.k > 1 and rows[p.k] or rows[1] c.y = c.y + 1 sum = sum + c.x + c.y`,
	`local c = p.k > 1 and fixed[p.k + 3] or fixed[p.k + 1] sum = sum + c.y * 2`,
	`local c = far[p.k * 10] or far[10] sum = sum + c.x local d = p.k > 2 and far[20] or far[1000] sum = sum + d.x`,
	`local function find(list, x) for _, c in ipairs(list) do if c.x > x then return c end end end local c = find(rows, p.k * 4) or rows[1] sum = sum + c.y c.y = c.y + 1`,
	`local n = p.k > 1 and p.k or nil local c = n and rows[n] sum = sum + (c and c.x or 5)`,
	`local c = texts[p.k] or texts[1] p.s = c.name local d = p.k > 1 and texts[2] or c sum = sum + d.x`,
	`local c = made[p.k] or nil if c then c.x = c.x + 1 sum = sum + c.x end local d = nil or made[2] sum = sum + d.y`,
	`exit local c = p.k > 1 and rows[p.k] if c == nil then sum = sum + 1 elseif c == false then sum = sum + 2 else sum = sum + c.x end`,
	`exit local c = rows[p.k] or fixed[1] sum = sum + c.x`,
	`exit local c = rows[p.k] or { x = 4 } sum = sum + c.x`,
	`rows[1].x = rows[2].x + rows[1].y rows[2].y = rows[1].x - rows[3].x sum = sum + rows[1].x * 3 + rows[2].y`,
	`local a = rows[p.k] if a then rows[2].x = a.x + 1 a.y = rows[2].x + a.x else a = rows[p.k + 1] end a.x = a.x % 50 sum = sum + a.x + a.y`,
	`exit local best for _, c in ipairs(rows) do if not best or c.y < best.y then best = c end end if p.x % 20 == 3 then grow[#grow + 1] = best end sum = sum + best.x`,
	`exit local best = rows[p.k + 2] if p.x % 30 == 4 then print(best.x, best == rows[p.k + 2], best ~= rows[1]) end sum = sum + (best and best.x or 0)`,
	`exit local best = rows[p.k + 2] best = p.x % 40 ~= 3 and rows[1] or best sum = sum + (best and best.x or 0)`,
	`exit local best for i = 1, 5 do if rows[i].x == p.k then best = rows[i] end end local ok = pcall(function() sum = sum + best.x end) if not ok then sum = sum + 1 end`,
	`exit local best = p.k == 2 and p.k or rows[1] if p.k == 2 then sum = sum + best else sum = sum + best.x end`,
	`exit local best = rows[1] if p.x == 50 then best = { x = 3, y = 4 } end sum = sum + best.x`,
	`exit local best = rows[1] if p.x == 50 then best = fixed[2] end sum = sum + best.x`,
	`exit local best = rows[2] if p.x == 70 then rows[2] = { x = 1, y = 2, to = 1 } end best.x = best.x + 1 sum = sum + rows[2].x`,
	`exit local best for i = 1, #made do if made[i].x > p.k + 50 then best = made[i] end end if p.x == 8 then made[#made + 1] = { x = 99, y = 1, to = 1 } end sum = sum + (best and best.y or 5)`,
}

const heldTablesSource = `local ecs = require("ecs")
ecs.component("P", { x = "f64", k = "i32", s = "string" })
local fixed = { { x = 11, y = 2 }, { x = 31, y = 4 }, { x = 55, y = 7 }, { x = 77, y = 8 }, { x = 98, y = 1 } }
local rows = { { x = 1, y = 2, to = 3 }, { x = 3, y = 4, to = 5 }, { x = 5, y = 6, to = 2 }, { x = 7, y = 8, to = 1 }, { x = 9, y = 0, to = 9 } }
local texts = { { x = 1, name = "a" }, { x = 3, name = "b" }, { x = 2, name = "c" } }
local far = { [10] = { x = 1, y = 2 }, [20] = { x = 3, y = 4 }, [1000] = { x = 5, y = 6 } }
local grow = {}
return { init = function(world)
  for i = 1, 120 do world:spawn{ P = { x = i, k = i % 4, s = "s" .. (i * 7) % 4 } } end
end, update = function(world, dt)
  local sum, made = 0, {}
  for i = 1, 6 do made[i] = { x = i * 17 % 60, y = i * 5 % 7, to = i } end
  for e, p in world:each("P") do BODY end
  for i = 1, #grow do grow[i].x = grow[i].x + 1 end
  print(sum, #grow, #made)
  for i = 1, 5 do print(rows[i].x, rows[i].y) end
  for i = 10, 20, 10 do print(far[i].x, far[i].y) end
  for i = 1, #made do print(made[i].x, made[i].y) end
end }`

// A variable that holds a table of a list is that table: what is written through it is in the list, and it keeps the table when another
// variable is assigned.
func TestHeldTables(t *testing.T) {
	t.Parallel()
	for _, body := range heldTables {
		text, exits := strings.CutPrefix(body, "exit ")
		sameCompiled(t, strings.Replace(heldTablesSource, "BODY", text, 1), body, func(impl Impl, did loops.Tally) bool {
			return exits || impl != Auto || did.Machine > 300 && did.Closures == 0
		})
	}
}

// A table that has something at the key that stands for nil is used as any other.
func TestHeldTablesAtNoKey(t *testing.T) {
	source := strings.Replace(heldTablesSource, "[1000] =", fmt.Sprintf("[%v] =", lower.NoKey), 1)
	for _, body := range []string{
		`local best for i = 1, 3 do local c = far[i * 10] if c and c.x > 2 and p.k == 1 then best = c end end if best then best.x = best.x + 1 sum = sum + best.x end`,
		`local best = far[p.k * 10] if best then sum = sum + best.x else sum = sum + 1 end best = nil if best then sum = sum + best.y end`,
	} {
		sameCompiled(t, strings.Replace(source, "BODY", body, 1), body, func(Impl, loops.Tally) bool { return true })
	}
}
