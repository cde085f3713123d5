package app

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A console keeps stdout, stderr and the progress line apart. Stdout is buffered, and flushed before anything is
// written to stderr, so that the order is right where both go to the same place. A console belongs to one
// goroutine.
type console struct {
	out, log outlet    // stdout and stderr
	raw      io.Writer // the writer below out, needed to ask whether it is a terminal
	err      io.Writer // the writer below log
	progress *progress // nil if no progress line is shown
}

func newConsole(stdout, stderr io.Writer) *console {
	c := &console{raw: stdout, err: stderr}
	c.log = outlet{name: "stderr", to: stderr} // write says that it works again; until then nobody can be told
	c.out = outlet{name: "stdout", to: stdout, say: func(line string) { c.write(line) }}
	return c
}

// stdout returns the writer for what scripts print and for results.
func (c *console) stdout() io.Writer { return (*consoleOut)(c) }

// stderr returns the writer for everything else.
func (c *console) stderr() io.Writer { return (*consoleErr)(c) }

// flush writes buffered output to stdout. It reports false if its reader has ended.
func (c *console) flush() (open bool) {
	if len(c.out.kept) > 0 {
		c.hideProgress()
	}
	return c.out.flush()
}

// write writes a text to stderr.
func (c *console) write(text string) {
	c.hideProgress()
	was := c.log.failing
	_, _ = io.WriteString(&c.log, text)
	if c.log.flush() && was != nil && c.log.failing == nil {
		c.write("ecsrun: stderr can be written again; " + c.log.loss() + "\n")
	}
}

// losses lists what could not be written to stdout and stderr.
func (c *console) losses() (lines []string) {
	for _, o := range []*outlet{&c.out, &c.log} {
		if o.losses() > 0 {
			lines = append(lines, o.loss())
		}
	}
	return lines
}

// hideProgress clears the progress line, so that other output starts on an empty line.
func (c *console) hideProgress() {
	if c.progress != nil {
		c.progress.hide()
	}
}

type consoleOut console

func (c *consoleOut) Write(b []byte) (int, error) {
	if len(c.out.kept)+len(b) >= outletSize {
		(*console)(c).hideProgress()
	}
	return c.out.Write(b)
}

type consoleErr console

func (c *consoleErr) Write(b []byte) (int, error) {
	(*console)(c).flush()
	(*console)(c).write(string(b))
	return len(b), nil
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
