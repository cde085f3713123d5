package machine

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// Where there is no memory for what code needs when a run begins, closures do the run, and leave what they always leave. Code that cannot have a frame is
// refused.
func TestRunsWithoutMemory(t *testing.T) {
	pool := ecs.NewPool(2)
	defer pool.Close()
	for name, c := range map[string]struct {
		body     string
		heap     bool
		shares   bool
		closures bool
	}{
		"nothing more":       {"a.x = a.x + 1", false, false, false},
		"a table":            {"numbers[1] = numbers[1] + a.x", false, false, true},
		"other entities":     {`local o = world:get(4294967297 + e % 7, "B") if o then a.x = o.x + 1 end`, false, false, true},
		"a query within":     {`for o, q in world:each("B") do a.x = a.x + q.y end`, false, false, true},
		"blocks":             {"a.x = a.x + b.y", true, false, true},
		"a block of handles": {"if e > 4294967300 then a.x = 1 end", true, false, true},
		"workers":            {"a.x = a.x + 1", false, true, false},
		"shared marks":       {"if a.x > 3 then a.x = 1 end", false, true, false},
	} {
		bed := func() *bed {
			if c.heap {
				return heapBed(t, 70, "AB", true, 0, func() float64 { return 4 })
			}
			return newBed(t, 70, "AB", func() float64 { return 4 })
		}
		run := func(asMachineCode bool) string {
			b := bed()
			p, template, reason := b.program(c.body)
			if reason != nil {
				t.Fatal(reason)
			}
			var code kernel.Kernel = closures.Compile(p, b.budget)
			if asMachineCode {
				k := b.machine(p, packing.Forms, false)
				if c.shares {
					k.sharing.pool, k.unit.Nanoseconds = pool, worthwhile
				}
				defer func() {
					if (k.rest != nil) != c.closures || len(k.sharing.workers) > 0 {
						t.Errorf("%s: closures run: %v, %d workers", name, k.rest != nil, len(k.sharing.workers))
					}
				}()
				defer k.memory.ExhaustForTest()()
				code = k
			}
			for i := range p.Tables {
				code.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
			}
			return b.trace(code, p, template, nil, 0) + b.trace(code, p, template, nil, 0)
		}
		if want, got := run(false), run(true); got != want {
			t.Errorf("%s\n%s", name, differences(want, got))
		}
	}

	b := newBed(t, 7, "A", func() float64 { return 4 })
	p, _, _ := b.program("a.x = a.x + 1")
	r, err := Prepare(p, b.query, b.world, 0)
	if err != nil {
		t.Fatal(err)
	}
	restore := r.memory.ExhaustForTest()
	if _, err := r.Kernel(b.budget, nil); err == nil || !strings.Contains(err.Error(), "no memory is left") {
		t.Errorf("a kernel without a frame: %v", err)
	}
	restore()
	if k, err := r.Kernel(b.budget, pool); err != nil || k.sharing.pool != pool {
		t.Errorf("with memory again: %v", err)
	}
}

// Who is near cannot be found by code without memory: closures do those rows.
func TestNearWithoutMemory(t *testing.T) {
	run := func(asMachineCode, memory bool) (seen string, k *Kernel) {
		b, _ := fullBed(t, over("A"))
		bundle, err := b.world.Bundle(b.ids...)
		if err != nil {
			t.Fatal(err)
		}
		n := 0.0
		if _, err := bundle.SpawnMany(40, func(table *ecs.Table, from, to int) {
			b.fill(table, from, to, func() float64 { n++; return n })
		}); err != nil {
			t.Fatal(err)
		}
		p, template, reason := b.program(`local n = 0 for o, d in world:near("g", 30, 30, 12) do n = n + d end a.y = n`)
		if reason != nil {
			t.Fatal(reason)
		}
		var code kernel.Kernel = closures.Compile(p, b.budget)
		if asMachineCode {
			k = b.machine(p, packing.Forms, false)
			code = k
			if !memory {
				defer k.memory.ExhaustForTest()()
			}
		}
		return b.trace(code, p, template, nil, 0), k
	}
	want, _ := run(false, true)
	if got, _ := run(true, true); got != want {
		t.Errorf("with memory\n%s", differences(want, got))
	}
	got, _ := run(true, false)
	if !strings.HasPrefix(got, "ending 1 ") { // the row is left to the interpreter
		t.Errorf("without memory: %.200s", got)
	}
}

// Columns of other entities, and tables, are found again when the world gets a table.
func TestColumnsAreFoundAgain(t *testing.T) {
	run := func(asMachineCode bool) (seen string) {
		b := newBeds(t, []int{5}, "A", func() float64 { return 4 })
		p, template, reason := b.program(`local o = world:get(e, "C") if o then a.x = o.y else a.x = a.x + 1 end for q, c in world:each("C") do a.y = a.y + c.z end`)
		if reason != nil {
			t.Fatal(reason)
		}
		var code kernel.Kernel = closures.Compile(p, b.budget)
		if asMachineCode {
			code = b.machine(p, packing.Forms, false)
		}
		seen = b.trace(code, p, template, nil, 0)
		id, _ := b.world.LookupComponent("C")
		for range 20 { // one table, then a longer one, and more of them
			for _, ids := range [][]ecs.ComponentID{{id}, {b.ids[0], id}} {
				e, err := b.world.Spawn(ids...)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := b.world.Set(e, id, ecs.FieldValue{Index: 1, Value: ecs.Number(5)}, ecs.FieldValue{Index: 2, Value: ecs.Number(0.5)}); err != nil {
					t.Fatal(err)
				}
			}
			seen += b.trace(code, p, template, nil, 0)
		}
		return seen
	}
	if want, got := run(false), run(true); got != want {
		t.Error(differences(want, got))
	}
}
