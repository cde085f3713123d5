// Command bench runs the benchmarks of storage and of loops in Lua, and prints a table of each: every operation beside its floor of the same
// run and beside the mark it has to reach. docs/benchmarks.md holds what it printed.
//
//	go run ./tests/bench              everything, five times (about ten minutes)
//	go run ./tests/bench -count 1 -run Relation
//	go run ./tests/bench -page Storage
//	go run ./tests/bench -run 'Loop|Arena'
//	go run ./tests/bench -page "Calls, turns and neighbours"
//	go run ./tests/bench -page Worlds
//	go run ./tests/bench -page "General Lua code" -run 'queens|Rows'
//	go run ./tests/bench -page "Lua beside PUC Lua and LuaJIT" -constructs DIR -mods DIR
//
// With -weigh it measures whole runs of worlds instead, beside another build:
//
//	go run ./tests/bench -weigh -mods DIR -constructs DIR -save before.json
//	go run ./tests/bench -weigh -mods DIR -constructs DIR -beside before.json
//	go run ./tests/bench -weigh -without packing,fastpath -beside PROGRAM
//
// With -window it measures what the inspector and the metrics cost a run:
//
//	go run ./tests/bench -window 1000000 -count 15
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func main() {
	count := flag.Int("count", 5, "runs of each benchmark; the quickest counts: other work on the machine only ever adds time")
	time := flag.String("time", "100ms", "time of each run, as -benchtime")
	only := flag.String("run", "", "only the groups whose name matches this expression")
	page := flag.String("page", "", "only the table of this title; empty for all")
	constructs := flag.String("constructs", "", "folder of the constructs, with config.yaml and plain.lua, for the page "+luaTitle)
	mods := flag.String("mods", "", "folder of the mods for the page "+luaTitle)
	weigh := flag.Bool("weigh", false, "measure the user CPU time of whole runs of worlds instead")
	without := flag.String("without", "", "with -weigh: build the program without these mechanisms of the compiler, separated by commas")
	beside := flag.String("beside", "", "with -weigh: a program to measure in turn with this one, or a file that -save has written")
	save := flag.String("save", "", "with -weigh: write the figures to this file, which ends in .json")
	window := flag.String("window", "", "measure what the inspector costs a run of so `many` entities instead")
	flag.Parse()
	if *window != "" {
		if err := showWindow(*count, *window); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if *weigh {
		filter, err := regexp.Compile(*only)
		if err == nil {
			err = (&scale{*mods, *constructs, *without, *beside, *save, *count, filter.MatchString}).show()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*count, *time, *only, *page, luaPage{constructs: *constructs, mods: *mods, repeat: *count}); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(count int, time, only, page string, lua luaPage) error {
	filter, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	found := false
	for _, t := range pages {
		chosen, groups := t.choose(filter)
		if len(chosen) == 0 || page != "" && page != t.title {
			continue
		}
		found = true
		results, cpu, err := measure(t.packages, strings.Join(groups, "|"), count, time)
		if err == nil {
			fmt.Printf("## %s\n\n", t.title)
			err = show(chosen, results, cpu, count, time)
		}
		if err != nil {
			return err
		}
	}
	for _, p := range []*callPage{&callsPage, &worldsPage} {
		if page != "" && page != p.title {
			continue
		}
		shown, err := p.show(filter, count, time)
		if err != nil {
			return err
		}
		found = found || shown
	}
	if (page == "" || page == worldsTitle) && filter.MatchString("Programs") {
		found = true
		if err := (&luaPage{mods: worlds, repeat: count}).showWorlds(); err != nil {
			return err
		}
	}
	if page == "" || page == generalTitle {
		shown, err := (&generalPage{rounds: count}).show(filter)
		if err != nil {
			return err
		}
		found = found || shown
	}
	if (page == "" || page == luaTitle) && (filter.MatchString("Constructs") || filter.MatchString("Mods")) {
		found = true
		if err := lua.show(filter); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("no group matches %q on page %q", only, page)
	}
	return nil
}

// A table is printed for itself.
type table struct {
	title    string
	packages []string
	rows     []row
}

var pages = []table{
	{"Storage", []string{"./ecs"}, rows},
	{"Loops in Lua", []string{"./ecs", "./luabind", "./tests"}, loopRows},
}

// choose returns the rows whose group matches, and the expressions for the benchmarks that they need.
func (t table) choose(filter *regexp.Regexp) (chosen []row, groups []string) {
	groups = []string{"^BenchmarkPace$"}
	for _, r := range t.rows {
		group, _, _ := strings.Cut(r.bench, "/")
		if !filter.MatchString(group) {
			continue
		}
		chosen = append(chosen, r)
		for _, needed := range []string{r.bench, r.floor, r.least} {
			group, _, _ := strings.Cut(needed, "/")
			if name := "^Benchmark" + group + "$"; needed != "" && !slices.Contains(groups, name) {
				groups = append(groups, name)
			}
		}
	}
	return chosen, groups
}

// show prints a table.
func show(chosen []row, results results, cpu string, count int, time string) error {
	fmt.Printf("%s, %s/%s, %s, GOMAXPROCS %d; quickest of %d runs of %s each\n\n", cpu, runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.GOMAXPROCS(0), count, time)
	for _, p := range []pace{loop, random} {
		slowness, err := p.slowness(results)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %.3g ns here, %.3g where the marks were set: × %.2f\n", p.name, p.ns*slowness, p.ns, slowness)
	}
	fmt.Println("\n| operation | measured | floor | ratio | mark | here | |")
	fmt.Println("|---|---|---|---|---|---|---|")
	var reasons []string
	for _, r := range chosen {
		line, ok, err := r.line(results)
		if err != nil {
			return err
		}
		fmt.Println(line)
		if !ok {
			why, err := r.reason(results)
			if err != nil {
				return err
			}
			reasons = append(reasons, why)
		}
	}
	fmt.Printf("\n%d of %d marks met\n\n", len(chosen)-len(reasons), len(chosen))
	if len(reasons) > 0 {
		fmt.Printf("Not met, and why:\n\n%s\n\n", strings.Join(reasons, "\n"))
	}
	return nil
}

// results are the lowest figures by benchmark name (without "Benchmark" and the number of processors) and unit.
type results map[string]map[string]float64

func (res results) of(bench, unit string) (float64, error) {
	v, found := res[strings.ReplaceAll(bench, " ", "_")][unit] // as go test prints names
	if !found {
		return 0, fmt.Errorf("benchmark %s printed no %s", bench, unit)
	}
	return v, nil
}

var lineForm = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// measure runs the benchmarks count times, one after the other each time, so that a busy minute of the machine does not meet one benchmark
// only, and keeps the lowest figures.
func measure(packages []string, pattern string, count int, time string) (results, string, error) {
	lowest, cpu := results{}, "unknown processor"
	for range count {
		args := append([]string{"test", "-p", "1", "-run", "^$", "-bench", pattern, "-benchtime", time, "-timeout", "1h"}, packages...)
		cmd := exec.Command("go", args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, "", fmt.Errorf("go test: %w", err)
		}
		for text := range strings.SplitSeq(string(out), "\n") {
			if name, ok := strings.CutPrefix(text, "cpu: "); ok {
				cpu = name
			}
			if err := lowest.note(text); err != nil {
				return nil, "", err
			}
		}
	}
	return lowest, cpu, nil
}

// note reads a line that go test prints of a benchmark.
func (res results) note(text string) error {
	m := lineForm.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, text)
	fields := strings.Fields(m[2])
	if res[m[1]] == nil {
		res[m[1]] = map[string]float64{}
	}
	for i := 0; i+1 < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return fmt.Errorf("cannot read %q", text)
		}
		if old, seen := res[m[1]][fields[i+1]]; !seen || v < old {
			res[m[1]][fields[i+1]] = v
		}
	}
	return nil
}
