package app

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command explain says which query loops of a config's scripts are compiled, and why others are not. It loads
// the scripts as a run would, runs a few frames to see the values that loops begin with (explain_live.go), and prints
// the reports of luabind in the words of verdict.go. Without a config, explain_files.go does the same for single Lua
// files, and runs nothing. explain_live.go runs frames and says what the loops did.

const luaSuffix = ".lua"

type explainFlags struct {
	dump bool
	live bool
	json bool

	input *inputText // nil: none
}

func (p *program) explainCommand() *cobra.Command {
	var f explainFlags
	var frames uint64
	var set []string
	var input string
	c := &cobra.Command{
		Use:   "explain CONFIG [FILE...] | FILE...",
		Short: "Say of each query loop whether it is compiled, and if not, why",
		Long: `explain prints a line for each loop over world:each and over events: whether it is
compiled, or the first thing that keeps it interpreted and what to change.

It loads the scripts of a config and runs a few frames, without what scripts print,
to see which values the loops begin with. The first line says how many. To list only
some scripts, name their files after the config. Lua files without a config are loaded
one by one, and a loop in one of them knows the components that the file declares with
ecs.component.

--live runs the config, headless and without what scripts print, and adds what each
loop did: how many of its rows, which are entities or events, ran as machine code,
as closures and interpreted, and why the interpreter ran them.

--dump also prints what each compiled loop becomes: its program, a statement a
line, and the WebAssembly module of its machine code.`,
		Example: `  ecsrun explain config/arena.yaml
  ecsrun explain --live config/arena.yaml --frames 300 --set resources.units=2000
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
			return append(slices.Clone(configSuffixes), "lua"), cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o := config.Overrides{Env: p.env, Set: set}
			if cmd.Flags().Changed("input") {
				var err error
				if f.input, err = readInput("explain", input); err != nil {
					return err
				}
			}
			switch {
			case f.json && f.dump:
				return usageError("--dump prints text; leave out --json")
			case !cmd.Flags().Changed("frames"):
			case !f.live:
				return usageError("--frames needs --live")
			case frames == 0:
				return usageError("--frames wants a number of frames from 1")
			default:
				o.Frames = &frames
			}
			for i, arg := range args {
				if !isLua(arg) {
					return p.explain(arg, slices.Delete(slices.Clone(args), i, i+1), o, f)
				}
			}
			switch {
			case f.live:
				return usageError("--live runs a config, as in %s --live config/arena.yaml", cmd.CommandPath())
			case set != nil || f.input != nil:
				return usageError("--set and --input are for a config, and Lua files have none")
			}
			return p.explainFiles(args, f)
		},
	}
	flags := c.Flags()
	flags.BoolVar(&f.live, "live", false, "run the config, and say what each loop did")
	flags.Uint64Var(&frames, "frames", 0, "with --live, run `N` frames (default: what the config says, or 60)")
	flags.StringArrayVar(&set, "set", nil, "set a value of the config, `KEY=VALUE`, as for run")
	flags.StringVar(&input, "input", "", "do the lines of JSON in `FILE` to the world, as run --input does")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.BoolVar(&f.dump, "dump", false, "print what each compiled loop becomes, too")
	return c
}

func isLua(path string) bool { return filepath.Ext(path) == luaSuffix }

// explain lists the loops of a config's scripts, or only of the named files.
func (p *program) explain(path string, files []string, o config.Overrides, f explainFlags) error {
	c, err := config.Load(path, o)
	if err != nil {
		return p.reject(err)
	}
	if f.live {
		if problems := p.preflight(c, nil); len(problems) > 0 {
			return p.reject(problems)
		}
	}
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	stderr := p.console.stderr()
	log := newLogger(stderr, c.Log, false)
	r := &run{program: p, config: c, flags: runFlags{quiet: true}, repeat: repeatOf(path, o), failures: newFailureLog(stderr, log, c)}
	options := luabind.Options{Sparing: !f.live, Prompt: true} // what a loop becomes is known without machine code
	if f.live {
		options.Log, options.Report = log, r.survive
	}
	var problems config.Problems
	r.runtime, problems = p.assemble(c, options, dog)
	defer func() { _ = r.runtime.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return p.reject(problems)
	}
	if f.live {
		r.runtime.CountRows()
	}
	if err := r.loaded(r.runtime.Load()); err != nil {
		return err
	}
	if err := f.input.start(r); err != nil {
		return err
	}
	loaded, err := wantedFiles(c, r.runtime.Files(), files)
	if err != nil {
		return err
	}
	list := &explanation{path: c.ScriptFile, files: loaded, asked: len(files) > 0, dump: f.dump}
	if f.live {
		list.live = r.live()
	} else {
		r.tryOut()
		list.tried = r.runtime.World().Frame()
	}
	list.loops = r.runtime.Explain()
	if f.json {
		err = list.writeJSON(p.console.stdout())
	} else if len(files) == 0 && len(list.loops) == 0 {
		fmt.Fprintf(p.console.stdout(), "%s: no query loops\n", path)
	} else {
		list.write(p.console.stdout())
	}
	if code := r.code(); err == nil && f.live && code != exitOK {
		return &exit{code: code}
	}
	return err
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
