package ecs

import "testing"

type (
	position struct{ X, Y float64 }
	velocity struct{ DX, DY float64 }
)

func TestSmoke(t *testing.T) {
	w := newWorld(Options{Seed: 1})
	pos := MustRegister[position](w, "Position")
	vel := MustRegister[velocity](w, "Velocity")
	var es []Entity
	for i := range 200 {
		b := pos.With(w.Build(), position{float64(i), 0})
		if i%2 == 0 {
			vel.With(b, velocity{1, 2})
		}
		e, err := b.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	q, err := w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for e, c := range q.each {
		p, v := pos.mutAt(c), vel.at(c)
		p.X += v.DX
		n++
		_ = e
	}
	if n != 100 || pos.Get(es[0]).X != 1 || pos.Get(es[1]).X != 1 {
		t.Fatal(n, pos.Get(es[0]), pos.Get(es[1]))
	}
	for _, e := range es[:50] {
		if ok, err := w.Despawn(e); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	w.Digest()
}

// A handle that no world gave out, made to look like the mark of a free slot.
func TestInventedHandleIsDead(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	tag := must[TagID](t)(w.DeclareTag("red"))
	e := must[Entity](t)(w.Spawn(pos.ID()))
	must[bool](t)(w.Despawn(e))
	invented := makeEntity(e.Index(), slotFree|2)
	if w.Alive(invented) || pos.Get(invented) != nil || pos.Write(invented) != nil || w.Tag(invented, tag) || must[bool](t)(w.Despawn(invented)) {
		t.Error("an invented handle lives")
	}
	check(t, w)
}
