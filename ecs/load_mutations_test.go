package ecs

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// A million: go test ./ecs -run TestMutatedFiles -load.mutations 1000000, or TEST_EFFORT=full; in pieces with -load.seed.
var (
	loadMutations = flag.Int("load.mutations", 0, "files with changes that TestMutatedFilesAreErrorsOrWorlds loads; 0: as package effort says")
	loadSeed      = flag.Uint64("load.seed", 5, "what these changes are drawn with")
)

// mostToLoad is how many bytes loading a small file, and trying what was loaded, may allocate, whatever is in it.
const mostToLoad = 64 << 20

// A trial loads files and tries what they hold. It uses its memory again.
type trial struct {
	t       *testing.T
	sample  []metrics.Sample
	in      bytes.Reader
	out     [2]bytes.Buffer
	numbers []Entity
}

func newTrial(t *testing.T) *trial {
	return &trial{t: t, sample: []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}}
}

// allocated returns how many bytes the process has allocated so far.
func (r *trial) allocated() uint64 {
	metrics.Read(r.sample)
	return r.sample[0].Value.Uint64()
}

// load loads a file. It returns nil for a damaged one.
func (r *trial) load(file []byte) *Schedule {
	r.in.Reset(file)
	f, err := snapfile.Read(&r.in)
	var s *Schedule
	if err == nil {
		s, err = LoadSchedule(f, Options{})
	}
	if err == nil {
		return s
	}
	if !strings.Contains(err.Error(), "damaged snapshot") && !strings.Contains(err.Error(), "a later program has written this snapshot") {
		r.t.Errorf("an error that does not say where the file is damaged: %v", err)
	}
	return nil
}

// save returns the file of a schedule. It is valid until the next call for the same buffer.
func (r *trial) save(s *Schedule, to int) []byte {
	out := &r.out[to]
	out.Reset()
	f := snapfile.NewWriter(out)
	ok(r.t, s.SaveSections(f))
	ok(r.t, f.Close())
	return out.Bytes()
}

// world tries what was loaded: it is in order, it is saved and loaded as an equal world, and every operation on every entity works.
func (r *trial) world(s *Schedule) {
	w := s.world
	check(r.t, w)
	digest := w.Digest()
	file := r.save(s, 0)
	if again := r.load(file); again == nil || again.world.Digest() != digest {
		r.t.Error("what was loaded is not what is loaded after it was saved")
	} else if !bytes.Equal(r.save(again, 1), file) {
		r.t.Error("what was loaded is saved otherwise after it was saved and loaded")
	}
	if len(w.slots.all) >= 1000 {
		return
	}
	w.options.MaxBytes = 1 << 22
	w.Commands().Apply()
	w.BeginFrame(0.1)
	r.numbers = w.slots.list(r.numbers[:0])
	for _, e := range r.numbers {
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
		for _, reader := range sys.readers {
			if reader != nil {
				reader.Read()
			}
		}
	}
	w.EndFrame()
	check(r.t, w)
	r.numbers = w.slots.list(r.numbers[:0])
	for _, e := range r.numbers {
		w.Despawn(e)
	}
	check(r.t, w)
}

// list appends the living entities.
func (s *slots) list(to []Entity) []Entity {
	for i, sl := range s.all {
		if sl.meta&slotFree == 0 {
			to = append(to, makeEntity(uint32(i), sl.meta&generationMask))
		}
	}
	return to
}

// A file that was changed is an error, the same world, or, if its checksums are right, a world that works and is saved as it was loaded; never a panic, and
// never much memory.
func TestMutatedFilesAreErrorsOrWorlds(t *testing.T) {
	n := *loadMutations
	if n == 0 {
		n = 9_000
		if effort.Full() {
			n = 1_000_000
		} else {
			n = effort.Of(n)
		}
	}
	files := [][]byte{smallFile(t)}
	for seed := range *loadSeed {
		file, _ := savedRun(t, seed, 6)
		files = append(files, file)
	}
	var damagers []*damager
	var digests []Digest
	for i, file := range files {
		damagers = append(damagers, newDamager(t, file, rand.New(rand.NewPCG(*loadSeed, 6+uint64(i)))))
		digests = append(digests, must[*Schedule](t)(load(file)).world.Digest())
	}
	try := newTrial(t)
	begin := time.Now()
	loaded, same, most := 0, 0, uint64(0)
	var mostFor damage
	one := func(i int, damaged []byte, what damage) {
		defer func() {
			if p := recover(); p != nil {
				t.Fatalf("mutation %d, of %s: panic: %v\n%s", i, what.what, p, debug.Stack())
			}
		}()
		before := try.allocated()
		switch s := try.load(damaged); {
		case s == nil:
		case !what.mended:
			if s.world.Digest() != digests[i%len(digests)] {
				t.Error("the checksums have not noticed that the file says something else")
			}
			same++
		default:
			try.world(s)
			loaded++
		}
		if used := try.allocated() - before; used > most {
			most, mostFor = used, what
		}
	}
	for i := range n {
		damaged, what := damagers[i%len(damagers)].next()
		if one(i, damaged, what); t.Failed() {
			t.Fatalf("mutation %d, of %s", i, what.what)
		}
	}
	if most > mostToLoad {
		t.Errorf("a file of a few kilobytes, changed in %s, made a load allocate %d bytes", mostFor.what, most)
	}
	t.Logf("%d files in %.0f s: %d with right checksums were loaded, %d were still the same world, the others were errors; at most %d KiB were allocated for one (%s)",
		n, time.Since(begin).Seconds(), loaded, same, most>>10, mostFor.what)
}

func FuzzLoad(f *testing.F) {
	d := newDamager(f, smallFile(f), nil)
	for i, content := range d.content {
		f.Add(uint8(i), content)
	}
	f.Fuzz(func(t *testing.T, section uint8, content []byte) {
		try := newTrial(t)
		if s := try.load(d.withContent(int(section)%len(d.names), content)); s != nil {
			try.world(s)
		}
	})
}
