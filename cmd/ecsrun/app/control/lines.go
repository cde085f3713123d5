package control

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// This file is the transport of `ecsrun rpc`: a message a line.

// queued is how many lines wait for a slow reader. Beyond them notifications are lost, and answers wait.
const queued = 1024

// A Lines is the connection of `ecsrun rpc`.
type Lines struct {
	plane   *Plane
	session *Session
	out     chan []byte
	quit    chan struct{}
	written chan struct{} // is closed when nothing is written any more
	count   atomic.Uint64 // of lines that were written
}

// Lines answers the messages of r, one a line, on w, one a line, each when those before it were answered. When r ends and all
// were answered, or when w fails, the run stops; a step that no other call waits for ends then at the next edge.
func (p *Plane) Lines(r io.Reader, w io.Writer) *Lines {
	l := &Lines{plane: p, out: make(chan []byte, queued), quit: make(chan struct{}), written: make(chan struct{})}
	l.session = p.Open(func(message []byte) bool {
		if message == nil {
			return len(l.out) < cap(l.out)
		}
		select {
		case l.out <- message:
			return true
		default:
			return false
		}
	}, true)
	go l.write(w)
	go l.read(r)
	return l
}

// patience is how long a reader may take for a line after the end of the run.
const patience = 5 * time.Second

// Finish writes the answers of all calls, and the last notifications. It is called after [Plane.Close]. It reports false if
// lines are left because nobody reads them.
func (l *Lines) Finish() bool {
	go func() {
		l.session.Finish()
		close(l.quit)
	}()
	for {
		before := l.count.Load()
		select {
		case <-l.written:
			return true
		case <-time.After(patience):
			if l.count.Load() == before {
				return false
			}
		}
	}
}

func (l *Lines) write(w io.Writer) {
	defer close(l.written)
	failed := false
	put := func(line []byte) {
		if failed {
			return
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			failed = true
			l.plane.end("the reader of stdout has ended")
		}
		l.count.Add(1)
	}
	for {
		select {
		case line := <-l.out:
			put(line)
		case <-l.quit:
			for {
				select {
				case line := <-l.out:
					put(line)
				default:
					return
				}
			}
		}
	}
}

func (l *Lines) read(r io.Reader) {
	reply := func(response []byte) {
		if response != nil {
			l.out <- response
		}
	}
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := readLine(in)
		if len(line) > 0 {
			l.session.Handle(line, reply)
		}
		if err != nil {
			break
		}
	}
	l.plane.post(marker(func(p *Plane) { p.stand.closing = true }))
	l.session.wait()
	l.plane.end("stdin was closed")
}

// readLine reads a line, without its end. Of one that is longer than MaxMessage it passes over the rest.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= MaxMessage {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// end stops the run at the next edge, as run.stop does.
func (p *Plane) end(reason string) {
	p.post(marker(func(p *Plane) {
		if !p.stand.stopping {
			p.stand.stopping, p.stand.reason = true, reason
		}
	}))
}
