package ecs

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
)

// A recorder is a journal that has a copy of the world. When it is told of something for the first time, that must be as in the copy still.
// Then it can take back what it was told of, and nothing else: what is not as in the copy afterwards has changed without a word.
type recorder struct {
	w, before *World
	blocks    map[*Column]map[int]bool
	sizes     map[*Table]bool
	sets      map[*tagSet]bool
	lists     map[*relation]bool
	logs      map[*eventLog]bool
	grids     map[*Grid]bool
	handles   bool
	graph     bool
	late      []string
}

func record(t *testing.T, w *World) *recorder {
	r := &recorder{w: w, blocks: map[*Column]map[int]bool{}, sizes: map[*Table]bool{}, sets: map[*tagSet]bool{}, lists: map[*relation]bool{}, logs: map[*eventLog]bool{}, grids: map[*Grid]bool{}}
	for _, c := range w.tracked {
		c.lost.systems = nil // they belong to the schedule, which is not copied here
	}
	w.install(r)
	r.before = must[*World](t)(w.Copy())
	return r
}

// first notes that the recorder was told of something; then same says whether it is as before.
func first[K comparable](r *recorder, told map[K]bool, key K, what string, same func() bool) {
	if !told[key] {
		told[key] = true
		if !same() {
			r.late = append(r.late, what)
		}
	}
}

// twin returns the same table of the copy, nil for one that was made since.
func (r *recorder) twin(t *Table) *Table { return r.before.byMask[string(t.mask.appendKey(nil))] }

func (r *recorder) rows(c *Column, from, to int) {
	twin := r.twin(c.table)
	if twin == nil {
		return
	}
	o := twin.Column(c.info.id)
	if r.blocks[c] == nil {
		r.blocks[c] = map[int]bool{}
		if c.newest != o.newest {
			r.late = append(r.late, "the newest stamps of "+c.info.name)
		}
	}
	for block := from >> blockShift; block<<blockShift < min(to, len(twin.entities)); block++ {
		first(r, r.blocks[c], block, fmt.Sprintf("block %d of %s", block, c.info.name), func() bool { return sameBlock(c, o, block, len(twin.entities)) })
	}
}

func sameBlock(c, o *Column, block, end int) bool {
	same := c.blocks[block] == o.blocks[block]
	for row := block << blockShift; row < min(end, (block+1)<<blockShift); row++ {
		same = same && c.rows[row] == o.rows[row]
		for i := range c.info.schema.fields {
			x, y := Row{c.info.schema, c.at(row)}, Row{c.info.schema, o.at(row)}
			same = same && x.Get(i).Equal(y.Get(i))
		}
	}
	return same
}

// size notes that a table gets or loses rows, and that all columns change around these rows.
func (r *recorder) size(t *Table, rows ...int) {
	r.slots()
	twin := r.twin(t)
	if twin == nil {
		return
	}
	first(r, r.sizes, t, fmt.Sprintf("the rows of table %d", t.id), func() bool { return t.capacity == twin.capacity && slices.Equal(t.entities, twin.entities) })
	for i := range t.columns {
		for _, row := range rows {
			r.rows(&t.columns[i], row, row+1)
		}
	}
}

func (r *recorder) adds(t *Table, n int) { r.size(t, max(0, len(t.entities)-1), len(t.entities)) }

func (r *recorder) removes(t *Table, from, to int) {
	rows := []int{max(0, len(t.entities)-1)}
	for row := from; row < to; row++ {
		rows = append(rows, row)
	}
	r.size(t, rows...)
}

func (r *recorder) slots() {
	if !r.handles && (!slices.Equal(r.w.slots.all, r.before.slots.all) || !slices.Equal(r.w.slots.free, r.before.slots.free)) {
		r.late = append(r.late, "the slots")
	}
	r.handles = true
}

func (r *recorder) tables() {
	if !r.graph && len(r.w.tables) != len(r.before.tables) {
		r.late = append(r.late, "the tables")
	}
	r.graph = true
}

func (r *recorder) tag(s *tagSet, e Entity) {
	r.slots()
	o := r.before.tags[s.id]
	first(r, r.sets, s, "tag "+s.name, func() bool {
		return slices.Equal(s.dense, o.dense) && equalPages(&s.sparse, &o.sparse) && cap(s.dense) == cap(o.dense)
	})
}

func (r *recorder) relation(x *relation) {
	r.slots()
	o := r.before.relations[x.place]
	first(r, r.lists, x, "relation "+x.info.name, func() bool {
		same := equalPages(&x.heads, &o.heads) && equalPages(&x.links, &o.links) && (x.forest == nil) == (o.forest == nil)
		return same && (x.forest == nil || slices.Equal(x.forest.nodes, o.forest.nodes))
	})
}

func (r *recorder) sends(l *eventLog) { r.events(l) }

func (r *recorder) events(l *eventLog) {
	o := r.before.events[l.id]
	first(r, r.logs, l, "event "+l.name, func() bool {
		return l.first == o.first && l.end == o.end && l.full == o.full && l.hole == o.hole && l.previous == o.previous && len(l.readers) == len(o.readers)
	})
}

func (r *recorder) sweeps(g *Grid) { r.grid(g) }

func (r *recorder) grid(g *Grid) {
	o := r.before.LookupGrid(g.spec.Name)
	first(r, r.grids, g, "grid "+g.spec.Name, func() bool {
		return g.gridSnapshot == o.gridSnapshot && slices.EqualFunc(g.points, o.points, samePoint)
	})
}

// samePoint compares points to the bit: what a point does not carry is a NaN, and so is the place of an entity that has died.
func samePoint(a, b gridPoint) bool {
	bits := func(p gridPoint) [4]uint64 {
		return [4]uint64{math.Float64bits(p.x), math.Float64bits(p.y), uint64(p.entity), math.Float64bits(p.carried)}
	}
	return bits(a) == bits(b)
}

// takeBack brings what the recorder was told of back to what it was, and what a journal is not told of.
func (r *recorder) takeBack() {
	w, before := r.w, r.before
	w.install(nil)
	if r.graph {
		w.rebuildTables(before.tables)
		for i, o := range before.tables {
			w.tables[i].restoreEdges(o)
		}
	}
	for c, blocks := range r.blocks {
		o := r.twin(c.table).Column(c.info.id)
		c.newest = o.newest
		for block := range blocks {
			c.blocks[block] = o.blocks[block]
			for row := block << blockShift; row < min(len(o.table.entities), (block+1)<<blockShift); row++ {
				c.rows[row] = o.rows[row]
				c.info.schema.copyRow(c.at(row), o.at(row))
			}
		}
	}
	for t := range r.sizes {
		t.restore(r.twin(t))
	}
	if r.handles {
		restoreSlots(w, before)
	}
	for s := range r.sets {
		s.restore(before.tags[s.id])
	}
	w.tagMarks.restore(&before.tagMarks)
	for x := range r.lists {
		x.restore(w, before.relations[x.place])
	}
	w.targets.restore(&before.targets)
	for l := range r.logs {
		o := before.events[l.id]
		l.restore(o)
		l.readers = slices.DeleteFunc(l.readers, func(mine *EventReader) bool {
			return !slices.ContainsFunc(o.readers, func(r *EventReader) bool { return r.root == mine.root })
		})
	}
	for i, l := range before.events {
		for _, reader := range l.readers {
			w.events[i].readerLike(reader).next = reader.next
		}
	}
	w.clock.readers = w.adopt(w.clock.readers, before.clock.readers)
	for g := range r.grids {
		g.restore(before.LookupGrid(g.spec.Name))
	}
	restoreClock(w, before)
	restoreResources(w, before)
	restoreStreams(w, before)
	restoreRemovals(w, before)
	restoreCommands(w, before)
	restoreLimits(w, before)
}

// journalWrites are all ways to change a world. e has the components A, Info and Position, a parent, a base, a child and the tag red; table is its table.
var journalWrites = map[string]func(s *simulationWorld, e Entity, table *Table){
	"Component.Set":           func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.pos.Set(e, position{7, 7})) },
	"Component.Set that adds": func(s *simulationWorld, e Entity, _ *Table) { must[bool](s.t)(s.vel.Set(e, velocity{7, 7})) },
	"Component.Mut":           func(s *simulationWorld, e Entity, _ *Table) { s.pos.Mut(e).X = 7 },
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
	"typed walk": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query1[position]](s.t)(NewQuery1[position](s.World))
		for e := q.Start(); e.Ok(); e = e.Next() {
			e.Get().X = 7
		}
	},
	"typed walk with conditions": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query1[position]](s.t)(NewQuery1[position](s.World, Filter{Tagged: s.tags[:1]}))
		for e := q.Start(); e.Ok(); e = e.Next() {
			e.Get().X = 7
		}
	},
	"typed walk over two": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query2[position, velocity]](s.t)(NewQuery2[position, velocity](s.World))
		for e := q.Start(); e.Ok(); e = e.NextRun() {
			p, v := e.Slices()
			p[0].X, v[0].DX = 7, 7
		}
	},
	"MutOf": func(s *simulationWorld, _ Entity, _ *Table) {
		q := must[*Query1[Read[position]]](s.t)(NewQuery1[Read[position]](s.World))
		for e := q.Start(); e.Ok(); e = e.Next() {
			s.pos.MutOf(e.Visit).X = 7
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
