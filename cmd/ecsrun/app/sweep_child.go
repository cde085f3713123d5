package app

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/confine"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

// This file is a process that runs jobs of a sweep. It is this program, started again with a variable in the environment that names a folder: the files of the sweep. It
// reads requests from stdin, a line of JSON each, and writes answers to stdout. It ends when stdin does.

// jobsVariable is the variable of the environment that makes a process run jobs. Its name does not begin with ECSRUN_, which belongs to the config.
const jobsVariable = "_ECSRUN_JOBS"

// confinedVariable makes such a process give up what it does not need.
const confinedVariable = "_ECSRUN_CONFINED"

// The files in the folder of the variable.
const (
	bundleFile  = "bundle"
	bundleFiles = "files"
)

// jobsFolder returns the folder of the variable, "" in any other process.
func (p *program) jobsFolder() string {
	for _, v := range p.env {
		if dir, ok := strings.CutPrefix(v, jobsVariable+"="); ok {
			return dir
		}
	}
	return ""
}

// serveJobs answers requests until there are no more.
func (p *program) serveJobs(dir string, stdout io.Writer) error {
	runner, err := openJobs(p, dir)
	refused := ""
	if err != nil {
		refused = err.Error()
	} else {
		defer runner.close()
		if slices.Contains(p.env, confinedVariable+"=1") {
			if _, err := confine.Process(confine.Rules{Read: []string{dir}}); err != nil { // what the kernel cannot restrict, it cannot
				refused = err.Error()
			}
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	requests := make(chan job.Request)
	go func() { // a job ends when nobody waits for its answer
		defer close(requests)
		in := json.NewDecoder(bufio.NewReader(waited(p.stdin)))
		for {
			var r job.Request
			if in.Decode(&r) != nil {
				cancel(errInterrupted)
				return
			}
			select {
			case requests <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	out := json.NewEncoder(stdout)
	for r := range requests {
		answer := job.Answer{Key: r.Key, Refused: refused}
		if refused == "" {
			if answer, err = runner.run(ctx, r); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				p.reportBug(err, goStack(err))
				return &exit{code: exitBug}
			}
		}
		if err := out.Encode(answer); err != nil {
			return nil // the other side is gone
		}
	}
	return nil
}

// openJobs returns the runner of the files in a folder, each of which must be the one of the plan.
func openJobs(p *program, dir string) (*jobRunner, error) {
	data, err := os.ReadFile(filepath.Join(dir, bundleFile))
	if err != nil {
		return nil, err
	}
	b, err := plan.Decode(data)
	if err != nil {
		return nil, err
	}
	if mine := programIdentity(); b.Program != mine {
		return nil, fmt.Errorf("the sweep is of another program, %s, and this is %s; use the same build everywhere", b.Program, mine)
	}
	files := filepath.Join(dir, bundleFiles)
	for _, f := range b.Files {
		data, err := os.ReadFile(filepath.Join(files, filepath.FromSlash(f.Path)))
		if err != nil {
			return nil, err
		}
		if (plan.File{Data: data}).Hash() != f.Hash() {
			return nil, fmt.Errorf("the file %q was changed", f.Path)
		}
	}
	return newJobRunner(p, files, b), nil
}

// layJobs writes the files of a sweep into a folder for processes that run jobs.
func layJobs(dir string, b *plan.Bundle) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return errors.Join(b.Unpack(filepath.Join(dir, bundleFiles)), os.WriteFile(filepath.Join(dir, bundleFile), b.Encode(), 0o600))
}
