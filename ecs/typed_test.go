package ecs

import (
	"errors"
	"fmt"
	"testing"
)

// Tests of typed queries: how they are made, found again, taken back, and what they give.

// All numbers of types read and write the right columns.
func TestTypedQueriesOfAllNumbersOfTypes(t *testing.T) {
	type (
		a struct{ V float64 }
		b struct{ V float32 }
		c struct{ V string }
		d struct{}
		f struct{ V uint8 }
		g struct{ V int32 }
		h struct{ V float64 }
	)
	type wide struct{ X, Y, Z float64 }
	w := newWorld(Options{})
	ids := []ComponentID{
		MustRegister[f](w, "F").ID(), MustRegister[a](w, "A").ID(), MustRegister[b](w, "B").ID(), MustRegister[c](w, "C").ID(), MustRegister[d](w, "D").ID(), MustRegister[wide](w, "E").ID(),
		MustRegister[g](w, "G").ID(), MustRegister[h](w, "H").ID(),
	}
	es := must[[]Entity](t)(must[*Bundle](t)(w.Bundle(ids...)).SpawnMany(130, nil))
	w.advanceTick()
	one := must[*Query1[Mut[a]]](t)(NewQuery1[Mut[a]](w))
	i := 0.0
	for x := one.Start(); x.Ok(); x = x.Next() {
		x.Get().V.V = i
		i++
	}
	two := must[*Query2[a, Mut[b]]](t)(NewQuery2[a, Mut[b]](w))
	for x := two.Start(); x.Ok(); x = x.Next() {
		va, vb := x.Get()
		vb.V.V = float32(va.V + 1)
	}
	three := must[*Query3[b, a, Mut[c]]](t)(NewQuery3[b, a, Mut[c]](w))
	for x := three.Start(); x.Ok(); x = x.Next() {
		vb, va, vc := x.Get()
		vc.V.V = fmt.Sprint(va.V, vb.V)
	}
	four := must[*Query4[a, b, c, Mut[d]]](t)(NewQuery4[a, b, c, Mut[d]](w))
	for x := four.Start(); x.Ok(); x = x.Next() {
		va, _, vc, _ := x.Get()
		if vc.V != fmt.Sprint(va.V, va.V+1) {
			t.Fatal(va, vc)
		}
	}
	five := must[*Query5[a, b, c, d, Mut[wide]]](t)(NewQuery5[a, b, c, d, Mut[wide]](w))
	for x := five.Start(); x.Ok(); x = x.NextRun() {
		va, vb, vc, vd, ve := x.Slices()
		for i := range ve {
			ve[i].V = wide{va[i].V, float64(vb[i].V), float64(len(vc[i].V) + len(vd))}
		}
	}
	six := must[*Query6[Mut[f], a, b, c, d, wide]](t)(NewQuery6[Mut[f], a, b, c, d, wide](w))
	n := 0
	for x := six.Start(); x.Ok(); x = x.Next() {
		vf, va, vb, vc, _, ve := x.Get()
		if want := (wide{va.V, float64(vb.V), float64(len(vc.V) + 130)}); *ve != want || x.Entity() != es[n] || va.V != float64(n) {
			t.Fatal(x.Entity(), ve, want)
		}
		vf.V.V = uint8(n)
		n++
	}
	seven := must[*Query7[Mut[g], a, b, c, d, wide, f]](t)(NewQuery7[Mut[g], a, b, c, d, wide, f](w))
	for x := seven.Start(); x.Ok(); x = x.Next() {
		vg, va, _, _, _, _, vf := x.Get()
		vg.V.V = int32(va.V) + int32(vf.V)
	}
	eight := must[*Query8[g, a, b, c, d, wide, f, Mut[h]]](t)(NewQuery8[g, a, b, c, d, wide, f, Mut[h]](w))
	for x := eight.Start(); x.Ok(); x = x.NextRun() {
		vg, _, _, _, _, _, vf, vh := x.Slices()
		for i := range vh {
			if vg[i].V != 2*int32(vf[i].V) || vg[i].V != 2*int32(i) {
				t.Fatal(vg[i], vf[i])
			}
			vh[i].V.V = float64(vg[i].V)
		}
	}
	for x := eight.Start(); x.Ok(); x = x.Next() {
		if vg, _, _, _, _, _, _, vh := x.Get(); vh.V.V != float64(vg.V) {
			t.Fatal(vg, vh)
		}
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
	if n != 130 {
		t.Fatal(n)
	}
	check(t, w)
}

// Filters are joined: all of their conditions hold.
func TestFiltersOfATypedQueryAreJoined(t *testing.T) {
	x := newWalked(t, 3)
	q := must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](x.w,
		Filter{Required: []ComponentID{x.vel.ID()}, Tagged: []TagID{x.tag}, Any: []ComponentID{x.label.ID()}, Changed: []ComponentID{x.pos.ID()}, Where: Not(Contains(x.spot.ID()))},
		Filter{Any: []ComponentID{x.label.ID(), x.spot.ID()}, Changed: []ComponentID{x.vel.ID()}, Added: []ComponentID{x.pos.ID()}, Where: Changed(x.pos.ID())}))
	if f := q.Filter(); len(f.Required) != 2 || len(f.Tagged) != 1 || len(f.Any) != 1 || len(f.Changed) != 1 || len(f.Added) != 1 || len(f.Where.parts) != 4 {
		t.Fatalf("%+v", f)
	}
	same := must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](x.w))
	if plain := must[*Query](t)(x.w.Query(Filter{Required: []ComponentID{x.pos.ID()}})); same.Query != plain {
		t.Error("the same filter makes another query")
	}
}

// Components that are not among the types are read and written one by one.
func TestOfAndWriteOf(t *testing.T) {
	x := newWalked(t, 5)
	q := must[*Query1[position]](t)(NewQuery1[position](x.w))
	wrote := map[Entity]bool{}
	for e := q.Start(); e.Ok(); e = e.Next() {
		if x.vel.Of(e.Visit) != x.vel.Get(e.Entity()) {
			t.Fatal("another entity's")
		}
		if int(e.Get().X)%7 == 0 {
			if v := x.vel.WriteOf(e.Visit); v != nil {
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

// A typed query without filters may be made anew in each frame: it is the same one, and costs no memory.
func TestTypedQueriesMadeAnew(t *testing.T) {
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	MustRegister[velocity](w, "Velocity")
	s := must[*Spawner2[position, velocity]](t)(NewSpawner2[position, velocity](w))
	must[Entity](t)(s.Spawn(position{1, 2}, velocity{3, 4}))
	first := must[*Query2[Mut[position], velocity]](t)(NewQuery2[Mut[position], velocity](w))
	if n := testing.AllocsPerRun(100, func() {
		if again, _ := NewQuery2[Mut[position], velocity](w); again != first {
			t.Fatal("another query")
		}
	}); n != 0 {
		t.Errorf("a query made anew allocates %v times", n)
	}
	if other := must[*Query2[position, Mut[velocity]]](t)(NewQuery2[position, Mut[velocity]](w)); len(other.typed.writes) != 1 || other.typed.writes[0] != 1 {
		t.Errorf("a query of other types writes %v", other.typed.writes)
	}
	for range 102 { // AllocsPerRun runs once more
		first.Release()
	}
	count := func(q *Query2[Mut[position], velocity]) (n int) {
		for e := q.Start(); e.Ok(); e = e.Next() {
			n++
		}
		return n
	}
	second := must[*Query2[Mut[position], velocity]](t)(NewQuery2[Mut[position], velocity](w))
	if n := count(second); n != 1 {
		t.Errorf("after a release the new query visits %d entities", n)
	}
	second.Release()
	MustRegister[velocity](w, "Wind")
	if _, err := NewQuery2[Mut[position], velocity](w); !errors.Is(err, ErrMismatch) {
		t.Errorf("a type of two components: %v", err)
	}
}

// The same holds while the first query is in use: the type is refused once it stands for two components.
func TestTypedQueryOfATypeThatBecomesAmbiguous(t *testing.T) {
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	must[*Query1[Mut[position]]](t)(NewQuery1[Mut[position]](w))
	MustRegister[position](w, "Place")
	if _, err := NewQuery1[Mut[position]](w); !errors.Is(err, ErrMismatch) {
		t.Errorf("a type of two components: %v", err)
	}
}
