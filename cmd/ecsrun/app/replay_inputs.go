package app

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// Inputs of an earlier run that are done again: those of a record, and those of frames that a run has gone back to.

// replayInputs does the inputs of the next frame. It reports false when the record has no more frames, or one of the inputs no
// longer fits.
func (r *run) replayInputs(signal *interruption) bool {
	rp, w := r.flags.replaying, r.runtime.World()
	if rp.next == nil || rp.next.Number == w.Frame() {
		r.ended = "the record ends here"
		return false
	}
	return r.doRecorded(signal)
}

// replayRest does what the record has after its last frame, and compares the world with that at the end of the recorded run.
func (r *run) replayRest(signal *interruption) {
	rp, w := r.flags.replaying, r.runtime.World()
	if rp.next == nil || rp.next.Number != w.Frame() || rp.found != "" || r.stopped || r.bug || !r.begun {
		return
	}
	rp.after = true
	if r.doRecorded(signal) || rp.found == "" && !r.stopped {
		r.trace.end(w)
	}
}

// doRecorded does the inputs of the record that come next. Its result is that of replayInputs.
func (r *run) doRecorded(signal *interruption) bool {
	rp := r.flags.replaying
	return r.doLines(signal, rp.next.Number, rp.next.Inputs, r.replayed)
}

// doLines does the inputs of a frame of an earlier run, and those that were done within it when it gets there. did is told of each,
// and reports whether to go on. The result is false if not, and after an input that stops the run.
func (r *run) doLines(signal *interruption, frame uint64, lines []string, did func(*inputs.Input, error) bool) bool {
	w := r.runtime.World()
	d := inputs.Decoder{World: w, Systems: r.runtime.Schedule().Names(), File: fmt.Sprintf("inputs of frame %d", frame), Next: w.Frame() + 1}
	var within []string
	for _, line := range lines {
		if _, _, ok := fromFrame(line); ok {
			within = append(within, line)
			continue
		}
		in, ok, err := d.Decode([]byte(line))
		if err == nil && ok {
			_, err = in.Apply(signal.over, r.runtime)
		}
		if !did(&in, err) {
			return false
		}
		r.noteInput(line)
		if ok && in.Kind == inputs.Stop {
			r.ended = "stopped by an input: " + oneLine(in.Why)
			return false
		}
	}
	r.within = nil
	if len(within) > 0 {
		r.within = func() {
			for len(within) > 0 {
				text := within[0]
				at, line, _ := fromFrame(text)
				if at > r.turnsDone {
					return
				}
				within = within[1:] // first: an edit is a turn, too
				in, _, err := d.Decode([]byte(line))
				if err == nil {
					_, err = r.runtime.EditInFrame(signal.over, in.Edit)
				}
				if !did(&in, err) {
					within = nil
				}
				r.noteInput(text)
			}
		}
	}
	return true
}

// replayed takes note of an input of the record that was done, with what error. It reports false if it cannot be done.
func (r *run) replayed(in *inputs.Input, err error) bool {
	rp := r.flags.replaying
	switch {
	case err == nil, errors.Is(err, luabind.ErrTakenBack): // as in the run
		r.keepSetting(in)
		return true
	case errors.Is(err, errInterrupted):
		r.fail(err)
	default:
		rp.found, r.ended = fmt.Sprintf("frame %d: an input of the record cannot be done: %v", rp.next.Number, err), "an input cannot be done"
	}
	return false
}
