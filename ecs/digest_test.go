package ecs

import "testing"

// TestDigestOfAKnownWorld holds the digest of one small world that has something of every kind. It was written down once: a change of it makes every recorded
// digest worthless, so it needs a reason that the CHANGELOG names.
func TestDigestOfAKnownWorld(t *testing.T) {
	w := newWorld(Options{Seed: 3})
	var fields []Field
	for i, kind := range []FieldType{F64, F32, I32, U32, I16, U16, I8, U8, Bool, EntityField, String, TableField, I64, U64} {
		fields = append(fields, Field{Name: string(rune('a' + i)), Type: kind})
	}
	all := must[ComponentID](t)(w.DeclareComponent("All", must[*Schema](t)(NewSchema(fields...))))
	mark := must[ComponentID](t)(w.DeclareComponent("Mark", must[*Schema](t)(NewSchema())))
	tag := must[TagID](t)(w.DeclareTag("selected"))
	must[TagID](t)(w.DeclareTag("unused"))
	hit := hits(t, w)
	must[ResourceID](t)(w.DeclareResource("score", F64, Number(4)))
	likes := must[RelationID](t)(w.DeclareRelation("Likes"))
	data := must[*Data](t)(NewData([]DataEntry{{Number(1), Text("one")}, {Text("k"), Boolean(true)}, {Number(2), Number(2)}}))

	a, b := must[Entity](t)(w.Spawn(all)), must[Entity](t)(w.Spawn(all, mark))
	c, d := must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn(mark))
	must[bool](t)(w.Set(a, all, FieldValue{0, Number(1.5)}, FieldValue{1, Number(2.5)}, FieldValue{2, Number(-3)}, FieldValue{3, Number(4)},
		FieldValue{4, Number(-5)}, FieldValue{5, Number(6)}, FieldValue{6, Number(-7)}, FieldValue{7, Number(8)}, FieldValue{8, Boolean(true)},
		FieldValue{9, EntityOf(b)}, FieldValue{10, Text("text")}, FieldValue{11, TableOf(data)}))
	w.Tag(b, tag)
	w.Tag(a, tag)
	must[bool](t)(w.Relate(b, likes, a))
	must[bool](t)(w.Relate(d, likes, a))
	hit.Send(hitEvent{Target: a, Amount: 5})
	w.Stream("ai").Float64()
	must[bool](t)(w.Despawn(c))
	if got, want := w.Digest().String(), goldenDigest; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

const goldenDigest = "192c0895b03764a0029bf412bb1d98f2"
