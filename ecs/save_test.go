package ecs

import (
	"bytes"
	"testing"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// saved returns a world as a file.
func saved(t testing.TB, w *World) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := w.Save(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// savedSchedule returns a schedule with its world as a file.
func savedSchedule(t testing.TB, s *Schedule) []byte {
	t.Helper()
	var out bytes.Buffer
	f := snapfile.NewWriter(&out)
	if err := s.SaveSections(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// loadedSchedule reads a file of savedSchedule.
func loadedSchedule(t testing.TB, file []byte, o Options) *Schedule {
	t.Helper()
	f, err := snapfile.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	s, err := LoadSchedule(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// hideUnseen clears what a file leaves out, because no operation can see it: stamps that the stamps of their block
// hide, rows and blocks that are not used, generations in the empty entries of tags, scratch memory of grids.
func hideUnseen(w *World) {
	for _, t := range w.tables {
		for i := range t.columns {
			c := &t.columns[i]
			for at := range c.blocks {
				b, used := c.blocks[at].visible(), max(0, min(blockRows, t.Len()-at<<blockShift))
				if used == 0 {
					b = blockStamp{}
				}
				single := c.singles(&c.blocks[at])
				for i := range single {
					s := c.blocks[at].of(i)
					if b.changedNewest == 0 || i >= used {
						s.changed = 0
					}
					if b.addedNewest == 0 || i >= used {
						s.added = 0
					}
					single[i] = s
				}
				c.blocks[at].summarize(&b)
				c.shed(at)
			}
		}
	}
	for _, s := range w.tags {
		for _, entry := range s.sparse.all {
			if entry.generation == untagged {
				entry.place = 0
			}
		}
	}
	for _, g := range w.grids {
		g.sorted = g.sorted[:0]
		if g.carry.what == carryNothing {
			g.cells = g.cells[:0]
		}
	}
}

// TestEveryFieldOfTheStateIsSaved is TestEveryFieldOfTheStateIsCopied for a file: what is state there is saved and
// loaded.
func TestEveryFieldOfTheStateIsSaved(t *testing.T) {
	for _, o := range []Options{{Seed: 3, MaxEntities: 5000, MaxBytes: 1 << 30}, {Seed: 3, MaxEntities: 5000, MaxBytes: 1 << 30, Memory: &countingMemory{}}} {
		s := fullSimulation(t, o)
		file := savedSchedule(t, s)
		loaded := loadedSchedule(t, file, Options{Memory: o.Memory})
		if got := savedSchedule(t, loaded); !bytes.Equal(got, file) {
			t.Errorf("the loaded schedule gives another file: %d and %d bytes", len(got), len(file))
		}
		hideUnseen(s.world)
		compare := func(what string, a, b *Schedule) {
			t.Helper()
			c := newStateComparison()
			c.schedules(a, b)
			c.report(t, what)
			check(t, a.world)
			if err := wholeMemory(a.world); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if a.world.Digest() != b.world.Digest() {
				t.Errorf("%s: the digests differ", what)
			}
		}
		compare("loaded", loaded, s)
		other := newSimulation(t, newWorld(Options{Seed: 77, Memory: o.Memory}))
		run(t, other, 20)
		ok(t, other.Restore(loaded))
		compare("restored from a file", other, s)
		run(t, s, 30)
		run(t, other, 30)
		if s.world.Digest() != other.world.Digest() {
			t.Error("the loaded simulation goes another way")
		}
		again := loadedSchedule(t, savedSchedule(t, other), Options{})
		if again.world.Digest() != s.world.Digest() {
			t.Error("saved again, it is another world")
		}
	}
}

// TestALoadedWorldIsWhole compares a household that was saved and loaded, and lets it go on.
func TestALoadedWorldIsWhole(t *testing.T) {
	h := newHousehold(t)
	before := dump(h.World)
	file := saved(t, h.World)
	w := must[*World](t)(Load(bytes.NewReader(file), Options{}))
	sameDump(t, "the loaded world", dump(w), before)
	check(t, w)
	if !bytes.Equal(saved(t, w), file) {
		t.Error("the loaded world gives another file")
	}
	if reason, stopped := w.Stopped(); reason != "it is late" || !stopped {
		t.Errorf("the loaded world is stopped: %v, %q", stopped, reason)
	}
	h.goOn(t, w)
	h.goOn(t, h.World)
	sameDump(t, "the loaded world later", dump(w), dump(h.World))
}
