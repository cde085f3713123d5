package memory

import "testing"

// Scratch memories of checks are handed out four at a time, by size, and come back empty.
func TestScratchMemories(t *testing.T) {
	const size = 1 << 20
	var taken []*Memory
	for range mostScratches {
		m := TakeScratch(size)
		if m == nil || len(m.mapping) != size {
			t.Fatal("no scratch memory")
		}
		taken = append(taken, m)
	}
	waits := make(chan *Memory)
	go func() { waits <- TakeScratch(size) }()
	first := taken[0]
	p := first.Alloc(8)
	*(*uint64)(p) = 7
	select {
	case <-waits:
		t.Fatal("a fifth scratch memory")
	default:
	}
	GiveBack(first)
	again := <-waits
	if again != first || *(*uint64)(p) != 0 || again.top != Lowest {
		t.Errorf("%p comes back, not %p; it has %d up to %d", again, first, *(*uint64)(p), again.top)
	}
	taken[0] = again
	for _, m := range taken {
		GiveBack(m)
	}
	if scratches.taken != 0 {
		t.Errorf("%d are still taken", scratches.taken)
	}
	other := TakeScratch(2 * size) // those of another size are let go
	if other == nil || len(other.mapping) != 2*size || len(scratches.free) != 0 || scratches.taken != 1 {
		t.Errorf("of another size: %v, %d free, %d taken", other != nil, len(scratches.free), scratches.taken)
	}
	GiveBack(other)
	if len(scratches.free) != 1 || scratches.taken != 0 {
		t.Errorf("%d free, %d taken", len(scratches.free), scratches.taken)
	}
}
