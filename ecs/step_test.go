package ecs

import "testing"

func TestLeavingStepsEarlyUnlocks(t *testing.T) {
	w, q, _ := bulkWorld(t, false, false)
	pos := MustRegister[position](w, "Position")
	at := must[Term[position]](t)(pos.In(q))
	turns := 0
	for s := q.Start(); s.Ok(); s = s.Next() {
		if turns++; turns == 2 {
			s.End()
			break
		}
		inner := 0
		for s := q.Start(); s.Ok(); s = s.Next() { // nested walks of one query do not disturb each other
			inner++
		}
		at.At(s).X = 7
		at.Stamp(s)
		if e := s.Entity(); *pos.Get(e) != *at.At(s) || inner != 450 {
			t.Fatal("the step reads another row, or the inner walk went wrong")
		}
	}
	c := q.Begin()
	for c.NextTable() {
		if slice := at.Slice(&c); len(slice) != c.Table().Len() || &slice[0] != &pos.Slice(c.Table())[0] {
			t.Fatal("a term's slice is another than the component's")
		}
	}
	if w.Locked() || turns != 2 {
		t.Fatal("left early, still locked")
	}
	if n := testing.AllocsPerRun(10, func() {
		for s := q.Start(); s.Ok(); s = s.Next() {
			at.At(s).Y++
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if vel := MustRegister[velocity](w, "Velocity"); vel.Get(q.First()) == nil {
		if _, err := vel.In(q); err == nil {
			t.Error("a term the query does not require")
		}
	}
	check(t, w)
}
