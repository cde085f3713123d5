package luatest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/internal/script"
)

// This file runs the tests of a file, one after another, and collects the results. suite.go has loaded the file
// before.

// DefaultSeed is the seed of worlds without one: the same as that of a config without one.
const DefaultSeed = 42

// DefaultInstructions is the limit of instructions of a test by default: a few seconds of Lua.
const DefaultInstructions = 200_000_000

// Options configure a run of tests. The zero value runs all tests in the order of the files and makes no worlds.
type Options struct {
	Worlds       func(WorldSpec) (*World, error) // makes the worlds of t.world; nil: it is an error
	Modules      map[string]map[string]luabind.Function
	Watchdog     luabind.Watchdog       // watches each test with the worlds it steps; nil: nothing
	Instructions uint64                 // of a test with its before_each, and of its after_each; 0: DefaultInstructions
	Seed         *uint64                // for all worlds that name none, instead of their config's; nil: the config's
	Shuffle      bool                   // files, and what is in each describe, in an order that follows from the seed
	Match        func(name string) bool // chooses tests by full name; nil: all
	Now          func() time.Duration   // since whenever, for Elapsed; nil: no times
	Done         func(Result)           // gets each result as soon as it is there; nil: nobody
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

// Run runs the tests of files. A failure does not stop other tests. If ctx is cancelled, the running test fails,
// and the remaining ones are left out.
func Run(ctx context.Context, files []File, o Options) *Report {
	r := &Report{Seed: o.seed(), Seeded: o.Seed != nil, Shuffled: o.Shuffle}
	began := o.now()
	if o.Shuffle {
		files = slices.Clone(files)
		shuffle(files, o.seed(), "files")
	}
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		runFile(ctx, f, &o, r)
	}
	r.Interrupted = ctx.Err() != nil
	r.Elapsed = o.now() - began
	return r
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
			File: f.Name, Status: Failed, Failures: []Failure{s.loadFailure(err)},
			Output: s.output.take(), Elapsed: o.now() - began,
		})
		return
	}
	for _, t := range s.tests() {
		if ctx.Err() != nil {
			return
		}
		result := Result{File: f.Name, Line: t.line, Name: t.name, Within: t.within()}
		if o.Match != nil && !o.Match(result.FullName()) {
			r.Left++
			continue
		}
		began := o.now()
		s.runTest(t, &result)
		result.Elapsed = o.now() - began
		r.add(o, result)
	}
}

func (r *Report) add(o *Options, t Result) {
	r.Results = append(r.Results, t)
	if o.Done != nil {
		o.Done(t)
	}
}

func (s *suite) loadFailure(err error) Failure {
	f := failure(err, "load")
	if f.File == "" { // it cannot be read, or was ended before a line of it ran
		f.File = s.file.Name
		if unreadable := (*script.ReadError)(nil); !errors.As(err, &unreadable) {
			f.Message = f.File + ": " + f.Message
		}
	}
	return f
}

// tests returns the tests in the order in which they run.
func (s *suite) tests() []*test {
	var list []*test
	var walk func(g *group, name string)
	walk = func(g *group, name string) {
		items := slices.Clone(g.items)
		if s.o.Shuffle {
			shuffle(items, s.o.seed(), name)
		}
		for i, it := range items {
			if it.test != nil {
				list = append(list, it.test)
			} else {
				walk(it.group, fmt.Sprintf("%s/%d %s", name, i, it.group.name))
			}
		}
	}
	walk(s.root, s.file.Name)
	return list
}

// within returns the names of the describes around a test, outermost first.
func (t *test) within() []string {
	var names []string
	for g := t.group; g.parent != nil; g = g.parent {
		names = append(names, g.name)
	}
	slices.Reverse(names)
	return names
}

// runTest runs a test with what comes before and after it: before_each from the outside in, after_each from the
// inside out. An after_each runs if the before_each functions of its describe have been called, whether or not
// they failed.
func (s *suite) runTest(t *test, r *Result) {
	if t.pending {
		r.Status, r.Reason = Pending, t.reason
		return
	}
	s.running = t
	defer func() { s.running, s.random = nil, nil }()
	s.random = s.streams.Stream(fmt.Sprintf("%s:%d %s", s.file.Name, t.line, r.FullName()))
	var groups []*group // from the outside in
	for g := t.group; g != nil; g = g.parent {
		groups = append(groups, g)
	}
	slices.Reverse(groups)
	entered, phase := 0, "before_each"
	err := s.guarded(func() error {
		for _, g := range groups {
			entered++
			for _, fn := range g.before {
				if err := s.state.Call(fn); err != nil {
					return err
				}
			}
		}
		phase = ""
		return s.state.Call(t.fn)
	})
	s.ended(r, err, phase)
	for _, g := range slices.Backward(groups[:entered]) {
		for _, fn := range g.after {
			s.ended(r, s.guarded(func() error { return s.state.Call(fn) }), "after_each")
		}
	}
	s.release()
	r.Output = s.output.take()
	if len(r.Failures) > 0 {
		r.Status = Failed
	}
}

// ended records how a phase has ended.
func (s *suite) ended(r *Result, err error, phase string) {
	pending := (*pendingError)(nil)
	switch {
	case err == nil:
	case s.ctx.Err() != nil && phase == "after_each":
	case s.ctx.Err() != nil:
		f := failure(err, phase)
		f.Message = "interrupted"
		r.Failures = append(r.Failures, f)
	case errors.As(err, &pending):
		r.Status, r.Reason = Pending, pending.reason
	default:
		r.Failures = append(r.Failures, failure(err, phase))
	}
}
