package app

import (
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file is the memory that a supervising process and its child share. The child writes into it, a few
// nanoseconds per turn, what it is doing; when it dies, however suddenly, the parent reads what it was.

// pageVariable is the variable of the environment that makes a process the child of a supervision: its value is the
// number of the open file that holds the page. Its name does not begin with ECSRUN_, which belongs to the config.
const pageVariable = "_ECSRUN_SUPERVISED"

const (
	pageMagic  = 0x65637372756e_0001
	pageSize   = 1 << 17
	noteSize   = 244
	ordersSize = 1 << 15
)

// A page is laid out in the shared memory as it stands here. The child writes it, and the parent reads it once the
// child is dead; orders are written before the child starts.
type page struct {
	magic uint64
	// Turns are noted in two places in turn, so that the one that counts is whole at every moment.
	active      atomic.Uint32 // 1 + the index of the note of the running turn; 0 between turns
	phase       atomic.Uint32
	disable     atomic.Uint32 // 1: limits.on_error is disable
	claimed     atomic.Uint32 // 1: the folder of snapshots has those of this run only
	ended       atomic.Uint32 // 1: the run has ended by itself, and the exit code is its result
	interrupted atomic.Uint32 // the exit code of an interrupted run
	frame       atomic.Uint64
	edits       atomic.Uint64 // of the inspector that the child has done
	saved       atomic.Uint64 // those of them that are in its newest snapshot
	notes       [2]note
	vitals      vitals.Vitals
	length      uint32 // of orders
	orders      [ordersSize]byte
}

// A note is a turn: its frame and the name of its system.
type note struct {
	frame  uint64
	length uint32
	name   [noteSize]byte
}

// The phases of a child.
const (
	phaseStarts uint32 = iota // until the scripts are loaded
	phaseRuns
	phaseEnds // after the last frame
)

// orders say what a child is to do beyond its command line. They are JSON in the page.
type orders struct {
	Resume  string   // the snapshot to go on from; "": that of the command line, if there is one
	Without []string // systems that are left out
	Claim   bool     // make the folder of snapshots that of this run
	Token   string   // of the inspector, whose listener is the open file doorFile; "" without --inspect
	Again   bool     // an earlier child has died
}

// pageIn returns the page at the beginning of shared memory of at least pageSize bytes.
func pageIn(memory []byte) *page {
	if len(memory) < int(unsafe.Sizeof(page{})) {
		panic("app: the shared page is too small")
	}
	return (*page)(unsafe.Pointer(&memory[0]))
}

// reset makes the page ready for the next child. It reports false if the orders are too long.
func (p *page) reset(o orders) bool {
	text, err := json.Marshal(o)
	if err != nil || len(text) > ordersSize {
		return false
	}
	*p = page{}
	p.length = uint32(copy(p.orders[:], text))
	p.magic = pageMagic
	return true
}

// read returns the orders; false if this is no page.
func (p *page) read() (o orders, ok bool) {
	if p.magic != pageMagic || p.length > ordersSize {
		return o, false
	}
	return o, json.Unmarshal(p.orders[:p.length], &o) == nil
}

// turn notes that the turn of a system begins; nil: that none is running. It allocates nothing.
func (p *page) turn(sys *ecs.System, frame uint64) {
	if sys == nil {
		p.active.Store(0)
		return
	}
	next := p.active.Load() % 2 // not the one that counts
	n := &p.notes[next]
	n.frame = frame
	n.length = uint32(copy(n.name[:], sys.Name()))
	p.frame.Store(frame)
	p.active.Store(next + 1)
}

// running returns the system of the running turn, "" between turns, and the frame.
func (p *page) running() (system string, frame uint64) {
	at := p.active.Load()
	if at < 1 || at > 2 {
		return "", p.frame.Load()
	}
	n := &p.notes[at-1]
	return string(n.name[:min(n.length, noteSize)]), n.frame
}

// The open files that a child has from its parent, behind stdin, stdout and stderr. The page is the first.
const (
	lifeFile = 5 // the end of a pipe whose other end the parent alone has; the lock is before it
	doorFile = 6 // the listener of --inspect
)

// This file is the child of a supervision: what it takes from its parent, and what it notes for it.

// inherit takes the page from the environment, if this process is a child.
func (p *program) inherit() {
	for _, v := range p.env {
		if value, ok := strings.CutPrefix(v, pageVariable+"="); ok {
			if p.page = inheritedPage(value); p.page != nil {
				p.orphaned = endOf(lifeFile)
			}
		}
	}
}

// obey changes the flags of the command line as the parent says. It returns overrides for the systems that are left
// out.
func (p *program) obey(f *runFlags) (set []string) {
	o, ok := p.page.read()
	if !ok {
		panic("app: the orders of the parent are not readable")
	}
	if o.Resume != "" {
		f.snapshots.resume = o.Resume
	}
	f.inspect.token, f.inspect.again = o.Token, o.Again
	p.without = o.Without
	for _, name := range o.Without {
		set = append(set, "systems."+name+".enabled=false")
	}
	if !o.Claim {
		p.page.claimed.Store(1)
	}
	return set
}

// tell makes a run note in the page what it is doing.
func (r *run) tell() {
	if r.page == nil {
		return
	}
	r.noteConfig(r.config)
	world := r.runtime.World()
	r.meter.note = func(sys *ecs.System) { r.page.turn(sys, world.Frame()) }
	r.page.phase.Store(phaseRuns)
}

// tellBug notes the system whose turn a bug has ended: that turn is over, and the parent has to know who it was.
func (r *run) tellBug(err error) {
	var script *luabind.ScriptError
	if r.page == nil || !errors.As(err, &script) {
		return
	}
	if sys := r.runtime.Schedule().Find(script.System); sys != nil {
		r.page.turn(sys, script.Frame)
	}
}

// noteConfig notes what the parent has to know of the config, which may change in a reload.
func (r *run) noteConfig(c *config.Config) {
	if r.page == nil {
		return
	}
	disable := uint32(0)
	if c.Limits.OnError == config.OnErrorDisable {
		disable = 1
	}
	r.page.disable.Store(disable)
	code := uint32(exitInterrupted)
	if c.Run.Frames == 0 {
		code = exitOK
	}
	r.page.interrupted.Store(code)
}

// inform tells the parent that the run has ended by itself, so that its error is the result, and returns the error. A
// panic that was caught is a death.
func (p *program) inform(err error) error {
	if p.page != nil && !p.panicked {
		p.page.ended.Store(1)
	}
	return err
}
