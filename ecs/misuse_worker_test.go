package ecs

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// What a worker may not do is refused, on one goroutine as on several.
func TestWorkersMayNotTouchTheWorld(t *testing.T) {
	worker := func(do func(t *testing.T, m *misused, p *Part) error) func(t *testing.T, m *misused) error {
		return func(t *testing.T, m *misused) (err error) {
			walk := m.spots.Parallel(nil, 0, func(p *Part) {
				if failed := do(t, m, p); err == nil {
					err = failed
				}
			})
			if err == nil {
				err = walk
			}
			return err
		}
	}
	const says = "a worker of a parallel walk may"
	schema := must[*Schema](t)(NewSchema())
	refuseAll(t, []misuse{
		{"Bundle", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Bundle()) }), says},
		{"Query", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Query(Filter{})) }), says},
		{"Query.Release", worker(func(t *testing.T, m *misused, _ *Part) error { m.labels.Release(); return nil }), says},
		{"Query.Begin", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.labels.begin()) }), says},
		{"Query.Start", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.read(t).Start()) }), says},
		{"Query.First", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.labels.First()) }), says},
		{"World.Entities", worker(func(t *testing.T, m *misused, _ *Part) error {
			m.home.w.Entities(func(Entity) bool { return true })
			return nil
		}), says},
		{"DeclareComponent", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.DeclareComponent("New", schema)) }), says},
		{"DeclareRelation", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.DeclareRelation("New")) }), says},
		{"DeclareTag", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.DeclareTag("new")) }), says},
		{"DeclareEvent", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.DeclareEvent("New", schema)) }), says},
		{"DeclareResource", worker(func(t *testing.T, m *misused, _ *Part) error {
			return none(m.home.w.DeclareResource("new", F64, Value{}))
		}), says},
		{"DeclareGrid", worker(func(t *testing.T, m *misused, _ *Part) error {
			return none(m.home.w.DeclareGrid(GridSpec{Name: "new", X: "x", Y: "y", Cell: 1}))
		}), says},
		{"Tag", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Tag(m.home.es[0], m.home.tag)) }), says},
		{"Untag", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Untag(m.home.es[0], m.home.tag)) }), says},
		{"TagSet.Tag", worker(func(t *testing.T, m *misused, _ *Part) error {
			return none(m.home.w.TagSet(m.home.tag).Tag(m.home.es[0]))
		}), says},
		{"Send", worker(func(t *testing.T, m *misused, _ *Part) error { return m.home.w.Send(m.home.event.ID()) }), says},
		{"Append", worker(func(t *testing.T, m *misused, _ *Part) error {
			return none(Raw.AppendEvent(m.home.w, m.home.event.ID()))
		}), says},
		{"Event.Send", worker(func(t *testing.T, m *misused, _ *Part) error { m.home.event.Send(spot{}); return nil }), says},
		{"Event.SendAll", worker(func(t *testing.T, m *misused, _ *Part) error { m.home.event.SendAll([]spot{{}}); return nil }), says},
		{"Event.Read", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.event.Read()) }), says},
		{"Drain", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Drain(m.home.event.ID())) }), says},
		{"EventReader", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.EventReader(m.home.event.ID())) }), says},
		{"Random", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Random()) }), says},
		{"Stream", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Stream("new")) }), says},
		{"Stop", worker(func(t *testing.T, m *misused, _ *Part) error { m.home.w.Stop("no"); return nil }), says},
		{"TrackRemoved", worker(func(t *testing.T, m *misused, _ *Part) error { m.home.w.TrackRemoved(m.home.spot.ID()); return nil }), says},
		{"Grid.Raw", worker(func(t *testing.T, m *misused, _ *Part) error { return none(Raw.Grid(m.home.grid)) }), says},
		{"World.Commands", worker(func(t *testing.T, m *misused, _ *Part) error { return none(m.home.w.Commands()) }), says},
		{"a queue of the world", func(t *testing.T, m *misused) error {
			q := m.home.w.Commands()
			return m.spots.Parallel(nil, 0, func(*Part) { q.Despawn(m.home.es[0]) })
		}, "queues on Part.Commands alone"},
		{"a queue of a part, kept", func(t *testing.T, m *misused) error {
			var q *Commands
			ok(t, m.spots.Parallel(nil, 0, func(p *Part) { q = p.Commands() }))
			q.Despawn(m.home.es[0])
			return nil
		}, "only during the walk"},
		{"Spawn", worker(func(t *testing.T, m *misused, _ *Part) error { _, err := m.home.w.Spawn(); return err }), "locked"},
		{"Relate", worker(func(t *testing.T, m *misused, _ *Part) error {
			_, err := m.home.w.Relate(m.home.es[0], m.home.rel, m.home.es[1])
			return err
		}), "locked"},
		{"Parallel", worker(func(t *testing.T, m *misused, _ *Part) error { return m.labels.Parallel(nil, 0, func(*Part) {}) }), ""},
		{"Grid.Near without a snapshot", worker(func(t *testing.T, m *misused, _ *Part) error {
			m.home.grid.Near(0, 0, 1, func(Entity, float64) bool { return true })
			return nil
		}), "snapshot was taken before the walk"},
	})
}

func TestWorkersAskAGrid(t *testing.T) {
	m := newMisused(t)
	q := must[*Query](t)(m.away.w.Query(Filter{Required: []ComponentID{m.away.spot.ID()}}))
	pool := NewPool(4)
	defer pool.Close()
	count := func(pool Pool) int64 {
		var n atomic.Int64
		Raw.Grid(m.away.grid)
		ok(t, q.Parallel(pool, 0, func(p *Part) {
			for _, s := range m.away.spot.PartSlice(p)[:50] {
				m.away.grid.Near(s.X, s.Y, 3, func(Entity, float64) bool { n.Add(1); return true })
			}
		}))
		return n.Load()
	}
	if one, four := count(nil), count(pool); one != four || one == 0 {
		t.Errorf("%d neighbours by one worker, %d by four", one, four)
	}
}

func TestARunInsideARun(t *testing.T) {
	pool := NewPool(3)
	defer pool.Close()
	var outer, inner atomic.Int64
	pool.Run(20, func(int) {
		outer.Add(1)
		pool.Run(10, func(int) { inner.Add(1) })
	})
	if outer.Load() != 20 || inner.Load() != 200 {
		t.Errorf("%d tasks and %d within", outer.Load(), inner.Load())
	}
	var both sync.WaitGroup
	for range 2 { // two worlds that share the pool at the same time
		both.Add(1)
		go func() {
			defer both.Done()
			for range 50 {
				pool.Run(8, func(int) { outer.Add(1) })
			}
		}()
	}
	both.Wait()
	if outer.Load() != 20+800 {
		t.Errorf("%d tasks", outer.Load())
	}
}

// A task that ends its goroutine ends neither the pool nor the wait for it.
func TestATaskThatEndsItsGoroutine(t *testing.T) {
	pool := NewPool(2)
	m := newMisused(t)
	q := must[*Query](t)(m.away.w.Query(Filter{Required: []ComponentID{m.away.spot.ID()}}))
	for range 5 {
		var said any
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { said = recover() }()
			_ = q.Parallel(pool, 0, func(*Part) { runtime.Goexit() })
		}()
		<-done
		if text, _ := said.(string); said != nil && !strings.Contains(text, "ended its goroutine") {
			t.Errorf("it panics with %v", said)
		}
		if m.away.w.Locked() || m.away.w.slots.parallel {
			t.Fatal("the world stays locked")
		}
	}
	var n atomic.Int64
	var gate sync.WaitGroup
	gate.Add(2)
	pool.Run(2, func(int) { // both workers are there
		gate.Done()
		gate.Wait()
		n.Add(1)
	})
	pool.Close()
	pool.Close()
	defer func() {
		if r, _ := recover().(string); n.Load() != 2 || !strings.Contains(r, "after Close") {
			t.Errorf("%d tasks, then %q", n.Load(), r)
		}
	}()
	pool.Run(1, func(int) {})
}

// Inside a system a worker may use what is the system's own as little as what is the world's.
func TestWorkersOfASystemMayNotTouchItsOwn(t *testing.T) {
	m := newMisused(t)
	w := m.home.w
	for name, use := range map[string]func(){
		"Random": func() { w.Random() }, "Stream": func() { w.Stream("other") }, "Commands": func() { w.Commands() }, "ReaderOf": func() { w.ReaderOf(m.home.event.ID()) },
		"Read": func() { m.home.event.Read() }, "Removed": func() { w.Removed(nil, m.home.spot.ID()) },
	} {
		refused := 0
		s := NewSchedule(w).Add(name, func(w *World, _ float64) error {
			w.Random()
			return m.spots.Parallel(nil, 0, func(*Part) {
				if text := said(use); text != inWorker {
					t.Errorf("%s: %q", name, text)
				}
				refused++
			})
		})
		if err := s.Run(1); err != nil || refused != 2 {
			t.Errorf("%s: %v, %d parts", name, err, refused)
		}
	}
	check(t, w)
}
