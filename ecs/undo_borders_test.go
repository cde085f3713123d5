package ecs

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

// These tests fail turns at the borders of blocks, tables, logs and lists.

// Columns that are full to the last row of their last block, and rows that come and go beside blocks that are recorded.
func TestTurnsAtTheBordersOfBlocks(t *testing.T) {
	for _, rows := range []int{1, 2, 63, 64, 65, 127, 128, 129} {
		world := func() (*undone, Component[spot], []Entity) {
			u := newUndone(t)
			spots := MustRegister[spot](u.World, "Spot")
			es := slices.Clone(must[[]Entity](t)(must[*Bundle](t)(u.Bundle(spots.ID())).SpawnMany(rows, nil)))
			ok(t, u.Shrink()) // the table has room for its rows, and no more
			return u.copied(), spots, es
		}
		writeAll := func(u *undone, spots Component[spot]) {
			for _, table := range u.Tables() {
				for i := range spots.Slice(table) {
					spots.Slice(table)[i].X++
				}
			}
		}
		for name, turn := range map[string]func(u *undone, spots Component[spot], es []Entity){
			"all rows": func(u *undone, spots Component[spot], es []Entity) { writeAll(u, spots) },
			"a row is new": func(u *undone, spots Component[spot], es []Entity) {
				must[Entity](t)(u.Spawn(spots.ID()))
				writeAll(u, spots)
				must[Entity](t)(u.Spawn(spots.ID()))
				writeAll(u, spots)
			},
			"the last row goes and comes": func(u *undone, spots Component[spot], es []Entity) {
				must[bool](t)(u.Despawn(es[rows-1]))
				must[Entity](t)(u.Spawn(spots.ID())) // marks the last block, which is full again
				writeAll(u, spots)
			},
			"all rows are written and go": func(u *undone, spots Component[spot], es []Entity) {
				writeAll(u, spots)
				must[int](t)(must[*Query](t)(u.Query(Filter{Required: []ComponentID{spots.ID()}})).DespawnAll())
				must[Entity](t)(u.Spawn(spots.ID()))
			},
			"all rows are written and move": func(u *undone, spots Component[spot], es []Entity) {
				spots.Write(es[0]).X = 3
				must[int](t)(must[*Bundle](t)(u.Bundle(u.vel.ID())).AddAll(must[*Query](t)(u.Query(Filter{Required: []ComponentID{spots.ID()}})), nil))
				spots.Write(es[rows-1]).X = 4
			},
			"the table shrinks": func(u *undone, spots Component[spot], es []Entity) {
				for _, e := range es[:rows/2] {
					spots.Write(e).X = 5
					must[bool](t)(u.Despawn(e))
				}
				ok(t, u.Shrink())
				for _, e := range es[rows/2:] {
					spots.Write(e).X = 6
				}
			},
		} {
			t.Run(fmt.Sprint(rows, " rows, ", name), func(t *testing.T) {
				u, spots, es := world()
				u.t = t
				for range 2 {
					u.fails(func() { turn(u, spots, es) })
				}
			})
		}
	}
}

// The blocks behind the rows of a table are as they were, too: a row that comes later finds them.
func TestBlocksBehindTheRowsAreTakenBack(t *testing.T) {
	u := newUndone(t)
	spots := MustRegister[spot](u.World, "Spot")
	es := slices.Clone(must[[]Entity](t)(must[*Bundle](t)(u.Bundle(spots.ID())).SpawnMany(130, nil)))
	for _, e := range es[64:] {
		must[bool](t)(u.Despawn(e))
	}
	table, _ := u.TableOf(es[0])
	c := table.Column(spots.ID())
	before := slices.Clone(c.blocks)
	u.copied().fails(func() {
		for i := range spots.Slice(table) {
			spots.Slice(table)[i].X = 1
		}
		for range 70 {
			must[Entity](t)(u.Spawn(spots.ID()))
		}
	})
	if !slices.Equal(c.blocks, before) {
		t.Errorf("blocks %v, they were %v", c.blocks, before)
	}
}

// A turn whose only change of a component with strings is a new row has nothing of it to put back, also where the row begins a block.
func TestARowWithAStringIsTheOnlyChange(t *testing.T) {
	for _, rows := range []int{20, blockRows} {
		u := newUndone(t)
		spawn := func() Entity { return must[Entity](t)(u.Spawn(u.pos.ID(), u.vel.ID(), u.label.ID())) }
		for range rows - 20 {
			spawn()
		}
		must[bool](t)(u.Despawn(spawn())) // there is room for another
		u.copied().fails(func() { spawn() })
	}
}

// Rows that a turn has made, written and removed leave no strings where the table had room for them before.
func TestGhostsInTheRoomOfATable(t *testing.T) {
	u := newUndone(t)
	var room []Entity
	spawn := func(n int) (made []Entity) {
		for range n {
			made = append(made, must[Entity](t)(u.Spawn(u.pos.ID(), u.vel.ID(), u.label.ID())))
		}
		return made
	}
	for _, e := range append(room, spawn(100)...) {
		must[bool](t)(u.Despawn(e))
	}
	for _, n := range []int{1, 2, 40, 90} {
		u.copied().fails(func() {
			made := spawn(n)
			for _, e := range made {
				u.label.Write(e).Text = "ghost"
			}
			for _, table := range u.Tables() {
				for i := range u.label.Slice(table) {
					u.label.Slice(table)[i].N = 1
				}
			}
			for _, e := range made {
				must[bool](t)(u.Despawn(e))
			}
		})
	}
}

type saidEvent struct{ Text string }

// Logs of events have the memory that they had, and no strings of events that were taken back.
func TestLogsOfEventsWithStrings(t *testing.T) {
	for _, kept := range []int{0, 1, 5} {
		for _, sent := range []int{1, 3, 200} {
			for _, drain := range []bool{false, true} {
				u := newUndone(t)
				said := must[Event[saidEvent]](t)(RegisterEvent[saidEvent](u.World, "Said"))
				for i := range kept {
					said.Send(saidEvent{fmt.Sprint("kept ", i)})
				}
				l := u.events[said.ID()]
				u.copied()
				for range 2 {
					capacity, during := l.capacity, unsafe.Pointer(nil)
					u.fails(func() {
						for i := range sent {
							said.Send(saidEvent{fmt.Sprint("ghost ", i)})
						}
						if drain {
							for range u.Drain(said.ID()).Len() {
							}
							said.Send(saidEvent{"another ghost"})
						}
						during = l.base
						if grown := l.capacity; grown == capacity {
							during = nil
						}
					})
					n := int(l.end - l.first)
					ok(t, noGhosts(l.schema, l.base, n, l.capacity))
					if l.capacity != capacity || during != nil && during == l.base {
						t.Errorf("%d kept, %d sent: room for %d events, there was room for %d; the same memory: %v", kept, sent, l.capacity, capacity, during == l.base)
					}
					for i, e := range said.Peek() {
						if e.Text != fmt.Sprint("kept ", i) {
							t.Errorf("event %d is %q", i, e.Text)
						}
					}
				}
			}
		}
	}
}

// A reader that a failed turn has opened is closed; one that was open before is not.
func TestReadersOpenedInAFailedTurnAreClosed(t *testing.T) {
	u := newUndone(t)
	before := u.EventReader(u.hit.ID())
	var opened *EventReader
	u.fails(func() { opened = u.EventReader(u.hit.ID()) })
	if opened.log == u.hit.log || before.log != u.hit.log {
		t.Errorf("opened in the turn: %v, before it: %v", opened.log == u.hit.log, before.log == u.hit.log)
	}
}

// An observer that is called several times in a turn moves the reader of its owner several times: it goes back to where it was first.
func TestObserversThatReadTwiceInATurn(t *testing.T) {
	u := newUndone(t)
	tag := must[TagID](t)(u.DeclareTag("watched"))
	owner := must[*System](t)(u.schedule.AddSystem(SystemSpec{Name: "owner", Run: func(*World, float64) error { return nil }}))
	var read []int
	must[*Observer](t)(u.Observe(ObserverSpec{Kind: OnTagged, Name: "watched", Owner: owner, Run: func(w *World, _ Change) error {
		n := 0
		for range u.hit.Read() {
			n++
		}
		read = append(read, n)
		return nil
	}}))
	turn := func() {
		for _, e := range u.es[:3] {
			u.hit.Send(hitEvent{})
			u.Tag(e, tag)
		}
	}
	u.fails(turn)
	u.fails(turn)
	if !slices.Equal(read, []int{1, 1, 1, 1, 1, 1}) {
		t.Errorf("the observer has read %v events", read)
	}
}

// The room of tags counts for their limit: after a failed turn it is what it was, so that the limit is kept.
func TestTheLimitOfTagsAfterAFailedTurn(t *testing.T) {
	u := newUndone(t)
	a, d := must[TagID](t)(u.DeclareTag("a")), must[TagID](t)(u.DeclareTag("d"))
	o := u.Options()
	o.MaxTags = 4
	u.SetLimits(o)
	for _, e := range u.es[:3] {
		must[bool](t)(u.TryTag(e, d))
	}
	u.copied().fails(func() {
		u.Untag(u.es[1], d)
		must[bool](t)(u.TryTag(u.es[1], a))
		must[bool](t)(u.TryTag(u.es[2], a))
		u.Untag(u.es[1], a)
		must[bool](t)(u.TryTag(u.es[5], d))
	})
	for _, e := range u.es {
		u.Tag(e, a)
		u.Tag(e, d)
	}
	if n := len(u.TagMembers(a)) + len(u.TagMembers(d)); n != 4 {
		t.Errorf("%d entries, at most 4 are allowed", n)
	}
}

// Sources of a target that are not neighbours in memory: the list is whole and in order, whichever of them leave and come.
func TestListsOfSourcesAreTakenBack(t *testing.T) {
	u := newUndone(t)
	likes := must[RelationID](t)(u.DeclareRelation("Likes"))
	target, other := u.es[100], u.es[101]
	sources := []Entity{u.es[90], u.es[10], u.es[50], u.es[12], u.es[70]}
	for _, e := range sources {
		must[bool](t)(u.Relate(e, likes, target))
	}
	relation := u.components[likes].relation
	links := func() (list []relationLink) {
		for _, e := range sources {
			list = append(list, *relation.links.at(uint32(e)))
		}
		return list
	}
	before := links()
	for i, e := range sources {
		for name, turn := range map[string]func(){
			"leaves":             func() { must[bool](t)(u.Unrelate(e, likes)) },
			"leaves and comes":   func() { must[bool](t)(u.Unrelate(e, likes)); must[bool](t)(u.Relate(e, likes, target)) },
			"changes its target": func() { must[bool](t)(u.Relate(e, likes, other)) },
			"dies":               func() { must[bool](t)(u.Despawn(e)) },
			"another comes":      func() { must[bool](t)(u.Relate(u.es[120], likes, target)) },
			"leaves, and so do the next": func() {
				for _, e := range sources[i:] {
					must[bool](t)(u.Unrelate(e, likes))
				}
			},
		} {
			u.fails(turn)
			if got := u.Sources(nil, likes, target); !slices.Equal(got, sources) || !slices.Equal(links(), before) {
				t.Fatalf("source %d %s: %v with %v, there were %v with %v", i, name, got, links(), sources, before)
			}
		}
	}
}

// What is recorded in a turn counts as memory while the turn runs, and what is kept of it afterwards.
func TestTheMemoryOfTheLogIsCounted(t *testing.T) {
	u := newUndone(t)
	tag := must[TagID](t)(u.DeclareTag("lit"))
	u.fails(func() {
		u.pos.Write(u.es[70]).X = 1
		if n := u.heap.undo.Load(); n < int64(len(u.undo.bytes)) || n == 0 {
			t.Errorf("%d bytes are counted while %d are kept", n, len(u.undo.bytes))
		}
	})
	n := u.heap.undo.Load()
	u.fails(func() {
		for _, e := range u.es {
			u.Tag(e, tag)
		}
	})
	if more := int64(cap(u.undo.tagLog)) * int64(unsafe.Sizeof(tagUndo{})); more == 0 || u.heap.undo.Load() < n+more {
		t.Errorf("%d bytes are counted after a turn with %d bytes of tags, %d before", u.heap.undo.Load(), more, n)
	}
	for _, many := range []int{1, 20, 3} {
		u.fails(func() {
			for _, e := range u.es[:many] {
				u.label.Write(e).Text = "other"
			}
		})
		bytes := int64(0)
		for id, s := range u.undo.typed {
			bytes += int64(s.capacity) * int64(u.components[id].schema.size)
		}
		if u.undo.typedBytes != bytes {
			t.Errorf("%d bytes with strings are counted, there are %d", u.undo.typedBytes, bytes)
		}
	}
}
