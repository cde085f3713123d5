package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// explain --live: it runs the world of a config as run does, without what scripts print and without a summary, and says
// of each loop what it did.

// liveFrames is the number of frames of a config that has no end.
const liveFrames = 60

// A lively is what the loops did in a run.
type lively struct {
	frames uint64
	ended  string            // the reason for the end of the run
	runs   []luabind.LoopRun // in the order of the reports of Explain
	falls  []luabind.LoopFallback
}

// live runs the frames.
func (r *run) live() *lively {
	r.config.Run.Realtime = false
	if r.config.Run.Frames == 0 {
		r.config.Run.Frames = liveFrames
	}
	r.meter = measure(r.runtime.Schedule())
	signal, release := r.interrupts()
	defer release()
	r.play(signal)
	r.failures.countUp()
	return &lively{r.runtime.World().Frame(), r.ended, r.runtime.LoopRuns(), r.runtime.Fallbacks()}
}

// mostly returns what most rows of the loop with index i ran as, and why, if its report says something else; otherwise "".
func (v *lively) mostly(i int, l luabind.LoopReport) (what, why string) {
	run, is := v.runs[i], becomes(l)
	rows := run.Machine + run.Closures + run.Interpreted
	switch {
	case 2*run.Interpreted > rows && is != "interpreted":
		var most luabind.LoopFallback
		for _, f := range v.falls {
			if f.File == run.File && f.Line == run.Line && f.Times > most.Times {
				most = f
			}
		}
		if most.Times == 0 && run.Inside > 0 { // most rows ran as a part of the loop around it, and are not counted
			return "", ""
		}
		why = most.Reason
		if most.Rows && run.Rested > 0 {
			why = "there are too many " + why
		}
		if most.Advice != "" {
			why += "; " + most.Advice
		}
		return "interpreted", why
	case 2*run.Closures > rows && is == "machine code":
		if run.Inherited != "" {
			return "closures", fmt.Sprintf("entities inherit %q by IsA, which code does not look up; give them the component itself", run.Inherited)
		}
		if l.ByClosures != "" {
			return "closures", "many rows reach what code cannot do"
		}
		return "closures", "code cannot do some walks, or costs more than it gains there"
	}
	return "", ""
}

// headline is verdict for the loop with index i: it says first what most rows ran as.
func (v *lively) headline(i int, l luabind.LoopReport) string {
	what, why := v.mostly(i, l)
	if what == "" {
		return verdict(l)
	}
	if why != "" {
		why = " (" + why + ")"
	}
	return "mostly " + what + why + "; the others: " + verdict(l)
}

// lines returns what is shown below the loop with index i: its rows, and why the interpreter ran some of them.
func (v *lively) lines(i int, loops []luabind.LoopReport) (lines []string) {
	run := v.runs[i]
	rows := run.Machine + run.Closures + run.Interpreted
	switch {
	case rows > 0:
		var parts []string
		for _, part := range []struct {
			n    int
			what string
		}{{run.Machine, "machine code"}, {run.Closures, "closures"}, {run.Interpreted, "interpreted"}} {
			if part.n > 0 {
				text := grouped(uint64(part.n)) + " " + part.what
				if part.what == "machine code" && run.Shared > 0 {
					text += " (" + grouped(uint64(run.Shared)) + " on several cores)"
				}
				parts = append(parts, text)
			}
		}
		lines = append(lines, counted(uint64(rows), "row")+": "+strings.Join(parts, ", "))
	case run.Inside > 0 && loops[i].Reason == "":
		lines = append(lines, fmt.Sprintf("no row by itself: it is a part of the loop in line %d", run.Inside))
	default:
		lines = append(lines, "no row")
	}
	if run.Inherited != "" {
		lines = append(lines, fmt.Sprintf("closures did rows in which entities inherit %q by IsA", run.Inherited))
	}
	if run.Long != "" {
		lines = append(lines, fmt.Sprintf("the table %s has more than 16,384 elements, so its keys were looked up one by one; a layer, or an array of a resource, has no such limit", run.Long))
	}
	for _, f := range v.falls {
		if f.File != run.File || f.Line != run.Line {
			continue
		}
		what := counted(uint64(f.Times), "time")
		if f.Rows {
			what = counted(uint64(f.Times), "row") + " left"
		}
		text := what + ": " + f.Reason
		if f.Advice != "" {
			text += "; " + f.Advice
		}
		lines = append(lines, text)
	}
	if run.Rested > 0 {
		lines = append(lines, counted(uint64(run.Rested), "walk")+" interpreted: too many rows were left in the walks before")
	}
	return lines
}

// Bounds of what explain runs. They are counts, so that it says the same each time.
const (
	tryFrames   = 60      // frames
	tryEntities = 300_000 // living entities, summed over the frames
	tryMore     = 12      // frames after the one in which the last loop began: tables fill up in the first ones
)

// tryOut runs the startup and a few frames of a world of which only the loops are of interest: until each loop has
// begun, or the bounds are reached. Nothing is printed, logged or reported. A failure ends it; then the loops that
// have not begun are judged by the source alone.
func (r *run) tryOut() {
	rt := r.runtime
	signal, release := r.interrupts()
	defer release()
	if rt.Start(signal.over) != nil {
		return
	}
	world, entities, more := rt.World(), 0, 0
	for range tryFrames {
		if _, stopped := world.Stopped(); stopped || signal.came() || !r.feedFrame(signal) || rt.Frame(signal.over, r.config.Run.DT) != nil {
			return
		}
		if entities += world.Len(); entities > tryEntities {
			return
		}
		if rt.Begun() {
			if more++; more > tryMore {
				return
			}
		}
	}
}

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
