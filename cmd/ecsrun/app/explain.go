package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command explain says which query loops of a config's scripts are compiled, and why others are not. It loads
// the scripts as a run would, and prints the reports of luabind in the words of verdict.go. Without a config,
// explain_files.go does the same for single Lua files.

const luaSuffix = ".lua"

func (p *program) explainCommand() *cobra.Command {
	var dump bool
	c := &cobra.Command{
		Use:   "explain CONFIG [FILE...] | FILE...",
		Short: "Say of each query loop whether it is compiled, and if not, why",
		Long: `explain prints a line for each loop over world:each: whether it is compiled, or
the first thing that keeps it interpreted and what to change.

It loads the scripts of a config; Lua files beside the config narrow it to those
scripts. Lua files without a config are loaded one by one, and a loop in one of
them knows the components that the file declares with ecs.component.

--dump also prints what each compiled loop becomes: its program, a statement a
line, and the WebAssembly module of its machine code.`,
		Example: `  ecsrun explain config/arena.yaml
  ecsrun explain --dump config/tutorial.yaml
  ecsrun explain config/arena.yaml scripts/arena/targeting.lua
  ecsrun explain scripts/tutorial/movement.lua`,
		Args: func(cmd *cobra.Command, args []string) error {
			configs := slices.DeleteFunc(slices.Clone(args), isLua)
			switch {
			case len(args) == 0:
				return usageError("%s needs a config file or Lua files, as in %s config/arena.yaml", cmd.Name(), cmd.CommandPath())
			case len(configs) > 1:
				return usageError("%s takes one config file, not %s", cmd.Name(), quoted(configs))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return []string{"lua"}, cobra.ShellCompDirectiveFilterFileExt
			}
			return []string{"yaml", "yml", "toml", "json", "lua"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error {
			for i, arg := range args {
				if !isLua(arg) {
					return p.explain(arg, slices.Delete(slices.Clone(args), i, i+1), dump)
				}
			}
			return p.explainFiles(args, dump)
		},
	}
	c.Flags().BoolVar(&dump, "dump", false, "print what each compiled loop becomes, too")
	return c
}

func isLua(path string) bool { return filepath.Ext(path) == luaSuffix }

// explain lists the loops of a config's scripts, or only of the named files.
func (p *program) explain(path string, files []string, dump bool) error {
	c, err := config.Load(path, config.Overrides{Env: p.env})
	if err != nil {
		return p.reject(err)
	}
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	rt, problems := p.assemble(c, luabind.Options{}, dog)
	defer func() { _ = rt.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return p.reject(problems)
	}
	stderr := p.console.stderr()
	load := &run{program: p, config: c, failures: newFailureLog(stderr, newLogger(stderr, c.Log, false), c)}
	if err := load.loaded(rt.Load()); err != nil {
		return err
	}
	loaded, err := wantedFiles(c, rt.Files(), files)
	if err != nil {
		return err
	}
	reports := rt.Explain()
	if len(files) == 0 && len(reports) == 0 {
		fmt.Fprintf(p.console.stdout(), "%s: no query loops\n", path)
		return nil
	}
	for _, file := range loaded {
		p.explainFile(filepath.ToSlash(c.ScriptFile(file)), file, reports, len(files) > 0, dump)
	}
	return nil
}

// wantedFiles returns those of the loaded scripts that are named on the command line, by a path from the current
// folder or from the script folder; all of them if none is named.
func wantedFiles(c *config.Config, loaded, files []string) ([]string, error) {
	if len(files) == 0 {
		return loaded, nil
	}
	var wanted []string
	for _, file := range files {
		i := slices.IndexFunc(loaded, func(l string) bool {
			clean := filepath.Clean(file)
			return clean == filepath.FromSlash(l) || clean == c.ScriptFile(l)
		})
		if i < 0 {
			var known []string
			for _, l := range loaded {
				known = append(known, c.ScriptFile(l))
			}
			return nil, usageError("the config loads no %q; %s", file, meant(file, "its scripts", known))
		}
		wanted = append(wanted, loaded[i])
	}
	return wanted, nil
}

// explainFile prints the loops of one file. If the file was named on the command line (asked), it also says that
// there are none. With dump it also prints what compiled loops become.
func (p *program) explainFile(shown, file string, reports []luabind.LoopReport, asked, dump bool) {
	found := false
	for _, l := range reports {
		if l.File == file {
			found = true
			fmt.Fprintf(p.console.stdout(), "%s:%d: %s\n", shown, l.Line, verdict(l))
			if dump && l.Dump != nil {
				fmt.Fprintf(p.console.stdout(), "%s\n", strings.TrimRight(l.Dump(), "\n"))
			}
		}
	}
	if !found && asked {
		fmt.Fprintf(p.console.stdout(), "%s: no query loops\n", shown)
	}
}
