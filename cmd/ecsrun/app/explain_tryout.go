package app

// Bounds of what explain runs. They are counts, so that it says the same each time.
const (
	tryFrames   = 60      // frames
	tryEntities = 300_000 // living entities, summed over the frames
	tryMore     = 12      // frames after the one in which the last loop began: tables fill up in the first ones
)

// tryOut runs the startup and a few frames of a world of which only the loops are of interest: until each loop has
// begun, or the bounds are reached. Nothing is printed, logged or reported. A failure ends it; then the loops that
// have not begun are judged by the source alone.
func (r *run) tryOut() {
	rt := r.runtime
	signal, release := interrupts()
	defer release()
	if rt.Start(signal.over) != nil {
		return
	}
	world, entities, more := rt.World(), 0, 0
	for range tryFrames {
		if _, stopped := world.Stopped(); stopped || signal.came() || !r.feedFrame(signal) || rt.Frame(signal.over, r.config.Run.DT) != nil {
			return
		}
		if entities += world.Len(); entities > tryEntities {
			return
		}
		if rt.Begun() {
			if more++; more > tryMore {
				return
			}
		}
	}
}
