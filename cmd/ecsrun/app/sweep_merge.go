package app

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
)

// The command sweep merge: the folders of all shards of a sweep become one.

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
	if dirs, err = shardFolders(dirs); err != nil {
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
		if sameFolder(dir, out) {
			return usageError("merge: --out %s is the folder of shard %s, which would be lost; name another folder, as in --out joined", out, stored.Shard)
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
			name := filepath.Join(out, mergedLog(ledger.Shard{Number: n, Of: of}, log))
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

// mergedLog returns the name that the log of a shard has in the folder of what is joined.
func mergedLog(shard ledger.Shard, log string) string {
	return shard.Folder() + "-" + filepath.Base(log)
}

// isMergedLog matches what mergedLog returns.
var isMergedLog = regexp.MustCompile(`^shard-\d+-of-\d+-.+\.log$`)

// shardFolders returns the folders among paths. It passes over the logs that merge has written, which shard-* matches, too, when the joined folder is the one of the shards.
func shardFolders(paths []string) (dirs []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil || info.IsDir():
			dirs = append(dirs, path)
		case !isMergedLog.MatchString(filepath.Base(path)):
			return nil, usageError("merge: %s is a file; name the folders of the shards, as in results/shard-*/", path)
		}
	}
	if dirs == nil {
		return nil, usageError("merge: %s is a file; name the folders of the shards, as in results/shard-*/", paths[0])
	}
	return dirs, nil
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
