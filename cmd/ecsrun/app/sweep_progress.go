package app

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// This file is what a sweep says while it runs: on a terminal a line that changes, elsewhere a line a minute and a last one.

// tellEvery returns how often progress is told.
func (f *fleet) tellEvery() time.Duration {
	if f.live = terminal(f.console.err, os.Getenv); f.live {
		return time.Second
	}
	return time.Minute
}

// tell shows how far the sweep is.
func (f *fleet) tell() {
	line := f.progress(time.Now())
	if !f.live {
		fmt.Fprintln(f.console.stderr(), line)
		return
	}
	f.console.hideSweep()
	_, _ = io.WriteString(f.console.err, line) // a line that is overwritten is no result
	f.console.sweeping = true
}

// hideSweep clears the line.
func (c *console) hideSweep() {
	if c.sweeping {
		_, _ = io.WriteString(c.err, "\r\x1b[K")
		c.sweeping = false
	}
}

// progress returns the line: jobs done, running, failed, per second, time left, thresholds so far.
func (f *fleet) progress(now time.Time) string {
	c := f.ledger.Counts()
	f.mu.Lock()
	running, ill := f.running, f.ill
	f.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "sweep: %s of %s done, %d running, %d failed", grouped(c.Done), counted(c.Jobs, "job"), running, ill)
	if spent := now.Sub(f.began).Seconds(); c.Fresh > 0 && spent > 0 {
		rate := float64(c.Fresh) / spent
		fmt.Fprintf(&b, ", %s a second", strconv.FormatFloat(rate, 'f', 1, 64))
		if left := c.Jobs - c.Done; left > 0 {
			fmt.Fprintf(&b, ", %s left", time.Duration(float64(left)/rate*float64(time.Second)).Round(time.Second))
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.early.table; t != nil && t.Len() > 0 {
		for _, threshold := range f.thresholds {
			value := threshold.Of(t, t.All())
			mark := "holds"
			if !threshold.Holds(value) {
				mark = "fails"
			}
			fmt.Fprintf(&b, "; %s: %s so far, %s", threshold.Text, strconv.FormatFloat(value, 'g', 4, 64), mark)
		}
	}
	return b.String()
}
