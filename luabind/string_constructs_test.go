package luabind

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// stringConstructs are loop bodies about strings, and tables that are looked up by them: see constructs. They run in worlds where the component B has a
// string.
var stringConstructs = []string{
	// tables that are looked up by strings
	"p.x = speed[word]", "p.x = speed[q.s]", "p.x = speed[q.s] or 1", "if speed[q.s] then p.x = 1 end", "if not speed[q.s] then p.x = 1 end", "p.b = speed[q.s] == nil", "p.b = speed[q.s] ~= nil", "local t = speed[q.s] if t then p.x = t else p.y = 2 end", "local t = speed[q.s] p.x = t or 3", "local t = speed[q.s] t = t or 2 t = t + 1 p.x = t",
	"p.x = p.b and speed[q.s] or 7", "p.x = speed[q.s] * dt + speed[word]", "q.s = after[q.s]", "q.s = after[q.s] or \"calm\"", "q.s = after[after[q.s] or \"s\"] or word", "if after[q.s] == \"s\" then p.x = 1 end", "p.b = calms[q.s]", "if calms[q.s] then p.x = 1 end", "p.b = calms[q.s] or p.b", "p.b = not calms[q.s]", "p.b = calms[q.s] == nil",
	"local r = rules[q.s] if r then p.x = p.x - r.dps * dt end", "p.x = rules[q.s].dps", "local r = rules[q.s] if r and r.on then p.x = r.dps end", "local r = rules[q.s] if r then q.s = r.name or word end", "if rules[q.s] then if rules[q.s].on then p.x = 1 elseif rules[q.s].name == \"c\" then p.x = 2 end end", "local r = rules[q.s] or rules[word] p.x = r.dps", "local r = rules[q.s] p.b = r ~= nil", "local r = rules[q.s] if not r then goto next end p.x = r.dps ::next::",
	"p.x = rules.calm.dps + rules.s.dps", "p.x = rules.none.dps", "p.x = rules[q.s].none", "local r = rules[q.s] if r and r.none then p.x = 1 end", "p.x = rules[q.s]", "p.x = rules[word].dps + rules.calm.dps", "local r = rules[q.s] text = r and r.name or \"none\"", "local function f() end", "local r = rules[q.s] r = nil",
	"by[q.s] = (by[q.s] or 0) + 1", "by[word] = (by[word] or 0) + p.x", "local w = q.s by[w] = (by[w] or 0) + p.x by[w] = by[w] * 2", "if by[q.s] then by[q.s] = by[q.s] + 1 else by[q.s] = p.x end", "seen[q.s] = true", "if not seen[q.s] then seen[q.s] = true n = n + 1 end", "after[q.s] = word", "speed[q.s] = p.x", "speed[q.s] = speed[q.s] + 1", "by[q.s] = p.x by[word] = 1 if p.x > 3 then p.i8 = 300 end",
	"stats[q.s].n = stats[q.s].n + 1", "local r = stats[q.s] if r then r.n = r.n + p.x end", "local r = stats[q.s] if r then r.m = p.x n = n + r.m end", "rules.calm.dps = p.x", "speed[q.s] = true", "speed[q.s] = nil", "speed[q.s] = q.s", "by.total = 1 by[q.s] = 2", "p.x = speed.calm + speed[q.s]", "speed.calm = p.x n = n + speed[q.s]", "p.x = empty[q.s].y", "p.x = speed[p.b]", "p.x = speed[e]",
	"local a, b = speed[q.s], speed[word] p.x = (a or 1) + (b or 2)", "p.x, q.s = speed[q.s] or 1, after[q.s] or \"\"", "return speed[q.s]", "if p.b then return rules[q.s] end", "n = n + twice(speed[q.s])", "n = n + clamp(p.x, speed[q.s])", "text = after[word]", "best = speed[q.s]", "for i = 1, 2 do by[q.s] = (by[q.s] or 0) + i end", "p.x = conf.speed + conf.title.speed", "while (by[q.s] or 0) < 3 do by[q.s] = (by[q.s] or 0) + 1 end",
	// strings that rows make
	"q.s = \"hp \" .. p.x", "q.s = q.s .. \"!\"", "q.s = p.x .. \",\" .. p.y .. \";\" .. p.i8", "text = text .. p.x", "text = q.s .. word", "q.s = e .. word", "q.s = p.x / 0 .. \"\" .. -(p.x * 0) .. \"\" .. 0 / 0", "q.s = word .. p.b", "q.s = word .. (p.b and 1 or \"one\")", "if q.s .. \"\" == \"calm\" then p.x = 1 end", "p.x = speed[\"cal\" .. \"m\"] or 0", "by[q.s .. \"+\"] = p.x", "q.s = word .. (speed[q.s] or \"none\")", "q.s = word .. speed[q.s]", "q.s = after[q.s] .. word",
	"local s = word for i = 1, 9 do s = s .. s end q.s = s", "local s = \"\" for i = 1, 3 do s = s .. i .. \",\" end text = s", "q.s = word .. twice(p.x)", "local s = q.s .. \"a\" p.i8 = p.i8 + 100 q.s = s", "if p.b then q.s = \"yes\" .. p.x else q.s = \"no\" end", "world:send(\"Hit\", { s = q.s .. p.x, f = 1 })", "return q.s .. 1", "q.s = p.x * 1e15 .. \"|\" .. p.y * 0.1", "for i = 1, 70 do text = text .. \"abcd\" end",
	"world:send(\"Hit\", { s = q.s, f = speed[q.s] or 1 })", "cmd:set(e, \"B\", { s = after[q.s] or \"x\" })",
}

// stringSeed is that of a world where B has a string.
const stringSeed = 4

// Each of these constructs does as closures and as machine code what it does interpreted.
func TestStringConstructsAlike(t *testing.T) {
	t.Parallel()
	const most = 8 // systems in one world
	seed := uint64(stringSeed)
	for list := range slices.Chunk(stringConstructs, most) {
		var sources []string
		for _, body := range list {
			sources = append(sources, constructHead+body+"\nend print(found, n, best, text, k, shown(speed), shown(after), shown(calms), shown(by), shown(seen), "+
				"stats.calm.n, stats.s.n, stats.calm.m, rules.calm.dps, conf.speed, world:count(\"A\")) end")
		}
		want, _ := kernelTrace(t, seed, Lua, sources...)
		for _, impl := range []Impl{Closures, Auto} {
			if got, _ := kernelTrace(t, seed, impl, sources...); got != want {
				t.Errorf("seed %d, %v: got\n%s\ninterpreted\n%s\n%s", seed, impl, got, want, strings.Join(list, "\n"))
			}
		}
		seed += 4
	}
}

// Each of these constructs becomes the recorded program and code: see TestRecordedConstructs.
func TestRecordedStringConstructs(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, body := range stringConstructs {
		r := loaded(t, stringSeed, constructHead+body+"\nend print(found, n, best, text) end")
		for _, l := range r.runner("a.lua").Loops {
			if l.Line != 21 {
				continue
			}
			program, code := becomes(r, l)
			fmt.Fprintf(&out, "%s\n  %s\n", body, strings.TrimSuffix(program, "\n"))
			if code != "" {
				fmt.Fprintf(&out, "  code: %s\n", code)
			}
		}
	}
	recorded(t, "strings.txt", out.String())
}
