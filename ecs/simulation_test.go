package ecs

import "testing"

// A simulation for tests of copies: systems that together use every part of the state, and let it show in the digest. They keep nothing
// outside the world.

// simulationSystem is a system and what makes its functions for a world.
type simulationSystem struct {
	spec SystemSpec
	bind func(s *simulationWorld) (SystemFunc, func(*World) (bool, error))
}

// simulationWorld is what the systems know of their world.
type simulationWorld struct {
	*World
	t       *testing.T
	pos     Component[position]
	vel     Component[velocity]
	parts   []ComponentID // which systems add and remove
	info    ComponentID
	tags    []TagID
	hit     Event[hitEvent]
	sum     *float64
	count   ResourceID
	childOf RelationID
	isA     RelationID
	likes   RelationID
	near    *Grid
	heat    *Layer[float32]
	ground  *AnyLayer
	season  StateID
	spot    Component[simulationSpot]
	spots   *Index
	owners  *Index
	moving  *Query
	all     *Query
}

// simulationSpot is a place of an index with a size.
type simulationSpot struct{ X, Y int16 }

func newSimulationWorld(t *testing.T, w *World) *simulationWorld {
	s := &simulationWorld{World: w, t: t}
	s.vel = MustRegister[velocity](w, "Velocity")
	s.pos = MustRegister[position](w, "Position")
	for _, name := range []string{"A", "B", "C", "D"} {
		s.parts = append(s.parts, must[ComponentID](t)(w.DeclareComponent(name, must[*Schema](t)(NewSchema(Field{Name: "v", Type: F32, Default: Number(2)})))))
	}
	s.info = must[ComponentID](t)(w.DeclareComponent("Info", must[*Schema](t)(NewSchema(Field{Name: "data", Type: TableField}, Field{Name: "owner", Type: EntityField},
		Field{Name: "title", Type: String, Default: Text("none")}))))
	s.childOf, s.isA = must[RelationID](t)(w.DeclareRelation(ChildOf)), must[RelationID](t)(w.DeclareRelation(IsA))
	s.likes = must[RelationID](t)(w.DeclareRelation("Likes"))
	must[RelationID](t)(w.DeclareRelation("Knows", ManyTargets))
	for _, name := range []string{"red", "green", "blue"} {
		s.tags = append(s.tags, must[TagID](t)(w.DeclareTag(name)))
	}
	must[Event[velocity]](t)(RegisterEvent[velocity](w, "Gust"))
	s.hit = hits(t, w)
	s.sum = must[*float64](t)(RegisterResource[float64](w, "sum"))
	s.count = must[ResourceID](t)(w.DeclareResource("count", F64, Number(0)))
	must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "mirrored", Component: s.pos.ID(), X: "y", Y: "x", Cell: 2, Carry: Carried{Tag: "green"}}))
	s.near = must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: s.pos.ID(), X: "x", Y: "y", Cell: 3, Carry: Carried{Component: s.info, Field: "owner"}}))
	s.heat = must[*Layer[float32]](t)(DeclareLayer[float32](w, LayerSpec{Name: "heat", Width: 30, Height: 40}, 1.5))
	s.ground = must[*AnyLayer](t)(w.DeclareLayer(LayerSpec{Name: "ground", Type: I64, Width: 5, Height: 3, Wrap: true, Default: Number(-2)}))
	s.spot = must[Component[simulationSpot]](t)(Register[simulationSpot](w, "Spot"))
	s.spots = must[*Index](t)(w.DeclareIndex(IndexSpec{Name: "spots", Component: "Spot", Fields: []string{"x", "y"}, Width: 4, Height: 3, Wrap: true}))
	s.owners = must[*Index](t)(w.DeclareIndex(IndexSpec{Name: "owners", Component: "Info", Fields: []string{"title", "owner"}}))
	s.moving = must[*Query](t)(w.Query(Filter{Required: []ComponentID{s.pos.ID(), s.vel.ID()}}))
	s.all = must[*Query](t)(w.Query(Filter{Required: []ComponentID{s.pos.ID()}}))
	s.season = must[StateID](t)(w.DeclareState(StateSpec{Name: "season", Values: []string{"spring", "summer", "fall"}, First: "fall"}))
	must[Entity](t)(w.DeclarePrefab(PrefabSpec{Name: "box", Components: []PrefabPart{{s.info, []FieldValue{{2, Text("a box")}, {1, EntityOf(None)}}}}, Tags: s.tags[:1], Children: []PrefabSpec{{Name: "lid"}}}))
	must[Entity](t)(w.DeclarePrefab(PrefabSpec{
		Name: "crate", Base: "box", Components: []PrefabPart{{s.parts[1], []FieldValue{{0, Number(5)}}}},
		Children: []PrefabSpec{{Name: "lid", Tags: s.tags[1:2]}, {Name: "lock", Components: []PrefabPart{{s.parts[2], nil}}}},
	}))
	w.TrackRemoved(s.parts[0])
	return s
}

// add adds to the resource that collects what systems have seen.
func (s *simulationWorld) add(n float64) { *s.sum = *s.sum*0.5 + n }

// some returns an entity with a position that the running system draws, None when there is none.
func (s *simulationWorld) some() Entity {
	at := int(s.Random().Between(0, float64(s.all.Count()-1)))
	for e := range s.all.each {
		if at == 0 {
			return e
		}
		at--
	}
	return None
}

// see adds up what a filter visits.
func (s *simulationWorld) see(f Filter) SystemFunc {
	q := must[*Query](s.t)(s.Query(f))
	return func(*World, float64) error {
		n := 0.0
		for e := range q.each {
			n = n*1.01 + float64(e.Index()%97)
		}
		s.add(n)
		return nil
	}
}

var simulationSystems = []simulationSystem{
	{SystemSpec{Name: "setup", Stage: Startup}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			for i := range 200 {
				e := must[Entity](s.t)(w.Build().With(s.pos.ID()).Spawn())
				*s.pos.Write(e) = position{float64(i), -1}
				if i%2 == 0 {
					must[bool](s.t)(s.vel.Set(e, velocity{s.Random().Float64(), 1}))
				}
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "move"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		q := must[*Query2[position, velocity]](s.t)(NewQuery2[position, velocity](s.World))
		return func(w *World, dt float64) error {
			for e := q.Start(); e.Ok(); e = e.Next() {
				if w.Random().Between(1, 3) == 1 {
					_, v := e.Get()
					at := s.pos.WriteOf(e.Visit)
					at.X += v.DX * dt
					at.Y += v.DY*dt + w.Time()
				}
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "born", Every: 2, Random: "births"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			for range int(w.Random().Between(0, 6)) {
				ids := []ComponentID{s.pos.ID(), s.parts[int(w.Random().Between(0, 3))]}
				if w.Random().Between(0, 1) == 0 {
					ids = append(ids, s.info)
				}
				e, err := w.Commands().Spawn(ids...)
				if err != nil {
					return err
				}
				s.pos.QueueSet(w.Commands(), e, position{w.Random().Float64() * 9, 0})
				if err := w.Commands().Relate(e, []RelationID{s.childOf, s.isA, s.likes}[int(w.Random().Between(0, 2))], s.some()); err != nil {
					return err
				}
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "crates", Every: 3}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			crate := w.LookupPrefab("crate")
			must[bool](s.t)(w.Set(crate, s.parts[3], FieldValue{0, Number(w.Random().Float64())}))
			e := must[Entity](s.t)(w.Commands().Instance(crate, []Target{{s.likes, s.some()}}, s.pos.ID()))
			w.Commands().Tag(e, s.tags[2])
			s.pos.QueueSet(w.Commands(), e, position{-6, 2})
			e = must[Entity](s.t)(w.Instance(w.LookupPrefab("box"), nil, s.info, s.pos.ID()))
			*s.pos.Write(e) = position{-7, -8}
			if w.Child(e, "lid") == None {
				s.t.Error("a box without a lid")
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "change"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			for range 6 {
				e, part := s.some(), s.parts[int(w.Random().Between(0, 3))]
				switch int(w.Random().Between(0, 3)) {
				case 0:
					must[bool](s.t)(w.Add(e, part))
				case 1:
					must[bool](s.t)(w.Remove(e, part))
				case 2:
					must[bool](s.t)(w.Set(e, part, FieldValue{0, Number(w.Random().Float64())}))
				default:
					if w.Frame()%3 == 0 {
						must[bool](s.t)(w.Despawn(e))
					}
				}
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "mark"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			for range 5 {
				e, tag := s.some(), s.tags[int(w.Random().Between(0, 2))]
				if !w.Untag(e, tag) {
					w.Tag(e, tag)
				}
				s.hit.Send(hitEvent{e, w.Random().Float64()})
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "changed", Every: 3}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return s.see(Filter{Required: []ComponentID{s.pos.ID()}, Changed: []ComponentID{s.pos.ID()}}), nil
	}},
	{SystemSpec{Name: "added", Every: 4}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return s.see(Filter{Required: []ComponentID{s.parts[1]}, Added: []ComponentID{s.parts[1]}, Untagged: []TagID{s.tags[0]}}), nil
	}},
	{SystemSpec{Name: "shared"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return s.see(Filter{Required: []ComponentID{s.parts[2]}, Changed: []ComponentID{s.parts[2]}, Inherited: true}), nil
	}},
	{SystemSpec{Name: "removed", Every: 5}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			for _, e := range append(w.Removed(nil, s.parts[0]), w.Removed(nil, s.parts[3])...) {
				s.add(float64(e.Index()))
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "read", Every: 2}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(*World, float64) error {
			for _, hit := range s.hit.Read() {
				s.add(hit.Amount)
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "lag"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			if row, there := w.ReaderOf(s.hit.ID()).Next(); there {
				s.add(row.Number(1))
			}
			if w.Frame()%7 == 0 {
				w.Take(s.hit.ID(), 3)
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "near", Stage: Last}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(*World, float64) error {
			s.near.Near(5, 5, 9, func(e Entity, d2 float64) bool {
				s.add(d2)
				return true
			})
			return nil
		}, nil
	}},
	{SystemSpec{Name: "warm", Every: 2}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			x, y := int(w.Random().Between(0, 29)), int(w.Random().Between(0, 39))
			s.add(float64(must[float32](s.t)(s.heat.Get(y%30, x))))
			ok(s.t, s.heat.Set(x, y, float32(w.Random().Float64())))
			s.add(must[float64](s.t)(s.ground.Add(-x, y, 3)))
			return nil
		}, nil
	}},
	{SystemSpec{Name: "settle"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			for range 5 {
				x, y := int16(w.Random().Between(-3, 9)), int16(w.Random().Between(0, 4))
				e := s.some()
				must[bool](s.t)(s.spot.Set(e, simulationSpot{x, y}))
				if x == 2 {
					must[bool](s.t)(w.Remove(s.some(), s.spot.ID()))
				}
				if p := s.spot.Write(s.some()); p != nil {
					p.X = y // indexed when the turn ends
				}
				must[bool](s.t)(w.Set(s.some(), s.info, FieldValue{2, Text(string(rune('a' + y)))}))
				walk := must[*IndexWalk](s.t)(s.spots.Around(int64(x), int64(y), 1, Neighbourhood(x&1)))
				for walk.Next() {
					s.add(float64(walk.Entity().Index()))
				}
				s.add(float64(must[Entity](s.t)(s.owners.At(Text("a"), EntityOf(None))).Index()))
				s.add(float64(must[int](s.t)(s.owners.Count(Text("b"), EntityOf(e)))))
			}
			return nil
		}, nil
	}},
	{SystemSpec{Name: "later"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			q, n := w.Commands(), w.Random().Between(1, 9)
			fields := []FieldValue{{0, EntityOf(s.some())}, {1, Number(n)}}
			must[uint64](s.t)(q.SendAfter(s.hit.ID(), n/3, "", fields...))
			q.Cancel(must[uint64](s.t)(q.SendAfter(s.hit.ID(), n, "", fields...)) - uint64(n))
			must[uint64](s.t)(q.SendAt(s.hit.ID(), w.Frame()+uint64(n), string(rune('a'+int(n))), fields...))
			return q.CancelKey(s.hit.ID(), "b")
		}, nil
	}},
	{SystemSpec{Name: "sometimes", After: []string{"mark"}}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		run := func(w *World, _ float64) error {
			s.add(w.Stream("wind").Float64())
			n := w.Resource(s.count)
			return n.SetNumber(0, n.Number(0)+1)
		}
		return run, func(*World) (bool, error) { return *s.sum > 50 && s.Frame() > 14, nil }
	}},
	{SystemSpec{Name: "year", Every: 3}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			return w.Commands().State(s.season, []string{"spring", "summer", "fall"}[int(w.Random().Between(0, 2))])
		}, nil
	}},
	{SystemSpec{Name: "bloom", Stage: Enter, In: []string{"season.spring"}}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		spring, _ := s.LookupTag("season.spring")
		return func(w *World, _ float64) error {
			for range 3 {
				w.Tag(s.some(), spring)
				e := must[Entity](s.t)(w.Spawn(s.pos.ID()))
				w.Tag(e, spring)
			}
			return w.Commands().State(s.season, "fall")
		}, nil
	}},
	{SystemSpec{Name: "fade", Stage: Leave, In: []string{"season.spring"}}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			s.add(w.Random().Float64())
			return nil
		}, nil
	}},
	{SystemSpec{Name: "warmth", In: []string{"season.spring", "season.summer"}}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(w *World, _ float64) error {
			s.add(w.Random().Float64() + float64(len(w.State(s.season))))
			return nil
		}, nil
	}},
	{SystemSpec{Name: "off"}, func(s *simulationWorld) (SystemFunc, func(*World) (bool, error)) {
		return func(*World, float64) error { s.t.Error("a disabled system runs"); return nil }, nil
	}},
}

// newSimulation returns the schedule of these systems over a new world.
func newSimulation(t *testing.T, w *World) *Schedule {
	t.Helper()
	world := newSimulationWorld(t, w)
	s := NewSchedule(w)
	for _, system := range simulationSystems {
		spec := system.spec
		spec.Run, spec.When = system.bind(world)
		must[*System](t)(s.AddSystem(spec))
	}
	s.Find("off").SetEnabled(false)
	w.Stream("wind")
	return s
}

// bindSimulation is for [Schedule.Copy].
func bindSimulation(t *testing.T) func(*World, SystemSpec) (SystemFunc, func(*World) (bool, error), error) {
	var world *simulationWorld
	return func(w *World, spec SystemSpec) (SystemFunc, func(*World) (bool, error), error) {
		if world == nil || world.World != w {
			world = newSimulationWorld(t, w)
		}
		for _, system := range simulationSystems {
			if system.spec.Name == spec.Name {
				run, when := system.bind(world)
				return run, when, nil
			}
		}
		t.Fatalf("no system %q", spec.Name)
		return nil, nil, nil
	}
}
