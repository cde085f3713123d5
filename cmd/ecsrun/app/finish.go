package app

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file is the end of a run: the summary, the digest and the exit code.

// finish writes the summary and the final digest.
func (r *run) finish() {
	r.failures.countUp()
	if r.verify != nil {
		fmt.Fprintln(r.console.stdout(), r.verify.result())
	}
	if rp := r.flags.replaying; rp != nil {
		fmt.Fprintln(r.console.stdout(), rp.result(r.runtime.World().Frame()))
	}
	r.console.flush() // what is lost is known then
	if !r.flags.quiet {
		r.summary().write(r.reports())
	}
	if r.flags.hash {
		fmt.Fprintf(r.console.stdout(), "digest %s\n", r.runtime.World().Digest())
	}
	r.console.flush()
	r.tellLosses()
}

// losses lists what a full disk, or one that has gone away, has lost.
func (r *run) losses() (lines []string) {
	if r.saver != nil && r.saver.failed > 0 {
		lines = append(lines, "lost: "+counted(r.saver.failed, "snapshot"))
	}
	if r.recording != nil && r.recording.w.Lost() > 0 {
		lines = append(lines, "lost: "+counted(r.recording.w.Lost(), "frame")+" of --record "+r.flags.io.record)
	}
	if r.emit != nil && r.emit.to != nil && r.emit.to.losses() > 0 {
		lines = append(lines, r.emit.to.loss())
	}
	return append(lines, r.console.losses()...)
}

// tellLosses says what was lost where the summary does not say it: there is none, or it was to be written to the same full
// disk.
func (r *run) tellLosses() {
	to := r.console.stderr()
	if r.console.log.losses() > 0 {
		to = r.console.stdout()
	}
	if !r.flags.quiet && r.console.out.losses() == 0 && (r.console.log.losses() == 0 || r.reports() == r.console.stdout()) {
		return
	}
	for _, line := range r.losses() {
		fmt.Fprintln(to, line)
	}
}

func (r *run) summary() *summary {
	w := r.runtime.World()
	s := &summary{frames: w.Frame(), world: w.Time() + w.DT(), wall: r.wall, entities: w.Len(), ended: r.ended, failures: slices.Concat(failureLines(r.runtime.Failures()), r.disabled, r.losses())}
	for id := range w.EventNames() {
		_, sent := w.EventCount(ecs.EventID(id))
		s.events += sent
	}
	of := map[string]config.System{}
	for _, c := range r.config.Systems {
		of[c.Name] = c
	}
	for _, sys := range r.runtime.Schedule().Systems() {
		t := systemTime{name: sys.Name(), impl: of[sys.Name()].Impl, mod: of[sys.Name()].Mod, turns: sys.Turns(), total: r.meter.total[sys]}
		if use := r.meter.memory[sys]; use != nil {
			t.memory = *use
		}
		s.systems = append(s.systems, t)
	}
	return s
}

// failureLines returns the lines of the summary about failures.
func failureLines(f luabind.Failures) []string {
	var lines []string
	if f.Errors > 0 {
		lines = append(lines, "failed: "+counted(f.Errors, "turn"))
	}
	if f.Limits > 0 {
		lines = append(lines, "limits: passed "+counted(f.Limits, "time"))
	}
	if f.Bugs > 0 {
		lines = append(lines, "machine code was wrong: "+counted(f.Bugs, "loop")+"; a bug in ecsrun")
	}
	return lines
}

// code returns the exit code of the run.
func (r *run) code() int {
	failures := r.runtime.Failures()
	if rp := r.flags.replaying; rp != nil && !r.bug && r.wrong == 0 && !r.stopped { // a failure that the record has, too, is equal
		switch {
		case rp.found != "":
			return exitTest
		case rp.unmet:
			return exitUsage
		case r.saver != nil && r.saver.failed > 0:
			return exitScript
		}
		return exitOK
	}
	switch {
	case r.bug, r.wrong > 0:
		return exitBug
	case failures.Limits > 0, r.feed != nil && r.feed.full:
		return exitLimit
	case failures.Errors > 0, r.feed != nil && r.feed.failed, len(r.losses()) > 0:
		return exitScript
	case r.verify != nil && r.verify.found != "":
		return exitTest
	case r.stopped && r.config.Run.Frames != 0:
		return exitInterrupted
	default:
		return exitOK
	}
}
