//go:build !js && !plan9 && !wasip1

package app

import (
	"os"
	"syscall"
)

// hangup is the signal for a terminal that was closed; nil on systems without one.
var hangup os.Signal = syscall.SIGHUP
