package app

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
)

func (p *program) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain CONFIG [FILE...]",
		Short: "Say of each query loop whether it is compiled, and if not, why",
		Long: `explain loads the scripts of a config and prints a line for each loop over
world:each: whether it is compiled, or the first thing that keeps it interpreted
and what to change. Files after the config narrow it to those scripts.`,
		Example: `  ecsrun explain config/arena.yaml
  ecsrun explain config/arena.yaml scripts/arena/steering.lua`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("%s needs a config file, as in %s config/arena.yaml", cmd.Name(), cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.explain(args[0], args[1:])
		},
	}
}

func (p *program) explain(path string, files []string) error {
	c, err := config.Load(path, config.Overrides{Env: p.env})
	if err != nil {
		return p.reject(err)
	}
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	rt, problems := p.assemble(c, luabind.Options{}, dog)
	defer func() { _ = rt.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return p.reject(problems)
	}
	if err := rt.Load(); err != nil {
		fmt.Fprintln(p.console.stderr(), err)
		return &exit{code: exitLoad}
	}
	var wanted []string
	for _, file := range files {
		wanted = append(wanted, filepath.Clean(file))
	}
	for _, l := range rt.Explain() {
		file := filepath.Join(c.Scripts.Dir, filepath.FromSlash(l.File))
		if len(wanted) > 0 && !slices.Contains(wanted, file) && !slices.Contains(wanted, l.File) {
			continue
		}
		fmt.Fprintf(p.console.stdout(), "%s:%d: %s\n", filepath.ToSlash(file), l.Line, verdict(l))
	}
	return nil
}

// verdict is what explain says of a loop.
func verdict(l luabind.LoopReport) string {
	if l.Reason == "" {
		return "compiled (closures)"
	}
	text := fmt.Sprintf("interpreted: %s (line %d)", l.Reason, l.At)
	if a := advice(l.Reason); a != "" {
		text += "; " + a
	}
	return text
}

// advice is what to change, by what a reason begins with.
func advice(reason string) string {
	for _, a := range []struct{ begins, text string }{
		{"calls math.", "use another function of math"},
		{"calls ", "do it in a loop of its own after this one, or leave it interpreted"},
		{"makes a table", "make it before the loop"},
		{"makes a function", "make it before the loop"},
		{"uses a string", "compare numbers or tags instead"},
		{"joins strings", "collect numbers here, and make the text after the loop"},
		{"takes a length", "take it before the loop"},
		{"indexes ", "keep the value in a local before the loop"},
		{"uses the view", "use its fields"},
		{"uses the global", "keep it in a local of the file"},
		{"assigns the global", "keep it in a local of the file"},
		{"assigns something else", "collect in locals, and assign after the loop"},
		{"has a query loop within", "gather what the inner loop needs before the outer one"},
		{"local ", "begin it with a number or a boolean"},
	} {
		if strings.HasPrefix(reason, a.begins) {
			return a.text
		}
	}
	return ""
}

// logCompiled says how many loops are compiled, of those whose system may be.
func logCompiled(log *slog.Logger, rt *luabind.Runtime) {
	compiled, all := 0, 0
	for _, l := range rt.Explain() {
		if !slices.Contains(l.Impls, luabind.Auto) && !slices.Contains(l.Impls, luabind.Closures) {
			continue
		}
		all++
		if l.Reason == "" {
			compiled++
		}
	}
	if all > 0 {
		log.Debug("query loops", "compiled", compiled, "interpreted", all-compiled)
	}
}
