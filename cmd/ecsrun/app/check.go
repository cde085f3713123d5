package app

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command check finds problems without running a frame. It works in stages: the config itself (package
// config), files and registered names (preflight.go), and loading the scripts into a world that is then dropped.
// Findings of all stages are collected and sorted (finding.go).

func (p *program) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check CONFIG",
		Short: "Find everything that is wrong without running",
		Long: `check reads a config, loads its scripts and looks up every name, and lists all
problems at once, a line each: FILE:LINE:COLUMN: what is wrong; what to do.`,
		Example:           `  ecsrun check config/arena.yaml`,
		Args:              oneConfig,
		ValidArgsFunction: completeConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.check(args[0])
		},
	}
}

func (p *program) check(path string) error {
	c, err := config.Inspect(path, config.Overrides{Env: p.env})
	var found findings
	found.add(err)
	if c != nil && !found.under("mods") { // without its mods, a config has names that nobody declares
		p.checkDeeper(c, &found)
	}
	if len(found.list) == 0 {
		fmt.Fprintf(p.console.stdout(), "%s: ok (%s)\n", path, contents(c))
		return nil
	}
	for _, line := range found.lines() {
		fmt.Fprintln(p.console.stderr(), line)
	}
	return &exit{code: exitUsage}
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
	for _, e := range append(flatten(rt.Load()), rt.Undeclared()...) {
		found.addScript(c, e, undeclared)
	}
}

// loadable returns the config with only those systems whose scripts can be loaded: the script exists, and the
// schedule accepts the system.
func loadable(c *config.Config, found *findings) *config.Config {
	copied := *c
	copied.Systems = nil
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
			s.Stage, s.Every, s.Impl = config.StageUpdate, 1, config.ImplLua
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
