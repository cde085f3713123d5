//go:build unix

package signals

import "syscall"

func init() { Save = syscall.SIGUSR1 }
