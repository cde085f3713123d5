package ecs

import "testing"

// Nothing that a steady frame does may allocate once it has been done before.
func TestSteadyOperationsAllocateNothing(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	ids := letters(t, w, "A", "B", "C")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	hit := hits(t, w)
	for range 200 {
		must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	}
	e := must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	moving := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}}))
	typed := must[*Query2[Mut[position], velocity]](t)(NewQuery2[Mut[position], velocity](w))
	selected := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}, Tagged: []TagID{tag}, Changed: []ComponentID{pos.ID()}}))
	bundle := must[*Bundle](t)(w.Bundle(ids...))
	builder := w.Build()
	q := w.Commands()
	reader := w.EventReader(hit.ID())
	var removed []Entity
	w.TrackRemoved(ids[0])
	ref := w.Ref(e, pos.ID())
	fields := []FieldValue{{0, Number(1)}, {1, Number(2)}}
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"typed", func() {
			for e := typed.Start(); e.Ok(); e = e.Next() {
				p, v := e.Get()
				p.V.X += v.DX
			}
		}},
		{"columns", func() {
			for table := range moving.Tables {
				p, v := pos.Slice(table), vel.Slice(table)
				for i := range p {
					p[i].X += v[i].DX
				}
				pos.Column(table).StampAll()
			}
		}},
		{"rows of a cursor", func() {
			for c := moving.begin(); c.Next(); {
				_ = c.Row(0).SetNumber(0, c.Row(1).Number(0))
				c.Stamp(0)
			}
		}},
		{"row test", func() {
			for c := selected.begin(); c.Next(); {
				_ = c.Row(0).Number(0)
			}
			selected.Count()
			selected.First()
		}},
		{"get, set", func() {
			_, _ = pos.Set(e, *pos.Get(e))
			pos.Write(e).X++
		}},
		{"set by fields", func() { _, _ = w.Set(e, pos.ID(), fields...) }},
		{"ref", func() {
			v, _ := ref.Get(0)
			_ = ref.Set(0, v)
			n, _ := ref.Number(1)
			_ = ref.SetNumber(1, n)
		}},
		{"tag flip", func() {
			w.Tag(e, tag)
			w.Untag(e, tag)
		}},
		{"add, remove", func() {
			_, _ = w.Add(e, ids[0])
			_, _ = w.Remove(e, ids[0])
		}},
		{"add, remove three", func() {
			_, _ = w.Add(e, ids...)
			_, _ = w.Remove(e, ids...)
		}},
		{"bundle add, remove", func() {
			_, _ = bundle.Add(e)
			_, _ = bundle.Remove(e)
		}},
		{"spawn, despawn", func() {
			e, _ := w.Spawn(pos.ID(), vel.ID())
			_, _ = w.Despawn(e)
		}},
		{"bundle spawn, despawn", func() {
			e, _ := bundle.Spawn()
			_, _ = w.Despawn(e)
		}},
		{"builder", func() {
			e, _ := vel.With(pos.With(builder, position{1, 2}), velocity{3, 4}).Tag(tag).Spawn()
			_, _ = w.Despawn(e)
		}},
		{"events", func() {
			hit.Send(hitEvent{e, 1})
			_ = w.Send(hit.ID(), fields[1])
			_ = hit.Peek()
			hit.Read()
			for {
				if _, more := reader.Next(); !more {
					break
				}
			}
			w.EndFrame()
		}},
		{"commands", func() {
			e, _ := q.Spawn(ids...)
			pos.QueueSet(q, e, position{1, 2})
			_ = q.Set(e, pos.ID(), fields...)
			_ = q.Add(e, ids[0])
			_ = q.Remove(e, ids[1])
			q.Tag(e, tag)
			q.Despawn(e)
			_ = q.Send(hit.ID(), fields[1])
			_ = q.Apply()
			w.EndFrame()
		}},
		{"dropped commands", func() {
			_, _ = q.Spawn(ids...)
			q.Drop()
		}},
		{"removed", func() {
			removed = w.Removed(removed[:0], ids[0])
			w.EndFrame()
		}},
		{"frame", func() {
			w.BeginFrame(1)
			w.EndFrame()
		}},
	} {
		for range 8 { // warm up; slots stay far from their last generation
			c.do()
		}
		if n := testing.AllocsPerRun(100, c.do); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
	check(t, w)
}

func TestSteadyScheduleAllocatesNothing(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	hit := hits(t, w)
	tag := must[TagID](t)(w.DeclareTag("selected"))
	stun := letters(t, w, "Stun")
	for range 500 {
		must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	}
	grid := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 4}))
	moving := must[*Query2[Mut[position], velocity]](t)(NewQuery2[Mut[position], velocity](w))
	changed := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}, Changed: []ComponentID{pos.ID()}}))
	stunned := must[*Query](t)(w.Query(Filter{Required: stun}))
	first := moving.First()
	near := 0
	count := func(Entity, float64) bool { near++; return true }
	s := NewSchedule(w).Add("move", func(_ *World, dt float64) error {
		for e := moving.Start(); e.Ok(); e = e.Next() {
			p, v := e.Get()
			p.V.X += v.DX * dt
		}
		return nil
	}).Add("near", func(*World, float64) error {
		grid.Near(0, 0, 4, count)
		return nil
	}).Add("hit", func(w *World, _ float64) error {
		for c := changed.begin(); c.Next(); {
			hit.Send(hitEvent{c.Entity(), 1})
		}
		w.Tag(first, tag)
		w.Untag(first, tag)
		return nil
	}).Add("stun", func(w *World, _ float64) error {
		for _, h := range hit.Read()[:50] {
			if err := w.Commands().Add(h.Target, stun...); err != nil {
				return err
			}
		}
		return nil
	}).Add("recover", func(w *World, _ float64) error {
		for c := stunned.begin(); c.Next(); {
			if err := w.Commands().Remove(c.Entity(), stun...); err != nil {
				return err
			}
		}
		return nil
	})
	run(t, s, 20)
	if n := testing.AllocsPerRun(50, func() { ok(t, s.Run(1)) }); n != 0 {
		t.Errorf("%v allocations in a steady frame", n)
	}
	if stunned.Count() != 0 || near == 0 {
		t.Errorf("%d stunned, %d near", stunned.Count(), near)
	}
}
