package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ecsrun/ecsrun/config/suggest"
)

// unknownCommand returns the error for arguments that match no command.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	if near, ok := suggest.Closest(args[0], names); ok {
		return usageError("unknown command %q; did you mean %q?", args[0], near)
	}
	return usageError("unknown command %q; see %s --help", args[0], cmd.CommandPath())
}

// flagError describes a mistake with a flag in one line.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if near, ok := suggest.Closest(name, names); ok && len(name) > 1 {
			return usageError("unknown flag --%s; did you mean --%s?", name, near)
		}
		dashes := "--"
		if unknown.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		return usageError("unknown flag %s%s; see %s --help", dashes, name, cmd.CommandPath())
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		want := map[string]string{"uint64": "a whole number from 0", "bool": "true or false"}[invalid.GetFlag().Value.Type()]
		if want != "" {
			return usageError("--%s wants %s, not %q", invalid.GetFlag().Name, want, invalid.GetValue())
		}
	}
	return usageError("%w; see %s --help", err, cmd.CommandPath())
}

// oneConfig requires the config file as the only argument.
func oneConfig(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 1:
		return nil
	case len(args) == 0:
		return usageError("%s needs a config file, as in %s config/arena.yaml", cmd.Name(), cmd.CommandPath())
	default:
		return usageError("%s takes one config file, not %s", cmd.Name(), quoted(args))
	}
}

// completeConfig completes names of config files for the shell.
func completeConfig(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return configSuffixes, cobra.ShellCompDirectiveFilterFileExt
}

// configSuffixes are the ends of the names of config files.
var configSuffixes = []string{"yaml", "yml", "toml", "json"}

func quoted(words []string) string {
	q := make([]string, len(words))
	for i, w := range words {
		q[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(q, ", ")
}

// refuseSwallowed makes a command, and those below it, refuse a flag that was taken for the value of the flag before it, as in
// --resume --frames 2.
func refuseSwallowed(cmd *cobra.Command) {
	args := cmd.Args
	cmd.Args = func(cmd *cobra.Command, list []string) error {
		var found error
		cmd.Flags().Visit(func(f *pflag.Flag) {
			values := []string{f.Value.String()}
			if list, ok := f.Value.(pflag.SliceValue); ok {
				values = list.GetSlice()
			}
			for _, value := range values {
				name, _, _ := strings.Cut(strings.TrimPrefix(value, "--"), "=")
				if found == nil && strings.HasPrefix(value, "--") && cmd.Flags().Lookup(name) != nil {
					found = usageError("--%s wants a value, and --%s is a flag; write --%[1]s=VALUE", f.Name, name)
				}
			}
		})
		if found != nil || args == nil {
			return found
		}
		return args(cmd, list)
	}
	for _, c := range cmd.Commands() {
		refuseSwallowed(c)
	}
}
