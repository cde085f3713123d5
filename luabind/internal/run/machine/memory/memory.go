package memory

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"unsafe"
)

// The linear memory and its allocator. Blocks have size classes and free lists; the mapping reserves addresses, and
// the system provides pages when they are first written.

// A Memory is an [ecs.Memory] whose blocks machine code can access: one reserved stretch of addresses that never
// moves. It may serve several worlds, also on several goroutines.
//
// The addresses are released when nothing refers to the Memory any more, which is when its worlds are gone. A slice
// of a column does not keep its world alive: use the world after the slice, or call [runtime.KeepAlive].
type Memory struct {
	mu      sync.Mutex         // worlds on several goroutines may share it
	mapping []byte             // the reserved addresses; nil if none could be reserved, then Alloc returns nil
	top     uintptr            // everything below it is, or was, allocated
	offset  uintptr            // offset of the last large block within 4096 bytes: see stagger
	used    uintptr            // bytes in allocated blocks
	free    [classes][]uintptr // freed blocks, by size class

	instruments Instruments
}

const (
	page = 1 << 16
	// Lowest is the address of the first allocation. Nothing is allocated below it, so address 0 means none.
	Lowest = page

	alignment = 64
)

// sizes are the sizes of the mapping, tried one after the other: all that 32 bits can address but one page, so that
// the size itself fits into 32 bits, and less where that cannot be reserved.
var sizes = [...]uint64{1<<32 - page, 1 << 31, 1 << 29, 1 << 27}

// New reserves addresses. If that is not possible, the Memory allocates nothing, and worlds use Go's heap.
func New() *Memory {
	for _, size := range sizes {
		if m := newMemory(size); m.mapping != nil {
			return m
		}
	}
	return new(Memory)
}

// newMemory reserves that many bytes. If it cannot, the mapping is nil.
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

// classes is the number of size classes: four for each power of two, so that at most a fifth of a block is unused.
const classes = 4 * 33

// classOf returns the class of the smallest blocks that hold size bytes, and the size of these blocks.
func classOf(size uintptr) (class int, block uintptr) {
	n := max(size, alignment)
	shift := bits.Len64(uint64(n-1)) - 3 // the block is 5 to 8 times 1<<shift
	quarter := (n + 1<<shift - 1) >> shift
	return 4*shift + int(quarter) - 5, max(quarter<<shift, alignment)
}

// Alloc returns zeroed memory, nil if there is none. It takes constant time, except for the clearing of memory that
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

// stagger shifts the start of a large block, so that equal rows of the columns of a table differ in the low 12 bits
// of their addresses. If these bits agree, a processor assumes that a load depends on an earlier store, and waits.
func (m *Memory) stagger(at, block uintptr) uintptr {
	if block < 4096 {
		return at
	}
	m.offset = (m.offset + 5*alignment) % 4096
	return at + (m.offset-at)%4096
}

// Free returns memory that Alloc gave out, with the same size.
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

// decommit is the size from which on freed memory is returned to the system.
const decommit = 1 << 20

// Reserved returns all reserved bytes, from address 0 on; nil if none could be reserved.
func (m *Memory) Reserved() []byte { return m.mapping }

// Pages returns the number of reserved pages of WebAssembly.
func (m *Memory) Pages() uint32 { return uint32(len(m.mapping) / page) }

// InUse returns the number of allocated bytes, including the rounding to size classes.
func (m *Memory) InUse() uintptr {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// ExhaustForTest makes Alloc fail until restore is called.
func (m *Memory) ExhaustForTest() (restore func()) {
	top, free := m.top, m.free
	m.top, m.free = uintptr(len(m.mapping)), [classes][]uintptr{}
	return func() { m.top, m.free = top, free }
}

// reset frees everything and clears it.
func (m *Memory) reset() {
	clear(m.mapping[:m.top])
	m.top, m.offset, m.used, m.free = Lowest, 0, 0, [classes][]uintptr{}
}

// Address returns the address at which code finds p; ok is false if p is not in this memory.
func (m *Memory) Address(p unsafe.Pointer) (at uint32, ok bool) {
	n := uintptr(p) - uintptr(unsafe.Pointer(unsafe.SliceData(m.mapping)))
	return uint32(n), uint64(n) < uint64(len(m.mapping))
}

// At returns the memory at an address of the code.
func (m *Memory) At(address uint32) unsafe.Pointer {
	return unsafe.Pointer(&m.mapping[address])
}
