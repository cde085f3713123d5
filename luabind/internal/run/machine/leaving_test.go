package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/lower"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// What stands in rare branches: what batches of vectors and the fast path do not do. $ is a field of the rows.
var rare = []string{
	"list[2] = list[2] + $", "list[1] = $ list[3] = list[1]", "$ = ecs.random()", "$ = ecs.random(6) + sum", "for i = 1, 3 do sum = sum + i end", "$ = math.sin($)",
	"break", "return $, n", "if $ > 9 then break end $ = 1", "sum = sum + math.exp($)", "local o = world:get(e, \"W\") if o then o.n = o.n + 1 end", "last = math.cos($) count = count + 1",
	`word = "rare"`, `if word == "rare" then $ = 5 end word = "b"`, "best = $ ^ 2",
}

// leavingBody puts rare branches among the statements of a random body.
func leavingBody(rng *rand.Rand, body, names string) string {
	lines := strings.Split(strings.TrimSpace(body), "\n")
	view := strings.ToLower(names[:1])
	field := func() string { return view + "." + componentFields[view][rng.IntN(2)] }
	for range 1 + rng.IntN(3) {
		text := rare[rng.IntN(len(rare))]
		text = strings.ReplaceAll(text, "$", field())
		limit := []string{"-800", "-300", "-100", "0", "-1e9"}[rng.IntN(5)]
		test := field() + " < " + limit
		switch rng.IntN(6) {
		case 0:
			test += []string{" and sum < 1e9", " and list[2] > 1", " and ecs.random() < 0.5", " and world:get(e, \"W\")"}[rng.IntN(4)]
		case 1:
			test = fmt.Sprintf("math.floor(%s) %% %d == 0", field(), 2+rng.IntN(60))
		case 2:
			test += fmt.Sprintf(" and %s > %s", field(), field())
		}
		text = "if " + test + " then " + text + " end"
		if rng.IntN(8) == 0 {
			text = "if " + test + " then " + field() + " = 3 end"
		}
		if rng.IntN(6) == 0 {
			text = strings.TrimSuffix(text, "end") + "else " + field() + " = " + field() + " + 1 end"
		}
		at := rng.IntN(len(lines) + 1)
		lines = append(lines[:at], append([]string{text}, lines[at:]...)...)
	}
	return strings.Join(lines, "\n")
}

// leavingBed has tables of rows with the values of a seed, and a component W that some other entity may lack.
func leavingBed(t testing.TB, seed uint64, rows []int, names string) *bed {
	values := rand.New(rand.NewPCG(seed, 9))
	quiet := values.IntN(2) == 0 // rare branches are rare
	b := newBeds(t, rows, names, func() float64 {
		switch {
		case quiet && values.IntN(100) > 0:
			return math.Abs(math.Round(values.NormFloat64()*400)) / 4
		case values.IntN(30) == 0:
			return nasty[values.IntN(len(nasty))]
		}
		return math.Round(values.NormFloat64()*400) / 4
	})
	w := ecs.MustRegister[struct{ N float64 }](b.world, "W")
	bundle, err := b.world.Bundle(b.ids[0], w.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.SpawnMany(5, nil); err != nil {
		t.Fatal(err)
	}
	return b
}

// leave runs a body that rows may leave, and says what came of it; false if the code is not what is asked for.
func (b *bed) leave(body string, inputs map[string]float64, fuel int64, compile func(p *ir.Program) kernel.Kernel) (seen string, ok bool) {
	p, template, reason := b.program(body)
	if reason != nil {
		return "", false
	}
	code := compile(p)
	if k, is := code.(*Kernel); is && k == nil {
		return "", false
	}
	for i := range p.Tables {
		code.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
	}
	return b.outcome(code, p, template, inputs, fuel), true
}

// outcome is trace, with results, tables and the digest of the world.
func (b *bed) outcome(code kernel.Kernel, p *ir.Program, template *lower.Template, inputs map[string]float64, fuel int64) string {
	seen := b.trace(code, p, template, inputs, fuel)
	for _, r := range code.Results() {
		seen += r.S + same64(r.N) + "\n"
	}
	return seen + b.world.Digest().String()
}

// sameLeaving compares a random body with rare branches as closures and as code. It reports whether there was a fast path.
func sameLeaving(t testing.TB, seed uint64) (fast bool) {
	body, names := randomMirrored(seed)
	rng := rand.New(rand.NewPCG(seed, 6))
	body = leavingBody(rng, body, names)
	defer func() {
		if t.Failed() {
			t.Logf("seed %d, components %s\n%s", seed, names, body)
		}
	}()
	rows := []int{1 + rng.IntN(90), 1 + rng.IntN(1200)}
	inputs := map[string]float64{"u": nasty[rng.IntN(len(nasty))], "v": rng.Float64()*4 - 2, "n": float64(rng.IntN(6)), "flag": float64(rng.IntN(2)), "sum": 0.5, "count": 0}
	fuel := int64(0)
	if rng.IntN(3) == 0 {
		fuel = int64(1 + rng.IntN(20000))
	}
	bed := func() *bed { return leavingBed(t, seed, rows, names) }
	b := bed()
	want, ok := b.leave(body, inputs, fuel, func(p *ir.Program) kernel.Kernel { return closures.Compile(p, b.budget) })
	if !ok {
		return false
	}
	try := func(list []packing.Form) {
		b := bed()
		got, ok := b.leave(body, inputs, fuel, func(p *ir.Program) kernel.Kernel {
			k := b.machine(p, list, false)
			if k != nil {
				k.watch.Stop()
				fast = fast || k.unit.FastPath
			}
			return k
		})
		if ok && got != want {
			t.Errorf("seed %d, components %s, rows %v, inputs %v, fuel %d, %v\n%s\n%s", seed, names, rows, inputs, fuel, list, body, differences(want, got))
		}
	}
	try(nil)
	try(packing.Forms)
	return fast
}

// Rows that leave the fast path are done as closures do them, and the rows beside them, too.
func TestLeavingRandom(t *testing.T) {
	t.Parallel()
	fast, programs := 0, *packedSeeds
	if programs == 0 {
		programs = effort.Of(150)
	}
	for seed := range uint64(programs) {
		if sameLeaving(t, *packedFrom+seed) {
			fast++
		}
	}
	if fast < programs/10 {
		t.Errorf("of %d programs, %d have a fast path", programs, fast)
	}
}

// Where code with a fast path would take too long to compile, there is code without them.
func TestFastPathsWithinTheLimit(t *testing.T) {
	b := newBed(t, 10, "A", func() float64 { return 1 })
	fast, without := 0, 0
	for n := 150; ; n++ {
		body := strings.Repeat("a.x = a.x * 2 + a.y a.y = a.y * 3 - a.x ", 4) + "if a.y < -3 then " + strings.Repeat("list[a.x] = list[a.y] + list[a.x + 1] ", n) + "end"
		p, _, reason := b.program(body)
		if reason != nil {
			t.Fatal(reason)
		}
		u, err := emitFor(p, b.query, b.world, packing.Forms, false, 0)
		if err != nil {
			break
		}
		if u.FastPath {
			fast++
		} else if fast > 0 {
			without++
		}
	}
	if fast == 0 || without == 0 {
		t.Errorf("%d bodies have a fast path, and %d larger ones have none", fast, without)
	}
}
