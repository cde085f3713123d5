package confine

import "golang.org/x/sys/unix"

const (
	archOfCalls  = unix.AUDIT_ARCH_X86_64
	otherNumbers = 0x40000000 // calls of the x32 convention begin here
)

// refusedHere are the older calls that other processors do not have.
var refusedHere = []uintptr{
	unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
	unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_KEXEC_FILE_LOAD,
}
