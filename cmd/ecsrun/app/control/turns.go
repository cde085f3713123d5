package control

import (
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sample"
	"github.com/ecsrun/ecsrun/ecs"
)

// schedule.turns: how long each system took in each of the last frames.

const (
	framesKept  = 10_000
	framesTold  = 2_000 // in one answer
	mostColumns = 512   // systems beyond them are not measured by frame
)

// turnTimes is a ring of the last frames. It grows while frames run, and then allocates nothing.
type turnTimes struct {
	columns map[*ecs.System]int
	systems []string
	totals  []systemTime
	now     frameTimes // the frame under way
	ring    []frameTimes
	next    int
}

type frameTimes struct {
	frame   uint64
	seconds []float32 // by column; systems that came later are left out
}

type systemTime struct{ total, last time.Duration }

// add counts a turn.
func (t *turnTimes) add(sys *ecs.System, frame uint64, d time.Duration) {
	if frame != t.now.frame {
		t.end()
		t.now.frame = frame
	}
	i, known := t.columns[sys]
	if !known {
		if i = len(t.systems); i == mostColumns {
			return
		}
		if t.columns == nil {
			t.columns = map[*ecs.System]int{}
		}
		t.columns[sys] = i
		t.systems, t.totals = append(t.systems, sys.Name()), append(t.totals, systemTime{})
	}
	for len(t.now.seconds) <= i {
		t.now.seconds = append(t.now.seconds, 0)
	}
	t.now.seconds[i] += float32(d.Seconds())
	t.totals[i].total += d
	t.totals[i].last = d
}

// end puts the frame under way into the ring.
func (t *turnTimes) end() {
	if len(t.now.seconds) == 0 {
		return
	}
	if len(t.ring) < framesKept {
		t.ring = append(t.ring, frameTimes{t.now.frame, append([]float32(nil), t.now.seconds...)})
	} else {
		old := &t.ring[t.next]
		old.frame, old.seconds = t.now.frame, append(old.seconds[:0], t.now.seconds...)
		t.next = (t.next + 1) % framesKept
	}
	clear(t.now.seconds)
}

// back forgets the frames after one.
func (t *turnTimes) back(frame uint64) {
	t.end()
	t.now.frame = 0
	ring := make([]frameTimes, 0, len(t.ring))
	for i := range t.ring {
		if f := t.ring[(t.next+i)%len(t.ring)]; f.frame <= frame {
			ring = append(ring, f)
		}
	}
	t.ring, t.next = ring, 0
}

func (t *turnTimes) of(sys *ecs.System) (seconds, last, share float64) {
	i, known := t.columns[sys]
	if !known {
		return 0, 0, 0
	}
	var all time.Duration
	for _, s := range t.totals {
		all += s.total
	}
	own := t.totals[i]
	return own.total.Seconds(), own.last.Seconds(), own.total.Seconds() / max(all.Seconds(), 1e-9)
}

type turnsOf struct {
	Systems []string     `json:"systems"`
	First   uint64       `json:"first"` // the first frame that is still known
	Frames  []framesTime `json:"frames"`
}

type framesTime struct {
	Frame   uint64    `json:"frame"`
	Seconds []float32 `json:"seconds"` // by system
}

func watching() []*Method {
	return []*Method{
		{
			Name: "schedule.turns", Doc: "Answers how many seconds each system took in each of the last 10,000 frames; at most 2,000 frames at once, the oldest first.", Reads: true, Result: "systems, first, frames",
			Params: []Param{{"after", Number, false, "only frames after this one"}},
			do:     (*Plane).turnsSince,
		},
		{
			Name: "world.sample", Doc: "Answers a number: count, sum, mean, min or max over a query, or a resource, as --sample.", Reads: true, Result: "number, null where there is none",
			Params: []Param{{"expression", Text, true, "as sum(Health.current) or mean(Health.current; #enemy)"}},
			do:     (*Plane).sample,
		},
		{
			Name: "system.explain", Doc: "Answers how the loops of a system run, and why.", Reads: true, Result: "loops",
			Params: []Param{{"system", Text, true, "its name"}},
			do:     (*Plane).explain,
		},
		{
			Name: "world.points", Doc: "Answers two fields of the entities that match as lists, for a map. Of more entities than the limit, every second, third and so on.", Reads: true, Result: "entities, x, y, colour, shape, total, low, high",
			Params: []Param{
				{"query", Text, false, "as for world.query"},
				{"x", Text, true, "a number field, as Position.x"},
				{"y", Text, true, "a number field"},
				{"colour", Text, false, "a number field"},
				{"shape", Text, false, "a tag; those that have it get shape 1, the others 0"},
				{"limit", Whole, false, "how many entities at most, 50,000 if it is left out"},
			},
			do: (*Plane).points,
		},
	}
}

func (p *Plane) turnsSince(c *call) (any, error) {
	t := &p.times
	if p.stand.within == nil && !p.inside {
		t.end()
		t.now.frame = 0
	}
	out := turnsOf{Systems: append([]string{}, t.systems...), Frames: []framesTime{}}
	after := -1.0
	if c.args.has("after") {
		after = c.args.number("after")
	}
	for i := range t.ring {
		f := &t.ring[(t.next+i)%len(t.ring)]
		if i == 0 {
			out.First = f.frame
		}
		if float64(f.frame) > after && len(out.Frames) < framesTold {
			out.Frames = append(out.Frames, framesTime{f.frame, append([]float32{}, f.seconds...)})
		}
	}
	return out, nil
}

type loopOf struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Runs   string `json:"runs"` // machine code, closures, interpreted
	Reason string `json:"reason"`
	Advice string `json:"advice"`
}

func (p *Plane) explain(c *call) (any, error) {
	name := c.args.text("system")
	sys := p.host.Runtime.Schedule().Find(name)
	if sys == nil {
		var names []string
		for _, s := range p.host.Runtime.Schedule().Systems() {
			names = append(names, s.Name())
		}
		return nil, wrong(CodeParams, "there is no system %q%s", name, query.Meant(name, "systems", names))
	}
	out := struct {
		Loops []loopOf `json:"loops"`
	}{[]loopOf{}}
	script := p.host.Script(name)
	for _, l := range p.host.Runtime.Explain() {
		if script == "" || l.File != script {
			continue
		}
		loop := loopOf{File: l.File, Line: l.Line, Runs: "machine code", Reason: l.Reason, Advice: l.Advice}
		switch {
		case l.Reason != "":
			loop.Runs = "interpreted"
		case l.Closures != "":
			loop.Runs, loop.Reason = "closures", l.Closures
		}
		out.Loops = append(out.Loops, loop)
	}
	return out, nil
}

func (p *Plane) sample(c *call) (any, error) {
	s, err := sample.Parse(p.world, c.args.text("expression"))
	if err != nil {
		return nil, wrong(CodeParams, "%v", err)
	}
	v, ok := s.Read()
	if !ok {
		return nil, nil
	}
	return field{value: ecs.Number(v)}, nil
}
