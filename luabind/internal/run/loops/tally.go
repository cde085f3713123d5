package loops

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Counts of rows: how many rows of a loop ran in which way, for `ecsrun explain --live` and for tests.

// A Tally counts what the kernels of a loop have done, in all instances of the file.
type Tally struct {
	Machine  int // rows that ran as machine code
	Shared   int // of these, rows that ran on several cores
	Closures int // rows that ran as closures
	Left     int // rows that a kernel left to the interpreter
	Rested   int // walks that the interpreter ran because kernels had left too many rows before

	Inherited string // a component that entities inherit, because of which closures did rows of machine code; "" without one

	Long string // a list of more elements than are copied, whose keys were looked up one by one; "" without one
}

// Tally returns what the kernels of a loop have done so far; the zero value for a loop without kernels.
func (r *Runner) Tally(l *Loop) Tally {
	for i, known := range r.kernels {
		if known == l && r.tallies != nil {
			return r.tallies[i]
		}
	}
	return Tally{}
}

func (r *Runner) tally(s *site) *Tally {
	if r.tallies == nil {
		r.tallies = make([]Tally, len(r.kernels))
	}
	return &r.tallies[s.number]
}

// count adds what a kernel has done in one run.
func (r *Runner) count(s *site, v *variant, how kernel.Ending) {
	r.counted(s, v, v.kernel.Rows())
	if how == kernel.Bailout {
		r.tally(s).Left++
	}
}

// counted adds the rows that a kernel has done in one run.
func (r *Runner) counted(s *site, v *variant, rows int) {
	t := r.tally(s)
	if v.long > 0 && t.Long == "" {
		t.Long = s.linked.named(v.long - 1)
	}
	if !v.machine {
		t.Closures += rows
		return
	}
	if x, ok := v.kernel.(sideExiting); ok {
		if t.Inherited == "" && x.ByClosures() > 0 {
			t.Inherited = inheritedBy(v.kernel, s)
		}
		t.Closures += x.ByClosures()
		rows -= x.ByClosures()
	}
	t.Machine += rows
	if v.shares != nil {
		t.Shared += v.shares.Shared()
	}
}

// A sideExiting is a kernel of machine code that leaves rows to closures. ByClosures returns how many of the last run these were,
// and Rests whether they were so many that closures do the next walks.
type sideExiting interface {
	ByClosures() int
	Rests() bool
}

// inheritedBy returns the name of a component because of which a kernel left rows to closures: entities inherit it.
func inheritedBy(k kernel.Kernel, s *site) string {
	if x, ok := k.(interface {
		Inherits() (ecs.ComponentID, bool)
	}); ok {
		if id, is := x.Inherits(); is {
			info, _ := s.world().ECS().ComponentInfo(id)
			return info.Name
		}
	}
	return ""
}

// A copying is a kernel of machine code that copies rows. Copies reports whether these were so many that closures do the next
// walks.
type copying interface{ Copies() bool }

// A sharer is a kernel whose rows may run on several cores. Shared returns how many of the last run did.
type sharer interface{ Shared() int }

// rested adds a walk that the interpreter runs because the kernel rests: see pace.go.
func (r *Runner) rested(s *site) { r.tally(s).Rested++ }
