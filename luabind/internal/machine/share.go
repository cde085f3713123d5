package machine

import (
	"context"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/tetratelabs/wazero/api"
)

// Rows on several cores. If the rows of a call are independent (see package analysis), parts of them are run by the workers
// of a pool, each with a frame of its own. Their fuel is known beforehand and paid afterwards, as if one core had run them.

// sharing is how the rows of large tables are shared among the workers of a pool. Workers are made when rows are first
// shared. While the pool runs, each worker is used by one goroutine at a time, and nobody writes the frame of the kernel.
type sharing struct {
	pool    ecs.Pool // nil: one core does all rows
	workers []*worker
	row, n  int // of the table at hand
	part    int // rows of a part
	task    func(int)
	free    chan *worker
}

// A worker runs the code with a frame of its own over the same memory: a copy of that of the kernel.
type worker struct {
	run   api.Function
	ctx   context.Context
	stack [2]uint64
	frame uint32
	fuel  *int64
	ptr   *[abi.MostWalkers]uint32
}

// A workerFrame is the memory of the frame of a worker.
type workerFrame struct {
	p    unsafe.Pointer
	size uintptr
}

const (
	worthwhile = 500_000 // nanoseconds of work: to wake a worker costs a tenth of that
	partsEach  = 4       // parts for each worker
)

// share runs rows on the cores of the pool; false, and nothing, if one core is to do them.
func (k *Kernel) share(row, n int) bool {
	if k.sharing.pool == nil || len(k.unit.FuelChecks) == 0 || float64(n)*k.unit.Nanoseconds < worthwhile || k.sharing.pool.Workers() < 2 {
		return false
	}
	s := &k.sharing
	cost, ok := k.affords(n)
	if !ok || !k.makeWorkers() {
		return false
	}
	if k.unit.Marks >= 0 && k.taken.marks.Set((n+3)/4) == nil {
		return false
	}
	parts := k.sharing.pool.Workers() * partsEach
	s.row, s.n = row, n
	s.part = ((n+parts-1)/parts + 63) &^ 63
	k.sharing.pool.Run((n+s.part-1)/s.part, s.task)
	k.pay(cost, n)
	if k.unit.Marks >= 0 {
		k.stampMarked(row, unsafe.Slice((*uint8)(k.taken.marks.Start), n))
	}
	return true
}

// affords returns what each row costs, and whether the budget suffices for n rows.
func (k *Kernel) affords(n int) (cost int64, ok bool) {
	for _, t := range k.unit.FuelChecks {
		cost += t.Price * k.iterations(t)
	}
	return cost, k.frame.Fuel.Affords(cost * int64(n))
}

// ahead runs rows with inner loops on this core, and pays afterwards. A packed batch cannot ask the host for fuel; this way
// it never lacks it. It returns false, and does nothing, if the rows have to be paid for one by one.
func (k *Kernel) ahead(row, n int) bool {
	if !k.unit.Packed || len(k.unit.FuelChecks) < 2 {
		return false
	}
	cost, ok := k.affords(n)
	if !ok {
		return false
	}
	fuel := *k.frame.Fuel.Left
	for end := row + n; row < end; {
		*k.frame.Fuel.Left = 1 << 60
		status, done := k.rows(row, min(k.brief(), end-row))
		if status != abi.Ended {
			panic("machine: a row that was paid for did not end")
		}
		k.stamp(row, done)
		row += done
	}
	*k.frame.Fuel.Left = fuel
	k.pay(cost, n)
	return true
}

// brief returns how many rows take well under a millisecond. Go's collector waits as long as a call runs.
func (k *Kernel) brief() int {
	return max(1, min(abi.MostRows, int(200_000/max(1, k.unit.Nanoseconds))))
}

// iterations returns how often a fuel check is paid for.
func (k *Kernel) iterations(t abi.FuelCheck) int64 {
	if t.Walk < 0 {
		return t.Iterations
	}
	return k.outside.rows[t.Walk]
}

// makeWorkers makes the workers when it is first called; false if there is no memory for them.
func (k *Kernel) makeWorkers() bool {
	s := &k.sharing
	for len(s.workers) < k.sharing.pool.Workers() {
		size := uintptr(k.unit.Layout.Size)
		p := k.memory.Alloc(size)
		if p == nil {
			return false
		}
		w := &worker{run: k.code.instance.ExportedFunction("run"), ctx: context.Background()}
		w.frame, _ = k.memory.Address(p)
		w.fuel = (*int64)(unsafe.Add(p, abi.FrameFuel))
		w.ptr = (*[abi.MostWalkers]uint32)(unsafe.Add(p, abi.FramePtr))
		s.workers = append(s.workers, w)
		if s.free == nil {
			s.free = make(chan *worker, k.sharing.pool.Workers())
			s.task = k.runPart
		}
		s.free <- w
		k.taken.workers = append(k.taken.workers, workerFrame{p, size})
	}
	return true
}

// runPart runs a part of the rows, on any goroutine.
func (k *Kernel) runPart(part int) {
	s := &k.sharing
	w := <-s.free
	defer func() { s.free <- w }()
	size := k.unit.Layout.Size
	copy(unsafe.Slice((*byte)(k.memory.At(w.frame)), size), unsafe.Slice((*byte)(k.memory.At(k.frame.Address)), size))
	row := s.row + part*s.part
	end := min(row+s.part, s.row+s.n)
	most := k.brief()
	for row < end {
		n := min(most, end-row)
		for i, walker := range k.unit.Walkers {
			w.ptr[i] = k.current.base[i] + uint32(row)*walker.Stride
		}
		if k.unit.Marks >= 0 {
			w.ptr[k.unit.Marks] = k.taken.marks.Address + uint32(row-s.row)
		}
		*w.fuel = 1 << 60
		w.stack = [2]uint64{uint64(w.frame), uint64(n)}
		if err := w.run.CallWithStack(w.ctx, w.stack[:]); err != nil {
			panic("machine: " + err.Error())
		}
		if status := int(uint32(w.stack[0])); status != abi.Ended {
			panic("machine: a shared row did not end")
		}
		row += n
	}
}

// pay charges n rows that cost the same. The budget is charged portion by portion, as if the rows had run one after the
// other.
func (k *Kernel) pay(cost int64, n int) {
	for n > 0 {
		whole := min(int64(n), *k.frame.Fuel.Left/cost)
		*k.frame.Fuel.Left -= whole * cost
		if n -= int(whole); n == 0 {
			return
		}
		n--
		for _, t := range k.unit.FuelChecks {
			for range k.iterations(t) {
				if *k.frame.Fuel.Left -= t.Price; *k.frame.Fuel.Left < 0 {
					k.frame.Fuel.Refuel()
				}
			}
		}
	}
}
