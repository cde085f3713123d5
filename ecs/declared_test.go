package ecs

import (
	"fmt"
	"testing"
)

// Emptying a queue looks at the components that have values in it, not at all that ever had.
func TestAQueueRemembersWhichComponentsHaveValues(t *testing.T) {
	w := newWorld(Options{})
	e := must[Entity](t)(w.Spawn())
	q := w.Commands()
	var all []Component[benchA]
	for i := range 100 {
		all = append(all, MustRegister[benchA](w, fmt.Sprint("C", i)))
	}
	queue := func(want int, list ...int) {
		t.Helper()
		for _, i := range list {
			all[i].QueueSet(q, e, benchA{float64(i), 1})
		}
		if len(q.stored) != want {
			t.Errorf("%d components have values, want %d", len(q.stored), want)
		}
	}
	for i := range all {
		queue(i+1, i, i)
	}
	ok(t, q.Apply())
	queue(0)
	queue(2, 99, 3, 99, 3)
	q.Drop()
	queue(0)
	queue(1, 50)
	ok(t, q.Apply())
	for i, c := range all {
		if got := *c.Get(e); got.X != float64(i) {
			t.Errorf("component %d has %v", i, got)
		}
	}
}
