package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/results"
)

// This file makes the records of rows that failed, and of the worst ones: they run once more, from the files of the sweep.

// recordFolder is the folder of the records in the results.
const recordFolder = "records"

// record makes a record of each row that the report names, if there is none yet. A parked row has none: its world ends processes. When ctx ends, so do the runs; what is missing is
// made by the next start.
func (f *fleet) record(ctx context.Context, in *results.Input) error {
	rows := append(slices.Clone(in.Failing), in.Worst...)
	rows = slices.DeleteFunc(rows, f.ledger.Parked)
	slices.Sort(rows)
	rows = slices.Compact(rows)
	dir, work := filepath.Join(f.dir, recordFolder), filepath.Join(f.dir, workFolder)
	path := func(row int) string {
		return filepath.Join(dir, fmt.Sprintf("row-%d-%s.rec", row, f.index.Keys[row].String()[:8]))
	}
	made := func(row int) bool { _, err := os.Lstat(path(row)); return err == nil }
	rows = slices.DeleteFunc(rows, made)
	if len(rows) == 0 {
		return nil
	}
	if err := errors.Join(os.MkdirAll(dir, 0o777), layJobs(work, f.bundle)); err != nil {
		return f.unwritable(err)
	}
	defer func() { _ = os.RemoveAll(work) }() // the next start does so, too
	var all sync.WaitGroup
	room := make(chan bool, max(1, f.workers))
	failed := make([]error, len(rows))
	for i, row := range rows {
		all.Go(func() {
			room <- true
			if ctx.Err() == nil {
				failed[i] = f.recordRow(ctx, row, work, path(row))
			}
			<-room
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		f.unrecorded = slices.ContainsFunc(rows, func(row int) bool { return !made(row) })
		return nil
	}
	if err := errors.Join(failed...); err != nil {
		fmt.Fprintf(f.console.stderr(), "sweep: %v\n", err)
	}
	return nil
}

// recordRow runs a row once more in a process, and keeps its record.
func (f *fleet) recordRow(ctx context.Context, row int, work, path string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	point, seed := f.plan.Row(row)
	part := filepath.Join(work, filepath.Base(path)) // a killed sweep leaves it there, and perhaps a process that still writes it
	args := []string{"run", filepath.Join(work, bundleFiles, filepath.FromSlash(f.bundle.Config)), "--quiet", "--seed", strconv.FormatUint(seed, 10), "--record", part}
	if f.bundle.Frames > 0 {
		args = append(args, "--frames", strconv.FormatUint(f.bundle.Frames, 10))
	}
	for _, set := range append(f.plan.Overrides(point), "run.realtime=false") {
		args = append(args, "--set", set)
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Args = append(commandName(f.args), args...)
	cmd.Env = slices.DeleteFunc(slices.Clone(f.env), func(v string) bool { return strings.HasPrefix(v, "ECSRUN_") })
	apart(cmd)
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return fmt.Errorf("row %d cannot be recorded: %w", row, err)
	}
	if _, missing := os.Lstat(part); ended != nil && errors.Is(missing, os.ErrNotExist) {
		if code := ended.ExitCode(); code != exitUsage && code != exitLoad {
			return fmt.Errorf("row %d cannot be recorded: its run ended with exit code %d", row, code)
		}
		return nil // the world was not made, so there is nothing to replay
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("row %d cannot be recorded: %w", row, err)
	}
	return nil
}
