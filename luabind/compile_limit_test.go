package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// hostile is a script whose loops take long to compile, were it not for a limit.
type hostile struct {
	name, source string
	refused      string // what explain says of the first loop; "": it becomes machine code
}

func lines(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
		b.WriteByte('\n')
	}
	return b.String()
}

// within is a body inside n constructs.
func within(n int, open, body, end string) string {
	return strings.Repeat(open+"\n", n) + body + "\n" + strings.Repeat(end+"\n", n)
}

// hostileLoop is a script of one loop over A: x, y, a flag b and an entity e.
func hostileLoop(head, body string) string {
	return head + "\nreturn function(world, dt)\nfor e, p in world:each(\"A\") do\n" + body + "\nend\nend"
}

func hostiles() []hostile {
	const tooLarge = "the body is too large, with the functions that become a part of it"
	const tooLong = "it takes too long to compile"
	const grid = `require("ecs").grid("g", { component = "A", x = "x", y = "y", cell = 3 })`
	multiplying := func(of string) string { // each calls the one before it four times
		return "local function f0(x) return x * 2 + 1 end\n" + lines(7, func(i int) string {
			return fmt.Sprintf("local function f%d(x) "+of+" end", i+1, i)
		})
	}
	return []hostile{
		{"for in for", hostileLoop("", within(25, "for i = 1, 2 do", "p.x = p.x + 1", "end")), ""},
		{"while in while", hostileLoop("", within(40, "while p.x > 3 do", "p.x = p.x - 1", "end")), ""},
		{"while in while, deeper", hostileLoop("", within(190, "while p.x > 3 do", "p.x = p.x - 1", "end")), tooLong},
		{"repeat in repeat", hostileLoop("", within(190, "repeat", "p.x = p.x - 1", "until p.x < 0")), tooLong},
		{"flips of tags in while in while", hostileLoop(`require("ecs").tag("red")`, within(100, "while p.x > 3 do", "p.x = p.x - 1 world:tag(e, \"red\")", "end")), tooLong},
		{"variables in while in while", hostileLoop("", lines(100, func(i int) string { return fmt.Sprintf("local v%d = %d", i, i) })+
			within(60, "while p.x > 3 do", lines(100, func(i int) string { return fmt.Sprintf("v%d = v%d + 1", i, (i+1)%100) }), "end")), tooLong},
		{"locals that go on from one another", hostileLoop("", "local v0 = p.x\n"+lines(119, func(i int) string { return fmt.Sprintf("local v%d = v%d * 1.5 + p.y", i+1, i) })+"p.x = v119"), ""},
		{"locals that are alike", hostileLoop("", lines(120, func(i int) string { return fmt.Sprintf("local v%d = p.x * %d + p.y", i, i) })+"p.x = v1"), ""},
		{"statements that are alike", hostileLoop("", lines(900, func(i int) string { return fmt.Sprintf("p.x = p.x * 1.5 + %d", i) })), ""},
		{"conditions that are alike", hostileLoop("", lines(300, func(i int) string { return fmt.Sprintf("if p.x > %d then p.y = %d end", i, i) })), ""},
		{"an expression within its operands", hostileLoop("", "p.x, p.y = p.x"+strings.Repeat(" * p.y", 140)+", p.y"+strings.Repeat(" * p.x", 140)), ""},
		{"commands", hostileLoop("", strings.Repeat("world.commands:set(e, \"A\", { x = 1, y = p.x })\n", 900)), tooLong},
		{"loops after each other", hostileLoop("", strings.Repeat("while p.x > 3 do p.x = p.x - 1 end\n", 300)), tooLong},
		{"jumps to one place", hostileLoop("", lines(200, func(i int) string { return fmt.Sprintf("if p.x == %d then goto continue end p.y = p.y + 1", i) })+"::continue::"), ""},
		{"functions in functions, as expressions", hostileLoop(multiplying("return f%[2]d(x) + f%[2]d(x) + f%[2]d(x) + f%[2]d(x)"), "p.x = f7(p.y)"), tooLarge},
		{"near in near", hostileLoop(grid, within(5, "for o in world:near(\"g\", p.x, p.y, 3) do", "p.x = p.x - 1", "end")), ""},
		{"many loops that call a large function", "local function big(x)\n" + strings.Repeat("x = x + 1\n", 4000) + "return x end\nreturn function(world)\n" +
			strings.Repeat("for e, p in world:each(\"A\") do p.x = big(p.x) end\n", 5000) + "end", tooLarge},
	}
}

// hostileRuntime has loaded a script over A.
func hostileRuntime(t testing.TB, source string) *Runtime {
	t.Helper()
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	schema, err := ecs.NewSchema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64}, ecs.Field{Name: "b", Type: ecs.Bool}, ecs.Field{Name: "e", Type: ecs.EntityField})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.DeclareComponent("A", schema); err != nil {
		t.Fatal(err)
	}
	r, err := New(Options{Log: strictLog(t), World: w, Scripts: files(map[string]string{"a": source})})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua"})
	}
	if err == nil {
		err = r.Load()
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Compiling ends, whatever the body; some of these took longer than anybody would wait.
func TestCompilingEnds(t *testing.T) {
	for _, c := range hostiles() {
		t.Run(c.name, func(t *testing.T) {
			r := hostileRuntime(t, c.source)
			first := r.Explain()[0]
			if got := first.Reason + first.Closures; got != c.refused {
				t.Errorf("explain says %q, want %q", got, c.refused)
			}
			if err := r.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A run that is to end does not compile what it will not run.
func TestCancelledStartCompilesNothing(t *testing.T) {
	r := hostileRuntime(t, "return function(world)\nfor e, p in world:each(\"A\") do p.x = 1 end\nend")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.Start(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if r.ahead {
		t.Error("a loop was compiled")
	}
}

// Loops beyond the first hundred of a file are interpreted, and explain says so.
func TestLoopsBeyondTheMost(t *testing.T) {
	r := hostileRuntime(t, "return function(world)\n"+strings.Repeat("for e, p in world:each(\"A\") do p.x = 1 end\n", 150)+"end")
	compiled, refused := 0, 0
	for _, l := range r.Explain() {
		switch l.Reason {
		case "":
			compiled++
		case "the file has too many loops":
			refused++
		default:
			t.Errorf("line %d: %s", l.Line, l.Reason)
		}
	}
	if err := r.Frame(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if n := r.runner("a.lua").Kernels(); compiled != n || compiled+refused != 150 || refused == 0 {
		t.Errorf("explain says %d are compiled and %d are too many; %d were made", compiled, refused, n)
	}
}
