package ecs

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Without room for a forest the whole way up is walked: a cycle is found, and a relation that forms none is made.
func TestALongChainWithoutRoomForAForest(t *testing.T) {
	f := newFamily(t)
	es := []Entity{f.spawn()}
	for range 3 * shortWalk {
		e := must[Entity](t)(f.SpawnRelated([]Target{{f.childOf, es[len(es)-1]}}))
		es = append(es, e)
	}
	last, other := es[len(es)-1], f.spawn()
	below := must[Entity](t)(f.SpawnRelated([]Target{{f.childOf, other}}))
	r := f.components[f.childOf].relation
	ok(t, r.reserve(f.World, other.Index(), last.Index(), 0))
	f.options.MaxBytes = f.Bytes() + f.structure
	if _, err := f.Relate(es[0], f.childOf, last); !errors.Is(err, ErrCycle) || r.forest != nil {
		t.Errorf("the first below the last: %v", err)
	}
	before := Raw.Work(f.World)
	f.relate(other, f.childOf, last)
	if steps := Raw.Work(f.World) - before; steps != 3*shortWalk+uint64(f.Len()) || r.forest != nil {
		t.Errorf("%d steps", steps)
	}
	f.options.MaxBytes = 0
	if _, err := f.Relate(es[5], f.childOf, below); !errors.Is(err, ErrCycle) || r.forest == nil {
		t.Errorf("below its own descendant: %v", err)
	}
	lone := f.spawn()
	f.relate(es[0], f.childOf, lone) // one of them was never in the forest
	if _, err := f.Relate(lone, f.childOf, below); !errors.Is(err, ErrCycle) {
		t.Errorf("the new root below the last: %v", err)
	}
	check(t, f.World)
}

// Looking for what is shared where nothing is.
func TestSharedOfNothing(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	e, bare := must[Entity](t)(w.Spawn(pos.ID())), must[Entity](t)(w.Spawn())
	if pos.Shared(e) != pos.Get(e) || vel.Shared(e) != nil || Raw.Finder(w, vel.ID()).Find(e) != (Place{}) || Raw.Finder(w, vel.ID()).Find(bare) != (Place{}) {
		t.Error("a world without bases shares something")
	}
	isA := must[RelationID](t)(w.DeclareRelation(IsA))
	base := must[Entity](t)(w.Spawn(vel.ID()))
	must[bool](t)(w.Relate(e, isA, base))
	if vel.Shared(e) != vel.Get(base) || pos.Shared(e) != pos.Get(e) || pos.Shared(bare) != nil || pos.Shared(None) != nil || vel.Shared(bare) != nil {
		t.Error("shared by the wrong entity")
	}
	if place := Raw.Finder(w, vel.ID()).Find(e); place.Table != -1 || place.Memory == nil {
		t.Errorf("found at %+v", place)
	}
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{isA, vel.ID()}, Inherited: true}))
	none := must[*Query](t)(w.Query(Filter{Required: []ComponentID{must[RelationID](t)(w.DeclareRelation("Likes"))}, Inherited: true}))
	without := must[*Query](t)(w.Query(Filter{Without: []ComponentID{pos.ID()}, Inherited: true}))
	if !slices.Equal(q.AppendEntities(nil), []Entity{e}) || none.Count() != 0 || !slices.Equal(without.AppendEntities(nil), []Entity{bare, base}) {
		t.Errorf("%v, %v, %v", q.AppendEntities(nil), none.Count(), without.AppendEntities(nil))
	}
}

// Parts of a walk are left early, and have no column of what their table lacks.
func TestPartsThatAreLeftEarly(t *testing.T) {
	w := newWorld(Options{})
	pos, vel := MustRegister[position](w, "Position"), MustRegister[velocity](w, "Velocity")
	tag := must[TagID](t)(w.DeclareTag("t"))
	must[int](t)(must[*Bundle](t)(w.Bundle(pos.ID())).SpawnRows(200, nil))
	for _, f := range []Filter{{}, {Untagged: []TagID{tag}}} {
		rows := []int{}
		ok(t, must[*Query](t)(w.Query(f)).Parallel(nil, 0, func(p *Part) {
			for i := range p.Rows {
				if rows = append(rows, i); i == 3 {
					break
				}
			}
			if vel.PartSlice(p) != nil || len(pos.PartSlice(p)) != 200 {
				t.Error("slices of a part")
			}
			vel.StampPart(p)
		}))
		if !slices.Equal(rows, []int{0, 1, 2, 3}) {
			t.Errorf("%+v: rows %v", f, rows)
		}
	}
}

// What is declared again differently, or laid over something else, is refused; so is a type that is none.
func TestDeclarationsThatDoNotFit(t *testing.T) {
	type strange struct {
		F func() `ecs:"f,forgotten"`
	}
	w := newWorld(Options{})
	MustRegister[position](w, "Position")
	hit := hits(t, w)
	must[ResourceID](t)(w.DeclareResource("score", F64, Value{}))
	same := must[Event[hitEvent]](t)(RegisterEvent[hitEvent](w, "Hit"))
	if same.ID() != hit.ID() || same.log != hit.log {
		t.Error("another event")
	}
	for name, err := range map[string]error{
		"component of a function": second(Register[strange](w, "Strange")), "event of a function": second(RegisterEvent[strange](w, "Strange")),
		"resource of a function": second(RegisterResource[strange](w, "strange")), "resource without a name": second(RegisterResource[position](w, "")),
		"event without a name": second(RegisterEvent[position](w, "")),
		"resource of another":  second(RegisterResource[position](w, "score")), "event of another": second(RegisterEvent[position](w, "Hit")),
		"resource of a default that does not fit": second(w.DeclareResource("bad", U8, Number(300))),
		"column as a function":                    second(Slice[strange](must[*Table](t)(w.tables[0].with([]ComponentID{0})).Column(0))),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	for _, name := range []string{"Strange", "Position "} {
		if _, known := w.LookupEvent(name); known {
			t.Errorf("event %q was declared", name)
		}
		if _, known := w.LookupComponent(name); known {
			t.Errorf("component %q was declared", name)
		}
	}
	if id, known := w.LookupEvent("Hit"); id != hit.ID() || !known {
		t.Error("the event is not found")
	}
	if _, known := w.LookupResource("bad"); known || len(w.ResourceNames()) != 1 {
		t.Errorf("resources %v", w.ResourceNames())
	}
	if text := said(func() { MustRegister[strange](w, "Strange") }); text == "" {
		t.Error("MustRegister does not panic")
	}
	type outer struct {
		A int32
		_ int32
		B struct{ C, D uint8 }
	}
	if s := must[*Schema](t)(SchemaOf[outer]()); s.String() != "{a i32, b_c u8, b_d u8}" || s.fields[1].Offset != 8 || s.size != 12 {
		t.Errorf("%s", s)
	}
	type twice struct {
		A int32
		B int32 `ecs:"a"`
	}
	if _, err := SchemaOf[twice](); err == nil {
		t.Error("two fields of one name")
	}
}

// Small views of a world.
func TestSmallViews(t *testing.T) {
	w := newWorld(Options{MaxEntities: 3})
	pos := MustRegister[position](w, "Position")
	likes := must[RelationID](t)(w.DeclareRelation("Likes"))
	e := must[Entity](t)(w.Spawn(pos.ID()))
	r := w.Ref(e, pos.ID())
	if r.Entity() != e || r.Component() != pos.ID() || r.Schema() != pos.info.schema {
		t.Error("a view of another")
	}
	ok(t, r.Set(1, Number(4)))
	if v, err := r.Get(1); err != nil || v.Float() != 4 {
		t.Error(v, err)
	}
	must[bool](t)(w.Despawn(e))
	_, get := r.Get(0)
	_, number := r.Number(0)
	for i, err := range []error{get, number, r.Set(0, Number(1)), r.SetNumber(0, 1)} {
		if !errors.Is(err, ErrDead) {
			t.Errorf("access %d of the dead: %v", i, err)
		}
	}
	a, b := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
	must[bool](t)(w.Relate(a, likes, b))
	for _, err := range []error{w.Ref(a, likes).Set(0, EntityOf(a)), w.Ref(a, likes).SetNumber(0, 1), second(w.Set(a, likes, FieldValue{0, EntityOf(a)}))} {
		if !errors.Is(err, errTarget) {
			t.Error(err)
		}
	}
	if s := must[*Schema](t)(NewSchema(Field{Name: "n", Type: U8})); s.Check(FieldValue{0, Number(256)}) == nil || s.Check(FieldValue{0, Number(255)}) != nil {
		t.Error("Check")
	}
	s := NewSchedule(w)
	sys := must[*System](t)(s.AddSystem(SystemSpec{Name: "a", Stage: Startup, Every: 3, Run: func(*World, float64) error { return errors.New("no") }}))
	if !sys.Enabled() || sys.Spec().Every != 3 || sys.Spec().Stage != Startup {
		t.Error("the system is another")
	}
	if err := s.RunStartup(); fmt.Sprint(err) != "no" {
		t.Errorf("an error of the startup stage: %v", err)
	}
	sys.SetEnabled(false)
	if sys.Enabled() {
		t.Error("it is enabled")
	}
	s.Add("b", nil)
	if s.RunStartup() == nil || s.Run(1) == nil {
		t.Error("an error of Add is lost")
	}
	full := newWorld(Options{MaxEntities: 1})
	must[Entity](t)(full.Spawn())
	if _, err := full.SpawnRelated(nil); !errors.Is(err, ErrLimit) {
		t.Error(err)
	}
	full.options.MaxBytes = 1
	if _, err := full.Bundle(MustRegister[position](full, "Position").ID()); !errors.Is(err, ErrBytes) {
		t.Error(err)
	}
	queued := NewSchedule(full)
	full.Commands().Despawn(None)
	c := must[*Query](t)(full.Query(Filter{})).begin()
	if err := queued.Run(1); !errors.Is(err, ErrLocked) || full.Frame() != 0 {
		t.Errorf("a frame inside a loop: %v", err)
	}
	c.End()
}
