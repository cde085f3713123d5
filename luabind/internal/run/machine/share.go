package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Rows on several cores. If no row of a call reads what another one writes (abi.Unit.OneCore), parts of the rows are run by the
// workers of a pool (worker.go). Then the parts are committed in the order of the rows: their fuel is paid, their rows are
// stamped, their effects are made. At the first row that did not end, for which the budget does not suffice, or whose random
// numbers were not those that it should have drawn, the commit stops. The rows from there on are undone (shareundo.go), and
// this core does them again. So everything is as if one core had done all rows.

// sharing is how the rows of large tables are shared among the workers of a pool. Workers are made when rows are first
// shared. While the pool runs, each worker is used by one goroutine at a time, and nobody writes the frame of the kernel.
type sharing struct {
	pool    ecs.Pool // nil: one core does all rows
	from    int      // rows that are shared in any case; 0: as many as are worth it. See memory.Instruments
	workers []*worker
	free    chan *worker

	row, n int // of the rows at hand
	part   int // rows of a part
	parts  []part
	run    func(int) // runs a part
	fill   func(int) // fills a part of the cache of the grid of loop filled
	filled int
	saved  []savedView

	total int // rows of the current run that were shared
	alone int // rows that this core does before rows are shared again
	least int // rows that this core does next while a loop over near entities has not asked for its snapshot

	// What rows have cost so far, and how many were shared in vain. Both numbers of a pair are halved when they are large.
	fuel, rows   int64
	kept, undone int64
}

// A part is some of the rows that are shared. A worker runs it in calls.
type part struct {
	from, to int // rows of the table
	start    ecs.RandomState
	calls    []partCall
	records  []byte // of effects, of all calls
}

// A partCall is a call of the code, all rows of which have ended.
type partCall struct {
	to      int // row after the last one
	fuel    int64
	records int // bytes of the records of effects
	stream  ecs.RandomState
}

const (
	worthwhile = 500_000 // nanoseconds of work: to wake a worker costs a tenth of that
	partsEach  = 4       // parts for each worker
	mostShared = 1 << 18 // rows that are shared at a time if they may have to be undone
	fuelTime   = 0.2     // nanoseconds that a unit of fuel takes at least
	leastAlone = 64
	mostPoints = 16 // points of a grid for each row: beyond, it is not worth while to cache all of them
)

// begin is called when a run begins.
func (s *sharing) begin() { s.alone, s.least, s.total = 0, leastAlone, 0 }

// next returns how many of n rows this core does in the next call.
func (s *sharing) next(n int) int {
	if s.alone > 0 {
		n = min(n, s.alone)
		s.alone -= n
	}
	return n
}

// Shared returns how many rows of the last run were shared among cores.
func (k *Kernel) Shared() int { return k.sharing.total }

// share runs some rows from a row on, on the cores of the pool. It returns how many it has done; 0 if this core is to do
// the next ones.
func (k *Kernel) share(row, n int) (done int) {
	s := &k.sharing
	if s.pool == nil || k.unit.OneCore != "" || s.alone > 0 || s.pool.Workers() < 2 {
		return 0
	}
	if !k.worthSharing(n) {
		return 0
	}
	if !k.certain() {
		n = min(n, mostShared)
	} else if _, ok := k.affords(n); !ok {
		return 0
	}
	if !k.snapshotsReady(n) || !k.makeWorkers() || !k.makeParts(row, n) {
		return 0
	}
	k.fillCaches()
	k.tell(row, n)
	s.pool.Run(len(s.parts), s.run)
	done = k.commit()
	if s.total += done; done < n {
		k.undo(row+done, row+n)
	}
	s.kept, s.undone = s.kept+int64(done), s.undone+int64(n-done)
	if s.kept+s.undone > 1<<40 {
		s.kept, s.undone = s.kept/2, s.undone/2
	}
	return done
}

// certain reports whether all rows end, and make no effects and draw no numbers.
func (k *Kernel) certain() bool { return len(k.unit.FuelChecks) > 0 }

// worthSharing reports whether some rows take so long that to wake workers is worth while, and whether rows that were
// shared before did not have to be undone too often.
func (k *Kernel) worthSharing(n int) bool {
	s := &k.sharing
	if s.from > 0 {
		return n >= s.from
	}
	time := k.unit.Nanoseconds
	if s.rows > 0 {
		time = max(time, fuelTime*float64(s.fuel)/float64(s.rows))
	}
	return float64(n)*time >= worthwhile && s.undone <= s.kept/4+mostShared
}

// countFuel notes what some rows have cost.
func (s *sharing) countFuel(fuel int64, rows int) {
	if s.fuel, s.rows = s.fuel+fuel, s.rows+int64(rows); s.fuel > 1<<40 {
		s.fuel, s.rows = s.fuel/2, max(1, s.rows/2)
	}
}

// affords returns what each row costs, if that is known, and whether the budget suffices for n rows.
func (k *Kernel) affords(n int) (cost int64, ok bool) {
	for _, t := range k.unit.FuelChecks {
		cost += t.Price * k.iterations(t)
	}
	return cost, k.frame.Fuel.Affords(cost * int64(n))
}

// iterations returns how often a fuel check is paid for.
func (k *Kernel) iterations(t abi.FuelCheck) int64 {
	if t.Walk < 0 {
		return t.Iterations
	}
	return k.outside.rows[t.Walk]
}

// brief returns how many rows take well under a millisecond. Go's collector waits as long as a call runs.
func (k *Kernel) brief() int {
	return max(1, min(abi.MostRows, int(200_000/max(1, k.unit.Nanoseconds))))
}

// snapshotsReady reports whether all loops over near entities have their snapshots, and whether it is worth while to cache
// them for n rows. A snapshot is taken when the first row asks for it, and not before: later frames depend on that. Until
// then this core does some rows.
func (k *Kernel) snapshotsReady(n int) bool {
	s := &k.sharing
	for loop := range k.unit.Nears {
		v := k.frame.GridView(loop)
		if v.Ready == 0 {
			s.alone = s.least
			s.least = min(2*s.least, abi.MostRows)
			return false
		}
		if v.Points != 0 && s.from == 0 && k.pointsOf(loop) > mostPoints*n {
			return false
		}
	}
	return true
}

// pointsOf returns how many points the snapshot of a loop has. It has some.
func (k *Kernel) pointsOf(loop int) int {
	return k.taken.nears[loop].Len*4/int(abi.FoundSize) - 1
}

// fillCaches completes the caches of all grids, on all cores. Workers only read them.
func (k *Kernel) fillCaches() {
	s := &k.sharing
	for loop, near := range k.unit.Nears {
		owner := slices.IndexFunc(k.unit.Nears, func(n *ir.Stmt) bool { return n.Grid == near.Grid }) == loop
		if v := k.frame.GridView(loop); owner && v.Points != 0 {
			s.filled = loop
			s.pool.Run(min(len(s.parts), int(v.LastRow)+1), s.fill)
		}
	}
}

// makeParts divides rows into parts, and makes room for what workers leave. It returns false if there is no memory.
func (k *Kernel) makeParts(row, n int) bool {
	s := &k.sharing
	if k.unit.Marks >= 0 && k.taken.marks.Set((n+3)/4) == nil {
		return false
	}
	for loop := range k.unit.Nears {
		for _, w := range s.workers {
			if k.frame.GridView(loop).Points != 0 && w.lists[loop].Set((k.pointsOf(loop)+1)*int(abi.FoundSize)/4) == nil {
				return false
			}
		}
	}
	k.planSaves(n)
	parts := s.pool.Workers() * partsEach
	s.row, s.n = row, n
	s.part = ((n+parts-1)/parts + 63) &^ 63
	for len(s.parts) < parts {
		s.parts = append(s.parts, part{})
	}
	s.parts = s.parts[:(n+s.part-1)/s.part]
	for i := range s.parts {
		p := &s.parts[i]
		p.from, p.to = row+i*s.part, min(row+(i+1)*s.part, row+n)
		if k.program.Random {
			p.start = k.frame.Stream.Advance(uint64(k.unit.Draws) * uint64(i*s.part))
		}
	}
	return true
}
