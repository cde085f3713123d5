package ecs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
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
	w := newWorld(Options{})
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
			x.pos.Write(e)
		}
		if r.IntN(3) == 0 {
			x.vel.Write(e)
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

func (x *walked) start(t *testing.T, f Filter, narrow bool) Walk2[Mut[position], velocity] {
	q := must[*Query2[Mut[position], velocity]](t)(NewQuery2[Mut[position], velocity](x.w, f))
	if narrow {
		return must[Walk2[Mut[position], velocity]](t)(q.StartTarget(x.likes, x.into))
	}
	return q.StartSince(x.since)
}

func byEntity(t *testing.T, x *walked, f Filter, narrow bool, stop int) (got []Entity) {
	for e := x.start(t, f, narrow); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.V.X += v.DX
		if &p.V != x.pos.Of(e.Visit) || &p.V != x.pos.Get(e.Entity()) {
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
				p[i].V.X += v[i].DX
			}
			if got = append(got, e.Entities()...); len(p) != len(v) || len(p) != len(e.Entities()) {
				t.Fatal("slices of different lengths")
			}
			e = e.NextRun()
			continue
		}
		p, v := e.Get()
		p.V.X += v.DX
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
	for seed := range uint64(effort.Of(90)) {
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

// What entities share is read, and never written.
func TestTypedWalkOverSharedComponents(t *testing.T) {
	w := newWorld(Options{})
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
	reads := must[*Query2[Mut[position], velocity]](t)(NewQuery2[Mut[position], velocity](w, Filter{Inherited: true}))
	for e := reads.Start(); e.Ok(); e = e.Next() {
		p, v := e.Get()
		p.V.X = v.DX
		got = append(got, e.Entity())
	}
	if !slices.Equal(got, append([]Entity{base}, es...)) || pos.Get(es[2]).X != 7 {
		t.Fatal(got, pos.Get(es[2]))
	}
	got = nil
	writes := must[*Query2[Mut[position], Mut[velocity]]](t)(NewQuery2[Mut[position], Mut[velocity]](w, Filter{Inherited: true}))
	for e := writes.Start(); e.Ok(); e = e.Next() {
		got = append(got, e.Entity())
	}
	if !slices.Equal(got, []Entity{base}) {
		t.Fatal("a walk that writes what is shared:", got)
	}
}

// A system that fails has written through a walk, and through one that it left open: all is taken back.
func TestTypedWalksAreTakenBack(t *testing.T) {
	for _, leave := range []string{"", "open", "early", "slices"} {
		x := newWalked(t, 9)
		q := must[*Query2[Mut[position], Mut[velocity]]](t)(NewQuery2[Mut[position], Mut[velocity]](x.w))
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
				p.V.X, v.V.DX = -1, -1
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
	q := must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](x.w))
	var kept Walk1[Mut[position]]
	before := x.w.Tick()
	err := NewSchedule(x.w).Add("leaver", func(*World, float64) error {
		kept = q.Start()
		kept.Get().V.X = 5
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

func TestTypedWalksNestAndAllocateNothing(t *testing.T) {
	x := newWalked(t, 4)
	q := must[*Query2[Mut[position], velocity]](t)(NewQuery2[Mut[position], velocity](x.w))
	tagged := must[*Query3[Mut[position], Mut[velocity], spot]](t)(NewQuery3[Mut[position], Mut[velocity], spot](x.w, Filter{Tagged: []TagID{x.tag}}))
	turn := func() {
		n := 0
		for e := q.Start(); e.Ok(); e = e.NextRun() {
			for o := q.Start(); o.Ok(); o = o.Next() {
				p, v := o.Get()
				p.V.Y += v.DX
				if n++; n%50 == 0 {
					o.End()
					break
				}
			}
			p, _ := e.Slices()
			p[0].V.X++
		}
		for e := tagged.Start(); e.Ok(); e = e.Next() {
			p, v, s := e.Get()
			p.V.X, v.V.DX = s.X, 1
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
