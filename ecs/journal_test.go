package ecs

import (
	"reflect"
	"slices"
	"testing"
)

// journalWrites are all ways to change a world. e has the components A, Info and Position, a parent, a base, a child and the tag red; table is its table.
var journalWrites = map[string]func(s *simulationWorld, e Entity, table *Table){
	"Component.Set":           func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.pos.Set(e, position{7, 7})) },
	"Component.Set that adds": func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.vel.Set(e, velocity{7, 7})) },
	"Component.Write":         func(s *simulationWorld, e Entity, _ *Table) { s.pos.Write(e).X = 7 },
	"Component.Modify":        func(s *simulationWorld, e Entity, _ *Table) { s.pos.Modify(e, func(p *position) { p.X = 7 }) },
	"World.Set": func(s *simulationWorld, e Entity, _ *Table) {
		must[bool](s.t)(s.Set(e, s.info, FieldValue{2, Text("new")}, FieldValue{1, EntityOf(e)}))
	},
	"World.Set that adds": func(s *simulationWorld, e Entity, _ *Table) {
		must[bool](s.t)(s.Set(e, s.vel.ID(), FieldValue{0, Number(7)}))
	},
	"Ref.Set":       func(s *simulationWorld, e Entity, _ *Table) { ok(s.t, s.Ref(e, s.info).Set(2, Text("new"))) },
	"Ref.SetNumber": func(s *simulationWorld, e Entity, _ *Table) { ok(s.t, s.Ref(e, s.pos.ID()).SetNumber(0, 7)) },
	"MutAt": func(s *simulationWorld, _ Entity, _ *Table) {
		for _, c := range s.all.each {
			s.pos.mutAt(c).X = 7
		}
	},
	"Cursor.Row, and Stamp": func(s *simulationWorld, _ Entity, _ *Table) {
		for _, c := range s.all.each {
			ok(s.t, c.Row(0).SetNumber(0, 7))
			c.Stamp(0)
		}
	},
	"Spawner2.Set": func(s *simulationWorld, e Entity, _ *Table) {
		must[bool](s.t)(must[*Spawner2[position, velocity]](s.t)(NewSpawner2[position, velocity](s.World)).Set(e, position{7, 7}, velocity{7, 7}))
	},
	"typed walk": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query1[Mut[position]]](s.t)(NewQuery1[Mut[position]](s.World))
		for e := q.Start(); e.Ok(); e = e.Next() {
			e.Get().V.X = 7
		}
	},
	"typed walk with conditions": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query1[Mut[position]]](s.t)(NewQuery1[Mut[position]](s.World, Filter{Tagged: s.tags[:1]}))
		for e := q.Start(); e.Ok(); e = e.Next() {
			e.Get().V.X = 7
		}
	},
	"typed walk over two": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query2[Mut[position], Mut[velocity]]](s.t)(NewQuery2[Mut[position], Mut[velocity]](s.World))
		for e := q.Start(); e.Ok(); e = e.NextRun() {
			p, v := e.Slices()
			p[0].V.X, v[0].V.DX = 7, 7
		}
	},
	"WriteOf": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query1[position]](s.t)(NewQuery1[position](s.World))
		for e := q.Start(); e.Ok(); e = e.Next() {
			s.pos.WriteOf(e.Visit).X = 7
		}
	},
	"Spawner.Spawn": func(s *simulationWorld, _ Entity, _ *Table) {
		must[Entity](s.t)(must[*Spawner1[position]](s.t)(NewSpawner1[position](s.World)).Spawn(position{7, 7}))
	},
	"Spawner.SpawnMany": func(s *simulationWorld, _ Entity, _ *Table) {
		must[[]Entity](s.t)(must[*Spawner1[position]](s.t)(NewSpawner1[position](s.World)).SpawnMany(nil, make([]position, 70)))
	},
	"Component.Slice, without a stamp": func(s *simulationWorld, _ Entity, table *Table) { s.pos.Slice(table)[0].X = 7 },
	"Slice": func(s *simulationWorld, _ Entity, table *Table) {
		must[[]position](s.t)(Slice[position](s.pos.Column(table)))[0].X = 7
		s.pos.Column(table).StampAll()
	},
	"Column.Row": func(s *simulationWorld, _ Entity, table *Table) { ok(s.t, s.pos.Column(table).Row(0).SetNumber(0, 7)) },
	"Column.Stamp, StampMask and StampRange": func(s *simulationWorld, _ Entity, table *Table) {
		s.pos.Column(table).Stamp(0)
		s.pos.Column(table).StampMask(0, 1)
		s.pos.Column(table).StampRange(0, table.Len())
	},
	"StampMask":  func(s *simulationWorld, _ Entity, table *Table) { s.pos.Column(table).StampMask(0, 1) },
	"StampRange": func(s *simulationWorld, _ Entity, table *Table) { s.pos.Column(table).StampRange(0, table.Len()) },
	"raw memory": func(s *simulationWorld, _ Entity, table *Table) {
		s.BeforeWrite(s.pos.ID())
		base, _ := Raw.Column(s.pos.Column(table))
		(*position)(base).X = 7
	},
	"workers of a parallel walk": func(s *simulationWorld, _ Entity, _ *Table) {
		ok(s.t, s.all.Parallel(nil, 0, func(p *Part) {
			for i := range p.Rows {
				s.pos.PartSlice(p)[i].Y = 7
			}
			s.pos.StampPart(p)
			must[Entity](s.t)(p.Commands().Spawn(s.pos.ID()))
		}))
	},
	"Spawn": func(s *simulationWorld, _ Entity, _ *Table) { must[Entity](s.t)(s.Spawn(s.pos.ID())) },
	"Spawn of a new kind": func(s *simulationWorld, _ Entity, _ *Table) {
		must[Entity](s.t)(s.Spawn(append(slices.Clone(s.parts), s.info)...))
	},
	"Build": func(s *simulationWorld, _ Entity, _ *Table) {
		must[Entity](s.t)(s.pos.With(s.Build().Tag(s.tags...), position{7, 7}).Spawn())
	},
	"SpawnRelated": func(s *simulationWorld, e Entity, _ *Table) {
		must[Entity](s.t)(s.SpawnRelated([]Target{{s.childOf, e}, {s.likes, e}}, s.pos.ID()))
	},
	"Bundle.Spawn": func(s *simulationWorld, _ Entity, _ *Table) {
		must[Entity](s.t)(must[*Bundle](s.t)(s.Bundle(s.pos.ID())).Spawn())
	},
	"Bundle.SpawnMany": func(s *simulationWorld, _ Entity, _ *Table) {
		must[[]Entity](s.t)(must[*Bundle](s.t)(s.Bundle(s.pos.ID(), s.vel.ID())).SpawnMany(99, func(t *Table, from, _ int) { s.pos.Slice(t)[from].X = 7 }))
	},
	"Bundle.Add": func(s *simulationWorld, e Entity, _ *Table) {
		must[bool](s.t)(must[*Bundle](s.t)(s.Bundle(s.parts...)).Add(e))
	},
	"Bundle.AddAll": func(s *simulationWorld, _ Entity, _ *Table) {
		must[int](s.t)(must[*Bundle](s.t)(s.Bundle(s.vel.ID())).AddAll(s.all, nil))
	},
	"Bundle.RemoveAll": func(s *simulationWorld, _ Entity, _ *Table) {
		must[int](s.t)(must[*Bundle](s.t)(s.Bundle(s.vel.ID())).RemoveAll(s.moving))
	},
	"Despawn":    func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.Despawn(e)) },
	"DespawnAll": func(s *simulationWorld, _ Entity, _ *Table) { must[int](s.t)(s.moving.DespawnAll()) },
	"Add":        func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.Add(e, s.vel.ID())) },
	"Remove":     func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.Remove(e, s.parts[0])) },
	"Shrink":     func(s *simulationWorld, _ Entity, _ *Table) { ok(s.t, s.Shrink()) },
	"Tag":        func(s *simulationWorld, e Entity, _ *Table) { s.Tag(e, s.tags[1]) },
	"Untag":      func(s *simulationWorld, e Entity, _ *Table) { s.Untag(e, s.tags[0]) },
	"Untag and PutBack": func(s *simulationWorld, e Entity, _ *Table) {
		set := s.TagSet(s.tags[0])
		set.Untag(s.TagMembers(s.tags[0])[0])
		Raw.PutBackTag(set, e, 0)
	},
	"Relate": func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.Relate(e, s.likes, s.all.First())) },
	"Relate to an entity that is new": func(s *simulationWorld, e Entity, _ *Table) {
		to := must[Entity](s.t)(s.Spawn())
		must[bool](s.t)(s.Relate(e, s.likes, to))
		must[bool](s.t)(s.Relate(s.all.First(), s.likes, to))
		s.Tag(to, s.tags[1])
		s.Untag(to, s.tags[1])
	},
	"Unrelate":   func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.Unrelate(e, s.childOf)) },
	"Event.Send": func(s *simulationWorld, e Entity, _ *Table) { s.hit.Send(hitEvent{e, 7}) },
	"Event.SendAll": func(s *simulationWorld, e Entity, _ *Table) {
		s.hit.SendAll(append(s.hit.Buffer(), hitEvent{e, 7}, hitEvent{e, 8}))
	},
	"World.Send": func(s *simulationWorld, e Entity, _ *Table) { ok(s.t, s.Send(s.hit.ID(), FieldValue{1, Number(7)})) },
	"Append": func(s *simulationWorld, e Entity, _ *Table) {
		ok(s.t, Raw.AppendEvent(s.World, s.hit.ID()).SetNumber(1, 7))
	},
	"ReserveEvents":           func(s *simulationWorld, e Entity, _ *Table) { ok(s.t, Raw.ReserveEvents(s.World, s.hit.ID(), 999)) },
	"Drain":                   func(s *simulationWorld, _ Entity, _ *Table) { s.Drain(s.hit.ID()) },
	"Take":                    func(s *simulationWorld, _ Entity, _ *Table) { s.Take(s.hit.ID(), 2) },
	"Read":                    func(s *simulationWorld, _ Entity, _ *Table) { s.hit.Read() },
	"EventReader":             func(s *simulationWorld, _ Entity, _ *Table) { s.EventReader(s.hit.ID()).Next() },
	"a reader that is closed": func(s *simulationWorld, _ Entity, _ *Table) { s.ReaderOf(s.hit.ID()).Close() },
	"a resource":              func(s *simulationWorld, _ Entity, _ *Table) { *s.sum = 7 },
	"Resource":                func(s *simulationWorld, _ Entity, _ *Table) { ok(s.t, s.Resource(s.count).SetNumber(0, 7)) },
	"a random stream":         func(s *simulationWorld, _ Entity, _ *Table) { s.Stream("wind").Float64(); s.Stream("new").Float64() },
	"Grid.Near": func(s *simulationWorld, e Entity, _ *Table) {
		s.near.Near(0, 0, 9, func(Entity, float64) bool { return true })
	},
	"Index: a place is left": func(s *simulationWorld, e Entity, _ *Table) {
		must[bool](s.t)(s.spot.Set(e, simulationSpot{1, 1}))
		must[bool](s.t)(s.spot.Set(s.all.First(), simulationSpot{1, 1}))
		must[bool](s.t)(s.spot.Set(e, simulationSpot{2, 1}))
		must[bool](s.t)(s.Despawn(s.all.First()))
	},
	"Index.Update": func(s *simulationWorld, e Entity, _ *Table) {
		must[bool](s.t)(s.spot.Set(e, simulationSpot{3, 1}))
		s.spot.Write(e).X = 1
		s.spots.Update()
		must[bool](s.t)(s.Set(e, s.info, FieldValue{2, Text("new")}, FieldValue{1, EntityOf(e)}))
		must[bool](s.t)(s.Set(e, s.info, FieldValue{2, Text("newer")}))
	},
	"Layer.Set":   func(s *simulationWorld, _ Entity, _ *Table) { ok(s.t, s.heat.Set(3, 3, 7)) },
	"Layer.Slice": func(s *simulationWorld, _ Entity, _ *Table) { s.heat.Slice()[1000] = 7 },
	"Layer.Fill":  func(s *simulationWorld, _ Entity, _ *Table) { s.heat.Fill(7) },
	"AnyLayer.FillRect, Copy and Add": func(s *simulationWorld, _ Entity, _ *Table) {
		other := must[*AnyLayer](s.t)(s.DeclareLayer(s.heat.Any().Spec()))
		ok(s.t, s.heat.Any().FillRect(Number(7), 28, 16, 2, 3))
		ok(s.t, other.Copy(s.heat.Any()))
		must[float64](s.t)(s.ground.Add(7, 7, 7))
		ok(s.t, s.ground.Set(7, 8, Number(7)))
	},
	"cells in place": func(s *simulationWorld, _ Entity, _ *Table) {
		raw := Raw.Layer(s.heat.Any())
		Raw.OpenCell(s.heat.Any(), 1100)
		(*[1200]float32)(raw.Cells)[1100] = 7
	},
	"Commands.SendAfter, SendAt and Cancel": func(s *simulationWorld, e Entity, _ *Table) {
		q := newCommands(s.World)
		must[uint64](s.t)(q.SendAfter(s.hit.ID(), 7, "seven", FieldValue{0, EntityOf(e)}))
		number := must[uint64](s.t)(q.SendAt(s.hit.ID(), s.Frame()+7, ""))
		must[uint64](s.t)(q.SendAfter(s.hit.ID(), 8, "seven", FieldValue{0, EntityOf(e)}))
		q.Cancel(number)
		ok(s.t, q.Apply())
	},
	"waiting events that come": func(s *simulationWorld, e Entity, _ *Table) {
		q := newCommands(s.World)
		must[uint64](s.t)(q.SendAt(s.hit.ID(), s.Frame()+1, ""))
		ok(s.t, q.Apply())
		s.EndFrame()
		s.BeginFrame(1)
	},
	"Stop":     func(s *simulationWorld, _ Entity, _ *Table) { s.stopped = false; s.Stop("because") },
	"EndFrame": func(s *simulationWorld, _ Entity, _ *Table) { s.EndFrame(); s.BeginFrame(3) },
	"Removed": func(s *simulationWorld, e Entity, _ *Table) {
		s.Removed(nil, s.vel.ID())
		must[bool](s.t)(s.Remove(e, s.parts[0]))
	},
	"commands": func(s *simulationWorld, e Entity, _ *Table) {
		q := s.Commands()
		ok(s.t, q.Apply())
		child := must[Entity](s.t)(q.SpawnRelated([]Target{{s.childOf, e}}, s.pos.ID()))
		q.Tag(child, s.tags[2])
		q.Untag(e, s.tags[0])
		ok(s.t, q.Set(e, s.info, FieldValue{2, Text("queued")}))
		s.vel.QueueSet(q, e, velocity{7, 7})
		ok(s.t, q.Send(s.hit.ID()))
		ok(s.t, q.Relate(e, s.likes, child))
		ok(s.t, q.Remove(e, s.parts[0]))
		ok(s.t, q.Unrelate(e, s.childOf))
		q.Despawn(s.all.First())
		ok(s.t, q.Apply())
	},
	"commands that are dropped": func(s *simulationWorld, e Entity, _ *Table) {
		must[Entity](s.t)(s.Commands().Spawn())
		s.Commands().Drop()
	},
	"commands whose target is dead": func(s *simulationWorld, e Entity, _ *Table) {
		ok(s.t, s.Commands().Apply())
		parent := must[Entity](s.t)(s.Spawn())
		must[Entity](s.t)(s.Commands().SpawnRelated([]Target{{s.childOf, parent}}))
		must[bool](s.t)(s.Despawn(parent))
		ok(s.t, s.Commands().Apply())
	},
}

// RecordChanges is for tests outside of the package. The function that it returns takes back all that has changed in the world since, and fails
// where the journal was told late, or not at all.
func RecordChanges(t *testing.T, w *World) (takeBack func()) {
	r := record(t, w)
	return func() {
		t.Helper()
		changed := newStateComparison()
		changed.values("World", reflect.ValueOf(w), reflect.ValueOf(r.before))
		if len(changed.differs) == 0 {
			t.Error("nothing has changed")
		}
		r.takeBack()
		if len(r.late) > 0 {
			t.Errorf("told late of %q", r.late)
		}
		left := newStateComparison()
		left.values("World", reflect.ValueOf(w), reflect.ValueOf(r.before))
		left.report(t, "not told of")
		if w.Digest() != r.before.Digest() {
			t.Error("the digest is another one")
		}
		check(t, w)
	}
}

// TestAJournalIsToldBeforeAnythingChanges does all that changes a world, each in a world of its own.
func TestAJournalIsToldBeforeAnythingChanges(t *testing.T) {
	for name, write := range journalWrites {
		t.Run(name, func(t *testing.T) {
			schedule := fullSimulation(t, Options{Seed: 3, MaxBytes: 1 << 30})
			w := schedule.world
			s := newSimulationWorld(t, w)
			parent, base := must[Entity](t)(w.Spawn(s.pos.ID())), must[Entity](t)(w.Spawn(s.parts[1]))
			e := must[Entity](t)(w.SpawnRelated([]Target{{s.childOf, parent}, {s.isA, base}}, s.pos.ID(), s.parts[0], s.info))
			must[Entity](t)(w.SpawnRelated([]Target{{s.childOf, e}}, s.pos.ID()))
			w.Tag(e, s.tags[0])
			s.hit.Send(hitEvent{e, 1})
			table, _ := w.TableOf(e)
			takeBack := RecordChanges(t, w)
			write(s, e, table)
			takeBack()
		})
	}
}
