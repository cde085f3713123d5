package ecs

// clock is the world's time and what belongs to the caller between systems.
type clock struct {
	moment
	readers []*EventReader // by event id; nil where the caller has not read
}

// moment says which frame it is.
type moment struct {
	frame uint64
	time  float64 // seconds of world time at the start of this frame
	dt    float64 // seconds of this frame
}

// Frame returns the number of the current frame, counted from 1; 0 before the first.
func (w *World) Frame() uint64 { return w.clock.frame }

// Time returns the world's seconds at the start of this frame: the sum of the earlier frames' dt.
func (w *World) Time() float64 { return w.clock.time }

// DT returns the seconds of this frame, 0 before the first.
func (w *World) DT() float64 { return w.clock.dt }

// BeginFrame starts the next frame of dt seconds. A [Schedule] calls it; a caller with a loop of its own does, too.
func (w *World) BeginFrame(dt float64) {
	if w.clock.frame > 0 {
		w.clock.time += w.clock.dt
	}
	w.clock.frame++
	w.clock.dt = dt
	w.advanceTick()
}

// EndFrame ends the frame: events of the frame before the last one are deleted, and callers between systems no longer see
// the frame's writes as changes (see [World.Since]). It costs O(events and tables of logs), nothing per entity.
func (w *World) EndFrame() {
	for _, l := range w.events {
		l.endFrame()
	}
	w.trimRemoved()
	w.watermark = w.Tick()
	w.advanceTick()
}
