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

type large struct{ Cells [256]float64 } // 128 of them fill absent

// A walk with optional types visits what a query without them visits, finds the component exactly where Get finds it,
// and stamps the rows that have it, for conditions on rows, runs that are cut, and walks that are left anywhere.
func TestOptionalTypes(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		x := newWalked(t, seed)
		f := []Filter{{}, {Tagged: []TagID{x.tag}}, {Inherited: true}, {Changed: []ComponentID{x.pos.ID()}}, {Required: []ComponentID{x.label.ID()}}, {Optional: []ComponentID{x.spot.ID()}}}[seed%6]
		q, err := NewQuery3[Maybe[Mut[velocity]], position, Maybe[label]](x.w, f)
		if seed%6 == 4 {
			if err == nil || !strings.Contains(err.Error(), "listed twice") {
				t.Fatal("a type that is required, too:", err)
			}
			continue
		}
		ok(t, err)
		f.Required = append(f.Required, x.pos.ID())
		want := must[*Query](t)(x.w.Query(f)).AppendEntities(nil)
		runs, stop := r.IntN(2) == 0, r.IntN(2*len(want)+1)
		before := x.w.Tick()
		x.w.advanceTick()
		var got []Entity
		e := q.Start()
		for e.Ok() && len(got) < stop {
			var mv []Maybe[Mut[velocity]]
			var mp []position
			var ml []Maybe[label]
			if runs {
				mv, mp, ml = e.Slices()
			} else {
				v, p, l := e.Get()
				mv, mp, ml = unsafe.Slice(v, 1), unsafe.Slice(p, 1), unsafe.Slice(l, 1)
			}
			for i, who := range e.Entities()[:len(mv)] {
				name := x.label.Get(who)
				if f.Inherited {
					name = x.label.Shared(who)
				}
				if unsafe.Pointer(mv[i].Get()) != unsafe.Pointer(x.vel.Get(who)) || (unsafe.Pointer(ml[i].Get()) != unsafe.Pointer(name)) || (!f.Inherited && mp[i] != *x.pos.Get(who)) {
					t.Fatalf("seed %d: %s: %v %v", seed, who, mv[i].Get(), ml[i].Get())
				}
				got = append(got, who)
			}
			if runs {
				e = e.NextRun()
			} else {
				e = e.Next()
			}
		}
		visited := len(got) // Next has moved to one more, which End counts
		if e.Ok() {
			visited++
			e.End()
		}
		if !slices.Equal(got, want[:len(got)]) || (stop >= len(want) && len(got) != len(want)) {
			t.Fatalf("seed %d: visited %v of %v", seed, got, want)
		}
		for i, who := range want {
			sl := x.w.slots.find(who)
			col := x.vel.Column(x.w.tables[sl.table])
			if col == nil {
				continue
			}
			if changed := col.Changed(int(sl.row)) > before; changed != (i < visited) {
				t.Fatalf("seed %d: %s, number %d of %d: changed %v", seed, who, i, visited, changed)
			}
		}
	}
}

// A table without the component is visited in runs that absent has room for.
func TestRunsOfWhatIsAbsent(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	MustRegister[large](w, "Large")
	es := must[[]Entity](t)(must[*Spawner1[position]](t)(NewSpawner1[position](w)).SpawnMany(nil, make([]position, 300)))
	q := must[*Query2[Mut[position], Maybe[Mut[large]]]](t)(NewQuery2[Mut[position], Maybe[Mut[large]]](w))
	var lengths []int
	var got []Entity
	for e := q.Start(); e.Ok(); e = e.NextRun() {
		p, m := e.Slices()
		lengths, got = append(lengths, len(p)), append(got, e.Entities()...)
		for i := range m {
			p[i].V.X++
			if m[i].Get() != nil {
				t.Fatal("there is a value")
			}
		}
	}
	if fmt.Sprint(lengths) != "[128 128 44]" || !slices.Equal(got, es) {
		t.Fatal(lengths, got)
	}
	n := 0
	for e := must[*Query2[Maybe[Mut[large]], Maybe[Mut[position]]]](t)(NewQuery2[Maybe[Mut[large]], Maybe[Mut[position]]](w)).Start(); e.Ok(); e = e.Next() {
		if m, p := e.Get(); m.Get() != nil || &p.Get().V != pos.Get(e.Entity()) {
			t.Fatal("another value")
		}
		n++
	}
	for i, e := range es {
		if pos.Get(e).X != 1 {
			t.Fatalf("%d: %v", i, *pos.Get(e))
		}
	}
	for _, cell := range absent {
		if cell != 0 {
			t.Fatal("absent was written")
		}
	}
	for e := q.Start(); e.Ok(); e = e.Next() { // an earlier walk that was left in the middle of a table leaves nothing behind
		if e.Entity() == es[200] {
			e.End()
			break
		}
	}
	again := 0
	for e := q.Start(); e.Ok(); e = e.Next() {
		again++
	}
	if n != 300 || again != 300 {
		t.Fatal(n, again)
	}
}

func TestMisuseOfMaybe(t *testing.T) {
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	if _, err := NewQuery1[Mut[Maybe[position]]](w); err == nil || !strings.Contains(err.Error(), "write Maybe[Mut[T]]") {
		t.Error(err)
	}
	if _, err := NewQuery1[Maybe[Mut[velocity]]](w); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if _, err := NewQuery2[Mut[position], Maybe[Mut[position]]](w); err == nil || !strings.Contains(err.Error(), "listed twice") {
		t.Error(err)
	}
}
