package memory

import "sync"

// scratches are the memories of checks. Each is cleared after a check.
var scratches struct {
	sync.Mutex
	free  []*Memory
	taken int
	back  sync.Cond
}

func init() { scratches.back.L = &scratches }

// mostScratches bounds the checks that run at once: each reserves as many addresses
// as a world has.
const mostScratches = 4

// TakeScratch returns a memory of that size, nil when there is none to be had. It
// waits for one of another check if it must.
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

// GiveBack ends the use of a memory.
func GiveBack(m *Memory) {
	m.reset()
	s := &scratches
	s.Lock()
	defer s.Unlock()
	s.taken--
	s.free = append(s.free, m)
	s.back.Signal()
}
