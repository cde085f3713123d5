package app

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

const (
	watchEvery   = time.Millisecond      // between two checks of a running call
	collectEvery = 30 * time.Millisecond // between two garbage collections that the memory limit causes
	collectSoon  = 5 * time.Millisecond  // the same if twice the limit is exceeded
	idleLooks    = 100                   // checks without a running call until the goroutine sleeps; waking it costs the next call about 50 µs
)

// A watchdog ends calls into Lua that take too long or hold too much memory. It is the backstop behind the limits
// that are counted (instructions, entities, sizes of strings). When it intervenes depends on the machine, and its
// errors say so.
//
// One goroutine checks the running call every millisecond, and sleeps when there has been none for a while. Begin
// and End cost one lock each and allocate nothing. The watchdog may call interrupt between them, and never after
// End has returned.
type watchdog struct {
	time   time.Duration // limit per call
	memory uint64        // limit in bytes, beyond the baseline and the worlds

	timeLimit, memoryLimit string // the two limits as messages show them

	mu        sync.Mutex
	interrupt func(error) // of the running call; nil between calls and after it was used
	began     time.Time
	calls     uint64 // number of calls so far
	asleep    bool   // the goroutine is waiting for wake

	inner innerCall // the call into the world of a test that runs within the call

	wake chan struct{}
	quit chan struct{}
	done chan struct{}

	ended     atomic.Int64                   // number of calls that were ended because of the memory limit
	worlds    []weak.Pointer[ecs.World]      // worlds whose memory does not count as that of scripts; guarded by mu
	saving    atomic.Pointer[luabind.Frozen] // the copy of the run that is being saved, whose memory does not count either; nil while nothing is saved
	kept      atomic.Uint64                  // bytes of the history, which do not count either
	heap      [1]metrics.Sample              // the goroutine's own, as what follows
	baseline  uint64                         // heap in use before any script was loaded
	collected time.Time                      // when the memory limit last asked for a collection
	strikes   int                            // consecutive collections after which the limit was still exceeded
}

// startWatchdog returns a watchdog with its goroutine running; close ends it.
func startWatchdog(limit time.Duration, memory uint64) *watchdog {
	w := newWatchdog(limit, memory)
	go w.watch()
	return w
}

// newWatchdog returns a watchdog without a goroutine. What the heap holds now counts as the program's memory.
func newWatchdog(limit time.Duration, memory uint64) *watchdog {
	w := &watchdog{
		time: limit, memory: memory, timeLimit: "limits.system_time", memoryLimit: "limits.memory",
		wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{}),
	}
	w.heap[0].Name = "/memory/classes/heap/objects:bytes"
	runtime.GC()
	w.baseline = w.heapBytes()
	return w
}

func (w *watchdog) close() {
	close(w.quit)
	<-w.done
}

// limit changes the two limits.
func (w *watchdog) limit(perCall time.Duration, memory uint64) {
	w.mu.Lock()
	w.time, w.memory = perCall, memory
	w.mu.Unlock()
}

// beside adds a world whose memory does not count as that of scripts. It does not keep the world alive.
func (w *watchdog) beside(world *ecs.World) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.worlds = slices.DeleteFunc(w.worlds, func(p weak.Pointer[ecs.World]) bool { return p.Value() == nil || p.Value() == world })
	w.worlds = append(w.worlds, weak.Make(world))
}

// saves sets the copy that is being saved; nil when it is written. There need not be a watchdog.
func (w *watchdog) saves(copied *luabind.Frozen) {
	if w != nil {
		w.saving.Store(copied)
	}
}

// keeps sets how many bytes the history of the run takes.
func (w *watchdog) keeps(bytes uint64) { w.kept.Store(bytes) }

// Begin starts to watch a call. interrupt ends the call with an error.
func (w *watchdog) Begin(interrupt func(error)) {
	now := time.Now()
	w.mu.Lock()
	w.interrupt, w.began = interrupt, now
	w.calls++
	if w.asleep {
		w.asleep = false
		w.wake <- struct{}{} // has room: the goroutine takes it before it sleeps again
	}
	w.mu.Unlock()
}

// End stops watching the call.
func (w *watchdog) End() {
	w.mu.Lock()
	w.interrupt = nil
	w.mu.Unlock()
}

// An innerCall is a call into a world that a test steps: it runs within the call into the test, under the limits of its
// own config.
type innerCall struct {
	interrupt func(error) // nil: none
	began     time.Time
	time      time.Duration
	memory    uint64
}

// A worldWatch watches the calls into the world of a test, under the limits of the test and of the world's config.
type worldWatch struct {
	luabind.Watchdog // of the test
	dog              *watchdog
	limits           config.Limits
}

// Begin starts to watch a call.
func (w *worldWatch) Begin(interrupt func(error)) {
	w.Watchdog.Begin(interrupt)
	w.dog.mu.Lock()
	w.dog.inner = innerCall{interrupt, time.Now(), w.limits.SystemTime, w.limits.Memory}
	w.dog.mu.Unlock()
}

// End stops watching the call.
func (w *worldWatch) End() {
	w.dog.mu.Lock()
	w.dog.inner = innerCall{}
	w.dog.mu.Unlock()
	w.Watchdog.End()
}

// watch is the goroutine.
func (w *watchdog) watch() {
	defer close(w.done)
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for idle, seen := 0, uint64(0); ; {
		select {
		case now := <-ticker.C:
			w.look(now)
		case <-w.quit:
			return
		}
		w.mu.Lock()
		if idle++; w.interrupt != nil || w.calls != seen {
			idle, seen = 0, w.calls
		}
		asleep := idle >= idleLooks
		w.asleep = asleep
		w.mu.Unlock()
		if asleep {
			select {
			case <-w.wake:
			case <-w.quit:
				return
			}
		}
	}
}

// look checks the running call against both limits.
func (w *watchdog) look(now time.Time) {
	w.mu.Lock()
	memory, memoryLimit := w.memory, w.memoryLimit
	if in := &w.inner; in.interrupt != nil {
		if now.Sub(in.began) > in.time {
			w.endInner(tooLong(in.time, "limits.system_time"))
		} else if in.memory < memory {
			memory, memoryLimit = in.memory, "limits.memory"
		}
	}
	late := w.interrupt != nil && now.Sub(w.began) > w.time
	if late {
		w.end(tooLong(w.time, w.timeLimit))
	}
	w.mu.Unlock()
	if late {
		return
	}
	held := w.scriptBytes()
	if held <= memory {
		w.strikes = 0
		return
	}
	pause := collectEvery
	if held > 2*memory {
		pause = collectSoon
	}
	if now.Sub(w.collected) < pause {
		return
	}
	runtime.GC() // what is over the limit may be garbage
	w.collected = time.Now()
	if held = w.scriptBytes(); held <= memory {
		w.strikes = 0
		return
	}
	// What became garbage during a collection still counts as held. So two collections in a row must find too
	// much, or one that finds more than twice the limit.
	if w.strikes++; w.strikes < 2 && held <= 2*memory {
		return
	}
	w.mu.Lock()
	if w.interrupt != nil {
		w.ended.Add(1)
	}
	tooMuch := &measuredLimit{fmt.Sprintf("scripts hold %s, more than %s (%s; measured, so another run may differ)", mebibytes(held), mebibytes(memory), memoryLimit)}
	if memory < w.memory {
		w.endInner(tooMuch)
	} else {
		w.end(tooMuch)
	}
	w.mu.Unlock()
}

func tooLong(limit time.Duration, name string) error {
	return &measuredLimit{fmt.Sprintf("it ran longer than %v (%s; by the wall clock, so another run may differ)", limit, name)}
}

// endInner interrupts the running call into the world of a test, if there is one. The caller holds the lock.
func (w *watchdog) endInner(err error) {
	if w.inner.interrupt != nil {
		w.inner.interrupt(err)
		w.inner = innerCall{}
	}
}

// end interrupts the running call, if there is one. The caller holds the lock.
func (w *watchdog) end(err error) {
	if w.interrupt != nil {
		w.interrupt(err)
		w.interrupt = nil
	}
}

// endCall interrupts the running call. It reports false if there is none. Any goroutine may call it.
func (w *watchdog) endCall(err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	running := w.interrupt != nil
	w.end(err)
	return running
}

// scriptBytes returns the bytes in the heap beyond those of the program and of the worlds.
func (w *watchdog) scriptBytes() uint64 {
	known := w.knownBytes()
	heap := w.heapBytes()
	return heap - min(known, heap)
}

// knownBytes returns the bytes of the program and of the worlds.
func (w *watchdog) knownBytes() uint64 {
	known := w.baseline
	w.mu.Lock()
	for _, p := range w.worlds {
		if world := p.Value(); world != nil {
			known += world.HeapBytes()
		}
	}
	w.mu.Unlock()
	if copied := w.saving.Load(); copied != nil {
		known += copied.HeapBytes()
	}
	return known + w.kept.Load()
}

func (w *watchdog) heapBytes() uint64 {
	metrics.Read(w.heap[:])
	return w.heap[0].Value.Uint64()
}

// heldNow returns scriptBytes, for any goroutine but that of the watchdog.
func (w *watchdog) heldNow() uint64 {
	sample := []metrics.Sample{{Name: w.heap[0].Name}}
	metrics.Read(sample)
	known := w.knownBytes()
	return sample[0].Value.Uint64() - min(known, sample[0].Value.Uint64())
}

func mebibytes(n uint64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

// A measuredLimit is the error of a limit that was measured, and not counted: it may be passed in one run and not in another.
type measuredLimit struct{ text string }

func (m *measuredLimit) Error() string { return m.text }

// headroom is how much a process allocates at least between two garbage collections. Worlds with tables in fields
// and interpreted scripts make garbage in each frame. A small heap would be collected every few frames, which costs
// them a third of their time.
const headroom = 64 << 20

// keepHeadroom tells the garbage collector to wait for more garbage, until release is called. A collection begins
// when as much was allocated as is in use, and a block that nothing reads or writes counts as in use. The operating
// system gives no memory to such a block. So a small process may hold that much more garbage, and a large one is
// collected as often as before. The variable GOGC works as usual.
func keepHeadroom() (release func()) {
	block := make([]byte, headroom)
	return func() { runtime.KeepAlive(block) }
}
