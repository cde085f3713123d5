package ecs

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

// Each part of a world that counts changes the digest, and what does not count leaves it.
func TestWhatTheDigestDependsOn(t *testing.T) {
	type parts struct {
		w          *World
		ids        []ComponentID
		text, tab  ComponentID
		likes      RelationID
		tags       []TagID
		a, b, c, d Entity
		hit        Event[hitEvent]
	}
	build := func() *parts {
		w := newWorld(Options{Seed: 3})
		p := &parts{w: w, ids: letters(t, w, "A", "B")}
		p.text = must[ComponentID](t)(w.DeclareComponent("Text", must[*Schema](t)(NewSchema(Field{Name: "s", Type: String}))))
		p.tab = must[ComponentID](t)(w.DeclareComponent("Tab", must[*Schema](t)(NewSchema(Field{Name: "t", Type: TableField}))))
		p.likes = must[RelationID](t)(w.DeclareRelation("Likes"))
		p.tags = []TagID{must[TagID](t)(w.DeclareTag("x")), must[TagID](t)(w.DeclareTag("y"))}
		p.hit = hits(t, w)
		must[ResourceID](t)(w.DeclareResource("score", F64, Number(4)))
		p.a, p.b = must[Entity](t)(w.Spawn(p.ids[0], p.text, p.tab)), must[Entity](t)(w.Spawn(p.ids[0], p.text, p.tab))
		p.c, p.d = must[Entity](t)(w.Spawn()), must[Entity](t)(w.Spawn())
		w.Stream("ai")
		return p
	}
	table := func(v Value) FieldValue {
		d := must[*Data](t)(NewData([]DataEntry{{Text("k"), v}}))
		return FieldValue{0, TableOf(must[*Data](t)(NewData([]DataEntry{{Number(1), TableOf(d)}})))}
	}
	likes := func(p *parts, first, second Entity) {
		must[bool](t)(p.w.Relate(first, p.likes, p.c))
		must[bool](t)(p.w.Relate(second, p.likes, p.c))
	}
	seen := map[Digest]string{build().w.Digest(): "nothing"}
	for name, change := range map[string]func(p *parts){
		"a number":               func(p *parts) { must[bool](t)(p.w.Set(p.a, p.ids[0], FieldValue{0, Number(7)})) },
		"the number of another":  func(p *parts) { must[bool](t)(p.w.Set(p.b, p.ids[0], FieldValue{0, Number(7)})) },
		"a text":                 func(p *parts) { must[bool](t)(p.w.Set(p.a, p.text, FieldValue{0, Text("7")})) },
		"a boolean in a table":   func(p *parts) { must[bool](t)(p.w.Set(p.a, p.tab, table(Boolean(true)))) },
		"another boolean":        func(p *parts) { must[bool](t)(p.w.Set(p.a, p.tab, table(Boolean(false)))) },
		"a text in a table":      func(p *parts) { must[bool](t)(p.w.Set(p.a, p.tab, table(Text("true")))) },
		"a number in a table":    func(p *parts) { must[bool](t)(p.w.Set(p.a, p.tab, table(Number(1)))) },
		"an entity in a table":   func(p *parts) { must[bool](t)(p.w.Set(p.a, p.tab, table(EntityOf(p.a)))) },
		"a table in a table":     func(p *parts) { must[bool](t)(p.w.Set(p.a, p.tab, table(TableOf(nil)))) },
		"a component more":       func(p *parts) { must[bool](t)(p.w.Add(p.a, p.ids[1])) },
		"a tag":                  func(p *parts) { p.w.Tag(p.a, p.tags[0]) },
		"another tag":            func(p *parts) { p.w.Tag(p.a, p.tags[1]) },
		"the tag of another":     func(p *parts) { p.w.Tag(p.b, p.tags[0]) },
		"a tag of two":           func(p *parts) { p.w.Tag(p.a, p.tags[0]); p.w.Tag(p.b, p.tags[0]) },
		"the order of a tag":     func(p *parts) { p.w.Tag(p.b, p.tags[0]); p.w.Tag(p.a, p.tags[0]) },
		"a dead entity":          func(p *parts) { must[bool](t)(p.w.Despawn(p.d)) },
		"another dead entity":    func(p *parts) { must[bool](t)(p.w.Despawn(p.c)) },
		"two dead":               func(p *parts) { must[bool](t)(p.w.Despawn(p.c)); must[bool](t)(p.w.Despawn(p.d)) },
		"the order of the free":  func(p *parts) { must[bool](t)(p.w.Despawn(p.d)); must[bool](t)(p.w.Despawn(p.c)) },
		"a relation":             func(p *parts) { must[bool](t)(p.w.Relate(p.a, p.likes, p.c)) },
		"another target":         func(p *parts) { must[bool](t)(p.w.Relate(p.a, p.likes, p.d)) },
		"two sources":            func(p *parts) { likes(p, p.a, p.b) },
		"the order of sources":   func(p *parts) { likes(p, p.a, p.b); likes(p, p.a, p.a) },
		"an event":               func(p *parts) { p.hit.Send(hitEvent{Amount: 1}) },
		"another event":          func(p *parts) { p.hit.Send(hitEvent{Amount: 2}) },
		"an event of last frame": func(p *parts) { p.hit.Send(hitEvent{Amount: 3}); p.w.EndFrame() },
		"a resource":             func(p *parts) { ok(t, p.w.Resource(0).Set(0, Number(5))) },
		"a stream that went on":  func(p *parts) { p.w.Stream("ai").Float64() },
		"another stream":         func(p *parts) { p.w.Stream("other") },
		"a living entity":        func(p *parts) { must[Entity](t)(p.w.Spawn()) },
	} {
		p := build()
		change(p)
		d := p.w.Digest()
		if other, twice := seen[d]; twice {
			t.Errorf("%s gives the digest of %s", name, other)
		}
		seen[d] = name
	}
	for name, change := range map[string]func(p *parts){
		"a stamp":                     func(p *parts) { w := p.w; w.advanceTick(); w.tables[1].columns[0].Stamp(0) },
		"time":                        func(p *parts) { p.w.BeginFrame(1); p.w.EndFrame() },
		"an event that is gone":       func(p *parts) { p.hit.Send(hitEvent{}); p.w.EndFrame(); p.w.EndFrame() },
		"one that a reader still has": func(p *parts) { p.w.EventReader(p.hit.ID()); p.hit.Send(hitEvent{}); p.w.EndFrame(); p.w.EndFrame() },
		"an unused relation":          func(p *parts) { must[RelationID](t)(p.w.DeclareRelation("Unused")) },
		"an empty table":              func(p *parts) { must[*Bundle](t)(p.w.Bundle(p.ids...)) },
	} {
		p := build()
		change(p)
		if other := seen[p.w.Digest()]; other != "nothing" {
			t.Errorf("%s changes the digest (%s)", name, other)
		}
	}
}

// Go's integers of the machine's size are fields like the others.
func TestGoIntegers(t *testing.T) {
	s := must[*Schema](t)(SchemaOf[struct {
		I int
		U uint
		P uintptr
		E Entity
	}]())
	want := "{i i64, u u64, p u64, e entity}"
	if unsafe.Sizeof(0) == 4 {
		want = "{i i32, u u32, p u32, e entity}"
	}
	if s.String() != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// Skip, Unread and AppendRow of events with strings, which are cleared when they are drained.
func TestEventsOneByOne(t *testing.T) {
	w := newWorld(Options{})
	id := must[EventID](t)(w.DeclareEvent("Said", must[*Schema](t)(NewSchema(Field{Name: "s", Type: String}))))
	r := w.EventReader(id)
	for i := range 20 {
		ok(t, w.Send(id, FieldValue{0, Text(fmt.Sprint(i))}))
	}
	Raw.AppendRow(w, id, w.Peek(id).Row(3).ptr)
	r.Skip(18)
	unread := r.Unread()
	var got []string
	for i := range unread.Len() {
		got = append(got, unread.Row(i).Get(0).Str())
	}
	if !slices.Equal(got, []string{"18", "19", "3"}) || r.Len() != 3 {
		t.Errorf("unread %v, %d", got, r.Len())
	}
	if row, more := r.Next(); !more || row.Get(0).Str() != "18" {
		t.Error("not the next")
	}
	l := w.events[id]
	d := w.Drain(id)
	if d.Len() != 21 || d.Row(0).Get(0).Str() != "0" || d.Row(20).Get(0).Str() != "3" || r.Len() != 0 {
		t.Errorf("%d drained", d.Len())
	}
	for i := range 21 {
		if s := (Row{schema: l.schema, ptr: l.at(i)}).Get(0).Str(); s != "" {
			t.Errorf("row %d still holds %q", i, s)
		}
	}
	if held, sent := w.EventCount(id); held != 0 || sent != 21 {
		t.Errorf("%d held of %d", held, sent)
	}
	check(t, w)
}

// Whole numbers from streams are even in ranges where the generator's range is no multiple, too.
func TestNumbersBelowALargeBound(t *testing.T) {
	w := newWorld(Options{Seed: 2})
	r := w.Stream("below")
	const n = 3 << 62 // a quarter of all draws is refused
	parts := [3]int{}
	before := Raw.RandomState(r)
	for range 3000 {
		v := r.below(n)
		if v >= n {
			t.Fatalf("%d is not below", v)
		}
		parts[v>>62]++
	}
	for _, p := range parts {
		if p < 900 || p > 1100 {
			t.Errorf("thirds %v", parts)
		}
	}
	end, draws := Raw.RandomState(r), 0
	for Raw.PutBackRandom(r, before); Raw.RandomState(r) != end; draws++ {
		r.at.next()
	}
	if draws < 3900 || draws > 4100 {
		t.Errorf("%d draws", draws)
	}
}
