package app

import "syscall"

// childAttributes also make the system send SIGTERM to the child when the parent is killed: then it saves and ends.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
