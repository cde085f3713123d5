package app

import (
	"bufio"
	"io"
	"os"

	"golang.org/x/term"
)

// A console keeps stdout, stderr and the progress line apart. Stdout is buffered, and flushed before anything is
// written to stderr, so that the order is right where both go to the same place. A console belongs to one
// goroutine.
type console struct {
	out      *bufio.Writer
	raw      io.Writer // the writer below out, needed to ask whether it is a terminal
	err      io.Writer
	progress *progress // nil if no progress line is shown
}

func newConsole(stdout, stderr io.Writer) *console {
	return &console{out: bufio.NewWriterSize(stdout, 1<<16), raw: stdout, err: stderr}
}

// stdout returns the writer for what scripts print and for results.
func (c *console) stdout() io.Writer { return (*consoleOut)(c) }

// stderr returns the writer for everything else.
func (c *console) stderr() io.Writer { return (*consoleErr)(c) }

// flush writes buffered output to stdout. It returns the first error of any write.
func (c *console) flush() error {
	if c.out.Buffered() > 0 {
		c.hideProgress()
	}
	return c.out.Flush()
}

// hideProgress clears the progress line, so that other output starts on an empty line.
func (c *console) hideProgress() {
	if c.progress != nil {
		c.progress.hide()
	}
}

type consoleOut console

func (c *consoleOut) Write(b []byte) (int, error) {
	if c.out.Available() < len(b) {
		(*console)(c).hideProgress()
	}
	return c.out.Write(b)
}

type consoleErr console

func (c *consoleErr) Write(b []byte) (int, error) {
	_ = (*console)(c).flush() // sticky: the end of Main reports it
	(*console)(c).hideProgress()
	return c.err.Write(b)
}

// terminal reports whether w is a terminal that can move its cursor.
func terminal(w io.Writer, env func(string) string) bool {
	f, ok := w.(*os.File)
	return ok && env("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// colorful reports whether output to w should be coloured: w is a terminal, and NO_COLOR is not set.
func colorful(w io.Writer, env func(string) string) bool {
	return env("NO_COLOR") == "" && terminal(w, env)
}
