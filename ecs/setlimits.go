package ecs

import "math"

// SetLimits changes the limits of the world: MaxEntities, MaxBytes, MaxEvents and MaxTags of the options; the others
// stay. 0 means what it means in [Options]. What the world holds stays, also where that is more than a new limit; then
// nothing more finds room until enough of it is gone. It must not be called inside of a system or a query loop.
func (w *World) SetLimits(o Options) {
	w.mustBeAlone()
	w.options.MaxEntities, w.options.MaxBytes = mostEntities(o.MaxEntities), o.MaxBytes
	w.options.MaxEvents, w.options.MaxTags = o.MaxEvents, o.MaxTags
	if w.options.MaxEvents > 0 && w.eventCapacity() > w.options.MaxEvents {
		for _, l := range w.events { // room counts
			l.shrink()
		}
	}
	if w.options.MaxTags > 0 && w.tagCapacity() > w.options.MaxTags {
		for _, s := range w.tags {
			w.bytes.Add(int64(len(s.dense)-cap(s.dense)) * 8)
			s.dense = grow(s.dense, len(s.dense))
		}
	}
}

// mostEntities returns the limit that an [Options.MaxEntities] means.
func mostEntities(n int) int {
	if n <= 0 {
		return min(math.MaxUint32, math.MaxInt)
	}
	return n
}
