package ecs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// walked is a world with random tables, tags, relations and stamps. The same seed gives the same world.
type walked struct {
	w          *World
	pos        Component[position]
	vel        Component[velocity]
	label      Component[label]
	spot       Component[spot]
	tag        TagID
	likes, isA RelationID
	es         []Entity
	since      Tick
	into       Entity
}

func newWalked(t *testing.T, seed uint64) *walked {
	r := rand.New(rand.NewPCG(seed, 1))
	w := NewWorld(Options{})
	x := &walked{
		w: w, pos: MustRegister[position](w, "Position"), vel: MustRegister[velocity](w, "Velocity"),
		label: MustRegister[label](w, "Label"), spot: MustRegister[spot](w, "Spot"),
		tag: must[TagID](t)(w.DeclareTag("marked")), likes: must[RelationID](t)(w.DeclareRelation("Likes")), isA: must[RelationID](t)(w.DeclareRelation(IsA)),
	}
	all := []ComponentID{x.pos.ID(), x.vel.ID(), x.label.ID(), x.spot.ID()}
	for set := range 16 {
		var ids []ComponentID
		for i, id := range all {
			if set>>i&1 != 0 {
				ids = append(ids, id)
			}
		}
		n := []int{0, 1, 63, 64, 65, 128, 130, 200}[r.IntN(8)]
		x.es = append(x.es, must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(n, nil))...)
	}
	for i, e := range x.es {
		if p := x.pos.Get(e); p != nil {
			p.X = float64(i)
		}
		if v := x.vel.Get(e); v != nil {
			v.DX = float64(2 * i)
		}
		if l := x.label.Get(e); l != nil {
			l.Text = fmt.Sprint(i)
		}
		dense := i/100%2 == 0 // runs of many rows, and of few
		if r.IntN(10) < map[bool]int{true: 9, false: 2}[dense] {
			w.Tag(e, x.tag)
		}
	}
	x.into = x.es[r.IntN(len(x.es))]
	for _, e := range x.es {
		if r.IntN(4) == 0 && e != x.into {
			must[bool](t)(w.Relate(e, x.likes, x.into))
		}
		if r.IntN(8) == 0 && e < x.into {
			must[bool](t)(w.Relate(e, x.isA, x.into))
		}
	}
	x.since = w.Tick()
	w.advanceTick()
	from := r.IntN(len(x.es))
	for i, e := range x.es[from:] {
		if (i/70)%2 == 0 && r.IntN(20) > 0 {
			x.pos.Mut(e)
		}
		if r.IntN(3) == 0 {
			x.vel.Mut(e)
		}
	}
	w.advanceTick()
	return x
}

// A visitor is one way through the entities that have a position, which is written, and a velocity, which is read.
// It writes to each, and leaves after stop entities unless that is negative.
type visitor func(t *testing.T, x *walked, f Filter, narrow bool, stop int) []Entity

func byCursor(t *testing.T, x *walked, f Filter, narrow bool, stop int) (got []Entity) {
	f.Required = []ComponentID{x.pos.ID(), x.vel.ID()}
	q := must[*Query](t)(x.w.Query(f))
	c := q.beginSince(x.since)
	if narrow {
		c = must[Cursor](t)(q.beginTarget(x.likes, x.into))
	}
	defer c.End()
	for c.Next() {
		if x.pos.at(&c) == nil {
			continue // shared: not to be written
		}
		if got = append(got, c.Entity()); len(got) == stop+1 && stop >= 0 {
			c.Stamp(0)
			x.pos.at(&c).X += x.vel.Shared(c.Entity()).DX
			return got
		}
		c.Stamp(0)
		x.pos.at(&c).X += x.vel.Shared(c.Entity()).DX
	}
	return got
}

func (x *walked) start(t *testing.T, f Filter, narrow bool) Walk2[position, Read[velocity]] {
	q := must[*Query2[position, Read[velocity]]](t)(NewQuery2[position, Read[velocity]](x.w, f))
	if narrow {
		return must[Walk2[position, Read[velocity]]](t)(q.StartTarget(x.likes, x.into))
	}
	return q.StartSince(x.since)
}

func byEntity(t *testing.T, x *walked, f Filter, narrow bool, stop int) (got []Entity) {
	for e := x.start(t, f, narrow); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.X += v.Get().DX
		if p != x.pos.Of(e.Visit) || p != x.pos.Get(e.Entity()) {
			t.Fatal("the value is another entity's")
		}
		if got = append(got, e.Entity()); len(got) == stop+1 && stop >= 0 {
			e.End()
			break
		}
	}
	return got
}

// byRun visits by runs, and leaves by entity within a run.
func byRun(t *testing.T, x *walked, f Filter, narrow bool, stop int) (got []Entity) {
	for e := x.start(t, f, narrow); e.Ok(); {
		if stop < 0 || len(got)+len(e.Entities()) <= stop {
			p, v := e.Slices()
			for i := range p {
				p[i].X += v[i].Get().DX
			}
			if got = append(got, e.Entities()...); len(p) != len(v) || len(p) != len(e.Entities()) {
				t.Fatal("slices of different lengths")
			}
			e = e.NextRun()
			continue
		}
		p, v := e.Get()
		p.X += v.Get().DX
		if got = append(got, e.Entity()); len(got) == stop+1 {
			e.End()
			break
		}
		e = e.Next()
	}
	return got
}

// A typed walk visits what a cursor visits, in the same order, and stamps the same rows, for all conditions, runs
// that end anywhere, and walks that are left anywhere.
func TestTypedWalkIsThatOfACursor(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		for range 12 {
			var f Filter
			var narrow bool
			x := newWalked(t, seed)
			for range r.IntN(3) {
				switch r.IntN(8) {
				case 0:
					f.Without = []ComponentID{x.label.ID()}
				case 1:
					f.Any = []ComponentID{x.label.ID(), x.spot.ID()}
				case 2:
					f.Tagged = []TagID{x.tag}
				case 3:
					f.Untagged = []TagID{x.tag}
				case 4:
					f.Changed = []ComponentID{x.pos.ID(), x.vel.ID()}
				case 5:
					f.Added = []ComponentID{x.pos.ID()}
				case 6:
					f.Inherited = true
				default:
					narrow = true
				}
			}
			want := byCursor(t, x, f, narrow, -1)
			stop := -1
			if r.IntN(2) == 0 && len(want) > 0 {
				stop = r.IntN(len(want))
			}
			by := func(v visitor) (*walked, []Entity) {
				x := newWalked(t, seed)
				return x, v(t, x, f, narrow, stop)
			}
			model, list := by(byCursor)
			for name, v := range map[string]visitor{"Next": byEntity, "NextRun": byRun} {
				x, got := by(v)
				if !slices.Equal(got, list) {
					t.Fatalf("seed %d, %+v: %s visits %v, a cursor %v", seed, f, name, got, list)
				}
				sameStamps(t, x.w, model.w)
				if x.w.Digest() != model.w.Digest() || x.w.Locked() || len(x.w.walks) > 0 {
					t.Fatalf("seed %d, %+v: after %s the world differs, or the walk is not over", seed, f, name)
				}
				check(t, x.w)
			}
		}
	}
}

// sameStamps compares the stamps of all rows of two worlds with the same tables.
func sameStamps(t *testing.T, a, b *World) {
	t.Helper()
	for i, table := range a.Tables() {
		for _, id := range table.Components() {
			x, y := table.Column(id), b.Tables()[i].Column(id)
			for row := range table.Len() {
				if x.Changed(row) != y.Changed(row) || x.Added(row) != y.Added(row) {
					t.Fatalf("%s: row %d of %d of table %d was changed at %d, not %d", a.components[id].name, row, table.Len(), i, x.Changed(row), y.Changed(row))
				}
			}
			if x.newest != y.newest {
				t.Fatalf("%s: the newest stamps of table %d are %v, not %v", a.components[id].name, i, x.newest, y.newest)
			}
		}
	}
}

// All numbers of types read and write the right columns.
func TestTypedQueriesOfAllNumbersOfTypes(t *testing.T) {
	type (
		a struct{ V float64 }
		b struct{ V float32 }
		c struct{ V string }
		d struct{}
		f struct{ V uint8 }
	)
	type wide struct{ X, Y, Z float64 }
	w := NewWorld(Options{})
	ids := []ComponentID{
		MustRegister[f](w, "F").ID(), MustRegister[a](w, "A").ID(), MustRegister[b](w, "B").ID(), MustRegister[c](w, "C").ID(), MustRegister[d](w, "D").ID(), MustRegister[wide](w, "E").ID(),
	}
	es := must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(130, nil))
	w.advanceTick()
	one := must[*Query1[a]](t)(NewQuery1[a](w))
	i := 0.0
	for x := one.Start(); x.Ok(); x = x.Next() {
		x.Get().V = i
		i++
	}
	two := must[*Query2[Read[a], b]](t)(NewQuery2[Read[a], b](w))
	for x := two.Start(); x.Ok(); x = x.Next() {
		va, vb := x.Get()
		vb.V = float32(va.Get().V + 1)
	}
	three := must[*Query3[Read[b], Read[a], c]](t)(NewQuery3[Read[b], Read[a], c](w))
	for x := three.Start(); x.Ok(); x = x.Next() {
		vb, va, vc := x.Get()
		vc.V = fmt.Sprint(va.Get().V, vb.Get().V)
	}
	four := must[*Query4[Read[a], Read[b], Read[c], d]](t)(NewQuery4[Read[a], Read[b], Read[c], d](w))
	for x := four.Start(); x.Ok(); x = x.Next() {
		va, _, vc, _ := x.Get()
		if vc.Get().V != fmt.Sprint(va.Get().V, va.Get().V+1) {
			t.Fatal(va, vc)
		}
	}
	five := must[*Query5[Read[a], Read[b], Read[c], Read[d], wide]](t)(NewQuery5[Read[a], Read[b], Read[c], Read[d], wide](w))
	for x := five.Start(); x.Ok(); x = x.NextRun() {
		va, vb, vc, vd, ve := x.Slices()
		for i := range ve {
			ve[i] = wide{va[i].Get().V, float64(vb[i].Get().V), float64(len(vc[i].Get().V) + len(vd))}
		}
	}
	six := must[*Query6[f, Read[a], Read[b], Read[c], Read[d], Read[wide]]](t)(NewQuery6[f, Read[a], Read[b], Read[c], Read[d], Read[wide]](w))
	n := 0
	for x := six.Start(); x.Ok(); x = x.Next() {
		vf, va, vb, vc, _, ve := x.Get()
		if want := (wide{va.Get().V, float64(vb.Get().V), float64(len(vc.Get().V) + 130)}); ve.Get() != want || x.Entity() != es[n] || va.Get().V != float64(n) {
			t.Fatal(x.Entity(), ve.Get(), want)
		}
		vf.V = uint8(n)
		n++
	}
	table, _ := w.TableOf(es[0])
	for _, id := range ids {
		for row := range 130 {
			if table.Column(id).Changed(row) != w.Tick() {
				t.Fatalf("row %d of %s is not stamped", row, w.components[id].name)
			}
		}
	}
	if n != 130 {
		t.Fatal(n)
	}
	check(t, w)
}

// Filters are joined: all of their conditions hold.
func TestFiltersOfATypedQueryAreJoined(t *testing.T) {
	x := newWalked(t, 3)
	q := must[*Query1[position]](t)(NewQuery1[position](x.w,
		Filter{Required: []ComponentID{x.vel.ID()}, Tagged: []TagID{x.tag}, Any: []ComponentID{x.label.ID()}, Changed: []ComponentID{x.pos.ID()}, Where: Not(Contains(x.spot.ID()))},
		Filter{Any: []ComponentID{x.label.ID(), x.spot.ID()}, Changed: []ComponentID{x.vel.ID()}, Added: []ComponentID{x.pos.ID()}, Where: Changed(x.pos.ID())}))
	if f := q.Filter(); len(f.Required) != 2 || len(f.Tagged) != 1 || len(f.Any) != 1 || len(f.Changed) != 1 || len(f.Added) != 1 || len(f.Where.parts) != 4 {
		t.Fatalf("%+v", f)
	}
	same := must[*Query1[position]](t)(NewQuery1[position](x.w))
	if plain := must[*Query](t)(x.w.Query(Filter{Required: []ComponentID{x.pos.ID()}})); same.Query != plain {
		t.Error("the same filter makes another query")
	}
}

// What entities share is read, and never written.
func TestTypedWalkOverSharedComponents(t *testing.T) {
	w := NewWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	base := must[Entity](t)(w.Spawn(pos.ID(), vel.ID()))
	vel.Get(base).DX = 7
	var es []Entity
	for range 3 {
		e := must[Entity](t)(w.Spawn(pos.ID()))
		must[bool](t)(w.Relate(e, isA, base))
		es = append(es, e)
	}
	var got []Entity
	reads := must[*Query2[position, Read[velocity]]](t)(NewQuery2[position, Read[velocity]](w, Filter{Inherited: true}))
	for e := reads.Start(); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.X = v.Get().DX
		got = append(got, e.Entity())
	}
	if !slices.Equal(got, append([]Entity{base}, es...)) || pos.Get(es[2]).X != 7 {
		t.Fatal(got, pos.Get(es[2]))
	}
	got = nil
	writes := must[*Query2[position, velocity]](t)(NewQuery2[position, velocity](w, Filter{Inherited: true}))
	for e := writes.Start(); e.Ok(); e = e.Next() {
		got = append(got, e.Entity())
	}
	if !slices.Equal(got, []Entity{base}) {
		t.Fatal("a walk that writes what is shared:", got)
	}
}

// Components that are not among the types are read and written one by one.
func TestOfAndMutOf(t *testing.T) {
	x := newWalked(t, 5)
	q := must[*Query1[Read[position]]](t)(NewQuery1[Read[position]](x.w))
	wrote := map[Entity]bool{}
	for e := q.Start(); e.Ok(); e = e.Next() {
		if x.vel.Of(e.Visit) != x.vel.Get(e.Entity()) {
			t.Fatal("another entity's")
		}
		if int(e.Get().Get().X)%7 == 0 {
			if v := x.vel.MutOf(e.Visit); v != nil {
				v.DX = -1
				wrote[e.Entity()] = true
			}
		}
	}
	n := 0
	for _, e := range x.es {
		if table, row := x.w.TableOf(e); table.Has(x.vel.ID()) {
			if (x.vel.Column(table).Changed(row) == x.w.Tick()) != wrote[e] {
				t.Fatal(e, "is stamped, or was written and is not")
			}
			n++
		}
	}
	if len(wrote) == 0 || len(wrote) == n {
		t.Fatal(len(wrote), n)
	}
}

// A system that fails has written through a walk, and through one that it left open: all is taken back.
func TestTypedWalksAreTakenBack(t *testing.T) {
	for _, leave := range []string{"", "open", "early", "slices"} {
		x := newWalked(t, 9)
		q := must[*Query2[position, velocity]](t)(NewQuery2[position, velocity](x.w))
		s := NewSchedule(x.w)
		s.RollBack = true
		s.Add("fails", func(*World, float64) error {
			n := 0
			for e := q.Start(); e.Ok(); e = e.Next() {
				p, v := e.Get()
				if leave == "slices" {
					ps, vs := e.Slices()
					p, v = &ps[len(ps)-1], &vs[0]
				}
				p.X, v.DX = -1, -1
				if n++; n == 100 && leave != "" {
					if leave == "early" {
						e.End()
					}
					break
				}
			}
			return fmt.Errorf("fails")
		})
		if s.Run(1) == nil {
			t.Fatal("it does not fail")
		}
		model := newWalked(t, 9)
		sameStamps(t, x.w, model.w)
		for i, e := range x.es {
			if p, o := x.pos.Get(e), model.pos.Get(model.es[i]); p != nil && *p != *o {
				t.Fatalf("%s: %v is %v, was %v", leave, e, *p, *o)
			}
			if p, o := x.vel.Get(e), model.vel.Get(model.es[i]); p != nil && *p != *o {
				t.Fatalf("%s: %v is %v, was %v", leave, e, *p, *o)
			}
		}
		check(t, x.w)
	}
}

// A system that leaves a walk open fails, but what it wrote is stamped.
func TestAWalkThatIsLeftOpenIsStamped(t *testing.T) {
	x := newWalked(t, 9)
	q := must[*Query1[position]](t)(NewQuery1[position](x.w))
	var kept Walk1[position]
	before := x.w.Tick()
	err := NewSchedule(x.w).Add("leaver", func(*World, float64) error {
		kept = q.Start()
		kept.Get().X = 5
		q.Release()
		return nil
	}).Run(1)
	if err == nil || x.w.Locked() || len(x.w.walks) > 0 {
		t.Fatal(err, "and the walk is open")
	}
	var first Entity
	for _, table := range x.w.Tables() {
		if table.Has(x.pos.ID()) && table.Len() > 0 {
			first = table.Entities()[0]
			break
		}
	}
	table, row := x.w.TableOf(first)
	if x.pos.Get(first).X != 5 || x.pos.Column(table).Changed(row) <= before {
		t.Error("the write is not stamped")
	}
}

// A typed query without filters may be made anew in each frame: it is the same one, and costs no memory.
func TestTypedQueriesMadeAnew(t *testing.T) {
	w := NewWorld(Options{})
	MustRegister[position](w, "Position")
	MustRegister[velocity](w, "Velocity")
	s := must[*Spawner2[position, velocity]](t)(NewSpawner2[position, velocity](w))
	must[Entity](t)(s.Spawn(position{1, 2}, velocity{3, 4}))
	first := must[*Query2[position, Read[velocity]]](t)(NewQuery2[position, Read[velocity]](w))
	if n := testing.AllocsPerRun(100, func() {
		if again, _ := NewQuery2[position, Read[velocity]](w); again != first {
			t.Fatal("another query")
		}
	}); n != 0 {
		t.Errorf("a query made anew allocates %v times", n)
	}
	if other := must[*Query2[Read[position], velocity]](t)(NewQuery2[Read[position], velocity](w)); len(other.typed.writes) != 1 || other.typed.writes[0] != 1 {
		t.Errorf("a query of other types writes %v", other.typed.writes)
	}
	for range 102 { // AllocsPerRun runs once more
		first.Release()
	}
	count := func(q *Query2[position, Read[velocity]]) (n int) {
		for e := q.Start(); e.Ok(); e = e.Next() {
			n++
		}
		return n
	}
	second := must[*Query2[position, Read[velocity]]](t)(NewQuery2[position, Read[velocity]](w))
	if n := count(second); n != 1 {
		t.Errorf("after a release the new query visits %d entities", n)
	}
	second.Release()
	MustRegister[velocity](w, "Wind")
	if _, err := NewQuery2[position, Read[velocity]](w); !errors.Is(err, ErrMismatch) {
		t.Errorf("a type of two components: %v", err)
	}
}

// The same holds while the first query is in use: the type is refused once it stands for two components.
func TestTypedQueryOfATypeThatBecomesAmbiguous(t *testing.T) {
	w := NewWorld(Options{})
	MustRegister[position](w, "Position")
	must[*Query1[position]](t)(NewQuery1[position](w))
	MustRegister[position](w, "Place")
	if _, err := NewQuery1[position](w); !errors.Is(err, ErrMismatch) {
		t.Errorf("a type of two components: %v", err)
	}
}

func TestTypedWalksNestAndAllocateNothing(t *testing.T) {
	x := newWalked(t, 4)
	q := must[*Query2[position, Read[velocity]]](t)(NewQuery2[position, Read[velocity]](x.w))
	tagged := must[*Query3[position, velocity, Read[spot]]](t)(NewQuery3[position, velocity, Read[spot]](x.w, Filter{Tagged: []TagID{x.tag}}))
	turn := func() {
		n := 0
		for e := q.Start(); e.Ok(); e = e.NextRun() {
			for o := q.Start(); o.Ok(); o = o.Next() {
				p, v := o.Get()
				p.Y += v.Get().DX
				if n++; n%50 == 0 {
					o.End()
					break
				}
			}
			p, _ := e.Slices()
			p[0].X++
		}
		for e := tagged.Start(); e.Ok(); e = e.Next() {
			p, v, s := e.Get()
			p.X, v.DX = s.Get().X, 1
		}
	}
	turn()
	if n := testing.AllocsPerRun(20, turn); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if x.w.Locked() {
		t.Error("still locked")
	}
}
