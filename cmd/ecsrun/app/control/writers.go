package control

import (
	"fmt"
	"sort"

	"github.com/ecsrun/ecsrun/ecs"
)

// ringTicks is how many ticks back the writer of a value is known. A turn takes at least two.
const ringTicks = 100_000

// Writers knows which system has written in which tick.
type writers struct {
	from  ecs.Tick // ticks up to it are not known, but for what first says
	start uint64   // the frame in which they ended
	ring  []span   // by tick; full once it has ringTicks/2 entries, and begun anew from next
	next  int
	open  ecs.Tick
}

// A span is the ticks of one turn: those after the first, and before the last.
type span struct {
	after, before ecs.Tick
	frame         uint64
	system        string
}

func (w *writers) begin(world *ecs.World) {
	*w = writers{from: world.Tick(), start: world.Frame()}
}

func (w *writers) starts(now ecs.Tick) { w.open = now }

func (w *writers) ends(now ecs.Tick, frame uint64, system string) {
	s := span{w.open, now, frame, system}
	if len(w.ring) < ringTicks/2 {
		w.ring = append(w.ring, s)
		return
	}
	w.from, w.start = w.ring[w.next].before, w.ring[w.next].frame
	w.ring[w.next] = s
	w.next = (w.next + 1) % len(w.ring)
}

// back forgets the turns that have ended after a tick: the world has gone back to it.
func (w *writers) back(now ecs.Tick) {
	ring := make([]span, 0, len(w.ring))
	for i := range w.ring {
		if s := w.ring[(w.next+i)%len(w.ring)]; s.before <= now {
			ring = append(ring, s)
		}
	}
	w.ring, w.next = ring, 0
}

// of returns the system and the frame of a tick. For one that is not known they are "unknown" and "<= N"; for one in which no
// system had its turn the frame before which something else wrote.
func (w *writers) of(t ecs.Tick) (by string, in any) {
	unknown := func() (string, any) { return "unknown", fmt.Sprintf("<= %d", w.start) }
	if t <= w.from {
		return unknown()
	}
	n := len(w.ring)
	at := func(i int) *span { return &w.ring[(w.next+i)%n] }
	i := sort.Search(n, func(i int) bool { return at(i).before > t })
	switch {
	case i < n && at(i).after < t:
		return at(i).system, at(i).frame
	case i < n:
		return "host", at(i).frame
	case n > 0:
		return "host", at(n - 1).frame
	}
	return "host", w.start
}

// began returns the first tick of a frame: writes in it, in later frames, and between the frame and the one before it have this
// tick or a later one. known is false if changes of that frame are no longer known.
func (w *writers) began(frame uint64) (first ecs.Tick, known bool) {
	known = frame > w.start || w.start == 0
	n := len(w.ring)
	i := sort.Search(n, func(i int) bool { return w.ring[(w.next+i)%n].frame >= frame })
	if i == 0 {
		return w.from, known
	}
	return w.ring[(w.next+i-1)%n].before, known
}
