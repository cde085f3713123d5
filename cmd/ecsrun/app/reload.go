package app

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// This file reloads scripts and config of a run between two frames, for --watch. watch.go says when something has
// changed; here the files are read, and what has changed is put in use, or the run goes on as it is.

// A reloading is what a run with --watch remembers.
type reloading struct {
	watcher *watcher
	path    string           // of the config
	over    config.Overrides // the flags and the environment of the run
	written *config.Config   // the config as it was read last
	since   uint64           // the frame after which the version in use was loaded; 0 for that of the start
	problem string           // the last one that was shown, see problemOf; "" after a success
	failed  [32]byte         // the stamp of the files whose reload has failed last; zero after a success
	wrong   []string         // the files that had changed then
	restart string           // the last keys that were said to need a restart
}

// startReloading watches the files of a run.
func (r *run) startReloading(path string, o config.Overrides) {
	folders := []string{r.config.Scripts.Dir, filepath.Dir(path)}
	for _, m := range r.config.Mods {
		folders = append(folders, m.Dir)
	}
	w, err := startWatcher(folders...)
	if err != nil {
		fmt.Fprintf(r.console.stderr(), "the system does not tell of all changes of files: %v\n", err)
	}
	r.watch = &reloading{watcher: w, path: path, over: o, written: r.config}
}

// reload puts changed files in use, if there are any. It is called between two frames, and reports whether there is
// a new version.
func (r *run) reload(signal *interruption) bool {
	began := time.Now()
	next, err := config.Load(r.watch.path, r.watch.over)
	if err == nil {
		if problems := r.preflight(next, nil); len(problems) > 0 {
			err = problems
		}
	}
	if err != nil {
		r.notReloaded(next, err)
		return false
	}
	files := r.changed(next)
	if len(files) == 0 {
		if r.watch.problem != "" { // what was wrong is as it was before
			r.reloaded(r.watch.wrong, began)
		}
		return false
	}
	change, same := next, config.Alike(*next, *r.watch.written)
	if same {
		change = nil // only scripts have changed
	}
	stamp := stampOf(r.watch.path, next)
	if stamp == r.watch.failed {
		return false
	}
	now, done, restart, err := worldfile.Reload(signal.over, r.runtime, r.config, change)
	if err != nil {
		r.watch.failed = stamp
		r.notReloaded(next, err)
		return false
	}
	r.history.leaveWay()
	r.history.anew() // there is no way back to other scripts
	r.watch.since = r.runtime.World().Frame()
	if !same {
		r.watch.written = next
		r.use(now)
	}
	r.reloaded(files, began)
	for _, system := range done.Fresh {
		fmt.Fprintf(r.console.stderr(), "system %q: state begins anew: its keys or their types have changed, which on_reload can handle, or the system was disabled\n", system)
	}
	for _, file := range done.Kept {
		fmt.Fprintf(r.console.stderr(), "%s: suspended coroutines go on with the code that they began with\n", file)
	}
	r.needsRestart(restart)
	return true
}

// pause waits after a failure that has ended the run, until a reload lets it go on. It reports false if there is
// none: without --watch, after a bug or a signal.
func (r *run) pause(signal *interruption) bool {
	if r.watch == nil || r.bug || r.stopped {
		return false
	}
	fmt.Fprintf(r.console.stderr(), "paused after frame %d, until the files change\n", r.runtime.World().Frame())
	look := time.NewTicker(settleTime / 4)
	defer look.Stop()
	for {
		select {
		case <-signal.first.Done():
			return false
		case <-r.control.Bell():
			if !r.control.Rest(r.ended, r.failure) {
				r.endAsked()
				return false
			}
			if !r.control.Ended() { // the world went back
				r.ended, r.failure = "", nil
				return true
			}
			continue
		case <-look.C:
		}
		if r.watch.watcher.changed() && r.reload(signal) {
			r.ended, r.failure = "", nil
			r.pace = pacerFor(r.config)
			r.control.Again()
			return true
		}
	}
}

// reloaded says that files are in use with their texts of now.
func (r *run) reloaded(files []string, began time.Time) {
	r.watch.problem, r.watch.failed = "", [32]byte{}
	if len(files) > 0 {
		fmt.Fprintf(r.console.stderr(), "reloaded %s (%d ms)\n", strings.Join(files, ", "), time.Since(began).Milliseconds())
	}
}

// changed lists the files that are not those in use: scripts, and the config if its text says something else or
// cannot be read.
func (r *run) changed(next *config.Config) []string {
	files := r.runtime.Stale()
	if next == nil || !config.Alike(*next, *r.watch.written) {
		files = append(files, filepath.Base(r.watch.path))
	}
	return files
}

// use makes the rest of a changed config take effect: what belongs to the command and not to the runtime.
func (r *run) use(now *config.Config) {
	was := r.config
	r.config = now
	r.noteConfig(now)
	r.dog.limit(now.Limits.SystemTime, now.Limits.Memory)
	if now.Log != was.Log {
		r.console.asJSON(now.Log.Format == "json")
		r.logs.use(now.Log)
	}
	r.failures.use(r.logs.log, now)
	if now.Run.Realtime != was.Run.Realtime {
		r.pace = pacerFor(now)
	}
}

// needsRestart says which keys of the config do not take effect, once.
func (r *run) needsRestart(keys []string) {
	text := strings.Join(keys, ", ")
	if text != "" && text != r.watch.restart {
		fmt.Fprintf(r.console.stderr(), "restart needed: %s\n", text)
	}
	r.watch.restart = text
}

// notReloaded shows why nothing was reloaded, once for each problem. next is the config that was read, nil if that
// failed.
func (r *run) notReloaded(next *config.Config, err error) {
	if errors.Is(err, errInterrupted) {
		return
	}
	problem := problemOf(err)
	if problem == r.watch.problem {
		return
	}
	r.watch.problem, r.watch.wrong = problem, r.changed(next)
	for _, one := range flatten(err) {
		var script *luabind.ScriptError
		errors.As(one, &script)
		r.failures.write(one, script)
	}
	fmt.Fprintf(r.console.stderr(), "still running the version of frame %d\n", r.watch.since)
}

// problemOf returns the text of an error without the frame, in which an init has failed.
func problemOf(err error) string {
	var b strings.Builder
	for _, one := range flatten(err) {
		text := one.Error()
		var script *luabind.ScriptError
		if errors.As(one, &script) {
			same := *script
			same.Frame = 0
			text = same.Error()
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

// stampOf returns a digest of the texts of config and scripts, and of when they were saved. What has failed is tried again
// when it differs, and not when another file in the folders has changed, such as a log.
func stampOf(path string, c *config.Config) (stamp [32]byte) {
	h := sha256.New()
	add := func(path string) {
		text, err := os.ReadFile(path)
		info, failed := os.Stat(path)
		if err == nil && failed == nil {
			fmt.Fprintf(h, "%q %d %d\n%s", path, info.ModTime().UnixNano(), len(text), text)
		}
	}
	for _, path := range configFiles(path, c) {
		add(path)
	}
	folders := []string{c.Scripts.Dir}
	for _, m := range c.Mods {
		folders = append(folders, m.Dir, m.Scripts)
	}
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".lua" {
				add(path)
			}
			return nil // what is gone has no part in the digest
		})
	}
	h.Sum(stamp[:0])
	return stamp
}
