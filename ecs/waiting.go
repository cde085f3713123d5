package ecs

import (
	"cmp"
	"math"
	"slices"
	"unsafe"
)

// Waiting events are sent in a later frame. They stand in the order of sending, with two heaps over them: by frame and by
// time. What is cancelled is only marked, and its memory is used again after the next frame has begun; so a turn that
// fails takes back marks, and cuts off what it has added.

// A waiting is an event that waits. Its row is in the store of its event type.
type waiting struct {
	number  uint64  // ascending
	due     float64 // the frame, or the world time, from which on it is sent
	key     string  // "" for none
	event   EventID
	row     uint32
	inTime  bool      // due is a time
	gone    bool      // it was sent or cancelled
	heap    [2]uint32 // element i of each heap is in entry i: see heapOf
	ordered float64   // scratch of deliver
}

// A waitKey is what replaces an event that waits.
type waitKey struct {
	event EventID
	key   string
}

// waits are all waiting events of a world.
type waits struct {
	last   uint64 // the number that was given last
	all    []waiting
	gone   int            // how many of all are gone
	stores []commandStore // rows, by event type
	keys   map[waitKey]uint64
	heaps  [2]int   // the lengths of the heaps: by frame, and by time
	due    []uint32 // scratch of deliver
}

// live returns how many events wait.
func (q *waits) live() int { return len(q.all) - q.gone }

// find returns the place of the event with a number, -1 if it does not wait.
func (q *waits) find(number uint64) int {
	at, found := slices.BinarySearchFunc(q.all, number, func(e waiting, n uint64) int { return cmp.Compare(e.number, n) })
	if !found || q.all[at].gone {
		return -1
	}
	return at
}

// less is the order of a heap.
func (q *waits) less(a, b uint32) bool {
	x, y := &q.all[a], &q.all[b]
	return x.due < y.due || x.due == y.due && a < b
}

// schedule adds an entry to its heap.
func (q *waits) schedule(at uint32) {
	h := 0
	if q.all[at].inTime {
		h = 1
	}
	i := q.heaps[h]
	q.heaps[h]++
	for ; i > 0 && q.less(at, q.all[(i-1)/2].heap[h]); i = (i - 1) / 2 {
		q.all[i].heap[h] = q.all[(i-1)/2].heap[h]
	}
	q.all[i].heap[h] = at
}

// pop removes the first entry of a heap.
func (q *waits) pop(h int) {
	q.heaps[h]--
	n := q.heaps[h]
	last, i := q.all[n].heap[h], 0
	for {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && q.less(q.all[child+1].heap[h], q.all[child].heap[h]) {
			child++
		}
		if !q.less(q.all[child].heap[h], last) {
			break
		}
		q.all[i].heap[h] = q.all[child].heap[h]
		i = child
	}
	q.all[i].heap[h] = last
}

// rebuild makes heaps and keys anew.
func (q *waits) rebuild() {
	q.heaps = [2]int{}
	clear(q.keys)
	for i := range q.all {
		if e := &q.all[i]; !e.gone {
			q.schedule(uint32(i))
			q.name(e)
		}
	}
}

// name notes the key of an event.
func (q *waits) name(e *waiting) {
	if e.key == "" {
		return
	}
	if q.keys == nil {
		q.keys = map[waitKey]uint64{}
	}
	q.keys[waitKey{e.event, e.key}] = e.number
}

// store returns the rows of an event type.
func (q *waits) store(id EventID) *commandStore {
	for len(q.stores) <= int(id) {
		q.stores = append(q.stores, commandStore{base: unsafe.Pointer(&zeroBase)})
	}
	return &q.stores[id]
}

// wait adds an event, which replaces what waits under the same key, and returns its row, which the caller sets. Error: an [ErrLimit], of events or of bytes.
func (w *World) wait(e waiting) (unsafe.Pointer, error) {
	q, l := &w.waits, w.events[e.event]
	old := -1
	if e.key != "" {
		if number, known := q.keys[waitKey{e.event, e.key}]; known {
			old = q.find(number)
		}
	}
	if old < 0 && w.options.MaxEvents > 0 {
		if _, err := w.eventRoom(1, 0); err != nil {
			return nil, err
		}
	}
	if len(q.all) == cap(q.all) {
		var owned bool
		all, err := enlarge(w, nil, q.all, &owned, len(q.all)+1)
		if err != nil {
			return nil, err
		}
		q.all = all
	}
	s := q.store(e.event)
	if s.n == s.capacity {
		size := l.schema.size
		want, ok := w.wanted(s.capacity, 16, s.n+1, size)
		if !ok && w.giveBack() {
			want, ok = w.wanted(s.capacity, 16, s.n+1, size)
		}
		if !ok {
			return nil, w.full()
		}
		w.bytes.Add(int64(want-s.capacity) * int64(size))
		s.resize(l.schema, want)
	}
	if old >= 0 {
		w.endWait(old)
	}
	if w.journal != nil {
		w.journal.waits(-1)
	}
	e.row = uint32(s.n)
	s.n++
	q.all = append(q.all, e)
	q.schedule(uint32(len(q.all) - 1))
	q.name(&e)
	return unsafe.Add(s.base, uintptr(e.row)*l.schema.size), nil
}

// endWait marks an event that waits no longer.
func (w *World) endWait(at int) {
	if w.journal != nil {
		w.journal.waits(at)
	}
	q := &w.waits
	e := &q.all[at]
	e.gone = true
	q.gone++
	if e.key != "" {
		delete(q.keys, waitKey{e.event, e.key})
	}
}

// deliver sends what is due when a frame begins: in the order of time, then of sending. What was sent for a frame has the time of that frame, and
// what has missed a frame by a millionth of its length belongs to it.
func (w *World) deliver() {
	q := &w.waits
	if len(q.all) == 0 {
		return
	}
	if w.journal != nil {
		w.journal.waits(-1)
	}
	grain := math.Abs(w.clock.dt) * 1e-6
	now := w.clock.time
	until := [2]float64{float64(w.clock.frame), now + grain}
	q.due = q.due[:0]
	for h := range q.heaps {
		for q.heaps[h] > 0 {
			at := q.all[0].heap[h]
			e := &q.all[at]
			if !e.gone && e.due > until[h] {
				break
			}
			q.pop(h)
			if e.gone {
				continue
			}
			if e.ordered = 0; e.inTime {
				if e.ordered = min(0, e.due-now); grain > 0 {
					e.ordered = math.Round(e.ordered / grain) // so that rounding of sums does not decide
				}
			}
			q.due = append(q.due, at)
		}
	}
	slices.SortFunc(q.due, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(q.all[a].ordered, q.all[b].ordered), cmp.Compare(a, b))
	})
	for _, at := range q.due {
		e := &q.all[at]
		w.endWait(int(at))
		l := w.events[e.event]
		l.schema.copyRow(l.grow(), unsafe.Add(q.stores[e.event].base, uintptr(e.row)*l.schema.size))
	}
	if q.gone > len(q.all)/2 {
		w.sweepWaits()
	}
}

// sweepWaits uses the memory of what is gone again.
func (w *World) sweepWaits() {
	q := &w.waits
	if w.journal != nil {
		w.journal.waits(-1)
	}
	kept, used := q.all[:0], q.due[:0]
	for i := range q.stores {
		used = append(used, uint32(q.stores[i].n))
		q.stores[i].n = 0
	}
	for i := range q.all {
		e := q.all[i]
		if e.gone {
			continue
		}
		s, schema := &q.stores[e.event], w.events[e.event].schema
		if int(e.row) != s.n {
			schema.copyRow(unsafe.Add(s.base, uintptr(s.n)*schema.size), unsafe.Add(s.base, uintptr(e.row)*schema.size))
		}
		e.row = uint32(s.n)
		s.n++
		kept = append(kept, e)
	}
	clear(q.all[len(kept):])
	q.all, q.gone, q.due = kept, 0, used[:0]
	for i := range q.stores {
		q.stores[i].clear(w.events[i].schema, q.stores[i].n, int(used[i]))
	}
	q.rebuild()
}

// cutWaits takes back what was added since there were n entries.
func (q *waits) cutWaits(w *World, n int) {
	for i := len(q.all) - 1; i >= n; i-- {
		e := &q.all[i]
		s := &q.stores[e.event]
		s.n--
		s.clear(w.events[e.event].schema, s.n, s.n+1)
		if e.gone {
			q.gone--
		}
	}
	clear(q.all[n:])
	q.all = q.all[:n]
}

// clear clears the pointers of rows from..to-1, for the garbage collector.
func (s *commandStore) clear(schema *Schema, from, to int) {
	if m := schema.memory; m != nil {
		for row := from; row < to; row++ {
			m.clear(unsafe.Add(s.base, uintptr(row)*schema.size))
		}
	}
}

// A WaitingEvent is an event that [Commands.SendAfter] or [Commands.SendAt] has sent, and that has not come yet. See the example of [Commands].
type WaitingEvent struct {
	Number uint64
	Event  EventID
	Name   string  // of the event
	Key    string  // "" for none
	Frame  uint64  // the frame in which it comes; 0 for one that waits for a time
	Time   float64 // else: the world time that is to be reached, in seconds
	Row    Row     // valid until the world changes
}

// Waiting yields the events that wait, in the order of sending. It costs O(events that wait). Nothing may be sent or cancelled meanwhile.
func (w *World) Waiting(yield func(WaitingEvent) bool) {
	q := &w.waits
	for i := range q.all {
		e := &q.all[i]
		if e.gone {
			continue
		}
		schema := w.events[e.event].schema
		out := WaitingEvent{Number: e.number, Event: e.event, Name: w.events[e.event].name, Key: e.key, Row: Row{schema: schema, ptr: w.waitRow(e)}}
		if e.inTime {
			out.Time = e.due
		} else {
			out.Frame = uint64(e.due)
		}
		if !yield(out) {
			return
		}
	}
}

// waitRow returns the address of the row of an event that waits.
func (w *World) waitRow(e *waiting) unsafe.Pointer {
	return unsafe.Add(w.waits.stores[e.event].base, uintptr(e.row)*w.events[e.event].schema.size)
}
