package memory

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"unsafe"
)

// A Memory is an [ecs.Memory] in which machine code can reach all there is: one
// reserved stretch of addresses that never moves. Its pages take room from the
// moment they are written. It may serve several worlds.
//
// The addresses are given back when nothing refers to the Memory any more, that
// is when its worlds are gone. A slice of a column does not keep its world: see
// that the world is used after the slice, or call [runtime.KeepAlive].
type Memory struct {
	mu      sync.Mutex         // worlds on several goroutines may share it
	mapping []byte             // as far as machine code can address it; nil: everything comes from Go's heap
	top     uintptr            // what lies below is, or was, handed out
	offset  uintptr            // of the last large block, within 4096 bytes
	used    uintptr            // bytes in blocks that are handed out now
	free    [classes][]uintptr // blocks that were taken back, by class

	instruments Instruments
}

const (
	page = 1 << 16
	// Lowest is the address of the first allocation. Below it nothing is ever handed out.
	Lowest = page

	alignment = 64
)

// sizes are tried one after the other: all that 32 bits can address but one page,
// so that the size itself fits into 32 bits, and less where that cannot be had.
var sizes = [...]uint64{1<<32 - page, 1 << 31, 1 << 29, 1 << 27}

// New reserves addresses. Where that is not possible the Memory hands out nothing, and worlds use Go's heap.
func New() *Memory {
	for _, size := range sizes {
		if m := newMemory(size); m.mapping != nil {
			return m
		}
	}
	return new(Memory)
}

func newMemory(size uint64) *Memory {
	m := &Memory{top: Lowest}
	if size > uint64(^uintptr(0)>>1) {
		return m
	}
	b, err := reserve(uintptr(size))
	if err != nil {
		return m
	}
	m.mapping = b
	runtime.AddCleanup(m, func(b []byte) {
		if err := release(b); err != nil {
			panic(fmt.Sprintf("machine: release %d bytes: %v", len(b), err))
		}
	}, b)
	return m
}

// Size classes: four to a power of two, so that at most a fifth is not used.
const classes = 4 * 33

// classOf returns the class of the smallest blocks that hold size bytes, and how
// large those are.
func classOf(size uintptr) (class int, block uintptr) {
	n := max(size, alignment)
	shift := bits.Len64(uint64(n-1)) - 3 // the block is 5 to 8 times 1<<shift
	quarter := (n + 1<<shift - 1) >> shift
	return 4*shift + int(quarter) - 5, max(quarter<<shift, alignment)
}

// Alloc returns zeroed memory, nil when there is none. O(1), but for clearing what
// was used before.
func (m *Memory) Alloc(size uintptr) unsafe.Pointer {
	m.mu.Lock()
	defer m.mu.Unlock()
	if uint64(size) > uint64(len(m.mapping)) {
		return nil
	}
	class, block := classOf(size)
	if list := m.free[class]; len(list) > 0 {
		at := list[len(list)-1]
		m.free[class] = list[:len(list)-1]
		m.used += block
		clear(m.mapping[at : at+size])
		return unsafe.Pointer(&m.mapping[at])
	}
	at := m.stagger(m.top, block)
	if uint64(at)+uint64(block) > uint64(len(m.mapping)) {
		return nil
	}
	m.used += block
	m.top = (at + block + alignment - 1) &^ (alignment - 1)
	return unsafe.Pointer(&m.mapping[at])
}

// stagger moves the start of a large block on, so that equal rows of the columns
// of a table do not have the same low 12 bits of their addresses: a processor
// takes a load for one that needs an earlier store when those agree.
func (m *Memory) stagger(at, block uintptr) uintptr {
	if block < 4096 {
		return at
	}
	m.offset = (m.offset + 5*alignment) % 4096
	return at + (m.offset-at)%4096
}

// Free takes memory back.
func (m *Memory) Free(p unsafe.Pointer, size uintptr) {
	m.mu.Lock()
	defer m.mu.Unlock()
	class, block := classOf(size)
	at := uintptr(p) - uintptr(unsafe.Pointer(unsafe.SliceData(m.mapping)))
	if block >= decommit {
		forget(m.mapping[at : at+block])
	}
	m.used -= block
	m.free[class] = append(m.free[class], at)
}

// decommit is the size from which on freed memory goes back to the system.
const decommit = 1 << 20

// Reserved returns all that is reserved, from address 0 on; nil when nothing could be.
func (m *Memory) Reserved() []byte { return m.mapping }

// Pages returns how many pages of WebAssembly are reserved.
func (m *Memory) Pages() uint32 { return uint32(len(m.mapping) / page) }

// InUse returns how many bytes are handed out and not taken back, with what rounding to size classes adds.
func (m *Memory) InUse() uintptr {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// ExhaustForTest lets a memory hand out nothing more, until restore is called.
func (m *Memory) ExhaustForTest() (restore func()) {
	top, free := m.top, m.free
	m.top, m.free = uintptr(len(m.mapping)), [classes][]uintptr{}
	return func() { m.top, m.free = top, free }
}

// reset takes everything back.
func (m *Memory) reset() {
	clear(m.mapping[:m.top])
	m.top, m.offset, m.used, m.free = Lowest, 0, 0, [classes][]uintptr{}
}

// Address is where machine code finds p; ok is false when p lies elsewhere.
func (m *Memory) Address(p unsafe.Pointer) (at uint32, ok bool) {
	n := uintptr(p) - uintptr(unsafe.Pointer(unsafe.SliceData(m.mapping)))
	return uint32(n), uint64(n) < uint64(len(m.mapping))
}

// At is the memory at an address.
func (m *Memory) At(address uint32) unsafe.Pointer {
	return unsafe.Pointer(&m.mapping[address])
}
