package memory

import "unsafe"

// Arrays in linear memory that grow, such as the copies of tables and the snapshots of grids.

// A List is an array of 32-bit numbers in linear memory. Its contents are lost when it grows.
type List struct {
	Memory  *Memory
	Start   unsafe.Pointer // the first number in Go's addresses; nil if nothing is allocated
	Address uint32         // the first number in addresses of the code
	Room    int            // how many numbers fit
	Len     int            // how many numbers the last Set asked for
}

// Set makes room for n numbers and returns them; nil if there is no memory. Their values are not defined.
func (l *List) Set(n int) []uint32 {
	if n > l.Room {
		l.Free()
		room := max(16, 2*n)
		p := l.Memory.Alloc(uintptr(4 * room))
		if p == nil {
			return nil
		}
		l.Start, l.Room = p, room
		l.Address, _ = l.Memory.Address(p)
	}
	l.Len = n
	return unsafe.Slice((*uint32)(l.Start), n)
}

// Free returns the memory.
func (l *List) Free() {
	if l.Start != nil {
		l.Memory.Free(l.Start, uintptr(4*l.Room))
		l.Start, l.Room = nil, 0
	}
}
