package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// The command test runs tests in Lua: it finds the files (test_files.go), lets package luatest run them, several at a
// time (test_jobs.go), makes the worlds for t.world (test_world.go), and prints the report.

// The limits of one test with the worlds that it steps, in addition to luatest.DefaultInstructions.
const (
	testTime   = time.Minute
	testMemory = 1 << 30
)

type testFlags struct {
	run      string
	tags     []string
	exclude  []string
	shard    string
	seed     uint64
	seeded   bool // --seed was given
	shuffle  bool
	repeat   int
	jobs     int
	jobsSet  bool // --jobs was given
	failFast bool
	list     bool
	update   bool
	bench    bool
	junit    string // file; "" for none
	tap      bool
	json     bool
	github   bool
	verbose  bool
	watch    bool

	coverage      bool
	coverageOut   string   // file; "" for none
	coverageMerge []string // files of other runs
}

func (p *program) testCommand() *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test [PATHS]",
		Short: "Run the tests of scripts",
		Long: `test runs the files named *_test.lua or *_spec.lua under the paths: files, or folders
with all that is below them; the current folder unless told. Results go to stdout.

Each test makes the worlds it needs and steps them on the real runtime. The exit
code is 1 when a test failed, a file does not load, or there was no test.`,
		Example: `  ecsrun test scripts/
  ecsrun test --run "poison never heals" --seed 7
  ecsrun test --exclude-tags slow --fail-fast
  ecsrun test --shuffle --junit results.xml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seeded, f.jobsSet = cmd.Flags().Changed("seed"), cmd.Flags().Changed("jobs")
			return p.test(args, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "run the tests whose full name (describes and it, with spaces) matches this Go regular `expression`")
	flags.StringSliceVar(&f.tags, "tags", nil, "run the tests that have one of these `tags`: words with a # in the names of tests and describes")
	flags.StringSliceVar(&f.exclude, "exclude-tags", nil, "do not run the tests that have one of these `tags`")
	flags.StringVar(&f.shard, "shard", "", "run one `part` of the tests: 1/3, 2/3 and 3/3 together are all")
	flags.BoolVar(&f.list, "list", false, "list the tests, and run none")
	flags.BoolVar(&f.failFast, "fail-fast", false, "stop after the first failure")
	flags.IntVar(&f.repeat, "repeat", 1, "run all tests `N` times")
	flags.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "run `N` files at the same time; the output has the order of the files")
	flags.Uint64Var(&f.seed, "seed", 0, "use `N` as the seed of the worlds that name none, and of --shuffle (default: what their config says)")
	flags.BoolVar(&f.shuffle, "shuffle", false, "run files and tests in an order that follows from the seed; without --seed, from a new one")
	flags.BoolVar(&f.update, "update", false, "write the files of t.golden instead of comparing with them")
	flags.BoolVar(&f.bench, "bench", false, "measure what t.bench defines, too; one file at a time unless --jobs is given")
	flags.StringVar(&f.junit, "junit", "", "write the results to this `file`, too, as JUnit XML")
	flags.BoolVar(&f.tap, "tap", false, "write the results as TAP version 13")
	flags.BoolVar(&f.json, "json", false, "write the results as JSON lines")
	flags.BoolVar(&f.github, "github", false, "write annotations for GitHub Actions, too")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show what passing tests print, too")
	flags.BoolVar(&f.watch, "watch", false, "run the tests again whose files have changed, until interrupted")
	flags.BoolVar(&f.coverage, "coverage", false, "show which lines of Lua ran; the interpreter runs all loops then")
	flags.StringVar(&f.coverageOut, "coverage-out", "", "write the coverage to this `file`, too: *.info is LCOV, *.html a page")
	flags.StringSliceVar(&f.coverageMerge, "coverage-merge", nil, "add the coverage of other runs, which these `files` in LCOV hold")
	return cmd
}

func (p *program) test(paths []string, f testFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	signal, release := p.interrupts()
	defer release()
	if f.watch {
		if other := f.notWatched(); other != "" {
			return usageError("--watch goes on until it is interrupted; leave out %s", other)
		}
		return p.watchTests(paths, f, o, signal)
	}
	files, err := findTests(paths)
	if err != nil {
		return err
	}
	junit, err := openJUnit(f.junit)
	if err != nil {
		return err
	}
	covered, err := openCoverage(f)
	if err != nil {
		return err
	}
	report, err := p.runTests(files, f, o, covered, signal)
	if err != nil {
		return err
	}
	if err := covered.write(p.coverageTable(f)); err != nil {
		return err
	}
	if err := junit.write(report); err != nil {
		return err
	}
	return p.testExit(report, paths, f)
}

// options checks the flags and returns what they mean for package luatest. The parts that belong to a job are missing.
func (f *testFlags) options() (luatest.Options, error) {
	var o luatest.Options
	switch {
	case f.tap && f.json:
		return o, usageError("--tap and --json both write the results to stdout; choose one")
	case f.github && (f.tap || f.json):
		return o, usageError("--github adds lines to the text for people; leave out --tap and --json, or write --junit FILE")
	case f.repeat < 1:
		return o, usageError("--repeat wants a whole number from 1, not %d", f.repeat)
	case f.jobs < 1:
		return o, usageError("--jobs wants a whole number from 1, not %d", f.jobs)
	}
	match, err := f.match()
	if err != nil {
		return o, err
	}
	o = luatest.Options{Match: match, List: f.list, FailFast: f.failFast, Shuffle: f.shuffle, Bench: f.bench}
	if f.shard != "" {
		if o.Shard, err = luatest.ParseShard(f.shard); err != nil {
			return o, usageError("--shard: %w", err)
		}
	}
	switch {
	case f.seeded:
		o.Seed = &f.seed
	case f.shuffle:
		seed := uint64(time.Now().UnixNano()) % 1_000_000 // short enough to be typed again
		o.Seed = &seed
	}
	return o, nil
}

// match returns the function that chooses tests by --run, --tags and --exclude-tags.
func (f *testFlags) match() (func(name string) bool, error) {
	re, err := regexp.Compile(f.run)
	if err != nil {
		return nil, usageError("--run: %q is no regular expression: %v", f.run, reason(err))
	}
	for flag, tags := range map[string][]string{"--tags": f.tags, "--exclude-tags": f.exclude} {
		for i, tag := range tags {
			tags[i] = strings.TrimPrefix(tag, "#")
			if tags[i] == "" || strings.ContainsAny(tag, " \t") {
				return nil, usageError("%s wants words, as in %s slow,network, not %q", flag, flag, tag)
			}
		}
	}
	return func(name string) bool {
		has := luatest.Tags(name)
		one := func(tags []string) bool {
			return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(has, tag) })
		}
		return re.MatchString(name) && (len(f.tags) == 0 || one(f.tags)) && !one(f.exclude)
	}, nil
}

// reason returns what is wrong with a regular expression, without repeating the expression.
func reason(err error) string {
	if e := (*syntax.Error)(nil); errors.As(err, &e) {
		return e.Code.String()
	}
	return err.Error()
}

// reporters returns what writes the results to stdout.
func (p *program) reporters(f testFlags) []luatest.Reporter {
	out := p.console.stdout()
	switch {
	case f.tap:
		return []luatest.Reporter{luatest.NewTAP(out)}
	case f.json:
		return []luatest.Reporter{luatest.NewJSON(out)}
	}
	list := []luatest.Reporter{luatest.NewText(out, luatest.TextOptions{Color: colorful(p.console.raw, os.Getenv), Verbose: f.verbose})}
	if f.github {
		list = append(list, luatest.NewGitHub(out))
	}
	return list
}

// bugIn returns the exit for a test that found a bug in ecsrun; nil if none did.
func bugIn(r *luatest.Report) error {
	for _, one := range r.Results {
		if one.Bug() {
			return &exit{exitBug, fmt.Errorf("a bug in ecsrun, or in a native system of this build: see the failure of %q; please report it", one.FullName())}
		}
	}
	return nil
}

// testExit returns the exit with the code for a report.
func (p *program) testExit(r *luatest.Report, paths []string, f testFlags) error {
	if bug := bugIn(r); bug != nil {
		return bug
	}
	switch {
	case r.Interrupted:
		return &exit{code: exitInterrupted}
	case r.Count(luatest.Failed) > 0:
		return &exit{code: exitTest}
	case len(r.Results) > 0:
		return nil
	case r.Left > 0 && f.shard != "":
		return nil // a part may be empty
	case r.Left > 0:
		return &exit{exitTest, fmt.Errorf("no test matches %s; there are %d others", f.filters(), r.Left)}
	default:
		return &exit{exitTest, fmt.Errorf("no tests found %s; a test file is named *_test.lua and has its tests in it(…)", under(paths))}
	}
}

// filters returns the flags that choose tests, as they could have been given.
func (f *testFlags) filters() string {
	var list []string
	if f.run != "" {
		list = append(list, fmt.Sprintf("--run %q", f.run))
	}
	if len(f.tags) > 0 {
		list = append(list, "--tags "+strings.Join(f.tags, ","))
	}
	if len(f.exclude) > 0 {
		list = append(list, "--exclude-tags "+strings.Join(f.exclude, ","))
	}
	return strings.Join(list, " ")
}

func under(paths []string) string {
	if len(paths) == 0 {
		return "in the current folder"
	}
	return "under " + quoted(paths)
}

// A junitFile is the file of --junit. It is opened before the tests run, so that a path that cannot be written is
// reported at once.
type junitFile struct {
	path string
	file *output // nil if the flag was not given
}

func openJUnit(path string) (junitFile, error) {
	if path == "" {
		return junitFile{}, nil
	}
	f, err := openOutput("--junit", path, os.O_WRONLY)
	return junitFile{path, f}, err
}

func (j junitFile) write(r *luatest.Report) error {
	if j.file == nil {
		return nil
	}
	if err := j.file.begin(false); err != nil {
		return err
	}
	if err := errors.Join(luatest.WriteJUnit(j.file, r), j.file.Close()); err != nil {
		return outputError("--junit: %q cannot be written: %w", filepath.Clean(j.path), err)
	}
	return nil
}
