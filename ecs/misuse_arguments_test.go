package ecs

import (
	"math"
	"testing"
)

// nothing is a SystemFunc that does nothing.
func nothing(*World, float64) error { return nil }

// Arguments that are nil, handles that are zero, and numbers that cannot be.
func TestArgumentsThatCannotBeAreRefused(t *testing.T) {
	refuseAll(t, []misuse{
		{"World.Observe without a function", func(t *testing.T, m *misused) error { return failure(m.home.w.Observe(ObserverSpec{Kind: OnSpawned})) }, "there is no function"},
		{"Component.OnSet without a function", func(t *testing.T, m *misused) error { return failure(m.home.spot.OnSet(nil)) }, "there is no function"},
		{"Component.Modify without a function", func(t *testing.T, m *misused) error { return none(m.home.spot.Modify(m.home.es[0], nil)) }, "ecs: Component.Modify without a function"},
		{"World.DeclareComponent without a schema", func(t *testing.T, m *misused) error { return failure(m.home.w.DeclareComponent("New", nil)) }, "declare component New: there is no schema; NewSchema() makes one without fields"},
		{"World.DeclareEvent without a schema", func(t *testing.T, m *misused) error { return failure(m.home.w.DeclareEvent("New", nil)) }, "declare event New: there is no schema; NewSchema() makes one without fields"},
		{"World.DeclareGrid of nothing", func(t *testing.T, m *misused) error { return failure(m.home.w.DeclareGrid(GridSpec{})) }, `declare grid: component "Label" has no number field ""`},
		{"World.DeclareTag without a name", func(t *testing.T, m *misused) error { return failure(m.home.w.DeclareTag("")) }, "declare tag: a tag needs a name"},
		{"World.DeclareRelation with the name of a component", func(t *testing.T, m *misused) error { return failure(m.home.w.DeclareRelation("Spot")) }, "declare relation Spot: declared differently: the name belongs to a component"},
		{"World.DeclareResource with a wrong value", func(t *testing.T, m *misused) error { return failure(m.home.w.DeclareResource("r", I32, Text("x"))) }, `declare resource r: default of field "value": number expected, got string`},
		{"World.DeclareResource of an unknown type", func(t *testing.T, m *misused) error { return failure(m.home.w.DeclareResource("r", 99, Number(1))) }, `declare resource r: field "value" has no type`},
		{"NewSchema with an unknown type", func(t *testing.T, m *misused) error { return failure(NewSchema(Field{Name: "x", Type: 99})) }, `field "x" has no type`},
		{"Register of another type", func(t *testing.T, m *misused) error { return failure(Register[label](m.home.w, "Spot")) }, "declare component Spot: declared differently: it is laid out as {x f64, y f64} (16 bytes), ecs.label as {text string}"},
		{"Register in no world", func(t *testing.T, m *misused) error { return failure(Register[spot](nil, "Spot")) }, "ecs: Register without a world"},
		{"RegisterEvent of another type", func(t *testing.T, m *misused) error { return failure(RegisterEvent[label](m.home.w, "Moved")) }, "register event Moved: declared differently: it is laid out as {x f64, y f64}, ecs.label as {text string}"},
		{"RegisterResource without a name", func(t *testing.T, m *misused) error {
			return failure(RegisterResource[label](m.home.w, ""))
		}, "declare resource: a resource needs a name"},
		{"RegisterCodec without functions", func(t *testing.T, m *misused) error { RegisterCodec[spot](m.home.w, nil, nil); return nil }, "ecs: a codec needs both functions"},
		{"NewQuery1 of a type that is no component", func(t *testing.T, m *misused) error { return failure(NewQuery1[Mut[int]](m.home.w)) }, "query: not declared: no component of the Go type int in this world; call Register first"},
		{"NewQuery2 of one type twice", func(t *testing.T, m *misused) error { return failure(NewQuery2[Mut[spot], Mut[spot]](m.home.w)) }, "query Spot: the component is listed twice"},
		{"NewQuery1 in no world", func(t *testing.T, m *misused) error { return failure(NewQuery1[Mut[spot]](nil)) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"NewQuery1 with an unknown tag", func(t *testing.T, m *misused) error {
			return failure(NewQuery1[Mut[spot]](m.home.w, Filter{Tagged: []TagID{99}}))
		}, `query: tag id 99 is not declared`},
		{"NewSpawner1 of a type that is no component", func(t *testing.T, m *misused) error { return failure(NewSpawner1[int](m.home.w)) }, "spawn: not declared: no component of the Go type int in this world; call Register first"},
		{"NewSpawner1 with an unknown tag", func(t *testing.T, m *misused) error { return failure(NewSpawner1[spot](m.home.w, 99)) }, "ecs: no tag of this id was declared in this world"},
		{"NewSpawner1 in no world", func(t *testing.T, m *misused) error { return failure(NewSpawner1[spot](nil)) }, "ecs: NewSpawner without a world"},
		{"Spawner1.SpawnRelated to a dead entity", func(t *testing.T, m *misused) error {
			return failure(must[*Spawner1[spot]](t)(NewSpawner1[spot](m.home.w)).Spawn(spot{}, Target{m.home.rel, Entity(1 << 50)}))
		}, "spawn Knows: target 0v262144: the entity is dead"},
		{"Query1.StartTarget of an unknown relation", func(t *testing.T, m *misused) error { return failure(m.read(t).StartTarget(99, m.home.es[0])) }, `query 0v1: relation id 99 is not declared`},
		{"World.Query with a component twice", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Query(Filter{Required: []ComponentID{m.home.spot.ID(), m.home.spot.ID()}}))
		}, "query Spot: the component is listed twice"},
		{"World.Query with Not(nil)", func(t *testing.T, m *misused) error { return failure(m.home.w.Query(Filter{Where: Not(nil)})) }, "ecs: Not without a part: one is nil"},
		{"World.Query with And(nil)", func(t *testing.T, m *misused) error { return failure(m.home.w.Query(Filter{Where: And(nil, nil)})) }, "ecs: And without a part: one is nil"},
		{"World.Query with Xor(nil)", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Query(Filter{Where: Xor(nil, Contains(m.home.spot.ID()))}))
		}, "ecs: Xor without a part: one is nil"},
		{"World.Query with an expression of an unknown tag", func(t *testing.T, m *misused) error { return failure(m.home.w.Query(Filter{Where: HasTag(99)})) }, `query: tag id 99 is not declared`},
		{"World.Query with an expression of an unknown component", func(t *testing.T, m *misused) error { return failure(m.home.w.Query(Filter{Where: Or(Changed(99))})) }, `query: component id 99 is not declared`},
		{"Query.Parallel without work", func(t *testing.T, m *misused) error { return m.spots.Parallel(nil, 0, nil) }, "ecs: Query.Parallel without a function"},
		{"Cursor.Row of a term that the query lacks", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			c.Next()
			return none(c.Row(7))
		}, "runtime error: index out of range [7] with length 1"},
		{"Cursor.Row of the term -1", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			c.Next()
			return none(c.Row(-1))
		}, "runtime error: index out of range [-1]"},
		{"Cursor.Column of a term that the query lacks", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			c.Next()
			return none(c.Column(7))
		}, "runtime error: index out of range [7] with length 1"},
		{"Cursor.Ref of a term that the query lacks", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			c.Next()
			return none(c.Ref(7))
		}, "runtime error: index out of range [7] with length 1"},
		{"Cursor.Stamp of a term that the query lacks", func(t *testing.T, m *misused) error {
			c := m.spots.begin()
			defer c.End()
			c.Next()
			c.Stamp(7)
			return nil
		}, "runtime error: index out of range [7] with length 1"},
		{"Walk that no query began", func(t *testing.T, m *misused) error { return none(Walk1[Mut[spot]]{}.Get()) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"Visit that no query began", func(t *testing.T, m *misused) error { return none(Visit{}.Entity()) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Component: Get", func(t *testing.T, m *misused) error { return none(Component[spot]{}.Get(m.home.es[0])) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Component: Write", func(t *testing.T, m *misused) error { return none(Component[spot]{}.Write(m.home.es[0])) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Component: Set", func(t *testing.T, m *misused) error { return failure(Component[spot]{}.Set(m.home.es[0], spot{})) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Component: Has", func(t *testing.T, m *misused) error { return none(Component[spot]{}.Has(m.home.es[0])) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Component: Slice", func(t *testing.T, m *misused) error { return none(Component[spot]{}.Slice(m.home.w.Tables()[1])) }, "ecs: the zero value of Component is not usable"},
		{"the zero Component: QueueSet", func(t *testing.T, m *misused) error {
			Component[spot]{}.QueueSet(m.home.w.Commands(), m.home.es[0], spot{})
			return nil
		}, "ecs: the zero value of Component is not usable"},
		{"the zero Event", func(t *testing.T, m *misused) error { Event[spot]{}.Send(spot{}); return nil }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Event: Read", func(t *testing.T, m *misused) error { return none(Event[spot]{}.Read()) }, "ecs: the zero value of Event is not usable"},
		{"the zero TagSet: Tag", func(t *testing.T, m *misused) error { return none(TagSet{}.Tag(m.home.es[0])) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero TagSet: Has", func(t *testing.T, m *misused) error { return none(TagSet{}.Has(m.home.es[0])) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Row: Get", func(t *testing.T, m *misused) error { return none(Row{}.Get(0)) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Ref: Get", func(t *testing.T, m *misused) error { return failure(Ref{}.Get(0)) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"the zero Finder", func(t *testing.T, m *misused) error { return none(Finder{}.Find(m.home.es[0])) }, "runtime error: invalid memory address or nil pointer dereference"},
		{"Ref.Get of a dead entity", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Ref(Entity(1<<50), m.home.spot.ID()).Get(0))
		}, "get Spot on 0v262144: the entity is dead"},
		{"Ref.Set of a wrong type", func(t *testing.T, m *misused) error {
			return m.home.w.Ref(m.home.es[0], m.home.spot.ID()).Set(0, Text("one"))
		}, "set Spot.x on 0v1: number expected, got string"},
		{"Ref.SetNumber of a string", func(t *testing.T, m *misused) error {
			return m.home.w.Ref(m.home.es[0], m.home.label.ID()).SetNumber(0, 1)
		}, "set Label.text on 0v1: string expected, got number"},
		{"Ref.Get of a field that is not there", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Ref(m.home.es[0], m.home.spot.ID()).Get(9))
		}, "runtime error: index out of range [9] with length 2"},
		{"Row.Set of a field that is not there", func(t *testing.T, m *misused) error {
			return must[Row](t)(m.home.w.Ref(m.home.es[0], m.home.spot.ID()).Row()).Set(9, Number(1))
		}, "runtime error: index out of range [9] with length 2"},
		{"World.Set of a field that is not there", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Set(m.home.es[0], m.home.spot.ID(), FieldValue{9, Number(1)}))
		}, "set Spot on 0v1: there is no field 9; the last one is 1"},
		{"World.Send with a wrong field", func(t *testing.T, m *misused) error {
			return m.home.w.Send(m.home.event.ID(), FieldValue{9, Number(1)})
		}, "send Moved: there is no field 9; the last one is 1"},
		{"World.Relate by an unknown relation", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Relate(m.home.es[0], 99, m.home.es[1]))
		}, `relate 0v1: relation id 99 is not declared`},
		{"World.Relate by a component", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Relate(m.home.es[0], RelationID(m.home.spot.ID()), m.home.es[1]))
		}, `relate 0v1: relation id 1 is not declared`},
		{"World.Relate to a dead entity", func(t *testing.T, m *misused) error {
			return failure(m.home.w.Relate(m.home.es[0], m.home.rel, Entity(1<<50)))
		}, "relate Knows on 0v1: target 0v262144: the entity is dead"},
		{"World.Spawn with an unknown component", func(t *testing.T, m *misused) error { return failure(m.home.w.Spawn(99)) }, `spawn: component id 99 is not declared`},
		{"World.Spawn with a relation", func(t *testing.T, m *misused) error { return failure(m.home.w.Spawn(ComponentID(m.home.rel))) }, "spawn Knows: a relation needs a target: use Relate"},
		{"World.SpawnRelated to nobody", func(t *testing.T, m *misused) error {
			return failure(m.home.w.SpawnRelated([]Target{{m.home.rel, 0}}))
		}, "spawn Knows: target none: the entity is dead"},
		{"World.Reserve of too many", func(t *testing.T, m *misused) error { return m.home.w.Reserve(math.MaxInt, m.home.spot.ID()) }, "spawn: limit reached: "},
		{"Bundle.SpawnMany of too many", func(t *testing.T, m *misused) error {
			return failure(must[*Bundle](t)(m.home.w.Bundle(m.home.spot.ID())).SpawnMany(math.MaxInt, nil))
		}, "spawn: limit reached: "},
		{"Bundle.AddAll of no query", func(t *testing.T, m *misused) error {
			return failure(must[*Bundle](t)(m.home.w.Bundle(m.home.label.ID())).AddAll(nil, nil))
		}, "ecs: Bundle.AddAll or RemoveAll without a query"},
		{"Column.Row behind the end", func(t *testing.T, m *misused) error { return none(m.home.spot.Column(m.home.w.Tables()[1]).Row(999)) }, "ecs: row 999 of column Spot with 3 rows"},
		{"Column.Row of -1", func(t *testing.T, m *misused) error { return none(m.home.spot.Column(m.home.w.Tables()[1]).Row(-1)) }, "ecs: row -1 of column Spot with 3 rows"},
		{"Column.Stamp behind the end", func(t *testing.T, m *misused) error {
			m.home.spot.Column(m.home.w.Tables()[1]).Stamp(999)
			return nil
		}, "ecs: stamp row 999 of column Spot with 3 rows"},
		{"Column.StampRange backwards", func(t *testing.T, m *misused) error {
			m.home.spot.Column(m.home.w.Tables()[1]).StampRange(2, 1)
			return nil
		}, ""},
		{"Slice of another type", func(t *testing.T, m *misused) error {
			return failure(Slice[label](m.home.spot.Column(m.home.w.Tables()[1])))
		}, "use component Spot: declared differently: it is laid out as {x f64, y f64} (16 bytes), ecs.label as {text string}"},
		{"Grid.Near without a function", func(t *testing.T, m *misused) error {
			ok(t, m.home.grid.Ready())
			m.home.grid.Near(0, 0, 1, nil)
			return nil
		}, "ecs: Grid.Near without a function"},
		{"World.Restore of nothing", func(t *testing.T, m *misused) error { return m.home.w.Restore(nil) }, "restore world: there is no world to take it from"},
		{"World.Restore of another world", func(t *testing.T, m *misused) error { return m.home.w.Restore(newWorld(Options{})) }, `restore world: declared differently: component "Label" is not declared in the world to restore from; declare it before that copy is made`},
		{"World.Adopt of nothing", func(t *testing.T, m *misused) error { return failure(m.home.w.Adopt(nil, Adopting{})) }, "adopt world: there is no world to take it from"},
		{"World.Save to nothing", func(t *testing.T, m *misused) error { return m.home.w.Save(nil) }, "ecs: World.Save without a writer"},
		{"Load from nothing", func(t *testing.T, m *misused) error { return failure(Load(nil, Options{})) }, "ecs: Load without a reader"},
		{"World.Differences to nothing", func(t *testing.T, m *misused) error { return none(m.home.w.Differences(nil, 1)) }, "ecs: World.Differences without another world"},
		{"World.Mute without a function", func(t *testing.T, m *misused) error { m.home.w.Mute(nil); return nil }, "ecs: World.Mute without a function"},
		{"World.Entities without a function", func(t *testing.T, m *misused) error { m.home.w.Entities(nil); return nil }, "ecs: World.Entities without a function"},
		{"World.TapEvents of an unknown event", func(t *testing.T, m *misused) error { return none(m.home.w.TapEvents(99)) }, "ecs: no event of this id was declared in this world"},
		{"Observer.Replace of nothing", func(t *testing.T, m *misused) error {
			o := must[*Observer](t)(m.away.spot.OnSet(func(*World, Entity, *spot) error { return nil }))
			defer o.Stop()
			o.Replace(nil)
			return nil
		}, "ecs: Observer.Replace without an observer"},
		{"Workers.Run without a task", func(t *testing.T, m *misused) error {
			p := NewPool(2)
			defer p.Close()
			p.Run(2, nil)
			return nil
		}, "ecs: Workers.Run without a task"},
	})
}

// Schedules that are given what they cannot run.
func TestMisuseOfSchedules(t *testing.T) {
	on := func(call func(t *testing.T, m *misused, s *Schedule, sys *System) error) func(t *testing.T, m *misused) error {
		return func(t *testing.T, m *misused) error {
			w := newWorld(Options{})
			s := NewSchedule(w)
			sys := must[*System](t)(s.AddSystem(SystemSpec{Name: "one", Run: nothing}))
			return call(t, m, s, sys)
		}
	}
	refuseAll(t, []misuse{
		{"NewSchedule of no world", func(t *testing.T, m *misused) error { return none(NewSchedule(nil)) }, "ecs: NewSchedule without a world"},
		{"a system without a function", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			return failure(s.AddSystem(SystemSpec{Name: "two"}))
		}), `system "two" has no function`},
		{"a system without a name", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			return failure(s.AddSystem(SystemSpec{Run: nothing}))
		}), "a system needs a name"},
		{"a name twice", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			return failure(s.AddSystem(SystemSpec{Name: "one", Run: nothing}))
		}), `system "one" is there already`},
		{"Every of -1", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			return failure(s.AddSystem(SystemSpec{Name: "two", Every: -1, Run: nothing}))
		}), `system "two" runs every -1 frames; give 1 for each frame, 2 for every other one`},
		{"an unknown stage", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			return failure(s.AddSystem(SystemSpec{Name: "two", Stage: 99, Run: nothing}))
		}), `system "two" is in a stage that there is not`},
		{"after a system that is not there", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			if _, err := s.AddSystem(SystemSpec{Name: "two", After: []string{"three"}, Run: nothing}); err != nil {
				return err
			}
			return s.Run(1)
		}), `system "two" runs after "three", which there is not`},
		{"after itself", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			if _, err := s.AddSystem(SystemSpec{Name: "two", After: []string{"two"}, Run: nothing}); err != nil {
				return err
			}
			return s.Run(1)
		}), "systems run after each other: two after two"},
		{"Add without a function", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error { s.Add("two", nil); return s.Run(1) }), `system "two" has no function`},
		{"Call of no system", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error { return s.Call(nil, nothing) }), "call: the system is none of this schedule"},
		{"Call of no function", on(func(t *testing.T, m *misused, s *Schedule, sys *System) error { return s.Call(sys, nil) }), "ecs: Schedule.Call without a function"},
		{"Call of a system of another schedule", on(func(t *testing.T, m *misused, s *Schedule, sys *System) error {
			return NewSchedule(m.home.w).Call(sys, nothing)
		}), "call: the system is none of this schedule"},
		{"Swap of a system that is not there", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error { return s.Swap("two", nothing) }), `swap: no system "two", or no function`},
		{"Swap for no function", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error { return s.Swap("one", nil) }), `swap: no system "one", or no function`},
		{"Restore of nothing", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error { return s.Restore(nil) }), "restore schedule: there is no schedule to take it from"},
		{"Adopt of nothing", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error { return failure(s.Adopt(nil, Adopting{})) }), "adopt schedule: there is no schedule to take it from"},
		{"Declaring nothing", on(func(t *testing.T, m *misused, s *Schedule, sys *System) error { sys.Declaring(nil); return nil }), "ecs: System.Declaring without a function"},
		{"Run of NaN seconds", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error { return s.Run(math.NaN()) }), "run a frame of NaN seconds: the time of the world would not be a number any more"},
		{"a frame in a frame", on(func(t *testing.T, m *misused, s *Schedule, _ *System) error {
			var err error
			s.Add("two", func(*World, float64) error { err = s.Run(1); return nil })
			if failed := s.Run(1); failed != nil {
				return failed
			}
			return err
		}), `run a frame: system "two" is in its turn; a frame cannot run inside of another one`},
	})
}
