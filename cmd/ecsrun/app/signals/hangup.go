//go:build !js && !plan9 && !wasip1

package signals

import "syscall"

func init() { Hangup, BrokenPipe = syscall.SIGHUP, syscall.SIGPIPE }
