package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// explainFiles lists the loops of Lua files without a config. Each file is loaded into a world of its own. If
// loading fails, the error is reported, the loops are still listed, and the exit code is that of a script that
// does not load.
func (p *program) explainFiles(names []string, f explainFlags) error {
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			return missingPath(name)
		}
	}
	failed := false
	all := &explanation{path: func(file string) string { return file }, asked: true, dump: f.dump}
	for _, name := range names {
		rt, err := p.loadBare(name)
		for _, e := range flatten(err) {
			if errors.Is(e, ecs.ErrUnknown) {
				continue // the loop that uses the name says so
			}
			failed = true
			p.showBare(name, e)
		}
		if file := filepath.Base(name); err == nil || slices.Contains(rt.Files(), file) {
			one := &explanation{path: beside(name), files: []string{file}, asked: true, loops: rt.Explain(), dump: f.dump}
			if f.json {
				all.add(one)
			} else {
				one.write(p.console.stdout())
			}
		}
		_ = rt.Close() // nothing is left to save
	}
	if f.json {
		if err := all.writeJSON(p.console.stdout()); err != nil {
			return err
		}
	}
	if failed {
		return &exit{code: exitLoad}
	}
	return nil
}

// beside returns the function that makes a path from the current folder of one from the folder of a file.
func beside(name string) func(string) string {
	return func(file string) string { return filepath.Join(filepath.Dir(name), file) }
}

// add adds the loops of one file, by its path from the current folder.
func (e *explanation) add(one *explanation) {
	for _, l := range one.loops {
		if l.File == one.files[0] {
			if l.AtFile != "" {
				l.AtFile = one.shown(l.AtFile)
			}
			l.File = one.shown(l.File)
			e.loops = append(e.loops, l)
		}
	}
	e.files = append(e.files, one.shown(one.files[0]))
}

// loadBare loads a file into a world that contains only what the file declares. The limits are the defaults of a
// config.
func (p *program) loadBare(name string) (*luabind.Runtime, error) {
	c := config.Default()
	dog := startWatchdog(c.Limits.SystemTime, c.Limits.Memory)
	defer dog.close()
	c.Scripts.Dir = filepath.Dir(name)
	rt, problems := p.assemble(c, luabind.Options{Scripts: folderAndAbove(filepath.Dir(name))}, dog)
	if len(problems) > 0 {
		panic("app: " + problems.Error()) // a config that says nothing has none
	}
	return rt, rt.LoadFile(filepath.Base(name))
}

// showBare writes an error of loading. Its paths start from the current folder, like that on the command line.
func (p *program) showBare(name string, err error) {
	var script *luabind.ScriptError
	if errors.As(err, &script) && script.File != "" {
		own := *script
		own.File = filepath.ToSlash(filepath.Join(filepath.Dir(name), filepath.FromSlash(script.File)))
		err, script = &own, &own
	}
	fmt.Fprint(p.console.stderr(), withoutControls(render(err, script, func(e *luabind.ScriptError) string { return location(config.Default(), e) })))
}

// A folderAndAbove stands for the script folder of a file whose script folder is not known: it is the folder of
// the file and, for files that are not there, the nearest folder above that has them.
type folderAndAbove string

// Open opens a file in the first folder that has it.
func (dir folderAndAbove) Open(name string) (fs.File, error) { return dir.holder(name).Open(name) }

// Stat implements [fs.StatFS].
func (dir folderAndAbove) Stat(name string) (fs.FileInfo, error) { return dir.holder(name).Stat(name) }

// holder returns the first folder that has a file, the file's own folder if none has it.
func (dir folderAndAbove) holder(name string) files.Folder {
	at := string(dir)
	if abs, err := filepath.Abs(at); err == nil {
		at = abs
	}
	own := files.Folder(at)
	for {
		if _, err := files.Folder(at).Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return files.Folder(at)
		}
		if filepath.Dir(at) == at {
			return own
		}
		at = filepath.Dir(at)
	}
}
