package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
)

// The command mods lists the mods of a config, or says why one of them is there. It reads manifests and loads no script.

func (p *program) modsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mods CONFIG [why NAME]",
		Short: "List the mods of a config, or say why one is there",
		Long: `mods lists the mods of a config in the order in which they are loaded: version,
what each adds, and why it is there. With why NAME it tells that of one mod.`,
		Example: `  ecsrun mods config/arena.yaml
  ecsrun mods config/arena.yaml why fire`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return oneConfig(cmd, args)
			case len(args) != 1 && (len(args) != 3 || args[1] != "why"):
				return usageError("mods takes a config file, and after it nothing or why NAME, not %s", quoted(args[1:]))
			}
			return nil
		},
		ValidArgsFunction: completeConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := config.Load(args[0], config.Overrides{Env: p.env})
			if err != nil {
				return p.reject(err)
			}
			if len(args) == 3 {
				return p.whyMod(c, args[2])
			}
			p.listMods(c)
			return nil
		},
	}
}

// listMods prints a table of the mods, in load order.
func (p *program) listMods(c *config.Config) {
	out := p.console.stdout()
	if len(c.Mods) == 0 {
		fmt.Fprintln(out, "no mods are in use")
	} else {
		rows := [][]string{{"mod", "version", "adds", "why"}}
		for _, m := range c.Mods {
			rows = append(rows, []string{m.Name, m.Version, adds(m), whyText(m)})
		}
		writeColumns(out, rows, len(rows[0]))
	}
	for _, name := range c.ModsOff() {
		fmt.Fprintf(out, "%s is switched off\n", name)
	}
}

// adds counts what a mod adds: "1 component, 2 systems".
func adds(m config.Mod) string {
	var parts []string
	for _, v := range []struct {
		n    int
		word string
	}{
		{m.Adds.Components, "component"},
		{m.Adds.Tags, "tag"},
		{m.Adds.Relations, "relation"},
		{m.Adds.Events, "event"},
		{m.Adds.Resources, "resource"},
		{m.Adds.Layers, "layer"},
		{m.Adds.Data, "data file"},
		{m.Adds.States, "state"},
		{m.Adds.Indexes, "index"},
		{m.Adds.Prefabs, "prefab"},
		{m.Adds.Systems, "system"},
		{len(m.Exports), "export"},
	} {
		if v.n > 0 {
			parts = append(parts, counted(v.n, v.word))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// whyText says why a mod is in use.
func whyText(m config.Mod) string {
	var parts []string
	if m.Listed {
		parts = append(parts, "listed")
	}
	if len(m.Needed) > 0 {
		parts = append(parts, "needed by "+strings.Join(m.Needed, ", "))
	}
	return strings.Join(parts, "; ")
}

// whyMod prints every chain of mods that leads to one.
func (p *program) whyMod(c *config.Config, name string) error {
	i := slices.IndexFunc(c.Mods, func(m config.Mod) bool { return m.Name == name })
	if i < 0 {
		if slices.Contains(c.ModsOff(), name) {
			fmt.Fprintf(p.console.stdout(), "%s is switched off\n", name)
			return nil
		}
		var known []string
		for _, m := range c.Mods {
			known = append(known, m.Name)
		}
		if known == nil {
			return usageError("the config has no mod %q; it has no mods", name)
		}
		return usageError("the config has no mod %q; %s", name, meant(name, "its mods", known))
	}
	fmt.Fprintf(p.console.stdout(), "%s %s in %s adds %s\n", name, c.Mods[i].Version, c.Mods[i].Dir, adds(c.Mods[i]))
	for _, chain := range chains(c, name) {
		fmt.Fprintf(p.console.stdout(), "  config → %s\n", strings.Join(chain, " → "))
	}
	return nil
}

// mostChains bounds how many chains are shown: their number can grow with every mod.
const mostChains = 20

// chains returns the ways in which mods lead from the config to one mod, in load order.
func chains(c *config.Config, name string) [][]string {
	var out [][]string
	var walk func(name string, rest []string)
	walk = func(name string, rest []string) {
		i := slices.IndexFunc(c.Mods, func(m config.Mod) bool { return m.Name == name })
		if len(out) == mostChains {
			return
		}
		rest = append([]string{name}, rest...)
		if c.Mods[i].Listed {
			out = append(out, rest)
		}
		for _, by := range c.Mods[i].Needed {
			walk(by, rest)
		}
	}
	walk(name, nil)
	return out
}
