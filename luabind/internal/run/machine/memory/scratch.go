package memory

import "sync"

// Scratch memories for self-checks, which run code in worlds of their own. They are pooled, because each reserves
// as many addresses as a world.

// scratches is the pool. Memories in it are empty.
var scratches struct {
	sync.Mutex
	free  []*Memory
	taken int
	back  sync.Cond
}

func init() { scratches.back.L = &scratches }

// mostScratches is the largest number of scratch memories in use at a time, and so of self-checks that run at once.
const mostScratches = 4

// TakeScratch returns an empty memory of a size, nil if none can be reserved. If too many are in use, it waits
// until one is given back. GiveBack ends the use.
func TakeScratch(size uintptr) *Memory {
	s := &scratches
	s.Lock()
	defer s.Unlock()
	for {
		for len(s.free) > 0 {
			m := s.free[len(s.free)-1]
			s.free = s.free[:len(s.free)-1]
			if uintptr(len(m.mapping)) == size {
				s.taken++
				return m
			}
		}
		if s.taken < mostScratches {
			m := newMemory(uint64(size))
			switch {
			case m.mapping != nil:
				s.taken++
				return m
			case s.taken == 0:
				return nil
			}
		}
		s.back.Wait()
	}
}

// GiveBack clears a memory that TakeScratch returned, and puts it back into the pool.
func GiveBack(m *Memory) {
	m.reset()
	s := &scratches
	s.Lock()
	defer s.Unlock()
	s.taken--
	s.free = append(s.free, m)
	s.back.Signal()
}
