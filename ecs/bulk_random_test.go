package ecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A motley is a random world for operations on whole queries: tables of sizes around the borders of blocks, rows with stamps of all ages, tags, relations,
// bases, slots of the last generation, and components of all layouts.
type motley struct {
	w   *World
	ids []ComponentID // of Position, Velocity, Label, Mark and C4: two words, two words, with a string, none, one word with a default
	tag TagID
	isA RelationID
	rng *rand.Rand
}

func newMotley(t *testing.T, seed uint64) *motley {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, seed))
	w := newWorld(Options{})
	m := &motley{w: w, rng: rng, tag: must[TagID](t)(w.DeclareTag("tag"))}
	childOf, likes := must[RelationID](t)(w.DeclareRelation(ChildOf)), must[RelationID](t)(w.DeclareRelation("Likes"))
	m.isA = must[RelationID](t)(w.DeclareRelation(IsA))
	pos, vel, label := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity"), MustRegister[modelLabel](w, "Label")
	mark := must[ComponentID](t)(w.DeclareComponent("Mark", must[*Schema](t)(NewSchema())))
	m.ids = []ComponentID{pos.ID(), vel.ID(), label.ID(), mark, letters(t, w, "C0", "C1", "C2", "C3", "C4")[4]}
	sizes := []int{1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129}
	for range 2 + rng.IntN(4) {
		set := m.some(1 + rng.IntN(3))
		n := sizes[rng.IntN(len(sizes))]
		w.advanceTick()
		must[[]Entity](t)(must[*Bundle](t)(w.Bundle(set...)).SpawnMany(n, nil))
	}
	es := slices.Collect(w.Entities)
	pick := func() Entity { return es[rng.IntN(len(es))] }
	for _, e := range es {
		if rng.IntN(4) > 0 {
			continue
		}
		w.advanceTick()
		switch id := m.ids[rng.IntN(len(m.ids))]; {
		case id == mark:
		case w.Owns(e, id):
			v := Number(float64(rng.IntN(100)))
			if id == label.ID() {
				v = Text(fmt.Sprint("label of ", e))
			}
			must[bool](t)(w.Set(e, id, FieldValue{0, v}))
		}
		if rng.IntN(3) == 0 {
			w.Tag(e, m.tag)
		}
	}
	for _, rel := range []RelationID{childOf, likes, m.isA} {
		if rng.IntN(2) == 0 {
			continue
		}
		for range 1 + rng.IntN(20) {
			if _, err := w.Relate(pick(), rel, pick()); err != nil && !errors.Is(err, ErrCycle) {
				t.Fatal(err)
			}
		}
	}
	for _, table := range w.tables {
		if len(table.columns) > 0 && rng.IntN(3) == 0 {
			w.advanceTick()
			c := &table.columns[rng.IntN(len(table.columns))]
			from := rng.IntN(table.Len() + 1)
			c.StampRange(from, from+rng.IntN(table.Len()-from+1))
		}
	}
	if rng.IntN(2) == 0 { // some slots are at the end of their generations
		for range 5 {
			m.spend(pick())
		}
	}
	if rng.IntN(3) == 0 {
		for range 20 {
			must[bool](t)(w.Despawn(pick()))
		}
	}
	if rng.IntN(3) == 0 {
		w.TrackRemoved(m.ids[rng.IntN(len(m.ids))])
	}
	w.advanceTick()
	check(t, w)
	return m
}

func (m *motley) some(n int) []ComponentID {
	set := slices.Clone(m.ids)
	m.rng.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
	return set[:n]
}

// spend makes the generation of an entity's slot the last one. Tagged and related ones are left alone: others know their handle.
func (m *motley) spend(e Entity) {
	w := m.w
	sl := w.slots.find(e)
	if sl == nil || sl.meta&(slotTagged|slotTarget) != 0 || len(w.tables[sl.table].targets) > 0 {
		return
	}
	sl.meta = MaxGeneration
	w.tables[sl.table].entities[sl.row] = makeEntity(uint32(e), MaxGeneration)
}

func (m *motley) filter() Filter {
	f := Filter{Required: m.some(m.rng.IntN(2)), Inherited: m.rng.IntN(4) == 0}
	switch m.rng.IntN(6) {
	case 0:
		f.Tagged = []TagID{m.tag}
	case 1:
		f.Without = m.some(1)
	case 2:
		f.Changed = m.some(1)
	}
	return f
}

// Each operation on a whole query is the same as a loop of operations on its entities, in a copy of the world. What AddAll hands out are exactly
// the rows that have gained something, at their defaults or with what the entity shared.
func TestOperationsOnWholeQueriesInMotleyWorlds(t *testing.T) {
	seeds := uint64(400)
	whole := map[string]int{}
	for seed := range seeds {
		m := newMotley(t, seed)
		w, ids := m.w, m.some(1+m.rng.IntN(3))
		twin := must[*World](t)(w.Copy())
		f := m.filter()
		q, other := must[*Query](t)(w.Query(f)), must[*Query](t)(twin.Query(f))
		b, single := must[*Bundle](t)(w.Bundle(ids...)), must[*Bundle](t)(twin.Bundle(ids...))
		list := other.AppendEntities(nil)
		op := []string{"despawn", "add", "remove"}[seed%3]
		_, tables := q.wholeTables()
		whole[fmt.Sprint(op, " ", tables)]++
		var n int
		var err error
		switch op {
		case "despawn":
			n, err = q.DespawnAll()
			for i, e := range list { // one that died with its parent does not count
				if !must[bool](t)(twin.Despawn(e)) {
					list[i] = None
				}
			}
			list = slices.DeleteFunc(list, func(e Entity) bool { return e == None })
		case "add":
			var got []Entity
			n, err = b.AddAll(q, func(table *Table, from, to int) {
				if from >= to || to > table.Len() || !w.Locked() {
					t.Fatalf("seed %d: rows %d to %d of %d are handed out", seed, from, to, table.Len())
				}
				got = append(got, table.Entities()[from:to]...)
			})
			var want []Entity
			for _, e := range list {
				if !ownsAll(twin, e, ids) {
					want = append(want, e)
				}
				must[bool](t)(single.Add(e))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: handed out %v, want %v", seed, got, want)
			}
		default:
			n, err = b.RemoveAll(q)
			for _, e := range list {
				must[bool](t)(single.Remove(e))
			}
		}
		ok(t, err)
		if n != len(list) || w.Locked() {
			t.Fatalf("seed %d: %s of %d entities, want %d", seed, op, n, len(list))
		}
		check(t, w)
		ok(t, wholeMemory(w))
		sameDump(t, fmt.Sprintf("seed %d: %s %v of %+v", seed, op, ids, f), dump(w), dump(twin))
	}
	for _, op := range []string{"despawn", "add", "remove"} {
		if whole[op+" true"] < 20 || whole[op+" false"] < 20 {
			t.Errorf("%s: %v", op, whole)
		}
	}
}

func ownsAll(w *World, e Entity, ids []ComponentID) bool {
	return !slices.ContainsFunc(ids, func(id ComponentID) bool { return !w.Owns(e, id) })
}

// Tables without rows are passed over: no table is made for them and nothing is handed out.
func TestOperationsOnEmptyTablesDoNothing(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B")
	must[bool](t)(w.Despawn(must[Entity](t)(w.Spawn(ids[0]))))
	q := must[*Query](t)(w.Query(Filter{Required: ids[:1]}))
	b, both := must[*Bundle](t)(w.Bundle(ids[1])), must[*Bundle](t)(w.Bundle(ids[0]))
	tables := len(w.tables)
	if n, err := b.AddAll(q, func(*Table, int, int) { t.Error("nothing is handed out") }); n != 0 || err != nil {
		t.Error(n, err)
	}
	if n, err := both.RemoveAll(q); n != 0 || err != nil {
		t.Error(n, err)
	}
	if n, err := q.DespawnAll(); n != 0 || err != nil || len(w.tables) != tables {
		t.Error(n, err, len(w.tables))
	}
	if list := must[[]Entity](t)(b.SpawnMany(-3, func(_ *Table, from, to int) {
		if from != to {
			t.Error("rows of none")
		}
	})); len(list) != 0 || w.Len() != 0 {
		t.Errorf("%v", list)
	}
	check(t, w)
}

// Under a limit an operation on a whole query does the first of its entities or tables, says how many, and leaves the others as they are.
func TestOperationsOnWholeQueriesUnderALimit(t *testing.T) {
	for _, tagged := range []bool{false, true} {
		for _, op := range []string{"add", "remove"} {
			refused, done := 0, 0
			for room := uint64(0); room < 6000; room += 250 {
				b := newBounded(t, 0)
				third := must[ComponentID](t)(b.DeclareComponent("Third", must[*Schema](t)(NewSchema())))
				for i, set := range [][]ComponentID{{b.pos.ID()}, {b.pos.ID(), third}, {b.pos.ID(), b.vel.ID()}} {
					for range 8 + 10*i {
						b.Tag(must[Entity](t)(b.Spawn(set...)), b.tag)
					}
				}
				f := Filter{Required: []ComponentID{b.pos.ID()}}
				if tagged {
					f.Tagged = []TagID{b.tag}
				}
				q := must[*Query](t)(b.Query(f))
				bundle := must[*Bundle](t)(b.Bundle(b.vel.ID()))
				if op == "remove" {
					bundle = must[*Bundle](t)(b.Bundle(b.pos.ID()))
				}
				list, had := q.AppendEntities(nil), map[Entity]bool{}
				for _, e := range list {
					had[e] = op == "add" && b.Owns(e, b.vel.ID())
				}
				b.options.MaxBytes = b.Bytes() + b.structure + room
				var n int
				var err error
				handed := 0
				if op == "add" {
					n, err = bundle.AddAll(q, func(_ *Table, from, to int) { handed += to - from })
				} else {
					n, err = bundle.RemoveAll(q)
				}
				if err != nil {
					if refused++; !errors.Is(err, ErrBytes) || err.(*OpError).Op != op || err.(*OpError).Component != map[string]string{"add": "Velocity", "remove": "Position"}[op] {
						t.Fatal(err)
					}
				} else if done++; n != len(list) {
					t.Fatalf("%d of %d, and no error", n, len(list))
				}
				gained := 0
				for i, e := range list {
					moved := b.Owns(e, b.vel.ID())
					if op == "remove" {
						moved = !b.Owns(e, b.pos.ID())
					}
					if moved != (i < n || had[e]) {
						t.Fatalf("tagged %v, %s, room for %d: %d are done, entity %d is: %v", tagged, op, room, n, i, moved)
					}
					if moved && !had[e] {
						gained++
					}
				}
				if op == "add" && handed != gained || b.Locked() {
					t.Fatalf("%d rows were handed out, %d entities gained something", handed, gained)
				}
				check(t, b.World)
			}
			if refused < 3 || done < 3 {
				t.Errorf("tagged %v, %s: refused %d times, done %d times", tagged, op, refused, done)
			}
		}
	}
}

// A block that comes along with a whole table is as old as its rows: a walk for changes since then skips it.
func TestBlocksOfAMovedTableKeepTheirAge(t *testing.T) {
	for _, c := range []struct {
		before, stamped int // rows that are there already; which of the others is new
		want            []uint32
	}{{0, 100, []uint32{1, 2, 1}}, {64, 100, []uint32{1, 1, 2, 1}}, {10, 100, []uint32{1, 2, 1, 1}}, {1, 63, []uint32{1, 2, 1, 1}}, {63, 64, []uint32{1, 2, 1, 1}}, {63, 1, []uint32{1, 2, 1, 1}}, {63, 0, []uint32{2, 1, 1, 1}}} {
		before, want := c.before, c.want
		w := newWorld(Options{})
		ids := letters(t, w, "A", "B")
		from, both := must[*Bundle](t)(w.Bundle(ids[0])), must[*Bundle](t)(w.Bundle(ids...))
		must[int](t)(from.SpawnRows(192, nil))
		must[int](t)(both.SpawnRows(before, nil))
		w.advanceTick()
		w.tables[1].Column(ids[0]).Stamp(c.stamped)
		q := must[*Query](t)(w.Query(Filter{Required: ids[:1], Without: ids[1:]}))
		must[int](t)(must[*Bundle](t)(w.Bundle(ids[1])).AddAll(q, nil))
		col := w.tables[2].Column(ids[0])
		for i := range want {
			b := col.blocks[i]
			if got := max(b.changedNewest, b.changedAll); got != want[i] || max(b.addedNewest, b.addedAll) != 1 {
				t.Errorf("%d rows before: block %d is of %d, want %d", before, i, got, want[i])
			}
		}
		check(t, w)
	}
}
