//go:build !js && !plan9 && !wasip1

package app

import (
	"os"
	"syscall"
)

// hangup is the signal that says that the terminal is gone; nil on systems that have none.
var hangup os.Signal = syscall.SIGHUP
