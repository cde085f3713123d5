package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"time"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// The command test runs tests in Lua: it finds the files (test_files.go), makes the worlds for t.world
// (test_world.go), and lets package luatest run the tests and print the report.

// The limits of one test with the worlds that it steps, in addition to luatest.DefaultInstructions.
const (
	testTime   = time.Minute
	testMemory = 1 << 30
)

// testFlags are the flags of test.
type testFlags struct {
	run     string
	seed    uint64
	seeded  bool // --seed was given
	shuffle bool
	junit   string // file; "" for none
	tap     bool
	json    bool
	verbose bool
}

func (p *program) testCommand() *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test [PATHS]",
		Short: "Run the tests of scripts",
		Long: `test runs the files named *_test.lua under the paths: files, or folders with all
that is below them; the current folder unless told. Results go to stdout.

Each test makes the worlds it needs and steps them on the real runtime. The exit
code is 1 when a test failed, a file does not load, or there was no test.`,
		Example: `  ecsrun test scripts/
  ecsrun test --run "poison never heals" --seed 7
  ecsrun test --shuffle --junit results.xml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.seeded = cmd.Flags().Changed("seed")
			return p.test(args, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "run the tests whose full name (describes and it, with spaces) matches this Go regular `expression`")
	flags.Uint64Var(&f.seed, "seed", 0, "`N` is the seed of the worlds that name none, and of --shuffle (default: what their config says)")
	flags.BoolVar(&f.shuffle, "shuffle", false, "run files and tests in an order that follows from the seed; without --seed, from a new one")
	flags.StringVar(&f.junit, "junit", "", "write the results to this `file`, too, as JUnit XML")
	flags.BoolVar(&f.tap, "tap", false, "write the results as TAP version 13")
	flags.BoolVar(&f.json, "json", false, "write the results as JSON lines, each as it comes")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show what passing tests print, too")
	return cmd
}

func (p *program) test(paths []string, f testFlags) error {
	if f.tap && f.json {
		return usageError("--tap and --json both write the results to stdout; choose one")
	}
	match := func(string) bool { return true }
	if f.run != "" {
		re, err := regexp.Compile(f.run)
		if err != nil {
			return usageError("--run: %q is no regular expression: %v", f.run, reason(err))
		}
		match = re.MatchString
	}
	files, err := findTests(paths)
	if err != nil {
		return err
	}
	junit, err := openJUnit(f.junit)
	if err != nil {
		return err
	}
	report := p.runTests(files, paths, f, match)
	if err := junit.write(report); err != nil {
		return err
	}
	return p.testExit(report, paths, f)
}

// reason returns what is wrong with a regular expression, without repeating the expression.
func reason(err error) string {
	if e := (*syntax.Error)(nil); errors.As(err, &e) {
		return e.Code.String()
	}
	return err.Error()
}

func (p *program) runTests(files []luatest.File, paths []string, f testFlags, match func(string) bool) *luatest.Report {
	dog := startWatchdog(testTime, testMemory)
	dog.timeLimit, dog.memoryLimit = "the limit of a test", "the limit of a test"
	defer dog.close()
	out := p.console.stdout()
	var reporter luatest.Reporter
	switch {
	case f.tap:
		reporter = luatest.NewTAP(out)
	case f.json:
		reporter = luatest.NewJSON(out)
	default:
		reporter = luatest.NewText(out, luatest.TextOptions{
			Color: colorful(p.console.raw, os.Getenv), Verbose: f.verbose, Paths: paths,
		})
	}
	began := time.Now()
	o := luatest.Options{
		Worlds:   func(spec luatest.WorldSpec) (*luatest.World, error) { return p.testWorld(spec, dog) },
		Modules:  p.modules,
		Watchdog: dog,
		Shuffle:  f.shuffle,
		Match:    match,
		Now:      func() time.Duration { return time.Since(began) },
		Done: func(r luatest.Result) {
			reporter.Result(r)
			_ = p.console.flush() // sticky: the end of Main reports it
		},
	}
	switch {
	case f.seeded:
		o.Seed = &f.seed
	case f.shuffle:
		seed := uint64(began.UnixNano()) % 1_000_000 // short enough to be typed again
		o.Seed = &seed
	}
	signal, release := interrupts()
	defer release()
	report := luatest.Run(signal.first, files, o) // the running test fails at once
	reporter.End(report)
	return report
}

// testExit returns the exit with the code for a report.
func (p *program) testExit(r *luatest.Report, paths []string, f testFlags) error {
	for _, one := range r.Results {
		if one.Bug() {
			return &exit{exitBug, fmt.Errorf("a bug in ecsrun, or in a native system of this build: see the failure of %q; please report it", one.FullName())}
		}
	}
	switch {
	case r.Interrupted:
		return &exit{code: exitInterrupted}
	case r.Count(luatest.Failed) > 0:
		return &exit{code: exitTest}
	case len(r.Results) > 0:
		return nil
	case r.Left > 0:
		return &exit{exitTest, fmt.Errorf("no test matches --run %q; there are %d others", f.run, r.Left)}
	default:
		return &exit{exitTest, fmt.Errorf("no tests found %s; a test file is named *_test.lua and has its tests in it(…)", under(paths))}
	}
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
	file *os.File // nil if the flag was not given
}

func openJUnit(path string) (junitFile, error) {
	if path == "" {
		return junitFile{}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return junitFile{}, usageError("--junit: %w", err)
	}
	return junitFile{path, f}, nil
}

func (j junitFile) write(r *luatest.Report) error {
	if j.file == nil {
		return nil
	}
	if err := errors.Join(luatest.WriteJUnit(j.file, r), j.file.Close()); err != nil {
		return usageError("--junit: %q cannot be written: %w", filepath.Clean(j.path), err)
	}
	return nil
}
