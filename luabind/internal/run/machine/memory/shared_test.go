package memory

import (
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Worlds on Go's heap have one memory for their loops.
func TestCommonMemory(t *testing.T) {
	a, own := For(ecs.NewWorld(ecs.Options{}))
	b, also := For(ecs.NewWorld(ecs.Options{Memory: new(Memory)}))
	if a == nil || a != b || own || also {
		t.Errorf("%p %v, %p %v", a, own, b, also)
	}
	m := New()
	if c, own := For(ecs.NewWorld(ecs.Options{Memory: m})); c != m || !own {
		t.Errorf("%p %v, not %p", c, own, m)
	}
}
