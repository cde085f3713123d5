package app

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/inspector"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/ecs/native"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/spf13/cobra"
)

// An Option adds names that configs and scripts can use.
type Option func(*program)

// Natives registers systems written in Go, under the names that `native:` of a config uses. They are added to
// those of package ecs/native; if two have the same name, the later one is used.
func Natives(m map[string]ecs.NativeFunc) Option {
	return func(p *program) { maps.Copy(p.natives, m) }
}

// Predicates registers conditions written in Go. A system with `when: "native:NAME"` asks one before each turn. If
// two have the same name, the later one is used.
func Predicates(m map[string]func(*ecs.World) (bool, error)) Option {
	return func(p *program) { maps.Copy(p.predicates, m) }
}

// Modules registers Go functions for scripts, by module and name: require("MODULE").NAME(…). If two modules have
// the same name, the later one is used.
func Modules(m map[string]map[string]luabind.Function) Option {
	return func(p *program) { maps.Copy(p.modules, m) }
}

// program is the state of one call of Main. Commands are its methods.
type program struct {
	console    *console
	stdin      io.Reader
	env        []string
	natives    map[string]ecs.NativeFunc
	predicates map[string]func(*ecs.World) (bool, error)
	modules    map[string]map[string]luabind.Function
	compiled   luabind.Compiled // scripts of the worlds of tests
	unheedPipe func()           // ends heedPipe; nil if it was not called
	args       []string         // of Main
	folders    keptFolders      // of scripts, of a process with jobs of a sweep; nil: each world reads them anew
	page       *page            // shared with the parent in the child of a supervision; nil in any other process
	without    []string         // systems that the parent of a supervision leaves out
	orphaned   <-chan struct{}  // ends with that parent
	door       *inspector.Door  // of the parent of a supervision; nil without --inspect
	panicked   bool             // a Go function of this build has panicked in a turn
	doing      func() string    // says what goes on, for the report of a bug: `system "move", frame 7`; nil or "" when there is nothing to say
}

// Main runs ecsrun with these arguments, without the name of the program, and returns the exit code. It reads the
// environment and, during a run, handles SIGINT, SIGTERM and SIGHUP. It neither exits nor panics: a panic on its
// goroutine is reported on stderr as a bug, with code 70. Calls share nothing.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, opts ...Option) (code int) {
	defer keepHeadroom()()
	p := &program{
		args:       args,
		console:    newConsole(stdout, stderr),
		stdin:      stdin,
		env:        os.Environ(),
		natives:    map[string]ecs.NativeFunc{},
		predicates: map[string]func(*ecs.World) (bool, error){},
		modules:    map[string]map[string]luabind.Function{},
	}
	maps.Copy(p.natives, native.Systems())
	for _, o := range opts {
		o(p)
	}
	defer func() {
		if v := recover(); v != nil {
			p.reportBug(v, string(debug.Stack()))
			code = exitBug
		}
		if p.unheedPipe != nil {
			defer p.unheedPipe()
		}
		p.console.flush()
		if len(p.console.losses()) > 0 && code == exitOK {
			code = exitScript
		}
	}()
	p.inherit()
	if dir := p.jobsFolder(); dir != "" {
		return p.codeOf(p.serveJobs(dir, stdout))
	}
	return p.execute(args)
}

// execute parses the command line and runs the command. It returns the exit code.
func (p *program) execute(args []string) int {
	root := p.root()
	root.SetArgs(args)
	return p.codeOf(root.Execute())
}

// codeOf converts the error of a command to an exit code, and writes it.
func (p *program) codeOf(err error) int {
	if err == nil {
		return exitOK
	}
	var e *exit
	if !errors.As(err, &e) {
		e = &exit{exitUsage, err} // what cobra finds wrong itself
	}
	if e.err != nil {
		fmt.Fprintf(p.console.stderr(), "ecsrun: %v\n", e.err)
	}
	return e.code
}

// root returns the command ecsrun with all of its subcommands.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ecsrun",
		Short: "Run worlds whose systems are Lua scripts or Go functions",
		Long: `ecsrun runs a world that a config file describes: its components, and systems
that are Lua scripts or Go functions, frame by frame, the same in every run.

  ecsrun run config/arena.yaml`,
		Version:       versionLine(), // makes the flags --version and -v
		Args:          unknownCommand,
		RunE:          help,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(p.stdin)
	root.SetOut(p.console.stdout())
	root.SetErr(p.console.stderr())
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpTemplate(root.HelpTemplate() + "\n" + exitTable())
	root.AddCommand(p.runCommand(), p.rpcCommand(), p.inspectCommand(), p.snapshotCommand(), p.testCommand(), p.checkCommand(), p.explainCommand(), p.benchCommand(), p.sweepCommand(), p.workerCommand(), p.typesCommand(), p.schemaCommand(), p.initCommand(), p.modsCommand(), p.replayCommand(), p.plotCommand(), p.bisectCommand(), p.versionCommand())
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Args, completion.RunE = unknownCommand, help // cobra's own answers an unknown shell with success
	}
	refuseSwallowed(root)
	return root
}

func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// reportBug writes a panic to stderr, with its stack and a request to report it.
func (p *program) reportBug(value any, stack string) {
	w := p.console.stderr()
	fmt.Fprintf(w, "ecsrun: a bug: %v\n", value)
	if p.doing != nil && p.doing() != "" {
		fmt.Fprintf(w, "  in %s\n", p.doing())
	}
	fmt.Fprintf(w, "This is a mistake in ecsrun, or in a Go function of this build, not in a script.\n"+
		"Please report it with the text above and below, and the config and scripts if you can:\n"+
		"  https://github.com/ecsrun/ecsrun/issues\n%s\n%s", versionLine(), stack)
}

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
