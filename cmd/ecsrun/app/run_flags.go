package app

import (
	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
)

// The command run and its flags, which other commands that run a world have, too.

// runFlags are the flags of run that do not change the config.
type runFlags struct {
	hash      bool
	hashEvery uint64 // frames between two digests; 0 for none
	quiet     bool
	watch     bool
	verify    string // SYSTEM or SYSTEM=A,B; "" for none
	io        ioFlags
	confine   string // confineBest or confineStrict; "" for none
	snapshots snapshotFlags
	inspect   inspectFlags
	supervise bool
	replaying *replaying // the record that the run is compared with; nil for none
	operate   operateFlags
	rpc       bool // another program drives the run, through stdin and stdout
}

func (p *program) runCommand() *cobra.Command {
	return p.running(&cobra.Command{
		Use:   "run CONFIG",
		Short: "Run the world of a config",
		Long: `run loads a config and its scripts, runs the world and prints a summary.

Flags win over --set, --set over the environment (ECSRUN_RUN_SEED=7), the
environment over the file. The first interrupt finishes the frame, or ends a turn
that takes longer than two seconds more, and prints the summary; the second kills.`,
		Example: `  ecsrun run config/arena.yaml --frames 600 --seed 7
  ecsrun run config/arena.yaml --set systems.movement.impl=lua --hash --quiet`,
	}, func(*runFlags) {})
}

// running completes a command that runs a world. with sets what tells it from others.
func (p *program) running(cmd *cobra.Command, with func(*runFlags)) *cobra.Command {
	var f runFlags
	var frames, seed uint64
	var set []string
	with(&f)
	cmd.Args, cmd.ValidArgsFunction = oneConfig, completeConfig
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o := config.Overrides{Env: p.env, Set: set}
		if cmd.Flags().Changed("frames") {
			o.Frames = &frames
		}
		if cmd.Flags().Changed("seed") {
			o.Seed = &seed
		}
		if cmd.Flags().Changed("hash-every") && f.hashEvery == 0 {
			return usageError("--hash-every wants a number of frames from 1")
		}
		if f.watch && f.verify != "" {
			return usageError("--watch and --verify do not go together: the two worlds would run different scripts")
		}
		if f.confine != "" && f.confine != confineBest && f.confine != confineStrict {
			return usageError("--confine takes no value, or strict, as in --confine=strict; not %q", f.confine)
		}
		if err := f.io.check(cmd.Flags().Changed, f); err != nil {
			return err
		}
		if err := f.snapshots.check(cmd.Flags().Changed, f); err != nil {
			return err
		}
		if err := f.inspect.check(cmd.Flags().Changed, f); err != nil {
			return err
		}
		if err := f.operate.check(cmd.Flags().Changed); err != nil {
			return err
		}
		f.io.samples = f.operate.to
		if f.rpc && (f.supervise || f.io.input == stdinName) {
			return usageError("rpc reads stdin itself; --supervise and --input - do not go together with it")
		}
		if f.rpc && f.verify != "" {
			return usageError("rpc and --verify do not go together: what is changed in one world would be a difference; run --verify compares two worlds")
		}
		if f.supervise || f.snapshots.dir != "" || f.snapshots.resume != "" { // there is something to say before the overrides are known
			if c, err := config.Load(args[0], o); err == nil {
				p.console.asJSON(c.Log.Format == "json")
			}
		}
		if f.supervise && p.page == nil {
			if err := p.openDoor(args[0], o, f.inspect); err != nil {
				return err
			}
			return p.supervise(f.snapshots, f.operate)
		}
		return p.inform(p.run(args[0], o, f))
	}
	flags := cmd.Flags()
	flags.Uint64Var(&frames, "frames", 0, "run `N` frames; 0 = until interrupted (default: what the config says)")
	flags.Uint64Var(&seed, "seed", 0, "use `N` as the seed of all random streams (default: what the config says)")
	flags.StringArrayVar(&set, "set", nil, "set a value of the config, `KEY=VALUE`: run.*, limits.*, log.*,\nsystems.NAME.impl|enabled|every|when, resources.NAME, mods.NAME.enabled; may be repeated")
	flags.BoolVar(&f.hash, "hash", false, `print "digest HEX" of the world at the end, as the last line`)
	flags.Uint64Var(&f.hashEvery, "hash-every", 0, "print \"digest FRAME HEX\" after every `N` frames")
	flags.StringVar(&f.verify, "verify", "", "run a second world with another implementation of a system, `SYSTEM[=A,B]`, and stop where\nthe two differ (default: the configured one against lua)")
	flags.BoolVar(&f.watch, "watch", false, "reload scripts and config when their files change, between two frames; keep the world,\nand the last good version when something is wrong")
	flags.StringVar(&f.confine, "confine", "", "give up what the run does not need before a script is loaded: other files, sockets, other\nprograms (Linux); `strict`: end with exit code 2 where the kernel cannot")
	flags.Lookup("confine").NoOptDefVal = confineBest
	f.io.add(flags)
	f.snapshots.add(flags)
	f.inspect.add(flags)
	f.operate.add(flags)
	flags.BoolVar(&f.supervise, "supervise", false, "run the world in a child process, and start again from the newest snapshot when that dies")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary, and no lines of the log about the run itself")
	return cmd
}
