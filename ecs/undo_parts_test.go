package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// An undone is a world with 200 entities, of which the first 20 have a label, and a system "failing". twin is the same world without failed turns.
type undone struct {
	t *testing.T
	*World
	schedule, twin *Schedule
	pos            Component[position]
	vel            Component[velocity]
	label          Component[modelLabel]
	hit            Event[hitEvent]
	es             []Entity
}

func newUndone(t *testing.T) *undone {
	w := newWorld(Options{Seed: 2})
	u := &undone{t: t, World: w, pos: MustRegister[position](w, "Position"), vel: MustRegister[velocity](w, "Velocity"), label: MustRegister[modelLabel](w, "Label"), hit: hits(t, w)}
	MustRegister[spot](w, "Spot")
	u.es = slices.Clone(must[[]Entity](t)(must[*Bundle](t)(w.Bundle(u.pos.ID(), u.vel.ID())).SpawnMany(200, nil)))
	for i, e := range u.es {
		*u.pos.Write(e) = position{float64(i), 1}
		if i < 20 {
			must[bool](t)(u.label.Set(e, modelLabel{fmt.Sprint("label ", i), 1}))
		}
	}
	u.schedule = NewSchedule(w)
	u.schedule.Add("failing", func(*World, float64) error { return nil })
	return u
}

// copied makes the twin: the world as it is now.
func (u *undone) copied() *undone {
	u.t.Helper()
	u.twin = must[*Schedule](u.t)(u.schedule.Copy(bindFailing(u.t)))
	return u
}

// fails has a turn that fails, and compares the world with the twin.
func (u *undone) fails(write func()) {
	u.t.Helper()
	failedTurn(u.t, u.schedule, func(*World) { write() })
	if u.twin != nil {
		if err := differentState(u.World, u.twin.world); err != nil {
			u.t.Fatal(err)
		}
	}
	check(u.t, u.World)
	ok(u.t, wholeMemory(u.World))
}

func TestTurnsAreTakenBackAgainAfterAPause(t *testing.T) {
	u := newUndone(t)
	u.fails(func() {})
	u.rollBack(false)
	if u.journal != nil || u.undo != nil {
		t.Error("the journal stays when nothing is taken back")
	}
	u.pos.Write(u.es[0]).X = 7
	u.copied().fails(func() { u.pos.Write(u.es[0]).X = 8 })
}

// Between turns nothing is recorded, and of a row that is written twice in a turn the first values only.
func TestWhatTheLogRecords(t *testing.T) {
	u := newUndone(t)
	entries := func() int {
		l := u.undo
		return len(l.blocks) + len(l.newest) + len(l.sizes) + len(l.removed) + len(l.slotLog.changes) + len(l.tagLog) + len(l.logs)
	}
	u.fails(func() {
		u.pos.Write(u.es[70]).X++
		n := entries()
		u.pos.Write(u.es[70]).X++
		u.pos.Write(u.es[100]).X++
		if entries() != n || n == 0 {
			t.Errorf("%d entries for the second write of a block, %d for the first", entries(), n)
		}
	})
	for _, turn := range []func(){
		func() { u.fails(func() {}) },
		func() {
			ok(t, u.schedule.Swap("failing", func(*World, float64) error { u.pos.Write(u.es[1]).X++; return nil }))
			ok(t, u.schedule.turn(u.schedule.Find("failing"), 1))
		},
	} {
		turn()
		n := entries()
		u.pos.Write(u.es[150]).X++
		u.Despawn(must[Entity](t)(u.Spawn(u.pos.ID())))
		u.hit.Send(hitEvent{})
		if entries() != n {
			t.Errorf("%d entries are recorded between turns", entries()-n)
		}
	}
}

// The log of the next turn holds no strings, readers and places of the last one: for the garbage collector, and so that it does not grow.
func TestTheLogForgetsTurns(t *testing.T) {
	u := newUndone(t)
	kept := u.EventReader(u.hit.ID())
	for range 3 {
		u.fails(func() {
			for _, e := range u.es[:20] {
				u.label.Write(e).Text = "other"
			}
			for range u.hit.Read() {
			}
			kept.Read()
			u.hit.Send(hitEvent{})
			u.EventReader(u.hit.ID())
		})
	}
	u.fails(func() {
		l := u.undo
		if len(l.systems) != 1 || len(l.readers) > 1 || len(l.own) > 1 || len(l.at) != 0 {
			t.Errorf("%d systems, %d readers, %d and %d positions are recorded at the beginning of a turn", len(l.systems), len(l.readers), len(l.own), len(l.at))
		}
		for id, s := range l.typed {
			if s.n != 0 {
				t.Errorf("%d rows of component %d", s.n, id)
			}
			if s.capacity > 0 {
				ok(t, noGhosts(u.components[id].schema, s.base, 0, s.capacity))
				if slices.ContainsFunc(unsafe.Slice((*byte)(s.base), uintptr(s.capacity)*u.components[id].schema.size), func(b byte) bool { return b != 0 }) {
					t.Errorf("the memory of component %d is not clear", id)
				}
			}
		}
		if !blank(l.newest) || !blank(l.at) || !blank(l.readers[len(l.readers):]) || !blank(l.own[len(l.own):]) || !blank(l.eventUndo.logs) {
			t.Error("the log holds columns, readers or events of the last turn")
		}
	})
}

// blank reports whether the memory of a list is zero.
func blank[T any](list []T) bool {
	for _, v := range list[:cap(list)] {
		if !reflect.ValueOf(&v).Elem().IsZero() {
			return false
		}
	}
	return true
}

// Rows that a turn has made, written and removed leave no strings behind the rows of their table.
func TestRowsOfAFailedTurnLeaveNoStrings(t *testing.T) {
	u := newUndone(t).copied()
	for range 2 {
		u.fails(func() {
			var made []Entity
			for i := range 70 {
				e := must[Entity](t)(u.Spawn(u.pos.ID(), u.vel.ID()))
				must[bool](t)(u.label.Set(e, modelLabel{fmt.Sprint("ghost ", i), 1}))
				made = append(made, e)
			}
			for _, e := range u.es[:20] {
				u.label.Write(e).Text = "written"
			}
			for _, e := range made {
				must[bool](t)(u.Despawn(e))
			}
		})
	}
}

// All rows of a table are removed, and others take their places, or none: the values come back, and queries find them.
func TestWholeTablesComeBack(t *testing.T) {
	for _, refill := range []int{0, 1, 63, 300} {
		u := newUndone(t)
		q := must[*Query](t)(u.Query(Filter{Required: []ComponentID{u.pos.ID(), u.vel.ID()}}))
		u.copied()
		for range 2 {
			u.fails(func() {
				must[int](t)(q.DespawnAll())
				if q.Count() != 0 || len(q.AppendEntities(nil)) != 0 {
					t.Error("rows are left")
				}
				for i := range refill {
					e := must[Entity](t)(u.Spawn(u.pos.ID(), u.vel.ID()))
					*u.pos.Write(e) = position{-1, float64(-i)}
					e = must[Entity](t)(u.Spawn(u.pos.ID(), u.vel.ID(), u.label.ID()))
					u.label.Write(e).Text = "new"
				}
			})
			if n := len(q.AppendEntities(nil)); q.Count() != 200 || n != 200 {
				t.Errorf("refilled with %d: %d rows, %d are found", refill, q.Count(), n)
			}
		}
	}
}

// An edge that was there before the turn, and in the turn leads to a table that is new, does not lead there afterwards.
func TestEdgesToTablesOfAFailedTurnEnd(t *testing.T) {
	u := newUndone(t)
	spotID, _ := u.LookupComponent("Spot")
	both := []ComponentID{u.vel.ID(), spotID}
	only := []ComponentID{u.label.ID(), u.vel.ID()}
	must[bool](t)(u.Remove(u.es[50], both...)) // the edge of {Position, Velocity} for both, to {Position}
	must[bool](t)(u.Add(u.es[60], only...))    // the edge for Label and Velocity, to {Position, Velocity, Label}
	turn := func() {
		must[bool](t)(u.Add(u.es[51], both...))
		must[bool](t)(u.Remove(u.es[1], both...))
		must[bool](t)(u.Remove(u.es[2], only...))
		must[bool](t)(u.Remove(u.es[3], u.pos.ID()))
		must[bool](t)(u.Remove(u.es[61], only...))
		must[bool](t)(u.Remove(u.es[62], u.pos.ID(), u.vel.ID()))
	}
	u.copied().fails(turn)
	turn() // now it stays
	check(t, u.World)
	if n := len(u.tables); n < 6 {
		t.Errorf("%d tables", n)
	}
}

// A table with many edges finds those that it had after a failed turn has made more, and makes none twice.
func TestManyEdgesAreFoundAfterAFailedTurn(t *testing.T) {
	u := newUndone(t)
	var ids []ComponentID
	for i := range 3 * walkedEdges {
		ids = append(ids, must[ComponentID](t)(u.DeclareComponent(fmt.Sprint("Part", i), must[*Schema](t)(NewSchema()))))
	}
	move := func(ids []ComponentID) {
		for _, id := range ids {
			must[bool](t)(u.Add(u.es[100], id))
			must[bool](t)(u.Remove(u.es[100], id))
		}
	}
	move(ids[:2*walkedEdges])
	table, _ := u.TableOf(u.es[100])
	before := len(table.edges)
	u.copied().fails(func() { move(ids[2*walkedEdges:]) })
	if len(table.edges) != before || !blank(table.edges[before:]) {
		t.Errorf("%d edges, there were %d; of the others nothing is left: %v", len(table.edges), before, blank(table.edges[before:]))
	}
	move(ids[:2*walkedEdges])
	if len(table.edges) != before {
		t.Errorf("%d edges after moves that had been made before, there were %d", len(table.edges), before)
	}
}

// A slot whose generations are used up is not used up by a turn that fails.
func TestAUsedUpSlotOfAFailedTurnComesBack(t *testing.T) {
	u := newUndone(t)
	sl := u.slots.find(u.es[120])
	sl.meta = MaxGeneration
	last := makeEntity(u.es[120].Index(), MaxGeneration)
	u.tables[sl.table].entities[sl.row] = last
	u.copied().fails(func() {
		must[bool](t)(u.Despawn(last))
		must[Entity](t)(u.Spawn(u.pos.ID()))
	})
	if !u.Alive(last) {
		t.Error("the entity is dead")
	}
}

// A snapshot of a grid that was taken before the turn, and from which the turn has swept the dead, has them again; only once, whatever comes after.
func TestPointsSweptInAFailedTurnComeBack(t *testing.T) {
	u := newUndone(t)
	grid := must[*Grid](t)(u.DeclareGrid(GridSpec{Name: "near", Component: u.pos.ID(), X: "x", Y: "y", Cell: 3}))
	near := func() (n int) {
		grid.Near(100, 1, 1000, func(Entity, float64) bool { n++; return true })
		return n
	}
	s := u.schedule
	s.RollBack = true
	s.OnError = func(*System, error) error { return nil }
	var seen, around []int
	see := func(*World, float64) error {
		seen = append(seen, near())
		n := 0
		grid.Near(0, 1, 20.5, func(Entity, float64) bool { n++; return true })
		around = append(around, n)
		return nil
	}
	must[*System](t)(s.AddSystem(SystemSpec{Name: "sees", Run: see, After: []string{"failing"}}))
	must[*System](t)(s.AddSystem(SystemSpec{Name: "looks", Run: func(w *World, _ float64) error {
		if w.Frame() == 2 { // what is swept from an earlier snapshot must not come back into this one
			u.pos.Write(u.es[0]).X = 1e6
		}
		return grid.Ready()
	}}))
	s.Find("failing").spec.After = []string{"looks"}
	s.sorted = false
	ok(t, s.Swap("failing", func(w *World, _ float64) error {
		if w.Frame() == 2 {
			for _, e := range u.es[50:60] {
				u.pos.Write(e).Y = 1e6
			}
			return errFailed
		}
		for _, e := range u.es[:40] {
			must[bool](t)(w.Despawn(e))
		}
		for range 5 {
			if n := near(); n != 160 {
				t.Errorf("%d points are near, 160 are alive", n)
			}
		}
		return errFailed
	}))
	for range 3 {
		ok(t, s.Run(1))
		check(t, u.World)
	}
	if !slices.Equal(seen, []int{200, 199, 199}) || !slices.Equal(around, []int{21, 20, 20}) {
		t.Errorf("behind the failed turns %v points are near, and %v close", seen, around)
	}
}

// Tags that observers set and remove while another entity loses the same tag are taken back, with the order of the entities.
func TestTagsOfObserversInTheMiddleOfAnUntag(t *testing.T) {
	for name, then := range map[string]func(u *undone, tag TagID, e Entity){
		"another is untagged": func(u *undone, tag TagID, e Entity) { u.Untag(u.es[0], tag) },
		"another is tagged":   func(u *undone, tag TagID, e Entity) { u.Tag(u.es[9], tag) },
		"itself":              func(u *undone, tag TagID, e Entity) { u.Untag(e, tag) },
		"itself and another":  func(u *undone, tag TagID, e Entity) { u.Untag(e, tag); u.Tag(u.es[9], tag); u.Tag(e, tag) },
	} {
		u := newUndone(t)
		tag := must[TagID](t)(u.DeclareTag("watched"))
		for _, e := range u.es[:5] {
			u.Tag(e, tag)
		}
		before := slices.Clone(u.TagMembers(tag))
		u.copied()
		fuel := 0
		must[*Observer](t)(u.Observe(ObserverSpec{Kind: OnUntagged, Name: "watched", Run: func(_ *World, c Change) error {
			if fuel--; fuel >= 0 {
				then(u, tag, c.Entity)
			}
			return nil
		}}))
		for many := range 5 {
			fuel = many
			u.fails(func() {
				for i := range many {
					u.Untag(u.es[(2*i+2)%5], tag)
				}
			})
			if now := u.TagMembers(tag); !slices.Equal(now, before) {
				t.Errorf("%s, %d times: %v have the tag, before the turn %v", name, many, now, before)
			}
		}
	}
}
