//go:build (linux || darwin) && (amd64 || arm64)

package memory

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reserve maps addresses whose pages come to be when they are written.
func reserve(size uintptr) ([]byte, error) {
	return unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
}

func release(b []byte) error { return unix.Munmap(b) }

// forget gives the whole pages of b back. Where that fails they stay, which costs
// nothing but memory.
func forget(b []byte) {
	size := uintptr(os.Getpagesize())
	from := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % size
	_ = unix.Madvise(b[from:from+(uintptr(len(b))-from)/size*size], unix.MADV_DONTNEED)
}
