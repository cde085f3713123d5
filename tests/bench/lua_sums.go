package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// twins is the folder of the plain twins of mods.
var twins = filepath.Join("tests", "bench", "twins")

// sums are the sums of fields after the last frame, in the order in which they were printed.
type sums struct {
	keys      []string // Component.field or resources.name
	of        map[string]float64
	frames    int
	tolerance float64
}

// readSums reads the lines "sum KEY NUMBER", "frames N" and "tolerance X"; others are what the mod itself prints.
func readSums(text string) (sums, error) {
	s := sums{of: map[string]float64{}}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		var err error
		switch {
		case len(fields) == 3 && fields[0] == "sum":
			s.keys = append(s.keys, fields[1])
			s.of[fields[1]], err = strconv.ParseFloat(fields[2], 64)
		case len(fields) == 2 && fields[0] == "frames":
			s.frames, err = strconv.Atoi(fields[1])
		case len(fields) == 2 && fields[0] == "tolerance":
			s.tolerance, err = strconv.ParseFloat(fields[1], 64)
		}
		if err != nil {
			return s, fmt.Errorf("cannot read the line %q of sums", line)
		}
	}
	if len(s.keys) == 0 {
		return s, fmt.Errorf("no sums were printed")
	}
	return s, nil
}

// differing returns the sums that are farther from those of the twin than its tolerance.
func (s sums) differing(mod sums) []string {
	var keys []string
	for _, key := range s.keys {
		got, ok := mod.of[key]
		if !ok || !(math.Abs(got-s.of[key]) <= s.tolerance*math.Abs(s.of[key])) {
			keys = append(keys, key)
		}
	}
	return keys
}

// sameSums runs the twin and the mod to the end and compares the sums of their fields. It returns what the table says of them,
// and false if sums differ. Without a program for the twin nothing is compared.
func (p *luaPage) sameSums(name string) (says string, equal bool, err error) {
	program := p.programs["luajit"]
	if program == "" {
		program = p.programs["lua5.4"]
	}
	if program == "" {
		return "–", true, nil
	}
	text, err := output(program, filepath.Join(twins, "run.lua"), name, "sums")
	if err != nil {
		return "", false, err
	}
	plain, err := readSums(text)
	if err != nil {
		return "", false, fmt.Errorf("twin %s: %w", name, err)
	}
	copied := filepath.Join(p.work, name)
	if err := os.CopyFS(copied, os.DirFS(filepath.Join(p.mods, name))); err != nil {
		return "", false, err
	}
	if err := plain.install(copied); err != nil {
		return "", false, err
	}
	if text, err = output(p.ecsrun, "run", filepath.Join(copied, "config.yaml"), "--quiet"); err != nil {
		return "", false, err
	}
	mod, err := readSums(text)
	if err != nil {
		return "", false, fmt.Errorf("mod %s: %w", name, err)
	}
	if bad := plain.differing(mod); len(bad) > 0 {
		return fmt.Sprintf("**%d of %d; not** %s", len(plain.keys)-len(bad), len(plain.keys), strings.Join(bad, ", ")), false, nil
	}
	return fmt.Sprintf("%d of %d", len(plain.keys), len(plain.keys)), true, nil
}

// install adds a system to the copy of a mod that prints the sums after the last frame. The scripts are in the folder scripts.
func (s sums) install(folder string) error {
	config := filepath.Join(folder, "config.yaml")
	old, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	const list = "systems:\n"
	if !strings.Contains(string(old), list) {
		return fmt.Errorf("%s has no line %q", config, strings.TrimSpace(list))
	}
	system := fmt.Sprintf("%s  - { name: twin_sums, stage: last, script: twin_sums.lua, every: %d }\n", list, s.frames)
	weigh, err := os.ReadFile(filepath.Join(twins, "weigh.lua"))
	if err != nil {
		return err
	}
	for path, text := range map[string]string{
		config: strings.Replace(string(old), list, system, 1),
		filepath.Join(folder, "scripts", "twin_weigh.lua"): string(weigh),
		filepath.Join(folder, "scripts", "twin_sums.lua"):  s.script(),
	} {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) { // the copy may be read-only, as its origin
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// script returns the Lua file that prints the sums in ecsrun.
func (s sums) script() string {
	var b strings.Builder
	b.WriteString("local weigh = require(\"twin_weigh\")\nreturn function(world)\n  local sum\n")
	for _, key := range s.keys {
		component, field, _ := strings.Cut(key, ".")
		if component == "resources" {
			fmt.Fprintf(&b, "  sum = weigh(world.resources.%s)\n", field)
		} else {
			fmt.Fprintf(&b, "  sum = 0\n  for e, c in world:each(%q) do sum = sum + weigh(c.%s) end\n", component, field)
		}
		fmt.Fprintf(&b, "  print(string.format(\"sum %s %%.17g\", sum))\n", key)
	}
	b.WriteString("end\n")
	return b.String()
}
