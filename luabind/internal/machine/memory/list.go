package memory

import "unsafe"

// List is an array of numbers of 32 bits in a memory. It grows, and loses its contents when it does.
type List struct {
	Memory  *Memory
	Start   unsafe.Pointer // of the first number; nil: there is no room yet
	Address uint32         // address of the first number
	Room    int            // numbers that fit
	Len     int            // numbers that were asked for
}

// Set makes room for n numbers and returns them; nil when there is no memory. What they hold is not defined.
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

// Free gives the memory back.
func (l *List) Free() {
	if l.Start != nil {
		l.Memory.Free(l.Start, uintptr(4*l.Room))
		l.Start, l.Room = nil, 0
	}
}
