package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
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
	unmet  bool          // a snapshot was asked for, of a frame that was not reached
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
	if !slices.ContainsFunc(texts, func(f record.File) bool { return f.Path == reader.Header.Config }) {
		_, _, what := reader.Ended()
		return usageError("replay: %s: %s, before the first frame: the run was killed, its disk was full, or the file is damaged", path, what)
	}
	if rp.advance(); rp.failed != nil {
		return usageError("replay: %s: %w", path, rp.failed)
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

// replayInputs does the inputs of the next frame. It reports false when the record has no more frames, or one of the inputs no
// longer fits.
func (r *run) replayInputs() bool {
	rp := r.flags.replaying
	if rp.next == nil {
		r.ended = "the record ends here"
		return false
	}
	w := r.runtime.World()
	d := inputs.Decoder{World: w, File: fmt.Sprintf("inputs of frame %d", rp.next.Number), Next: w.Frame() + 1}
	for _, line := range rp.next.Inputs {
		in, ok, err := d.Decode([]byte(line))
		if err == nil && ok {
			err = in.Apply(w)
		}
		if err != nil {
			rp.found, r.ended = fmt.Sprintf("frame %d: an input of the record cannot be done: %v", rp.next.Number, err), "an input cannot be done"
			return false
		}
		if ok && in.Kind == inputs.Stop {
			r.ended = "stopped by an input: " + in.Why
			return false
		}
		r.trace.input(line)
	}
	return true
}

// compare compares a frame with the record.
func (rp *replaying) compare(f *record.Frame) {
	want := rp.next
	if want == nil || rp.found != "" {
		return
	}
	when := fmt.Sprintf("frame %d", f.Number)
	if f.Number == 0 {
		when = "before frame 1"
	}
	turn, part := "", ""
	for i := range max(len(f.Turns), len(want.Turns)) {
		switch {
		case i >= len(f.Turns):
			turn = fmt.Sprintf("system %q has no turn, as it has in the record", want.Turns[i].Name)
		case i >= len(want.Turns):
			turn = fmt.Sprintf("system %q has a turn, which it does not have in the record", f.Turns[i].Name)
		case f.Turns[i].Name != want.Turns[i].Name:
			turn = fmt.Sprintf("system %q has a turn where the record has system %q", f.Turns[i].Name, want.Turns[i].Name)
		case f.Turns[i] != want.Turns[i]:
			turn = fmt.Sprintf("system %q", f.Turns[i].Name)
		}
		if turn != "" {
			break
		}
	}
	for i := range max(len(f.Parts), len(want.Parts)) {
		switch {
		case i >= len(f.Parts):
			part = want.Parts[i].Name + ", which is only in the record"
		case i >= len(want.Parts):
			part = f.Parts[i].Name + ", which is not in the record"
		case f.Parts[i] != want.Parts[i]:
			part = f.Parts[i].Name
		}
		if part != "" {
			break
		}
	}
	switch {
	case turn != "" && part != "":
		rp.found = fmt.Sprintf("%s: %s: %s", when, turn, part)
	case turn != "":
		rp.found = fmt.Sprintf("%s: %s wrote something else, and the world is equal at the end of the frame", when, turn)
	case part != "":
		rp.found = fmt.Sprintf("%s: %s", when, part)
	case f.Digest != want.Digest:
		rp.found = fmt.Sprintf("%s: the order of tables or declarations", when)
	case f.Number != want.Number:
		rp.found = fmt.Sprintf("%s: the record has frame %d", when, want.Number)
	}
	if rp.found != "" {
		return
	}
	if f.Number > 0 {
		rp.frames++
	}
	rp.advance()
}

// warn says where the record itself cannot be repeated for sure.
func (rp *replaying) warn(to io.Writer) {
	if rp.next == nil {
		return
	}
	for _, mark := range rp.next.Marks {
		if rp.marks++; rp.marks <= 3 {
			fmt.Fprintf(to, "replay: in frame %d of the record a turn was ended by a measurement, which may be different now: %s\n", rp.next.Number, mark)
		}
	}
}

// result returns the last lines of a replay.
func (rp *replaying) result(frames uint64) string {
	if rp.found != "" {
		return "replay: differs: " + rp.found
	}
	text := fmt.Sprintf("replay: equal: %s", counted(rp.frames, "frame"))
	if rp.saved != "" {
		text += "; saved as " + rp.saved
	}
	if rp.next != nil {
		return text + fmt.Sprintf("; the record goes on with frame %d", rp.next.Number)
	}
	if _, ok, what := rp.from.Ended(); !ok {
		text += fmt.Sprintf("; the run was killed after frame %d, its disk was full, or the file is damaged (%s)", frames, what)
	}
	return text
}

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
	r.saver.end(r.runtime)
	if r.saver.failed == 0 {
		rp.saved = filepath.Join(r.saver.dir, snapshotName(frame))
	}
}
