package interp

import "unsafe"

// Registers. Those of a call overlap those of its caller: register 0 of the call is the one that holds its first
// argument in the caller, so arguments are not copied. The registers of nested calls are in one segment until it is
// full; then a larger segment follows.

// A segment is memory for registers.
type segment struct {
	values []Value
	most   uintptr // the end of the registers that were used since the segment was last clear
}

const firstSegment = 2048

// newSegment makes a segment with n registers.
func newSegment(n int) *segment {
	return &segment{values: make([]Value, n+1)[:n]} // one more, so that a pointer behind the last register still points into the segment
}

// start returns the first register.
func (s *segment) start() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s.values)) }

// clear clears the values of a segment, so that it keeps nothing alive.
func (s *segment) clear() {
	if n := int(s.most) - int(uintptr(s.start())); n > 0 {
		clear(s.values[:n/int(valueSize)])
	}
	s.most = 0
}

// A registers has the segment in use, and its end as an address.
type registers struct {
	segment *segment
	end     uintptr
	spare   *segment // the largest segment that was left; it is clear
}

func (g *registers) use(s *segment) {
	g.segment = s
	g.end = uintptr(s.start()) + uintptr(len(s.values))*uintptr(valueSize)
}

// clear clears all segments, so that they keep nothing alive between turns.
func (g *registers) clear() { g.segment.clear() }

// fit reports whether n registers from r on are in the segment, and notes that they are used.
func (g *registers) fit(r unsafe.Pointer, n int) bool {
	end := uintptr(r) + uintptr(n)*uintptr(valueSize)
	if end > g.end {
		return false
	}
	if end > g.segment.most {
		g.segment.most = end
	}
	return true
}

// begin makes a larger segment the one in use, for n registers of act and for the calls that it makes. It returns
// the first register.
func (g *registers) begin(act *activation, n int) unsafe.Pointer {
	old := g.segment
	s := g.spare
	if s != nil && len(s.values) > len(old.values) && len(s.values) >= 2*n {
		g.spare = nil
	} else {
		s = newSegment(max(2*len(old.values), 2*n))
	}
	if act.segment == nil {
		act.segment = old
	} // or act had begun old, which holds nothing else
	g.use(s)
	g.fit(s.start(), n)
	return s.start()
}

// endOf returns to the segment before the one that act has begun.
func (g *registers) endOf(act *activation) {
	g.leave(g.segment)
	g.use(act.segment)
	act.segment = nil
}

// leave clears a segment, and keeps it for later use if it is large.
func (g *registers) leave(s *segment) {
	s.clear()
	if g.spare == nil || len(s.values) > len(g.spare.values) {
		g.spare = s
	}
}

// reg returns the register at an offset in bytes from r.
func reg(r unsafe.Pointer, offset int32) *Value { return (*Value)(unsafe.Add(r, offset)) }

// at returns the register with a number, counted from r.
func at(r unsafe.Pointer, register int) *Value {
	return (*Value)(unsafe.Add(r, register*int(valueSize)))
}

// window returns n registers from one on.
func window(r unsafe.Pointer, from, n int) []Value {
	return unsafe.Slice(at(r, from), n)
}
