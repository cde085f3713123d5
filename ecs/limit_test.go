package ecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// bounded is a world with a limit of bytes, and something of all that grows.
type bounded struct {
	*family
	tag  TagID
	hit  EventID
	grid *Grid
	pair *Bundle
}

func newBounded(t *testing.T, most uint64) *bounded {
	t.Helper()
	b := &bounded{family: newFamily(t)}
	b.options.MaxBytes = most
	b.tag = must[TagID](t)(b.DeclareTag("marked"))
	b.hit = hits(t, b.World).ID()
	b.grid = must[*Grid](t)(b.DeclareGrid(GridSpec{Name: "near", Component: b.pos.ID(), X: "x", Y: "y", Cell: 1}))
	b.pair = must[*Bundle](t)(b.Bundle(b.pos.ID(), b.vel.ID()))
	return b
}

// Each way of growing ends at the limit with an error, which changes nothing.
func TestNothingGrowsBeyondItsBytes(t *testing.T) {
	const most = 1 << 16
	for name, grow := range map[string]func(b *bounded, i int) error{
		"spawn":              func(b *bounded, i int) error { return second(b.Spawn(b.pos.ID())) },
		"spawn of bundle":    func(b *bounded, i int) error { return second(b.pair.Spawn()) },
		"spawn many":         func(b *bounded, i int) error { return second(b.pair.SpawnMany(100, nil)) },
		"spawn far too many": func(b *bounded, i int) error { return second(b.pair.SpawnMany(1<<24, nil)) },
		"reserve":            func(b *bounded, i int) error { return b.Reserve(1000*i, b.pos.ID()) },
		"send":               func(b *bounded, i int) error { return b.Send(b.hit) },
		"add": func(b *bounded, i int) error {
			return errors.Join(second(b.Spawn()), second(b.Add(b.last(), b.vel.ID())))
		},
		"add of bundle": func(b *bounded, i int) error {
			return errors.Join(second(b.Spawn()), second(b.pair.Add(b.last())))
		},
		"set": func(b *bounded, i int) error {
			return errors.Join(second(b.Spawn()), second(b.Set(b.last(), b.pos.ID())))
		},
		"relate": func(b *bounded, i int) error {
			return errors.Join(second(b.Spawn()), second(b.Relate(b.last(), b.ownedBy, b.last())))
		},
		"tag": func(b *bounded, i int) error {
			return errors.Join(second(b.Spawn()), second(b.TryTag(b.last(), b.tag)))
		},
		"related": func(b *bounded, i int) error { return second(b.SpawnRelated([]Target{{b.childOf, b.last()}})) },
		"builder": func(b *bounded, i int) error { return second(b.Build().With(b.vel.ID()).Tag(b.tag).Spawn()) },
		"add all": func(b *bounded, i int) error {
			return errors.Join(second(b.Spawn()), second(b.pair.AddAll(must[*Query](b.t)(b.Query(Filter{Without: []ComponentID{b.pos.ID()}})), nil)))
		},
		"the grid": func(b *bounded, i int) error { return errors.Join(second(b.Spawn(b.pos.ID())), b.grid.Ready()) },
		"commands": func(b *bounded, i int) error {
			q := b.Commands()
			e, err := q.Spawn(b.pos.ID())
			q.Tag(e, b.tag)
			return errors.Join(err, q.Relate(e, b.ownedBy, e), q.Add(e, b.vel.ID()), q.Send(b.hit), q.Apply())
		},
		"tables": func(b *bounded, i int) error {
			var ids []ComponentID
			for bit := range 16 {
				if i>>bit&1 != 0 {
					s := must[*Schema](b.t)(NewSchema())
					ids = append(ids, must[ComponentID](b.t)(b.DeclareComponent(fmt.Sprint("c", bit), s)))
				}
			}
			return second(b.Spawn(ids...))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBounded(t, most)
			must[Entity](t)(b.Spawn())
			var err error
			n := 0
			for ; err == nil && n < 20_000; n++ {
				err = grow(b, n)
				if held := b.Bytes() + b.structure; held > most+1<<10 {
					t.Fatalf("%d bytes are held", held)
				}
			}
			if !errors.Is(err, ErrBytes) || !errors.Is(err, ErrLimit) || !strings.HasSuffix(err.Error(), "limit reached: 64KiB of tables, tags, grids, relations and events") {
				t.Fatalf("after %d times: %v", n, err)
			}
			ok(t, b.Check())
			must[int](t)(b.DespawnMany(slices.Collect(b.Entities)))
			ok(t, b.Check())
		})
	}
}

// last is the last entity of the first table with rows.
func (b *bounded) last() Entity {
	for _, t := range b.Tables() {
		if n := t.Len(); n > 0 {
			return t.Entities()[n-1]
		}
	}
	return None
}

// A refused operation changes nothing: the world stays like one without a limit that never heard of it.
func TestARefusedOperationChangesNothing(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(3, seed))
		small, twin := newBounded(t, 20_000+seed*3_000), newBounded(t, 0)
		refused := 0
		for step := range 3_000 {
			n, i, j := random.IntN(14), random.IntN(400), random.IntN(400)
			err := small.change(n, i, j)
			switch {
			case errors.Is(err, ErrBytes):
				refused++
			case err == nil || errors.Is(err, ErrCycle) || errors.Is(err, ErrDead):
				if other := twin.change(n, i, j); fmt.Sprint(other) != fmt.Sprint(err) {
					t.Fatalf("step %d, operation %d: %v, without a limit %v", step, n, err, other)
				}
			default:
				t.Fatalf("step %d, operation %d: %v", step, n, err)
			}
			if step%200 == 0 {
				ok(t, small.Check())
				if small.Digest() != twin.Digest() {
					t.Fatalf("step %d: the worlds differ", step)
				}
			}
		}
		if small.Digest() != twin.Digest() || refused < 100 {
			t.Fatalf("%d operations were refused; the worlds are the same: %v", refused, small.Digest() == twin.Digest())
		}
	}
}

func (b *bounded) change(n, i, j int) error {
	pick := func(i int) Entity {
		if len(b.slots.all) == 0 {
			return None
		}
		i %= len(b.slots.all)
		return makeEntity(uint32(i), b.slots.all[i].meta&generationMask)
	}
	e, other := pick(i), pick(j)
	switch n {
	case 0:
		return second(b.Spawn(b.pos.ID()))
	case 1:
		return second(b.pair.SpawnMany(i%10, nil))
	case 2:
		return second(b.Despawn(e))
	case 3:
		return second(b.Add(e, b.pos.ID(), b.vel.ID()))
	case 4:
		return second(b.Remove(e, b.pos.ID()))
	case 5:
		return second(b.Set(e, b.vel.ID(), FieldValue{0, Number(float64(j))}))
	case 6:
		return second(b.Relate(e, b.childOf, other))
	case 7:
		return second(b.Relate(e, b.ownedBy, other))
	case 8:
		return second(b.Unrelate(e, b.ownedBy))
	case 9:
		return second(b.TryTag(e, b.tag))
	case 10:
		b.Untag(e, b.tag)
		return nil
	case 11:
		return b.Send(b.hit)
	case 12:
		if i == 0 {
			b.EndFrame()
			b.BeginFrame(1)
			b.EndFrame()
		}
		return nil
	default:
		return second(b.SpawnRelated([]Target{{b.ownedBy, e}}, b.vel.ID()))
	}
}

func TestMemoryOfWhatIsGoneIsGivenBackForWantOfRoom(t *testing.T) {
	b := newBounded(t, 1<<16)
	var err error
	sent := 0
	for ; err == nil; sent++ {
		err = b.Send(b.hit)
	}
	for range 3 {
		b.EndFrame()
		b.BeginFrame(1)
	}
	if _, err := b.pair.SpawnMany(500, nil); err != nil {
		t.Errorf("%d events are gone, and there is no room: %v", sent, err)
	}
}

func TestFieldsAreCounted(t *testing.T) {
	fields := make([]Field, MaxFields+1)
	for i := range fields {
		fields[i] = Field{Name: fmt.Sprint("f", i), Type: F64}
	}
	if _, err := NewSchema(fields[:MaxFields]...); err != nil {
		t.Error(err)
	}
	if _, err := NewSchema(fields...); fmt.Sprint(err) != "257 fields are too many: at most 256" {
		t.Error(err)
	}
	if _, err := SchemaOf[[300]string](); err == nil {
		t.Error("300 strings are a component")
	}
	type wide struct{ A, B, C, D, E [60]string }
	if _, err := SchemaOf[wide](); err == nil {
		t.Errorf("%d bytes are a component", unsafe.Sizeof(wide{}))
	}
}

// Marks and lists that found room in part are whole when there is room again: of tags and relations so many are declared that their marks have two levels.
func TestMarksThatFoundNoRoom(t *testing.T) {
	for room := uint64(0); room < 4200; room += 64 {
		w := newWorld(Options{})
		var tag TagID
		var likes RelationID
		for i := range 70 {
			tag = must[TagID](t)(w.DeclareTag(fmt.Sprint("tag", i)))
			likes = must[RelationID](t)(w.DeclareRelation(fmt.Sprint("likes", i)))
		}
		var es []Entity
		for range 66 {
			es = append(es, must[Entity](t)(w.Spawn()))
		}
		w.Tag(es[0], tag)
		must[bool](t)(w.Relate(es[1], likes, es[0]))
		must[bool](t)(w.Unrelate(es[1], likes))
		w.options.MaxBytes = w.Bytes() + w.structure + tableCost + room
		_, tagged := w.TryTag(es[65], tag)
		_, related := w.Relate(es[1], likes, es[65])
		for _, err := range []error{tagged, related} {
			if err != nil && !errors.Is(err, ErrBytes) {
				t.Fatal(err)
			}
		}
		check(t, w)
		if w.Tagged(es[65], tag) != (tagged == nil) || w.SourceCount(likes, es[65]) != 0 == (related != nil) {
			t.Fatalf("room for %d: tagged %v, related %v", room, tagged, related)
		}
		w.options.MaxBytes = 0
		if !w.Tag(es[65], tag) || !must[bool](t)(w.Relate(es[1], likes, es[65])) {
			t.Fatal("there is room")
		}
		check(t, w)
		must[bool](t)(w.Despawn(es[65]))
		check(t, w)
		if w.Has(es[1], likes) || w.TagSet(tag).Len() != 1 {
			t.Fatal("a dead entity is a target, or has a tag")
		}
	}
}

// A new edge needs room for a table; one that was walked before needs none.
func TestRoomForATable(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	must[Entity](t)(w.Spawn(ids[0]))
	for _, c := range []struct {
		room int
		ids  []ComponentID
		full bool
	}{{tableCost - 1, ids[1:], true}, {tableCost, ids[1:], false}, {tableCost - 1, ids[:1], false}, {0, ids[:1], false}, {0, ids, true}, {tableCost, ids, false}} {
		w.options.MaxBytes = uint64(int(w.structure+w.Bytes()) + c.room)
		if got := w.tables[0].full(c.ids); got != c.full {
			t.Errorf("room for %d, components %v: full is %v", c.room, c.ids, got)
		}
	}
	if w.options.MaxBytes = 0; w.tables[0].full(ids) {
		t.Error("a world without a limit is full")
	}
}
