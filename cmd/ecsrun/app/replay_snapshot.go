package app

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file is replay --snapshot: it saves the world after the last frame of a replay, as run --snapshot would have saved it
// there. run --resume goes on from the file with the overrides of the record.

// startSavingReplay begins to save a replay. Other snapshots in the folder stay: they may be those of the recorded run.
func (r *run) startSavingReplay(path string) error {
	dir, header := r.flags.snapshots.dir, r.flags.replaying.from.Header
	if !r.flags.replaying.today {
		path = header.Config // that of the record lies in a folder that is removed
	}
	r.saver = &saver{
		dog: r.dog, dir: dir, keep: math.MaxInt, fs: durable.OS, log: r.logs.log, w: r.console.stderr(),
		from: luabind.Meta{Program: versionLine(), Config: path, Overrides: overridesOf(path, config.Overrides{Set: header.Set}), Mods: savedMods(r.config)},
	}
	return nil
}

// saveReplay writes the snapshot if the replay is equal and has come to the frame that --to names.
func (r *run) saveReplay() {
	rp, frame := r.flags.replaying, r.runtime.World().Frame()
	switch {
	case rp.found != "" || r.bug || r.stopped || !r.begun:
		return
	case rp.to > frame:
		rp.unmet = true
		fmt.Fprintf(r.console.stderr(), "replay: there is no snapshot of frame %d: the run has ended after frame %d\n", rp.to, frame)
		return
	}
	aside, n, err := moveAside(r.saver.dir, func(f uint64) bool { return f == frame })
	if err != nil {
		r.saver.problem(frame, err)
		return
	}
	if n > 0 {
		fmt.Fprintf(r.console.stderr(), "replay: the snapshot of frame %d that was in %s moved to %s\n", frame, r.saver.dir, aside)
	}
	r.saver.from.Inputs = rp.rest()
	r.saver.end(r.runtime)
	if r.saver.failed == 0 {
		rp.saved = filepath.Join(r.saver.dir, snapshotName(frame))
	}
}

// rest returns the inputs of the frames that were not run. Those after the last frame count as those of a next one.
func (rp *replaying) rest() (list []luabind.Inputs) {
	if rp.next != nil {
		rp.left = rp.next.Number
	}
	last := uint64(0)
	for ; rp.next != nil; rp.advance() {
		frame := rp.next.Number
		if frame == last {
			frame++
		}
		if last = frame; len(rp.next.Inputs) > 0 {
			list = append(list, luabind.Inputs{Frame: frame, Lines: rp.next.Inputs})
		}
	}
	return list
}
