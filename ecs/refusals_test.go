package ecs

import (
	"errors"
	"strings"
	"testing"
)

// A call that is refused returns nothing beside its error: no entity, no count, and false.
func TestARefusedCallReturnsNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		want error
		set  func(w *World) // makes the calls fail
	}{
		{"locked", ErrLocked, func(w *World) { w.locks++ }},
		{"no room", ErrBytes, func(w *World) { w.options.MaxBytes = 1 }},
		{"too many", ErrLimit, func(w *World) { w.options.MaxEntities = w.living }},
	} {
		f := newFamily(t)
		e, free, owner := f.spawn(f.pos.ID()), f.spawn(), f.spawn()
		f.relate(e, f.ownedBy, owner)
		for f.tables[0].Len() < Raw.Capacity(f.tables[0]) { // so that one more takes room
			f.spawn()
		}
		tag := must[TagID](t)(f.DeclareTag("marked"))
		hit := hits(t, f.World)
		q := must[*Query](t)(f.Query(Filter{Required: []ComponentID{f.pos.ID()}}))
		tagged := must[*Query](t)(f.Query(Filter{Required: []ComponentID{f.pos.ID()}, Untagged: []TagID{tag}}))
		vel, pos, empty := must[*Bundle](t)(f.Bundle(f.vel.ID())), must[*Bundle](t)(f.Bundle(f.pos.ID())), must[*Bundle](t)(f.Bundle())
		before := dump(f.World)
		c.set(f.World)
		tried := 0
		refused := func(name string, got any, nothing any, err error) {
			t.Helper()
			if err == nil {
				return
			}
			if tried++; got != nothing || !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v, %v", c.name, name, got, err)
			}
		}
		number := func(name string) func(n int, err error) {
			return func(n int, err error) { refused(name, n, 0, err) }
		}
		flag := func(name string) func(did bool, err error) {
			return func(did bool, err error) { refused(name, did, false, err) }
		}
		entity := func(name string) func(e Entity, err error) {
			return func(e Entity, err error) { refused(name, e, None, err) }
		}
		many := func(name string) func(list []Entity, err error) {
			return func(list []Entity, err error) { refused(name, len(list), 0, err) }
		}
		spawns := func() {
			entity("Spawn")(f.Spawn())
			entity("Spawn of a table")(f.Spawn(f.pos.ID(), f.vel.ID()))
			entity("SpawnRelated")(f.SpawnRelated([]Target{{f.ownedBy, e}}))
			entity("Bundle.Spawn")(empty.Spawn())
			many("SpawnMany")(vel.SpawnMany(100, nil))
			number("SpawnRows")(vel.SpawnRows(100, nil))
			entity("Build")(f.Build().Spawn())
		}
		spawns()
		refused("Reserve", nil, nil, f.Reserve(1000, f.vel.ID()))
		flag("Add")(f.Add(free, f.vel.ID(), f.pos.ID()))
		flag("Bundle.Add")(vel.Add(e))
		if c.want != ErrLimit {
			flag("Remove")(f.Remove(e, f.pos.ID()))
			flag("Bundle.Remove")(pos.Remove(e))
			flag("Set")(f.Set(e, f.vel.ID()))
			flag("Component.Set")(f.vel.Set(e, velocity{}))
			flag("Relate")(f.Relate(free, f.childOf, owner))
			flag("Unrelate")(f.Unrelate(e, f.ownedBy))
			number("AddAll")(vel.AddAll(q, nil))
			number("AddAll row by row")(vel.AddAll(tagged, nil))
			number("RemoveAll")(pos.RemoveAll(q))
			number("RemoveAll row by row")(pos.RemoveAll(tagged))
		}
		if c.want == ErrLocked {
			flag("Despawn")(f.Despawn(e))
			number("DespawnMany")(f.DespawnMany([]Entity{e}))
			number("DespawnAll")(q.DespawnAll())
			released, err := f.Release()
			refused("Release", released, uint64(0), err)
			_, err = f.Copy()
			refused("Copy", nil, nil, err)
			refused("Shrink", nil, nil, f.Shrink())
			refused("Apply", nil, nil, errors.Join(f.Commands().Remove(e, f.pos.ID()), f.Commands().Apply()))
			if f.Commands().Len() != 1 {
				t.Error("a queue that was not applied is lost")
			}
			f.Commands().Drop()
		}
		if c.want == ErrBytes {
			flag("TryTag")(f.TryTag(e, tag))
			refused("Send", nil, nil, f.Send(hit.ID()))
		}
		if c.want == ErrLimit {
			entity("Commands.Spawn")(f.Commands().Spawn())
			entity("Commands.SpawnRelated")(f.Commands().SpawnRelated([]Target{{f.ownedBy, e}}))
			must[bool](t)(f.Remove(free, f.vel.ID(), f.pos.ID()))
			must[bool](t)(vel.Remove(e))
		}
		if least := map[error]int{ErrLocked: 25, ErrBytes: 18, ErrLimit: 10}[c.want]; tried < least {
			t.Errorf("%s: only %d calls were refused", c.name, tried)
		}
		f.locks, f.options.MaxBytes, f.options.MaxEntities = 0, 0, newWorld(Options{}).options.MaxEntities
		if c.want != ErrLimit {
			sameDump(t, c.name, dump(f.World), before)
		}
		check(t, f.World)
	}
}

// A query that was released is refused by all that would walk it.
func TestAReleasedQueryIsWalkedByNobody(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	e := must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID(), vel.ID()}}))
	typed := must[*Query2[Mut[position], Mut[velocity]]](t)(NewQuery2[Mut[position], Mut[velocity]](w))
	bundle := must[*Bundle](t)(w.Bundle(pos.ID()))
	q.Release()
	typed.Release()
	for name, use := range map[string]func(){
		"Count": func() { q.Count() }, "First": func() { q.First() }, "Begin": func() { q.begin() }, "BeginSince": func() { q.beginSince(0) },
		"BeginTarget": func() { _, _ = q.beginTarget(isA, e) }, "Start": func() { typed.Start() }, "StartSince": func() { typed.StartSince(0) },
		"StartTarget": func() { _, _ = typed.StartTarget(isA, e) },
		"Each":        func() { q.each(func(Entity, *Cursor) bool { return true }) }, "Tables": func() { q.Tables(func(*Table) bool { return true }) },
		"Parallel": func() { _ = q.Parallel(nil, 0, func(*Part) {}) }, "DespawnAll": func() { _, _ = q.DespawnAll() },
		"AddAll": func() { _, _ = bundle.AddAll(q, nil) }, "RemoveAll": func() { _, _ = bundle.RemoveAll(q) }, "Release": q.Release,
	} {
		if text := said(use); !strings.Contains(text, "released") || w.Locked() || w.Len() != 1 {
			t.Errorf("%s: %q, locked %v", name, text, w.Locked())
		}
	}
	check(t, w)
}

// A walk that stands right behind the rows of its run is refused.
func TestAWalkBehindItsRunIsRefused(t *testing.T) {
	m := newMisused(t)
	q := must[*Query2[Mut[spot], label]](t)(NewQuery2[Mut[spot], label](m.home.w))
	e := q.Start()
	e.row = e.walk.end
	for name, use := range map[string]func(){
		"Entity": func() { e.Entity() }, "Entities": func() { e.Entities() }, "Get": func() { e.Get() }, "Slices": func() { e.Slices() },
		"Of": func() { m.home.spot.Of(e.Visit) }, "WriteOf": func() { m.home.spot.WriteOf(e.Visit) },
	} {
		if text := said(use); text != walkLeft {
			t.Errorf("%s: %q", name, text)
		}
	}
	e.row = e.walk.end - 1
	if p, _ := e.Get(); &p.V != m.home.spot.Get(e.Entity()) || e.Entity() != m.home.es[2] {
		t.Error("the last of the run is refused")
	}
	e.End()
	if m.home.w.Locked() {
		t.Error("still locked")
	}
}
