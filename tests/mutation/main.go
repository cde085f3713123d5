// Command mutation breaks the code of packages on purpose, one small change at a time, and counts how many of the changes make a test fail.
//
//	go run ./tests/mutation -n 300 -- ./ecs
//	go run ./tests/mutation -n 150 -tests ./luabind/internal/compile/lower,./luabind -- ./luabind/internal/compile/lower ./luabind/internal/compile/ir
//
// docs/reliability.md has the command for all packages of the compiler of loops.
//
// All mutants of a package are compiled into one test binary; an environment variable picks the one that is active in a process. So a mutant
// costs one run of the tests that reach it, the quick ones first, not one build. The stages are: collect (mutate.go), build (build.go, keep.go), run and report (run.go).
//
// The report prints one line for each survivor, with its place and its change, and a total. A mutant that no test reaches is a survivor. Mutants listed in
// equivalent.txt, each with the reason why no test can tell it from the original, are left out of the total.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// options are the flags of the command.
type options struct {
	packages  []string      // folders of the packages to break, "./ecs"
	tests     []string      // folders of the packages whose tests are run, in this order; the broken package itself when empty
	sample    int           // how many mutants to try, drawn evenly; 0 for all
	seed      uint64        // of the draw
	match     string        // only mutants whose place contains this text
	flags     []string      // arguments for the test binaries
	timeout   time.Duration // of one test binary, for one mutant
	longest   time.Duration // tests that take longer are not run; 0 runs all
	workers   int           // processes at a time
	bar       float64       // least share of killed mutants for exit code 0, in percent
	verbose   bool          // print killed mutants, too
	keep      string        // folder in which the binaries are kept from run to run; a temporary one when empty
	unreached bool          // only list the mutants that no test reaches
}

func main() {
	var o options
	var tests, testFlags string
	flag.StringVar(&tests, "tests", "", "packages whose tests are run, separated by commas (default: the mutated package)")
	flag.IntVar(&o.sample, "n", 200, "number of mutants to try; 0 tries all")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the sample")
	flag.StringVar(&o.match, "match", "", "try only mutants whose place contains this text, such as digest.go")
	flag.StringVar(&testFlags, "flags", "-test.short", "arguments for the test binaries, separated by spaces")
	flag.DurationVar(&o.timeout, "timeout", 3*time.Minute, "longest run of a test binary; a mutant that takes longer counts as killed")
	flag.DurationVar(&o.longest, "longest", 0, "run no test that takes longer; what only such a test kills survives")
	flag.IntVar(&o.workers, "workers", 2, "test processes at a time")
	flag.Float64Var(&o.bar, "bar", 0, "exit with 1 when fewer percent than this are killed")
	flag.BoolVar(&o.verbose, "v", false, "print killed mutants, too")
	flag.StringVar(&o.keep, "keep", "", "keep the test binaries, and which test reaches what, in this folder; they are used again as long as no file changes")
	flag.BoolVar(&o.unreached, "unreached", false, "only list the mutants that no test reaches; runs no mutant")
	flag.Parse()
	o.packages = flag.Args()
	if len(o.packages) == 0 {
		fmt.Fprintln(os.Stderr, "mutation: name the packages to break, such as ./ecs")
		os.Exit(2)
	}
	if tests != "" {
		o.tests = strings.Split(tests, ",")
	}
	o.flags = strings.Fields(testFlags)
	ok, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}
