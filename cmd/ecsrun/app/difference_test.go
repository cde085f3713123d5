package app

import (
	"math"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// twin makes two worlds with the same content: Position {x, y}, Note {text, data}, tag lit, relation Likes, event Hit {n}, resource score, a
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

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWorldDifference(t *testing.T) {
	a, b := twin(t)
	if d, ok := worldDifference(a, b, []string{"drift"}); ok || a.Digest() != b.Digest() {
		t.Fatalf("equal worlds: %v", d)
	}
	position, _ := a.LookupComponent("Position")
	note, _ := a.LookupComponent("Note")
	likes, _ := a.LookupRelation("Likes")
	tag, _ := a.LookupTag("lit")
	hit, _ := a.LookupEvent("Hit")
	score, _ := a.LookupResource("score")
	entity := func(w *ecs.World, index int) ecs.Entity { return living(w)[index] }
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
		{"resource", func(_, b *ecs.World) { _ = b.Resource(score).Set(0, ecs.Number(9)) }, "resource score: 1, 9"},
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
		d, ok := worldDifference(a, b, []string{"drift"})
		got := ""
		if ok {
			got = d.what + ": " + d.a + ", " + d.b
		}
		if start, open := strings.CutSuffix(c.want, "…"); got != c.want && !(open && strings.HasPrefix(got, start)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if c.want == "" && a.Digest() != b.Digest() {
			t.Errorf("%s: the digests differ", c.name)
		}
	}
}

func TestShortened(t *testing.T) {
	long := strings.Repeat("ab", 100)
	a, b := shortened(long+"x"+long, long+"y")
	if a != "…"+long[:20]+"x"+long[:59]+"…" || b != "…"+long[:20]+"y" {
		t.Errorf("%q, %q", a, b)
	}
	if a, b := shortened("ä"+long, "b"); a != "ä"+long[:79]+"…" || b != "b" {
		t.Errorf("%q, %q", a, b)
	}
	if a, b := shortened("a", "b"); a != "a" || b != "b" {
		t.Errorf("%q, %q", a, b)
	}
}
