package app

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/queue"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/results"
)

// The command sweep: many worlds of one config, on all cores. sweep_open.go reads the file, sweep_fleet.go coordinates, sweep_logs.go keeps results, sweep_conclude.go reports.

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	workers int
	out     string
	set     []string
	shard   string
	audit   string
	again   bool
	queue   queue.Options
}

func (p *program) sweepCommand() *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep FILE",
		Short: "Run many worlds of one config, and sum up what they show",
		Long: `sweep runs the worlds that a file describes: each point of a design with each
seed. Results are kept as they come; started again it goes on where it was.

One process for each core runs them; a fatal error costs one world.`,
		Example: `  ecsrun sweep docs/sweeps/army-sweep.yaml --out army
  ecsrun sweep docs/sweeps/army-sweep.yaml --shard 3/100`,
		Args:              oneSweep,
		ValidArgsFunction: completeConfig,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := workersOf(f.workers); err != nil {
				return err
			}
			if err := queueFlags(cmd.Flags()); err != nil {
				return err
			}
			return p.sweep(args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "run `N` processes at a time")
	flags.StringVar(&f.out, "out", "", "write the results to the folder `DIR` (default: what the file says, or results)")
	flags.StringVar(&f.shard, "shard", "", "run a part of the plan, `N/OF`, as in 3/100; sweep merge joins the parts")
	flags.StringVar(&f.audit, "audit", "", "run a `SHARE` of the worlds twice, as in 1%, in another process; exit 1 if the two differ")
	flags.BoolVar(&f.again, "again", false, "begin a new plan in a folder of another one; results that belong to both stay")
	flags.StringVar(&f.queue.URL, "queue", "", "send the jobs over the NATS server at `URL` to machines that run ecsrun worker")
	connectionFlags(flags, &f.queue)
	setFlag(cmd, &f.set)
	cmd.AddCommand(p.sweepPlanCommand(), p.sweepReportCommand(), p.sweepMergeCommand())
	return cmd
}

func setFlag(cmd *cobra.Command, set *[]string) {
	cmd.Flags().StringArrayVar(set, "set", nil, "set a value of the config for all points, `KEY=VALUE`; may be repeated")
}

// queueFlags refuses flags that change nothing, with --queue or without it.
func queueFlags(flags *pflag.FlagSet) error {
	if !flags.Changed("queue") {
		for _, name := range connectionNames {
			if flags.Changed(name) {
				return usageError("sweep: --%s changes nothing without --queue", name)
			}
		}
		return nil
	}
	if url, err := flags.GetString("queue"); err != nil || url == "" {
		return usageError("sweep: --queue wants the address of a NATS server, as in nats://localhost:4222")
	}
	if flags.Changed("workers") {
		return usageError("sweep: --workers changes nothing with --queue: ecsrun worker URL --workers N says how many processes a machine runs")
	}
	return nil
}

// oneSweep requires the file of a sweep as the only argument.
func oneSweep(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usageError("%s needs the file of a sweep, as in %s sweep.yaml", cmd.Name(), cmd.CommandPath())
	case len(args) > 1:
		return usageError("%s takes one file, not %s", cmd.Name(), quoted(args))
	}
	return nil
}

// coordinatorGC is how much garbage a coordinator keeps, in percent: a plan of a million rows fits into 128 MB.
const coordinatorGC = 25

// sweep runs the sweep of a file.
func (p *program) sweep(path string, flags sweepFlags) error {
	var shard ledger.Shard
	var err error
	if flags.shard != "" {
		if shard, err = ledger.ParseShard(flags.shard); err != nil {
			return usageError("--shard: %w", err)
		}
	}
	share := 0.0
	if flags.audit != "" {
		if share, err = parseShare(flags.audit); err != nil {
			return err
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(coordinatorGC))
	s, err := p.openSweep(path, flags.set)
	if err != nil {
		return err
	}
	dir := s.folder(flags.out)
	if shard.Of > 0 {
		dir = filepath.Join(dir, shard.Folder())
	}
	lock, err := lockResults(dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := p.claimResults(dir, s, shard, flags.again); err != nil {
		return err
	}
	f := p.newFleet(s, dir, shard)
	f.workers = flags.workers
	f.ledger.Audit(share)
	if err := f.read(); err != nil {
		return err
	}
	f.ledger.Begin()
	f.startEarly()
	jobs := func() error { return f.runHere(flags.workers) }
	if flags.queue.URL != "" {
		jobs = func() error { return f.runQueue(flags.queue) }
	}
	f.run(jobs)
	return f.conclude()
}

// folder returns the folder of the results.
func (s *sweep) folder(out string) string {
	switch {
	case out != "":
		return filepath.Clean(out)
	case s.plan.Sweep.Out != "":
		return s.plan.Sweep.Out
	}
	return "results"
}

// parseShare reads 1% or 0.01.
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= 1) {
		return 0, usageError("--audit wants a share above 0 and up to 100%%, as in 1%%; not %q", text)
	}
	return v, nil
}

func (p *program) sweepPlanCommand() *cobra.Command {
	var asJSON bool
	var set []string
	cmd := &cobra.Command{
		Use:               "plan FILE",
		Short:             "List the jobs of a sweep in their order, without running them",
		Args:              oneSweep,
		ValidArgsFunction: completeConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := p.openSweep(args[0], set)
			if err != nil {
				return err
			}
			return s.list(p.console.stdout(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write an object a line: row, point, seed, key, params")
	setFlag(cmd, &set)
	return cmd
}

// list writes the rows of the plan.
func (s *sweep) list(to io.Writer, asJSON bool) error {
	w := bufio.NewWriter(to)
	rows := s.plan.Rows()
	if !asJSON {
		fmt.Fprintf(w, "%s: %s with %s each, chosen by %s\n", counted(rows, "row"), counted(s.plan.Points(), "point"), counted(s.plan.Sweep.Seeds.Len(), "seed"), s.plan.Sweep.Design.Kind)
	}
	for row := range rows {
		point, seed := s.plan.Row(row)
		values := s.plan.Params(point)
		if !asJSON {
			fmt.Fprintf(w, "%d  point %d  seed %d", row, point, seed)
			for i, v := range values {
				fmt.Fprintf(w, "  %s=%s", s.plan.Keys[i], v)
			}
			fmt.Fprintln(w)
			continue
		}
		text, err := json.Marshal(struct {
			Row    int             `json:"row"`
			Point  int             `json:"point"`
			Seed   uint64          `json:"seed"`
			Key    string          `json:"key"`
			Params json.RawMessage `json:"params"`
		}{row, point, seed, s.plan.Key(row).String(), results.AppendParams(nil, s.plan.Keys, values)})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n", text)
	}
	return w.Flush()
}
