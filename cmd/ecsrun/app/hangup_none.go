//go:build js || plan9 || wasip1

package app

import "os"

var hangup, brokenPipe os.Signal
