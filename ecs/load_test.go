package ecs

import (
	"bytes"
	"testing"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// smallFile is a world with something in each section, as a file.
func smallFile(t testing.TB) []byte {
	t.Helper()
	w := newWorld(Options{Seed: 1})
	pos := MustRegister[position](w, "Position")
	label := MustRegister[modelLabel](w, "Label")
	info := must[ComponentID](t)(w.DeclareComponent("Info", must[*Schema](t)(NewSchema(Field{Name: "data", Type: TableField}, Field{Name: "on", Type: Bool}))))
	childOf, isA := must[RelationID](t)(w.DeclareRelation(ChildOf)), must[RelationID](t)(w.DeclareRelation(IsA))
	red, blue := must[TagID](t)(w.DeclareTag("red")), must[TagID](t)(w.DeclareTag("blue"))
	must[StateID](t)(w.DeclareState(StateSpec{Name: "game", Values: []string{"menu", "over"}}))
	w.states[0].asked, w.states[0].entered = 2, true
	hit := hits(t, w)
	score := must[ResourceID](t)(w.DeclareResource("score", I32, Number(3)))
	near := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 2, Carry: Carried{Tag: "red"}}))
	among := must[*Query](t)(w.Query(Filter{Required: []ComponentID{label.ID()}, Without: []ComponentID{info}, Untagged: []TagID{blue}, Inherited: true}))
	must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "among", Component: pos.ID(), X: "x", Y: "y", Query: among}))
	w.TrackRemoved(label.ID())
	s := NewSchedule(w).Add("reader", func(w *World, _ float64) error {
		w.Removed(nil, label.ID())
		w.ReaderOf(hit.ID()).Next()
		w.Random().Float64()
		return near.Ready()
	})
	data := must[*Data](t)(NewData([]DataEntry{{Number(1), Text("one")}, {Text("on"), Boolean(true)}}))
	var es []Entity
	for i := range 20 {
		e := must[Entity](t)(w.Spawn(pos.ID()))
		*pos.Write(e) = position{float64(i), 1}
		es = append(es, e)
		switch i % 4 {
		case 0:
			must[bool](t)(label.Set(e, modelLabel{"label", float64(i)}))
			w.Tag(e, red)
		case 1:
			must[bool](t)(w.Set(e, info, FieldValue{0, TableOf(data)}, FieldValue{1, Boolean(true)}))
			w.Tag(e, blue)
		case 2:
			must[bool](t)(w.Relate(e, childOf, es[0]))
		default:
			must[bool](t)(w.Relate(e, isA, es[1]))
		}
		hit.Send(hitEvent{e, 1})
	}
	r := w.components[childOf].relation
	r.forest = w.buildForest(r)
	must[bool](t)(w.Despawn(es[5]))
	must[bool](t)(w.Remove(es[8], label.ID()))
	ok(t, s.Run(0.1))
	ok(t, w.Resource(score).Set(0, Number(8)))
	q := w.Commands()
	child := must[Entity](t)(q.SpawnRelated([]Target{{childOf, es[0]}}, pos.ID()))
	pos.QueueSet(q, child, position{1, 2})
	ok(t, q.Set(es[0], info, FieldValue{0, TableOf(data)}))
	ok(t, q.Add(es[2], label.ID(), info))
	ok(t, q.Relate(es[3], childOf, es[1]))
	ok(t, q.Send(hit.ID(), FieldValue{1, Number(3)}))
	q.Tag(es[4], blue)
	check(t, w)
	file := savedSchedule(t, s)
	if loaded, err := load(file); err != nil || loaded.world.Digest() != w.Digest() {
		t.Fatal("the whole file: ", err)
	}
	return file
}

// load reads a file of savedSchedule.
func load(file []byte) (*Schedule, error) {
	f, err := snapfile.Read(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return LoadSchedule(f, Options{})
}

func TestEveryFlippedBitOfAFileIsAnError(t *testing.T) {
	file := smallFile(t)
	for i := range file {
		for bit := range 8 {
			file[i] ^= 1 << bit
			if s, err := load(file); err == nil {
				t.Errorf("byte %d, bit %d: a world with the digest %s", i, bit, s.world.Digest())
			}
			file[i] ^= 1 << bit
		}
	}
	for n := range file {
		if _, err := load(file[:n]); err == nil {
			t.Errorf("cut after %d bytes: no error", n)
		}
	}
}

// rawSections returns the decoded sections of a file.
func rawSections(t testing.TB, file []byte) (names []string, contents [][]byte) {
	t.Helper()
	f, err := snapfile.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Sections() {
		b, err := f.Bytes(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		names, contents = append(names, s.Name), append(contents, b)
	}
	return names, contents
}

// A loaded world has all limits of the saved one, unless others are given.
func TestLoadedWorldsKeepTheirLimits(t *testing.T) {
	w := newWorld(Options{Seed: 1, MaxEntities: 9, MaxBytes: 1 << 20, MaxEvents: 7, MaxTags: 5})
	file := saved(t, w)
	for given, want := range map[Options]Options{
		{}: w.Options(),
		{MaxEntities: 8, MaxBytes: 1 << 21, MaxEvents: 6, MaxTags: 4}: {Seed: 1, MaxEntities: 8, MaxBytes: 1 << 21, MaxEvents: 6, MaxTags: 4},
	} {
		loaded, err := Load(bytes.NewReader(file), given)
		ok(t, err)
		if got := loaded.Options(); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
