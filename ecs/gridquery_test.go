package ecs

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
)

// A herd has entities of several kinds, some with the tag, some that inherit a component, and grids over queries.
type herd struct {
	*World
	pos   Component[position]
	grids map[string]*Grid
}

func newHerd(t *testing.T, spread float64) *herd {
	t.Helper()
	w := newWorld(Options{Seed: 8})
	h := &herd{World: w, pos: MustRegister[position](w, "Position"), grids: map[string]*Grid{}}
	ids := letters(t, w, "Foe", "Asleep")
	red, isA := must[TagID](t)(w.DeclareTag("red")), must[RelationID](t)(w.DeclareRelation(IsA))
	base := must[Entity](t)(w.Spawn(ids[0]))
	r := w.Random()
	for i := range 300 {
		b := h.pos.With(w.Build(), position{(r.Float64() - 0.5) * spread, (r.Float64() - 0.5) * spread})
		if i%2 == 0 {
			b.With(ids[0])
		}
		if i%3 == 0 {
			b.With(ids[1])
		}
		e := must[Entity](t)(b.Spawn())
		if i%5 == 0 {
			w.Tag(e, red)
		}
		if i%7 == 0 {
			must[bool](t)(w.Relate(e, isA, base))
		}
	}
	for name, f := range map[string]Filter{
		"all":     {},
		"foes":    {Required: []ComponentID{ids[0], h.pos.ID()}},
		"awake":   {Required: []ComponentID{ids[0]}, Without: []ComponentID{ids[1]}, Inherited: true},
		"red":     {Tagged: []TagID{red}, Any: []ComponentID{ids[0], ids[1]}},
		"not red": {Untagged: []TagID{red}, Inherited: true},
		"alone":   {Required: []ComponentID{h.pos.ID()}, Exclusive: true},
	} {
		q := must[*Query](t)(w.Query(f))
		h.grids[name] = must[*Grid](t)(w.DeclareGrid(GridSpec{Name: name, Component: h.pos.ID(), X: "x", Y: "y", Query: q}))
		q.Release()
	}
	return h
}

// members returns who is in a grid, by a search for all and by its query.
func (h *herd) members(t *testing.T, name string) (found, want []Entity) {
	t.Helper()
	g := h.LookupGrid(name)
	g.Near(0, 0, math.Inf(1), func(e Entity, _ float64) bool { found = append(found, e); return true })
	slices.Sort(found)
	for e := range g.Spec().Query.each {
		if h.Has(e, h.pos.ID()) {
			want = append(want, e)
		}
	}
	slices.Sort(want)
	return found, want
}

func TestAGridOfAQueryHasItsMembers(t *testing.T) {
	for _, spread := range []float64{0, 1, 1e6, 1e300} {
		h := newHerd(t, spread)
		sizes := map[int]bool{}
		for name := range h.grids {
			found, want := h.members(t, name)
			if !slices.Equal(found, want) || len(want) == 0 {
				t.Errorf("spread %g: grid %s has %d members, its query %d", spread, name, len(found), len(want))
			}
			sizes[len(want)] = true
		}
		if len(sizes) < 5 {
			t.Errorf("the queries differ in %d ways only", len(sizes))
		}
	}
}

// Who matches is decided when the snapshot is taken.
func TestMembersOfAGridAreThoseOfTheFrame(t *testing.T) {
	h := newHerd(t, 10)
	red, _ := h.LookupTag("red")
	var counts []int
	count := func() {
		n := 0
		h.grids["red"].Near(0, 0, 100, func(Entity, float64) bool { n++; return true })
		counts = append(counts, n)
	}
	s := NewSchedule(h.World).Add("paint", func(w *World, _ float64) error {
		count()
		for _, e := range h.grids["not red"].Spec().Query.AppendEntities(nil) {
			w.Tag(e, red)
		}
		count()
		return nil
	})
	ok(t, s.Run(0.1))
	ok(t, s.Run(0.1))
	if counts[0] != counts[1] || counts[2] <= counts[0] {
		t.Errorf("the counts are %v", counts)
	}
}

func TestACellOfAGridWithoutAWidth(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	g := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y"}))
	cell := func() float64 { ok(t, g.Ready()); return Raw.Grid(g).Cell }
	if c := cell(); c != 0 {
		t.Errorf("the cells of nobody are %v wide", c)
	}
	for i := range 100 {
		must[Entity](t)(pos.With(w.Build(), position{float64(i % 10), 0}).Spawn())
	}
	if c := cell(); c != 0.09 {
		t.Errorf("on a line a cell is %v wide", c)
	}
	for i := range 100 {
		must[Entity](t)(pos.With(w.Build(), position{0, float64(i)}).Spawn())
	}
	if c, want := cell(), 3*math.Sqrt(99)/math.Sqrt(200); c != want {
		t.Errorf("on a plane a cell is %v wide, not %v", c, want)
	}
}

func TestQueriesThatAGridRefuses(t *testing.T) {
	h, other := newHerd(t, 10), newHerd(t, 10)
	pos := h.pos.ID()
	for want, q := range map[string]*Query{
		`declare grid g: a grid's query cannot ask for changed or added: they differ from system to system`: must[*Query](t)(h.Query(Filter{Changed: []ComponentID{pos}})),
		`declare grid g: a grid's query takes components and tags, not Where`:                               must[*Query](t)(h.Query(Filter{Where: Contains(pos)})),
		`declare grid g: the query is one of another world`:                                                 must[*Query](t)(other.Query(Filter{Required: []ComponentID{pos}})),
	} {
		if _, err := h.DeclareGrid(GridSpec{Name: "g", Component: pos, X: "x", Y: "y", Query: q}); err == nil || err.Error() != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
	foe, _ := h.LookupComponent("Foe")
	again := must[*Query](t)(h.Query(Filter{Required: []ComponentID{pos, foe}, Optional: []ComponentID{foe + 1}}))
	spec := GridSpec{Name: "foes", Component: pos, X: "x", Y: "y", Query: again}
	if g, err := h.DeclareGrid(spec); err != nil || g != h.grids["foes"] {
		t.Errorf("the same choice in other words: %v", err)
	}
	for name := range h.grids {
		if spec.Name = name; name != "foes" {
			if _, err := h.DeclareGrid(spec); !errors.Is(err, ErrMismatch) {
				t.Errorf("grid %s with the query of another: %v", name, err)
			}
		}
	}
	spec.Name = "red"
	_, err := h.DeclareGrid(spec)
	if want := "declare grid red: declared differently: it is over Position.x, y, among any of Foe, Asleep; tagged red, not over Position.x, y, among Position, Foe"; err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
	q := must[*Query](t)(h.Query(Filter{Required: []ComponentID{pos}}))
	users := q.users
	_, err = h.DeclareGrid(GridSpec{Name: "g", Component: pos, X: "no", Y: "y", Query: q})
	if err == nil || q.users != users {
		t.Errorf("a refused grid keeps its query: %v", err)
	}
}

// Snapshots, blank worlds and copies have the grids with their queries.
func TestGridsOfQueriesInOtherWorlds(t *testing.T) {
	h := newHerd(t, 20)
	var file bytes.Buffer
	ok(t, h.Save(&file))
	loaded := must[*World](t)(Load(bytes.NewReader(file.Bytes()), Options{}))
	blank := h.Blank(Options{})
	ok(t, blank.Restore(h.World))
	for what, w := range map[string]*World{"loaded": loaded, "restored": blank} {
		for name := range h.grids {
			want, _ := h.members(t, name)
			if found, _ := (&herd{World: w, pos: h.pos}).members(t, name); !slices.Equal(found, want) {
				t.Errorf("%s: grid %s has %d members, not %d", what, name, len(found), len(want))
			}
		}
		if err := w.Restore(h.World); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	unlike := newWorld(Options{})
	pos := MustRegister[position](unlike, "Position")
	spec := GridSpec{Name: "g", Component: pos.ID(), X: "x", Y: "y"}
	must[*Grid](t)(unlike.DeclareGrid(spec))
	like := newWorld(Options{})
	MustRegister[position](like, "Position")
	spec.Query = must[*Query](t)(like.Query(Filter{Required: []ComponentID{pos.ID()}}))
	must[*Grid](t)(like.DeclareGrid(spec))
	if err := like.Restore(unlike); !errors.Is(err, ErrMismatch) {
		t.Errorf("a grid of a query is taken for one without: %v", err)
	}
}
