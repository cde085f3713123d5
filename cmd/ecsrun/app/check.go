package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command check finds problems without running a frame. It works in stages: the config itself (package config),
// files and registered names (preflight.go), loading the scripts into a world that is then dropped, and warnings
// (check_warnings.go). Findings of all stages and configs are collected and sorted (finding.go), and written in one of
// several formats (check_formats.go).

type checkFlags struct {
	strict bool
	format string
}

var checkFormats = []string{"text", "json", "sarif", "github"}

func (p *program) checkCommand() *cobra.Command {
	f := checkFlags{}
	c := &cobra.Command{
		Use:   "check CONFIG|FOLDER...",
		Short: "Find everything that is wrong without running",
		Long: `check reads configs, loads their scripts and looks up every name, and lists all
problems at once, a line each: FILE:LINE:COLUMN: what is wrong; what to do.

It also warns of what runs and is probably not meant. Each warning has a code,
W101, which docs/check.md explains; "-- ecs: ignore W101" at the end of a line
silences it there, in YAML and TOML "# ecs: ignore W101".

A folder stands for all configs in it, at any depth.`,
		Example: `  ecsrun check config/arena.yaml
  ecsrun check --strict config
  ecsrun check --format sarif config/arena.yaml > check.sarif`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("%s needs a config file or a folder, as in %s config/arena.yaml", cmd.Name(), cmd.CommandPath())
			}
			if !slices.Contains(checkFormats, f.format) {
				return usageError("--format wants one of %s, not %q", strings.Join(checkFormats, ", "), f.format)
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return configSuffixes, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.check(args, f) },
	}
	flags := c.Flags()
	flags.BoolVar(&f.strict, "strict", false, "exit with 2 for warnings, too")
	flags.StringVar(&f.format, "format", "text", "write `FORMAT`: "+strings.Join(checkFormats, ", "))
	return c
}

func (p *program) check(args []string, f checkFlags) error {
	paths, err := configsIn(args)
	if err != nil {
		return err
	}
	r := &checkReport{strict: f.strict}
	for _, path := range paths {
		r.add(p.checkOne(path))
	}
	if err := r.write(f.format, p.console.stdout(), p.console.stderr()); err != nil {
		return err
	}
	if r.failed() {
		return &exit{code: exitUsage}
	}
	return nil
}

// A checked is what check has found of one config.
type checked struct {
	path     string
	contents string // what it declares; "" if it cannot be read
	findings findings
}

// checkOne checks one config.
func (p *program) checkOne(path string) checked {
	c, err := config.Inspect(path, config.Overrides{Env: p.env})
	out := checked{path: path, findings: findings{config: path}}
	out.findings.add(err)
	if c != nil {
		out.contents = contents(c)
		if !out.findings.under("mods") { // without its mods, a config has names that nobody declares
			p.checkDeeper(c, &out.findings)
		}
	}
	out.findings.sort()
	return out
}

// contents returns a line that counts what a config declares.
func contents(c *config.Config) string {
	var parts []string
	for _, v := range []struct {
		n    int
		word string
	}{
		{len(c.Systems), "system"},
		{len(c.Components), "component"},
		{len(c.Tags), "tag"},
		{len(c.Events), "event"},
		{len(c.Resources), "resource"},
		{len(c.Layers), "layer"},
		{len(c.Data), "data file"},
		{len(c.States), "state"},
		{len(c.Indexes), "index"},
		{len(c.Prefabs), "prefab"},
		{len(c.Mods), "mod"},
	} {
		if v.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", v.n, plural(v.n, v.word)))
		}
	}
	if parts == nil {
		return "no systems"
	}
	return strings.Join(parts, ", ")
}

// checkDeeper checks files, registered names and scripts, and adds what it finds. A config with problems is
// checked as far as possible.
func (p *program) checkDeeper(c *config.Config, found *findings) {
	for _, problem := range p.preflight(c, nil) {
		if !found.at(problem.Path) {
			found.add(problem)
		}
	}
	tried := loadable(c, found)
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	rt, problems := p.assemble(tried, luabind.Options{}, dog)
	defer func() { _ = rt.Close() }() // nothing is left to save
	for _, problem := range problems {
		if !found.under(problem.Path) {
			found.add(problem)
		}
	}
	undeclared := found.declarations()
	for _, e := range flatten(rt.Load()) {
		found.addScript(c, e, undeclared, codeOfLoading)
	}
	loads := len(found.list) == 0
	for _, e := range rt.Undeclared() {
		found.addScript(c, e, undeclared, codeOfNames)
	}
	p.lint(c, rt, found, loads)
}

// loadable returns the config with only those systems whose scripts can be loaded: the script exists, and the
// schedule accepts the system; and with the data files that are there.
func loadable(c *config.Config, found *findings) *config.Config {
	copied := *c
	copied.Systems, copied.Data = nil, nil
	for i, d := range c.Data {
		if !found.under(c.DataPath(i)) {
			copied.Data = append(copied.Data, d)
		}
	}
	taken := map[string]bool{}
	for i, s := range c.Systems {
		key := c.SystemPath(i)
		if s.Name == "" || taken[s.Name] || found.at(key+".script") || s.Mod == "" && found.at("scripts") {
			continue
		}
		taken[s.Name] = true
		if found.under(key) { // keep what can be tried: its script
			if s.Script == "" {
				continue
			}
			s.Stage, s.In, s.Every, s.Impl = config.StageUpdate, nil, 1, config.ImplLua
			if found.at(key + ".native") {
				s.Native = ""
			}
			if found.at(key + ".when") {
				s.When = ""
			}
		}
		if len(found.list) > 0 {
			s.After = nil // may name a system that is left out
		}
		copied.Systems = append(copied.Systems, s)
	}
	return &copied
}
