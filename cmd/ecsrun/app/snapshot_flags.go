package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/folderlock"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file connects the flags about snapshots with a run: what is checked before it begins, how it goes on from a
// snapshot, and what it saves.

// snapshotFlags are the flags of run about snapshots.
type snapshotFlags struct {
	dir    string // "": none are written
	every  uint64
	keep   int
	drop   []string // what may be dropped although it holds something; dropAll: all
	resume string   // a file or a folder, or resumeAuto; "": the run begins anew
}

// resumeAuto goes on from the newest snapshot in the folder of --snapshot, and begins anew if there is none.
const resumeAuto = "auto"

// superviseEvery is the time between two snapshots of a supervised run without --snapshot-every.
var superviseEvery = time.Minute

func (s *snapshotFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&s.dir, "snapshot", "", "save the run into the folder `DIR` at its end and on a signal, as frame-0000000600.snap")
	flags.Uint64Var(&s.every, "snapshot-every", 0, "with --snapshot, save after every `N` frames, too")
	flags.IntVar(&s.keep, "snapshot-keep", 3, "with --snapshot, keep the newest `K` files")
	flags.StringVar(&s.resume, "resume", "", "go on from a snapshot: `PATH` is a file, or a folder, whose newest whole one is used; auto:\nfrom the newest one in the folder of --snapshot if there is one, else begin.\nThe run has the seed and the overrides of the snapshot")
	flags.StringSliceVar(&s.drop, "resume-drop", nil, "with --resume, drop what the config no longer has although it holds something: `NAMES`, as in\nBag,Health.spare, or all")
}

// check finds flags that do not go together.
func (s *snapshotFlags) check(changed func(string) bool, f runFlags) error {
	switch {
	case changed("snapshot") && s.dir == "":
		return usageError("--snapshot wants a folder, as in --snapshot snapshots")
	case changed("resume") && s.resume == "":
		return usageError("--resume wants a snapshot or a folder of snapshots")
	case s.dir == "" && (changed("snapshot-every") || changed("snapshot-keep")):
		return usageError("--snapshot-every and --snapshot-keep need --snapshot DIR, which says where snapshots go")
	case changed("snapshot-every") && s.every == 0:
		return usageError("--snapshot-every wants a number of frames from 1")
	case s.keep < 1:
		return usageError("--snapshot-keep wants a number of files from 1")
	case changed("resume-drop") && s.resume == "":
		return usageError("--resume-drop needs --resume: it says what of the snapshot may be dropped")
	case s.resume == resumeAuto && s.dir == "":
		return usageError("--resume=auto needs --snapshot DIR: it goes on from the newest snapshot in it; a folder called auto is --resume ./auto")
	case f.supervise && s.dir == "":
		return usageError("--supervise needs --snapshot DIR: the next process goes on from the newest snapshot in it")
	case f.supervise && f.io.input == stdinName:
		return usageError("--supervise does not go with --input -: lines that a process has read are lost when it dies; use a file")
	case f.verify != "" && (s.dir != "" || s.resume != ""):
		return usageError("--verify runs two worlds, and a snapshot has one: leave out --snapshot and --resume")
	}
	return nil
}

// paths returns what a confined run reads and writes.
func (s *snapshotFlags) paths() (read, write []string) {
	if s.resume != "" && s.resume != resumeAuto {
		read = append(read, s.resume)
	}
	if s.dir != "" {
		write = append(write, s.dir)
	}
	return read, write
}

// ownFolder takes the lock of the folder of snapshots, until release is called. The child of a supervision has inherited it.
func (p *program) ownFolder(dir string) (release func(), err error) {
	if dir == "" || p.page != nil {
		return func() {}, nil
	}
	lock, err := folderlock.Lock(dir)
	if err != nil {
		return nil, usageError("--snapshot: %w", err)
	}
	return func() { _ = lock.Close() }, nil
}

// startSaving makes the folder that of this run, and begins to save the run.
func (r *run) startSaving(path string, overrides []string) error {
	s := r.flags.snapshots
	switch {
	case s.dir == "":
		return nil
	case r.flags.replaying != nil:
		return r.startSavingReplay(path)
	}
	r.saver = &saver{
		dog: r.dog, dir: s.dir, every: s.every, keep: s.keep, fs: durable.OS, log: r.logs.log, w: r.console.stderr(), vitals: r.vitals, page: r.page,
		from: luabind.Meta{Program: versionLine(), Config: path, Overrides: overrides, Mods: savedMods(r.config), LeftOut: leftOut(r.config, r.disabled)},
	}
	if r.page != nil && s.every == 0 {
		r.saver.pause, r.saver.began = superviseEvery, time.Now()
	}
	begun, frame := r.resumed != nil && sameFolder(filepath.Dir(r.resumed.path), s.dir), uint64(0)
	if begun {
		frame = r.resumed.meta.Frame
		r.saver.saved, r.saver.hasSaved = momentOf(r.runtime), true
	}
	if r.page != nil && r.page.claimed.Load() == 1 {
		return nil
	}
	aside, n, err := claimFolder(s.dir, begun, frame)
	if err != nil {
		return usageError("--snapshot: %w", err)
	}
	if r.page != nil {
		r.page.claimed.Store(1)
	}
	if n > 0 {
		fmt.Fprintf(r.console.stderr(), "--snapshot: %s of another history in %s moved to %s\n", counted(n, "snapshot"), s.dir, aside)
	}
	return nil
}

// sameFolder reports whether two paths lead to the same folder.
func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// load loads the scripts, and puts the run where its snapshot was taken if it has one.
func (r *run) load(signal *interruption) error {
	if r.resumed == nil {
		return r.loaded(r.runtime.LoadContext(signal.over))
	}
	began := time.Now()
	err := r.runtime.RestoreFile(r.resumed.reader)
	var damage *snapfile.Damage
	var lost *ecs.LossError
	switch {
	case err == nil && r.flags.replaying != nil: // the snapshot is part of the record
		return nil
	case err == nil:
		if !r.flags.quiet {
			r.logs.log.Info(fmt.Sprintf("goes on after frame %d, from %s", r.resumed.meta.Frame, r.resumed.path), "ms", time.Since(began).Milliseconds())
		}
		return nil
	case errors.As(err, &damage):
		return usageError("--resume: %w", damaged(r.resumed.path, err))
	case errors.Is(err, luabind.ErrLoad), errors.Is(err, luabind.ErrBug):
		return r.loaded(err)
	case errors.As(err, &lost):
		return usageError("--resume: %s: %w", r.resumed.path, waysOut(lost))
	default:
		return usageError("--resume: %s: %w", r.resumed.path, err)
	}
}

// saveEnd writes the last snapshot, if anything was run. After a bug the world is not to be trusted.
func (r *run) saveEnd() {
	switch {
	case r.saver == nil:
		return
	case r.flags.replaying != nil:
		r.saveReplay()
		return
	}
	if r.page != nil {
		r.page.phase.Store(phaseEnds)
	}
	if r.begun && !r.bug {
		r.saver.end(r.runtime)
	}
	r.saver.wait()
}
