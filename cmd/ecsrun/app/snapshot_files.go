package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/ecs/snapfile"
	"github.com/ecsrun/ecsrun/luabind"
)

// This file is the folder of a run's snapshots: the names of the files, the newest one that is whole, and which are
// removed or set aside.

const (
	snapshotPrefix = "frame-"
	snapshotSuffix = ".snap"
	earlierSuffix  = ".earlier" // behind the name of a snapshot of an earlier run
)

// snapshotName returns the name of the snapshot after a frame.
func snapshotName(frame uint64) string {
	return fmt.Sprintf("%s%010d%s", snapshotPrefix, frame, snapshotSuffix)
}

// snapshotFrame returns the frame of a snapshot by its name; false if that is another file.
func snapshotFrame(name string) (frame uint64, ok bool) {
	digits := strings.TrimSuffix(strings.TrimPrefix(name, snapshotPrefix), snapshotSuffix)
	frame, err := strconv.ParseUint(digits, 10, 64)
	return frame, err == nil && name == snapshotName(frame)
}

// snapshotsIn lists the frames of the snapshots in a folder, the newest first.
func snapshotsIn(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	var frames []uint64
	for _, e := range entries {
		if frame, ok := snapshotFrame(e.Name()); ok && !e.IsDir() {
			frames = append(frames, frame)
		}
	}
	slices.SortFunc(frames, func(a, b uint64) int { return cmp.Compare(b, a) })
	return frames, err
}

// A snapshot is an open snapshot file that is whole: its checksums are right.
type snapshot struct {
	path   string
	file   *os.File
	reader *snapfile.Reader
	meta   luabind.Meta
	size   int64
}

// openSnapshot opens and verifies a snapshot. The caller closes its file.
func openSnapshot(path string) (s *snapshot, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // only read
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: path, Err: errors.New("is not a regular file")}
	}
	s = &snapshot{path: path, file: f, size: info.Size()}
	if s.reader, err = snapfile.Open(f, info.Size()); err != nil {
		return nil, damaged(path, err)
	}
	if s.meta, err = luabind.ReadMeta(s.reader); err != nil {
		return nil, damaged(path, err)
	}
	return s, nil
}

func (s *snapshot) close() { _ = s.file.Close() } // only read

// damaged adds the name of the file to an error of reading it, which says the section and the place.
func damaged(path string, err error) error { return fmt.Errorf("%s: %w", path, err) }

// newestSnapshot opens the newest snapshot in a folder that a run can go on from, and closes it again. A warning names
// each newer one that is damaged, or was taken where a run has failed.
func newestSnapshot(dir string) (s *snapshot, warnings []string, err error) {
	frames, err := snapshotsIn(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, frame := range frames {
		path := filepath.Join(dir, snapshotName(frame))
		s, err := openSnapshot(path)
		switch {
		case err != nil:
			warnings = append(warnings, fmt.Sprintf("%v; an older snapshot is used", err))
			continue
		case s.meta.Failed:
			s.close()
			warnings = append(warnings, fmt.Sprintf("%s: taken where frame %d had failed; an older snapshot is used", path, s.meta.Frame))
			continue
		}
		s.close()
		return s, warnings, nil
	}
	return nil, warnings, fmt.Errorf("%s: there is no snapshot to go on from", dir)
}

// claimFolder makes a folder ready for a run that begins after a frame; begun says that it does not begin anew. The
// folder is made if it is not there. Snapshots of a later frame, and all if the run begins anew, are those of an
// earlier run: they would be taken for newer ones, so they are set aside under another name. What was set aside before
// is removed then. It returns how many are set aside now.
func claimFolder(dir string, begun bool, frame uint64) (aside int, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	if err := durable.Sweep(durable.OS, dir, func(name string) bool { _, ok := snapshotFrame(name); return ok }); err != nil {
		return 0, err
	}
	frames, err := snapshotsIn(dir)
	if err != nil {
		return 0, err
	}
	frames = slices.DeleteFunc(frames, func(f uint64) bool { return begun && f <= frame })
	if len(frames) == 0 {
		return 0, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		of, ok := strings.CutSuffix(e.Name(), earlierSuffix)
		if _, ours := snapshotFrame(of); ok && ours {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return 0, err
			}
		}
	}
	for _, f := range frames { // the newest first: after a crash in the middle, the newest is not one of the earlier run
		path := filepath.Join(dir, snapshotName(f))
		if err := os.Rename(path, path+earlierSuffix); err != nil {
			return 0, err
		}
	}
	return len(frames), durable.OS.SyncDir(dir)
}

// pruneFolder removes all snapshots up to a frame but the newest ones, as many as keep says.
func pruneFolder(dir string, frame uint64, keep int) error {
	frames, err := snapshotsIn(dir)
	if err != nil {
		return err
	}
	frames = slices.DeleteFunc(frames, func(f uint64) bool { return f > frame })
	for i, f := range frames {
		if i < keep {
			continue
		}
		if e := os.Remove(filepath.Join(dir, snapshotName(f))); err == nil {
			err = e
		}
	}
	return err
}
