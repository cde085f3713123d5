package ecs

import (
	"fmt"
	"sync"
	"testing"
)

// leastWorld is storage written by hand over plain slices: one table of two components, which no operation has to find. What it does is what no
// operation with these promises can leave out: the same bytes in the same places, handles and stamps included, and no checks.
type leastWorld struct {
	slots    []slot
	free     []uint32
	entities []Entity
	a        []benchA
	b        []benchB
	blocks   [2][]blockStamp
	entries  []tagEntry
	tagged   []Entity
}

func newLeastWorld(n int) *leastWorld {
	w := &leastWorld{
		slots: make([]slot, n), free: make([]uint32, 0, n), entities: make([]Entity, 0, n), a: filled[benchA](n), b: filled[benchB](n),
		entries: make([]tagEntry, n), tagged: make([]Entity, 0, n),
	}
	for i := range w.blocks {
		w.blocks[i] = make([]blockStamp, (n+blockRows-1)>>blockShift)
	}
	for i := range n {
		w.slots[i].meta = 1 | slotFree
		w.free = append(w.free, uint32(i))
	}
	return w
}

func (w *leastWorld) spawn(n int, now uint32) {
	for i := range n {
		index := w.free[len(w.free)-1]
		w.free = w.free[:len(w.free)-1]
		row, generation := len(w.entities), w.slots[index].meta&generationMask
		w.slots[index] = slot{meta: generation, table: 1, row: uint32(row)}
		w.entities = append(w.entities, makeEntity(index, generation))
		w.a[row], w.b[row] = benchA{float64(i), 1}, benchB{2, 3}
		for c := range w.blocks {
			if b := &w.blocks[c][row>>blockShift]; !b.allNow(now) {
				b.begin(rowStamp{now, now})
			}
		}
	}
}

func (w *leastWorld) spawnMany(n int) {
	w.entities = w.entities[:n]
	from := len(w.free) - n
	for i, index := range w.free[from:] {
		generation := w.slots[index].meta & generationMask
		w.slots[index] = slot{meta: generation, table: 1, row: uint32(i)}
		w.entities[i] = makeEntity(index, generation)
	}
	w.free = w.free[:from]
	a, b := w.a[:n], w.b[:n]
	clear(a)
	clear(b)
	for i := range a {
		a[i], b[i] = benchA{float64(i), 1}, benchB{2, 3}
	}
}

func (w *leastWorld) end(e Entity) *slot {
	sl := &w.slots[uint32(e)]
	sl.meta, sl.table = (sl.meta&generationMask+1)|slotFree, noTable
	w.free = append(w.free, uint32(e))
	return sl
}

func (w *leastWorld) despawn(es []Entity) {
	for _, e := range es {
		row, last := w.end(e).row, len(w.entities)-1
		moved := w.entities[last]
		w.entities[row], w.a[row], w.b[row] = moved, w.a[last], w.b[last]
		for c := range w.blocks {
			if a, b := &w.blocks[c][row>>blockShift], &w.blocks[c][last>>blockShift]; a.changedAll != b.changedAll || a.addedAll != b.addedAll {
				panic("the rows were not made together")
			}
		}
		w.slots[uint32(moved)].row = row
		w.entities = w.entities[:last]
	}
}

func (w *leastWorld) despawnAll() {
	for _, e := range w.entities {
		w.end(e)
	}
	w.entities = w.entities[:0]
}

func (w *leastWorld) set(es []Entity, now uint32) {
	for _, e := range es {
		row := w.slots[uint32(e)].row
		w.a[row] = benchA{1, 2}
		w.blocks[0][row>>blockShift].newestRows |= 1 << (row & (blockRows - 1))
	}
}

func (w *leastWorld) tagAndUntag(es []Entity) {
	for _, e := range es {
		w.slots[uint32(e)].meta |= slotTagged
		w.entries[uint32(e)] = tagEntry{generation: e.Generation(), place: uint32(len(w.tagged))}
		w.tagged = append(w.tagged, e)
	}
	for _, e := range es {
		entry, n := &w.entries[uint32(e)], len(w.tagged)-1
		entry.generation = untagged
		last := w.tagged[n]
		w.tagged[entry.place], w.entries[uint32(last)].place = last, entry.place
		w.tagged = w.tagged[:n]
	}
}

func (w *leastWorld) countTagged(es []Entity) (found int) {
	for _, e := range es {
		if w.entries[uint32(e)].generation == uint32(e>>32) {
			found++
		}
	}
	return found
}

// BenchmarkLeast is what the table of docs/benchmarks.md shows as the floor of operations whose mark is in nanoseconds.
func BenchmarkLeast(b *testing.B) {
	const n = 10_000
	w := newLeastWorld(n)
	benchPaused(b, "spawn", n, w.despawnAll, func() { w.spawn(n, 1) })
	benchPaused(b, "spawn many", n, w.despawnAll, func() { w.spawnMany(n) })
	w.spawnMany(n)
	var es []Entity
	again := func() {
		w.despawnAll()
		w.spawn(n, 1)
		es = append(es[:0], w.entities...)
	}
	again()
	benchPaused(b, "despawn", n, again, func() { w.despawn(es) })
	benchPaused(b, "despawn all", n, again, w.despawnAll)
	again()
	es = shuffled(es)
	bench(b, "set", n, func() { w.set(es, 2) })
	bench(b, "tag and untag", 2*n, func() { w.tagAndUntag(es) })
	for i := range w.entries {
		w.entries[i] = tagEntry{generation: w.slots[i].meta & generationMask}
		if i%2 == 0 {
			w.entries[i].generation = untagged
		}
	}
	found := 0
	bench(b, "has tag", n, func() { found += w.countTagged(es) })
}

// BenchmarkLeastWalk: the loop over two slices once more, which shows how far two measurements of one thing lie apart, and one
// over many small slices.
func BenchmarkLeastWalk(b *testing.B) {
	for _, size := range []struct {
		name string
		n    int
	}{{"1k", 1_000}, {"10k", 10_000}, {"100k", 100_000}, {"1M", 1_000_000}} {
		p, v := filled[benchA](size.n), filled[benchB](size.n)
		bench(b, size.name+"/slices again", size.n, func() { moveSlices(p, v) })
	}
	for _, size := range []struct{ pieces, n int }{{32, 1_000}, {1024, 10_000}} {
		p, v := make([][]benchA, size.pieces), make([][]benchB, size.pieces)
		for i := range p {
			rows := size.n / size.pieces
			if i < size.n%size.pieces {
				rows++
			}
			p[i], v[i] = filled[benchA](rows), filled[benchB](rows)
		}
		bench(b, fmt.Sprintf("%d slices", size.pieces), size.n, func() {
			for i := range p {
				moveSlices(p[i], v[i])
			}
		})
	}
	five := 100_000
	p, v, c, d, e := filled[benchA](five), filled[benchB](five), filled[benchC](five), filled[benchD](five), filled[benchE](five)
	bench(b, "100k/five slices again", five, func() { moveFive(p, v, c, d, e) })
}

// BenchmarkLeastCores is heavy work on plain slices, on one core and cut in two for two goroutines.
func BenchmarkLeastCores(b *testing.B) {
	const n = 100_000
	plain := make([]benchA, n)
	bench(b, "one", n, func() { heavy(plain) })
	bench(b, "two", n, func() {
		var both sync.WaitGroup
		both.Go(func() { heavy(plain[:n/2]) })
		heavy(plain[n/2:])
		both.Wait()
	})
}
