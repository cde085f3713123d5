package main

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// The worlds run in all ways without a difference, and many of them have turns that are taken back.
func TestCrossing(t *testing.T) {
	t.Parallel()
	failing := 0
	n := effort.Of(90)
	for i := range n {
		fails, err := guarded(newWorld(36_000 + uint64(i)))
		if err != nil {
			t.Errorf("go run ./tests/crossing -less %d: %v", 36_000+i, err)
		}
		if fails {
			failing++
		}
	}
	if failing < n/8 {
		t.Errorf("turns were taken back in %d of %d worlds", failing, n)
	}
}

// A world is the same each time that it is made.
func TestWorldsAreRepeatable(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		a, b := newWorld(seed), newWorld(seed)
		for name, text := range a.sources {
			if b.sources[name] != text {
				t.Errorf("world %d: %s differs", seed, name)
			}
		}
	}
}
