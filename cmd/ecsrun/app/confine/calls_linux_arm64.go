package confine

import "golang.org/x/sys/unix"

const (
	archOfCalls  = unix.AUDIT_ARCH_AARCH64
	otherNumbers = 0 // there is one convention
)

// refusedHere are the calls that only this processor lists.
var refusedHere = []uintptr{unix.SYS_KEXEC_FILE_LOAD}
