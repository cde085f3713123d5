package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file weighs the engine: the user CPU time of whole runs of worlds, beside that of another build. A mechanism of the compiler earns its
// place by what it gains here.

// switches is the variable of the program that turns mechanisms off when it is built.
const switches = "github.com/ecsrun/ecsrun/luabind/internal/without.Built"

// A scale weighs one build beside another.
type scale struct {
	mods       string // folder with a folder for each mod; empty for none
	constructs string // folder of the constructs; empty for none
	without    string // mechanisms to turn off in the build of this tree
	beside     string // the other build: a program, or a file that save has written
	save       string // where the figures of this tree are written; empty for nowhere
	rounds     int
	only       func(name string) bool
}

// A load is a world that is run.
type load struct {
	name, config string
	frames       int // so many that the run takes some tenths of a second
	sets         []string
}

// A weight is what a run of a load took, and what came out.
type weight struct {
	Seconds float64 `json:"user_cpu_seconds"` // of the quickest run
	Digest  string  `json:"digest"`
	Loops   int     `json:"loops"`
	Machine int     `json:"machine_code"` // loops that become machine code
	Closure int     `json:"closures"`
}

// inLua are the systems of the arena that ship as Go.
var inLua = []string{"targeting", "movement", "bounce", "attack", "damage", "lifetime"}

func (s *scale) loads() ([]load, error) {
	var list []load
	for _, name := range []string{"move", "bounce", "regen"} {
		list = append(list, load{name: name, config: filepath.Join("tests", "bench", "weigh", name+".yaml"), frames: 30_000})
	}
	arena := load{name: "arena in Lua", config: filepath.Join("config", "arena.yaml"), frames: 120}
	for _, system := range inLua {
		arena.sets = append(arena.sets, "--set", "systems."+system+".impl=auto")
	}
	list = append(list, arena, load{name: "arena", config: arena.config, frames: 120}, load{name: "tutorial", config: filepath.Join("config", "tutorial.yaml"), frames: 20_000})
	worlds, err := filepath.Glob(filepath.Join("config", "gallery", "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, config := range worlds {
		list = append(list, load{name: strings.TrimSuffix(filepath.Base(config), ".yaml"), config: config, frames: 10_000})
	}
	if s.constructs != "" {
		list = append(list, load{name: "constructs", config: filepath.Join(s.constructs, "config.yaml"), frames: 200})
	}
	if s.mods != "" {
		mods, err := filepath.Glob(filepath.Join(s.mods, "*", "config.yaml"))
		if err != nil {
			return nil, err
		}
		for _, config := range mods {
			list = append(list, load{name: filepath.Base(filepath.Dir(config)), config: config, frames: 200})
		}
	}
	return slices.DeleteFunc(list, func(l load) bool { return !s.only(l.name) }), nil
}

// show weighs all loads and prints the table. The error says that digests differ, or that a program fails.
func (s *scale) show() error {
	list, err := s.loads()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ecsrun-weigh")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, "ecsrun")
	if _, err := output("go", "build", "-ldflags", "-X "+switches+"="+s.without, "-o", program, "./cmd/ecsrun"); err != nil {
		return err
	}
	here, other := map[string]weight{}, map[string]weight{}
	if filepath.Ext(s.beside) == ".json" {
		text, err := os.ReadFile(s.beside)
		if err == nil {
			err = json.Unmarshal(text, &other)
		}
		if err != nil {
			return err
		}
	}
	for round := range s.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, s.rounds)
		for _, l := range list {
			if err := l.weigh(program, here); err != nil {
				return err
			}
			if s.beside != "" && filepath.Ext(s.beside) != ".json" {
				if err := l.weigh(s.beside, other); err != nil {
					return err
				}
			}
		}
	}
	if s.save != "" {
		text, err := json.MarshalIndent(here, "", "  ")
		if err == nil {
			err = os.WriteFile(s.save, append(text, '\n'), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return s.table(list, here, other)
}

// weigh runs a load with a program, and notes it if it was the quickest run so far.
func (l load) weigh(program string, into map[string]weight) error {
	was, again := into[l.name]
	if !again {
		if err := l.count(program, &was); err != nil {
			return err
		}
	}
	cmd := exec.Command(program, append([]string{"run", l.config, "--hash", "--quiet", "--frames", strconv.Itoa(l.frames)}, l.sets...)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s of %s: %w\n%s", program, l.config, err, problem.String())
	}
	took := cmd.ProcessState.UserTime().Seconds()
	for line := range strings.Lines(string(out)) {
		if digest, ok := strings.CutPrefix(line, "digest "); ok {
			was.Digest = strings.TrimSpace(digest)
		}
	}
	if !again || took < was.Seconds {
		was.Seconds = took
	}
	into[l.name] = was
	return nil
}

// count notes what becomes of the loops of a load.
func (l load) count(program string, into *weight) error {
	text, err := output(program, "explain", l.config, "--json")
	if err != nil {
		return err
	}
	var report struct {
		Loops []struct {
			Becomes string `json:"becomes"`
		} `json:"loops"`
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		return fmt.Errorf("cannot read what ecsrun explain printed of %s: %w", l.config, err)
	}
	into.Loops = len(report.Loops)
	for _, loop := range report.Loops {
		switch loop.Becomes {
		case "machine code":
			into.Machine++
		case "closures":
			into.Closure++
		}
	}
	return nil
}

// table prints what was weighed, and returns an error if a digest differs.
func (s *scale) table(list []load, here, other map[string]weight) error {
	title := "everything on"
	if s.without != "" {
		title = "without " + s.without
	}
	fmt.Printf("## Weight, %s\n\nUser CPU seconds of whole runs on one core; the quickest of %d rounds\n\n", title, s.rounds)
	fmt.Println("| world | frames | seconds | beside | ratio | loops | machine code | closures | beside |\n|---|---|---|---|---|---|---|---|---|")
	var differing, missing []string
	groups := map[string][]float64{}
	worst, of := 0.0, ""
	for _, l := range list {
		h, o := here[l.name], other[l.name]
		fmt.Printf("| %s | %d | %.2f | %s | %s | %d | %d | %d | %d, %d |\n", l.name, l.frames, h.Seconds, figure(o.Seconds), times(h.Seconds, o.Seconds), h.Loops, h.Machine, h.Closure, o.Machine, o.Closure)
		if o.Seconds == 0 {
			missing = append(missing, l.name)
			continue
		}
		if h.Digest != o.Digest {
			differing = append(differing, l.name)
		}
		ratio := h.Seconds / o.Seconds
		group := "shipped"
		if s.mods != "" && strings.HasPrefix(l.config, s.mods) {
			group = "mods"
		}
		groups[group] = append(groups[group], ratio)
		if ratio > worst {
			worst, of = ratio, l.name
		}
	}
	fmt.Printf("\n%s; beside: %s\n", becomes(list, here), becomes(list, other))
	if s.beside == "" {
		return nil
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		fmt.Printf("%s: geometric mean %.3f × over %d\n", group, geometric(groups[group]), len(groups[group]))
	}
	fmt.Printf("worst: %.2f × (%s)\n", worst, of)
	if len(missing) > 0 {
		fmt.Printf("not in %s: %s\n", s.beside, strings.Join(missing, ", "))
	}
	if len(differing) > 0 {
		return fmt.Errorf("the digests of %s differ", strings.Join(differing, ", "))
	}
	return nil
}

// becomes says what becomes of the loops of all configs.
func becomes(list []load, of map[string]weight) string {
	var sum weight
	counted := map[string]bool{}
	for _, l := range list {
		if !counted[l.config] {
			counted[l.config] = true
			sum.Loops, sum.Machine, sum.Closure = sum.Loops+of[l.name].Loops, sum.Machine+of[l.name].Machine, sum.Closure+of[l.name].Closure
		}
	}
	return fmt.Sprintf("%d loops, %d machine code, %d closures", sum.Loops, sum.Machine, sum.Closure)
}

// geometric returns the geometric mean.
func geometric(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}
