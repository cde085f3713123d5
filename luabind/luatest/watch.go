package luatest

import (
	"sync"

	"github.com/ecsrun/ecsrun/luabind"
)

// A watch shares one watchdog between a test and the worlds that it steps. A call into a world happens inside of a
// call into the test, and each has its own interrupt. The innermost call is interrupted, so that the error names
// the script that took too long. A test cannot survive that: a call that begins later is interrupted at once.
type watch struct {
	dog luabind.Watchdog // of the program; nil: nothing is watched

	mu         sync.Mutex
	interrupts []func(error) // of the calls that run, outermost first
	spent      error         // why the test was interrupted; nil while it was not
}

// begin starts watching a call into the test.
func (w *watch) begin(interrupt func(error)) {
	w.mu.Lock()
	w.interrupts, w.spent = append(w.interrupts[:0], interrupt), nil
	w.mu.Unlock()
	if w.dog != nil {
		w.dog.Begin(w.interrupt)
	}
}

func (w *watch) end() {
	if w.dog != nil {
		w.dog.End()
	}
	w.mu.Lock()
	w.interrupts = w.interrupts[:0]
	w.mu.Unlock()
}

// Begin and End implement the watchdog of the worlds.

func (w *watch) Begin(interrupt func(error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.interrupts = append(w.interrupts, interrupt)
	if w.spent != nil {
		interrupt(w.spent)
	}
}

func (w *watch) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.interrupts = w.interrupts[:len(w.interrupts)-1]
}

// interrupt may be called from any goroutine.
func (w *watch) interrupt(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.spent != nil || len(w.interrupts) == 0 {
		return
	}
	w.spent = err
	w.interrupts[len(w.interrupts)-1](err)
}

// over returns why the test was interrupted, nil if it was not.
func (w *watch) over() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spent
}
