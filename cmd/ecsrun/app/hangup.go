//go:build !js && !plan9 && !wasip1

package app

import (
	"os"
	"syscall"
)

// hangup is the signal for a terminal that was closed; nil on systems without one.
var hangup os.Signal = syscall.SIGHUP

// brokenPipe is the signal for a write to a pipe that nobody reads any more; nil on systems without one. Go ends a program
// with it for a write to stdout.
var brokenPipe os.Signal = syscall.SIGPIPE
