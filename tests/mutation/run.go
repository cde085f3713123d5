package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// An outcome is what became of a mutant.
type outcome int

const (
	killed    outcome = iota // a test failed, or did not end
	survived                 // all tests passed
	unreached                // no test runs the changed code
)

// run does all of it: it reports whether the share of killed mutants reaches the bar.
func run(o options) (bool, error) {
	known, err := equivalents("tests/mutation/equivalent.txt")
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	s, err := build(o, dir)
	if err != nil {
		return false, err
	}
	reached, err := s.reach(o)
	if err != nil {
		return false, err
	}
	chosen := choose(s.mutants, o, known)
	fmt.Printf("%d mutants, %d of them reached by tests; trying %d\n", len(s.mutants), count(reached), len(chosen))
	outcomes := s.try(chosen, reached, o)
	return report(chosen, outcomes, o), nil
}

// equivalents reads the mutants that no test can tell from the original: a key and, after a tab, the reason.
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

// choose draws a sample of the mutants that match, in the order of the source.
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
		sort.Slice(list, func(i, j int) bool { return list[i].id < list[j].id })
	}
	return list
}

// reach runs the original code once and says which mutants the tests come to. It fails when a test fails without a mutant.
func (s *suite) reach(o options) ([]byte, error) {
	file := filepath.Join(s.dir, "reached")
	if err := os.WriteFile(file, make([]byte, 1<<20), 0o644); err != nil {
		return nil, err
	}
	if len(s.mutants) >= 1<<20 {
		return nil, fmt.Errorf("%d mutants are more than the file of those reached can hold", len(s.mutants))
	}
	for _, b := range s.binaries {
		for _, path := range []string{b.path, b.recording} {
			c := exec.Command(path, o.flags...)
			c.Dir = b.dir
			c.Env = append(os.Environ(), "MUTANTS_REACHED="+file, "MUTANT=0")
			if out, err := c.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("tests of %s fail without a mutant (leave them out with -flags -test.skip=…): %w\n%s", b.dir, err, tail(out))
			}
		}
	}
	return os.ReadFile(file)
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
	next := make(chan int)
	var group sync.WaitGroup
	for range o.workers {
		group.Go(func() {
			for i := range next {
				outcomes[i] = unreached
				if reached[list[i].id] != 0 {
					outcomes[i] = s.test(list[i], o)
				}
				if outcomes[i] != killed || o.verbose {
					fmt.Println(line(list[i], outcomes[i]))
				}
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	group.Wait()
	return outcomes
}

// test runs the test binaries with one mutant until one of them fails.
func (s *suite) test(m mutant, o options) outcome {
	for _, b := range s.binaries {
		ctx, cancel := context.WithTimeout(context.Background(), o.timeout)
		c := exec.CommandContext(ctx, b.path, append([]string{"-test.failfast"}, o.flags...)...)
		c.Dir = b.dir
		c.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(m.id), "GOMEMLIMIT=2GiB")
		err := c.Run()
		cancel()
		if err != nil {
			return killed
		}
	}
	return survived
}

func line(m mutant, o outcome) string {
	word := map[outcome]string{killed: "killed", survived: "survived", unreached: "not reached"}[o]
	return fmt.Sprintf("%s: %s: %s: %s", m.place(), word, m.change, m.source)
}

// report prints the totals by file and in all.
func report(list []mutant, outcomes []outcome, o options) bool {
	type total struct{ killed, all int }
	files := map[string]total{}
	var sum total
	for i, m := range list {
		t := files[m.file]
		t.all++
		sum.all++
		if outcomes[i] == killed {
			t.killed++
			sum.killed++
		}
		files[m.file] = t
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
