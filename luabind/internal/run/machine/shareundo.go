package machine

import (
	"math"
	"unsafe"
)

// The end of rows that were shared: they are committed in their order, or undone.

// A savedView has the rows at hand of a view that they store, as they were before.
type savedView struct {
	walker int
	stride uint32
	bytes  []byte
}

// planSaves makes room for the old values of n rows, unless no row has to be undone.
func (k *Kernel) planSaves(n int) {
	s := &k.sharing
	s.saved = s.saved[:0]
	if k.certain() {
		return
	}
	views := uint64(0)
	for _, t := range k.program.Stores {
		walker := k.unit.Views[t.View]
		if walker < 0 || views&(1<<t.View) != 0 || k.current.present[t.View] == 0 {
			continue
		}
		views |= 1 << t.View
		if len(s.saved) < cap(s.saved) {
			s.saved = s.saved[:len(s.saved)+1]
		} else {
			s.saved = append(s.saved, savedView{})
		}
		v := &s.saved[len(s.saved)-1]
		v.walker, v.stride = walker, k.unit.Walkers[walker].Stride
		if size := n * int(v.stride); cap(v.bytes) < size {
			v.bytes = make([]byte, size)
		} else {
			v.bytes = v.bytes[:size]
		}
	}
}

// rowsOf returns some rows of a saved view: where they are, and where they are saved.
func (k *Kernel) rowsOf(v *savedView, from, to int) (rows, saved []byte) {
	s := &k.sharing
	at := k.memory.At(k.current.base[v.walker] + uint32(from)*v.stride)
	size := (to - from) * int(v.stride)
	return unsafe.Slice((*byte)(at), size), v.bytes[(from-s.row)*int(v.stride):][:size]
}

// save saves some rows. It is called on any goroutine, for other rows on each.
func (k *Kernel) save(from, to int) {
	for i := range k.sharing.saved {
		rows, saved := k.rowsOf(&k.sharing.saved[i], from, to)
		copy(saved, rows)
	}
}

// undo makes some rows what they were before they were shared.
func (k *Kernel) undo(from, to int) {
	for i := range k.sharing.saved {
		rows, saved := k.rowsOf(&k.sharing.saved[i], from, to)
		copy(rows, saved)
	}
	if k.unit.Marks >= 0 {
		clear(k.sharedMarks(from, to))
	}
}

// sharedMarks returns the marks of some of the rows at hand.
func (k *Kernel) sharedMarks(from, to int) []uint8 {
	s := &k.sharing
	return unsafe.Slice((*uint8)(k.taken.marks.Start), s.n)[from-s.row : to-s.row]
}

// commit makes what the workers have done last: call by call, in the order of the rows. It returns how many rows that are,
// and sets how many rows this core does next.
func (k *Kernel) commit() (done int) {
	s := &k.sharing
	row := s.row
	for i := range s.parts {
		p := &s.parts[i]
		if k.program.Random && p.start != *k.frame.Stream {
			return row - s.row // a draw was rejected: the following parts began at wrong numbers
		}
		records := p.records
		for _, c := range p.calls {
			if !k.frame.Fuel.Affords(c.fuel) || c.records > 0 && !k.room() {
				s.alone = math.MaxInt
				return row - s.row
			}
			k.commitCall(row, c, records[:c.records])
			row, records = c.to, records[c.records:]
		}
		if row < p.to {
			s.alone = max(leastAlone, min(k.brief(), p.to-row))
			return row - s.row
		}
	}
	return row - s.row
}

// commitCall commits the rows of one call, whose first one is row.
func (k *Kernel) commitCall(row int, c partCall, records []byte) {
	k.frame.Fuel.Pay(c.fuel)
	k.sharing.countFuel(c.fuel, c.to-row)
	if k.program.Random {
		*k.frame.Stream = c.stream
	}
	k.stampAll(row, c.to-row)
	if k.unit.Marks >= 0 && c.to > row {
		k.stampMarked(row, k.sharedMarks(row, c.to))
	}
	if len(records) > 0 {
		ring := &k.frame.Ring
		copy(unsafe.Slice((*byte)(k.memory.At(ring.Start)), len(records)), records)
		*ring.End = ring.Start + uint32(len(records))
		k.apply()
	}
}
