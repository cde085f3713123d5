package ecs

import (
	"fmt"
	"slices"
	"testing"
)

// conditions are the forms of a condition on rows that a loop's own writes and tags can make true or false.
var conditions = []string{"changed", "tagged", "untagged", "changed, inherited"}

// conditioned is a world of two tables of n rows each, all written and tagged before the running turn; and a query with a condition that
// holds for all of them. Each entity has the same owner.
type conditioned struct {
	w     *World
	q     *Query
	pos   Component[position]
	tag   TagID
	owned RelationID
	owner Entity
}

func newConditioned(t *testing.T, condition string, n int) *conditioned {
	t.Helper()
	w := newWorld(Options{})
	x := &conditioned{w: w, pos: MustRegister[position](w, "Position"), tag: must[TagID](t)(w.DeclareTag("t"))}
	vel := MustRegister[velocity](w, "Velocity")
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	x.owned = must[RelationID](t)(w.DeclareRelation("OwnedBy"))
	f := Filter{Required: []ComponentID{x.pos.ID()}}
	switch condition {
	case "changed":
		f.Changed = f.Required
	case "tagged":
		f.Tagged = []TagID{x.tag}
	case "untagged":
		f.Untagged = []TagID{x.tag}
	case "changed, inherited":
		f.Changed, f.Inherited = f.Required, true
	}
	x.owner = must[Entity](t)(w.Spawn())
	for i := range 2 * n {
		ids := []ComponentID{x.pos.ID(), vel.ID()}[:1+i/n]
		e := must[Entity](t)(w.Spawn(ids...))
		if condition != "untagged" {
			w.Tag(e, x.tag)
		}
		if f.Inherited {
			must[bool](t)(w.Relate(e, isA, x.owner))
		}
		must[bool](t)(w.Relate(e, x.owned, x.owner))
	}
	x.q = must[*Query](t)(w.Query(f))
	return x
}

// typed returns the same query as a typed one.
func (x *conditioned) typed() *Query1[Mut[position]] {
	f := x.q.Filter()
	f.Required = nil
	q, err := NewQuery1[Mut[position]](x.w, f)
	if err != nil || q.Query != x.q {
		panic(fmt.Sprint("another query ", err))
	}
	return q
}

// spoil makes the condition false for all rows. Inside a parallel walk tags are not to be flipped.
func (x *conditioned) spoil() {
	for _, table := range x.w.Tables() {
		if c := x.pos.Column(table); c != nil {
			c.StampAll()
		}
		if x.w.slots.parallel {
			continue
		}
		for _, e := range table.Entities() {
			if !x.w.Untag(e, x.tag) {
				x.w.Tag(e, x.tag)
			}
		}
	}
}

// walks are all ways to visit the rows of a query. Each calls visit with the entities in order.
var walks = []struct {
	name string
	walk func(x *conditioned, visit func(Entity))
}{
	{"Cursor", func(x *conditioned, visit func(Entity)) {
		for c := x.q.begin(); c.Next(); {
			visit(c.Entity())
		}
	}},
	{"narrowed", func(x *conditioned, visit func(Entity)) {
		c, _ := x.q.beginTarget(x.owned, x.owner)
		for c.Next() {
			visit(c.Entity())
		}
	}},
	{"Each", func(x *conditioned, visit func(Entity)) {
		for e := range x.q.each {
			visit(e)
		}
	}},
	{"typed", func(x *conditioned, visit func(Entity)) {
		for e := x.typed().Start(); e.Ok(); e = e.Next() {
			visit(e.Entity())
		}
	}},
	{"typed, by runs", func(x *conditioned, visit func(Entity)) {
		for e := x.typed().Start(); e.Ok(); e = e.NextRun() {
			e.Slices()
			for _, entity := range e.Entities() {
				visit(entity)
			}
		}
	}},
	{"NextRows", func(x *conditioned, visit func(Entity)) {
		c := x.q.begin()
		for n, mask := c.NextRows(); n > 0; n, mask = c.NextRows() {
			for i := range n {
				if mask == 0 || mask>>i&1 != 0 {
					visit(c.Entity())
				}
				c.Skip(1)
			}
		}
	}},
	{"Parallel", func(x *conditioned, visit func(Entity)) {
		_ = x.q.Parallel(nil, 0, func(p *Part) {
			for i := range p.Rows {
				visit(p.Entities()[i])
			}
		})
	}},
}

// A turn that writes all rows, or tags them, takes no row out of the loop it is a turn of: which rows a loop visits is decided when it begins.
func TestALoopVisitsTheRowsThatMatchedWhenItBegan(t *testing.T) {
	for _, condition := range conditions {
		for _, walk := range walks {
			for _, n := range []int{1, 63, 64, 65, 200} {
				t.Run(fmt.Sprint(condition, "/", walk.name, "/", n), func(t *testing.T) {
					x := newConditioned(t, condition, n)
					s := NewSchedule(x.w).Add("react", func(w *World, _ float64) error {
						want := slices.Clone(x.q.AppendEntities(nil))
						if len(want) != 2*n {
							t.Fatalf("%d entities match, not %d", len(want), 2*n)
						}
						var got []Entity
						walk.walk(x, func(e Entity) {
							if len(got) == 0 {
								x.spoil()
							}
							got = append(got, e)
						})
						if !slices.Equal(got, want) {
							t.Errorf("%d of %d rows are visited", len(got), len(want))
						}
						if w.Locked() {
							t.Error("structure is locked after the loop")
						}
						return nil
					})
					if err := s.Run(1); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	}
}

// A loop within a loop over the same query begins anew in each turn: it visits what matches then, and does not disturb the loop around it.
func TestALoopWithinALoopDecidesAnew(t *testing.T) {
	x := newConditioned(t, "tagged", 100)
	outer, inner := 0, 0
	for e := range x.q.each {
		outer++
		x.w.Untag(e, x.tag)
		for range x.q.each {
			inner++
		}
		if got := x.q.Count(); got != 200-outer {
			t.Fatalf("after %d turns %d entities match", outer, got)
		}
	}
	if want := 200 * 199 / 2; outer != 200 || inner != want {
		t.Errorf("%d turns, and %d within, not 200 and %d", outer, inner, want)
	}
}

// A loop that is left early gives its choice of rows back, as one that ends does.
func TestAWalkWithConditionsAllocatesNothing(t *testing.T) {
	x := newConditioned(t, "tagged", 100)
	n := testing.AllocsPerRun(20, func() {
		for c := x.q.begin(); c.Next(); {
			within := x.q.begin()
			within.Next()
			within.End()
		}
		c, _ := x.q.beginTarget(x.owned, x.owner)
		c.Next()
		c.End()
	})
	if n != 0 || len(x.w.choices) == 0 {
		t.Errorf("%v allocations, %d choices to be used again", n, len(x.w.choices))
	}
}
