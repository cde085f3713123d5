package control

import (
	"bytes"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/query"
	"github.com/ecsrun/ecsrun/ecs"
)

// What a client is told without asking: a notification `watch` with the id of its watch, a frame and data.

func telling() []*Method {
	return []*Method{
		{
			Name: "watch.start", Doc: "Sends a notification `watch` with id, frame and data when there is something new; by WebSocket and stdin only. A slow client loses some, and `lost` says how many.", Result: "id",
			Params: []Param{
				{"stream", Text, true, "frames (seconds, entities, time; turns with system, start and seconds), log (what scripts print, log and fail with), events, query (as world.query, when the answer changes) or resource (when its value changes)"},
				{"every", Whole, false, "frames between two looks, 1 if it is left out; for frames, query and resource"},
				{"turns", Truth, false, "frames: also each turn"},
				{"events", Strings, false, "events: their names, all if it is left out"},
				{"resource", Text, false, "resource: its name"},
				{"query", Text, false, "query: as for world.query"},
				{"where", Text, false, "as for world.query"},
				{"sort", Text, false, "as for world.query"},
				{"limit", Whole, false, "as for world.query"},
			},
			do: (*Plane).watch,
		},
		{
			Name: "watch.stop", Doc: "Ends a watch. It is no mistake if there is none of that id.",
			Params: []Param{{"id", Whole, true, "what watch.start has answered"}},
			do:     (*Plane).unwatch,
		},
	}
}

// mostWatches is how many watches a connection may have, and mostItems how many events or lines of the log one notification has.
const (
	mostWatches = 100
	mostItems   = 1000
)

// A watch is what a connection has asked to be told.
type watch struct {
	id      uint64
	session *Session
	every   uint64
	looked  uint64        // the frame in which it was looked last
	lost    atomic.Uint64 // notifications, since the last one that was sent
	framed  bool          // it is told of frames
	turns   bool
	logs    bool
	fresh   bool // nothing was sent yet
	tap     *ecs.EventTap
	row     ecs.Row // of a resource; the zero Row: none
	look    func() (*page, error)
	page    *page // a look under way
	last    []byte
}

func (p *Plane) watch(c *call) (any, error) {
	s := c.by
	if s.notify == nil {
		return nil, wrong(CodeFailed, "watch.start: notifications come by WebSocket and stdin only")
	}
	mine := 0
	for _, w := range p.watches {
		if w.session == s {
			mine++
		}
	}
	if mine >= mostWatches {
		return nil, wrong(CodeFailed, "watch.start: a connection has at most %d watches", mostWatches)
	}
	w := &watch{session: s, every: 1, fresh: true}
	if c.args.has("every") {
		w.every = max(1, c.args.whole("every"))
	}
	stream := c.args.text("stream")
	for name, of := range map[string]string{"turns": "frames", "events": "events", "resource": "resource", "query": "query", "where": "query", "sort": "query", "limit": "query"} {
		if c.args.has(name) && stream != of {
			return nil, wrong(CodeParams, "watch.start: %q belongs to the stream %q", name, of)
		}
	}
	switch stream {
	case "frames":
		w.framed, w.turns = true, c.args.truth("turns")
		w.looked = p.world.Frame()
	case "log":
		w.logs = true
	case "events":
		var ids []ecs.EventID
		names := p.world.EventNames()
		if c.args.has("events") {
			_ = json.Unmarshal(c.args["events"], &names) // check has looked
		}
		for _, name := range names {
			id, ok := p.world.LookupEvent(name)
			if !ok {
				return nil, wrong(CodeParams, "event %q is not declared%s", name, query.Meant(name, "events", p.world.EventNames()))
			}
			ids = append(ids, id)
		}
		w.tap = p.world.TapEvents(ids...)
	case "resource":
		if !c.args.has("resource") {
			return nil, wrong(CodeParams, `watch.start: the stream "resource" needs a param "resource", its name`)
		}
		row, err := p.resource(c.args.text("resource"))
		if err != nil {
			return nil, err
		}
		w.row = row
	case "query":
		a := args{}
		for _, name := range []string{"query", "where", "sort", "limit"} {
			if c.args.has(name) {
				a[name] = c.args[name]
			}
		}
		w.look = func() (*page, error) { return p.newPage(a) }
		if _, err := w.look(); err != nil {
			return nil, err
		}
	default:
		return nil, wrong(CodeParams, "watch.start: there is no stream %q%s", stream, query.Meant(stream, "streams", []string{"frames", "log", "events", "query", "resource"}))
	}
	p.nextWatch++
	w.id = p.nextWatch
	s.pump()
	p.watches = append(p.watches, w)
	p.watched()
	return w.id, nil
}

func (p *Plane) resource(name string) (ecs.Row, error) {
	id, err := query.Resource(p.world, name)
	if err != nil {
		return ecs.Row{}, wrongParams(err)
	}
	return p.world.Resource(id), nil
}

func (p *Plane) unwatch(c *call) (any, error) {
	id := c.args.whole("id")
	p.dropWatches(func(w *watch) bool { return w.session == c.by && w.id == id })
	return nil, nil
}

// forget ends the watches of a connection that is gone.
func (p *Plane) forget(s *Session) {
	p.dropWatches(func(w *watch) bool { return w.session == s })
	s.stopPump()
}

func (p *Plane) dropWatches(which func(*watch) bool) {
	kept := p.watches[:0]
	for _, w := range p.watches {
		if !which(w) {
			kept = append(kept, w)
			continue
		}
		if w.tap != nil {
			w.tap.Close()
		}
	}
	clear(p.watches[len(kept):])
	p.watches = kept
	p.watched()
}

// watched notes what has to be collected.
func (p *Plane) watched() {
	logs := false
	p.timing = false
	for _, w := range p.watches {
		logs = logs || w.logs
		p.timing = p.timing || w.turns
	}
	p.logging.Store(logs)
}

// A notification is on its way to the goroutine that makes JSON of it.
type notification struct {
	of    *watch
	frame uint64
	data  any
	same  bool // it is left out if the data is that of the one before
}

// A frameData is what the stream frames has of a frame.
type frameData struct {
	Seconds  float64    `json:"seconds"`
	Entities int        `json:"entities"`
	Time     float64    `json:"time"`
	Turns    []turnData `json:"turns,omitempty"`
}

type turnData struct {
	System  string  `json:"system"`
	Start   float64 `json:"start"` // seconds after the beginning of the frame
	Seconds float64 `json:"seconds"`
}

type eventData struct {
	Event string `json:"event"`
	With  record `json:"with"`
}

// tell tells what is new, at an edge.
func (p *Plane) tell() {
	if len(p.watches) == 0 {
		return
	}
	frame := p.world.Frame()
	lines := p.takeLog()
	for _, w := range p.watches {
		if !w.session.reads() {
			w.leaveOut(frame, len(lines))
			continue
		}
		due := w.fresh || frame >= w.looked+w.every || p.stand.paused
		switch {
		case w.logs:
			for _, l := range lines {
				w.send(notification{frame: l.frame, data: l})
			}
		case w.tap != nil:
			p.tellEvents(w, frame)
		case w.framed && frame >= w.looked+w.every:
			w.looked = frame
			d := frameData{Seconds: time.Since(p.edge).Seconds(), Entities: p.world.Len(), Time: p.world.Time()}
			if w.turns {
				d.Turns = append(d.Turns, p.turns...)
			}
			w.send(notification{frame: frame, data: d})
		case w.row.Valid() && due:
			w.looked, w.fresh = frame, false
			w.send(notification{frame: frame, data: resourceValue(w.row), same: true})
		case w.look != nil && (due || w.page != nil):
			p.tellRows(w, frame)
		}
	}
	p.turns = p.turns[:0]
}

// reads reports whether the client has room for a notification. One that does not read costs no look at the world.
func (s *Session) reads() bool { return len(s.telling) < cap(s.telling) && s.notify(nil) }

// leaveOut counts what the client of a watch would have been told, and forgets it.
func (w *watch) leaveOut(frame uint64, lines int) {
	switch {
	case w.logs:
		w.lost.Add(uint64(lines))
	case w.tap != nil:
		for range w.tap.All {
			w.lost.Add(1) // one notification has the events of a frame
			break
		}
		w.tap.Clear()
	case frame >= w.looked+w.every:
		w.looked = frame
		w.lost.Add(1)
	}
	w.page = nil
}

func (p *Plane) tellEvents(w *watch, frame uint64) {
	var list []eventData
	names := p.world.EventNames()
	for id, row := range w.tap.All {
		if len(list) == mostItems {
			w.lost.Add(1)
			break
		}
		list = append(list, eventData{names[id], recordOf(row)})
	}
	w.tap.Clear()
	if len(list) > 0 {
		w.send(notification{frame: frame, data: list})
	}
}

// tellRows looks at the rows of a query, within the time of reads.
func (p *Plane) tellRows(w *watch, frame uint64) {
	now := time.Now()
	if !p.stand.paused && now.Before(p.readsAfter) {
		return
	}
	if w.page == nil {
		var err error
		if w.page, err = w.look(); err != nil {
			return // it was right before
		}
		w.looked, w.fresh = frame, false
	}
	slice := mostRead
	if !p.stand.paused {
		slice = max(leastRead, min(mostRead, now.Sub(p.edge)/readShare))
	}
	done, result, err := w.page.on(now.Add(slice))
	if !p.stand.paused {
		p.spend(time.Since(now))
	}
	switch {
	case err != nil:
		result, done = map[string]any{"error": err.Error()}, true
	case done:
		result = rowsData{result.(pageOf).Rows, result.(pageOf).Total}
	}
	if done {
		w.page = nil
		w.send(notification{frame: frame, data: result, same: true})
	}
}

type rowsData struct {
	Rows  []match `json:"rows"`
	Total int     `json:"total"`
}

// send hands a notification to the goroutine of its connection, if there is room.
func (w *watch) send(n notification) {
	n.of = w
	select {
	case w.session.telling <- n:
	default:
		w.lost.Add(1)
	}
}

// pump starts the goroutine that makes JSON of notifications.
func (s *Session) pump() {
	if s.telling != nil {
		return
	}
	telling, told, pumped := make(chan notification, 256), make(chan struct{}), make(chan struct{})
	s.telling, s.told, s.pumped = telling, told, pumped
	go func() {
		defer close(pumped)
		for {
			select {
			case n := <-telling:
				s.tell(n)
			case <-told:
				return
			case <-s.plane.over:
				for len(telling) > 0 {
					s.tell(<-telling)
				}
				return
			}
		}
	}()
}

func (s *Session) stopPump() {
	if s.telling != nil {
		close(s.told)
		s.telling = nil
	}
}

func (s *Session) tell(n notification) {
	if !s.notify(nil) {
		n.of.lost.Add(1)
		return
	}
	data, err := json.Marshal(n.data)
	if err != nil || n.same && bytes.Equal(data, n.of.last) {
		return
	}
	params := named{}
	params.add("id", n.of.id)
	params.add("frame", n.frame)
	params.add("data", json.RawMessage(data))
	lost := n.of.lost.Load()
	if lost > 0 {
		params.add("lost", lost)
	}
	text, err := params.MarshalJSON()
	if err != nil {
		return
	}
	if !s.notify(append(append([]byte(`{"jsonrpc":"2.0","method":"watch","params":`), text...), '}')) {
		n.of.lost.Add(1)
		return
	}
	n.of.lost.Add(-lost)
	if n.same {
		n.of.last = data
	}
}

// addTurn notes a turn for the stream frames.
func (p *Plane) addTurn(system string, began, ended time.Duration) {
	p.turns = append(p.turns, turnData{system, max(0, began-p.frameBegan).Seconds(), (ended - began).Seconds()})
}
