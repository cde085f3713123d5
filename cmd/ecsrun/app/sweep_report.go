package app

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
)

// The command sweep report: the tables, the summary and the report of a folder of results are made again.

func (p *program) sweepReportCommand() *cobra.Command {
	var asJSON bool
	var html string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Make the tables, the summary and the report of a sweep again from its results",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("report needs the folder of a sweep's results, as in %s results", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.reportSweep(args[0], asJSON, html) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write summary.json to stdout, too")
	cmd.Flags().StringVar(&html, "html", "", "write the report to `FILE` (default: report.html in the folder)")
	return cmd
}

// reportSweep makes the report of a folder again.
func (p *program) reportSweep(dir string, asJSON bool, html string) error {
	stored, err := storedPlan(dir)
	if err != nil {
		return err
	}
	if stored == nil {
		return usageError("report: %s has no plan.json; it is no folder of a sweep", dir)
	}
	s, problems := newSweep(&stored.Sweep)
	if len(problems) > 0 {
		return p.reject(problems)
	}
	if s.plan, err = stored.Restore(); err != nil {
		return usageError("report: %s cannot be used: %w; %w", filepath.Join(dir, planFile), err, errDamagedPlan)
	}
	page, err := openOutput("--html", html, os.O_WRONLY)
	if err != nil {
		return err
	}
	page.close() // a path that cannot be written is reported at once
	lock, err := lockResults(dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	var shard ledger.Shard
	if stored.Shard != "" {
		if shard, err = ledger.ParseShard(stored.Shard); err != nil {
			return usageError("report: %w", err)
		}
	}
	f := p.newFleet(s, dir, shard)
	if err := f.read(); err != nil {
		return err
	}
	f.startEarly()
	f.reporting, f.html, f.asJSON = true, html, asJSON
	return f.conclude()
}
