package memory

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"
)

// Blocks are aligned, zero, within the mapping, and apart from each other, whatever
// was handed out and taken back before.
func TestMemoryHandsOutZeroedBlocks(t *testing.T) {
	m := New()
	if m.mapping == nil {
		t.Fatal("nothing is reserved")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	type block struct {
		p    unsafe.Pointer
		size uintptr
		fill byte
	}
	var blocks []block
	for i := range 20_000 {
		if len(blocks) > 50 || len(blocks) > 0 && rng.IntN(3) == 0 {
			j := rng.IntN(len(blocks))
			b := blocks[j]
			for k, v := range unsafe.Slice((*byte)(b.p), b.size) {
				if v != b.fill {
					t.Fatalf("byte %d of a block of %d is %d, want %d", k, b.size, v, b.fill)
				}
			}
			m.Free(b.p, b.size)
			blocks[j] = blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			continue
		}
		size := uintptr(1 + rng.IntN(200))
		switch rng.IntN(10) {
		case 0:
			size = uintptr(1 + rng.IntN(100_000))
		case 1:
			size = uintptr(1) << rng.IntN(15)
		}
		p := m.Alloc(size)
		if at, ok := m.Address(p); p == nil || uintptr(p)%alignment != 0 || !ok || at < Lowest || uint64(at)+uint64(size) > uint64(len(m.mapping)) {
			t.Fatalf("a block of %d at %p", size, p)
		}
		b := block{p, size, byte(i%255 + 1)}
		for k := range unsafe.Slice((*byte)(p), size) {
			c := (*byte)(unsafe.Add(p, k))
			if *c != 0 {
				t.Fatalf("byte %d of a block of %d is %d", k, size, *c)
			}
			*c = b.fill
		}
		blocks = append(blocks, b)
	}
	runtime.KeepAlive(m)
}

// A block that goes back is handed out again.
func TestMemoryIsUsedAgain(t *testing.T) {
	m := New()
	p := m.Alloc(10_000)
	top := m.top
	for range 100 {
		m.Free(p, 10_000)
		if p = m.Alloc(9_900); m.top != top {
			t.Fatal("new memory where there was a free block")
		}
		m.Free(p, 9_900)
		p = m.Alloc(10_000)
	}
}

// Columns do not begin at the same place of a page.
func TestMemoryStaggers(t *testing.T) {
	m := New()
	seen := map[uintptr]bool{}
	for range 32 {
		seen[uintptr(m.Alloc(1<<16))%4096] = true
	}
	if len(seen) != 32 {
		t.Errorf("%d starts within a page", len(seen))
	}
}

// More than there is, and a Memory with nothing, give nil.
func TestMemoryEnds(t *testing.T) {
	if p := new(Memory).Alloc(8); p != nil {
		t.Error("memory from nothing")
	}
	m := newMemory(1 << 20)
	n := 0
	for m.Alloc(1<<16) != nil {
		n++
	}
	if n < 10 || n > 15 || m.Alloc(1<<21) != nil {
		t.Errorf("%d blocks of 64 KB in 1 MB", n)
	}
}

// The classes hold what they promise, and waste no more than a fifth.
func TestSizeClasses(t *testing.T) {
	blocks := map[int]uintptr{}
	for size := uintptr(1); size < 1<<20; size += 1 + size/97 {
		class, block := classOf(size)
		if block < size || block > max(alignment, size+size/4) || class < 0 || class >= classes {
			t.Fatalf("%d bytes in a block of %d, class %d", size, block, class)
		}
		if b, ok := blocks[class]; ok && b != block {
			t.Fatalf("class %d has blocks of %d and %d", class, b, block)
		}
		blocks[class] = block
	}
	if class, _ := classOf(1<<32 - 1); class >= classes {
		t.Errorf("class %d", class)
	}
}
