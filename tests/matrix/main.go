// Command matrix runs worlds with each implementation of their scripts, on one core and on two, and compares what they do: the
// digest after each frame, what scripts print, and error messages. It runs the shipped worlds, and the worlds of a folder
// with a folder for each.
//
//	go run ./tests/matrix
//	go run ./tests/matrix -mods DIR -frames 40
//
// Its exit code is 1 if a world differs from itself, or does not run.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/config"
)

// The command runs itself as ecsrun, because a process has as many cores as GOMAXPROCS said when it began.
const asEcsrun = "ECSRUN_MATRIX_RUNS"

func main() {
	if os.Getenv(asEcsrun) != "" {
		_ = os.Unsetenv(asEcsrun) // package config reads the others that begin like this
		os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	mods := flag.String("mods", "", "a `folder`: each folder in it with a config.yaml is a world")
	frames := flag.Int("frames", 40, "run `N` frames of each world")
	match := flag.String("run", "", "only the worlds whose name matches this `regexp`")
	flag.Parse()
	only, err := regexp.Compile(*match)
	if err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(2)
	}
	worlds, err := worldsOf(*mods)
	if err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(2)
	}
	failed := false
	for _, w := range worlds {
		if only.MatchString(w.name) {
			failed = !w.compare(*frames) || failed
		}
	}
	if failed {
		os.Exit(1)
	}
}

// A world is a config with flags of the command run.
type world struct {
	name   string
	config string
	flags  []string
	impls  []string // all of them if it is nil
}

// worldsOf lists the shipped worlds and those of a folder.
func worldsOf(mods string) (list []world, err error) {
	list = []world{
		{name: "tutorial", config: "config/tutorial.yaml"},
		{name: "arena", config: "config/arena.yaml", flags: []string{"--set", "resources.units=2000"}},
		{name: "arena, 50,000 units", config: "config/arena.yaml", impls: []string{"auto"}}, // so large that rows are shared among cores
	}
	patterns := []string{"config/gallery/*.yaml"}
	if mods != "" {
		patterns = append(patterns, filepath.Join(mods, "*", "config.yaml"))
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file %s; run matrix in the folder of the repository", pattern)
		}
		for _, path := range found {
			name := strings.TrimSuffix(filepath.Base(path), ".yaml")
			if name == "config" {
				name = filepath.Base(filepath.Dir(path))
			}
			list = append(list, world{name: name, config: path})
		}
	}
	return list, nil
}

// compare runs the world in each way, and prints a line for each difference from the first one. It returns false if there is
// one.
func (w world) compare(frames int) bool {
	impls, same := w.impls, true
	if impls == nil {
		impls = []string{"lua", "closures", "auto"}
	}
	first, firstWay, ways := "", "", 0
	for _, impl := range impls {
		for cores := 1; cores <= 2; cores++ {
			way := fmt.Sprintf("%s on %d", impl, cores)
			got, err := w.run(impl, cores, frames)
			if err != nil {
				fmt.Printf("%s: %s: %v\n", w.name, way, err)
				return false
			}
			if ways++; ways == 1 {
				first, firstWay = got, way
			} else if got != first {
				fmt.Printf("%s: %s differs from %s: %s\n", w.name, way, firstWay, difference(first, got))
				same = false
			}
		}
	}
	if same {
		fmt.Printf("%s: %d lines, the same in %d runs\n", w.name, strings.Count(first, "\n"), ways)
	}
	return same
}

// run returns what a run prints, error messages and its exit code. The error is that it does not begin.
func (w world) run(impl string, cores, frames int) (string, error) {
	c, err := config.Load(w.config, config.Overrides{})
	if err != nil {
		return "", err
	}
	args := append([]string{"run", w.config, "--quiet", "--hash-every", "1", "--frames", fmt.Sprint(frames)}, w.flags...)
	for _, s := range c.Systems {
		if s.Script != "" {
			args = append(args, "--set", "systems."+s.Name+".impl="+impl)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	command := exec.Command(self, args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	command.Env = append(os.Environ(), asEcsrun+"=1", fmt.Sprint("GOMAXPROCS=", cores))
	code := 0
	if err := command.Run(); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			return "", err
		}
		if code = ended.ExitCode(); code < 4 {
			return "", fmt.Errorf("exit code %d: %s", code, strings.TrimSpace(stderr.String()))
		}
	}
	return fmt.Sprintf("%s%sexit code %d\n", stdout.String(), messages(stderr.String()), code), nil
}

var logged = regexp.MustCompile(`^\d\d:\d\d:\d\d (\w+) `)

// messages returns the lines of a log that must be the same in each run: errors and warnings, without the time. How many loops
// are compiled, and which ones fell back, is information that may differ.
func messages(log string) string {
	var out strings.Builder
	for line := range strings.Lines(log) {
		if m := logged.FindStringSubmatch(line); m != nil {
			if m[1] == "INF" || m[1] == "DBG" {
				continue
			}
			line = line[len("00:00:00 "):]
		}
		out.WriteString(line)
	}
	return out.String()
}

// difference returns the first line in which two texts differ.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i, line := range b {
		if i >= len(a) {
			return fmt.Sprintf("line %d is %q, where the other has ended", i+1, line)
		}
		if line != a[i] {
			return fmt.Sprintf("line %d is %q, not %q", i+1, line, a[i])
		}
	}
	return fmt.Sprintf("it ends after %d lines, not after %d", len(b), len(a))
}
