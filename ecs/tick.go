package ecs

// This file is the time of change detection: each turn of a system has its own tick, and queries compare the stamps of
// rows (stamp.go) with the window of the running system (filter.go).

// A Tick is a change stamp: a number that goes up with every turn of a system. It does not measure time. The first
// tick is 1, so 0 is before everything. Ticks do not wrap around: rows keep 32 bits relative to a base, which the
// world raises every few billion ticks.
//
// Each row of each column stores the tick of its last write and the tick at which its entity gained the component.
// [Component.Write], [Component.Set] and [Ref.Set] stamp the row; a walk over a typed query stamps the rows that it
// visits, in the components that it may write; [Component.Get] and [Component.Of] do not. A write to a raw column
// ([Component.Slice], [Column.Row]) stamps nothing: call [Column.Stamp], [Column.StampRange] or [Column.StampAll]
// after it. An entity that moves to another table keeps the stamps of its components.
//
// A query with Changed or Added, and [World.Removed], select what other systems did since the running system last
// ran. Each system has its own window, even if it runs rarely. Outside of systems the window is the last frame.
type Tick uint64

// rebase raises the base of all stamps and keeps those of the last two billion ticks exact. Older stamps become
// the oldest exact one. It costs O(rows), once in about two billion ticks.
func (w *World) rebase() {
	const keep = 1 << 31
	delta := w.now - keep
	lower := func(s *uint32) {
		if *s != 0 {
			*s = max(*s, delta+1) - delta
		}
	}
	for _, t := range w.tables {
		for i := range t.columns {
			c := &t.columns[i]
			lower(&c.newest.changed)
			lower(&c.newest.added)
			for j := range c.blocks {
				b := &c.blocks[j]
				lower(&b.changedAll)
				lower(&b.changedNewest)
				lower(&b.addedAll)
				lower(&b.addedNewest)
				lower(&b.changedBefore)
				if b.single != nil {
					for k := range b.single {
						lower(&b.single[k].changed)
						lower(&b.single[k].added)
					}
				}
			}
		}
	}
	w.tickBase += Tick(delta)
	w.now -= delta
}

// stampSince converts a tick to the form that rows keep.
func (w *World) stampSince(since Tick) uint32 {
	if since <= w.tickBase {
		return 0
	}
	return uint32(min(since-w.tickBase, Tick(w.now)))
}

// A window is what a condition on changes selects: stamps after since, except own.
type window struct {
	since uint32
	own   uint32 // the tick of the running system, which does not see its own writes; 0 for none
}

func (in window) has(stamp uint32) bool { return stamp > in.since && stamp != in.own }

// all returns the word of a block whose rows all have this stamp.
func (in window) all(stamp uint32) uint64 {
	if in.has(stamp) {
		return ^uint64(0)
	}
	return 0
}

// window returns the window of the running system; between systems, everything since the end of the last frame.
func (w *World) window() window {
	in := window{since: w.stampSince(w.Since())}
	if w.system != nil {
		in.own = w.now
	}
	return in
}

// clock is the world's time, and the event readers of the code that runs between systems.
type clock struct {
	moment
	readers []*EventReader // by event id; nil for an event that this code has not read
}

// moment is the current frame: its number, its time and its length.
type moment struct {
	frame uint64
	time  float64 // seconds of world time at the start of this frame
	dt    float64 // seconds of this frame
}

// Frame returns the number of the current frame, counted from 1; 0 before the first.
func (w *World) Frame() uint64 { return w.clock.frame }

// Time returns the seconds of world time at the start of this frame: the sum of dt over the earlier frames.
func (w *World) Time() float64 { return w.clock.time }

// DT returns the length of this frame in seconds, 0 before the first frame.
func (w *World) DT() float64 { return w.clock.dt }

// BeginFrame starts the next frame, dt seconds long, and sends the waiting events that are due. A [Schedule] calls it. Code that runs its own loop without a
// Schedule has to call it, too, and [World.EndFrame] after the frame.
func (w *World) BeginFrame(dt float64) {
	if w.clock.frame > 0 {
		w.clock.time += w.clock.dt
	}
	w.clock.frame++
	w.clock.dt = dt
	w.advanceTick()
	w.deliver()
}

// EndFrame ends the frame. It deletes the events that were sent before this frame, except those kept for a reader,
// and starts a new window for code between systems, so that this frame's writes no longer count as changes there
// (see [World.Since]). It costs O(event types and logs of removals), nothing per entity.
func (w *World) EndFrame() {
	for _, l := range w.events {
		l.endFrame()
	}
	w.trimRemoved()
	w.countSlots()
	w.watermark = w.Tick()
	w.advanceTick()
}
