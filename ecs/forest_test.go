package ecs

import (
	"fmt"
	"testing"
)

// A forest answers as walking up does, whatever is linked and cut, in a number of steps that grows with the logarithm.
func TestForestAgreesWithParents(t *testing.T) {
	const n = 60
	w := newWorld(Options{Seed: 4})
	r := w.Random()
	var steps uint64
	f := &forest{nodes: make([]pathNode, n+1), steps: &steps}
	parent := make([]int, n) // index + 1
	above := func(a, b int) bool {
		for at := b; ; at = parent[at] - 1 {
			if at == a {
				return true
			}
			if parent[at] == 0 {
				return false
			}
		}
	}
	for i := range 6000 {
		a, b := int(r.Between(0, n-1)), int(r.Between(0, n-1))
		if i < n-1 { // first one long chain
			a, b = i+1, i
		}
		switch {
		case parent[a] != 0 && r.Float64() < 0.5:
			f.cut(uint32(a))
			parent[a] = 0
		case parent[a] == 0 && !above(a, b):
			f.link(uint32(a), uint32(b))
			parent[a] = b + 1
		}
		x, y := int(r.Between(0, n-1)), int(r.Between(0, n-1))
		if got, want := f.above(uint32(x), uint32(y)), above(x, y); got != want {
			t.Fatalf("operation %d: %d above %d: %v", i, x, y, got)
		}
	}
	if got := fmt.Sprint(steps); got != forestSteps {
		t.Errorf("%s steps, want %s: they are part of what scripts are charged", got, forestSteps)
	}
	if len(f.nodes) != n+1 {
		t.Errorf("%d nodes", len(f.nodes))
	}
}

const forestSteps = "26991"
