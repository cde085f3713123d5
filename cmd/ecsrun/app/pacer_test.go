package app

import (
	"context"
	"testing"
	"time"
)

func TestPacer(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	start := time.Now()

	p := newPacer(time.Hour, start)
	p.wait(done, nil, nil) // interrupted: returns at once
	if got := p.next.Sub(start); got != time.Hour {
		t.Errorf("the next frame is due after %v", got)
	}

	p = newPacer(100*time.Millisecond, start.Add(-150*time.Millisecond))
	p.wait(done, nil, nil) // a little late: catches up
	if got := p.next.Sub(start); got != -50*time.Millisecond {
		t.Errorf("a little late, the next frame is due after %v", got)
	}

	p = newPacer(time.Millisecond, start.Add(-time.Hour))
	p.wait(done, nil, nil) // a long stall: goes on from now
	if p.next.Before(start) {
		t.Error("races after a stall")
	}

	p = &pacer{}
	p.wait(context.Background(), nil, nil) // does not wait
}
