package ecs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// facts writes down what the entities of a simulation are, by names, so that worlds with other ids can be compared.
func facts(w *World) string {
	var s strings.Builder
	for e := range w.Entities {
		fmt.Fprint(&s, e)
		for _, c := range w.components {
			if row, err := w.Ref(e, c.id).Row(); err == nil && c.name != "Extra" {
				fmt.Fprint(&s, " ", c.name, rowText(row))
			}
		}
		for _, id := range w.TagsOf(e) {
			fmt.Fprint(&s, " ", w.TagName(id))
		}
		s.WriteByte('\n')
	}
	for _, r := range w.resources {
		if r.name != "extra" {
			fmt.Fprintln(&s, r.name, rowText(Row{schema: r.schema, ptr: r.ptr}))
		}
	}
	return s.String()
}

// A simulation whose state was adopted by a program with more declarations, and so with other ids, goes the same way.
func TestAnAdoptedSimulationGoesTheSameWay(t *testing.T) {
	s := newSimulation(t, newWorld(Options{Seed: 3}))
	ok(t, s.RunStartup())
	run(t, s, 40)
	loaded := loadedSchedule(t, savedSchedule(t, s), Options{})

	w := newWorld(Options{Seed: 5})
	must[ComponentID](t)(w.DeclareComponent("Extra", must[*Schema](t)(NewSchema(Field{Name: "v", Type: F64}))))
	must[RelationID](t)(w.DeclareRelation("Meets"))
	must[TagID](t)(w.DeclareTag("extra"))
	must[EventID](t)(w.DeclareEvent("Extra", must[*Schema](t)(NewSchema())))
	must[ResourceID](t)(w.DeclareResource("extra", F64, Number(7)))
	other := newSimulation(t, w)
	run(t, other, 3)
	warnings := must[[]string](t)(other.Adopt(loaded, Adopting{}))
	if len(warnings) > 0 {
		t.Error(warnings)
	}
	check(t, w)
	if err := wholeMemory(w); err != nil {
		t.Error(err)
	}
	sameDump(t, "adopted", facts(w), facts(s.world))
	if got := w.Resource(0).Number(0); got != 7 {
		t.Errorf("the new resource is %v", got)
	}
	for frame := range 30 {
		run(t, s, 1)
		run(t, other, 1)
		sameDump(t, fmt.Sprint("frame ", frame), facts(w), facts(s.world))
	}
	check(t, w)

	same := newSimulation(t, newWorld(Options{})) // the same declarations: an ordinary restore
	if warnings := must[[]string](t)(same.Adopt(loaded, Adopting{})); len(warnings) > 0 || same.world.Digest() != loaded.world.Digest() {
		t.Error(warnings)
	}
}

// What is no longer declared is dropped with a warning; added fields have their defaults.
func TestAdoptDropsWhatIsNoLongerDeclared(t *testing.T) {
	h := newHousehold(t)
	s := NewSchedule(h.World)
	for _, name := range []string{"kept", "gone"} {
		sys := must[*System](t)(s.AddSystem(SystemSpec{Name: name, Run: func(*World, float64) error { return nil }}))
		sys.TrackRemoved(h.vel.ID())
		must[Entity](t)(sys.commands.Spawn(h.label.ID(), h.pos.ID()))
		h.system = sys
		h.ReaderOf(h.said).Next()
		h.system = nil
	}
	loaded := loadedSchedule(t, savedSchedule(t, s), Options{})

	w := newWorld(Options{Seed: 1})
	must[TagID](t)(w.DeclareTag("tag5"))
	pos := must[ComponentID](t)(w.DeclareComponent("Position", must[*Schema](t)(NewSchema(Field{Name: "y", Type: F64}, Field{Name: "z", Type: F32, Default: Number(5)}, Field{Name: "name", Type: String, Default: Text("new")}))))
	childOf := must[RelationID](t)(w.DeclareRelation(ChildOf))
	must[EventID](t)(w.DeclareEvent("Said", must[*Schema](t)(NewSchema(Field{Name: "loud", Type: Bool, Default: Boolean(true)}, Field{Name: "text", Type: String}))))
	must[ResourceID](t)(w.DeclareResource("title", String, Text("?")))
	other := NewSchedule(w)
	for _, name := range []string{"new", "kept"} {
		must[*System](t)(other.AddSystem(SystemSpec{Name: name, Run: func(*World, float64) error { return nil }}))
	}
	digest := w.Digest()
	_, err := other.Adopt(loaded, Adopting{})
	var lost *LossError
	if !errors.As(err, &lost) || !errors.Is(err, ErrLoss) || w.Digest() != digest || w.Len() > 0 {
		t.Fatalf("without permission: %v", err)
	}
	losses := map[string]Loss{}
	for _, l := range lost.Losses {
		losses[l.Name] = l
	}
	for _, want := range []Loss{
		{"relation", "OwnedBy", 4, "entity"},
		{"component", "Velocity", 27, "entity"},
		{"field", "Position.x", 69, "value"},
		{"event", "Hit", 6, "event"},
		{"field", "Said.n", 6, "value"},
		{"resource", "score", 1, "value"},
		{"component", "Memo", 1, "queued command"},
		{"system", "gone", 1, "queued command"},
	} {
		if losses[want.Name] != want {
			t.Errorf("%s, want %s", losses[want.Name], want)
		}
	}
	for _, spared := range []string{"Velocity", "gone"} {
		if _, err := other.Adopt(loaded, Adopting{Drop: func(l Loss) bool { return l.Name != spared }}); !errors.As(err, &lost) || len(lost.Losses) != 1 || lost.Losses[0].Name != spared || w.Len() > 0 {
			t.Errorf("all but %s may be dropped: %v", spared, err)
		}
	}
	warnings := must[[]string](t)(other.Adopt(loaded, Adopting{Drop: func(Loss) bool { return true }}))
	check(t, w)
	if err := wholeMemory(w); err != nil {
		t.Error(err)
	}
	text := strings.Join(warnings, "\n")
	for _, want := range []string{
		`component "Label" (46 entities) is no longer declared: dropped`, `relation "OwnedBy" (4 entities) is no longer declared: dropped`,
		`field "Position.x" (69 values) is no longer declared: dropped`, `tag "tag0" (140 entities) is no longer declared`, `event "Hit" (6 events) is no longer declared`,
		`field "Said.n" (6 values) is no longer declared`, `resource "score" (1 value) is no longer declared`, `system "gone" (1 queued command) is no longer declared`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning %q in\n%s", want, text)
		}
	}
	if w.Len() != h.Len() || w.pending != h.pending-1 {
		t.Errorf("%d entities, %d reserved; there were %d and %d", w.Len(), w.pending, h.Len(), h.pending)
	}
	for _, e := range h.es {
		old, has := h.pos.Get(e), w.Has(e, pos)
		if has != (old != nil) || !w.Alive(e) {
			t.Fatalf("%s has a position: %v", e, has)
		}
		if old != nil {
			row := must[Row](t)(w.Ref(e, pos).Row())
			if row.Number(0) != old.Y || row.Number(1) != 5 || row.Get(2).Str() != "new" {
				t.Errorf("%s is at %s", e, rowText(row))
			}
		}
		if w.Tagged(e, 0) != h.Tagged(e, h.tags[5]) {
			t.Errorf("%s has the tag: %v", e, w.Tagged(e, 0))
		}
	}
	if got, want := w.Sources(nil, childOf, h.es[0]), h.Sources(nil, h.childOf, h.es[0]); !slices.Equal(got, want) {
		t.Errorf("children %v, want %v", got, want)
	}
	events := w.Peek(0)
	if events.Len() != h.Peek(h.said).Len() || !events.Row(0).Get(0).Bool() || !events.Row(0).Get(1).Equal(h.Peek(h.said).Row(0).Get(0)) {
		t.Errorf("%d events", events.Len())
	}
	if got := w.Resource(0).Get(0).Str(); got != "house" {
		t.Errorf("the title is %q", got)
	}
	if _, stopped := w.Stopped(); !stopped || w.Frame() != h.Frame() {
		t.Error("the clock is another")
	}
	kept := other.Find("kept")
	if kept.commands.Len() != 1 || kept.readers[0] == nil || kept.readers[0].Len() != s.Find("kept").readers[h.said].Len() {
		t.Errorf("system kept has %d commands and the readers %v", kept.commands.Len(), kept.readers)
	}
	if got := other.Find("new").Window(); got != w.watermark {
		t.Errorf("the window of the new system is %d", got)
	}
	if c, known := w.LookupComponent("Velocity"); known {
		t.Error(c)
	}
	ok(t, other.Run(0.1))
	check(t, w)
	if w.pending != 0 {
		t.Errorf("%d slots are reserved after the queues were applied", w.pending)
	}
}

func TestAdoptRefusesAChangedType(t *testing.T) {
	h := newHousehold(t)
	before := newWorld(Options{})
	must[ComponentID](t)(before.DeclareComponent("Position", must[*Schema](t)(NewSchema(Field{Name: "x", Type: F32}, Field{Name: "y", Type: F64}))))
	_, err := before.Adopt(h.World, Adopting{})
	if want := `adopt world: declared differently: field "x" of component "Position" was f64 and is f32 now; give the new field another name`; err == nil || err.Error() != want || !errors.Is(err, ErrMismatch) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	relation := newWorld(Options{})
	must[RelationID](t)(relation.DeclareRelation("Position"))
	if _, err := relation.Adopt(h.World, Adopting{}); !errors.Is(err, ErrMismatch) || relation.Len() != 0 {
		t.Error(err)
	}
}

// What was renamed keeps its values, its marks and its handles; what would become one is refused.
func TestAdoptRenames(t *testing.T) {
	h := newHousehold(t)
	s := NewSchedule(h.World)
	sys := must[*System](t)(s.AddSystem(SystemSpec{Name: "a", Run: func(*World, float64) error { return nil }}))
	must[Entity](t)(sys.commands.Spawn(h.pos.ID()))
	loaded := loadedSchedule(t, savedSchedule(t, s), Options{})
	drop := func(l Loss) bool {
		return l.Name != "Position" && l.Name != "tag5" && l.Name != "OwnedBy" && l.Name != "Said" && l.Name != "score" && l.Name != "Position.x"
	}
	w := newWorld(Options{})
	place := must[ComponentID](t)(w.DeclareComponent("Place", must[*Schema](t)(NewSchema(Field{Name: "east", Type: F64}, Field{Name: "y", Type: F64}))))
	owned := must[RelationID](t)(w.DeclareRelation("Owned"))
	must[TagID](t)(w.DeclareTag("five"))
	must[EventID](t)(w.DeclareEvent("Told", must[*Schema](t)(NewSchema(Field{Name: "text", Type: String}))))
	must[ResourceID](t)(w.DeclareResource("points", h.resources[h.score].schema.fields[0].Type, Value{}))
	other := NewSchedule(w)
	must[*System](t)(other.AddSystem(SystemSpec{Name: "a", Run: func(*World, float64) error { return nil }}))
	names := Renamed{
		Components: map[string]string{"Position": "Place"}, Relations: map[string]string{"OwnedBy": "Owned"}, Tags: map[string]string{"tag5": "five"},
		Events: map[string]string{"Said": "Told"}, Resources: map[string]string{"score": "points"}, Fields: map[string]string{"Position.x": "Place.east"},
	}
	twice := names
	twice.Tags = map[string]string{"tag5": "five", "tag6": "five"}
	if _, err := other.Adopt(loaded, Adopting{Renamed: twice, Drop: drop}); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), `the tags "tag5" and "tag6" would both be "five" now`) {
		t.Error(err)
	}
	twice = names
	twice.Fields = map[string]string{"Position.x": "Place.y"}
	if _, err := other.Adopt(loaded, Adopting{Renamed: twice, Drop: drop}); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), `the fields "x" and "y" of component "Position" would both be "y" now`) {
		t.Error(err)
	}
	must[[]string](t)(other.Adopt(loaded, Adopting{Renamed: names, Drop: drop}))
	check(t, w)
	for _, e := range h.es {
		old, has := h.pos.Get(e), w.Has(e, place)
		if has != (old != nil) || w.Tagged(e, 0) != h.Tagged(e, h.tags[5]) {
			t.Fatalf("%s has a position: %v", e, has)
		}
		if old != nil {
			if row := must[Row](t)(w.Ref(e, place).Row()); row.Number(0) != old.X || row.Number(1) != old.Y {
				t.Errorf("%s is at %s", e, rowText(row))
			}
		}
		if got, want := w.Sources(nil, owned, e), h.Sources(nil, h.ownedBy, e); !slices.Equal(got, want) {
			t.Errorf("%s owns %v, want %v", e, got, want)
		}
	}
	if w.Peek(0).Len() != h.Peek(h.said).Len() || other.Find("a").commands.Len() != 1 {
		t.Errorf("%d events, %d commands", w.Peek(0).Len(), other.Find("a").commands.Len())
	}
}
