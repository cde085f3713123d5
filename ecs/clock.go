package ecs

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

// BeginFrame starts the next frame, dt seconds long. A [Schedule] calls it. Code that runs its own loop without a
// Schedule has to call it, too, and [World.EndFrame] after the frame.
func (w *World) BeginFrame(dt float64) {
	if w.clock.frame > 0 {
		w.clock.time += w.clock.dt
	}
	w.clock.frame++
	w.clock.dt = dt
	w.advanceTick()
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
