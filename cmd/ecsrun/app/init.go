package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/templates"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind/luatypes"
)

// The command init writes a new project: the files of a template (package templates), and what editors and linters need. Nothing is written unless all of it can be.

func (p *program) initCommand() *cobra.Command {
	template := templates.Names[0]
	c := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a new world into a folder",
		Long: `init writes a world that runs and tests at once: a config, scripts, a test, files
for editors and luacheck, and a workflow for CI. DIR is made if it is not there.
A file that exists is never overwritten: then nothing is written.

Templates:
  empty     a small world to begin with
  tutorial  the world of the tutorial
  arena     the battle of the arena, the largest example
  mod       a world with a mod, a part that can be shared and switched off
  go        a world with a system in Go, and a main of its own
  life, flock, predators, fountain, crafting, guards, tower, duel, segregation, wolves, epidemic,
  wires, bullets, dungeon
            the worlds of the gallery: one thing each`,
		Example: `  ecsrun init demo
  ecsrun init demo --template tutorial`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("init needs one folder, as in %s demo", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.initProject(args[0], template) },
	}
	c.Flags().StringVar(&template, "template", template, "what to begin with: "+strings.Join(templates.Names, ", "))
	if err := c.RegisterFlagCompletionFunc("template", cobra.FixedCompletions(templates.Names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("app: " + err.Error()) // the flag is there
	}
	return c
}

func (p *program) initProject(dir, template string) error {
	if !slices.Contains(templates.Names, template) {
		return usageError("there is no template %q; %s", template, meant(template, "templates", templates.Names))
	}
	list, err := templates.Files(template, release())
	if err != nil {
		return err
	}
	list = append(list,
		templates.File{Path: ".luacheckrc", Text: luatypes.LuacheckConfig()},
		templates.File{Path: "types/config.schema.json", Text: string(config.Schema())})
	if template == "mod" {
		list = append(list, templates.File{Path: "types/mod.schema.json", Text: string(config.ManifestSchema())})
	}
	definitions := filepath.Join(dir, filepath.FromSlash(typesFile))
	paths := []string{definitions, stubBeside(definitions)}
	for _, f := range list {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(f.Path)))
	}
	if err := allNew(dir, paths); err != nil {
		return err
	}
	for _, f := range list {
		if err := writeNew(filepath.Join(dir, filepath.FromSlash(f.Path)), f.Text); err != nil {
			return err
		}
	}
	world := filepath.Join(dir, "config.yaml")
	if err := p.types(world, definitions, false); err != nil {
		return err
	}
	fmt.Fprintf(p.console.stdout(), "%s: a new world, %d files. Try it:\n  cd %s\n  ecsrun test\n  ecsrun run config.yaml\n", dir, len(paths), dir)
	if template == "go" {
		fmt.Fprintf(p.console.stdout(), "and the same with a system in Go:\n  go get %s@%s && go mod tidy\n  go run . run native.yaml\n", modulePath, release())
	}
	return nil
}

// release returns the version that go install and go get take: that of this program if it is a release, and the latest release otherwise.
func release() string {
	if v := version(); strings.HasPrefix(v, "v") && !strings.Contains(v, "+") {
		return v
	}
	return "latest"
}

// allNew returns an error that names the paths which exist already, or that cannot be made because a file is where a folder must be.
func allNew(dir string, paths []string) error {
	var there []string
	slices.Sort(paths)
	for _, path := range paths {
		_, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err == nil:
			there = append(there, path)
		default: // a file where a folder must be, or a folder that cannot be read
			return usageError("cannot write %s: %w", path, err)
		}
	}
	switch {
	case len(there) == 1:
		return usageError("%s exists already; nothing was written: choose another folder than %q, or move it away", there[0], dir)
	case len(there) > 1:
		return usageError("these files exist already, and nothing was written: %s; choose another folder than %q, or move them away", strings.Join(there, ", "), dir)
	}
	return nil
}

// writeNew writes a file that must not exist, and makes the folders above it.
func writeNew(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return usageError("cannot write %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return usageError("cannot write %s: %w", path, err)
	}
	if _, err = f.WriteString(text); err == nil {
		err = f.Close()
	}
	if err != nil {
		return outputError("cannot write %s: %w", path, err)
	}
	return nil
}
