package app

import (
	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
)

func (p *program) schemaCommand() *cobra.Command {
	var mod bool
	c := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the config",
		Long: `schema prints the JSON Schema of the config file. Editors use it to complete keys,
to show what a key means, and to mark mistakes.`,
		Example:           `  ecsrun schema > FILE`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			schema := config.Schema()
			if mod {
				schema = config.ManifestSchema()
			}
			_, err := p.console.stdout().Write(schema)
			return err
		},
	}
	c.Flags().BoolVar(&mod, "mod", false, "print the schema of mod.yaml, the manifest of a mod")
	return c
}
