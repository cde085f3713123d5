//go:build unix && !linux

// Package child says how the child of a supervision is started, which differs between systems.
package child

import "syscall"

// Attributes give the child a process group of its own.
func Attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
