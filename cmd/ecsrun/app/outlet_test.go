package app

import (
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
)

// A disk has room for so many bytes more, and takes what fits of a write.
type disk struct {
	strings.Builder
	room int
	full error
}

func (d *disk) Write(b []byte) (int, error) {
	n := min(len(b), d.room)
	d.room -= n
	d.Builder.Write(b[:n])
	if n < len(b) {
		return n, d.full
	}
	return n, nil
}

// Wherever a disk was full, there are whole lines after it has room again; what was lost is counted, and said once.
func TestOutletOfAFullDisk(t *testing.T) {
	for room := range 60 {
		d := &disk{room: room, full: syscall.ENOSPC}
		var said []string
		o := &outlet{name: "stdout", to: d, say: func(line string) { said = append(said, line) }}
		for n := range 12 {
			fmt.Fprintf(o, "%d ", n) // in parts
			fmt.Fprintf(o, "line\n")
			if n%2 == 1 && !o.flush() {
				t.Fatal("closed")
			}
			if n == 9 {
				d.room = 1000
			}
		}
		have := strings.Count(d.String(), " line\n")
		if strings.Count(d.String(), "\n") != have || uint64(have)+o.losses() != 12 {
			t.Errorf("room for %d: %d lines lost, and there is %q", room, o.losses(), d.String())
		}
		for line := range strings.Lines(d.String()) {
			var n int
			if _, err := fmt.Sscanf(line, "%d line\n", &n); err != nil {
				t.Errorf("room for %d: the line %q", room, line)
			}
		}
		if len(said) != 2 || !strings.HasPrefix(said[0], "ecsrun: stdout cannot be written: ") || !strings.HasPrefix(said[1], "ecsrun: stdout can be written again; ") {
			t.Errorf("room for %d: said %q", room, said)
		}
	}
}

// What is still kept at the end is lost, too.
func TestOutletThatStaysFull(t *testing.T) {
	for room := range 30 {
		d := &disk{room: room, full: io.ErrUnexpectedEOF}
		o := &outlet{name: "stdout", to: d}
		for range 5 {
			fmt.Fprint(o, "line\n")
			o.flush()
		}
		if got := uint64(strings.Count(d.String(), "\n")) + o.losses(); got != 5 {
			t.Errorf("room for %d: %d lines are lost or there", room, got)
		}
	}
}

// A reader that has ended is no loss.
func TestOutletOfAClosedPipe(t *testing.T) {
	o := &outlet{name: "stdout", ends: true, to: &disk{full: syscall.EPIPE}, say: func(line string) { t.Error(line) }}
	fmt.Fprintln(o, "line")
	if o.flush() || o.losses() != 0 {
		t.Errorf("%d lines are lost", o.losses())
	}
	fmt.Fprintln(o, "line")
	if o.flush() || o.losses() != 0 || len(o.kept) > 0 {
		t.Errorf("%d lines are lost", o.losses())
	}
}

// A script that prints nothing but to a stderr which is full for a while: it is said when it works again.
func TestStderrOfAFullDisk(t *testing.T) {
	out, err := &disk{room: 1000}, &disk{full: syscall.ENOSPC}
	c := newConsole(out, err)
	fmt.Fprintln(c.stderr(), "one")
	fmt.Fprintln(c.stderr(), "two")
	if lines := c.losses(); len(lines) != 1 || lines[0] != "lost: 2 lines of stderr" {
		t.Errorf("%q", lines)
	}
	err.room = 1000
	fmt.Fprintln(c.stderr(), "three")
	fmt.Fprintln(c.stderr(), "four")
	if got := err.String(); !strings.Contains(got, "three\n") || !strings.Contains(got, "four\n") || !strings.Contains(got, "stderr can be written again") {
		t.Errorf("%q", got)
	}
}
