package ecs

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var sink float64

// shuffled returns the entities in an order that no cache can guess.
func shuffled[T any](list []T) []T {
	out := append([]T(nil), list...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// BenchmarkPace is what the machine does with plain slices: marks in nanoseconds hold where it takes what it took when they were set.
func BenchmarkPace(b *testing.B) {
	const n = 10_000
	p, v := filled[benchA](n), filled[benchB](n)
	bench(b, "loop", n, func() { moveSlices(p, v) })
	index := make([]int32, n)
	for i := range index {
		index[i] = int32(i)
	}
	index = shuffled(index)
	bench(b, "random", n, func() {
		sum := 0.0
		for _, i := range index {
			sum += p[i].X
		}
		sink = sum
	})
}

func BenchmarkGetRandom(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		bw := newBenchWorld(b, n, 2, 1, false)
		es := shuffled(bw.es)
		plain := make([]benchA, n)
		index := make([]int32, n)
		for i := range index {
			plain[i], index[i] = benchA{1, 2}, int32(i) // memory never written would all be one page
		}
		index = shuffled(index)
		bench(b, fmt.Sprintf("entities=%d/floor", n), n, func() {
			sum := 0.0
			for _, i := range index {
				sum += plain[i].X
			}
			sink = sum
		})
		places := make([]slot, n)
		for i := range places {
			places[i] = slot{meta: 1, row: uint32(i)}
		}
		bench(b, fmt.Sprintf("entities=%d/touches", n), n, func() { // what no lookup by handle can do without: a slot, then the value
			sum := 0.0
			for _, e := range es {
				sum += plain[places[uint32(e)].row].X
			}
			sink = sum
		})
		a := bw.a // a handle at hand, as in a system
		bench(b, fmt.Sprintf("entities=%d/get", n), n, func() {
			sum := 0.0
			for _, e := range es {
				sum += a.Get(e).X
			}
			sink = sum
		})
		bench(b, fmt.Sprintf("entities=%d/ref", n), n, func() {
			sum := 0.0
			for _, e := range es {
				v, _ := bw.w.Ref(e, 0).Number(0)
				sum += v
			}
			sink = sum
		})
	}
}

func BenchmarkHas(b *testing.B) {
	const n = 10_000
	bw := newBenchWorld(b, n, 2, 1, false)
	es := shuffled(bw.es)
	found := 0
	bench(b, "typed", n, func() {
		for _, e := range es {
			if bw.a.Has(e) {
				found++
			}
		}
	})
	id := bw.a.ID()
	bench(b, "world", n, func() {
		for _, e := range es {
			if bw.w.Has(e, id) {
				found++
			}
		}
	})
	bench(b, "alive", n, func() {
		for _, e := range es {
			if bw.w.Alive(e) {
				found++
			}
		}
	})
}

func BenchmarkSetRandom(b *testing.B) {
	const n = 10_000
	bw := newBenchWorld(b, n, 2, 1, false)
	es := shuffled(bw.es)
	bench(b, "mut", n, func() {
		for _, e := range es {
			*bw.a.Write(e) = benchA{1, 2}
		}
	})
	bench(b, "set", n, func() {
		for _, e := range es {
			_, _ = bw.a.Set(e, benchA{1, 2})
		}
	})
	bench(b, "set two", n, func() {
		for _, e := range es {
			_, _ = bw.a.Set(e, benchA{1, 2})
			_, _ = bw.b.Set(e, benchB{1, 2})
		}
	})
	s := must[*Spawner2[benchA, benchB]](b)(NewSpawner2[benchA, benchB](bw.w))
	bench(b, "set two at once", n, func() {
		for _, e := range es {
			_, _ = s.Set(e, benchA{1, 2}, benchB{1, 2})
		}
	})
	p, v, places := filled[benchA](n), filled[benchB](n), make([]int, n)
	for i := range places {
		places[i] = i
	}
	places = shuffled(places)
	bench(b, "set two/floor", n, func() {
		for _, i := range places {
			p[i], v[i] = benchA{1, 2}, benchB{1, 2}
		}
	})
	fields := []FieldValue{{0, Number(1)}, {1, Number(2)}}
	id := bw.a.ID()
	bench(b, "fields", n, func() {
		for _, e := range es {
			_, _ = bw.w.Set(e, id, fields...)
		}
	})
}

func toggle(set TagSet, es []Entity) {
	for _, e := range es {
		if set.Has(e) {
			set.Untag(e)
		} else {
			set.Tag(e)
		}
	}
}

func countTagged(set TagSet, es []Entity) (found int) {
	for _, e := range es {
		if set.Has(e) {
			found++
		}
	}
	return found
}

func BenchmarkTag(b *testing.B) {
	const n = 10_000
	bw := newBenchWorld(b, n, 2, 1, false)
	es := shuffled(bw.es)
	tag := must[TagID](b)(bw.w.DeclareTag("selected"))
	set := bw.w.TagSet(tag)
	for i, e := range bw.es {
		if i%2 == 0 {
			bw.w.Tag(e, tag)
		}
	}
	bench(b, "flip", n, func() { toggle(set, es) })
	bench(b, "tag all and untag all", 2*n, func() {
		for _, e := range es {
			set.Tag(e)
		}
		for _, e := range es {
			set.Untag(e)
		}
	})
	for i, e := range bw.es {
		if i%2 == 0 {
			bw.w.Tag(e, tag)
		}
	}
	found := 0
	bench(b, "has/random", n, func() { found += countTagged(set, es) })
	bench(b, "has/in order", n, func() { found += countTagged(set, bw.es) })
	bench(b, "has/by id, random", n, func() {
		for _, e := range es {
			if bw.w.Tagged(e, tag) {
				found++
			}
		}
	})
	q := must[*Query](b)(bw.w.Query(Filter{Required: []ComponentID{bw.a.ID()}, Tagged: []TagID{tag}}))
	bench(b, "query", n, func() { found += q.Count() })
}

func BenchmarkEvents(b *testing.B) {
	const n = 1000
	var list []hitEvent
	bench(b, "floor", n, func() {
		list = list[:0]
		for i := range n {
			list = append(list, hitEvent{Entity(i), 1})
		}
		sum := 0.0
		for i := range list {
			sum += list[i].Amount
		}
		sink = sum
	})
	w := newWorld(Options{})
	hit := hits(b, w)
	bench(b, "send and read", n, func() {
		for i := range n {
			hit.Send(hitEvent{Entity(i), 1})
		}
		sum := 0.0
		for _, h := range hit.Read() {
			sum += h.Amount
		}
		sink = sum
		w.EndFrame()
	})
	bench(b, "buffer and read", n, func() {
		list := hit.Buffer()
		for i := range n {
			list = append(list, hitEvent{Entity(i), 1})
		}
		hit.SendAll(list)
		sum := 0.0
		read := hit.Read()
		for i := range read {
			sum += read[i].Amount
		}
		sink = sum
		w.EndFrame()
	})
	reader := w.EventReader(hit.ID())
	fields := []FieldValue{{0, EntityOf(1 << 32)}, {1, Number(2)}}
	bench(b, "send and read by fields", n, func() {
		for range n {
			_ = w.Send(hit.ID(), fields...)
		}
		sum := 0.0
		for {
			row, more := reader.Next()
			if !more {
				break
			}
			sum += row.Number(1)
		}
		sink = sum
		hit.Read()
		w.EndFrame()
	})
}

// BenchmarkOwnerCheck is what it costs to notice that two goroutines use one world: a mark before each change of structure, and one
// after it.
func BenchmarkOwnerCheck(b *testing.B) {
	const n = 1000
	w := newWorld(Options{})
	bench(b, "floor", n, func() {
		for range n {
			w.work++
		}
	})
	bench(b, "mark", n, func() {
		for range n {
			w.beginChange()
			w.work++
			w.endChange()
		}
	})
}

func BenchmarkSchedule(b *testing.B) {
	const n = 100
	s := NewSchedule(newWorld(Options{}))
	for i := range n {
		s.Add(fmt.Sprint("empty", i), func(*World, float64) error { return nil })
	}
	bench(b, "empty systems", n, func() { _ = s.Run(1) })
	one := NewSchedule(newWorld(Options{}))
	bench(b, "frame without systems", 1, func() { _ = one.Run(1) })
}
