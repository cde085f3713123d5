package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/folderlock"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

// This file is about the folder of the results: whose it is, and how the folders of shards become one.

// planFile is the name of the plan in the folder.
const planFile = "plan.json"

// lockResults takes the lock of the folder, which it makes.
func lockResults(dir string) (*os.File, error) {
	lock, err := folderlock.LockFor(dir, "a folder of results belongs to one sweep at a time: choose another folder with --out, or end that sweep")
	if err != nil {
		return nil, usageError("sweep: %w", err)
	}
	return lock, nil
}

// storedPlan reads the plan of a folder; nil if there is none.
func storedPlan(dir string) (*plan.Stored, error) {
	text, err := os.ReadFile(filepath.Join(dir, planFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	s := &plan.Stored{}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err != nil {
		return nil, usageError("sweep: %s: %w", filepath.Join(dir, planFile), err)
	}
	return s, nil
}

// claimResults makes the folder that of the plan. One of another plan is refused, unless again says that the new one takes its place.
func (p *program) claimResults(dir string, s *sweep, shard ledger.Shard, again bool) error {
	was, err := storedPlan(dir)
	if err != nil {
		return err
	}
	text := ""
	if shard.Of > 0 {
		text = fmt.Sprintf("%d/%d", shard.Number, shard.Of)
	}
	now := s.plan.Store(s.bundle, text)
	if was == nil {
		if logs, err := joblog.Files(dir); err != nil || len(logs) > 0 {
			return usageError("sweep: %s has results and no plan.json; choose another folder with --out", dir)
		}
	} else if what := was.Differs(now); what != "" && !again {
		return usageError("sweep: %s has the results of another plan: %s; choose another folder with --out, or begin a new plan there that keeps what fits with --again", dir, what)
	}
	err = durable.Write(durable.OS, filepath.Join(dir, planFile), func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetIndent("", " ")
		return out.Encode(now)
	})
	if err != nil && !errors.Is(err, durable.ErrNotSynced) {
		return outputError("sweep: %w", err)
	}
	return nil
}

func (p *program) sweepMergeCommand() *cobra.Command {
	var out string
	var set []string
	cmd := &cobra.Command{
		Use:   "merge FILE DIR…",
		Short: "Join the results of all shards of a sweep",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usageError("merge needs the file of a sweep and the folders of all of its shards, as in %s sweep.yaml results/shard-*", cmd.CommandPath())
			}
			if out == "" {
				return usageError("merge needs --out DIR, the folder for what is joined")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.mergeShards(args[0], args[1:], out, set) },
	}
	cmd.Flags().StringVar(&out, "out", "", "write the results to the folder `DIR`")
	setFlag(cmd, &set)
	return cmd
}

// mergeShards copies the logs of all shards into one folder, and makes the report.
func (p *program) mergeShards(path string, dirs []string, out string, set []string) error {
	s, err := p.openSweep(path, set)
	if err != nil {
		return err
	}
	mine := s.plan.Store(s.bundle, "")
	of, seen := 0, map[int]string{}
	for _, dir := range dirs {
		stored, err := storedPlan(dir)
		if err != nil {
			return err
		}
		if stored == nil {
			return usageError("merge: %s has no plan.json; it is no folder of a shard", dir)
		}
		if what := stored.Differs(mine); what != "" {
			return usageError("merge: %s is of another plan: %s", dir, what)
		}
		shard, err := ledger.ParseShard(stored.Shard)
		switch {
		case err != nil:
			return usageError("merge: %s is no shard, but a whole sweep", dir)
		case of != 0 && of != shard.Of:
			return usageError("merge: %s is one of %d shards, and %s one of %d", dirs[0], of, dir, shard.Of)
		case seen[shard.Number] != "":
			return usageError("merge: %s and %s are the same shard", seen[shard.Number], dir)
		}
		of, seen[shard.Number] = shard.Of, dir
	}
	for n := 1; n <= of; n++ {
		if seen[n] == "" {
			return usageError("merge: shard %d of %d is missing", n, of)
		}
	}
	lock, err := lockResults(out)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := p.claimResults(out, s, ledger.Shard{}, false); err != nil {
		return err
	}
	for n := 1; n <= of; n++ {
		logs, err := joblog.Files(seen[n])
		if err != nil {
			return usageError("merge: %w", err)
		}
		for _, log := range logs {
			name := filepath.Join(out, ledger.Shard{Number: n, Of: of}.Folder()+"-"+filepath.Base(log))
			if err := copyFile(name, log); err != nil {
				return outputError("merge: %w", err)
			}
		}
	}
	f := p.newFleet(s, out, ledger.Shard{})
	if err := f.read(); err != nil {
		return err
	}
	f.startEarly()
	if c := f.ledger.Counts(); c.Done < c.Jobs {
		return usageError("merge: %s of %s have no result: start their shards again, which go on where they were", grouped(c.Jobs-c.Done), counted(c.Jobs, "job"))
	}
	return f.conclude()
}

// copyFile copies a file whole or not at all.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it is only read
	err = durable.Write(durable.OS, to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
	if errors.Is(err, durable.ErrNotSynced) {
		return nil
	}
	return err
}

func (p *program) sweepReportCommand() *cobra.Command {
	var asJSON bool
	var html string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Make the tables, the summary and the report of a sweep again from its results",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("report needs the folder of a sweep's results, as in %s results", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.reportSweep(args[0], asJSON, html) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write summary.json to stdout, too")
	cmd.Flags().StringVar(&html, "html", "", "write the report to `FILE` (default: report.html in the folder)")
	return cmd
}

// reportSweep makes the report of a folder again.
func (p *program) reportSweep(dir string, asJSON bool, html string) error {
	stored, err := storedPlan(dir)
	if err != nil {
		return err
	}
	if stored == nil {
		return usageError("report: %s has no plan.json; it is no folder of a sweep", dir)
	}
	s, problems := newSweep(&stored.Sweep)
	if len(problems) > 0 {
		return p.reject(problems)
	}
	if s.plan, err = stored.Restore(); err != nil {
		return usageError("report: %s: %w", filepath.Join(dir, planFile), err)
	}
	lock, err := lockResults(dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	var shard ledger.Shard
	if stored.Shard != "" {
		if shard, err = ledger.ParseShard(stored.Shard); err != nil {
			return usageError("report: %w", err)
		}
	}
	f := p.newFleet(s, dir, shard)
	if err := f.read(); err != nil {
		return err
	}
	f.startEarly()
	f.reporting, f.html, f.asJSON = true, html, asJSON
	return f.conclude()
}
