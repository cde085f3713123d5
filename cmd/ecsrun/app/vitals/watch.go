package vitals

import (
	"sync"
	"time"
)

// A Watch looks at the vitals of a run, which may have several processes one after another, each of which writes into the same memory. Any
// goroutine may call its methods.
type Watch struct {
	vitals *Vitals
	limit  time.Duration

	mu     sync.Mutex
	before Totals // of earlier processes
	died   bool   // and the next one is not ready yet
}

// NewWatch returns a Watch. limit is how long a turn, the startup, a save or a write of output may take before the run is unhealthy.
func NewWatch(v *Vitals, limit time.Duration) *Watch { return &Watch{vitals: v, limit: limit} }

// Next prepares the memory for the next process by reset. died says that there was one before, whose counts are kept.
func (w *Watch) Next(died bool, reset func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if died {
		w.before.Add(w.vitals)
	}
	w.died = died
	reset()
}

// Totals returns the counts of all processes.
func (w *Watch) Totals() *Totals {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.before.clone()
	t.Add(w.vitals)
	return t
}

// Unhealthy says why the run is not healthy; "" if it is.
func (w *Watch) Unhealthy() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.died && w.vitals.State() == Starting {
		return "the run is being restarted"
	}
	return w.vitals.Unhealthy(w.limit, time.Now())
}

// Unready says why the run is not ready; "" if it is.
func (w *Watch) Unready() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return [...]string{Starting: "starting", Ready: "", Stopping: "stopping"}[min(w.vitals.State(), Stopping)]
}

// Ready, Stopping and Healthy are for package notify.

// Ready reports whether the startup has ended, also of a run that is over by now.
func (w *Watch) Ready() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.vitals.began.Load() == 1
}

// Stopping reports whether the run has ended, or is about to.
func (w *Watch) Stopping() bool { return w.Unready() == "stopping" }

// Healthy reports whether nothing takes too long.
func (w *Watch) Healthy() bool { return w.Unhealthy() == "" }
