package app

import (
	"fmt"
	"strings"
)

// The exit codes. Scripts and CI rely on them. The table below is shown by --help and in docs/cli.md.
const (
	exitOK          = 0
	exitTest        = 1
	exitUsage       = 2
	exitLoad        = 3
	exitScript      = 4
	exitLimit       = 5
	exitBug         = 70
	exitInterrupted = 130
)

var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "ok"},
	{exitTest, "a test failed, a test file does not load, or there was no test; `--verify`, `replay`, `bisect`, `bench` or `snapshot diff` found a difference; `types --check` found an old file"},
	{exitUsage, "a wrong flag, a mistake in the config, a missing file, or a damaged snapshot; any mistake that `check` finds, and under `--strict` any warning"},
	{exitLoad, "a script does not load"},
	{exitScript, "a script failed in a turn or in `init`, or something could not be written, as on a full disk, even if the run went on"},
	{exitLimit, "a limit was exceeded, even if the run went on"},
	{exitBug, "a bug in ecsrun"},
	{exitInterrupted, "interrupted (0 if `frames` is 0)"},
}

// exitTable returns the section of --help about exit codes.
func exitTable() string {
	var b strings.Builder
	b.WriteString("Exit codes (the highest of 70, 5, 4 wins):\n")
	for _, e := range exitCodes {
		fmt.Fprintf(&b, "  %3d  %s\n", e.code, e.meaning)
	}
	return b.String()
}

// An exit ends a command with a code. If err is nil, what went wrong has been written to stderr already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// outputError returns the exit for a file that cannot be written.
func outputError(format string, args ...any) error {
	return &exit{exitScript, fmt.Errorf(format, args...)}
}

// usageError returns the exit for a mistake on the command line.
func usageError(format string, args ...any) error {
	return &exit{exitUsage, fmt.Errorf(format, args...)}
}
