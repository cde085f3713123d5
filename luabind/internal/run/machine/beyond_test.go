package machine

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/closures"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// exhausted runs fn while the memory of a world hands out nothing: what fn makes lies on Go's heap.
func (b *bed) exhausted(fn func()) {
	b.tb.Helper()
	m, ok := memory.For(b.world)
	if !ok {
		b.tb.Fatal("the world has no linear memory")
	}
	defer m.ExhaustForTest()()
	fn()
}

// sameByClosures compares a body as closures and as machine code in two worlds that make made, and checks whether the rows were handed over to closures in the
// end. While it runs, there may be no more memory.
func sameByClosures(t *testing.T, what, body string, made func() *bed, more, handsOver bool) {
	t.Helper()
	run := func(asMachineCode bool) string {
		b := made()
		p, template, reason := b.program(body)
		if reason != nil {
			t.Fatalf("%s: %v", body, reason)
		}
		var code kernel.Kernel = closures.Compile(p, b.budget)
		if asMachineCode {
			k := b.machine(p, packing.Forms, false)
			defer func() {
				if (k.rest != nil) != handsOver {
					t.Errorf("%s: handed over to closures: %v", what, k.rest != nil)
				}
			}()
			code = k
		}
		seen := ""
		trace := func() {
			seen = b.trace(code, p, template, nil, 0) + b.trace(code, p, template, nil, 0) + b.world.Digest().String()
		}
		if more {
			trace()
		} else {
			b.exhausted(trace)
		}
		return seen
	}
	if want, got := run(false), run(true); got != want {
		t.Errorf("%s: %s\n%s", what, body, differences(want, got))
	}
}

// Where some of the tables of a query within, of the columns of other entities or the members of a tag lie on Go's heap, closures do the run, whichever of them
// those are.
func TestSomeTablesBeyondMemory(t *testing.T) {
	for beyond := range 8 { // which of three tables, one bit each
		made := func() *bed {
			b := newBeds(t, []int{5}, "A", func() float64 { return 4 })
			c, _ := b.world.LookupComponent("C")
			g, _ := b.world.LookupComponent("G")
			d, _ := b.world.LookupComponent("D")
			for i, ids := range [][]ecs.ComponentID{{c, g}, {c, g, b.ids[0]}, {c, g, d}} {
				spawn := func() {
					for range 3 {
						e, err := b.world.Spawn(ids...)
						if err != nil {
							t.Fatal(err)
						}
						for _, id := range []ecs.ComponentID{c, g} {
							if _, err := b.world.Set(e, id, ecs.FieldValue{Index: 1, Value: ecs.Number(float64(i + 2))}); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
				if beyond>>i&1 != 0 {
					b.exhausted(spawn)
				} else {
					spawn()
				}
			}
			return b
		}
		for _, body := range []string{
			`for o, c, g in world:each("C", "G") do a.y = a.y + c.y + g.y end`,
			`for o in world:each("C") do a.y = a.y + o % 7 end`,
			`local o = world:get(4294967297 + (e + 6) % 14, "C") if o then a.y = o.y end`,
		} {
			sameByClosures(t, "tables", body, made, true, beyond != 0)
		}
	}
}

// The members of a tag lie on Go's heap when there was no memory for them, from the start or since the loop has set the tag. Closures do the rows that follow.
func TestTagBeyondMemory(t *testing.T) {
	tagged := func(tags func(b *bed)) func() *bed {
		return func() *bed {
			b := numberedBed(t, []int{5, 6, 70, 5, 6}, false, nil)
			tags(b)
			return b
		}
	}
	blue := func(b *bed) {
		id, _ := b.world.LookupTag("blue")
		for table := range b.query.Tables {
			for _, e := range table.Entities()[:3] {
				b.world.Tag(e, id)
			}
		}
	}
	const asks, flips = `if world:tagged(e, "blue") then a.y = 1 end`, `if world:tagged(e, "blue") then a.y = a.y + 1 end world:tag(e + 1, "blue")`
	sameByClosures(t, "tagged", asks, tagged(blue), true, false)
	sameByClosures(t, "tagged on the heap", asks, tagged(func(b *bed) { b.exhausted(func() { blue(b) }) }), true, true)
	sameByClosures(t, "flipped", flips, tagged(func(*bed) {}), true, false)
	sameByClosures(t, "flipped on the heap", flips, tagged(func(*bed) {}), false, true)
}
