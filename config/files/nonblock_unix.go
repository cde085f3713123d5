//go:build unix

package files

import "syscall"

// nonblock prevents that opening blocks if a pipe has taken the place of a file since the check: a pipe would wait
// for its writer.
const nonblock = syscall.O_NONBLOCK
