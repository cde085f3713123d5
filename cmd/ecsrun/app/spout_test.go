package app

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
)

// Without a signal a write waits for its reader, and is seen to wait. After one it is given up, and so are later ones.
func TestSpout(t *testing.T) {
	in, out := io.Pipe()
	signal, v := make(chan struct{}), &vitals.Vitals{}
	s := newSpout(out, signal, v)
	defer s.close()
	go func() {
		for v.Unhealthy(time.Millisecond, time.Now()) != "writing output takes longer than 1ms" {
			time.Sleep(time.Millisecond)
		}
		_, _ = io.ReadFull(in, make([]byte, 4))
	}()
	if n, err := s.Write([]byte("read")); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	if got := v.Unhealthy(time.Nanosecond, time.Now()); got != "" {
		t.Error(got)
	}
	s.patience = 20 * time.Millisecond
	time.AfterFunc(10*time.Millisecond, func() { close(signal) })
	for range 3 {
		if n, err := s.Write([]byte("lost")); n != 0 || !errors.Is(err, errStalled) {
			t.Fatal(n, err)
		}
	}
	_ = in.Close()
}

// Of a write that is given up, what was read counts as written.
func TestSpoutOfAReaderThatStops(t *testing.T) {
	in, out := io.Pipe()
	signal := make(chan struct{})
	s := newSpout(out, signal, nil)
	defer s.close()
	s.patience = 20 * time.Millisecond
	go func() {
		_, _ = io.ReadFull(in, make([]byte, spoutPiece))
		for s.taken.Load() < spoutPiece {
			time.Sleep(time.Millisecond)
		}
		close(signal)
	}()
	if n, err := s.Write(make([]byte, 3*spoutPiece)); n != spoutPiece || !errors.Is(err, errStalled) {
		t.Error(n, err)
	}
	_ = in.Close()
}

// A write that its reader takes costs no garbage.
func TestSpoutAllocatesNothing(t *testing.T) {
	s := newSpout(io.Discard, make(chan struct{}), &vitals.Vitals{})
	defer s.close()
	line := []byte("line\n")
	if n := testing.AllocsPerRun(100, func() { _, _ = s.Write(line) }); n != 0 {
		t.Errorf("%v allocations per write", n)
	}
}
