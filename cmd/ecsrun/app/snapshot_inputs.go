package app

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// This file is what a snapshot has of later frames: replay --snapshot puts the inputs of the record there, and a run that goes on
// from it does them.

// laterThan returns the inputs of the frames after one.
func laterThan(frame uint64, list []luabind.Inputs) []luabind.Inputs {
	i := slices.IndexFunc(list, func(in luabind.Inputs) bool { return in.Frame > frame })
	if i < 0 {
		return nil
	}
	return list[i:]
}

// startLater gets the run ready to do the inputs of its snapshot. --input is done in their place.
func (r *run) startLater() {
	if r.resumed == nil || r.flags.replaying != nil || len(r.resumed.meta.Inputs) == 0 {
		return
	}
	if r.flags.io.input != "" {
		fmt.Fprintf(r.console.stderr(), "--resume: %s has inputs of later frames, which are left out: those of --input are done\n", r.resumed.path)
		return
	}
	r.later = r.resumed.meta.Inputs
	if r.saver != nil {
		r.saver.from.Inputs = r.later
	}
	within := func(line string) bool { _, _, ok := fromFrame(line); return ok }
	if slices.ContainsFunc(r.later, func(in luabind.Inputs) bool { return slices.ContainsFunc(in.Lines, within) }) {
		r.countTurns()
	}
}

// doLater does the inputs that the snapshot has of the next frame. It reports false if the run is over.
func (r *run) doLater(signal *interruption) bool {
	frame := r.runtime.World().Frame() + 1
	if r.flags.replaying == nil {
		r.within = nil
	}
	if lines := r.history.of(frame); len(lines) > 0 {
		return r.doKnown(signal, frame, lines)
	}
	if r.later = laterThan(frame-1, r.later); r.history.past() || len(r.later) == 0 || r.later[0].Frame > frame {
		return true
	}
	lines := r.later[0].Lines
	r.later = r.later[1:]
	return r.doLines(signal, frame, lines, func(in *inputs.Input, err error) bool {
		switch {
		case err == nil, errors.Is(err, luabind.ErrTakenBack): // as in the recorded run
			r.keepSetting(in)
		case errors.Is(err, errInterrupted), errors.Is(err, luabind.ErrBug):
			r.fail(err)
			return false
		default:
			fmt.Fprintf(r.console.stderr(), "--resume: an input of frame %d in %s cannot be done, and the run goes on without it: %v\n", frame, r.resumed.path, err)
		}
		return true
	})
}
