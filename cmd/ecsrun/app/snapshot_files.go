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
// removed or moved aside.

const (
	snapshotPrefix = "frame-"
	snapshotSuffix = ".snap"
	earlierPrefix  = "earlier-" // of the folders that snapshots of other histories are moved to
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

// errNoSnapshot says that a folder has no snapshot, or none that a run can go on from.
var errNoSnapshot = errors.New("there is no snapshot to go on from")

// newestSnapshot opens the newest snapshot in a folder that a run can go on from; the caller closes it. A warning names
// each newer one that is damaged, or was taken where a run has failed. The error for a folder without any snapshot is
// [os.ErrNotExist], too. The run that owns the folder may remove files meanwhile.
func newestSnapshot(dir string) (s *snapshot, warnings []string, err error) {
	for range 10 {
		frames, err := snapshotsIn(dir)
		if err != nil {
			return nil, nil, err
		}
		if len(frames) == 0 {
			return nil, nil, fmt.Errorf("%s: %w", dir, errors.Join(errNoSnapshot, os.ErrNotExist))
		}
		removed := false
		warnings = nil
		for _, frame := range frames {
			path := filepath.Join(dir, snapshotName(frame))
			s, err := openSnapshot(path)
			switch {
			case errors.Is(err, os.ErrNotExist):
				removed = true
			case err != nil:
				warnings = append(warnings, err.Error())
			case s.meta.Failed:
				s.close()
				warnings = append(warnings, fmt.Sprintf("%s: taken where frame %d had failed", path, s.meta.Frame))
			default:
				for i := range warnings {
					warnings[i] += "; an older snapshot is used"
				}
				return s, warnings, nil
			}
		}
		if !removed {
			break
		}
	}
	return nil, warnings, fmt.Errorf("%s: %w; begin anew without --resume, or name the folder of another run", dir, errNoSnapshot)
}

// claimFolder makes a folder ready for a run that begins after a frame; begun says that it does not begin anew. The
// caller has the lock. Snapshots of a later frame, and all if the run begins anew, are those of another history: they would
// be taken for newer ones, so they are moved to a folder of their own in this one, earlier-1, earlier-2, and so on.
// claimFolder returns that folder, "" if there was nothing to move, and the number of files.
func claimFolder(dir string, begun bool, frame uint64) (aside string, n int, err error) {
	if err := durable.Sweep(durable.OS, dir, func(name string) bool { _, ok := snapshotFrame(name); return ok }); err != nil {
		return "", 0, err
	}
	return moveAside(dir, func(f uint64) bool { return !begun || f > frame })
}

// moveAside moves the snapshots of some frames to a new folder in their folder, and returns it.
func moveAside(dir string, other func(frame uint64) bool) (aside string, n int, err error) {
	frames, err := snapshotsIn(dir)
	if err != nil {
		return "", 0, err
	}
	frames = slices.DeleteFunc(frames, func(f uint64) bool { return !other(f) })
	if len(frames) == 0 {
		return "", 0, nil
	}
	if aside, err = makeEarlier(dir); err != nil {
		return "", 0, err
	}
	for _, f := range frames { // the newest first: after a crash in the middle, the newest is not one of another history
		if err := os.Rename(filepath.Join(dir, snapshotName(f)), filepath.Join(aside, snapshotName(f))); err != nil {
			return "", 0, err
		}
	}
	return aside, len(frames), errors.Join(durable.OS.SyncDir(aside), durable.OS.SyncDir(dir))
}

// makeEarlier makes the next folder for snapshots of other histories.
func makeEarlier(dir string) (path string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	last := 0
	for _, e := range entries {
		if digits, ok := strings.CutPrefix(e.Name(), earlierPrefix); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				last = max(last, n)
			}
		}
	}
	path = filepath.Join(dir, earlierPrefix+strconv.Itoa(last+1))
	return path, os.Mkdir(path, 0o777)
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
