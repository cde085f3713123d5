package machine

import (
	"context"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/engine"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
	"github.com/tetratelabs/wazero/api"
)

// Workers: what runs a part of the rows that are shared, on any goroutine. A worker has a frame of its own, a copy of that of
// the kernel, with a ring of effects and lists of near entities of its own. Everything else in linear memory is only read,
// but for the rows of the part and their marks.

// A worker runs the code with a frame of its own over the same memory.
type worker struct {
	run    api.Function
	ctx    context.Context
	stack  [2]uint64
	frame  uint32
	size   uint32 // of the frame
	fuel   *int64
	ptr    *[abi.MostWalkers]uint32
	stream *ecs.RandomState
	ring   uint32 // address of its ring
	end    *uint32
	lists  []memory.List // of near entities, by loop

	given int64        // fuel that the call at hand was given
	most  int64        // fuel that the part may use in all
	stop  *atomic.Bool // a watchdog may want to end the turn
}

// A workerFrame is the memory that a worker has.
type workerFrame struct {
	p     unsafe.Pointer
	size  uintptr
	lists []memory.List
}

// makeWorkers makes the workers when it is first called; false if there is no memory for them.
func (k *Kernel) makeWorkers() bool {
	s := &k.sharing
	for len(s.workers) < s.pool.Workers() {
		w := &worker{run: k.code.instance.ExportedFunction("run"), size: k.unit.Layout.Size, stop: k.budget.Stop()}
		size := uintptr(w.size)
		if k.unit.Effects {
			size += abi.RingSize
		}
		p := k.memory.Alloc(size)
		if p == nil {
			return false
		}
		w.ctx = engine.Context(w)
		w.frame, _ = k.memory.Address(p)
		w.ring = w.frame + w.size
		w.fuel = (*int64)(unsafe.Add(p, abi.FrameFuel))
		w.ptr = (*[abi.MostWalkers]uint32)(unsafe.Add(p, abi.FramePtr))
		w.end = (*uint32)(unsafe.Add(p, abi.FrameRing))
		w.stream = (*ecs.RandomState)(unsafe.Add(p, k.unit.Layout.Random))
		w.lists = make([]memory.List, len(k.unit.Nears))
		for i := range w.lists {
			w.lists[i].Memory = k.memory
		}
		s.workers = append(s.workers, w)
		if s.free == nil {
			s.free = make(chan *worker, s.pool.Workers())
			s.run, s.fill = k.runPart, k.fillPart
		}
		s.free <- w
		k.taken.workers = append(k.taken.workers, workerFrame{p, size, w.lists})
	}
	return true
}

// Refuel implements [engine.Host]. What a part has used is paid for when it is committed. It returns false if that is more than
// the turn has left; then the part ends.
func (w *worker) Refuel() bool {
	if w.given-*w.fuel > w.most || w.stop.Load() {
		return false
	}
	for *w.fuel < 0 {
		w.given += abi.Grain
		*w.fuel += abi.Grain
	}
	return true
}

// Snapshot implements [engine.Host]. All snapshots are taken before workers begin.
func (w *worker) Snapshot(int) bool { return false }

// Fetch implements [engine.Host]. Rows that see mirrors are not shared.
func (w *worker) Fetch(int, uint32, int) {}

// Sources implements [engine.Host]. Rows with such loops are not shared.
func (w *worker) Sources(int, float64) bool { return false }

// Call implements [engine.Host]. The list of strings is not for several goroutines: the part ends, and this row is done by the kernel.
func (w *worker) Call(int, uint32) bool { return false }

// take gives a worker the frame of the kernel.
func (k *Kernel) take(w *worker) {
	copy(unsafe.Slice((*byte)(k.memory.At(w.frame)), w.size), unsafe.Slice((*byte)(k.memory.At(k.frame.Address)), w.size))
	if len(k.unit.Calls) > 0 {
		*(*int64)(k.memory.At(w.frame + k.unit.Layout.Calls() + abi.CallRoom)) = -1 // nor are strings that cost something
	}
	if k.unit.Effects {
		words := (*[abi.MostWords]uint32)(k.memory.At(w.frame + k.unit.Layout.Words))
		for i, word := range k.unit.Words {
			if word.Kind == abi.WordRingEnd {
				words[i] = w.ring + abi.RingSize/2
			}
		}
		*w.end = w.ring
	}
	for loop := range w.lists {
		if l := &w.lists[loop]; l.Start != nil {
			(*abi.GridView)(k.memory.At(w.frame + k.unit.Layout.Nears + abi.GridViewSize*uint32(loop))).List = l.Address
		}
	}
}

// runPart runs a part of the rows, on any goroutine. It ends at the first call that does not do what it should.
func (k *Kernel) runPart(i int) {
	s := &k.sharing
	w := <-s.free
	defer func() { s.free <- w }()
	p := &s.parts[i]
	p.calls, p.records = p.calls[:0], p.records[:0]
	k.save(p.from, p.to)
	k.take(w)
	*w.stream = p.start
	w.most = math.MaxInt64
	if k.budget.Limit() > 0 {
		w.most = k.budget.Limit() - k.frame.Fuel.Used()
	}
	for row := p.from; row < p.to; {
		status, done := k.callPart(w, row, min(k.brief(), p.to-row))
		used := w.given - *w.fuel
		switch status {
		case abi.Starved:
			used -= k.program.Price // of the row that was not begun
		case abi.Ended, abi.Filled:
		default: // the row is for the kernel
			return
		}
		row += done
		w.most -= used
		call := partCall{to: row, fuel: used, stream: *w.stream}
		if k.unit.Effects {
			call.records = int(*w.end - w.ring)
			p.records = append(p.records, unsafe.Slice((*byte)(k.memory.At(w.ring)), call.records)...)
			*w.end = w.ring
		}
		p.calls = append(p.calls, call)
		if done == 0 || w.most < 0 || w.stop.Load() {
			return
		}
	}
}

// callPart runs the code over n rows with the frame of a worker. Rows without inner loops get all the fuel that they need;
// the others ask for it, so that the time of a call is limited.
func (k *Kernel) callPart(w *worker, row, n int) (status, done int) {
	for i, walker := range k.unit.Walkers {
		w.ptr[i] = k.current.base[i] + uint32(row)*walker.Stride
	}
	if k.unit.Marks >= 0 {
		w.ptr[k.unit.Marks] = k.taken.marks.Address + uint32(row-k.sharing.row)
	}
	w.given = abi.Grain + k.program.Price
	if k.unit.Prepaid || k.certain() {
		w.given = 1 << 60
	}
	*w.fuel = w.given
	first := w.ptr[0]
	status = w.call(uint64(n))
	return status, int((w.ptr[0] - first) / k.unit.Walkers[0].Stride)
}

// call calls the code with the frame of the worker.
func (w *worker) call(rows uint64) (status int) {
	w.stack = [2]uint64{uint64(w.frame), rows}
	if err := w.run.CallWithStack(w.ctx, w.stack[:]); err != nil {
		panic("machine: " + err.Error())
	}
	return int(uint32(w.stack[0]))
}

// fillPart fills a part of the cache of a grid, on any goroutine.
func (k *Kernel) fillPart(i int) {
	s := &k.sharing
	w := <-s.free
	defer func() { s.free <- w }()
	k.take(w)
	rows := int(k.frame.GridView(s.filled).LastRow) + 1
	parts := min(len(s.parts), rows)
	*(*uint32)(k.memory.At(w.frame + abi.FrameFillFrom)) = uint32(rows * i / parts)
	*(*uint32)(k.memory.At(w.frame + abi.FrameFillTo)) = uint32(rows * (i + 1) / parts)
	for i, walker := range k.unit.Walkers {
		w.ptr[i] = k.current.base[i] + uint32(s.row)*walker.Stride
	}
	w.call(abi.FillCache + uint64(s.filled))
}
