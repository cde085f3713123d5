package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind/record"
	"github.com/spf13/cobra"
)

// The command replay: it runs a record again, from the texts in it or with those of today, and compares every digest.

func (p *program) replayCommand() *cobra.Command {
	var path, dir string
	var to uint64
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a record again and compare it",
		Long: `replay runs again what run --record has written, from the config and scripts in
the record, and compares the digests of each frame, system and component. The exit
code is 1 where they differ, and the first difference is named.`,
		Example: `  ecsrun run config/arena.yaml --record monday.rec
  ecsrun replay monday.rec
  ecsrun replay monday.rec --config config/arena.yaml
  ecsrun replay monday.rec --to 300 --snapshot snapshots`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("replay wants one record, as in ecsrun replay monday.rec")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("to") && to == 0 {
				return usageError("--to wants the number of a frame, from 1")
			}
			if cmd.Flags().Changed("snapshot") && dir == "" {
				return usageError("--snapshot wants a folder, as in --snapshot snapshots")
			}
			return p.replay(args[0], path, to, dir)
		},
	}
	cmd.Flags().StringVar(&path, "config", "", "run `CONFIG` with the scripts of today, and not what the record has")
	cmd.Flags().Uint64Var(&to, "to", 0, "run up to frame `N` only")
	cmd.Flags().StringVar(&dir, "snapshot", "", "save the world after the last frame into the folder `DIR`, for run --resume")
	return cmd
}

// A replaying compares a run with a record.
type replaying struct {
	from   *record.Reader
	next   *record.Frame // what the record has of the next frame; nil at its end
	found  string        // the first difference; "" if there is none so far
	frames uint64        // that were compared
	marks  int           // that were shown
	failed error         // of reading
	to     uint64        // the last frame; 0: that of the record
	today  bool          // it runs the scripts of today
	saved  string        // the path of the snapshot that was written; "" for none
	left   uint64        // the frame that the record goes on with; 0: it does not
	unmet  bool          // a snapshot was asked for, of a frame that was not reached
	after  bool          // what was done after the last frame is being compared
}

// replay runs a record again. today is the config to use, "" for the one in the record; to is the last frame, 0 for that of
// the record; dir is the folder for a snapshot, "" for none.
func (p *program) replay(path, today string, to uint64, dir string) error {
	file, err := os.Open(path)
	if err != nil {
		return usageError("replay: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	texts, saved, err := allFiles(file)
	if err != nil {
		return usageError("replay: %s: %w", path, err)
	}
	reader, err := record.NewReader(bufio.NewReaderSize(file, 1<<16))
	if err != nil {
		return usageError("replay: %s: %w", path, err)
	}
	rp := &replaying{from: reader, to: to, today: today != ""}
	if rp.advance(); rp.failed != nil {
		return usageError("replay: %s: %w", path, rp.failed)
	}
	has := slices.ContainsFunc(texts, func(f record.File) bool { return f.Path == reader.Header.Config })
	if _, whole, what := reader.Ended(); !has || rp.next == nil && !whole {
		return usageError("replay: %s: %s, before the first frame: the run was killed, its disk was full, or the file is damaged", path, what)
	}
	if h := reader.Header; h.Program != versionLine() {
		fmt.Fprintf(p.console.stderr(), "replay: the record was written by %s, and this is %s\n", h.Program, versionLine())
	}
	snapshots := snapshotFlags{dir: dir}
	if today == "" || len(saved) > 0 {
		dir, err := os.MkdirTemp("", "ecsrun-replay-")
		if err != nil {
			return usageError("replay: %w", err)
		}
		defer func() { _ = os.RemoveAll(dir) }() // what is left is in the folder for temporary files
		if len(saved) > 0 {
			snapshots.resume = filepath.Join(dir, "recorded.snap")
			if err := os.WriteFile(snapshots.resume, slices.Concat(saved...), 0o600); err != nil {
				return usageError("replay: %w", err)
			}
		}
		if today == "" {
			texted := filepath.Join(dir, "files")
			if err := unpack(texted, reader.Header, texts); err != nil {
				return usageError("replay: %s: %w", path, err)
			}
			today = filepath.Join(texted, filepath.FromSlash(reader.Header.Config))
		}
	}
	if first := rp.next; first != nil && len(saved) > 0 && to > 0 && to < first.Number {
		return usageError("replay: the record goes on from a snapshot, and begins with frame %d: --to %d is before it", first.Number, to)
	}
	set := slices.Clone(reader.Header.Set)
	if to > 0 {
		set = append(set, fmt.Sprintf("run.frames=%d", to))
	}
	set = append(set, "run.realtime=false")
	return p.run(today, config.Overrides{Set: set}, runFlags{quiet: true, replaying: rp, snapshots: snapshots})
}

// allFiles returns the files of a record, those that were loaded late, too, and the parts of its snapshot. It reads the record
// whole, and goes back to its beginning.
func allFiles(file io.ReadSeeker) (texts []record.File, snapshot [][]byte, err error) {
	r, err := record.NewReader(bufio.NewReaderSize(file, 1<<16))
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	_, err = file.Seek(0, io.SeekStart)
	return r.Files, r.Snapshot, err
}

// unpack writes the files of a record into a folder.
func unpack(dir string, h record.Header, texts []record.File) error {
	for _, f := range texts {
		name := filepath.FromSlash(f.Path)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("the file %q would lie outside of the folder", f.Path)
		}
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(f.Text), 0o600); err != nil {
			return err
		}
	}
	if scripts := filepath.FromSlash(h.Scripts); filepath.IsLocal(scripts) {
		return os.MkdirAll(filepath.Join(dir, scripts), 0o700)
	}
	return nil
}

// advance reads the next frame of the record.
func (rp *replaying) advance() {
	f, err := rp.from.Next()
	if err != nil {
		f = nil
		if !errors.Is(err, io.EOF) {
			rp.failed = err
		}
	}
	rp.next = f
}
