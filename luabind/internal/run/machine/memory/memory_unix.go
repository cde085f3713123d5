//go:build (linux || darwin) && (amd64 || arm64)

package memory

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Reserving addresses on Linux and macOS.

// reserve maps addresses. The system provides their pages when they are first written.
func reserve(size uintptr) ([]byte, error) {
	return unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
}

// release unmaps the addresses.
func release(b []byte) error { return unix.Munmap(b) }

// forget returns the whole pages inside b to the system. They read as zero afterwards. If it fails, the pages stay,
// which only costs memory.
func forget(b []byte) {
	size := uintptr(os.Getpagesize())
	from := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) % size
	_ = unix.Madvise(b[from:from+(uintptr(len(b))-from)/size*size], unix.MADV_DONTNEED)
}
