package ecs

import (
	"errors"
	"slices"
	"testing"
)

// What a queued command is charged: the numbers are part of what a script's budget means, so they are the same in every run.
func TestChargesOfCommands(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	wide := make([]Field, 40)
	for i := range wide {
		wide[i] = Field{Name: "f" + string(rune('A'+i)), Type: F64}
	}
	big := must[ComponentID](t)(w.DeclareComponent("Big", must[*Schema](t)(NewSchema(wide...))))
	event := must[EventID](t)(w.DeclareEvent("Wide", must[*Schema](t)(NewSchema(wide...))))
	tag := must[TagID](t)(w.DeclareTag("tag"))
	likes := must[RelationID](t)(w.DeclareRelation("Likes"))
	plain, heavy := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn(big)) // a row of heavy has 320 bytes and its handle
	c := w.Commands()
	for _, test := range []struct {
		name  string
		queue func()
		want  int
	}{
		{"spawn of nothing", func() { must[Entity](t)(c.Spawn()) }, 1},
		{"spawn of two components", func() { must[Entity](t)(c.Spawn(ids...)) }, 3},
		{"spawn with a relation", func() { must[Entity](t)(c.SpawnRelated([]Target{{likes, plain}}, ids...)) }, 4},
		{"send of nothing", func() { ok(t, c.Send(event)) }, 6},
		{"send of two fields", func() { ok(t, c.Send(event, FieldValue{0, Number(1)}, FieldValue{1, Number(1)})) }, 8},
		{"set of one field", func() { ok(t, c.Set(heavy, big, FieldValue{0, Number(1)})) }, 3},
		{"set of two fields", func() { ok(t, c.Set(heavy, big, FieldValue{0, Number(1)}, FieldValue{1, Number(1)})) }, 4},
		{"tag", func() { c.Tag(heavy, tag) }, 1},
		{"untag", func() { c.Untag(heavy, tag) }, 1},
		{"add", func() { ok(t, c.Add(heavy, ids[0])) }, 2},
		{"remove from a row of two components", func() { ok(t, c.Remove(heavy, ids[0])) }, 2},
		{"despawn", func() { c.Despawn(heavy) }, 3},
		{"despawn of the dead", func() { c.Despawn(heavy) }, 1},
		{"despawn of a target", func() { c.Despawn(plain) }, 4},
	} {
		test.queue()
		var got []int
		ok(t, c.ApplyCharged(func(steps int) error { got = append(got, steps); return nil }))
		if !slices.Equal(got, []int{test.want}) {
			t.Errorf("%s: charged %v, want %d", test.name, got, test.want)
		}
	}
	check(t, w)
}

func TestChargesComeEveryFewThousandSteps(t *testing.T) {
	w := newWorld(Options{})
	c := w.Commands()
	for range 3*chargeEvery + 5 {
		must[Entity](t)(c.Spawn())
	}
	var got []int
	ok(t, c.ApplyCharged(func(steps int) error { got = append(got, steps); return nil }))
	if want := []int{chargeEvery, chargeEvery, chargeEvery, 5}; !slices.Equal(got, want) {
		t.Errorf("charged %v, want %v", got, want)
	}
	if w.Len() != 3*chargeEvery+5 {
		t.Errorf("%d live", w.Len())
	}
}

// A charge that is refused ends the queue: what came before stays, and the handles of the rest are given back.
func TestARefusedChargeDropsTheRest(t *testing.T) {
	w := newWorld(Options{})
	c := w.Commands()
	for i := range chargeEvery + 10 {
		c.At(uint16(i))
		must[Entity](t)(c.Spawn())
	}
	refused := errors.New("spent")
	err := c.ApplyCharged(func(int) error { return refused })
	var failed *CommandError
	if !errors.As(err, &failed) || !errors.Is(err, refused) || failed.Place != chargeEvery-1 || err.Error() != "spent" {
		t.Fatalf("%v %+v", err, failed)
	}
	if s := w.Stats(); s.Entities != chargeEvery || s.Free != 10 || s.Reserved != 0 || c.Len() != 0 {
		t.Errorf("%+v, %d queued", s, c.Len())
	}
	check(t, w)
}

// The first command that fails is the error, with the place it was queued at, whether or not steps are charged; the others are applied.
func TestTheFirstFailureOfAQueue(t *testing.T) {
	for _, charge := range []func(int) error{nil, func(int) error { return nil }} {
		w := newWorld(Options{})
		child := must[RelationID](t)(w.DeclareRelation(ChildOf))
		a, b := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
		c := w.Commands()
		c.At(7)
		ok(t, c.Relate(a, child, b))
		c.At(8)
		ok(t, c.Relate(b, child, a))
		c.At(9)
		ok(t, c.Relate(b, child, b))
		last := must[Entity](t)(c.Spawn())
		err := c.ApplyCharged(charge)
		var failed *CommandError
		if !errors.As(err, &failed) || !errors.Is(err, ErrCycle) || failed.Place != 8 {
			t.Errorf("%v %+v", err, failed)
		}
		if w.Related(a, child) != b || w.Related(b, child) != None || !w.Alive(last) {
			t.Error("the rest was not applied")
		}
		c.Despawn(last)
		if ok(t, c.Apply()); c.ops[:1][0].place != 0 {
			t.Error("the place outlives the queue")
		}
	}
}
