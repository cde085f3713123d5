package app

import (
	"bufio"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/plot"
)

func (p *program) plotCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "plot FILE.csv",
		Short: "Draw the columns of a CSV file, such as that of run --sample",
		Long: `plot draws each column of a CSV file over the first one: in the terminal, or into
an SVG file. Empty cells are gaps.`,
		Example: `  ecsrun run config/arena.yaml --sample 'sum(Health.current)' --every 10 --to samples.csv
  ecsrun plot samples.csv
  ecsrun plot samples.csv --out samples.svg`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("plot wants one file, as in ecsrun plot samples.csv")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("out") && out == "" {
				return usageError("--out wants a file, as in samples.svg")
			}
			return p.plot(args[0], out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write an SVG picture to `FILE`")
	return cmd
}

// plot draws a file: into another one, or, for "", in the terminal.
func (p *program) plot(path, out string) error {
	file, err := os.Open(path)
	if err != nil {
		return usageError("plot: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	data, err := plot.Read(bufio.NewReader(file))
	if err != nil {
		return usageError("plot: %s: %w", path, err)
	}
	if out == "" {
		width := 80
		if f, ok := p.console.raw.(*os.File); ok {
			if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
				width = columns
			}
		}
		return plot.Text(p.console.stdout(), data, width)
	}
	if err := durable.Write(durable.OS, out, func(w io.Writer) error { return plot.SVG(w, data) }); err != nil {
		return usageError("plot: %w", err)
	}
	return nil
}
