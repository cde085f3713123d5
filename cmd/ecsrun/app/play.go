package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/vitals"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file is the main loop of a run: startup, then one frame after another, until the frames are done, the world
// stops the run, a system fails, or a signal comes.

// play runs the startup stage and the frames until something ends the run.
func (r *run) play(signal *interruption) {
	c := r.config
	r.began = time.Now()
	defer func() { r.wall = time.Since(r.began) }()
	r.doing = r.where

	if signal.came() {
		r.stopped, r.ended = true, "interrupted"
		return
	}
	r.begun = true
	if r.resumed == nil && !r.step(func(rt *luabind.Runtime) error { return rt.Start(signal.over) }) {
		r.stay(signal)
		return
	}
	if r.vitals != nil {
		r.vitals.Enter(vitals.Ready)
	}
	if terminal(r.console.err, os.Getenv) && c.Log.Format != "json" {
		r.console.progress = newProgress(r.console.log.to, c.Run.Frames, colorful(r.console.err, os.Getenv), time.Now())
		defer func() { r.console.hideProgress(); r.console.progress = nil }()
	}
	if r.pace == nil { // run.speed may have come already
		r.pace = pacerFor(c)
	}
	world := r.runtime.World()
	if f := world.Frame(); r.resumed != nil && r.flags.replaying == nil && c.Run.Frames > 0 && f >= c.Run.Frames {
		fmt.Fprintf(r.console.stderr(), "nothing left to run: the snapshot is of frame %d, and the last frame is %d; a larger --frames goes on\n", f, c.Run.Frames)
	} else if reason, stopped := world.Stopped(); stopped && r.resumed != nil && r.flags.replaying == nil {
		if reason != "" {
			reason = ": " + oneLine(reason)
		}
		fmt.Fprintf(r.console.stderr(), "nothing left to run: the run was stopped in frame %d%s; an older snapshot goes on from before\n", f, reason)
	}
	r.startHistory()
	for r.frames(signal); r.stay(signal); r.frames(signal) {
	}
}

// frames runs one frame after another until something ends the run.
func (r *run) frames(signal *interruption) {
	c, world := r.config, r.runtime.World()
	for c.Run.Frames == 0 || world.Frame() < c.Run.Frames {
		if reason, ok := world.Stopped(); ok {
			r.ended = fmt.Sprintf("stopped in frame %d: %s", world.Frame(), oneLine(reason))
			return
		}
		if !r.onEdge(signal) {
			return
		}
		if signal.came() {
			r.stopped, r.ended = true, "interrupted"
			return
		}
		if !r.doInputs(signal) {
			return
		}
		if r.watch != nil && !r.control.Rushing() && r.watch.watcher.changed() {
			r.reload(signal)
		}
		r.beginAgain()
		ran := r.step(func(rt *luabind.Runtime) error { return rt.Frame(signal.over, c.Run.DT) })
		again := r.endAgain()
		if !ran && !r.pause(signal) {
			return
		}
		if n := world.Frame(); r.flags.hashEvery > 0 && n%r.flags.hashEvery == 0 && !again {
			fmt.Fprintf(r.console.stdout(), "digest %d %s\n", n, world.Digest())
		}
		if r.saver != nil && !again {
			r.saver.after(r.runtime)
		}
		if ran {
			r.history.frameEnded()
		}
		r.saveIfAsked()
		if !r.console.flush() {
			r.ended = "stdout was closed"
			return
		}
		if r.console.progress != nil {
			r.console.progress.update(world.Frame(), time.Now())
		}
		r.wait(signal)
	}
	r.ended = "all frames done"
	if reason, ok := world.Stopped(); ok {
		r.ended = fmt.Sprintf("stopped in frame %d: %s", world.Frame(), oneLine(reason))
	}
}

// doInputs does what comes before the next frame. It reports false if the run is over.
func (r *run) doInputs(signal *interruption) bool {
	for {
		n := r.backs
		if !r.doLater(signal) || r.feeds() && !r.feedFrame(signal) || r.flags.replaying != nil && !r.replayInputs(signal) {
			return false
		}
		if r.backs == n { // else the run went back while it waited for lines
			return true
		}
	}
}

// step runs the startup or one frame, in both worlds if two are compared. It reports false if the run is over.
func (r *run) step(do func(*luabind.Runtime) error) bool {
	r.conduct.begin()
	r.inFrame = true
	err := do(r.runtime)
	if r.inFrame = false; err != nil {
		r.fail(err)
	}
	r.conduct.end()
	r.turnsDone = 0
	r.sampleFrame()
	r.emitFrame()
	if r.trace != nil {
		if rp := r.flags.replaying; rp != nil {
			rp.warn(r.console.stderr())
		}
		r.trace.end(r.runtime.World())
		if rp := r.flags.replaying; rp != nil && rp.found != "" && err == nil {
			r.ended = "it differs from the record"
			return false
		}
	}
	if r.verify == nil || r.bug || r.stopped {
		return err == nil
	}
	if fatal := r.verify.step(do, err); fatal != nil {
		r.fail(fatal)
		return false
	}
	if r.verify.found != "" && err == nil {
		r.ended = "the two worlds differ, " + r.verify.when()
	}
	return err == nil && r.verify.found == ""
}

// survive reports a failure after which the run continues.
func (r *run) survive(err *luabind.ScriptError) {
	r.history.mark(err)
	r.conduct.failed(err.System)
	if r.doingAgain {
		r.surviveAgain(err)
		return
	}
	r.hearFailure(err)
	if r.trace != nil {
		r.trace.mark(err)
	}
	if errors.Is(err, luabind.ErrBug) {
		from := r.repeat
		if r.verify != nil {
			from.set = append(slices.Clone(from.set), r.verify.setting(&r.verify.a))
		}
		r.wrongCode(err, from)
		return
	}
	r.failures.report(err, time.Now())
	if r.verify != nil {
		r.verify.a.fail(err)
	}
	if r.noteDisabled(err) {
		r.failures.disabled(err.System, r.config.Limits.Errors)
	}
}

// surviveAgain notes a failure that was reported before.
func (r *run) surviveAgain(err *luabind.ScriptError) {
	if r.trace != nil {
		r.trace.mark(err)
	}
	r.noteDisabled(err)
}

// noteDisabled notes that a failure has disabled its system. It reports whether it has.
func (r *run) noteDisabled(err *luabind.ScriptError) bool {
	sys := r.runtime.Schedule().Find(err.System)
	if sys == nil || sys.Enabled() {
		return false
	}
	r.disabled = append(r.disabled, disabledSystem{name: err.System, why: err.Error(), after: "after " + counted(r.config.Limits.Errors, "failure")})
	return true
}

// fail ends the run with an error, which may be that of a signal.
func (r *run) fail(err error) {
	r.history.mark(err)
	if !r.doingAgain {
		r.hearFailure(err)
	}
	if r.trace != nil {
		r.trace.mark(err)
	}
	r.failure = err
	if errors.Is(err, errInterrupted) {
		r.interrupted(err)
		return
	}
	if r.bug = errors.Is(err, luabind.ErrBug); r.bug {
		r.panicked = true
		r.tellBug(err)
		r.reportBug(err, goStack(err))
	} else if !r.doingAgain {
		r.failures.report(err, time.Now())
	}
	var script *luabind.ScriptError
	if errors.As(err, &script) {
		r.conduct.failed(script.System)
	}
	switch {
	case !errors.As(err, &script):
		r.ended = "a system failed"
	case script.Frame == 0:
		r.ended = fmt.Sprintf("system %q failed before frame 1", script.System)
	default:
		r.ended = fmt.Sprintf("system %q failed in frame %d", script.System, script.Frame)
	}
}

// interrupted ends the run for a signal that did not wait for the end of a turn. The place where the turn was is
// reported like a failure.
func (r *run) interrupted(err error) {
	r.stopped, r.ended = true, "interrupted"
	var script *luabind.ScriptError
	if !errors.As(err, &script) {
		return // between two turns
	}
	r.failures.report(script, time.Now())
	switch {
	case script.Frame == 0:
		r.ended = fmt.Sprintf("interrupted, in system %q before frame 1", script.System)
	default:
		r.ended = fmt.Sprintf("interrupted, in system %q in frame %d", script.System, script.Frame)
	}
}

// goStack returns the stack of a Go function that panicked below a script, "" if it was lost on the way.
func goStack(err error) string {
	var panicked interface{ GoStack() string }
	if errors.As(err, &panicked) {
		return panicked.GoStack()
	}
	return ""
}

// where returns what is running, for the report of a bug.
func (r *run) where() string {
	m := r.meter
	if r.verify != nil {
		m = r.verify.running()
	}
	if m.running == nil {
		return ""
	}
	return fmt.Sprintf("system %q, frame %d", m.running.Name(), r.runtime.World().Frame())
}
