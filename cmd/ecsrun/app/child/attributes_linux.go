// Package child says how the child of a supervision is started, which differs between systems.
package child

import "syscall"

// Attributes give the child a process group of its own, and make the system send it SIGTERM when the parent is killed: then it saves and ends.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
