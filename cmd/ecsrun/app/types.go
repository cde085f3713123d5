package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/luatypes"
	"github.com/spf13/cobra"
)

// The command types writes LuaCATS definitions for editors. It loads the scripts of a config, because they declare names, too, and hands the world to package
// luatypes. Nothing runs.

// typesFile is where init writes the definitions, relative to the folder of the config.
const typesFile = "types/ecs.lua"

func (p *program) typesCommand() *cobra.Command {
	var out string
	var check bool
	c := &cobra.Command{
		Use:   "types CONFIG",
		Short: "Write type definitions for editors",
		Long: `types writes LuaCATS definitions for lua-language-server: what scripts can call,
and the components, tags, events and resources of a config and its scripts.

Without --out it prints them. With --out it writes FILE, and beside it a small
file that makes require("ecs.test") known.

--check writes nothing. It exits with 1 if the files are not up to date; without
--out it looks where init writes them: beside the config, in the folder types.`,
		Example: `  ecsrun types config/arena.yaml
  ecsrun types config/tutorial.yaml --out FILE`,
		Args:              oneConfig,
		ValidArgsFunction: completeConfig,
		RunE: func(_ *cobra.Command, args []string) error {
			if check && out == "" {
				out = filepath.Join(filepath.Dir(args[0]), filepath.FromSlash(typesFile))
			}
			return p.types(args[0], out, check)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "write to this FILE, and not to stdout")
	c.Flags().BoolVar(&check, "check", false, "write nothing; exit with 1 if FILE is not up to date")
	return c
}

func (p *program) types(path, out string, check bool) error {
	text, err := p.definitions(path)
	if err != nil {
		return err
	}
	if out == "" {
		fmt.Fprint(p.console.stdout(), text)
		return nil
	}
	stub := stubBeside(out)
	for _, f := range []struct{ path, text string }{{out, text}, {stub, luatypes.TestStub()}} {
		if check {
			old, err := os.ReadFile(f.path)
			if err != nil || !bytes.Equal(old, []byte(f.text)) {
				fmt.Fprintf(p.console.stderr(), "%s is not up to date; write it with ecsrun types %s -o %s\n", f.path, path, out)
				return &exit{code: exitTest}
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.path), 0o777); err != nil {
			return usageError("cannot write %s: %w", f.path, err)
		}
		if err := durable.Write(durable.OS, f.path, func(w io.Writer) error { _, err := io.WriteString(w, f.text); return err }); err != nil && !errors.Is(err, durable.ErrNotSynced) {
			return outputError("%w", err)
		}
	}
	return nil
}

// stubBeside returns the path of the file that makes require("ecs.test") known: ecs.test.lua for ecs.lua.
func stubBeside(path string) string { return strings.TrimSuffix(path, luaSuffix) + ".test" + luaSuffix }

// definitions loads the scripts of a config and returns the definitions for them. An error is reported as run does.
func (p *program) definitions(path string) (string, error) {
	c, err := config.Load(path, config.Overrides{Env: p.env})
	if err != nil {
		return "", p.reject(err)
	}
	if problems := p.preflight(c, nil); len(problems) > 0 {
		return "", p.reject(problems)
	}
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	rt, problems := p.assemble(c, luabind.Options{}, dog)
	defer func() { _ = rt.Close() }() // nothing is left to save
	if len(problems) > 0 {
		return "", p.reject(problems)
	}
	stderr := p.console.stderr()
	load := &run{program: p, config: c, failures: newFailureLog(stderr, newLogger(stderr, c.Log, false), c)}
	if err := load.loaded(rt.Load()); err != nil {
		return "", err
	}
	return luatypes.Definitions(rt.World(), rt.Queries()...), nil
}

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
