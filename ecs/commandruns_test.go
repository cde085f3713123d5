package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// What one spawner queues in a row is made together; the world becomes what single commands make of it.
func TestRunsOfQueuedSpawnsAreSingleCommands(t *testing.T) {
	for _, c := range []struct {
		name    string
		options Options
		then    func(t *testing.T, w *World, q *Commands) // after all is queued
	}{
		{"applied", Options{}, nil},
		{"no room for all", Options{MaxBytes: 40_000}, nil},
		{"no more entities", Options{MaxEntities: 900}, nil},
		{"dropped", Options{}, func(_ *testing.T, _ *World, q *Commands) { q.Drop() }},
		{"charged", Options{}, func(t *testing.T, _ *World, q *Commands) {
			ok(t, q.ApplyCharged(func(int) error { return nil }))
		}},
		{"charged too much", Options{}, func(t *testing.T, _ *World, q *Commands) {
			if err := q.ApplyCharged(func(int) error { return ErrLimit }); !errors.Is(err, ErrLimit) {
				t.Error(err)
			}
		}},
		{"observed from then on", Options{}, func(t *testing.T, w *World, _ *Commands) {
			must[*Observer](t)(w.Observe(ObserverSpec{Kind: OnSpawned, Run: func(w *World, c Change) error {
				_, err := w.Set(c.Entity, MustRegister[position](w, "Position").ID(), FieldValue{0, Number(7)})
				return err
			}}))
		}},
		{"restored", Options{}, func(t *testing.T, w *World, _ *Commands) { ok(t, w.Restore(must[*World](t)(w.Copy()))) }},
		{"beside others", Options{}, func(t *testing.T, w *World, _ *Commands) {
			for range 100 {
				must[Entity](t)(w.Spawn())
			}
		}},
	} {
		var dumps, errs [2]string
		for i := range 2 {
			w := newWorld(c.options)
			pos := MustRegister[position](w, "Position")
			MustRegister[modelLabel](w, "Label")
			both := must[*Spawner2[position, modelLabel]](t)(NewSpawner2[position, modelLabel](w))
			one := must[*Spawner1[position]](t)(NewSpawner1[position](w))
			q := w.Commands()
			var runs int
			for k := range 1000 {
				x := float64(k)
				q.At(uint16(k / 400))
				e, err := both.Queue(q, position{x, x}, modelLabel{fmt.Sprint(k), 2})
				if err != nil {
					errs[i] += err.Error()
					break
				}
				switch {
				case k%300 == 7:
					pos.QueueSet(q, e, position{X: -x})
				case k%300 == 9:
					q.Despawn(e)
				case k%300 == 11:
					must[Entity](t)(one.Queue(q, position{x, 1}))
				}
				if runs = max(runs, len(q.runs)); i == 1 {
					q.writeOut()
				}
			}
			if i == 0 && runs < 5 {
				t.Fatalf("%s: %d runs", c.name, runs)
			}
			if n := len(q.plain().ops); q.Len() != n {
				t.Errorf("%s: Len is %d, there are %d commands", c.name, q.Len(), n)
			}
			if c.then != nil {
				c.then(t, w, q)
			}
			if err := w.Commands().Apply(); err != nil {
				errs[i] += err.Error()
			}
			check(t, w)
			dumps[i] = dump(w)
		}
		if errs[0] != errs[1] {
			t.Errorf("%s: %s, want %s", c.name, errs[0], errs[1])
		}
		sameDump(t, c.name, dumps[0], dumps[1])
	}
}
