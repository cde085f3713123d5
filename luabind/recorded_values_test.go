package luabind

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// valuesHead is what stands around each body of valueConstructs: constructHead with functions that return more than is wanted, change variables from around
// the loop, and give views. The loop stands in the last line, without its sources.
var valuesHead = strings.Replace(constructHead, "return function(world, dt)", `local redRows = ecs.query{ "A", "B", tagged = { "red" }, optional = { "C" } } local function extra(x) return x, random() end local function tagged(w, e, x) return x, w:tag(e, "red") end local function only(x) return x end
local function bump() k = k + 1 return k end local function turn() flag = not flag return flag end local function step() if k > 1 then k = k + 1 end return k end
local function find(w, e) if w:alive(e) then return w:get(e, "A") end return w:get(e, "A") end local function seek(w, e) local at = w:get(e, "A") if at then return at end return nil end local function two(w, e) if w:alive(e) then return w:get(e, "A"), 1 end return nil, 2 end
local function of(row, x) return row.x + x end local function first(row) return row.x end local function touch(w, e) w:tag(e, "blue") end local function nothing() end local function ends(x) if x > 1 then return end k = x end
return function(world, dt)`, 1)

// loopsAround are the loops that each body stands in: all rows with a component that may be missing, and rows of a tag.
var loopsAround = []string{"world:each(all)", "world:each(redRows)"}

// valueConstructs are loop bodies with more values than are wanted, or fewer, wherever Lua has lists of values, and with what must keep its order there.
var valueConstructs = []string{
	`local a = 1, world:tag(e, "red")`, "local a, b = 1, 2, random()", "local a = random(), random(3) p.x = a", "local a = p.x, q.v p.y = a", "local a = 1, list[1]", "local a = 1, list[p.i8] p.x = a", "local a = 1, judge(p.x) p.y = a", "local a = 1, step() p.x = a", `local a = 1, world:get(q.e, "A").x`,
	`local at = world:get(q.e, "A") local a = 1, at.x`, `local a = 1, p.x, world:untag(e, "red"), random()`, "local a, b = judge(p.x), 1, judge(p.y) p.x = a + b", "local row = rows[p.i8], random() p.x = row.x", "local row = rows[p.i8], judge(p.x) p.x = row.x", "local a = 1, e", "local a, b, f = both(p.x, 1), 2 p.x = a", "local a, b = (both(p.x, 1)) p.x = a",
	`p.x = 1, world:untag(e, "red")`, "p.x, p.y = 1, 2, random()", "p.x = 1, 2", "p.x = p.y, random()", "p.x = p.y, step()", "p.x, p.y = 1, step(), step()", "p.x = random(), random()", `p.b = world:tag(e, "red"), world:untag(e, "red")`, "p.x, q.e = 1", "q.e, p.x = e, 1, random()", "p.x, p.y = both(p.x, p.y), 1", "p.x, p.y = 1, both(p.x, p.y)",
	"list[p.i8] = 1, random()", "list[random(2)] = random(), random()", "rows[p.i8].x = 1, step()", "rows[random(2)].x = p.x, 1", "list[step()], p.x = step(), step()", "list[k], p.x = step(), 2", "k, p.x = 1, k", "p.x, k = k, p.x", "k, flag = p.x, p.b, random()", "res.score, p.x = p.x, res.score", "res.small, p.x = 3, 1, random()",
	"p.x = twice(p.y, random())", `p.x = twice(p.y, world:tag(e, "red"), 3)`, "p.x = twice(p.y, list[9])", "p.x = twice(random(), random())", "p.x = twice(step(), step())", "p.x = twice(k, step())", "p.x = of(rows[p.i8], 1)", "p.x = of(rows[p.i8], step())", `p.x = first(rows[p.i8], world:tag(e, "red"))`, "p.x = first(rows[p.i8], random())", "p.x = first(rows[k], bump())", "p.x = first(rows[p.i8], step())", "quiet(p, random())",
	"twice(p.x)", "extra(p.x)", "tagged(world, e, 1)", "only(random())", "only(p.x, random())", "judge(p.x)", "both(p.x, random())", "step()", "bump()", "nothing()", "nothing(random())", "nothing(p.x)", "touch(world, e)", "touch(world, e, random())", "ends(p.x)", "ends(p.x, random())", "find(world, q.e)", "seek(world, q.e)", "p.x = nothing()", "local a = nothing() p.x = a or 1", "local a, b = touch(world, e) p.x = b or 1", "p.x = ends(p.x)",
	"p.x = extra(p.y)", "p.x, p.y = extra(p.y)", "p.x = (extra(p.y))", "local a = extra(p.y) p.x = a", "local a, b = extra(p.y) p.x = b", "local a, b, f = extra(p.y) p.x = f or b", "p.x = extra(p.y) + extra(p.x)", "p.x = tagged(world, e, p.y)", "p.x = math.max(extra(p.x))", "p.x = math.max(1, extra(p.x))", "p.x = math.max(extra(p.x), 1)", "p.x = both(extra(p.x))", "p.x = both(1, extra(p.x))", "list[extra(2)] = 1",
	"for i = extra(1), extra(3) do p.x = i end", "for i = 1, 3, extra(1) do p.x = i end", "if extra(p.x) > 1 then p.x = 1 end", "if tagged(world, e, p.b) then p.x = 1 end", "while extra(p.x) > 1 do p.x = p.x / 2 end", "return extra(p.x)", "return 1, extra(p.x)", "return (extra(p.x))", "return p.x, random(), step()", "return step(), k", "return k, step()", "return rows[1].x, e",
	"p.x = k + bump()", "p.x = bump() + k", "p.x = k + step()", "p.x = step() + k", "p.x = p.x + step()", "p.x = step() + p.x", "p.x = n + step()", "p.b = flag == turn()", "p.b = turn() == flag", "p.x = (flag and 1 or 2) + bump()", "p.x = (flag and 1 or 2) + step()", "p.b = turn() == (k > 1)", "p.b = (k > 1) == turn()", "p.x = k * k + step()", "p.x = -k + step()", "p.x = math.max(k, step())", "p.x = math.max(step(), k)", "p.x = math.max(n, k, 1, step())",
	"p.x = judge(p.y) + random()", "p.x = random() + judge(p.y)", "p.x = random() + random() * judge(random())", "p.x = p.x + early(p.y)", "p.x = n + early(p.y)", "local i = p.x p.x = i + early(p.y)", "local a = p.x a = a + judge(a) p.x = a", "p.x = list[1] + step()", "p.x = list[p.i8] + step()", "p.x = rows[1].x + step()", "p.x = res.score + step()", "p.b = e == q.e and step() > 1", "p.b = step() > 1 and e == q.e",
	`local at = find(world, q.e) if at then at.x = 1 end`, `local at = seek(world, q.e) if at then at.x = p.x end`, `local at = seek(world, e) p.x = at.y`, `local at, b = two(world, q.e) if at then at.x = b end`, "local at, b = seek(world, q.e) if at then p.x = at.x end", "local at = find(world, random(3)) if at then p.x = at.x end", "if seek(world, q.e) then p.x = 1 end", "p.b = seek(world, q.e) == nil", `local at = world:get(q.e, "A") at = seek(world, e) if at then at.x = 2 end`,
	`local at = pick(world:get(q.e, "A"), p)`, `local at = pick(world:get(q.e, "A"), world:get(e, "A")) at.y = 1`, `local at = maybe(world:get(q.e, "A")) if at then at.y = 1 end`, "quiet(find(world, e))", `quiet(world:get(e, "A"))`, "quiet(p) quiet(p)", "p.x = first(rows[1])", "p.x = of(rows[1], rows[2].x)",
	// arguments of what the world has, one too few and one too many
	"p.b = world:alive(e, e)", "p.b = world:alive(e, random())", `p.b = world:has(e, "A", "A")`, `p.b = world:has("A", e)`, `p.b = world:tagged(e)`, `p.b = world:tagged(e, "red", "red")`, `p.b = world:tagged("red", e)`, `world:tag(e, e)`, `world:untag(e)`, `world:untag(e, "red", "blue", "red")`, `local at = world:get(e, "A", "B") p.x = at.x`, `local at = world:get() p.x = 1`, `local at = world:get(e, "A", 1) p.x = at.x`,
	`p.x = world:count()`, `p.x = world:count("A", "B")`, `world:tag(random(3), "red")`, `world:tag(step(), "red", "blue")`, `p.b = world:tagged(step(), "red", "blue")`, `p.b = world:has(step(), "A", "B")`, `p.b = world:alive(step())`, "p.x = random(1, 2, 3)", "p.x = random(p.x, step())", "p.x = math.floor(p.x, p.y)", "p.x = math.floor()", "p.x = math.min()", "p.x = math.pow(p.x)", "p.x = math.pow(p.x, 2, random())", "p.x = math.log(p.x, 2)", "p.x = math.sqrt(p.x, random())",
	// effects: each with entities, relations, values and tags in each number, and values that act in each place
	"cmd:despawn(random(3))", "cmd:despawn(step())", `cmd:add(step(), "C", "D")`, `cmd:add(e, "A")`, `cmd:add("C", e)`, `cmd:remove(step(), "C", "D")`, `cmd:remove(e)`, `cmd:remove(e, "Likes")`, `cmd:add(e, "Likes")`, `cmd:add(e, "red")`, `cmd:set(step(), "A", { x = step() })`, `cmd:set(e, "A", { x = random(), y = random(), b = p.b, f = p.f, i8 = 3, i32 = 4, u16 = 5 })`, `cmd:set(e, "A", {})`, `cmd:set(e, "A", { i8 = 128 })`, `cmd:set(e, "A", { u16 = -1 })`,
	`cmd:set(e, "A", { u16 = 65535 })`, `cmd:set(e, "A", { i8 = 127.5 })`, `cmd:set(e, "A", { i8 = -128 })`, `cmd:set(e, "A", { i32 = 2147483648 })`, `cmd:set(e, "A", { b = 1 })`, `cmd:set(e, "A", { x = true })`, `cmd:set(e, "A", { x = "1" })`, `cmd:set(e, "B", { e = q.e, u8 = q.u8 })`, `cmd:set(e, "B", { e = 0 })`, `cmd:set(e, "B", { e = 5 })`, `cmd:set(e, "B", { e = nil })`, `cmd:set(e, "B", { u8 = p.i8 })`, `cmd:set(e, "B", { u8 = q.u8 })`, `cmd:set(e, "B", { u32 = q.u8, i16 = p.i8 })`,
	`cmd:tag(step(), "red")`, `cmd:tag(e)`, `cmd:tag(e, "red", "blue", "red")`, `cmd:tag(e, "rd")`, `cmd:tag(e, word)`, `cmd:untag(step(), "red", "blue")`, `cmd:untag(e)`, `cmd:relate(step(), "Likes", step())`, `cmd:relate(e, "Likes", 0)`, `cmd:relate(e, "Likes", nil)`, `cmd:relate(e, "Likes", e, e)`, `cmd:relate(random(3), "Likes", random(3))`, `cmd:relate(e, "ChildOf", q.e)`, `cmd:relate(e, "A", q.e)`, `cmd:unrelate(step(), "Likes")`, `cmd:unrelate(e, "A")`, `cmd:unrelate(e, "Likes", q.e)`, `cmd:unrelate(e, "Likes", step())`,
	`cmd:spawn{}`, `cmd:spawn{ "red" }`, `cmd:spawn{ "red", "blue", "C" }`, `cmd:spawn{ "red", "red" }`, `cmd:spawn{ "C", "C" }`, `cmd:spawn{ A = {} }`, `cmd:spawn{ A = { x = step(), y = k } }`, `cmd:spawn{ A = { x = k, y = step() } }`, `cmd:spawn{ A = { x = 1 }, B = { u8 = 2 }, C = { x = 3 }, "red" }`, `cmd:spawn{ Likes = e, A = { x = step() } }`, `cmd:spawn{ A = { x = step() }, Likes = step() }`, `cmd:spawn{ Likes = 0 }`, `cmd:spawn{ Likes = { e } }`, `cmd:spawn{ red = true }`,
	`found = cmd:spawn{ "C" }`, `local s = cmd:spawn{ "C" } cmd:set(s, "C", { x = p.x })`, `local s = cmd:spawn{ "C" } cmd:relate(s, "Likes", e) cmd:despawn(s)`, `local s = cmd:spawn{ "C" } p.b = s == e`, `local s, t = cmd:spawn{ "C" }, cmd:spawn{ "D" } cmd:relate(s, "Likes", t)`, `q.e = cmd:spawn{ "C" }`, `p.x = cmd:spawn{ "C" }`, `p.b = world:alive(cmd:spawn{ "C" })`, `cmd:tag(cmd:spawn{ "C" }, "red")`,
	`world:send("Hit", { n = step(), f = k })`, `world:send("Hit", { f = k, n = step() })`, `world:send("Hit", { who = step() })`, `world:send("Hit", { n = 127 })`, `world:send("Hit", { n = 128 })`, `world:send("Hit", { n = -128 })`, `world:send("Hit", { n = -129 })`, `world:send("Hit", { n = 1.5 })`, `world:send("Hit", { n = p.i8 })`, `world:send("Hit", { n = q.u8 })`, `world:send("Hit", { b = 1 })`, `world:send("Hit", { s = p.x })`, `world:send("Hit", { s = p.b and "x" or word })`, `world:send("Hit", { g = p.x, f = p.f })`, `world:send("Hit", { f = random(), g = random(), n = random(3) })`,
	`world:send("Note", {})`, `world:send("Note", { x = 1 })`, `world:send("Note", step())`, `cmd:send("Note")`, `cmd:send("Hit", { f = step(), who = e, s = "x", b = p.b })`, `cmd:send("Hit", { n = 128 })`, `cmd:send("Hit", {}, 1)`, `if p.b then world:send("Hit", { f = p.x }) end world:send("Note")`, `world:send("Hit", { f = extra(p.x) })`, `world:send("Hit", { f = judge(p.x), n = judge(p.y) })`,
	// loops within, with values that act around them
	`for o, r in world:each("A", "C") do n = n + r.x end`, `for o, r, s in world:each("A", "C") do n = n + s.x end`, `for o in world:near("g", step(), step(), 1) do n = n + 1 end`, `for o, d in world:near("g", p.x, p.y, 3) do world:tag(o, "blue") end`, `for o, d in world:near("g", p.x, p.y, 3) do local at = world:get(o, "A") if at then n = n + at.x end end`, `for o, d in world:near("g", extra(1), 1, 1) do n = n + d end`,
	`for o, d in world:near("g", p.x, p.y, 3) do for i = 1, 2 do n = n + d end end`, `for i = 1, 2 do for o, d in world:near("g", p.x, p.y, 3) do n = n + d end end`, `for o, d in world:near("g", p.x, p.y, 3) do if o == e then found = o end end`, `for o, r in world:each("A") do if world:tagged(o, "red") then n = n + r.x end end`, `for o, r in world:each("A") do local at = world:get(o, "C") if at then n = n + at.x end end`, `for o, r in world:each("A") do cmd:despawn(o) end`, `for o, r in world:each(all) do n = n + judge(r.x) end`,
	`for o, r in world:each("A") do r.x = r.x + 1 if r.x > 3 then break end end`, `for o, r in world:each("A") do if r.x > p.x then goto next end n = n + 1 ::next:: end`, `for o, r in world:each("A") do return r.x end`, `for o, r in world:each("A") do if o == e then return o, r.x end end`, `for o, r in world:each("C") do r.x = p.x end`, `for o, r in world:each(reds) do r.x = p.x end`, `for o, r in world:each(news) do r.x = p.x end`, `for o, r in world:each(plain) do p.x = r.x end`, `for o, r in world:each(shorts) do r.x = 1 end`,
	// assignments of nil and to what may be nil
	"best = nil", "if p.x > 1 then best = p.x else best = nil end", "found, n = e, n + 1", "found, best = nil, nil", "local t = best if t then p.x = t end", "local t if p.x > 1 then t = p.x end best = t", "local t t = e if p.b then t = nil end found = t", "local t, u if p.b then t = 1 end if t then u = t end p.x = u or 2", "text = p.b and word or nil", "text = nil", "text = p.b and text or word", "text = res.name", "res.name = text", `res.name = p.b and "a" or "b"`,
	"p.b = q.e == ecs.none", "p.b = ecs.none == q.e", "if q.e ~= ecs.none then p.x = 1 end", "local t = q.e p.b = t == ecs.none", "local t = e p.b = t == q.e", "if q.e == 0 then p.x = 1 end", "local t = q.e if p.b then t = e end if t == found then p.x = 1 end", "p.x = q.e == e and 1 or q.e == ecs.none and 2 or 3",
	"for i = 1, best and 2 or 3 do p.x = p.x + i end if p.x > 3 then best = p.x end", "if best then p.x = 1 else best = p.y end", "while best == nil do best = p.x end", "repeat best = 1 until best", "p.x = best or found or 1", "p.b = best and true or false", "p.b = not best", "p.b = best == p.x", "p.b = found == e", "p.b = found == nil or found == q.e", "if found ~= q.e then found = q.e end", "q.e = found", "local t = found if t == e then p.x = 1 end",
}

// endsAlways says that a body of valueConstructs ends, whatever the values are.
func endsAlways(body string) bool {
	for _, text := range []string{"while ", "repeat ", "extra(3) do", "3, extra(1) do", "step(), step(), 1)"} {
		if strings.Contains(body, text) {
			return false
		}
	}
	return true
}

// valueSource is the script of a body in one of loopsAround.
func valueSource(body, loop string) string {
	return strings.Replace(valuesHead, "world:each(all) do", loop+" do", 1) + body + "\nend print(found, n, best, text, k, flag, list[1], list[2], rows[1].x, rows[2].y, res.score, res.small, res.name) end"
}

// writeBrief writes what a loop becomes: the statements, or the reason why it is interpreted, and a checksum of the outline of its code.
func writeBrief(out *strings.Builder, r *Runtime, l *loops.Loop) {
	program, code := becomes(r, l)
	fmt.Fprintf(out, "  %s\n", strings.TrimSuffix(program, "\n"))
	if size, _, ok := strings.Cut(code, " layout "); ok {
		code = fmt.Sprintf("%s, outline %08x", size, crc32.ChecksumIEEE([]byte(code)))
	}
	if code != "" {
		fmt.Fprintf(out, "  code: %s\n", code)
	}
}

// Each of the bodies becomes the recorded program and the recorded code, or is refused for the recorded reason.
func TestRecordedValues(t *testing.T) {
	line := strings.Count(valuesHead[:strings.Index(valuesHead, "for e, p, q, c in")], "\n") + 1
	var out strings.Builder
	for _, loop := range loopsAround {
		for _, body := range valueConstructs {
			r := loaded(t, 1, valueSource(body, loop))
			fmt.Fprintf(&out, "%s\n", body)
			for _, l := range r.runner("a.lua").Loops {
				if l.Line == line {
					writeBrief(&out, r, l)
				}
			}
		}
	}
	recorded(t, "values.txt", out.String())
}

// Each of them does as closures and as machine code what it does interpreted.
func TestValuesAlike(t *testing.T) {
	t.Parallel()
	seed, every := uint64(1), uint64(4) // every fourth chunk
	switch {
	case !effort.More():
		every = 8
	case effort.Full():
		every = 1
	}
	for i, loop := range loopsAround {
		for list := range slices.Chunk(valueConstructs, 20) {
			if seed/2%every != 0 {
				seed += 2
				continue
			}
			var sources []string
			for _, body := range list {
				if endsAlways(body) {
					sources = append(sources, valueSource(body, loop))
				}
			}
			want, _ := kernelTrace(t, seed+uint64(i), Lua, sources...)
			for _, impl := range []Impl{Closures, Auto} {
				if got, _ := kernelTrace(t, seed+uint64(i), impl, sources...); got != want {
					t.Errorf("seed %d, %v: got\n%s\ninterpreted\n%s\n%s", seed, impl, got, want, strings.Join(list, "\n"))
				}
			}
			seed += 2
		}
	}
}
