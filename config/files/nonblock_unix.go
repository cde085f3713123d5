//go:build unix

package files

import "syscall"

// nonblock keeps opening a pipe from waiting for its writer, should a pipe have taken the place of a file in the meantime.
const nonblock = syscall.O_NONBLOCK
