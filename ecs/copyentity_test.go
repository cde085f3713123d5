package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// Observers are told of a copy once it is whole.
func TestObserversOfACopy(t *testing.T) {
	w := newWorld(Options{MaxTags: 3})
	pos := MustRegister[position](w, "Position")
	likes, tag := must[RelationID](t)(w.DeclareRelation("Likes")), must[TagID](t)(w.DeclareTag("t"))
	target := must[Entity](t)(w.Spawn())
	e := must[Entity](t)(w.SpawnRelated([]Target{{likes, target}}, pos.ID()))
	must[bool](t)(pos.Set(e, position{3, 4}))
	w.Tag(e, tag)
	var told []string
	note := func(w *World, c Change) error {
		told = append(told, fmt.Sprint(*pos.Get(c.Entity), w.Related(c.Entity, likes) == target, w.Tagged(c.Entity, tag)))
		return nil
	}
	for kind, name := range map[ObserverKind]string{OnSpawned: "", OnAdded: "Position", OnTagged: "t", OnRelated: "Likes"} {
		must[*Observer](t)(w.Observe(ObserverSpec{Kind: kind, Name: name, Run: note}))
	}
	child := must[Entity](t)(w.SpawnRelated([]Target{{likes, e}}, pos.ID()))
	told = nil
	c := must[Entity](t)(w.CopyEntity(e))
	if fmt.Sprint(told) != "[{3 4} true true {3 4} true true {3 4} true true {3 4} true true]" || w.SourceCount(likes, c) != 0 || w.Related(child, likes) != e {
		t.Error(told)
	}
	must[Entity](t)(w.CopyEntity(e))
	if n := w.Len(); errorOf(w.CopyEntity(e)) == nil || w.Len() != n {
		t.Error("a copy without room for its tag")
	}
	if err := errorOf(w.CopyEntity(None)); !errors.Is(err, ErrDead) {
		t.Error(err)
	}
	ok(t, w.Check())
}

func errorOf[T any](_ T, err error) error { return err }

// A world that was reset is like a blank one, and its observers and queries go on.
func TestReset(t *testing.T) {
	w := newWorld(Options{Seed: 7})
	pos := MustRegister[position](w, "Position")
	blank := w.Blank(w.options)
	tag := must[TagID](t)(w.DeclareTag("t"))
	q := must[*Query1[position]](t)(NewQuery1[position](w))
	n := 0
	must[*Observer](t)(pos.OnAdded(func(*World, Entity, *position) error { n++; return nil }))
	s := must[*Spawner1[position]](t)(NewSpawner1[position](w, tag))
	for range 3 {
		must[Entity](t)(s.Spawn(position{1, 2}))
	}
	w.BeginFrame(1)
	w.EndFrame()
	ok(t, w.Reset())
	must[TagID](t)(blank.DeclareTag("t"))
	if w.Digest() != blank.Digest() || w.Len() != 0 || w.Frame() != 0 || q.Count() != 0 {
		t.Error("the world is not blank")
	}
	e := must[Entity](t)(s.Spawn(position{1, 2}))
	if n != 4 || q.Count() != 1 || !w.Tagged(e, tag) {
		t.Error(n, q.Count())
	}
	walk := q.Start()
	if err := w.Reset(); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	walk.End()
	ok(t, w.Check())
}
