package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
		want := map[string]string{
			"uint64": "a whole number from 0", "int": "a whole number", "bool": "true or false", "duration": "a time with its unit, as in 60s or 500ms",
		}[invalid.GetFlag().Value.Type()]
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

// The exit codes. Scripts and CI rely on them. The table below is shown by --help and in docs/cli.md.
const (
	exitOK          = 0
	exitTest        = 1
	exitUsage       = 2
	exitLoad        = 3
	exitScript      = 4
	exitLimit       = 5
	exitBug         = 70
	exitInterrupted = 130
)

var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "ok"},
	{exitTest, "a test failed, a test file does not load, or there was no test; `--verify`, `replay`, `bisect`, `bench` or `snapshot diff` found a difference; `types --check` found an old file; a threshold of `sweep` failed, or two results differ"},
	{exitUsage, "a wrong flag, a mistake in the config, a missing file, or a damaged snapshot; any mistake that `check` finds, and under `--strict` any warning"},
	{exitLoad, "a script does not load"},
	{exitScript, "a script failed in a turn or in `init`, or something could not be written, as on a full disk, even if the run went on; a world of `sweep` ended its process three times"},
	{exitLimit, "a limit was exceeded, even if the run went on"},
	{exitBug, "a bug in ecsrun"},
	{exitInterrupted, "interrupted (0 if `frames` is 0)"},
}

// exitTable returns the section of --help about exit codes.
func exitTable() string {
	var b strings.Builder
	b.WriteString("Exit codes (the highest of 70, 5, 4 wins):\n")
	for _, e := range exitCodes {
		fmt.Fprintf(&b, "  %3d  %s\n", e.code, e.meaning)
	}
	return b.String()
}

// An exit ends a command with a code. If err is nil, what went wrong has been written to stderr already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// outputError returns the exit for a file that cannot be written.
func outputError(format string, args ...any) error {
	return &exit{exitScript, fmt.Errorf(format, args...)}
}

// usageError returns the exit for a mistake on the command line.
func usageError(format string, args ...any) error {
	return &exit{exitUsage, fmt.Errorf(format, args...)}
}
