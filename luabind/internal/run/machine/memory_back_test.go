package machine

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// A kernel that is done gives back all the memory it took, for its frames, for copies of rows, tables and neighbours, for the columns of other entities and for
// the marks of rows that are shared out: a second one needs no more than the first.
func TestMemoryComesBack(t *testing.T) {
	pool := ecs.NewPool(2)
	defer pool.Close()
	number := func() float64 { return 4 }
	for name, c := range map[string]struct {
		body   string
		bed    func() *bed
		shares bool
	}{
		"a frame":           {"a.x = a.x + 1", func() *bed { return newBed(t, 70, "A", number) }, false},
		"frames of workers": {"a.x = a.x + 1", func() *bed { return newBed(t, 700, "A", number) }, true},
		"marks of workers":  {"if a.x > 3 then a.y = 1 end", func() *bed { return newBed(t, 700, "A", number) }, true},
		"a table":           {"numbers[1] = numbers[1] + a.x", func() *bed { return newBed(t, 70, "A", number) }, false},
		"other entities":    {`local o = world:get(4294967297 + e % 7, "B") if o then a.x = o.x + 1 end`, func() *bed { return newBed(t, 70, "AB", number) }, false},
		"a query within":    {`for o, q in world:each("B") do a.x = a.x + q.y end`, func() *bed { return newBed(t, 70, "AB", number) }, false},
		"blocks":            {"a.x = a.x + b.y", func() *bed { return heapBed(t, 70, "AB", true, 0, number) }, false},
		"neighbours":        {`for o, d in world:near("g", a.x, a.y, 5) do a.x = a.x + d end`, func() *bed { b, _ := fullBed(t, over("A")); b.spawnA(70); return b }, false},
		"effects":           {"world.commands:despawn(e)", func() *bed { return newBed(t, 70, "A", number) }, false},
	} {
		b := c.bed()
		p, template, reason := b.program(c.body)
		if reason != nil {
			t.Fatalf("%s: %v", name, reason)
		}
		m, _ := memory.For(b.world)
		once := func() uintptr {
			u, code := b.codeOf(c.body)
			k, done, err := newKernel(p, u, code, m, b.budget)
			if err != nil {
				t.Fatal(err)
			}
			if c.shares {
				k.sharing.pool, k.unit.Nanoseconds = pool, worthwhile
			}
			for i := range p.Tables {
				k.SetTable(i, kernel.Elements{From: 1, Values: make([]float64, 2000)})
			}
			b.trace(k, p, template, nil, 0)
			b.world.Commands().Drop()
			done()
			return m.InUse()
		}
		first := once()
		for range 3 {
			if top := once(); top != first {
				t.Errorf("%s: %d bytes are not given back", name, top-first)
				break
			}
		}
	}
}

// spawnA makes entities with component A, one beside the other.
func (b *bed) spawnA(n int) {
	b.tb.Helper()
	bundle, err := b.world.Bundle(b.ids...)
	if err != nil {
		b.tb.Fatal(err)
	}
	if _, err := bundle.SpawnMany(n, func(t *ecs.Table, from, to int) {
		for row := from; row < to; row++ {
			_ = t.Column(b.ids[0]).Row(row).SetNumber(0, float64(row))
		}
	}); err != nil {
		b.tb.Fatal(err)
	}
}
