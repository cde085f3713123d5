package ecs_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

type foe struct {
	X, Y float64
	N    int64
	S    string
	On   bool
}

// A walk in an order visits what a stable sort of the plain walk has, whatever the walk before it was: after writes, spawns, despawns, with tags, inherited
// values, several tables and targets.
func TestOrderedWalks(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := ecs.NewWorld(ecs.Options{Seed: seed})
		c, other := ecs.MustRegister[foe](w, "Foe"), ecs.MustRegister[struct{ V float64 }](w, "Other")
		tag := ecs.Must(w.DeclareTag("marked"))
		of := ecs.Must(w.DeclareRelation("Of"))
		isA := ecs.Must(w.DeclareRelation("IsA"))
		value := func() foe {
			x := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), r.Float64(), float64(r.IntN(4))}
			s := []string{"", "a", "a\x00", "abcdefgh", "abcdefghi", "abcdefgha", "\xff", "b"}
			return foe{x[r.IntN(len(x))], x[r.IntN(len(x))], []int64{math.MinInt64, math.MaxInt64, -1, 0, 1}[r.IntN(5)], s[r.IntN(len(s))], r.IntN(2) == 0}
		}
		target := ecs.Must(w.Spawn())
		var all []ecs.Entity
		spawn := func() {
			e := ecs.Must(w.Spawn())
			if r.IntN(4) == 0 && len(all) > 0 {
				if _, err := w.Relate(e, isA, all[r.IntN(len(all))]); err != nil {
					return
				}
			} else if _, err := c.Set(e, value()); err != nil {
				t.Fatal(err)
			}
			if r.IntN(3) == 0 {
				_, _ = other.Set(e, struct{ V float64 }{1})
			}
			if r.IntN(2) == 0 {
				_ = w.Tag(e, tag)
			}
			if r.IntN(2) == 0 {
				_, _ = w.Relate(e, of, target)
			}
			all = append(all, e)
		}
		for range 40 + r.IntN(200) {
			spawn()
		}
		f := ecs.Filter{Required: []ecs.ComponentID{c.ID()}, Inherited: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			f.Tagged = []ecs.TagID{tag}
		}
		q := ecs.Must(w.Query(f))
		var keys []ecs.OrderKey
		for _, name := range []string{"x", "n", "s", "on", "y"} {
			if r.IntN(2) == 0 {
				k := c.By(name)
				k.Down = r.IntN(2) == 0
				keys = append(keys, k)
			}
		}
		if len(keys) == 0 {
			keys = append(keys, c.By("s"))
		}
		o := ecs.Must(q.Ordered(keys...))
		for step := range 6 {
			want := func(cur ecs.Cursor) (out []ecs.Entity) {
				values := map[ecs.Entity]foe{}
				for cur.Next() {
					row := cur.Row(0)
					x := foe{row.Number(0), row.Number(1), 0, row.Get(3).Str(), row.Number(4) != 0}
					x.N, _ = row.Get(2).Int()
					out = append(out, cur.Entity())
					values[cur.Entity()] = x
				}
				slices.SortStableFunc(out, func(a, b ecs.Entity) int {
					for _, k := range keys {
						if by := compareFoes(values[a], values[b], k); by != 0 {
							return by
						}
					}
					return 0
				})
				return out
			}
			plain := want(ecs.Raw.Begin(q))
			var got []ecs.Entity
			for e := range o.All {
				got = append(got, e)
			}
			if !slices.Equal(got, plain) {
				t.Fatalf("seed %d, step %d, %v: %v, want %v", seed, step, keys, got, plain)
			}
			if first := o.First(); len(plain) > 0 && first != plain[0] || len(plain) == 0 && first != ecs.None {
				t.Fatalf("seed %d: first %v", seed, first)
			}
			typed := ecs.Must(ecs.NewQuery1[foe](w, ecs.Filter{Inherited: f.Inherited, Tagged: f.Tagged}))
			inOrder := ecs.Must(typed.Ordered(keys...))
			got = got[:0]
			for e := typed.StartOrdered(inOrder); e.Ok(); e = e.Next() {
				got = append(got, e.Entity())
				if v := c.Get(e.Entity()); v != nil && v != e.Get() {
					t.Fatalf("seed %d: another value", seed)
				}
			}
			if !slices.Equal(got, plain) {
				t.Fatalf("seed %d, step %d, typed: %v, want %v", seed, step, got, plain)
			}
			got = got[:0]
			for e := typed.StartOrdered(inOrder); e.Ok(); e = e.NextRun() {
				if got = append(got, e.Entities()...); len(e.Slices()) != len(e.Entities()) {
					t.Fatalf("seed %d: %d values", seed, len(e.Slices()))
				}
			}
			if !slices.Equal(got, plain) {
				t.Fatalf("seed %d, step %d, runs: %v, want %v", seed, step, got, plain)
			}
			narrow := want(ecs.Must(ecs.Raw.BeginTarget(q, of, target)))
			got = got[:0]
			cur := ecs.Must(o.BeginTarget(of, target))
			if n := cur.Rows(); n != len(narrow) {
				t.Fatalf("seed %d: %d rows, want %d", seed, n, len(narrow))
			}
			for cur.Next() {
				got = append(got, cur.Entity())
			}
			if !slices.Equal(got, narrow) {
				t.Fatalf("seed %d, sources: %v, want %v", seed, got, narrow)
			}
			switch step {
			case 0: // nothing has changed
			case 1:
				if p := c.Write(all[r.IntN(len(all))]); p != nil {
					*p = value()
				}
			case 2:
				for range 20 {
					if e := all[r.IntN(len(all))]; w.Alive(e) {
						w.Despawn(e)
					}
				}
			default:
				for range 10 {
					spawn()
				}
				for _, e := range all {
					if p := c.Write(e); p != nil && r.IntN(10) == 0 {
						*p = value()
					}
				}
			}
		}
	}
}

func compareFoes(a, b foe, k ecs.OrderKey) int {
	number := func(x, y float64) int {
		switch {
		case x != x && y != y:
			return 0
		case x != x:
			return 2
		case y != y:
			return -2
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	by := 0
	switch k.Field {
	case "x":
		by = number(a.X, b.X)
	case "y":
		by = number(a.Y, b.Y)
	case "n":
		switch {
		case a.N < b.N:
			by = -1
		case a.N > b.N:
			by = 1
		}
	case "s":
		by = strings.Compare(a.S, b.S)
	case "on":
		switch {
		case !a.On && b.On:
			by = -1
		case a.On && !b.On:
			by = 1
		}
	}
	if k.Down && by*by == 1 {
		by = -by
	}
	return by
}

// A random order draws one number less than it has entities, and is that of a shuffle of the plain walk.
func TestShuffledWalks(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{Seed: 3})
	c := ecs.MustRegister[foe](w, "Foe")
	var want []ecs.Entity
	for range 20 {
		e := ecs.Must(w.Spawn())
		_, _ = c.Set(e, foe{})
		want = append(want, e)
	}
	q := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{c.ID()}}))
	draws := w.Stream("a")
	draws.Seed(1)
	var got []ecs.Entity
	for e := range q.Shuffled(draws).All {
		got = append(got, e)
	}
	after := draws.Float64()
	draws.Seed(1)
	for i := len(want); i > 1; i-- {
		j := int(draws.Between(1, float64(i)))
		want[i-1], want[j-1] = want[j-1], want[i-1]
	}
	if !slices.Equal(got, want) || draws.Float64() != after {
		t.Errorf("%v, want %v", got, want)
	}
}

// What cannot be ordered is an error.
func TestOrdersThatCannotBe(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	c, other := ecs.MustRegister[struct{ E ecs.Entity }](w, "Foe"), ecs.MustRegister[foe](w, "Other")
	q := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{c.ID()}}))
	for want, keys := range map[string][]ecs.OrderKey{
		"there is no key":                          nil,
		"the query does not require the component": {other.By("x")},
		`there is no field "x"`:                    {c.By("x")},
		"of type entity, which has no order":       {c.By("e")},
	} {
		if _, err := q.Ordered(keys...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A walk in an order visits all rows also where the query may look through IsA and the caller asks for wide runs, as compiled loops do.
func TestOrderedRunsAreNotWidened(t *testing.T) {
	w := ecs.NewWorld(ecs.Options{})
	isA := ecs.Must(w.DeclareRelation(ecs.IsA))
	id := ecs.Must(w.DeclareComponent("Foe", ecs.Must(ecs.NewSchema(ecs.Field{Name: "seq", Type: ecs.F64}))))
	base := ecs.Must(w.Spawn(id))
	if _, err := w.Relate(ecs.Must(w.Spawn()), isA, base); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := w.Ref(ecs.Must(w.Spawn(id)), id).Set(0, ecs.Number(float64(i))); err != nil {
			t.Fatal(err)
		}
	}
	q := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{id}, Inherited: true}))
	c := ecs.Must(q.Ordered(ecs.OrderKey{Component: id, Field: "seq"})).Begin()
	rows := 0
	for {
		n, mask := c.NextRows()
		if n == 0 {
			break
		}
		if wide := c.Widen(); wide > 0 {
			n, mask = wide, 0
		}
		if mask != 0 {
			n = bits.OnesCount64(mask)
		}
		if rows += n; rows > 1000 {
			t.Fatal("the walk does not end")
		}
	}
	if rows != 202 {
		t.Errorf("%d rows are visited, not 202", rows)
	}
}
