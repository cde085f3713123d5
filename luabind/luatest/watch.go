package luatest

import (
	"sync"

	"github.com/ecsrun/ecsrun/luabind"
)

// A watch is one watchdog for a test and the worlds it steps. A call into a world
// happens inside a call into the test, and each has its own trip; the innermost is
// tripped, so that the error names the script that took too long. It cannot be
// survived: a call that begins later is tripped at once.
type watch struct {
	dog luabind.Watchdog // of the program; nil: nothing is watched

	mu    sync.Mutex
	trips []func(error) // of the calls that run, outermost first
	spent error         // why the test was tripped; nil while it was not
}

// begin starts watching a call into the test.
func (w *watch) begin(trip func(error)) {
	w.mu.Lock()
	w.trips, w.spent = append(w.trips[:0], trip), nil
	w.mu.Unlock()
	if w.dog != nil {
		w.dog.Begin(w.trip)
	}
}

func (w *watch) end() {
	if w.dog != nil {
		w.dog.End()
	}
	w.mu.Lock()
	w.trips = w.trips[:0]
	w.mu.Unlock()
}

// Begin and End are the watchdog that worlds get.

func (w *watch) Begin(trip func(error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trips = append(w.trips, trip)
	if w.spent != nil {
		trip(w.spent)
	}
}

func (w *watch) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trips = w.trips[:len(w.trips)-1]
}

// trip may be called from any goroutine.
func (w *watch) trip(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spent != nil || len(w.trips) == 0 {
		return
	}
	w.spent = err
	w.trips[len(w.trips)-1](err)
}

// over is why the test was tripped, nil if it was not.
func (w *watch) over() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spent
}
