package control

import (
	"log/slog"
)

// The stream log: what scripts print, log and fail with.

// A logged is a line of the log.
type logged struct {
	frame uint64
	Kind  string         `json:"kind"` // print, log or error
	Level string         `json:"level,omitempty"`
	Text  string         `json:"text"`
	Attrs map[string]any `json:"attrs,omitempty"`
}

// Logging reports whether somebody watches the log. The Plane may be nil.
func (p *Plane) Logging() bool { return p != nil && p.logging.Load() }

// Print notes what a script prints, a line.
func (p *Plane) Print(line string) { p.addLog(logged{Kind: "print", Text: line}) }

// Failed notes a failure.
func (p *Plane) Failed(text string) { p.addLog(logged{Kind: "error", Text: text}) }

// Record notes a record of the log.
func (p *Plane) Record(r slog.Record) {
	l := logged{Kind: "log", Level: r.Level.String(), Text: r.Message}
	r.Attrs(func(a slog.Attr) bool {
		if l.Attrs == nil {
			l.Attrs = map[string]any{}
		}
		l.Attrs[a.Key] = a.Value.Resolve().String()
		return true
	})
	p.addLog(l)
}

func (p *Plane) addLog(l logged) {
	l.frame = p.frame.Load()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.lines) < mostItems {
		p.lines = append(p.lines, l)
	}
}

func (p *Plane) takeLog() []logged {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.lines
	p.lines = nil
	return lines
}

// Refused has it logged that a request was refused: by whom, and why. Any goroutine may call it.
func (p *Plane) Refused(what, by, why string) {
	if p.refusals.Add(1) > mostRefusals {
		return // they are logged at the next edge
	}
	p.post(marker(func(p *Plane) {
		p.host.Log.Warn("inspector: refused "+what, "from", by, "why", why)
		p.refusals.Add(-1)
	}))
}

// mostRefusals is how many lines about refused requests wait to be logged. Others are not.
const mostRefusals = 100
