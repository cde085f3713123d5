package app

import (
	"fmt"
	"io"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sample"
)

// This file is --sample.

// startSampling makes the table of samples. The declarations of the world are complete by now.
func (r *run) startSampling(to *output) error {
	f := r.flags.operate
	if len(f.samples) == 0 {
		return nil
	}
	r.sampled = &outlet{name: "--to " + f.to, to: r.guarded(to), say: func(line string) { fmt.Fprint(r.console.stderr(), line) }}
	var err error
	if r.samples, err = sample.NewTable(r.runtime.World(), f.samples, f.every, r.sampled); err != nil {
		return usageError("--sample: %w", err)
	}
	info, err := to.Stat()
	if r.resumed == nil || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	var cut bool
	frame := r.resumed.meta.Frame
	switch r.keepSamples, cut, err = r.samples.Keep(io.NewSectionReader(to, 0, info.Size()), frame); {
	case err != nil:
		return usageError("--to %s: %w; go on with the same ones, or name another file", f.to, err)
	case cut && r.page == nil:
		fmt.Fprintf(r.console.stderr(), "--to: the rows after frame %d that were in %s are cut: the run goes on from there\n", frame, f.to)
	}
	return nil
}

// beginSamples keeps the rows up to the snapshot that the run goes on from, or writes the names of the columns.
func (r *run) beginSamples(to *output) error {
	if r.samples == nil {
		return nil
	}
	if info, err := to.Stat(); err == nil && info.Mode().IsRegular() {
		err = to.Truncate(r.keepSamples)
		if err == nil {
			_, err = to.Seek(r.keepSamples, io.SeekStart)
		}
		if err != nil {
			return usageError("--to: %w", err)
		}
	}
	if r.keepSamples == 0 {
		return r.samples.Head()
	}
	return nil
}

// sampleFrame writes the samples of a frame that has ended.
func (r *run) sampleFrame() {
	if r.samples != nil && !r.doingAgain {
		_ = r.samples.Frame(r.runtime.World().Frame()) // the outlet has told of errors
		if now := time.Now(); r.config.Run.Realtime || now.Sub(r.sampledAt) >= flushEvery {
			r.sampledAt = now
			r.sampled.flush()
		}
	}
}
