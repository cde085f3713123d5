//go:build linux && (amd64 || arm64)

package confine

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused are system calls that fail with EPERM. They are listed one by one, rather than those that are allowed,
// because the set of calls that Go's runtime makes changes with its version.
var refused = []uintptr{
	// sockets; accept is left for a socket that listens already
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
	// other programs and processes
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_PROCESS_MADVISE, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_KCMP, unix.SYS_TKILL,
	unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	// io_uring does what is refused here without a call
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	// memory and messages that processes share by a number
	unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN,
	// owners, modes, times and attributes of files, which Landlock does not cover
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
	// the rest of the kernel
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_PERSONALITY, unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_QUOTACTL,
	// the administration of the system
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SETTIMEOFDAY,
	unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
}

// Offsets in what a filter sees of a call, struct seccomp_data, on processors with the low byte first.
const (
	atCall = 0
	atArch = 4
	atArgs = 16 // six of 8 bytes
)

// Commands of ioctl that type into the terminal: what they write there runs in the shell when this program has ended.
const (
	tiocSTI   = 0x5412
	tiocLinux = 0x541c
)

// filterCalls installs the filter of system calls for all threads.
func filterCalls() error {
	runtime.LockOSThread() // no_new_privs is that of the thread; the kernel passes it on to the others with the filter
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	code := callFilter(os.Getpid())
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	thread, _, errno := syscall.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	switch {
	case errno != 0:
		return errno
	case thread != 0:
		return fmt.Errorf("thread %d has a filter of its own", thread)
	default:
		return nil
	}
}

// callFilter returns the program of the filter. Each test jumps over the instruction behind it, so no jump is long.
func callFilter(pid int) []unix.SockFilter {
	var code []unix.SockFilter
	load := func(at uint32) {
		code = append(code, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at})
	}
	// when runs the n instructions behind it only if the comparison holds.
	when := func(op uint16, k uint32, n uint8) {
		code = append(code, unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jf: n})
	}
	unless := func(op uint16, k uint32, n uint8) {
		code = append(code, unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jt: n})
	}
	end := func(action uint32) {
		code = append(code, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action})
	}
	deny := func(errno syscall.Errno) { end(unix.SECCOMP_RET_ERRNO | uint32(errno)) }

	load(atArch)
	unless(unix.BPF_JEQ, archOfCalls, 1) // a call in the convention of another processor, such as int 0x80, has other numbers
	deny(unix.EPERM)
	load(atCall)
	if otherNumbers > 0 {
		when(unix.BPF_JGE, otherNumbers, 1)
		deny(unix.ENOSYS)
	}
	for _, list := range [][]uintptr{refused, refusedHere} {
		for _, call := range list {
			when(unix.BPF_JEQ, uint32(call), 1)
			deny(unix.EPERM)
		}
	}
	when(unix.BPF_JEQ, unix.SYS_CLONE3, 1) // its flags are in memory, which a filter cannot read; who gets ENOSYS uses clone
	deny(unix.ENOSYS)
	when(unix.BPF_JEQ, unix.SYS_CLONE, 4) // threads only, no processes
	load(atArgs)
	unless(unix.BPF_JSET, unix.CLONE_THREAD, 1)
	deny(unix.EPERM)
	end(unix.SECCOMP_RET_ALLOW)
	when(unix.BPF_JEQ, unix.SYS_IOCTL, 6)
	load(atArgs + 8)
	when(unix.BPF_JEQ, tiocSTI, 1)
	deny(unix.EPERM)
	when(unix.BPF_JEQ, tiocLinux, 1)
	deny(unix.EPERM)
	end(unix.SECCOMP_RET_ALLOW)
	for _, call := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL} { // signals to this process only: the runtime sends them to its threads
		when(unix.BPF_JEQ, call, 4)
		load(atArgs)
		unless(unix.BPF_JEQ, uint32(pid), 1)
		deny(unix.EPERM)
		end(unix.SECCOMP_RET_ALLOW)
	}
	end(unix.SECCOMP_RET_ALLOW)
	return code
}
