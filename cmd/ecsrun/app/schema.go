package app

import (
	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
)

func (p *program) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the config",
		Long: `schema prints the JSON Schema of the config file. Editors use it to complete keys,
to show what a key means, and to mark mistakes.`,
		Example:           `  ecsrun schema > FILE`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			_, err := p.console.stdout().Write(config.Schema())
			return err
		},
	}
}
