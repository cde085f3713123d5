package app

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

const modulePath = "github.com/ecsrun/ecsrun"

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version of ecsrun and of Go, and the platform",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return nil
		},
	}
}

// versionLine returns "ecsrun v0.3.0 go1.26.8 linux/amd64". A custom build has the version of the ecsrun module
// with which it was built.
func versionLine() string {
	return fmt.Sprintf("ecsrun %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	m := &info.Main
	for _, dep := range info.Deps {
		if dep.Path == modulePath {
			m = dep
		}
	}
	if m.Replace != nil {
		m = m.Replace
	}
	if m.Version != "" && m.Version != "(devel)" {
		return m.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && m == &info.Main {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
