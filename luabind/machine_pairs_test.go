package luabind

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// pairLoops are inner loops over a query that add up something of all rows. two says that machine code does two rows at once.
var pairLoops = []struct {
	name string
	two  bool
	body string
}{
	{"written into what is read", true, `
	local ax, ay, px, py = 0, 0, pos.x, pos.y
	for other, q in world:each("Position") do
		local dx, dy = q.x - px, q.y - py
		local d2 = dx * dx + dy * dy + 0.01
		local inv = 0.5 / (d2 * math.sqrt(d2))
		ax = ax + dx * inv
		ay = ay + dy * inv
	end
	pos.x, pos.y = px + ax, py + ay`},
	{"sums that cancel, zeros and no numbers", true, `
	local a, b, c, d = -0, 1e300, 0, 0
	for other, q in world:each("Position") do
		local v = q.x / (q.y - pos.y)
		a = a + v
		b = b + math.sqrt(q.x - pos.x)
		c = c + 0 / (q.x * 0 - 1)
		d = d + 1 / (q.y - 3)
	end
	pos.x, pos.y = a, c / 2 + 1 / d
	if b == b then pos.y = b end`},
	{"two components", true, `
	local sum = 0
	for other, v, q in world:each("Velocity", "Position") do
		sum = sum + v.dx * q.y / (1 + v.dy * v.dy)
	end
	pos.x = sum`},
	{"constants only", false, `
	local sum = 0
	for other, q in world:each("Position") do
		sum = sum + 1 / 3
	end
	pos.x = pos.x + sum`},
	{"a value that is used behind the loop", false, `
	local sum, last = 0, 0
	for other, q in world:each("Position") do
		last = q.x / 3
		sum = sum + last
	end
	pos.x, pos.y = sum, last`},
	{"a sum that is read", false, `
	local sum, more = 0, 0
	for other, q in world:each("Position") do
		sum = sum + q.x / 3
		more = more + sum / 2
	end
	pos.x, pos.y = sum / 16, more / 1024`},
	{"a value of the row before", false, `
	local before, sum = 0, 0
	for other, q in world:each("Position") do
		sum = sum + before / 2
		before = q.x
	end
	pos.x = sum / 8`},
	{"a branch", false, `
	local sum = 0
	for other, q in world:each("Position") do
		if q.x > 3 then sum = sum + 1 / q.x end
	end
	pos.x = sum`},
}

// Inner loops that do two rows at once have the bits of the interpreter, for any number of rows in any number of tables, and use the same fuel as
// closures.
func TestPairsOfInnerRows(t *testing.T) {
	t.Parallel()
	for _, c := range pairLoops {
		for _, n := range []int{0, 1, 2, 3, 4, 7, 30} {
			for _, limit := range []uint64{0, 90, 333, 2000, 9001} {
				reference := Lua
				if limit > 0 {
					reference = Closures
				}
				want, got := pairsOf(t, c.body, reference, n, limit), pairsOf(t, c.body, Auto, n, limit)
				if got != want {
					t.Fatalf("%s, %d rows, limit %d:\n%s\nwant\n%s", c.name, n, limit, got, want)
				}
			}
		}
	}
}

// pairsOf is what three frames make of a world with n entities in each of two tables, and one without a velocity.
func pairsOf(t *testing.T, body string, impl Impl, n int, limit uint64) string {
	t.Helper()
	var out strings.Builder
	w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
	declareForTests(t, w)
	pos, _ := w.LookupComponent("Position")
	vel, _ := w.LookupComponent("Velocity")
	for i := range 2*n + min(n, 1) {
		ids := []ecs.ComponentID{pos, vel}
		if i%2 == 1 {
			ids = ids[:1]
		}
		e, err := w.Spawn(ids...)
		if err == nil {
			_, err = w.Set(e, pos, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(i*7%31) / 4)}, ecs.FieldValue{Index: 1, Value: ecs.Number(float64(i*5%13) - 6)})
		}
		if err == nil && i%2 == 0 {
			_, err = w.Set(e, vel, ecs.FieldValue{Index: 0, Value: ecs.Number(float64(i)/3 - 2)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := New(Options{
		Log: strictLog(t), World: w, Limits: Limits{OnError: Skip, Instructions: limit}, Report: func(e *ScriptError) { fmt.Fprintln(&out, e) },
		Scripts: files(map[string]string{"a": "return function(world, dt)\nfor e, pos in world:each(\"Position\") do" + body + "\nend end"}),
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err := r.Frame(context.Background(), 0.5)
		fmt.Fprintf(&out, "%x %v %d\n", w.Digest(), err, map[bool]int64{true: r.state.Budget().Used()}[limit > 0])
	}
	if impl == Auto && limit == 0 && n > 0 && r.runner("a.lua").MachineKernels() != 1 {
		t.Errorf("it is not machine code:\n%s", body)
	}
	return out.String()
}

// Two rows at once show in the code as a division or a root of vectors, in loops that package packing leaves alone.
func TestWhichInnerLoopsDoTwoRows(t *testing.T) {
	t.Parallel()
	for _, c := range pairLoops {
		w := ecs.NewWorld(ecs.Options{Seed: 1, Memory: restlessMemory()})
		declareForTests(t, w)
		r, err := run(t, Options{World: w, Scripts: files(map[string]string{"a": "return function(world, dt)\nfor e, pos in world:each(\"Position\") do" + c.body + "\nend end"})}, 1,
			System{Name: "a", Script: "a.lua"})
		if err != nil {
			t.Fatal(err)
		}
		text := r.Explain()[0].Dump()
		if two := strings.Contains(text, "f64x2.div") || strings.Contains(text, "f64x2.sqrt"); two != c.two {
			t.Errorf("%s: two rows at once: %v", c.name, two)
		}
	}
}
