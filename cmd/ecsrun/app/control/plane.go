package control

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// The mailbox: calls come from any goroutine, and the goroutine of the world answers them.

// A Host is the run that a Plane belongs to. Its functions are called on the goroutine of the world, but for Interrupt.
type Host struct {
	Runtime   *luabind.Runtime
	Version   string
	Seed      uint64
	Speed     float64                                   // at the beginning: 1 for real time, 0 for as fast as it goes
	DT        float64                                   // of the config, before a frame has one
	Last      func() uint64                             // the last frame; 0: there is none
	SetSpeed  func(factor float64)                      // also called when a pause ends
	Impl      func(system string) string                // the implementation that the config chooses
	Script    func(system string) string                // its file, "" for a system in Go
	Edit      func(line []byte) (luabind.Result, error) // does an input between two frames
	Edited    func() bool                               // something was written through the plane
	Interrupt func() bool                               // ends the running turn as a limit does; false if no script runs
	Snapshot  func() error                              // saves now
	History   History
	Log       *slog.Logger
}

// A Plane is the control plane of one run.
type Plane struct {
	host  Host
	world *ecs.World
	began time.Time // what the times in atomics count from

	wants   atomic.Bool // there may be something to do at the next edge
	visited atomic.Bool // there was a connection: turns are timed
	running atomic.Pointer[ecs.System]
	since   atomic.Int64  // when its turn began
	frame   atomic.Uint64 // in which it runs

	asked atomic.Int32 // calls of run.pause in the mailbox

	mu     sync.Mutex
	box    []*call
	closed *Error        // why nothing is answered any more; nil while the run goes on
	bell   chan struct{} // rings when a call comes
	over   chan struct{} // is closed with the last notifications on their way

	// Of the goroutine of the world:
	readers    []*call // reads that go on at the next edge
	readsAfter time.Time
	edge       time.Time // of the last one at which there was something to do
	stand      stand
	done       <-chan struct{} // is closed by a signal
	inside     bool            // calls are answered between two turns
	frameBegan time.Duration   // when the first turn of the frame began
	times      turnTimes
	watches    []*watch
	nextWatch  uint64
	timing     bool // turns are noted
	turns      []turnData

	logging  atomic.Bool // somebody watches the log
	lines    []logged    // of the log; guarded by mu
	refusals atomic.Int32
	writers  writers
}

// New returns the control plane of a run, which stands at its first edge if paused.
func New(h Host, paused bool) *Plane {
	p := &Plane{host: h, world: h.Runtime.World(), began: time.Now(), bell: make(chan struct{}, 1), over: make(chan struct{})}
	p.stand.paused, p.stand.speed = paused, h.Speed
	p.writers.begin(p.world)
	if paused {
		p.wants.Store(true)
	}
	p.hook(h.Runtime.Schedule())
	return p
}

// hook puts the plane before everything that is hooked into a schedule already: what is measured there does not include a
// pause.
func (p *Plane) hook(s *ecs.Schedule) {
	before, after, calling := s.Before, s.After, s.Calling
	s.Before = func(sys *ecs.System) {
		if sys.Name() != luabind.Inspector {
			p.between(sys)
		}
		p.note(sys)
		if before != nil {
			before(sys)
		}
	}
	s.After = func(sys *ecs.System) {
		if after != nil {
			after(sys)
		}
		p.noted(sys)
	}
	s.Calling = func(sys *ecs.System, begins bool) {
		if calling != nil {
			calling(sys, begins)
		}
		if begins {
			p.note(sys)
		} else {
			p.noted(sys)
		}
	}
}

func (p *Plane) note(sys *ecs.System) {
	now := int64(time.Since(p.began))
	if f := p.world.Frame(); p.frame.Swap(f) != f {
		p.frameBegan = time.Duration(now)
	}
	p.since.Store(now)
	p.running.Store(sys)
	p.writers.starts(p.world.Tick())
}

func (p *Plane) noted(sys *ecs.System) {
	p.running.Store(nil)
	if p.visited.Load() {
		p.times.add(sys, p.world.Frame(), time.Since(p.began)-time.Duration(p.since.Load()))
	}
	frame := p.world.Frame()
	if sys.Name() == luabind.Inspector && p.stand.within == nil {
		frame++ // an edit behind a frame belongs to the next one
	}
	p.writers.ends(p.world.Tick(), frame, sys.Name())
	if p.timing {
		p.addTurn(sys.Name(), time.Duration(p.since.Load()), time.Since(p.began))
	}
}

// A call is a request on its way.
type call struct {
	method *Method
	args   args
	by     *Session
	after  *call // is answered first; nil: this call waits for none
	over   atomic.Bool
	read   func(until time.Time) (done bool, result any, err error) // the rest of a long read
	done   chan outcome                                             // has room for one
}

type outcome struct {
	result any
	err    error
}

// errLater is returned by a method that answers its call later.
var errLater = errors.New("later")

// reads reports whether the call only reads the world.
func (c *call) reads() bool {
	return c.method.Reads || c.method.Name == evalMethod && c.args.text("as") != "write"
}

func (c *call) finish(result any, err error) {
	if !c.over.Swap(true) {
		c.done <- outcome{result, err}
	}
}

// post puts calls into the mailbox, in this order and with nothing in between.
func (p *Plane) post(calls ...*call) {
	p.mu.Lock()
	closed := p.closed
	if closed == nil {
		p.box = append(p.box, calls...)
		p.wants.Store(true)
	}
	p.mu.Unlock()
	if closed != nil {
		for _, c := range calls {
			c.finish(nil, closed)
		}
		return
	}
	p.ring()
}

// empty reports whether no call waits in the mailbox.
func (p *Plane) empty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.box) == 0
}

func (p *Plane) ring() {
	select {
	case p.bell <- struct{}{}:
	default:
	}
}

// take takes the first call out of the mailbox that may be begun. Those behind one that waits for an earlier call of its
// connection are not held up by it.
func (p *Plane) take(may func(*call) bool) *call {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, c := range p.box {
		if c.after != nil && !c.after.over.Load() {
			continue
		}
		c.after = nil
		if !may(c) {
			return nil
		}
		p.box = append(p.box[:i:i], p.box[i+1:]...)
		return c
	}
	return nil
}

// The share of time that reads may take from a running world, and the least that one gets at an edge.
const (
	readShare = 20 // one part in so many
	leastRead = 200 * time.Microsecond
	mostRead  = 20 * time.Millisecond
	longFrame = 20 * time.Millisecond // after which reads are answered between turns
)

// A moment says where the goroutine of the world is when it looks at the mailbox.
type moment uint8

const (
	atEdge  moment = iota // between two frames, which goes on at once
	between               // between two turns of a frame, which goes on at once
	idle                  // nothing else is to be done: the run is paused, or waits for the clock
)

// work answers what can be answered now. It returns false if there is nothing more to do until the bell rings.
func (p *Plane) work(m moment, until time.Time) (more bool) {
	for !p.stand.stopping {
		c := p.take(func(c *call) bool {
			switch {
			case c.reads():
				return m == idle || p.asked.Load() > 0 || !time.Now().Before(p.readsAfter)
			default:
				return m != between
			}
		})
		if c == nil {
			break
		}
		p.begin(c)
		if p.stand.paused && m == atEdge {
			m = idle
		}
	}
	return p.readOn(m, until)
}

func (p *Plane) begin(c *call) {
	began := time.Now()
	result, err := c.method.do(p, c)
	if c.reads() {
		p.spend(time.Since(began))
	}
	switch {
	case c.read != nil:
		p.readers = append(p.readers, c)
	case !errors.Is(err, errLater):
		c.finish(result, err)
	}
}

// spend notes the time of a read: for a while there are no others.
func (p *Plane) spend(d time.Duration) {
	p.readsAfter = time.Now().Add(d * (readShare - 1))
}

// readOn goes on with the long reads, each for a while.
func (p *Plane) readOn(m moment, until time.Time) (more bool) {
	if len(p.readers) == 0 || m != idle && time.Now().Before(p.readsAfter) {
		return false
	}
	slice := mostRead
	if m != idle {
		slice = max(leastRead, min(mostRead, time.Since(p.edge)/readShare)) / time.Duration(len(p.readers))
	}
	began, before := time.Now(), len(p.readers)
	going := p.readers[:0]
	for _, c := range p.readers {
		end := time.Now().Add(slice)
		if m == idle && !until.IsZero() && until.Before(end) {
			end = until
		}
		if done, result, err := c.read(end); done {
			c.finish(result, err)
		} else {
			going = append(going, c)
		}
	}
	clear(p.readers[len(going):])
	p.readers = going
	p.spend(time.Since(began))
	return len(going) > 0 || before > len(going) // a call may have waited for one that is done
}

// settle notes whether there is something to do at the next edge.
func (p *Plane) settle() {
	p.mu.Lock()
	p.wants.Store(len(p.box) > 0 || len(p.readers) > 0 || len(p.watches) > 0 || p.stand.step != nil || p.stand.paused || p.stand.stopping)
	p.mu.Unlock()
	p.edge = time.Now()
}

// Close answers all calls that wait, and all that come, with the reason, and tells watches what is new since the last edge.
func (p *Plane) Close(reason string, failure error) {
	p.finish(reason, failure)
	p.stand.ended, p.stand.over = reason, true
	p.work(idle, time.Time{})
	if !errors.Is(failure, luabind.ErrBug) {
		p.tell()
	}
	close(p.over)
	p.mu.Lock()
	p.closed = wrong(CodeEnded, "the run has ended: %s", reason)
	left := append(p.box, p.readers...)
	p.box, p.readers = nil, nil
	p.mu.Unlock()
	for _, c := range left {
		c.finish(nil, p.closed)
	}
}
