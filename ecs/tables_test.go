package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestLocations_0_4_0_5_0_6_3_4_3_5_3_6(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	ids := letters(t, w, "Other")
	var es []Entity
	for i := range 50 {
		set := []ComponentID{pos.ID()}
		if i%2 == 0 {
			set = append(set, vel.ID())
		}
		es = append(es, must[Entity](t)(w.Spawn(set...)))
		*pos.Get(es[i]) = position{float64(i), 0}
	}
	for i, e := range es {
		table, row := w.TableOf(e)
		if table.Entities()[row] != e || pos.Slice(table)[row].X != float64(i) {
			t.Fatalf("row %d of table %d is not that of %s", row, table.ID(), e)
		}
		if !slices.IsSorted(table.Components()) || w.Tables()[table.ID()] != table {
			t.Fatalf("table %d is not what it says", table.ID())
		}
		for _, id := range []ComponentID{pos.ID(), vel.ID(), ids[0]} {
			c := table.Column(id)
			if has := slices.Contains(table.Components(), id); has != (c != nil) || has != table.Has(id) || has != w.Has(e, id) {
				t.Fatalf("table %d and its columns disagree", table.ID())
			}
			if c != nil && (c.Len() != table.Len() || c.Component() != id) {
				t.Fatalf("column %d has %d rows of %d", id, c.Len(), table.Len())
			}
		}
	}
	if table, _ := w.TableOf(es[0]); table.Column(99) != nil || table.Has(99) {
		t.Fatal("an undeclared column")
	}
}

func TestBoolsForTheDeadAndTheDone_0_29_4_1_4_5_4_9_1_50(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	e := must[Entity](t)(w.Spawn())
	for _, step := range []struct {
		name string
		do   func() (bool, error)
		want bool
	}{
		{"add", func() (bool, error) { return w.Add(e, pos.ID()) }, true},
		{"add again", func() (bool, error) { return w.Add(e, pos.ID()) }, true},
		{"modify", func() (bool, error) { return pos.Modify(e, func(p *position) { p.X = 4 }), nil }, true},
		{"set", func() (bool, error) { return pos.Set(e, position{pos.Get(e).X + 1, 0}) }, true},
		{"remove", func() (bool, error) { return w.Remove(e, pos.ID()) }, true},
		{"remove again", func() (bool, error) { return w.Remove(e, pos.ID()) }, true},
		{"modify what is gone", func() (bool, error) { return pos.Modify(e, func(*position) { t.Error("called") }), nil }, false},
		{"despawn", func() (bool, error) { return w.Despawn(e) }, true},
		{"add to the dead", func() (bool, error) { return w.Add(e, pos.ID()) }, false},
		{"remove from the dead", func() (bool, error) { return w.Remove(e, pos.ID()) }, false},
		{"set on the dead", func() (bool, error) { return pos.Set(e, position{}) }, false},
	} {
		tables := len(w.Tables())
		if got, err := step.do(); got != step.want || err != nil {
			t.Fatalf("%s: %v, %v", step.name, got, err)
		}
		if step.name != "add" && len(w.Tables()) != tables {
			t.Fatalf("%s made a table", step.name)
		}
	}
}

func TestWalkingEdgesFromTheRoot_3_9_3_11_4_18(t *testing.T) {
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C", "D")
	direct := must[Entity](t)(w.Spawn(ids...))
	want, _ := w.TableOf(direct)
	at := w.tables[0]
	for i, id := range ids {
		at = at.adding([]ComponentID{id}).to
		if !slices.Equal(at.Components(), ids[:i+1]) {
			t.Fatalf("after %d edges: %v", i+1, at.Components())
		}
	}
	if at != want || w.tableOf(maskOf(ids), false) != want {
		t.Fatal("the walk ends elsewhere")
	}
	for i := len(ids) - 1; i >= 0; i-- { // and back
		at = at.removing([]ComponentID{ids[i]}).to
	}
	if at != w.tables[0] {
		t.Fatal("the walk back ends elsewhere")
	}
	check(t, w)
}

func TestEventsMoveBeforeTheTick_1_1_1_23(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	hit := hits(t, w)
	e := must[Entity](t)(w.Spawn(pos.ID()))
	w.BeginFrame(1)
	hit.Send(hitEvent{Amount: 1})
	pos.Write(e)
	end := w.Tick()
	w.EndFrame()
	if w.Since() != end || w.Tick() <= end || len(hit.Peek()) != 1 {
		t.Fatalf("the frame ended at tick %d, the window begins at %d, now is %d", end, w.Since(), w.Tick())
	}
}

// A whole world can be written out from its entities, and read back into an equal one.
func TestWalkEverything_1_57_4_11(t *testing.T) {
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	MustRegister[modelLabel](w, "Label")
	for i := range 100 {
		var set []ComponentID
		for id := range ComponentID(2) {
			if i>>id&1 == 1 {
				set = append(set, id)
			}
		}
		e := must[Entity](t)(w.Spawn(set...))
		for _, id := range set {
			must[bool](t)(w.Set(e, id, FieldValue{1, Number(float64(i))}))
		}
	}
	copied := newWorld(Options{})
	for _, name := range w.ComponentNames() {
		id, _ := w.LookupComponent(name)
		info, _ := w.ComponentInfo(id)
		must[ComponentID](t)(copied.DeclareComponent(name, info.Schema))
	}
	seen := 0
	for e := range w.Entities {
		seen++
		to := must[Entity](t)(copied.Spawn(w.ComponentsOf(e)...))
		for _, id := range w.ComponentsOf(e) {
			row, err := w.Ref(e, id).Row()
			ok(t, err)
			for i := range row.Schema().Fields() {
				must[bool](t)(copied.Set(to, id, FieldValue{i, row.Get(i)}))
			}
		}
	}
	if seen != w.Len() || copied.Len() != w.Len() {
		t.Fatalf("%d of %d entities were seen", seen, w.Len())
	}
	values := func(w *World) map[string]int {
		m := map[string]int{}
		for e := range w.Entities {
			text := ""
			for _, id := range w.ComponentsOf(e) {
				row, _ := w.Ref(e, id).Row()
				text += fmt.Sprint(w.ComponentNames()[id], row.Get(0), row.Get(1))
			}
			m[text]++
		}
		return m
	}
	if a, b := values(w), values(copied); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Fatalf("%v\n%v", a, b)
	}
}

func TestMemoryIsPerColumnNotPerEntity_2_8(t *testing.T) {
	w := newWorld(Options{})
	label, pos := MustRegister[modelLabel](w, "Label"), MustRegister[position](w, "Position")
	b := must[*Bundle](t)(w.Bundle(label.ID(), pos.ID()))
	if n := testing.AllocsPerRun(3, func() { must[[]Entity](t)(b.SpawnMany(10_000, nil)) }); n > 60 {
		t.Fatalf("%v allocations for 10,000 entities", n)
	}
}

func TestRelationsHaveBitsOfTheirOwn_3_16_3_17_3_18(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	childOf, isA := must[RelationID](t)(w.DeclareRelation(ChildOf)), must[RelationID](t)(w.DeclareRelation(IsA))
	parent, base := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn(pos.ID()))
	var children []Entity
	for range 3 {
		c := must[Entity](t)(w.Spawn(pos.ID()))
		must[bool](t)(w.Relate(c, childOf, parent))
		children = append(children, c)
	}
	instance := must[Entity](t)(w.Spawn())
	must[bool](t)(w.Relate(instance, isA, base))
	a, _ := w.TableOf(children[0])
	b, _ := w.TableOf(instance)
	if childOf == isA || a == b || a.mask.intersects(b.mask) {
		t.Fatal("ChildOf and IsA share a bit")
	}
	if a.Len() != 3 || !a.Has(childOf) || a.Has(isA) || !b.Has(isA) {
		t.Fatalf("%d children share a table", a.Len())
	}
	tables := len(w.Tables())
	other := must[Entity](t)(w.Spawn())
	must[bool](t)(w.Relate(children[0], childOf, other)) // no table per target
	if len(w.Tables()) != tables {
		t.Fatalf("another target made %d tables", len(w.Tables())-tables)
	}
	if got := w.Sources(nil, childOf, parent); !slices.Equal(got, children[1:]) {
		t.Fatalf("children %v", got)
	}
	if !w.Has(instance, pos.ID()) || pos.Shared(instance) != pos.Get(base) || pos.Get(instance) != nil {
		t.Fatal("the instance does not share the base's position")
	}
	must[bool](t)(pos.Set(instance, position{1, 1}))
	if pos.Get(instance) == nil || pos.Get(base).X != 0 {
		t.Fatal("its own position is the base's")
	}
	check(t, w)
}

func TestStructureIsRefusedInAWorker_2_11_2_12(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	must[[]Entity](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnMany(10_000, nil))
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	pool := NewPool(2)
	defer pool.Close()
	ok(t, q.Parallel(pool, 0, func(p *Part) {
		if _, err := w.Despawn(p.Entities()[0]); !errors.Is(err, ErrLocked) {
			t.Errorf("despawn in a worker: %v", err)
		}
		for i := range pos.PartSlice(p) {
			pos.PartSlice(p)[i].X++
		}
	}))
	for e, c := range q.each {
		if pos.at(c).X != 1 {
			t.Fatalf("%s was visited %v times", e, pos.at(c).X)
		}
	}
}
