package app

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressEvery is the time between two updates of the line.
const progressEvery = 100 * time.Millisecond

// progress is the line that a terminal shows during a run: the frames done and, if their number is known, a bar
// and the time left.
type progress struct {
	bar   *progressbar.ProgressBar
	drawn time.Time
	shown bool
}

// newProgress returns a line on w for this number of frames, 0 if it is not known. A run that ends at once shows
// no line.
func newProgress(w io.Writer, frames uint64, color bool, now time.Time) *progress {
	most := int64(frames)
	if frames == 0 || most < 0 {
		most = -1 // a spinner
	}
	description := "running"
	if color {
		description = "[cyan]running[reset]"
	}
	bar := progressbar.NewOptions64(most,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(description),
		progressbar.OptionEnableColorCodes(color),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("frames"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own: update draws it
	)
	bar.StartWithoutRender() // its frames per second count from here
	return &progress{bar: bar, drawn: now}
}

// update shows how many frames are done, if progressEvery has passed.
func (p *progress) update(frame uint64, now time.Time) {
	if now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn, p.shown = now, true
	_ = p.bar.Set64(int64(frame)) // it fails beyond the maximum alone, and the line is no result
}

// hide clears the line; the next update shows it again.
func (p *progress) hide() {
	if p.shown {
		_ = p.bar.Clear()
		p.shown = false
	}
}
