package control

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync/atomic"
	"syscall"
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
	sent    atomic.Uint64 // lines that are to be written, or were
	tried   atomic.Uint64 // of these
	wrote   atomic.Uint64 // of these
	closed  atomic.Bool   // the reader has ended
}

// Lines answers the messages of r, one a line, on w, one a line, each when those before it were answered. When r ends and all
// were answered, or when the reader of w has ended, the run stops; a step that no other call waits for ends then at the next edge.
func (p *Plane) Lines(r io.Reader, w io.Writer) *Lines {
	l := &Lines{plane: p, out: make(chan []byte, queued), quit: make(chan struct{}), written: make(chan struct{})}
	l.session = p.Open(func(message []byte) bool {
		if message == nil {
			return len(l.out) < cap(l.out)
		}
		select {
		case l.out <- message:
			l.sent.Add(1)
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

// Finish writes the answers of all calls, and the last notifications. It is called after [Plane.Close]. The result is the number
// of lines that were not written, because of a failure or because nobody reads them; none are missed where the reader has ended.
func (l *Lines) Finish() (lost uint64) {
	go func() {
		l.session.Finish()
		close(l.quit)
	}()
	for waits := true; waits; {
		before := l.tried.Load()
		select {
		case <-l.written:
			waits = false
		case <-time.After(patience):
			waits = l.tried.Load() != before
		}
	}
	if l.closed.Load() {
		return 0
	}
	return l.sent.Load() - l.wrote.Load()
}

func (l *Lines) write(w io.Writer) {
	defer close(l.written)
	put := func(line []byte) {
		if l.closed.Load() {
			return
		}
		_, err := w.Write(append(line, '\n'))
		l.tried.Add(1)
		switch {
		case err == nil:
			l.wrote.Add(1)
		case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
			l.closed.Store(true)
			l.plane.end("the reader of stdout has ended")
		}
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
			l.sent.Add(1)
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
