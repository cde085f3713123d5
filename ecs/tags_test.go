package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestTags_0_43_1_24_1_25_1_28_1_30(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	tag := must[TagID](t)(w.DeclareTag("selected"))
	other := must[TagID](t)(w.DeclareTag("burning"))
	if again := must[TagID](t)(w.DeclareTag("selected")); again != tag {
		t.Fatal("two ids for one tag")
	}
	es := slices.Clone(must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(4, nil)))
	table, row := w.TableOf(es[1])
	before := fmt.Sprint(len(w.Tables()), row, table.Column(ids[0]).Changed(row), table.Column(ids[0]).Added(row))
	w.advanceTick()
	for _, want := range []bool{true, true} { // also when it was set before
		if w.Tag(es[1], tag) != want {
			t.Fatal("tag of a living entity is false")
		}
	}
	w.Tag(es[3], tag)
	w.Tag(es[0], tag)
	w.Tag(es[1], other)
	if !slices.Equal(w.TagMembers(tag), []Entity{es[1], es[3], es[0]}) || !slices.Equal(w.TagsOf(es[1]), []TagID{tag, other}) {
		t.Fatalf("members %v", w.TagMembers(tag))
	}
	if !w.Untag(es[1], tag) || w.Untag(es[1], tag) || w.Tagged(es[1], tag) || !w.Tagged(es[1], other) {
		t.Fatal("untag")
	}
	if !slices.Equal(w.TagMembers(tag), []Entity{es[0], es[3]}) {
		t.Fatalf("members %v", w.TagMembers(tag))
	}
	if at, r := w.TableOf(es[1]); at != table || fmt.Sprint(len(w.Tables()), r, table.Column(ids[0]).Changed(r), table.Column(ids[0]).Added(r)) != before {
		t.Fatal("a tag moved or stamped its entity")
	}
	must[bool](t)(w.Despawn(es[2]))
	if w.Tag(es[2], tag) || w.Tag(None, tag) || w.Tag(makeEntity(99, 1), tag) || w.Untag(es[2], tag) || len(w.TagMembers(tag)) != 2 {
		t.Fatal("a dead entity was tagged")
	}
	check(t, w)
}

func TestStaleHandleHasNotTheNewOnesTag_1_26(t *testing.T) {
	w := newWorld(Options{})
	tag := must[TagID](t)(w.DeclareTag("selected"))
	old := must[Entity](t)(w.Spawn())
	w.Tag(old, tag)
	must[bool](t)(w.Despawn(old))
	fresh := must[Entity](t)(w.Spawn())
	if fresh.Index() != old.Index() || w.Tagged(fresh, tag) {
		t.Fatal("the tag outlived its entity")
	}
	w.Tag(fresh, tag)
	if w.Tagged(old, tag) || w.Untag(old, tag) || !w.Tagged(fresh, tag) {
		t.Fatal("the stale handle reaches the newer entity's tag")
	}
	check(t, w)
}

func TestDespawnClearsTags_0_44_1_29(t *testing.T) {
	w := newWorld(Options{})
	var tags []TagID
	for _, name := range []string{"a", "b", "c"} {
		tags = append(tags, must[TagID](t)(w.DeclareTag(name)))
	}
	var es []Entity
	for i := range 1000 {
		e := must[Entity](t)(w.Spawn())
		for k, tag := range tags {
			if i%(k+1) == 0 {
				w.Tag(e, tag)
			}
		}
		es = append(es, e)
	}
	for _, e := range es {
		must[bool](t)(w.Despawn(e))
	}
	for _, tag := range tags {
		if n := len(w.TagMembers(tag)); n != 0 {
			t.Fatalf("tag %d has %d members among the dead", tag, n)
		}
	}
	check(t, w)
}

func TestQueriesByTag_1_27(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A")
	tag, other := must[TagID](t)(w.DeclareTag("hot")), must[TagID](t)(w.DeclareTag("cold"))
	es := slices.Clone(must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(130, nil)))
	bare := must[Entity](t)(w.Spawn())
	for _, i := range []int{0, 63, 64, 65, 129} {
		w.Tag(es[i], tag)
	}
	w.Tag(es[64], other)
	w.Tag(bare, tag)
	tables := len(w.Tables())
	wantSeen(t, w, "tagged", Filter{Required: ids, Tagged: []TagID{tag}}, 0, es[0], es[63], es[64], es[65], es[129])
	wantSeen(t, w, "tagged twice", Filter{Tagged: []TagID{tag, other}}, 0, es[64])
	wantSeen(t, w, "tagged, untagged", Filter{Required: ids, Tagged: []TagID{tag}, Untagged: []TagID{other}}, 0, es[0], es[63], es[65], es[129])
	wantSeen(t, w, "any table", Filter{Tagged: []TagID{tag}, Without: ids}, 0, bare)
	if q := must[*Query](t)(w.Query(Filter{Required: ids, Untagged: []TagID{tag}})); q.Count() != 125 {
		t.Fatalf("%d untagged", q.Count())
	}
	if len(w.Tables()) != tables {
		t.Fatal("a query by tag made tables")
	}
}

func TestNamesBelongToOneThing(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema())
	must[TagID](t)(w.DeclareTag("selected"))
	must[ComponentID](t)(w.DeclareComponent("Marker", s))
	if _, err := w.DeclareTag("Marker"); !errors.Is(err, ErrMismatch) {
		t.Errorf("a tag named like a component: %v", err)
	}
	if _, err := w.DeclareComponent("selected", s); !errors.Is(err, ErrMismatch) {
		t.Errorf("a component named like a tag: %v", err)
	}
	for name, err := range map[string]error{
		"tag":       second(w.DeclareTag("")),
		"component": second(w.DeclareComponent("", s)),
		"event":     second(w.DeclareEvent("", s)),
		"resource":  second(w.DeclareResource("", F64, Value{})),
	} {
		if err == nil {
			t.Errorf("a %s without a name", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Any 64 bits can be asked for: an index beyond the entries, an upper half like that of an entry nobody has.
func TestTagOfHandlesNobodyGaveOut(t *testing.T) {
	w := newWorld(Options{})
	tag := must[TagID](t)(w.DeclareTag("marked"))
	set := w.TagSet(tag)
	strange := []Entity{None, 1, 1<<32 - 1, 1 << 32, 1<<32 | 7, 1<<40 | 70, 1<<63 | 1, ^Entity(0), 0xffffffff00000000}
	ask := func(when string) {
		t.Helper()
		for _, e := range strange {
			if set.Has(e) || set.Untag(e) || Raw.TagPlace(set, e) != -1 {
				t.Errorf("%s: %x has the tag", when, uint64(e))
			}
		}
	}
	ask("nobody was ever tagged")
	var es []Entity
	for range 5 {
		es = append(es, must[Entity](t)(w.Spawn()))
	}
	must[bool](t)(w.Despawn(es[0]))
	set.Tag(es[2])
	strange[3] = es[1]
	ask("one is tagged")
	c := must[*World](t)(w.Copy())
	set = c.TagSet(tag)
	ask("in a copy")
	if !set.Has(es[2]) || !set.Untag(es[2]) {
		t.Error("the copy lost the tag")
	}
	ok(t, w.Check())
	ok(t, c.Check())
}

// An entry that was taken away remembers whose mark is set. That ends with the entity, also when its slot comes around to the same generation.
func TestTagAgainAfterItsMarkWent(t *testing.T) {
	for _, tags := range []int{1, 64, 65, 4097} { // levels of marks
		w := newWorld(Options{})
		for i := range tags {
			must[TagID](t)(w.DeclareTag(fmt.Sprint("t", i)))
		}
		id := TagID(tags - 1)
		e := must[Entity](t)(w.Spawn())
		w.Tag(e, id)
		w.Untag(e, id)
		w.Tag(e, id)
		w.Untag(e, id)
		must[bool](t)(w.Despawn(e))
		if got := w.tags[id].sparse.at(e.Index()).place; got != 0 {
			t.Errorf("%d tags: the entry of a dead entity says %d", tags, got)
		}
		w.slots.all[e.Index()].meta = 1 | slotFree // as after all generations
		again := must[Entity](t)(w.Spawn())
		if again != e {
			t.Fatalf("the slot gave %s", again)
		}
		w.Tag(again, id)
		if got := w.TagsOf(again); len(got) != 1 || got[0] != id {
			t.Errorf("%d tags: the entity has %v", tags, got)
		}
		must[bool](t)(w.Despawn(again))
		if err := w.Check(); err != nil || len(w.TagMembers(id)) != 0 {
			t.Errorf("%d tags: %d members, %v", tags, len(w.TagMembers(id)), err)
		}
		c := must[*World](t)(w.Copy())
		if err := c.Check(); err != nil {
			t.Error(err)
		}
	}
}
