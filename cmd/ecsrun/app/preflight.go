package app

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/condition"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// This file checks a config against what only the program knows, before a world is made: the files on disk and the
// registered names. run, check, bench and the worlds of tests use it.

// preflight finds what package config cannot know: script files that do not exist, and names that nobody has
// registered. keep says which systems to check; nil means all.
func (p *program) preflight(c *config.Config, keep func(config.System) bool) config.Problems {
	if keep == nil {
		keep = func(config.System) bool { return true }
	}
	var problems config.Problems
	add := func(key, message, hint string) { problems = append(problems, c.Problem(key, message, hint)) }

	folder := true
	if slices.ContainsFunc(c.Systems, func(s config.System) bool { return s.Script != "" && s.Mod == "" && keep(s) }) {
		if info, err := os.Stat(c.Scripts.Dir); err != nil || !info.IsDir() {
			folder = false
			add("scripts", fmt.Sprintf("no folder %q", c.Scripts.Dir), nearFolder(c.Scripts.Dir))
		}
	}
	for i, s := range c.Systems {
		if !keep(s) {
			continue
		}
		key := c.SystemPath(i)
		if s.Script != "" && (folder || s.Mod != "") {
			dir, name := scriptIn(c, s)
			if message, hint := missingScript(files.Folder(dir), dir, name); message != "" {
				add(key+".script", message, hint)
			}
		}
		if _, ok := p.natives[s.Native]; s.Native != "" && !ok {
			add(key+".native", fmt.Sprintf("no native system %q is registered", s.Native), meantInGo(s.Native, "natives", keys(p.natives)))
		}
		if name, ok := condition.Native(s.When); ok {
			if _, ok := p.predicates[name]; !ok {
				add(key+".when", fmt.Sprintf("no native predicate %q is registered", name), meantInGo(name, "predicates", keys(p.predicates)))
			}
		}
	}
	for i, v := range c.Data {
		if message, hint := missingData(v); message != "" {
			add(c.DataPath(i)+".file", message, hint)
		}
	}
	for _, m := range c.Mods {
		for i, module := range m.Exports {
			dir := files.Folder(m.Scripts)
			if info, err := fs.Stat(dir, moduleFile(module)); err == nil && info.Mode().IsRegular() {
				continue
			}
			hint := "a module is a file of the mod: lib.toxins is lib/toxins.lua"
			if near, ok := suggest.Closest(module, modules(dir)); ok {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			add(fmt.Sprintf("mods.%s.exports[%d]", m.Name, i), fmt.Sprintf("the mod %q exports %q, and there is no file %q", m.Name, module, filepath.Join(m.Scripts, moduleFile(module))), hint)
		}
	}
	return problems
}

// missingData returns what is wrong with the path of a data file, with a hint; "" if it is a file, or no path.
func missingData(v config.Data) (message, hint string) {
	if v.Written == "" {
		return "", "" // package config says so
	}
	dir, name := filepath.Dir(v.File), filepath.Base(v.File)
	folder := files.Folder(dir)
	switch message, _ = missingScript(folder, dir, name); {
	case message == "":
		return "", ""
	case !strings.HasPrefix(message, "no file"):
		return message, "name a file that can be read"
	}
	if near, ok := suggest.Closest(name, entries(folder, ".")); ok {
		return message, fmt.Sprintf("did you mean %q?", filepath.ToSlash(filepath.Join(filepath.Dir(v.Written), near)))
	}
	return message, "the path starts from the folder of this file"
}

// moduleFile returns the file of a module in its folder.
func moduleFile(module string) string { return strings.ReplaceAll(module, ".", "/") + ".lua" }

// modules lists the modules in a folder of scripts.
func modules(scripts fs.FS) []string {
	var out []string
	_ = fs.WalkDir(scripts, ".", func(at string, d fs.DirEntry, err error) error {
		if err != nil || len(out) > 10_000 {
			return fs.SkipDir
		}
		if name, ok := strings.CutSuffix(at, ".lua"); ok && !d.IsDir() {
			out = append(out, strings.ReplaceAll(name, "/", "."))
		}
		return nil
	})
	return out
}

// scriptIn returns the folder that a system's script is in, and its path there. The script of a mod's system is in a folder of the mod.
func scriptIn(c *config.Config, s config.System) (dir, name string) {
	i := slices.IndexFunc(c.Mods, func(m config.Mod) bool { return m.Name == s.Mod && s.Mod != "" })
	if i < 0 {
		return c.Scripts.Dir, s.Script
	}
	return c.Mods[i].Scripts, strings.TrimPrefix(s.Script, s.Mod+"/")
}

// missingScript returns what is wrong with the path of a script, with a hint; "" if it is a file, or no path.
func missingScript(scripts fs.FS, dir, name string) (message, hint string) {
	info, err := fs.Stat(scripts, name)
	switch {
	case err == nil && info.Mode().IsRegular():
		return "", ""
	case err == nil && info.IsDir():
		return fmt.Sprintf("%q is a folder", filepath.Join(dir, name)), "name a .lua file in it"
	case err == nil:
		return fmt.Sprintf("%q is not a regular file", filepath.Join(dir, name)), "a pipe or a device cannot be a script"
	case errors.Is(err, files.ErrOutside):
		return fmt.Sprintf("%q is a link that leaves the folder %q", filepath.Join(dir, name), dir), "copy the file into it"
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("%q cannot be read: %v", filepath.Join(dir, name), err), "check its permissions"
	}
	message = fmt.Sprintf("no file %q", filepath.Join(dir, name))
	if info, err := fs.Stat(scripts, name+".lua"); err == nil && info.Mode().IsRegular() {
		return message, fmt.Sprintf("did you mean %q?", name+".lua")
	}
	if near, ok := suggest.Closest(path.Base(name), entries(scripts, path.Dir(name))); ok {
		return message, fmt.Sprintf("did you mean %q?", path.Join(path.Dir(name), near))
	}
	// The right name in a wrong folder is the other common mistake.
	found, seen := "", 0
	_ = fs.WalkDir(scripts, ".", func(at string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > 10_000: // a folder that large is no script folder
			return fs.SkipAll
		case err != nil || d.IsDir() && strings.Count(at, "/") > 4:
			return fs.SkipDir
		case !d.IsDir() && path.Base(at) == path.Base(name):
			found = at
			return fs.SkipAll
		}
		return nil
	})
	if found != "" {
		return message, fmt.Sprintf("did you mean %q?", found)
	}
	return message, "script paths start from the folder that scripts: names"
}

// nearFolder suggests a folder with a similar name for one that does not exist.
func nearFolder(dir string) string {
	parent := filepath.Dir(dir)
	if near, ok := suggest.Closest(filepath.Base(dir), entries(files.Folder(parent), ".")); ok {
		return fmt.Sprintf("did you mean %q?", filepath.Join(parent, near))
	}
	return "scripts: is a path relative to the config file"
}

func entries(fsys fs.FS, dir string) []string {
	list, _ := fs.ReadDir(fsys, dir) // nothing to suggest from a folder that cannot be read
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// meant returns the hint for a name that is not one of the candidates.
func meant(name, what string, candidates []string) string {
	if near, ok := suggest.Closest(name, candidates); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(candidates) == 0 {
		return "this build has no " + what
	}
	return what + " are " + strings.Join(candidates, ", ")
}

// meantInGo is meant for what the Go program registers: another program may have others.
func meantInGo(name, what string, candidates []string) string {
	hint := meant(name, what, candidates)
	if strings.HasPrefix(hint, "did you mean") {
		return hint
	}
	return hint + "; a program of your own registers others, run by go run . and not by ecsrun: see docs/cli.md"
}

// assemble makes the world of a config and a runtime with its systems; no script is loaded yet. o has the options
// that a config does not have. What cannot be made is returned as problems, and the runtime has the rest. dog is
// the watchdog, unless o has another one.
func (p *program) assemble(c *config.Config, o luabind.Options, dog *watchdog) (*luabind.Runtime, config.Problems) {
	o.Natives, o.Predicates, o.Modules = p.natives, p.predicates, p.modules
	if o.Watchdog == nil {
		o.Watchdog = dog
	}
	o.Pool = cores()
	open := func(dir string) fs.FS { return files.Folder(dir) }
	if p.folders != nil {
		open = p.folders.open
	}
	rt, problems := worldfile.NewIn(c, o, open)
	if rt == nil {
		panic("app: " + problems.Error()) // the options are complete
	}
	dog.beside(rt.World())
	return rt, problems
}

// cores is the pool for all runs of the process. It has as many workers as there are cores, and starts them when a
// run first asks for it.
var cores = sync.OnceValue(func() ecs.Pool { return &sharedPool{workers: ecs.NewPool(runtime.GOMAXPROCS(0))} })

// sharedPool lets runs on several goroutines use one pool in turn.
type sharedPool struct {
	mu      sync.Mutex
	workers *ecs.Workers
}

// Workers implements [ecs.Pool].
func (p *sharedPool) Workers() int { return p.workers.Workers() }

// Run implements [ecs.Pool].
func (p *sharedPool) Run(n int, task func(i int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers.Run(n, task)
}
