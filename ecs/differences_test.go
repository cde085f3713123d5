package ecs_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// twin makes two worlds with the same content: Position {x, y}, Note {text, data}, tag lit, relation Likes, event Hit {n}, resource score, layer ground, index notes, a
// few entities and a free number or two.
func twin(t *testing.T) (a, b *ecs.World) {
	t.Helper()
	a = ecs.NewWorld(ecs.Options{Seed: 7})
	schema := func(fields ...ecs.Field) *ecs.Schema {
		s, err := ecs.NewSchema(fields...)
		check(t, err)
		return s
	}
	position, err := a.DeclareComponent("Position", schema(ecs.Field{Name: "x", Type: ecs.F64}, ecs.Field{Name: "y", Type: ecs.F64}))
	check(t, err)
	_, err = a.DeclareComponent("Note", schema(ecs.Field{Name: "text", Type: ecs.String}, ecs.Field{Name: "data", Type: ecs.TableField}))
	check(t, err)
	likes, err := a.DeclareRelation("Likes")
	check(t, err)
	tag, err := a.DeclareTag("lit")
	check(t, err)
	_, err = a.DeclareEvent("Hit", schema(ecs.Field{Name: "n", Type: ecs.I32}))
	check(t, err)
	_, err = a.DeclareResource("score", ecs.I32, ecs.Number(1))
	check(t, err)
	_, err = ecs.DeclareLayer[uint8](a, ecs.LayerSpec{Name: "ground", Width: 4, Height: 3}, 5)
	check(t, err)
	_, err = a.DeclareState(ecs.StateSpec{Name: "game", Values: []string{"menu", "over"}})
	check(t, err)
	_, err = a.DeclareIndex(ecs.IndexSpec{Name: "notes", Component: "Note", Fields: []string{"text"}})
	check(t, err)
	a.Stream("drift")
	var all []ecs.Entity
	for range 6 {
		e, err := a.Spawn(position)
		check(t, err)
		all = append(all, e)
	}
	for _, e := range all[1:3] {
		a.Tag(e, tag)
		_, err = a.Relate(e, likes, all[0])
		check(t, err)
	}
	for _, e := range all[4:] {
		_, err = a.Despawn(e)
		check(t, err)
	}
	b, err = a.Copy()
	check(t, err)
	return a, b
}

// firstDifference returns the first difference between two worlds.
func firstDifference(a, b *ecs.World) (ecs.Difference, bool) {
	if list := a.Differences(b, 1); len(list) > 0 {
		return list[0], true
	}
	return ecs.Difference{}, false
}

// livingByIndex returns the living entities of a world in the order of their indexes.
func livingByIndex(w *ecs.World) []ecs.Entity {
	return slices.SortedFunc(w.Entities, func(x, y ecs.Entity) int { return int(x.Index()) - int(y.Index()) })
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFirstDifference(t *testing.T) {
	a, b := twin(t)
	if d, ok := firstDifference(a, b); ok || a.Digest() != b.Digest() {
		t.Fatalf("equal worlds: %v", d)
	}
	position, _ := a.LookupComponent("Position")
	note, _ := a.LookupComponent("Note")
	likes, _ := a.LookupRelation("Likes")
	tag, _ := a.LookupTag("lit")
	hit, _ := a.LookupEvent("Hit")
	score, _ := a.LookupResource("score")
	entity := func(w *ecs.World, index int) ecs.Entity { return livingByIndex(w)[index] }
	set := func(w *ecs.World, index, field int, v ecs.Value) {
		_, err := w.Set(entity(w, index), position, ecs.FieldValue{Index: field, Value: v})
		check(t, err)
	}
	data := func(v float64) ecs.Value {
		d, err := ecs.NewData([]ecs.DataEntry{{Key: ecs.Text("k"), Value: ecs.Number(v)}})
		check(t, err)
		return ecs.TableOf(d)
	}
	for _, c := range []struct {
		name   string
		change func(a, b *ecs.World)
		want   string // WHAT: A, B; "" none
	}{
		{"field", func(a, _ *ecs.World) { set(a, 2, 1, ecs.Number(3.5)) }, "entity 2v1, Position.y: 3.5, 0"},
		{"the first of two", func(a, b *ecs.World) {
			set(a, 3, 0, ecs.Number(1))
			set(b, 2, 1, ecs.Number(0.1))
		}, "entity 2v1, Position.y: 0, 0.1"},
		{"zeros", func(_, b *ecs.World) { set(b, 0, 0, ecs.Number(math.Copysign(0, -1))) }, "entity 0v1, Position.x: 0, -0"},
		{"any NaN", func(a, b *ecs.World) {
			set(a, 0, 0, ecs.Number(math.NaN()))
			set(b, 0, 0, ecs.Number(math.Float64frombits(0x7ff8000000000f00)))
		}, ""},
		{"component", func(_, b *ecs.World) { _, _ = b.Add(entity(b, 1), note) }, "entity 1v1, Note: not there, there"},
		{"component gone", func(_, b *ecs.World) { _, _ = b.Remove(entity(b, 1), position) }, "entity 1v1, Position: there, not there"},
		{"text", func(a, b *ecs.World) {
			_, _ = a.Set(entity(a, 0), note, ecs.FieldValue{Value: ecs.Text("one")})
			_, _ = b.Set(entity(b, 0), note, ecs.FieldValue{Value: ecs.Text("two")})
		}, `entity 0v1, Note.text: "one", "two"`},
		{"table", func(a, b *ecs.World) {
			_, _ = a.Set(entity(a, 0), note, ecs.FieldValue{Index: 1, Value: data(0)})
			_, _ = b.Set(entity(b, 0), note, ecs.FieldValue{Index: 1, Value: data(math.Copysign(0, -1))})
		}, `entity 0v1, Note.data: {k = 0}, {k = -0}`},
		{"target", func(_, b *ecs.World) { _, _ = b.Relate(entity(b, 1), likes, entity(b, 3)) }, "entity 1v1, Likes.target: 0v1, 3v1"},
		{"alive", func(a, _ *ecs.World) { _, _ = a.Despawn(entity(a, 3)) }, "entity 3v1: not alive, alive"},
		{"another generation", func(a, b *ecs.World) {
			for _, w := range []*ecs.World{a, b, b} {
				e := entity(w, 3)
				_, _ = w.Despawn(e)
				_, _ = w.Spawn(position)
			}
		}, "entity 3v2: alive, not alive"},
		{"tag", func(a, _ *ecs.World) { a.Tag(entity(a, 0), tag) }, "entity 0v1, tag lit: set, not set"},
		{"row order", func(_, b *ecs.World) {
			for _, e := range []ecs.Entity{entity(b, 0), entity(b, 3)} {
				_, _ = b.Add(e, note)
				_, _ = b.Remove(e, note)
			}
			_, _ = b.Add(entity(b, 3), note)
			_, _ = b.Remove(entity(b, 3), note)
			_, _ = b.Add(entity(b, 0), note)
			_, _ = b.Remove(entity(b, 0), note)
		}, "row 1 of the table {Position}: 0v1, 3v1"},
		{"tag order", func(_, b *ecs.World) {
			b.Untag(entity(b, 1), tag)
			b.Tag(entity(b, 1), tag)
		}, "tag lit, entity 1: 1v1, 2v1"},
		{"source order", func(_, b *ecs.World) {
			_, _ = b.Relate(entity(b, 1), likes, entity(b, 3))
			_, _ = b.Relate(entity(b, 1), likes, entity(b, 0))
		}, "entity 0v1, source of Likes 1: 1v1, 2v1"},
		{"event", func(a, b *ecs.World) {
			_ = a.Send(hit, ecs.FieldValue{Value: ecs.Number(4)})
			_ = b.Send(hit, ecs.FieldValue{Value: ecs.Number(5)})
		}, "event 1 of Hit.n: 4, 5"},
		{"events", func(a, _ *ecs.World) { _ = a.Send(hit) }, "events Hit to peek at: 1, 0"},
		{"drained events", func(a, _ *ecs.World) { _ = a.Send(hit); a.Drain(hit) }, "events Hit sent in all: 1, 0"},
		{"waiting event", func(a, b *ecs.World) {
			for i, w := range []*ecs.World{a, b} {
				_, _ = w.Commands().SendAt(hit, 3, "door", ecs.FieldValue{Value: ecs.Number(float64(4 + i))})
				_ = w.Commands().Apply()
			}
		}, `waiting event 1: Hit{n: 4} at frame 3, key "door", Hit{n: 5} at frame 3, key "door"`},
		{"waiting events", func(a, _ *ecs.World) {
			_, _ = a.Commands().SendAfter(hit, 0.5, "")
			_ = a.Commands().Apply()
		}, "waiting event 1: Hit{n: 0} at time 0.5, none"},
		{"resource", func(_, b *ecs.World) { _ = b.Resource(score).Set(0, ecs.Number(9)) }, "resource score: 1, 9"},
		{"state", func(_, b *ecs.World) {
			_ = b.Commands().State(0, "over")
			_ = b.Commands().Apply()
		}, "state game: menu, not entered, menu, then over, not entered"},
		{"cell", func(_, b *ecs.World) { _ = b.LookupLayer("ground").Set(3, 1, ecs.Number(9)) }, "layer ground[3,1]: 5, 9"},
		{"order at a place", func(a, b *ecs.World) {
			for i, w := range []*ecs.World{a, b} {
				_, _ = w.Add(entity(w, 3*i), note)
				_, _ = w.Add(entity(w, 3), note)
				_, _ = w.Add(entity(w, 0), note)
			}
			for i := range 2 {
				_, _ = b.Remove(entity(b, 3*i), note)
				_, _ = b.Remove(entity(b, 3-3*i), note)
			}
			for _, i := range []int{0, 3} {
				_, _ = b.Set(entity(b, i), note, ecs.FieldValue{Value: ecs.Text("x")})
			}
			_, _ = b.Set(entity(b, 0), note, ecs.FieldValue{Value: ecs.Text("")})
			_, _ = b.Set(entity(b, 3), note, ecs.FieldValue{Value: ecs.Text("")})
			_, _ = b.Set(entity(b, 0), note, ecs.FieldValue{Value: ecs.Text("x")})
			_, _ = b.Set(entity(b, 0), note, ecs.FieldValue{Value: ecs.Text("")})
		}, `index notes[""], entity 1: 0v1, 3v1`},
		{"random stream", func(a, _ *ecs.World) { a.Stream("drift").Float64() }, `the next random number of system "drift": …`},
		{"free numbers", func(_, b *ecs.World) {
			x, _ := b.Spawn()
			y, _ := b.Spawn()
			_, _ = b.Despawn(x)
			_, _ = b.Despawn(y)
		}, "entity 1 to be spawned next: 5v2, 4v3"},
		{"more numbers", func(_, b *ecs.World) {
			var more []ecs.Entity
			for range 3 {
				e, _ := b.Spawn()
				more = append(more, e)
			}
			for i := range more {
				_, _ = b.Despawn(more[2-i])
			}
		}, "entity 1 to be spawned next: 5v2, 5v3"},
		{"stopped", func(a, _ *ecs.World) { a.Stop("tired") }, `the run: stopped: "tired", not stopped`},
	} {
		a, b := twin(t)
		c.change(a, b)
		d, ok := firstDifference(a, b)
		got := ""
		if ok {
			got = d.String()
		}
		if start, open := strings.CutSuffix(c.want, "…"); got != c.want && !(open && strings.HasPrefix(got, start)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if c.want == "" && a.Digest() != b.Digest() {
			t.Errorf("%s: the digests differ", c.name)
		}
	}
}

// All differences, in order, and no more than asked for. Orders are not compared where the members differ.
func TestDifferences(t *testing.T) {
	a, b := twin(t)
	position, _ := a.LookupComponent("Position")
	note, _ := a.LookupComponent("Note")
	tag, _ := a.LookupTag("lit")
	score, _ := a.LookupResource("score")
	hit, _ := a.LookupEvent("Hit")
	all := livingByIndex(b)
	for i := range 2 {
		_, err := b.Set(all[i], position, ecs.FieldValue{Index: 0, Value: ecs.Number(5)}, ecs.FieldValue{Index: 1, Value: ecs.Number(6)})
		check(t, err)
	}
	_, err := b.Add(all[3], note)
	check(t, err)
	b.Untag(all[1], tag)
	check(t, b.Resource(score).Set(0, ecs.Number(2)))
	check(t, b.Send(hit))
	b.Stream("drift").Float64()
	b.Stop("why not")
	var got []string
	for _, d := range a.Differences(b, 100) {
		got = append(got, d.What())
	}
	want := []string{
		"entity 0v1, Position.x", "entity 0v1, Position.y", "entity 1v1, Position.x", "entity 1v1, Position.y", "entity 1v1, tag lit", "entity 3v1, Note",
		"events Hit to peek at", "events Hit sent in all", "resource score", `the next random number of system "drift"`, "the run",
	}
	if !slices.Equal(got, want) {
		t.Errorf("differences\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for most := range len(want) {
		if n := len(a.Differences(b, most)); n != most {
			t.Errorf("at most %d: %d", most, n)
		}
	}
	if n := len(b.Differences(a, 100)); n != len(want) {
		t.Errorf("%d the other way around", n)
	}
}

// Worlds with other declarations are compared by name, and what only one of them declares is a difference.
func TestDifferencesOfOtherDeclarations(t *testing.T) {
	world := func(names ...string) *ecs.World {
		w := ecs.NewWorld(ecs.Options{Seed: 1})
		for _, name := range names {
			fields := []ecs.Field{{Name: "x", Type: ecs.F64}}
			if name == "Wide" {
				fields = append(fields, ecs.Field{Name: "y", Type: ecs.I32})
			}
			name = strings.Replace(name, "Wide", "Narrow", 1)
			s, err := ecs.NewSchema(fields...)
			check(t, err)
			_, err = w.DeclareComponent(name, s)
			check(t, err)
			_, err = w.DeclareEvent("E"+name, s)
			check(t, err)
			_, err = w.DeclareResource("r"+name, ecs.F64, ecs.Number(float64(len(name))))
			check(t, err)
			_, err = w.DeclareTag("t" + name)
			check(t, err)
		}
		e, err := w.Spawn()
		check(t, err)
		for _, name := range names {
			if id, ok := w.LookupComponent(name); ok {
				_, err := w.Set(e, id, ecs.FieldValue{Value: ecs.Number(float64(len(name)))})
				check(t, err)
				tag, _ := w.LookupTag("t" + name)
				w.Tag(e, tag)
			}
		}
		return w
	}
	text := func(list []ecs.Difference) string {
		var b strings.Builder
		for _, d := range list {
			b.WriteString(d.String() + "\n")
		}
		return b.String()
	}
	if got := text(world("A", "BB", "CCC").Differences(world("CCC", "A", "BB"), 9)); got != "" {
		t.Errorf("another order of declarations:\n%s", got)
	}
	if got, want := text(world("A", "BB").Differences(world("BB", "Wide"), 99)), "component A: declared, not declared\ncomponent Narrow: not declared, declared\ntag tA: declared, not declared\ntag tNarrow: not declared, declared\n"+
		"event EA: declared, not declared\nevent ENarrow: not declared, declared\nresource rA: declared, not declared\nresource rNarrow: not declared, declared\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := text(world("Narrow").Differences(world("Wide"), 9)), "component Narrow.y: no such field, i32\nentity 0v1, Narrow: there, not there\nentity 0v1, tag tNarrow: set, not set\nevent ENarrow.y: no such field, i32\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
