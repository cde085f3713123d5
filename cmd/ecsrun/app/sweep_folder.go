package app

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/folderlock"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

// This file is about the folder of the results: whose it is, and what is in it.

// planFile is the name of the plan in the folder.
const planFile = "plan.json"

// The files of the results in the folder, which are written again each time.
const (
	csvFile         = "results.csv"
	jsonlFile       = "results.jsonl"
	seriesCSVFile   = "series.csv"
	seriesJSONLFile = "series.jsonl"
	summaryFile     = "summary.json"
	reportFile      = "report.html"
)

// lockResults takes the lock of the folder, which it makes.
func lockResults(dir string) (*os.File, error) {
	lock, err := folderlock.LockFor(dir, "a folder of results belongs to one sweep at a time: choose another folder with --out, or end that sweep")
	if err != nil {
		return nil, usageError("sweep: %w", err)
	}
	return lock, nil
}

// errDamagedPlan says that plan.json is not what a sweep has written. Results are found by their keys, so they are not lost.
var errDamagedPlan = errors.New("start the sweep in this folder with --again, which keeps the results")

// storedPlan reads the plan of a folder; nil if there is none.
func storedPlan(dir string) (*plan.Stored, error) {
	text, err := os.ReadFile(filepath.Join(dir, planFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usageError("sweep: %w", err)
	}
	s := &plan.Stored{}
	if err = json.Unmarshal(text, s); err != nil {
		return nil, usageError("sweep: %s is damaged: %w; %w", filepath.Join(dir, planFile), err, errDamagedPlan)
	}
	return s, nil
}

// claimResults makes the folder that of the plan. One of another plan is refused, unless again says that the new one takes its place.
func (p *program) claimResults(dir string, s *sweep, shard ledger.Shard, again bool) error {
	was, err := storedPlan(dir)
	damaged := errors.Is(err, errDamagedPlan) && again
	if err != nil && !damaged {
		return err
	}
	now := s.plan.Store(s.bundle, shard.String())
	switch {
	case damaged:
	case was == nil:
		if err := unclaimed(dir); err != nil {
			return err
		}
	case again:
	case was.Differs(now) != "":
		return usageError("sweep: %s has the results of another plan: %s; choose another folder with --out, or begin a new plan there that keeps what fits with --again", dir, was.Differs(now))
	case was.Shard != now.Shard && was.Shard != "":
		return usageError("sweep: %s has the results of shard %s; choose another folder with --out", dir, was.Shard)
	case was.Shard != now.Shard:
		return usageError("sweep: %s has the results of a whole sweep; choose another folder with --out", dir)
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

// queueFile has the name that the folder has on a NATS server and its path, so that a sweep that goes on finds its own streams, and no other sweep of the same plan has them: a copy of
// the folder gets another name.
const queueFile = "queue"

// queueName returns the name of the folder on a NATS server: 16 digits, random at first.
func queueName(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", usageError("sweep: %w", err)
	}
	path := filepath.Join(dir, queueFile)
	if text, err := os.ReadFile(path); err == nil {
		if name, rest, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), " "); queueNames.MatchString(name) && rest == at {
			return name, nil
		}
	}
	random := make([]byte, 8)
	_, _ = rand.Read(random) // never fails
	name := hex.EncodeToString(random)
	err = durable.Write(durable.OS, path, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s %s\n", name, at)
		return err
	})
	if err != nil && !errors.Is(err, durable.ErrNotSynced) {
		return "", outputError("sweep: %w", err)
	}
	return name, nil
}

var queueNames = regexp.MustCompile(`^[0-9a-f]{16}$`)

// unclaimed returns an error for a folder without a plan that has results, of a sweep or of somebody else.
func unclaimed(dir string) error {
	if logs, err := joblog.Files(dir); err != nil || len(logs) > 0 {
		return usageError("sweep: %s has results and no plan.json; choose another folder with --out", dir)
	}
	for _, name := range []string{csvFile, jsonlFile, seriesCSVFile, seriesJSONLFile, summaryFile, reportFile, queueFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return usageError("sweep: %s would be overwritten, and %s is no folder of a sweep: it has no plan.json; choose another folder with --out, or move the file away", filepath.Join(dir, name), dir)
		}
	}
	return nil
}
