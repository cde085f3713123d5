package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// generalTitle is the page of code outside of query loops beside PUC Lua. Its groups, for -run, are the names of its programs, Rows.name, and data.
const generalTitle = "General Lua code"

var generalFolder = filepath.Join("tests", "bench", "general")

// A generalItem is a program of that folder, or with an n one of rows.lua. Both sides run it times times: ecsrun in each frame once.
type generalItem struct {
	name  string
	times int
	n     int
	bar   float64 // how many times the time of lua5.4
}

func (g generalItem) isRow() bool { return g.n > 0 }

func (g generalItem) group() string {
	if g.isRow() {
		return "Rows." + g.name
	}
	return g.name
}

// The bars of the geometric mean and of the worst program.
const generalMean, generalWorst = 1.6, 2.2

var generalItems = []generalItem{
	{name: "bounce", times: 800, bar: generalWorst},
	{name: "list", times: 400, bar: generalWorst},
	{name: "permute", times: 1600, bar: generalWorst},
	{name: "queens", times: 1200, bar: generalWorst},
	{name: "sieve", times: 2000, bar: generalWorst},
	{name: "storage", times: 400, bar: generalWorst},
	{name: "towers", times: 600, bar: generalWorst},
	{name: "nbody", times: 300, bar: generalWorst},
	{name: "richards", times: 150, bar: generalWorst},
	{name: "json", times: 500, bar: generalWorst},
	{name: "deltablue", times: 300, bar: generalWorst},
	{name: "havlak", times: 100, bar: generalWorst},

	{name: "index_function", times: 100, n: 100_000, bar: 2},
	{name: "square", times: 400, n: 100_000, bar: 2},
	{name: "power", times: 200, n: 100_000, bar: 2},
	{name: "sub", times: 60, n: 100_000, bar: 2},
	{name: "byte", times: 100, n: 100_000, bar: 2},
	{name: "gmatch", times: 60, n: 100_000, bar: 2},
	{name: "pcall", times: 100, n: 100_000, bar: 1.5},
	{name: "resume", times: 40, n: 100_000, bar: 1.5},
	{name: "vararg_table", times: 50, n: 100_000, bar: 2},
	{name: "vararg_select", times: 100, n: 100_000, bar: 2},
	{name: "closure", times: 60, n: 100_000, bar: 2},
	{name: "add", times: 150, n: 100_000, bar: 2},
	{name: "fib", times: 50, n: 2 * 57_313, bar: 1.5},
	{name: "method", times: 150, n: 100_000, bar: 1.5},
}

// A generalPage runs the items in turn with ecsrun and with lua5.4, each as a process of its own.
type generalPage struct {
	rounds       int
	work, ecsrun string
	plain        string // path of lua5.4
}

// show prints the page. It reports false if no group matches the filter.
func (p *generalPage) show(filter *regexp.Regexp) (bool, error) {
	items := slices.DeleteFunc(slices.Clone(generalItems), func(g generalItem) bool { return !filter.MatchString(g.group()) })
	if len(items) == 0 && !filter.MatchString("data") {
		return false, nil
	}
	var err error
	if p.plain, err = exec.LookPath("lua5.4"); err != nil {
		fmt.Printf("## %s\n\nSkipped: lua5.4 is not on PATH.\n\n", generalTitle)
		return true, nil
	}
	if p.work, err = os.MkdirTemp("", "ecsrun-general"); err != nil {
		return true, err
	}
	defer os.RemoveAll(p.work)
	if err := os.CopyFS(p.work, os.DirFS(generalFolder)); err != nil {
		return true, err
	}
	p.ecsrun = filepath.Join(p.work, "ecsrun")
	if _, err := output("go", "build", "-o", p.ecsrun, "./cmd/ecsrun"); err != nil {
		return true, err
	}
	if len(items) == 0 {
		return true, p.showData()
	}
	nothing, here, there := make([]float64, 0, p.rounds), make([][]float64, len(items)), make([][]float64, len(items))
	for round := range p.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, p.rounds)
		took, err := p.inWorld("return function() end", 1)
		if err != nil {
			return true, err
		}
		nothing = append(nothing, took)
		for i, g := range items {
			took, err := p.inWorld(g.system(), g.times)
			if err != nil {
				return true, err
			}
			here[i] = append(here[i], took)
			if took, err = p.outside(g); err != nil {
				return true, err
			}
			there[i] = append(there[i], took)
		}
	}
	fmt.Printf("## %s\n\nCPU time of processes, without that of an empty world (%.0f ms); medians of %d rounds; one core\n\n", generalTitle, median(nothing)*1000, p.rounds)
	fmt.Println("| | ecsrun auto | lua5.4 | ratio | bar | |\n|---|---|---|---|---|---|")
	var programs []float64
	for i, g := range items {
		a, b := median(here[i])-median(nothing), median(there[i])
		if !g.isRow() {
			programs = append(programs, a/b)
		}
		fmt.Printf("| %s | %s | %s | %.2f × | ≤ %g × | %s |\n", g.name, g.figure(a), g.figure(b), a/b, g.bar, verdicts[a/b <= g.bar])
	}
	if len(programs) > 0 {
		fmt.Printf("\nprograms: geometric mean %.2f × (bar: %g), worst %.2f × (bar: %g)\n", geometric(programs), generalMean, slices.Max(programs), generalWorst)
	}
	fmt.Println()
	if !filter.MatchString("data") {
		return true, nil
	}
	return true, p.showData()
}

// showData prints the line of a file with 20,000 records of three fields that is loaded, beside lua5.1.
func (p *generalPage) showData() error {
	lua, err := exec.LookPath("lua5.1")
	if err != nil {
		fmt.Print("lua5.1 is not on PATH; a file of data is not measured.\n\n")
		return nil
	}
	var text strings.Builder
	text.WriteString("return {\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "  { id = %d, name = \"record %d\", value = %d.5 },\n", i, i, 3*i)
	}
	text.WriteString("}\n")
	file := filepath.Join(p.work, "data.lua")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		return err
	}
	var here, there []float64
	for range p.rounds {
		nothing, err := p.inWorld("return function() end", 1)
		if err != nil {
			return err
		}
		took, err := p.inWorld("require(\"data\")\nreturn function() end", 1)
		if err != nil {
			return err
		}
		here = append(here, took-nothing)
		if took, err = cpuTime(lua, file); err != nil {
			return err
		}
		there = append(there, took)
	}
	a, b := median(here), median(there)
	fmt.Printf("a file of 20,000 records of three fields, loaded: %.0f ms, lua5.1 %.0f ms, %.2f × (bar: ≤ %d ×, %s)\n\n", a*1e3, b*1e3, a/b, dataBar, verdicts[a/b <= dataBar])
	return nil
}

// dataBar is how many times the time of lua5.1 a file of data may take.
const dataBar = 5

// figure formats the time of a turn of an item.
func (g generalItem) figure(seconds float64) string {
	if g.isRow() {
		return fmt.Sprintf("%.3g ns", seconds/float64(g.times)/float64(g.n)*1e9)
	}
	return fmt.Sprintf("%.3g ms", seconds/float64(g.times)*1e3)
}

// system is a script that runs the item in each frame.
func (g generalItem) system() string {
	if g.isRow() {
		return fmt.Sprintf("local row = require(\"rows\").%s\nreturn function() row(%d) end\n", g.name, g.n)
	}
	return fmt.Sprintf("local run = require(%q)\nreturn function() run() end\n", g.name)
}

const generalConfig = `version: 1
run: { frames: 1 }
limits: { instructions: 1000000000 }
systems:
  - { name: item, script: item.lua }
`

// inWorld returns the CPU seconds of a run of ecsrun with one system.
func (p *generalPage) inWorld(script string, frames int) (float64, error) {
	if err := os.WriteFile(filepath.Join(p.work, "item.lua"), []byte(script), 0o644); err != nil {
		return 0, err
	}
	config := filepath.Join(p.work, "item.yaml")
	if err := os.WriteFile(config, []byte(generalConfig), 0o644); err != nil {
		return 0, err
	}
	return cpuTime(p.ecsrun, "run", config, "--quiet", "--frames", strconv.Itoa(frames))
}

// outside returns the CPU seconds of lua5.4.
func (p *generalPage) outside(g generalItem) (float64, error) {
	name, n := g.name, 1
	if g.isRow() {
		name, n = "rows."+name, g.n
	}
	return cpuTime(p.plain, filepath.Join(p.work, "run.lua"), name, strconv.Itoa(g.times), strconv.Itoa(n))
}

// cpuTime runs a program on one core, and returns its CPU seconds.
func cpuTime(program string, args ...string) (float64, error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	if text, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// median returns the middle of some times.
func median(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}
