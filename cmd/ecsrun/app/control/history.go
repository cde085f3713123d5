package control

import (
	"fmt"

	"github.com/ecsrun/ecsrun/config"
)

// history.*: going back to earlier frames, and forward again. The run keeps the copies.

// A History is what a run keeps of its earlier frames. Its methods are called on an edge, on the goroutine of the world.
type History interface {
	// Start begins to keep copies in so many bytes, or changes the bound.
	Start(memory uint64) error
	Kept() Kept
	// Back puts the run back to the last copy up to a frame, unless the frame lies between that copy and where the world stands.
	Back(frame uint64) error
}

// Kept says what a History has.
type Kept struct {
	On     bool     `json:"on"`
	First  uint64   `json:"first"`  // the first frame that can be gone to
	Last   uint64   `json:"last"`   // the last one that was run
	Copies []uint64 `json:"copies"` // the frames of the copies
	Bytes  uint64   `json:"bytes"`  // of the copies
	Memory uint64   `json:"memory"` // what they may take
}

const defaultHistory = "256MiB"

func going() []*Method {
	return []*Method{
		{
			Name: "history.start", Doc: "Keeps copies of the run from now on, of which the oldest ones make room; --history SIZE does so from the start. They take at most 2 % of the time.",
			Params: []Param{{"memory", Text, false, "how much the copies may take, " + defaultHistory + " if it is left out"}},
			do:     (*Plane).historyStart,
		},
		{
			Name: "history.list", Doc: "Says which frames can be gone to.", Reads: true, Result: "on, first, last, copies (their frames), bytes, memory",
			do: func(p *Plane, _ *call) (any, error) { return p.host.History.Kept(), nil },
		},
		{
			Name: "history.goto", Doc: "Goes to a frame that was run, and pauses: from the last copy before it the frames run again, with the same results. What was done to the world behind the frame is done again when the run goes on, until a call there may write, or a line of input comes: that begins another way, and drops it.",
			Params: []Param{{"frame", Whole, true, "from first to last of history.list"}},
			do:     (*Plane).historyGoto,
		},
	}
}

func (p *Plane) historyStart(c *call) (any, error) {
	text := defaultHistory
	if c.args.has("memory") {
		text = c.args.text("memory")
	}
	memory, err := config.ParseSize(text)
	if err != nil {
		return nil, wrong(CodeParams, "history.start: \"memory\": %v", err)
	}
	if sys := p.stand.within; sys != nil {
		return nil, wrong(CodeFailed, "the world stands within a frame, before the turn of %q, and is copied between frames; run.step ends the frame", sys.Name())
	}
	return nil, p.host.History.Start(memory)
}

func (p *Plane) historyGoto(c *call) (any, error) {
	if err := p.noStep(); err != nil {
		return nil, err
	}
	if p.stand.over {
		return nil, wrong(CodeEnded, "the run has ended: %s", p.stand.ended)
	}
	kept, frame := p.host.History.Kept(), c.args.whole("frame")
	switch {
	case !kept.On:
		return nil, wrong(CodeFailed, "no history is kept; history.start begins to keep it, and run --history 256MiB keeps it from the start")
	case len(kept.Copies) == 0:
		return nil, wrong(CodeFailed, "no frame is kept: a copy of the world takes more memory than the history may; history.start with more memory")
	case frame < kept.First:
		return nil, wrong(CodeFailed, "frame %d is before the history, which begins with frame %d", frame, kept.First)
	case frame > kept.Last:
		return nil, wrong(CodeFailed, "frame %d was not run yet, the last one is %d; run.step goes on", frame, kept.Last)
	}
	if p.stand.within != nil {
		p.stand.step, p.stand.paused = &step{call: c, back: true, rush: true}, false
		return nil, errLater
	}
	if err := p.host.History.Back(frame); err != nil {
		return nil, fmt.Errorf("history.goto: %w", err)
	}
	now := p.world.Frame()
	p.wentBack(now)
	p.stand.ended, p.stand.paused = "", true
	if now == frame {
		return nil, nil
	}
	p.stand.paused = false
	p.stand.step = &step{call: c, from: now, to: frame, rush: true}
	return nil, errLater
}

// wentBack forgets what has happened after a frame.
func (p *Plane) wentBack(frame uint64) {
	p.frame.Store(frame)
	p.writers.back(p.world.Tick())
	p.times.back(frame)
	p.turns = p.turns[:0]
	for _, w := range p.watches {
		w.looked, w.fresh, w.page = min(w.looked, frame), true, nil
		if w.framed {
			w.looked = 0
		}
	}
}
