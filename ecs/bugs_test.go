package ecs

import "testing"

func TestClosedReaderReadsNothing(t *testing.T) {
	w := newWorld(Options{})
	hit, err := RegisterEvent[modelHit](w, "Hit")
	if err != nil {
		t.Fatal(err)
	}
	hit.Send(modelHit{Amount: 1})
	r := w.EventReader(hit.ID())
	r.Close()
	for range 3 {
		w.EndFrame()
	}
	for range 40 {
		hit.Send(modelHit{Amount: 2})
	}
	if _, ok := r.Next(); ok || r.Len() != 0 || r.Read().Len() != 0 {
		t.Fatal("a closed reader still reads")
	}
	r.Close()
}

func TestRangeOfEventsFromAnOldFramePanics(t *testing.T) {
	w := newWorld(Options{})
	hit, err := RegisterEvent[modelHit](w, "Hit")
	if err != nil {
		t.Fatal(err)
	}
	hit.Send(modelHit{Amount: 1})
	old := w.Peek(hit.ID())
	for range 3 {
		w.EndFrame()
		hit.Send(modelHit{Amount: 2})
	}
	defer func() {
		if recover() == nil {
			t.Fatal("an event that is gone was read")
		}
	}()
	old.Row(0)
}

func TestEmptyEventSliceHoldsNoPointerPastTheLog(t *testing.T) {
	w := newWorld(Options{})
	hit, err := RegisterEvent[modelHit](w, "Hit")
	if err != nil {
		t.Fatal(err)
	}
	for range 16 { // exactly the first capacity
		hit.Send(modelHit{})
	}
	hit.Read()
	if hit.Read() != nil {
		t.Fatal("an empty read is not nil: it points past the memory of the log")
	}
}

func TestGridNearInsideNear(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	for i := range 50 {
		e, _ := w.Spawn(pos.ID())
		if _, err := pos.Set(e, position{float64((i*7 + 3) % 50), 0}); err != nil {
			t.Fatal(err)
		}
	}
	g, err := w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 1})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Entity]int{}
	g.Near(25, 0, 100, func(e Entity, _ float64) bool {
		seen[e]++
		g.Near(0, 0, 1, func(Entity, float64) bool { return true })
		return true
	})
	if len(seen) != 50 {
		t.Fatalf("the outer walk visited %d of 50 entities", len(seen))
	}
}

func TestEndOfALoopThatItsSystemLeftOpen(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	q, err := w.Query(Filter{Required: []ComponentID{pos.ID()}})
	if err != nil {
		t.Fatal(err)
	}
	var c Cursor
	s := NewSchedule(w).Add("leaky", func(*World, float64) error {
		c = q.begin()
		return nil
	})
	if err := s.Run(1); err == nil {
		t.Fatal("a loop left open is not reported")
	}
	c.End() // late
	if _, err := w.Spawn(); err != nil {
		t.Fatalf("after the late End: %v", err)
	}
	open := q.begin()
	c.End()
	if !w.Locked() {
		t.Fatal("a late End unlocked somebody else's loop")
	}
	open.End()
}

// A loop that was closed by force is over for its cursor, however it is asked to go on.
func TestACursorThatWasClosedByForce(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	must[int](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnRows(70, nil))
	likes := must[RelationID](t)(w.DeclareRelation("Likes"))
	all := w.entities()
	must[bool](t)(w.Relate(all[1], likes, all[0]))
	tag := must[TagID](t)(w.DeclareTag("t"))
	for _, f := range []Filter{{Required: []ComponentID{pos.ID()}}, {Required: []ComponentID{pos.ID()}, Untagged: []TagID{tag}}} {
		q := must[*Query](t)(w.Query(f))
		for name, next := range map[string]func(c *Cursor) bool{
			"NextTable": (*Cursor).NextTable,
			"First":     (*Cursor).First,
			"NextRows": func(c *Cursor) bool {
				c.end = 0
				n, _ := c.NextRows()
				return n > 0
			},
			"Next": func(c *Cursor) bool {
				for range 200 { // rows of the current table are walked to their end
					if !c.Next() {
						return false
					}
				}
				return true
			},
		} {
			for _, narrowed := range []bool{false, true} {
				c := q.begin()
				if narrowed {
					c.End()
					c, _ = q.beginTarget(likes, all[0])
				}
				w.endWalks()
				if next(&c) || c.query != nil || c.hold != noHold || w.Locked() {
					t.Errorf("%s, narrowed %v: the loop goes on", name, narrowed)
				}
				c.End()
				check(t, w)
			}
		}
	}
}
