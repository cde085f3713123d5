package machine

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// What watches runs the same rows as the code, whichever have a tag; also where whole words of a mask have it.
func TestWatchedRowsOfATag(t *testing.T) {
	t.Parallel()
	for name, pattern := range patterns {
		for what, body := range endingBodies {
			b := numberedBed(t, rowCounts, false, pattern)
			p, template, reason := b.program(body)
			if reason != nil {
				t.Fatalf("%s: %v", body, reason)
			}
			if Refusal(p, b.query, b.world) != "" {
				continue
			}
			memory.InstrumentsOf(b.world).WatchEvery = 1
			k := b.machine(p, packing.Forms, false)
			k.Watch(func(d *kernel.Difference) { t.Errorf("%s, %s: %+v", name, what, d) })
			for i := range p.Tables {
				k.SetTable(i, kernel.Elements{From: 1, Values: []float64{1, 2, 3}})
			}
			b.trace(k, p, template, map[string]float64{"sum": 0.5}, 0)
		}
	}
}
