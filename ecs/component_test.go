package ecs

import (
	"sync"
	"testing"
)

// Several goroutines may ask for declarations at a time, as when loops are compiled ahead. The race detector checks it.
func TestComponentInfoOnSeveralGoroutines(t *testing.T) {
	w := newWorld(Options{})
	id := must[ComponentID](t)(w.DeclareComponent("Health", must[*Schema](t)(NewSchema(Field{Name: "now", Type: F64}))))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if info, ok := w.ComponentInfo(id); !ok || info.Name != "Health" {
				t.Errorf("%v, %v", info, ok)
			}
		})
	}
	group.Wait()
}
