package app

import (
	"context"
	"time"

	"github.com/ecsrun/ecsrun/config"
)

// mostLag is how far a run may lag behind the wall clock and still catch up. After a longer stall, such as a
// laptop that slept, it continues from the present time.
const mostLag = 250 * time.Millisecond

// A pacer makes frames keep the pace of the wall clock, for `realtime`. The zero pacer does not wait.
type pacer struct {
	step time.Duration
	next time.Time // when the next frame is due
}

// pacerFor returns the pacer that a config asks for.
func pacerFor(c *config.Config) *pacer {
	if !c.Run.Realtime {
		return &pacer{}
	}
	return newPacer(time.Duration(c.Run.DT*float64(time.Second)), time.Now())
}

func newPacer(step time.Duration, now time.Time) *pacer { return &pacer{step: step, next: now} }

// wait returns when the next frame is due, or at once if the run is interrupted.
func (p *pacer) wait(ctx context.Context) {
	if p.step == 0 {
		return
	}
	p.next = p.next.Add(p.step)
	delay := time.Until(p.next)
	if delay < -mostLag {
		p.next = p.next.Add(-delay)
	}
	if delay <= 0 {
		return
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
