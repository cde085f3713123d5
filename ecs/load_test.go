package ecs

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// A million: go test ./ecs -run TestMutatedFiles -load.mutations 1000000, or TEST_EFFORT=full.
var loadMutations = flag.Int("load.mutations", 0, "files with changes that TestMutatedFilesAreErrorsOrWorlds loads; 0: as package effort says")

// mostToLoad is how many bytes loading a small file may allocate, whatever is in it.
const mostToLoad = 64 << 20

// smallFile is a world with something in each section, as a file.
func smallFile(t testing.TB) []byte {
	t.Helper()
	w := NewWorld(Options{Seed: 1})
	pos := MustRegister[position](w, "Position")
	label := MustRegister[modelLabel](w, "Label")
	info := must[ComponentID](t)(w.DeclareComponent("Info", must[*Schema](t)(NewSchema(Field{Name: "data", Type: TableField}, Field{Name: "on", Type: Bool}))))
	childOf, isA := must[RelationID](t)(w.DeclareRelation(ChildOf)), must[RelationID](t)(w.DeclareRelation(IsA))
	red, blue := must[TagID](t)(w.DeclareTag("red")), must[TagID](t)(w.DeclareTag("blue"))
	hit := hits(t, w)
	score := must[ResourceID](t)(w.DeclareResource("score", I32, Number(3)))
	near := must[*Grid](t)(w.DeclareGrid(GridSpec{Name: "near", Component: pos.ID(), X: "x", Y: "y", Cell: 2, Carry: Carried{Tag: "red"}}))
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
		*pos.Mut(e) = position{float64(i), 1}
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

// withSections returns a file of these sections, with right checksums.
func withSections(names []string, contents [][]byte) []byte {
	var out bytes.Buffer
	f := snapfile.NewWriter(&out)
	for i, name := range names {
		f.Add(name, contents[i])
	}
	f.Close()
	return out.Bytes()
}

// mutated returns a copy of p with a few random changes.
func mutated(rng *rand.Rand, p []byte) []byte {
	p = bytes.Clone(p)
	for range 1 + rng.IntN(3) {
		if len(p) == 0 {
			return append(p, byte(rng.Uint32()))
		}
		at := rng.IntN(len(p))
		switch rng.IntN(8) {
		case 0, 1:
			p[at] ^= 1 << rng.IntN(8)
		case 2:
			p[at] = byte(rng.Uint32())
		case 3:
			p[at] += byte(rng.IntN(3) - 1)
		case 4:
			p = append(p[:at], p[at+1:]...)
		case 5:
			p = append(p[:at], append([]byte{byte(rng.Uint32())}, p[at:]...)...)
		case 6: // a large number
			p = append(p[:at], append(binary.AppendUvarint(nil, rng.Uint64()>>rng.IntN(64)), p[at+1:]...)...)
		default:
			from := rng.IntN(len(p))
			copy(p[at:], p[from:min(len(p), from+1+rng.IntN(8))])
		}
	}
	return p
}

// tryMutated loads a file. What is loaded must work.
func tryMutated(t *testing.T, file []byte) (loaded bool) {
	s, err := load(file)
	if err != nil {
		if !strings.Contains(err.Error(), "damaged snapshot") {
			t.Errorf("an error that does not say where the file is damaged: %v", err)
		}
		return false
	}
	w := s.world
	check(t, w)
	w.Digest()
	var again bytes.Buffer
	ok(t, w.Save(&again))
	if len(w.slots.all) < 1000 { // every operation on every entity
		w.options.MaxBytes = 1 << 22
		w.Commands().Apply()
		w.BeginFrame(0.1)
		for _, e := range append([]Entity{}, w.slots.list()...) {
			for _, c := range w.components {
				w.Ref(e, c.id).Row()
				w.Sources(nil, c.id, e)
			}
			w.TagsOf(e)
		}
		for _, g := range w.grids {
			g.Near(3, 1, 5, func(Entity, float64) bool { return true })
		}
		for _, sys := range s.systems {
			sys.commands.Apply()
			for _, r := range sys.readers {
				if r != nil {
					r.Read()
				}
			}
		}
		w.EndFrame()
		check(t, w)
		for _, e := range w.slots.list() {
			w.Despawn(e)
		}
		check(t, w)
	}
	return true
}

// list returns the living entities.
func (s *slots) list() (list []Entity) {
	for i, sl := range s.all {
		if sl.meta&slotFree == 0 {
			list = append(list, makeEntity(uint32(i), sl.meta&generationMask))
		}
	}
	return list
}

// A file whose checksums are right and whose content was changed is an error or a world that works; never a panic, and
// never much memory.
func TestMutatedFilesAreErrorsOrWorlds(t *testing.T) {
	names, contents := rawSections(t, smallFile(t))
	n, rng := *loadMutations, rand.New(rand.NewPCG(5, 6))
	if n == 0 {
		n = 9_000
		if effort.Full() {
			n = 1_000_000
		} else {
			n = effort.Of(n)
		}
	}
	loaded, most := 0, uint64(0)
	var before, after runtime.MemStats
	for i := range n {
		k := rng.IntN(len(names))
		whole := contents[k]
		contents[k] = mutated(rng, whole)
		file := withSections(names, contents)
		contents[k] = whole
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("mutation %d, of section %s: panic: %v", i, names[k], p)
				}
			}()
			if i%16 == 0 {
				runtime.ReadMemStats(&before)
			}
			if tryMutated(t, file) {
				loaded++
			}
			if i%16 == 0 {
				runtime.ReadMemStats(&after)
				most = max(most, after.TotalAlloc-before.TotalAlloc)
			}
		}()
		if t.Failed() {
			t.Fatalf("mutation %d, of section %s", i, names[k])
		}
	}
	if most > mostToLoad {
		t.Errorf("a file of a few kilobytes made a load allocate %d bytes", most)
	}
	t.Logf("%d of %d files were loaded; at most %d KiB were allocated for one", loaded, n, most>>10)
}

func FuzzLoad(f *testing.F) {
	names, contents := rawSections(f, smallFile(f))
	for i := range names {
		f.Add(uint8(i), contents[i])
	}
	f.Fuzz(func(t *testing.T, section uint8, content []byte) {
		list := append([][]byte{}, contents...)
		list[int(section)%len(list)] = content
		tryMutated(t, withSections(names, list))
	})
}
