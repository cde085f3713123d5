package luabind

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A coverageAuthor writes a random system twice: as it is, and with a call of hit in front of each statement, which is an independent count of the lines
// that run. Each statement has a line of its own, and the lines of both texts agree.
type coverageAuthor struct {
	*rand.Rand
	plain, counted strings.Builder
	number         int // of lines so far
	names, depth   int
	loops          int  // around, in the same function
	lasts          bool // the function around is a coroutine that never ends
	lines          []int
}

// line writes a line on which nothing begins that executes.
func (g *coverageAuthor) line(text string) {
	g.number++
	fmt.Fprintln(&g.plain, text)
	fmt.Fprintln(&g.counted, text)
}

// stmt writes a line that a statement begins on.
func (g *coverageAuthor) stmt(format string, args ...any) {
	g.number++
	g.lines = append(g.lines, g.number)
	text := fmt.Sprintf(format, args...)
	fmt.Fprintln(&g.plain, text)
	fmt.Fprintf(&g.counted, "hit(%d) %s\n", g.number, text)
}

// condition writes a line with a condition that is counted: "elseif X then", "until X".
func (g *coverageAuthor) condition(before, condition, after string) {
	g.number++
	g.lines = append(g.lines, g.number)
	fmt.Fprintln(&g.plain, before, condition, after)
	fmt.Fprintf(&g.counted, "%s hit(%d) or (%s) %s\n", before, g.number, condition, after)
}

func (g *coverageAuthor) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

func (g *coverageAuthor) truth() string {
	list := []string{"n % 2 == 0", "n % 3 == 1", "n > 10", "n < 4", "true", "true", "n > -1", "false", "(n > 5 and n % 2 == 0)", "not (n < 100)", "nil", "f(n) > 3"}
	return list[g.IntN(len(list))]
}

func (g *coverageAuthor) block() {
	g.depth++
	for range g.IntN(4) {
		g.any()
	}
	g.depth--
}

// last writes a statement that ends a block, or none.
func (g *coverageAuthor) last() {
	switch {
	case g.IntN(20) == 0 && !g.lasts:
		g.stmt("return n")
	case g.loops > 0 && g.IntN(6) == 0:
		g.stmt("break")
	}
}

func (g *coverageAuthor) loop(body func()) {
	g.loops++
	body()
	g.loops--
}

func (g *coverageAuthor) function(body func()) {
	loops, lasts := g.loops, g.lasts
	g.loops, g.lasts = 0, false
	body()
	g.loops, g.lasts = loops, lasts
}

func (g *coverageAuthor) any() {
	kind := g.IntN(16)
	if g.depth > 2 {
		kind %= 4
	}
	switch kind {
	case 0:
		g.stmt("n = n + 1")
	case 1:
		g.stmt("local %s = n", g.name())
	case 2:
		g.stmt("local %s", g.name())
		g.stmt("local %s", g.name())
	case 3:
		g.stmt("n = math.max(")
		g.line("  n,")
		g.line("  f(n))")
	case 4, 5:
		g.stmt("if %s then", g.truth())
		g.block()
		g.last()
		for range g.IntN(3) {
			g.condition("elseif", g.truth(), "then")
			g.block()
			g.last()
		}
		if g.IntN(2) == 0 {
			g.line("else")
			g.block()
			g.last()
		}
		g.line("end")
	case 6:
		g.stmt("for i = 1, %d do", g.IntN(4))
		g.loop(g.block)
		g.line("end")
	case 7:
		label := g.name()
		g.stmt("for _, v in ipairs({ 1, 2, 3 }) do")
		g.loop(func() {
			g.stmt("if %s then", g.truth())
			g.stmt("goto %s", label)
			g.line("end")
			g.line("do")
			g.block()
			g.line("end")
		})
		g.line("::" + label + "::")
		g.line("end")
	case 8:
		v := g.name()
		g.stmt("local %s = 0", v)
		g.stmt("while %s < 3 do", v)
		g.stmt("%s = %s + 1", v, v)
		g.loop(g.block)
		g.line("end")
	case 9:
		v := g.name()
		g.stmt("local %s = 0", v)
		g.line("repeat")
		g.stmt("%s = %s + 1", v, v)
		g.loop(g.block)
		g.condition("until", fmt.Sprintf("%s > 2 or %s", v, g.truth()), "")
	case 10:
		g.stmt("pcall(function()")
		g.function(func() {
			g.block()
			if g.IntN(2) == 0 {
				g.stmt("error(%q)", "out")
			}
			g.block()
		})
		g.line("end)")
	case 11:
		v := g.name()
		g.stmt("local %s = coroutine.wrap(function()", v)
		g.function(func() {
			g.lasts = true
			for range 2 {
				g.block()
				g.stmt("coroutine.yield(n)")
			}
			g.block()
			g.stmt("while true do")
			g.stmt("coroutine.yield(0)")
			g.line("end")
		})
		g.line("end)")
		for range g.IntN(4) {
			g.stmt("%s()", v)
		}
	case 12:
		v := g.name()
		g.stmt("local function %s(n)", v)
		g.function(func() { g.block(); g.last() })
		g.line("end")
		if g.IntN(2) == 0 {
			g.stmt("%s(n)", v)
		}
	default:
		g.stmt("for e, p in world:each(\"P\") do")
		g.loop(func() {
			g.stmt("p.x = p.x + f(p.x) * 0.5")
			if g.IntN(2) == 0 {
				g.stmt("if p.x > %d then", g.IntN(20))
				g.stmt("p.x = 0")
				if g.IntN(2) == 0 {
					g.condition("elseif", "p.x < 2", "then")
					g.stmt("world.commands:despawn(e)")
				}
				g.line("end")
			}
			if g.IntN(2) == 0 {
				g.block()
			}
		})
		g.line("end")
	}
}

func (g *coverageAuthor) file() (plain, counted string) {
	g.line(`local hit = require("host").hit`)
	g.lines = append(g.lines, g.number)
	g.stmt("local n = 0")
	g.stmt("local function f(x)")
	g.stmt("if x > 6 then")
	g.stmt("return 1")
	g.line("end")
	g.stmt("return x * 0.5")
	g.line("end")
	g.stmt("local M = {}")
	g.stmt("function M.init(world)")
	g.stmt("for i = 1, 8 do")
	g.stmt("world:spawn{ P = { x = i } }")
	g.line("end")
	g.line("end")
	g.stmt("function M.update(world, dt)")
	for range 2 + g.IntN(4) {
		g.any()
	}
	g.line("end")
	g.stmt("return M")
	return g.plain.String(), g.counted.String()
}

// The lines that coverage finds are those that calls in front of the statements find, under every implementation, and counting changes nothing.
func TestCoverageOfRandomFiles(t *testing.T) {
	t.Parallel()
	tried, found := 0, 0
	seeds(60, func(seed uint64) {
		g := &coverageAuthor{Rand: rand.New(rand.NewPCG(seed, 41))}
		plain, counted := g.file()
		hits := map[int]bool{1: true}
		hit := func(args []ecs.Value) ([]ecs.Value, error) {
			hits[int(args[0].Float())] = true
			return []ecs.Value{ecs.Boolean(false)}, nil
		}
		runCovered(t, map[string]string{"main.lua": counted}, Lua, nil, hit)
		want := slices.Sorted(maps.Keys(hits))
		digest := runCovered(t, map[string]string{"main.lua": plain}, Auto, nil, hit)
		for _, impl := range []Impl{Lua, Closures, Auto} {
			c := NewCoverage()
			if got := runCovered(t, map[string]string{"main.lua": plain}, impl, c, hit); got != digest {
				t.Fatalf("seed %d, %v: digest %x, without coverage %x", seed, impl, got, digest)
			}
			f := c.Files()[0]
			ran, not := linesOf(f)
			all := slices.Sorted(slices.Values(append(slices.Clone(ran), not...)))
			if !slices.Equal(ran, want) || !slices.Equal(all, g.lines) {
				t.Fatalf("seed %d, %v: ran %v, want %v; executable %v, want %v\n%s", seed, impl, ran, want, all, g.lines, plain)
			}
			tried, found = tried+len(all), found+len(ran)
		}
	})
	if found < tried/3 || found > tried*9/10 {
		t.Errorf("%d of %d lines ran: the test tests little", found, tried)
	}
}
