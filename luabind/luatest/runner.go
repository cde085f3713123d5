package luatest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
)

// This file runs the files and collects the results. suite.go loads a file, groups.go runs what is in it.

// DefaultSeed is the seed of worlds without one: the same as that of a config without one.
const DefaultSeed = 42

// DefaultInstructions is the limit of instructions of a test by default: a few seconds of Lua.
const DefaultInstructions = 200_000_000

// Options configure a run of tests. The zero value runs all tests in the order of the files and makes no worlds.
type Options struct {
	Worlds       func(WorldSpec) (*World, error) // makes the worlds of t.world; nil: it is an error
	Modules      map[string]map[string]luabind.Function
	ParseData    func(file, text string) (ecs.Value, error)   // of what ecs.data names in a test file, as in [luabind.Options]; nil: there are none
	Watchdog     luabind.Watchdog                             // watches each test with the worlds it steps; nil: nothing
	Instructions uint64                                       // of a test with its before_each, and of its after_each; 0: DefaultInstructions
	Seed         *uint64                                      // for all worlds that name none, instead of their config's; nil: the config's
	Shuffle      bool                                         // files, and what is in each describe, in an order that follows from the seed
	Match        func(name string) bool                       // chooses tests by full name; nil: all
	Shard        Shard                                        // chooses a part of the tests; zero: all
	List         bool                                         // tests are not run: their results are Listed
	FailFast     bool                                         // the run ends after the first failure
	Round        int                                          // of a repeated run, from 0; --shuffle gives each round an order of its own
	Bench        bool                                         // runs what t.bench has defined, too
	Mallocs      func() uint64                                // heap allocations so far, for t.bench; nil: they are not counted
	Now          func() time.Duration                         // since whenever, for Elapsed; nil: no times
	Golden       func(f File, path string, text []byte) error // writes a golden file, at a path relative to the test file; nil: they are compared
	Coverage     *luabind.Coverage                            // counts the lines of the files that tests require, and of worlds; nil: nothing is counted
	Done         func(Result)                                 // gets each result as soon as it is there; nil: nobody
}

func (o *Options) seed() uint64 {
	if o.Seed != nil {
		return *o.Seed
	}
	return DefaultSeed
}

func (o *Options) instructions() uint64 {
	if o.Instructions == 0 {
		return DefaultInstructions
	}
	return o.Instructions
}

func (o *Options) now() time.Duration {
	if o.Now == nil {
		return 0
	}
	return o.Now()
}

// Run runs the tests of files. A failure does not stop other tests, unless FailFast is set. If ctx is cancelled, the
// running test fails, and the remaining ones are left out.
func Run(ctx context.Context, files []File, o Options) *Report {
	r := &Report{Seed: o.seed(), Seeded: o.Seed != nil, Shuffled: o.Shuffle}
	began := o.now()
	if o.Shuffle {
		files = Shuffled(files, o.seed(), o.Round)
	}
	for _, f := range files {
		if ctx.Err() != nil || r.Stopped {
			break
		}
		runFile(ctx, f, &o, r)
	}
	r.Interrupted = ctx.Err() != nil
	r.Elapsed = o.now() - began
	return r
}

// Shuffled returns files in the order in which [Options].Shuffle runs them.
func Shuffled(files []File, seed uint64, round int) []File {
	files = slices.Clone(files)
	name := "files"
	if round > 0 {
		name = fmt.Sprintf("files round %d", round)
	}
	shuffle(files, seed, name)
	return files
}

// shuffle shuffles a list. The order depends only on the seed and on the name of what is shuffled.
func shuffle[T any](list []T, seed uint64, name string) {
	h := fnv.New64a()
	h.Write([]byte(name))
	rand.New(rand.NewPCG(seed, h.Sum64())).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

func runFile(ctx context.Context, f File, o *Options, r *Report) {
	s := newSuite(ctx, f, o)
	began := o.now()
	if err := s.load(); err != nil {
		if ctx.Err() != nil {
			return
		}
		r.add(o, Result{
			File: f.Name, Round: o.Round, Unloaded: true, Status: Failed, Failures: []Failure{s.loadFailure(err)},
			Output: s.output.take(), Elapsed: o.now() - began,
		})
		r.Stopped = o.FailFast
		return
	}
	s.report = r
	s.runItems(s.root, s.roundName())
	s.leave(s.root)
	s.flush()
	r.Stopped = s.stopped
	r.Warnings = append(r.Warnings, s.equalNames()...)
}

func (s *suite) result(t *test, status Status) Result {
	return Result{File: s.file.Name, Round: s.o.Round, Line: t.line, Name: t.name, Within: t.within(), Status: status}
}

func (r *Report) add(o *Options, t Result) {
	if t.Status == Failed {
		t.Alone = r.alone(t)
	}
	r.Results = append(r.Results, t)
	if o.Done != nil {
		o.Done(t)
	}
}

func (s *suite) loadFailure(err error) Failure {
	f := s.failure(err, "load")
	if f.File == "" { // it cannot be read, or was ended before a line of it ran
		f.File = s.file.Name
		if unreadable := (*script.ReadError)(nil); !errors.As(err, &unreadable) {
			f.Message = f.File + ": " + f.Message
		}
	}
	return f
}
