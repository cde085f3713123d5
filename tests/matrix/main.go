// Command matrix runs worlds in many ways, and compares what they do: the digest after each frame, what scripts print, and error
// messages. The ways are grouped in axes (axes.go): implementations and cores, settings of the garbage collector, addresses,
// folders, builds, processors. It runs the shipped worlds, and the worlds of a folder with a folder for each.
//
//	go run ./tests/matrix
//	go run ./tests/matrix -axes arm64,js -frames 10
//	go run ./tests/matrix -mods DIR -frames 40
//
// Its exit code is 1 if a world differs from itself, or does not run; 2 if an axis that -axes names cannot run on this machine.
// Without -axes, an axis that cannot run is named, and does not change the exit code.
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
	"slices"
	"strings"
	"time"

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
	names := flag.String("axes", "", "only these axes: `A,B` of "+axisNames())
	flag.Parse()
	os.Exit(matrix(*mods, *match, *names, *frames))
}

// matrix runs the command and returns its exit code.
func matrix(mods, match, names string, frames int) int {
	refuse := func(err error) int {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		return 2
	}
	only, err := regexp.Compile(match)
	if err != nil {
		return refuse(err)
	}
	chosen, err := axesOf(names)
	if err != nil {
		return refuse(err)
	}
	worlds, err := worldsOf(mods)
	if err != nil {
		return refuse(err)
	}
	dir, err := os.MkdirTemp("", "ecsrun-matrix-")
	if err != nil {
		return refuse(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is in the folder for temporary files
	bases, code, missing := map[string]string{}, 0, false
	var summary []string
	for _, a := range chosen {
		began := time.Now()
		ways, why, err := a.ways(dir)
		switch {
		case err != nil:
			fmt.Printf("%s: %v\n", a.name, err)
			summary = append(summary, a.name+": failed")
			code = 1
			continue
		case why != "":
			summary = append(summary, fmt.Sprintf("%s: not run: %s", a.name, why))
			missing = missing || names != ""
			continue
		}
		ran, same := 0, true
		for _, w := range worlds {
			switch {
			case !only.MatchString(w.name):
			case w.large && a.slow:
				fmt.Printf("%s: %s: not run: it is too large for this axis\n", a.name, w.name)
			default:
				n, ok := w.compare(a, ways, bases, frames)
				ran, same = ran+n, same && ok
			}
		}
		if same {
			summary = append(summary, fmt.Sprintf("%s: the same in %d runs, %.0f s", a.name, ran, time.Since(began).Seconds()))
		} else {
			summary = append(summary, a.name+": differs")
			code = 1
		}
	}
	fmt.Println(strings.Join(summary, "\n"))
	if code == 0 && missing {
		code = 2
	}
	return code
}

// A world is a config with flags of the command run.
type world struct {
	name   string
	config string
	flags  []string
	impls  []string // all of them if it is nil
	large  bool     // axes that are slow leave it out
}

// worldsOf lists the shipped worlds and those of a folder.
func worldsOf(mods string) (list []world, err error) {
	list = []world{
		{name: "tutorial", config: "config/tutorial.yaml"},
		{name: "arena", config: "config/arena.yaml", flags: []string{"--set", "resources.units=2000"}},
		{name: "arena, 50,000 units", config: "config/arena.yaml", impls: []string{"auto"}, large: true}, // so large that rows are shared among cores
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

// base is the way that all others are compared with.
var base = way{name: "auto on 1", impl: "auto", cores: 1}

// compare runs the world in each way of an axis, and prints a line for each difference from the base. It returns the number of runs, and
// false if there is a difference. bases keeps what a world does in the base way, by name.
func (w world) compare(a axis, ways []way, bases map[string]string, frames int) (ran int, same bool) {
	want, known := bases[w.name]
	if !known {
		var err error
		if want, err = w.run(base, frames); err != nil {
			fmt.Printf("%s: %s: %s: %v\n", a.name, w.name, base.name, err)
			return 0, false
		}
		bases[w.name] = want
	}
	same = true
	for _, way := range ways {
		if w.impls != nil && !slices.Contains(w.impls, way.impl) || way.impl == config.ImplNative && !w.native() {
			continue
		}
		ran++
		got, err := w.run(way, frames)
		switch {
		case err != nil:
			fmt.Printf("%s: %s: %s: %v\n", a.name, w.name, way.name, err)
			same = false
		case got != want:
			fmt.Printf("%s: %s: %s differs from %s: %s\n", a.name, w.name, way.name, base.name, difference(want, got))
			same = false
		}
	}
	if same {
		fmt.Printf("%s: %s: %d lines, the same in %d runs\n", a.name, w.name, strings.Count(want, "\n"), ran)
	}
	return ran, same
}

// native reports whether a system of the world is there as a script and in Go.
func (w world) native() bool {
	c, err := config.Load(w.config, config.Overrides{})
	return err == nil && slices.ContainsFunc(c.Systems, func(s config.System) bool { return s.Script != "" && s.Native != "" })
}

// run returns what a run prints, error messages and its exit code. The error is that it does not begin.
func (w world) run(way way, frames int) (string, error) {
	c, err := config.Load(w.config, config.Overrides{})
	if err != nil {
		return "", err
	}
	path := w.config
	if way.folder != "" {
		if path, err = filepath.Abs(path); err != nil {
			return "", err
		}
	}
	args := append([]string{"run", path, "--quiet", "--hash-every", "1", "--frames", fmt.Sprint(frames)}, w.flags...)
	for _, s := range c.Systems {
		if s.Script != "" && (way.impl != config.ImplNative || s.Native != "") {
			args = append(args, "--set", "systems."+s.Name+".impl="+way.impl)
		}
	}
	program := way.program
	if program == nil {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		program = []string{self}
	}
	program = append(slices.Clone(way.launcher), program...)
	command := exec.Command(program[0], append(program[1:], args...)...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr, command.Dir = &stdout, &stderr, way.folder
	command.Env = append(os.Environ(), asEcsrun+"=1", fmt.Sprint("GOMAXPROCS=", way.cores))
	command.Env = append(command.Env, way.env...)
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

var logged = regexp.MustCompile(`^[-\d]+ \d\d:\d\d:\d\d (\w+) `)

// messages returns the lines of a log that must be the same in each run: errors and warnings, without the time. How many loops
// are compiled, and which ones fell back, is information that may differ.
func messages(log string) string {
	var out strings.Builder
	for line := range strings.Lines(log) {
		if m := logged.FindStringSubmatch(line); m != nil {
			if m[1] == "INF" || m[1] == "DBG" {
				continue
			}
			line = line[len("2006-01-02 00:00:00 "):]
		}
		if !strings.HasPrefix(line, "  --> ") { // the path of a file depends on the working folder
			out.WriteString(line)
		}
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
