// Package signals has the signals that not every system knows.
package signals

import "os"

var (
	// Hangup is the signal for a terminal that was closed; nil on systems without one.
	Hangup os.Signal
	// BrokenPipe is the signal for a write to a pipe that nobody reads any more; nil on systems without one. Go ends a program with
	// it for a write to stdout.
	BrokenPipe os.Signal
	// Save is the signal that asks a run to save; nil on systems without one.
	Save os.Signal
)
