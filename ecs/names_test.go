package ecs

import (
	"errors"
	"fmt"
	"testing"
)

func TestSnakeCase(t *testing.T) {
	for name, want := range map[string]string{
		"X": "x", "Name": "name", "MaxSpeed": "max_speed", "HP": "hp", "HPMax": "hp_max", "MaxHP": "max_hp", "UserID2": "user_id2", "aB": "a_b", "ABc": "a_bc", "ABC": "abc",
		"A1B": "a1_b", "ÄrgerÖl": "ärger_öl",
	} {
		if got := snakeCase(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// A name belongs to one thing; the error says to which, and shows what differs.
func TestNamesThatAreTaken(t *testing.T) {
	w := newWorld(Options{})
	s := must[*Schema](t)(NewSchema(Field{Name: "x", Type: F64, Default: Number(2)}, Field{Name: "y", Type: U8}))
	o := must[*Schema](t)(NewSchema(Field{Name: "x", Type: F32}, Field{Name: "z", Type: U8}))
	must[ComponentID](t)(w.DeclareComponent("C", s))
	must[RelationID](t)(w.DeclareRelation("R"))
	must[TagID](t)(w.DeclareTag("T"))
	must[EventID](t)(w.DeclareEvent("E", s))
	must[ResourceID](t)(w.DeclareResource("S", F64, Number(3)))
	last := func(_ any, err error) error { return err }
	for want, err := range map[string]error{
		"declare component C: declared differently: it is {x f64 = 2, y u8}, not {x f32, z u8}": last(w.DeclareComponent("C", o)),
		"declare component R: declared differently: the name belongs to a relation":             last(w.DeclareComponent("R", relationSchema)),
		"declare relation C: declared differently: the name belongs to a component":             last(w.DeclareRelation("C")),
		"declare component T: declared differently: the name belongs to a tag":                  last(w.DeclareComponent("T", s)),
		"declare relation T: declared differently: the name belongs to a tag":                   last(w.DeclareRelation("T")),
		"declare tag C: declared differently: the name belongs to a component":                  last(w.DeclareTag("C")),
		"declare tag R: declared differently: the name belongs to a relation":                   last(w.DeclareTag("R")),
		"declare event E: declared differently: it is {x f64 = 2, y u8}, not {x f32, z u8}":     last(w.DeclareEvent("E", o)),
		"declare resource S: declared differently: it is {value f64 = 3}, not {value f32}":      last(w.DeclareResource("S", F32, Value{})),
		"declare component: a component needs a name":                                           last(w.DeclareComponent("", s)),
		"declare relation: a relation needs a name":                                             last(w.DeclareRelation("")),
		"declare tag: a tag needs a name":                                                       last(w.DeclareTag("")),
		"declare event: an event needs a name":                                                  last(w.DeclareEvent("", s)),
		"declare resource: a resource needs a name":                                             last(w.DeclareResource("", F64, Value{})),
		"register component C: it":                                                              last(Register[hitEvent](w, "C")),
	} {
		if want == "register component C: it" {
			want = fmt.Sprintf("declare component C: declared differently: it is laid out as {x f64, y u8} (%d bytes), ecs.hitEvent as {target entity, amount f64} (16 bytes)", s.Size())
		}
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	for name, err := range map[string]error{
		"C": last(w.DeclareComponent("C", s)), "R": last(w.DeclareRelation("R")), "T": last(w.DeclareTag("T")), "E": last(w.DeclareEvent("E", s)),
		"S": last(w.DeclareResource("S", F64, Number(3))),
	} {
		if err != nil {
			t.Errorf("%s again: %v", name, err)
		}
	}
	if got := fmt.Sprint(w.ComponentNames(), w.RelationNames(), w.TagNames(), w.EventNames(), w.ResourceNames()); got != "[C R] [R] [T] [E] [S]" {
		t.Error(got)
	}
}

// Which fields of another declaration agree.
func TestSameFields(t *testing.T) {
	schema := func(fields ...Field) *Schema { return must[*Schema](t)(NewSchema(fields...)) }
	x, y := Field{Name: "x", Type: F64}, Field{Name: "y", Type: F64}
	x2, x0, xu := Field{Name: "x", Type: F64, Default: Number(2)}, Field{Name: "x", Type: F64, Default: Number(0)}, Field{Name: "x", Type: U64}
	for _, c := range []struct {
		a, b         *Schema
		same, layout bool
	}{
		{schema(), schema(), true, true},
		{schema(x), schema(x), true, true},
		{schema(x, y), schema(y, x), true, false},
		{schema(x), schema(y), false, false},
		{schema(x), schema(x, y), false, false},
		{schema(x, y), schema(x), false, false},
		{schema(x), schema(xu), false, false},
		{schema(), schema(x), false, false},
		{schema(x2), schema(x), true, true},
		{schema(x), schema(x2), false, true},
		{schema(x2), schema(x2), true, true},
		{schema(x), schema(x0), true, true},
		{schema(x2), schema(x0), false, true},
		{schema(Field{Name: "a", Type: U8}, Field{Name: "b", Type: U8}, Field{Name: "c", Type: U16}), schema(Field{Name: "a", Type: U8}, Field{Name: "c", Type: U16}), false, false},
	} {
		if got := c.a.sameFields(c.b); got != c.same {
			t.Errorf("%s and %s, fields: %v", c.a.describe(), c.b.describe(), got)
		}
		if got := c.a.sameLayout(c.b); got != c.layout {
			t.Errorf("%s and %s, layout: %v", c.a, c.b, got)
		}
	}
}

func TestTextOfErrors(t *testing.T) {
	cause := errors.New("why")
	for want, err := range map[string]error{
		"do: why": fail("do", None, "", cause), "do C: why": fail("do", None, "C", cause), "do 3v2: why": fail("do", makeEntity(3, 2), "", cause),
		"do C on 3v2: why": fail("do", makeEntity(3, 2), "C", cause), `tag "t" is not declared`: unknown("tag", "t"),
	} {
		if err.Error() != want {
			t.Errorf("got %s, want %s", err, want)
		}
	}
	w := newWorld(Options{})
	ids := letters(t, w, "A", "B", "C")
	if got := w.list(ids) + w.list(ids[:1]) + w.list(nil); got != "A, B, CA" {
		t.Error(got)
	}
}
