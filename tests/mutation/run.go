package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// An outcome is the result of trying a mutant.
type outcome int

const (
	killed    outcome = iota // a test failed, or did not end
	survived                 // all tests passed
	unreached                // no test runs the changed code
)

// run runs all stages. It reports whether the share of killed mutants reaches the bar.
func run(o options) (bool, error) {
	known, err := equivalents("tests/mutation/equivalent.txt")
	if err != nil {
		return false, err
	}
	s, done, err := ready(o)
	if err != nil {
		return false, err
	}
	defer done()
	reached := s.reached()
	chosen := choose(s.Mutants, o, known)
	fmt.Printf("%d mutants, %d of them reached by tests; trying %d\n", len(s.Mutants), count(reached), len(chosen))
	if o.unreached {
		for _, m := range chosen {
			if reached[m.ID] == 0 {
				fmt.Println(line(m, unreached))
			}
		}
		return true, nil
	}
	outcomes := s.try(chosen, reached, o)
	return report(chosen, outcomes, o), nil
}

// equivalents reads the mutants that no test can distinguish from the original: a key and, after a tab, the
// reason.
func equivalents(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	known := map[string]bool{}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, reason, found := strings.Cut(line, "\t")
		if !found || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s:%d: give the reason after a tab", path, i+1)
		}
		known[key] = true
	}
	return known, err
}

// choose draws a sample of the matching mutants. It keeps the order of the draw, so that a run that is stopped
// early has tried a sample, too.
func choose(all []mutant, o options, known map[string]bool) []mutant {
	var list []mutant
	for _, m := range all {
		if strings.Contains(m.place(), o.match) && !known[m.key()] {
			list = append(list, m)
		}
	}
	if o.sample > 0 && o.sample < len(list) {
		r := rand.New(rand.NewPCG(o.seed, 0))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:o.sample]
	}
	return list
}

// A test is one top-level test of a binary.
type test struct {
	Name    string
	Takes   time.Duration // with the original code
	Reaches []byte        // by mutant: 1 where the test runs its code
}

var passed = regexp.MustCompile(`(?m)^--- PASS: \S+ \(([0-9.]+)s\)`)

// reach runs each test by itself with the original code, to find which mutants it reaches and how long it takes.
// It returns an error if a test fails without a mutant.
func (s *suite) reach(o options) error {
	if len(s.Mutants) >= 1<<20 {
		return fmt.Errorf("%d mutants are more than the file of those reached can hold", len(s.Mutants))
	}
	for i := range s.Binaries {
		b := &s.Binaries[i]
		out, err := s.original(b, []string{"-test.list=^(Test|Fuzz|Example)"})
		if err != nil {
			return err
		}
		names := strings.Fields(string(out))
		tests, errs := make([]test, len(names)), make([]error, len(names))
		each(o.workers, len(names), func(i int) { tests[i], errs[i] = s.record(b, names[i], o) })
		if err := errors.Join(errs...); err != nil {
			return err
		}
		for _, t := range tests {
			if t.Name != "" {
				b.Tests = append(b.Tests, t)
			}
		}
		sort.SliceStable(b.Tests, func(i, j int) bool { return b.Tests[i].Takes < b.Tests[j].Takes })
	}
	return nil
}

// each calls do with the numbers below n, on several workers.
func each(workers, n int, do func(i int)) {
	next := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}

// reached returns, by mutant, 1 if some test reaches it and 0 otherwise.
func (s *suite) reached() []byte {
	all := make([]byte, len(s.Mutants)+1)
	for _, b := range s.Binaries {
		for _, t := range b.Tests {
			for id, is := range t.Reaches {
				all[id] |= is
			}
		}
	}
	return all
}

// record runs one test and returns how long it takes and which mutants it reaches. If the flags leave the test
// out, the result has no name.
func (s *suite) record(b *binary, name string, o options) (t test, err error) {
	file := filepath.Join(s.dir, "reached "+name)
	if err := os.WriteFile(file, make([]byte, 1<<20), 0o644); err != nil {
		return t, err
	}
	defer os.Remove(file)
	out, err := s.original(b, append(only(o.flags, name), "-test.v"), "MUTANTS_REACHED="+file)
	if err != nil {
		return t, err
	}
	m := passed.FindSubmatch(out)
	if m == nil {
		return t, nil
	}
	seconds, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		return t, err
	}
	reached, err := os.ReadFile(file)
	if err != nil {
		return t, err
	}
	return test{name, time.Duration(seconds * float64(time.Second)), bytes.Clone(reached[:len(s.Mutants)+1])}, nil
}

// original runs a test binary without a mutant and returns what it printed.
func (s *suite) original(b *binary, flags []string, environment ...string) ([]byte, error) {
	c := exec.Command(b.Path, flags...)
	c.Dir = b.Dir
	c.Env = append(append(os.Environ(), "MUTANT=0"), environment...)
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("tests of %s fail without a mutant (leave them out with -flags -test.skip=…): %v: %w\n%s", b.Dir, flags, err, tail(out))
	}
	return out, nil
}

// only returns the flags that select the named tests.
func only(flags []string, names ...string) []string {
	list := []string{"-test.failfast", "-test.run=^(" + strings.Join(names, "|") + ")$"}
	for _, f := range flags {
		if !strings.HasPrefix(strings.TrimLeft(f, "-"), "test.run=") {
			list = append(list, f)
		}
	}
	return list
}

func tail(out []byte) []byte { return out[max(0, len(out)-4000):] }

func count(reached []byte) (n int) {
	for _, b := range reached {
		n += int(b)
	}
	return n
}

// try runs the tests with each mutant.
func (s *suite) try(list []mutant, reached []byte, o options) []outcome {
	outcomes := make([]outcome, len(list))
	each(o.workers, len(list), func(i int) {
		outcomes[i] = unreached
		if reached[list[i].ID] != 0 {
			outcomes[i] = s.test(list[i], o)
		}
		if outcomes[i] != killed || o.verbose {
			fmt.Println(line(list[i], outcomes[i]))
		}
	})
	return outcomes
}

// quick is the longest total time of the tests that run in one process. A test that takes longer has its own
// process.
const quick = 500 * time.Millisecond

// A process is a number of tests of one binary that run together.
type process struct {
	binary  *binary
	names   []string
	takes   time.Duration // of all of them
	longest time.Duration // of the slowest
}

// processes returns the processes with the tests that reach a mutant. The quick tests of all binaries come before
// the slow ones of any. Tests that take longer than a limit are left out, unless it is 0.
func (s *suite) processes(mutant int, longest time.Duration) []process {
	var list []process
	for i := range s.Binaries {
		p := process{binary: &s.Binaries[i]}
		for _, t := range p.binary.Tests {
			if t.Reaches[mutant] == 0 || longest > 0 && t.Takes > longest {
				continue
			}
			if len(p.names) > 0 && p.takes+t.Takes > quick {
				list = append(list, p)
				p = process{binary: p.binary}
			}
			p.names, p.takes, p.longest = append(p.names, t.Name), p.takes+t.Takes, t.Takes
		}
		if len(p.names) > 0 {
			list = append(list, p)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].longest < list[j].longest })
	return list
}

// test runs the tests that reach a mutant until one of them fails.
func (s *suite) test(m mutant, o options) outcome {
	for _, p := range s.processes(m.ID, o.longest) {
		if !p.passes(m, o) {
			return killed
		}
	}
	return survived
}

// passes runs the tests with one mutant. Tests that take much longer than with the original code count as failed.
func (p process) passes(m mutant, o options) bool {
	ctx, cancel := context.WithTimeout(context.Background(), min(o.timeout, 20*time.Second+10*p.takes))
	defer cancel()
	c := exec.CommandContext(ctx, p.binary.Path, only(o.flags, p.names...)...)
	c.Dir = p.binary.Dir
	c.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(m.ID), "GOMEMLIMIT=2GiB")
	return c.Run() == nil
}

func line(m mutant, o outcome) string {
	word := map[outcome]string{killed: "killed", survived: "survived", unreached: "not reached"}[o]
	return fmt.Sprintf("%s: %s: %s: %s", m.place(), word, m.Change, m.Source)
}

// report prints the totals by file and in all.
func report(list []mutant, outcomes []outcome, o options) bool {
	type total struct{ killed, all int }
	files := map[string]total{}
	var sum total
	for i, m := range list {
		t := files[m.File]
		t.all++
		sum.all++
		if outcomes[i] == killed {
			t.killed++
			sum.killed++
		}
		files[m.File] = t
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Println()
	for _, name := range names {
		if t := files[name]; t.killed < t.all {
			fmt.Printf("%-50s %d of %d killed\n", name, t.killed, t.all)
		}
	}
	share := 100 * float64(sum.killed) / float64(max(1, sum.all))
	fmt.Printf("%d of %d mutants killed: %.1f %%\n", sum.killed, sum.all, share)
	return share >= o.bar
}
