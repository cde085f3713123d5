package ecs

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A told is an event of the model: its text, the frame it was sent in, and whether it was taken.
type told struct {
	text  string
	frame int
	taken bool
}

// Events with strings, read by several readers at their own pace, taken, drained and forgotten, agree with a list; rows that are gone hold no string, the bytes kept
// for slow readers are counted, and positions count what was sent.
func TestEventsWithStringsAgreeWithAList(t *testing.T) {
	type say struct {
		Text string
		N    float64
	}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(11, seed))
		w := newWorld(Options{})
		said := must[Event[say]](t)(RegisterEvent[say](w, "Said"))
		id, l := said.ID(), w.events[0]
		var list []told
		frame := 0
		readers, next := []*EventReader{}, []int{}
		texts := func(from int) (texts []string) {
			for _, e := range list[from:] {
				if !e.taken {
					texts = append(texts, e.text)
				}
			}
			return texts
		}
		peek := func() int {
			for i, e := range list {
				if e.frame >= frame-1 {
					return i
				}
			}
			return len(list)
		}
		same := func(what string, got Events, want []string) {
			t.Helper()
			if got.Len() != len(want) {
				t.Fatalf("seed %d, %s: %d events, want %v", seed, what, got.Len(), want)
			}
			for i, text := range want {
				if row := got.Row(i).Get(0).Str(); row != text {
					t.Fatalf("seed %d, %s: event %d says %q, want %q", seed, what, i, row, text)
				}
			}
		}
		for range 400 {
			switch n := rng.IntN(20); {
			case n < 6:
				for range rng.IntN(9) {
					text := fmt.Sprint("event ", len(list))
					said.Send(say{text, float64(len(list))})
					list = append(list, told{text, frame, false})
				}
			case n < 8:
				w.EndFrame()
				frame++
				kept := len(texts(peek()))
				slowest := kept
				for _, from := range next {
					slowest = max(slowest, len(texts(min(from, peek()))))
				}
				if got := w.EventBytes(); got != uintptr(slowest-kept)*l.schema.size {
					t.Fatalf("seed %d: %d bytes are kept for %d readers, want %d events", seed, got, len(readers), slowest-kept)
				}
			case n == 8 && len(readers) < 4:
				readers, next = append(readers, w.EventReader(id)), append(next, peek())
			case n < 11:
				want := texts(peek())
				take := rng.IntN(5)
				if rng.IntN(4) == 0 {
					d := w.Drain(id)
					if d.Len() != len(want) {
						t.Fatalf("seed %d: %d drained, want %v", seed, d.Len(), want)
					}
					for i, text := range want {
						if row := d.Row(i).Get(0).Str(); row != text {
							t.Fatalf("seed %d: drained %q, want %q", seed, row, text)
						}
					}
					take = len(want)
				} else {
					w.Take(id, take)
				}
				for i := peek(); i < len(list) && take > 0; i++ {
					if !list[i].taken {
						list[i].taken = true
						take--
					}
				}
			case len(readers) > 0:
				k := rng.IntN(len(readers))
				r, want := readers[k], texts(next[k])
				if r.Len() != len(want) {
					t.Fatalf("seed %d: reader %d has %d unread, want %v", seed, k, r.Len(), want)
				}
				switch rng.IntN(6) {
				case 0:
					same("read", r.Read(), want)
					next[k] = len(list)
				case 1:
					same("unread", r.Unread(), want)
				case 2:
					if row, more := r.Next(); more != (len(want) > 0) || more && row.Get(0).Str() != want[0] {
						t.Fatalf("seed %d: the next is there: %v, want %v", seed, more, want)
					} else if more {
						next[k] = after1(list, next[k])
					}
				case 3:
					n := rng.IntN(len(want) + 1)
					r.Skip(n)
					for range n {
						next[k] = after1(list, next[k])
					}
				case 4:
					if rng.IntN(4) == 0 {
						r.Close()
						readers, next = append(readers[:k:k], readers[k+1:]...), append(next[:k:k], next[k+1:]...)
					}
				default:
					at, end := r.Position()
					if end != uint64(len(list)) || at > end {
						t.Fatalf("seed %d: at %d of %d, %d were sent", seed, at, end, len(list))
					}
				}
			}
			same("peek", w.Peek(id), texts(peek()))
			if got := said.Peek(); len(got) != len(texts(peek())) || (len(got) == 0) != (got == nil) {
				t.Fatalf("seed %d: typed peek of %d events", seed, len(got))
			}
			if held, sent := w.EventCount(id); held != len(texts(peek())) || sent != uint64(len(list)) {
				t.Fatalf("seed %d: %d held of %d", seed, held, sent)
			}
			check(t, w)
			ok(t, noGhostEvents(l))
			ok(t, noGhosts(l.schema, l.at(int(l.hole-l.first)), 0, int(l.previous-l.hole)))
		}
	}
}

// after1 is the place behind the next event that was not taken.
func after1(list []told, from int) int {
	for list[from].taken {
		from++
	}
	return from + 1
}

// The buffer of an event is its free memory: what is written there and sent is not copied, and nothing else is overwritten.
func TestTheBufferOfAnEvent(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	if hit.Buffer() != nil {
		t.Error("a log without memory has a buffer")
	}
	for i := range 10 {
		hit.Send(hitEvent{Amount: float64(i)})
	}
	b := hit.Buffer()
	if len(b) != 0 || cap(b) != 6 {
		t.Errorf("%d of %d", len(b), cap(b))
	}
	for i := range 6 {
		b = append(b, hitEvent{Amount: float64(10 + i)})
	}
	before := w.events[0].base
	hit.SendAll(b)
	hit.SendAll(nil)
	if got := amounts(hit.Peek()); got != "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" || w.events[0].base != before || hit.Buffer() != nil {
		t.Errorf("%s", got)
	}
	hit.SendAll([]hitEvent{{Amount: 16}, {Amount: 17}})
	if got := hit.Peek(); len(got) != 18 || got[17].Amount != 17 || got[3].Amount != 3 || w.events[0].capacity != 32 {
		t.Errorf("%v", got)
	}
}

// A log of events that are sent many at once finds room for as many in each frame. Its memory stays, and the events move only
// every second frame.
func TestEventsSentAtOnceMoveEverySecondFrame(t *testing.T) {
	w := newWorld(Options{})
	hit := hits(t, w)
	l := w.events[hit.ID()]
	hit.SendAll(make([]hitEvent, 100))
	start, moved := l.base, 0
	for frame := range 20 {
		if frame > 0 {
			b := hit.Buffer()
			if cap(b) < 100 {
				t.Fatalf("frame %d: the buffer has room for %d", frame, cap(b))
			}
			for i := range 100 {
				b = append(b, hitEvent{Amount: float64(100*frame + i)})
			}
			hit.SendAll(b)
		}
		before := l.base
		w.EndFrame()
		if frame > 0 && l.base == start && before != start {
			moved++
		}
		if got := hit.Peek(); len(got) != 100 || got[0].Amount != float64(100*frame) && frame > 0 || l.capacity != 300 {
			t.Fatalf("frame %d: %d events in memory for %d", frame, len(got), l.capacity)
		}
		check(t, w)
	}
	if moved != 9 && moved != 10 {
		t.Errorf("moved in %d of 20 frames", moved)
	}
}

// Frames that send the same number of events allocate nothing, whatever is read, taken and kept meanwhile.
func TestSteadyEventsAllocateNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		frame func(w *World, hit Event[hitEvent], slow *EventReader, frame int)
	}{
		{"peeked", func(w *World, hit Event[hitEvent], slow *EventReader, frame int) {}},
		{"a slow reader", func(w *World, hit Event[hitEvent], slow *EventReader, frame int) {
			if frame%5 == 0 {
				slow.Read()
			}
		}},
		{"taken while a reader is behind", func(w *World, hit Event[hitEvent], slow *EventReader, frame int) {
			switch frame % 5 {
			case 0: // these events are kept for the reader
			case 4:
				slow.Read()
			default:
				w.Take(hit.ID(), 1000)
			}
		}},
		{"half of them are taken in the same frame", func(w *World, hit Event[hitEvent], slow *EventReader, frame int) {
			for range 10 {
				hit.Send(hitEvent{})
			}
			w.Take(hit.ID(), 55)
			slow.Read()
		}},
		{"few and many in turns", func(w *World, hit Event[hitEvent], slow *EventReader, frame int) {
			for range frame % 7 * 50 {
				hit.Send(hitEvent{})
			}
		}},
	} {
		w := newWorld(Options{})
		hit := hits(t, w)
		slow := w.EventReader(hit.ID())
		frame := 0
		run := func() {
			for range 100 {
				hit.Send(hitEvent{})
			}
			c.frame(w, hit, slow, frame)
			if c.name == "peeked" || c.name == "few and many in turns" {
				slow.Read()
			}
			w.EndFrame()
			frame++
		}
		frames := func() {
			for range 140 {
				run()
			}
		}
		frames()
		if n := testing.AllocsPerRun(2, frames); n > 0 {
			t.Errorf("%s: %v allocations in 140 frames", c.name, n)
		}
	}
}
