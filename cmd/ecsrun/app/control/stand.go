package control

import (
	"math"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/ecs"
)

// Whether the world goes on: pausing, stepping, the end of a run.

// A stand says whether the world goes on.
type stand struct {
	paused   bool
	within   *ecs.System // whose turn is next, where the world stands within a frame; nil at an edge
	step     *step       // nil: no step is under way
	speed    float64
	stopping bool
	reason   string // of run.stop
	closing  bool   // no more calls come: a step that none waits for ends
	ended    string // why no frame can follow; "" while one can
	over     bool   // nor can the world go back: the run is to be saved
}

// A step is a run.step or a history.goto under way.
type step struct {
	call  *call
	from  uint64       // the frame in which it began
	to    uint64       // the frame after which it ends; math.MaxUint64: no bound
	turn  bool         // it is one of a turn
	taken bool         // that turn has begun
	back  bool         // it ends the frame begun, and then goes back
	rush  bool         // its frames do not wait for the clock
	until *query.Query // ends it; nil: only the number of frames does
}

func standing() []*Method {
	return []*Method{
		{
			Name: "run.pause", Doc: "Pauses the run, at once, also in an endless turn: answers which turn runs; the world stands at the next edge.",
			Result: "system, frame, seconds in this turn", now: (*Plane).pause,
		},
		{Name: "run.interrupt", Doc: "Ends the running turn as a limit does. The run is marked: another one may differ.", now: (*Plane).interrupt},
		{Name: "run.resume", Doc: "Goes on until a pause or the end.", do: (*Plane).resume},
		{
			Name: "run.step", Doc: "Runs some frames, one turn, or up to a frame after which a query matches, and pauses; answers when that is done. Another pause ends it.",
			Params: []Param{
				{"frames", Whole, false, "how many frames, 1 if nothing else is given; with until: how many at most"},
				{"system", Truth, false, "the next turn only"},
				{"until", Text, false, "a query; the step ends after the first frame in which an entity matches"},
			},
			do: (*Plane).step,
		},
		{
			Name: "run.speed", Doc: "Sets the pace.",
			Params: []Param{{"speed", Number, true, "a factor of real time; 0: as fast as it goes"}},
			do:     (*Plane).speed,
		},
		{
			Name: "run.stop", Doc: "Ends the run at the next edge, with exit code 0, or the one that it would have had where it stands at its end or failure.",
			Params: []Param{{"reason", Text, false, "is in the summary"}},
			do:     (*Plane).stop,
		},
		{Name: "run.snapshot", Doc: "Saves now, into the folder of --snapshot.", do: (*Plane).snapshot},
	}
}

// A turnNow is the answer of run.pause. System is nil between turns.
type turnNow struct {
	System  *string `json:"system"`
	Frame   uint64  `json:"frame"`
	Seconds float64 `json:"seconds"`
}

// marker is what run.pause and the end of a connection put into the mailbox.
func marker(do func(p *Plane)) *call {
	return &call{method: &Method{do: func(p *Plane, _ *call) (any, error) { do(p); return nil, nil }}, done: make(chan outcome, 1)}
}

func (p *Plane) pause(s *Session, _ args) (any, error) {
	now := turnNow{Frame: p.frame.Load()}
	if sys := p.running.Load(); sys != nil {
		name := sys.Name()
		now.System = &name
		now.Seconds = (time.Since(p.began) - time.Duration(p.since.Load())).Seconds()
	}
	p.asked.Add(1)
	p.post(marker(func(p *Plane) {
		p.asked.Add(-1)
		p.stands(nil)
	}))
	return now, nil
}

func (p *Plane) interrupt(*Session, args) (any, error) {
	p.host.Interrupt()
	return nil, nil
}

// stands ends the step under way, and lets the world stand.
func (p *Plane) stands(err error) {
	p.stand.paused = true
	if s := p.stand.step; s != nil {
		p.stand.step = nil
		s.call.finish(nil, err)
	}
}

// goes lets the world go on.
func (p *Plane) goes() error {
	if p.stand.ended != "" {
		return p.noMore(p.stand.ended)
	}
	if p.stand.paused {
		p.stand.paused = false
		p.host.SetSpeed(p.stand.speed)
	}
	return nil
}

// noMore is the error of a call for a frame that cannot follow.
func (p *Plane) noMore(reason string) error {
	if last := p.host.Last(); last > 0 && p.world.Frame() >= last {
		return wrong(CodeEnded, "there is no frame beyond the last one: %s", reason)
	}
	return wrong(CodeEnded, "the run has ended: %s", reason)
}

func (p *Plane) resume(*call) (any, error) {
	if s := p.stand.step; s != nil {
		p.stand.step = nil
		s.call.finish(nil, nil)
	}
	return nil, p.goes()
}

func (p *Plane) step(c *call) (any, error) {
	s := &step{call: c, from: p.world.Frame(), to: p.world.Frame() + 1}
	if err := p.noStep(); err != nil {
		return nil, err
	}
	if c.args.has("frames") {
		if c.args.whole("frames") == 0 {
			return nil, wrong(CodeParams, `run.step: "frames": a whole number from 1 expected`)
		}
		s.to = s.from + c.args.whole("frames")
	}
	switch {
	case c.args.truth("system"):
		if c.args.has("frames") || c.args.has("until") {
			return nil, wrong(CodeParams, `run.step: "system" stands alone; "frames" counts whole frames`)
		}
		s.turn = true
	case c.args.has("until"):
		q, err := p.parseQuery(c.args.text("until"))
		if err != nil {
			return nil, err
		}
		if s.until = q; !c.args.has("frames") {
			s.to = math.MaxUint64
		}
	}
	if last := p.host.Last(); last > 0 && p.world.Frame() >= last && p.stand.within == nil && p.stand.ended == "" {
		return nil, wrong(CodeEnded, "there is no frame beyond the last one, %d", last)
	}
	if err := p.goes(); err != nil {
		return nil, err
	}
	p.stand.step = s
	return nil, errLater
}

// noStep returns an error if a step is under way.
func (p *Plane) noStep() error {
	if p.stand.step != nil {
		return wrong(CodeFailed, "a step is under way; run.pause ends it")
	}
	return nil
}

func (p *Plane) speed(c *call) (any, error) {
	f := c.args.number("speed")
	if f < 0 {
		return nil, wrong(CodeParams, `run.speed: "speed": a factor from 0 expected`)
	}
	p.stand.speed = f
	p.host.SetSpeed(f)
	return nil, nil
}

func (p *Plane) stop(c *call) (any, error) {
	p.stand.stopping, p.stand.reason = true, c.args.text("reason")
	return nil, nil
}

func (p *Plane) snapshot(*call) (any, error) {
	if sys := p.stand.within; sys != nil {
		return nil, wrong(CodeFailed, "the world stands within a frame, before the turn of %q, and is saved between frames; run.step ends the frame", sys.Name())
	}
	return nil, p.host.Snapshot()
}

// Edge is called on each frame edge before a frame, on the goroutine of the world. It returns when the next frame is to begin,
// or when done is closed. It reports false if the run is to stop; Stopped has the reason.
func (p *Plane) Edge(done <-chan struct{}) bool {
	if !p.wants.Load() {
		return true
	}
	p.done = done
	p.frameEnded()
	return p.serve(done)
}

// Answer answers what has come while the run waits for something else before a frame, and waits while it is paused. The result is
// that of Edge.
func (p *Plane) Answer(done <-chan struct{}) bool {
	p.done = done
	return p.serve(done)
}

// frameEnded looks at the step under way, at an edge.
func (p *Plane) frameEnded() {
	s, frame := p.stand.step, p.world.Frame()
	switch {
	case s == nil:
	case s.back:
		p.stand.step, p.stand.paused = nil, true
		p.begin(s.call)
	case s.turn:
		if s.taken || frame > s.from {
			p.stands(nil) // the turn was the last one of its frame, or the frame had none
		}
	case frame == s.from:
	case frame >= s.to || s.until != nil && s.until.Any():
		p.stands(nil)
	case p.stand.closing && p.empty():
		p.stands(wrong(CodeEnded, "the step has ended early: stdin was closed"))
	}
}

// between is called before the turn of a system.
func (p *Plane) between(sys *ecs.System) {
	switch s := p.stand.step; {
	case s != nil && s.turn && s.taken:
		p.stands(nil)
		p.stand.within = sys
		p.serve(p.done)
		p.stand.within = nil
		if s := p.stand.step; s != nil {
			s.taken = true
		}
	case s != nil && s.turn:
		s.taken = true
	case p.wants.Load() && time.Since(p.began)-p.frameBegan > longFrame:
		p.inside = true
		p.work(between, time.Time{})
		p.inside = false
	}
}

// Wait is called while the run waits for the clock, which timer tells. It answers calls, and returns early if done is closed or
// the run is to pause or stop.
func (p *Plane) Wait(timer <-chan time.Time, due time.Time, done <-chan struct{}) {
	for !p.stand.paused && !p.stand.stopping {
		more := p.work(idle, due)
		select {
		case <-timer:
			return
		case <-done:
			return
		default:
		}
		if more {
			continue
		}
		select {
		case <-timer:
			return
		case <-done:
			return
		case <-p.bell:
		}
	}
}

// Stay keeps the world at its end or failure until run.stop, or until done is closed. failure is the error that has ended the
// run, nil if there is none. It reports true if the world went back, and frames can follow.
func (p *Plane) Stay(done <-chan struct{}, reason string, failure error) (again bool) {
	p.finish(reason, failure)
	p.stand.ended = reason
	p.serve(done)
	return p.stand.ended == ""
}

// Bell rings when there is something to answer. The Plane may be nil.
func (p *Plane) Bell() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.bell
}

// Rest answers what has come while the run waits at its failure for something else than a call. It reports false if the run is to
// stop.
func (p *Plane) Rest(reason string, failure error) bool {
	p.finish(reason, failure)
	p.stand.ended = reason
	for p.work(idle, time.Time{}) {
	}
	return !p.stand.stopping
}

// Again says that frames follow after a failure. The Plane may be nil.
func (p *Plane) Again() {
	if p != nil && p.stand.ended != "" {
		p.stand.ended, p.stand.paused = "", false
		p.host.SetSpeed(p.stand.speed)
	}
}

// finish ends the step under way for the end of a run.
func (p *Plane) finish(reason string, failure error) {
	if failure == nil {
		if s := p.stand.step; s == nil || !s.back {
			p.frameEnded()
		}
		failure = p.noMore(reason)
	}
	p.stands(failure)
}

// Within reports whether the world stands within a frame, between two turns.
func (p *Plane) Within() bool { return p.stand.within != nil }

// Rushing reports whether the run is to reach a frame without waiting for the clock. The Plane may be nil.
func (p *Plane) Rushing() bool { return p != nil && p.stand.step != nil && p.stand.step.rush }

// Ended reports whether the world stands at its end or failure.
func (p *Plane) Ended() bool { return p.stand.ended != "" }

// Stepping reports whether a run.step is under way. The Plane may be nil.
func (p *Plane) Stepping() bool { return p != nil && p.stand.step != nil }

// Stopping reports whether run.stop was called. The Plane may be nil.
func (p *Plane) Stopping() bool { return p != nil && p.stand.stopping }

// Stopped returns the reason of run.stop; ok is false if it was not called.
func (p *Plane) Stopped() (reason string, ok bool) { return p.stand.reason, p.stand.stopping }

// serve answers calls, and returns when the world is to go on.
func (p *Plane) serve(done <-chan struct{}) bool {
	for {
		m := atEdge
		if p.stand.paused {
			m = idle
		}
		more := p.work(m, time.Time{})
		p.tell()
		if p.stand.stopping {
			break
		}
		if !p.stand.paused {
			break
		}
		if more {
			continue
		}
		select {
		case <-p.bell:
		case <-done:
			p.settle()
			return true
		}
	}
	p.settle()
	return !p.stand.stopping
}
