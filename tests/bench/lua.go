package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// luaTitle is the page of Lua in ecsrun beside the same work over plain tables. Its groups, for -run, are Constructs and Mods.
const luaTitle = "Lua beside PUC Lua and LuaJIT"

// A luaPage measures scripts with ecsrun bench and their plain twins with the programs of Lua that are on PATH.
type luaPage struct {
	constructs string // folder with config.yaml and plain.lua; empty for none
	mods       string // folder with a folder for each mod; empty for none
	repeat     int
	work       string            // folder for ecsrun and for copies of mods
	ecsrun     string            // the program
	programs   map[string]string // "lua5.4" and "luajit" -> path; those that are missing have none
}

// show prints the page. What cannot be measured here is named in a sentence.
func (p *luaPage) show(filter *regexp.Regexp) error {
	fmt.Printf("## %s\n\n", luaTitle)
	if p.constructs == "" && p.mods == "" {
		fmt.Print("Skipped: name the folders of the scripts with -constructs and -mods.\n\n")
		return nil
	}
	if err := p.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(p.work)
	if p.constructs != "" && filter.MatchString("Constructs") {
		if err := p.showConstructs(); err != nil {
			return err
		}
	}
	if p.mods != "" && filter.MatchString("Mods") {
		return p.showMods()
	}
	return nil
}

// prepare builds ecsrun in a new folder, which the caller removes.
func (p *luaPage) prepare() (err error) {
	p.programs = plainPrograms()
	if p.work, err = os.MkdirTemp("", "ecsrun-bench"); err != nil {
		return err
	}
	p.ecsrun = filepath.Join(p.work, "ecsrun")
	_, err = output("go", "build", "-o", p.ecsrun, "./cmd/ecsrun")
	return err
}

// plainPrograms returns the paths of the programs of Lua that are on PATH. It prints which are not.
func plainPrograms() map[string]string {
	found := map[string]string{}
	for _, name := range []string{"lua5.4", "luajit"} {
		if path, err := exec.LookPath(name); err == nil {
			found[name] = path
		} else {
			fmt.Printf("%s is not on PATH; its column is empty.\n\n", name)
		}
	}
	return found
}

func (p *luaPage) showConstructs() error {
	if _, err := os.Stat(filepath.Join(p.constructs, "plain.lua")); err != nil {
		fmt.Printf("Constructs skipped: %v\n\n", err)
		return nil
	}
	report, err := p.bench(filepath.Join(p.constructs, "config.yaml"))
	if err != nil {
		return err
	}
	plain := map[string]map[string]float64{}
	for name, program := range p.programs {
		text, err := output(program, filepath.Join(p.constructs, "plain.lua"))
		if err != nil {
			return err
		}
		if plain[name], err = plainTimes(text); err != nil {
			return err
		}
	}
	lines, met, barred := constructLines(report, plain["lua5.4"], plain["luajit"])
	fmt.Printf("Constructs, ns per entity; %s\n\n", report.length())
	fmt.Println("| construct | ecsrun auto | lua5.4 | luajit | / lua5.4 | / luajit | bar | |\n|---|---|---|---|---|---|---|---|")
	fmt.Printf("%s\n\n%d of %d bars met\n\n", strings.Join(lines, "\n"), met, barred)
	return nil
}

func (p *luaPage) showMods() error {
	configs, err := filepath.Glob(filepath.Join(p.mods, "*", "config.yaml"))
	if err != nil {
		return err
	}
	var lines []string
	beatsLua, beatsJIT := 0, 0
	for _, config := range configs {
		name := filepath.Base(filepath.Dir(config))
		if _, err := os.Stat(filepath.Join(twins, name+".lua")); err != nil {
			fmt.Printf("%s has no twin and is left out.\n\n", name)
			continue
		}
		m, err := p.times(name)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, m.line())
		lines = append(lines, m.line())
		if !m.differs && m.lua > 0 && m.auto <= m.lua {
			beatsLua++
		}
		if !m.differs && m.jit > 0 && m.auto <= m.jit {
			beatsJIT++
		}
	}
	if len(lines) == 0 {
		fmt.Printf("Mods skipped: %s has no folder with a config.yaml and a twin in %s.\n\n", p.mods, twins)
		return nil
	}
	fmt.Printf("Mods, ms per frame; the quickest of %d runs of each turn, of each frame for twins\n\n", p.repeat)
	fmt.Println("| mod | ecsrun auto | lua5.4 | luajit | / lua5.4 | / luajit | bar | | equal sums |\n|---|---|---|---|---|---|---|---|---|")
	fmt.Printf("%s\n\n%d of %d mods take at most the time of lua5.4 (bar: all), %d at most that of luajit (bar: half)\n\n",
		strings.Join(lines, "\n"), beatsLua, len(lines), beatsJIT)
	return nil
}

// times measures a mod and its twin, after a comparison of their sums.
func (p *luaPage) times(name string) (m modTimes, err error) {
	same, equal, err := p.sameSums(name)
	if err != nil {
		return m, err
	}
	report, err := p.bench(filepath.Join(p.mods, name, "config.yaml"))
	if err != nil {
		return m, err
	}
	m = modTimes{name: name, auto: report.frame("auto"), same: same, differs: !equal}
	return m, p.plain(&m, report.WarmUp)
}

// plain measures the twin of a mod.
func (p *luaPage) plain(m *modTimes, warmUp int) error {
	for program, into := range map[string]*float64{"lua5.4": &m.lua, "luajit": &m.jit} {
		if p.programs[program] == "" {
			continue
		}
		text, err := output(p.programs[program], filepath.Join(twins, "run.lua"), m.name, "time", strconv.Itoa(warmUp), strconv.Itoa(p.repeat))
		if err != nil {
			return err
		}
		if *into, err = frameTime(text); err != nil {
			return err
		}
	}
	return nil
}

// A benchReport is what this page needs of ecsrun bench --json.
type benchReport struct {
	WarmUp  int `json:"warm_up"`
	Frames  int `json:"frames"`
	Repeat  int `json:"repeat"`
	Systems []struct {
		System string `json:"system"`
		Turns  int    `json:"turns"`
		Impls  []struct {
			Impl    string  `json:"impl"`
			PerTurn float64 `json:"ns_per_turn"`
		} `json:"implementations"`
	} `json:"systems"`
}

func (p *luaPage) bench(config string) (*benchReport, error) {
	text, err := output(p.ecsrun, "bench", config, "--json", "--repeat", strconv.Itoa(p.repeat))
	if err != nil {
		return nil, err
	}
	return readReport(text)
}

func readReport(text string) (*benchReport, error) {
	r := &benchReport{}
	if err := json.Unmarshal([]byte(text), r); err != nil {
		return nil, fmt.Errorf("cannot read what ecsrun bench printed: %w", err)
	}
	return r, nil
}

func (r *benchReport) length() string {
	return fmt.Sprintf("%d frames after %d of warm-up, the quickest of %d runs of each turn", r.Frames, r.WarmUp, r.Repeat)
}

// turn returns the nanoseconds of a turn of the system, 0 if it was not measured.
func (r *benchReport) turn(system, impl string) float64 {
	for _, s := range r.Systems {
		for _, i := range s.Impls {
			if s.System == system && i.Impl == impl {
				return i.PerTurn
			}
		}
	}
	return 0
}

// frame returns the mean milliseconds of a frame: the turns of all its systems.
func (r *benchReport) frame(impl string) float64 {
	total := 0.0
	for _, s := range r.Systems {
		total += r.turn(s.System, impl) * float64(s.Turns)
	}
	return total / float64(max(r.Frames, 1)) / 1e6
}

// modTimes are milliseconds per frame of a mod and of its twin; 0 where there is no program.
type modTimes struct {
	name           string
	auto, lua, jit float64
	same           string // what the table says of the sums
	differs        bool   // the mod and its twin do not do the same work, so their times are not compared
}

func (m modTimes) line() string {
	verdict := ""
	if m.differs {
		verdict = "**differs**"
	} else if m.lua > 0 {
		verdict = verdicts[m.auto <= m.lua]
	}
	return fmt.Sprintf("| %s | %.4g | %s | %s | %s | %s | ≤ 1 × lua5.4 | %s | %s |",
		m.name, m.auto, figure(m.lua), figure(m.jit), times(m.auto, m.lua), times(m.auto, m.jit), verdict, m.same)
}

var verdicts = map[bool]string{true: "met", false: "**missed**"}

// figure formats a time, "–" for none.
func figure(v float64) string {
	if v == 0 {
		return "–"
	}
	return fmt.Sprintf("%.4g", v)
}

// times formats v / by, "–" if there is no by.
func times(v, by float64) string {
	if by == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f ×", v/by)
}

// plainTimes reads what plain.lua of the constructs prints: a name and nanoseconds per entity in each line.
func plainTimes(text string) (map[string]float64, error) {
	found := map[string]float64{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return nil, fmt.Errorf("plain.lua printed %q; a name and a number were expected", line)
		}
		v, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			return nil, fmt.Errorf("plain.lua printed %q; a name and a number were expected", line)
		}
		found[fields[0]] = v
	}
	return found, nil
}

// frameTime reads the line that run.lua prints of times.
func frameTime(text string) (float64, error) {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), " ms per frame")
	v, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil {
		return 0, fmt.Errorf("the twin printed %q; a number and \"ms per frame\" were expected", text)
	}
	return v, nil
}

// output runs a program and returns what it printed.
func output(program string, args ...string) (string, error) {
	var problem strings.Builder
	cmd := exec.Command(program, args...)
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(slices.Insert(args, 0, program), " "), err, problem.String())
	}
	return string(out), nil
}
