package ecs

import "math"

// SetLimits changes [Options.MaxEntities] and [Options.MaxBytes]; 0 means what it means there. What the world holds
// stays, also where that is more than a new limit; then nothing more finds room until enough of it is gone. It must
// not be called inside of a system or a query loop.
func (w *World) SetLimits(maxEntities int, maxBytes uint64) {
	w.mustBeAlone()
	w.options.MaxEntities, w.options.MaxBytes = mostEntities(maxEntities), maxBytes
}

// mostEntities returns the limit that an [Options.MaxEntities] means.
func mostEntities(n int) int {
	if n <= 0 {
		return min(math.MaxUint32, math.MaxInt)
	}
	return n
}
