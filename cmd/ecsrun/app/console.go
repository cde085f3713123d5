package app

import (
	"bufio"
	"io"
	"os"

	"golang.org/x/term"
)

// A console keeps stdout, stderr and the progress line out of each other's way. Stdout is buffered; it is written out before anything
// goes to stderr, so that both are in order where they end up in one place. A console belongs to one goroutine.
type console struct {
	out      *bufio.Writer
	raw      io.Writer // behind out: only to be asked whether it is a terminal
	err      io.Writer
	progress *progress // nil: no line is shown
}

func newConsole(stdout, stderr io.Writer) *console {
	return &console{out: bufio.NewWriterSize(stdout, 1<<16), raw: stdout, err: stderr}
}

// stdout returns the writer for what scripts print and for results.
func (c *console) stdout() io.Writer { return (*consoleOut)(c) }

// stderr returns the writer for everything else.
func (c *console) stderr() io.Writer { return (*consoleErr)(c) }

// flush writes stdout out. The error is that of the first write that failed.
func (c *console) flush() error {
	if c.out.Buffered() > 0 {
		c.hideProgress()
	}
	return c.out.Flush()
}

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

// colorful reports whether w should get colour: a terminal, unless NO_COLOR is set to anything.
func colorful(w io.Writer, env func(string) string) bool {
	return env("NO_COLOR") == "" && terminal(w, env)
}
