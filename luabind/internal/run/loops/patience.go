package loops

import "github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"

// Loops that have done little. Making a kernel takes some microseconds for each node of a loop. A loop over ten entities
// that runs for twenty frames never gets that back. So in a small world the interpreter runs a loop until it has done
// enough; then RUN makes closures, and later machine code (sparing.go). The results are the same, and the decision counts
// rows and fuel, so a run stays the same each time.
//
// The loop is not told when the interpreter has finished it. What is counted for it is the fuel up to the next loop that
// waits, or up to the end of the turn.

const (
	// nodeFuel is the fuel in which a kernel gains, for each node of its loop, the time in which it was made.
	nodeFuel = 400
	// rowFuel is the fuel that a row is expected to use for each node of its loop.
	rowFuel = 2
	// outerSpan is how many times as much as a loop needs one execution of it has to take, so that the loops in it no
	// longer wait for its kernel, which would contain them.
	outerSpan = 4
)

// A Patience counts the fuel of the loops that wait for a kernel. The Runners of one Lua state share one Patience.
type Patience struct {
	budget *sandbox.Budget
	site   *site // the loop that waits and has begun last in this turn
	since  int64 // the fuel of the turn then
}

// NewPatience returns the Patience for the loops of a Lua state.
func NewPatience(state *sandbox.State) *Patience { return &Patience{budget: state.Budget()} }

// Settle counts for the loop that waits what was used since it has begun. A turn ends with it.
func (p *Patience) Settle() {
	if p == nil || p.site == nil {
		return
	}
	p.site.worked += max(0, p.budget.Used()-p.since) // less than 0 if an observer has ended, which has its own count
	p.site = nil
}

// begins notes that the interpreter is to run a loop.
func (p *Patience) begins(s *site) {
	p.Settle()
	p.site, p.since = s, p.budget.Used()
}

// span returns the fuel that was used since a loop has begun that waits; 0 and false if another one has begun later.
func (p *Patience) span(s *site) (fuel int64, ok bool) {
	if p.site != s {
		return 0, false
	}
	return p.budget.Used() - p.since, true
}

// rests reports whether the interpreter is to run a loop that begins, because it has not done enough for a kernel. The
// walk is open.
func (s *site) rests(r *Runner) bool {
	p := r.Patience
	if s.tried || p == nil || r.Patient == nil || !r.Patient() || !r.waits(s.world().ECS()) {
		return false
	}
	need := r.kernels[s.number].needs()
	if o := s.waitsFor(); o != nil {
		fuel, running := p.span(o)
		if !running {
			p.begins(o)
		}
		if fuel < outerSpan*r.kernels[o.number].needs() {
			return true
		}
		o.long = true
	}
	p.Settle()
	if s.worked+s.expects(r) >= need {
		s.tried = true
		return false
	}
	p.begins(s)
	return true
}

// waitsFor returns the outermost loop around s that waits for a kernel, which would contain s; nil if there is none.
func (s *site) waitsFor() (found *site) {
	for o := s.outer; o != nil; o = o.outer {
		if !o.tried && !o.long {
			found = o
		}
	}
	return found
}

// needs returns the fuel from which on a kernel pays.
func (l *Loop) needs() int64 { return nodeFuel * int64(l.nodes) }

// expects returns the fuel that the walk that begins will use at least.
func (s *site) expects(r *Runner) int64 {
	rows := 0
	switch {
	case s.over != "":
		rows = s.events.Count()
	case !s.walk.Narrowed():
		rows = s.walk.Query().Rows()
	}
	return rowFuel * int64(rows) * int64(r.kernels[s.number].nodes)
}
