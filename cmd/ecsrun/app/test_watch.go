package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// test --watch: all test files run once, and after each change those that read a file which has changed. watch.go
// says when something has changed, test_reads.go what each test file has read.

// A testWatch is what test --watch remembers.
type testWatch struct {
	*program
	paths   []string
	flags   testFlags
	options luatest.Options
	signal  *interruption
	watcher *watcher
	known   map[string]*watchedTest // by name of the file
}

// A watchedTest is a test file as it ran last.
type watchedTest struct {
	reading *reading
	fails   bool
	gone    bool // it was not there when the files were looked for last
}

// notWatched returns the flag that --watch cannot be combined with; "" if there is none.
func (f *testFlags) notWatched() string {
	for _, one := range []struct {
		name string
		set  bool
	}{
		{"--list", f.list},
		{"--fail-fast", f.failFast},
		{"--repeat", f.repeat > 1},
		{"--update", f.update},
		{"--coverage", f.covers()},
		{"--junit", f.junit != ""},
		{"--tap", f.tap},
		{"--json", f.json},
		{"--github", f.github},
	} {
		if one.set {
			return one.name
		}
	}
	return ""
}

// watchTests runs the tests until a signal comes. The exit code says how the test files ended that ran last.
func (p *program) watchTests(paths []string, f testFlags, o luatest.Options, signal *interruption) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	w := &testWatch{program: p, paths: paths, flags: f, options: o, signal: signal, known: map[string]*watchedTest{}}
	folders := make([]string, len(paths))
	for i, path := range paths {
		folders[i] = path
		if strings.HasSuffix(path, ".lua") {
			folders[i] = filepath.Dir(path)
		}
	}
	var err error
	if w.watcher, err = startWatcher(folders...); err != nil {
		fmt.Fprintf(p.console.stderr(), "the system does not tell of all changes of files: %v\n", err)
	}
	defer w.watcher.close()
	if _, err := findTests(paths); err != nil { // a path that is wrong from the beginning
		return err
	}
	w.watcher.changed()
	for files, why := w.affected(false); ; {
		for len(files) > 0 { // files may have changed meanwhile
			if err := w.run(files, why); err != nil {
				return err
			}
			files, why = w.affected(false)
		}
		if files, why = w.wait(); files == nil {
			fmt.Fprintf(p.console.stderr(), "stopped watching; %s\n", w.state())
			if len(w.failing()) > 0 {
				return &exit{code: exitTest}
			}
			return nil
		}
	}
}

// affected returns the test files that have to run, and the changed files because of which. told says that the watcher
// has told of a change; those whose reading is unsure run then.
func (w *testWatch) affected(told bool) (files []luatest.File, why []string) {
	found, err := findTests(w.paths)
	if err != nil {
		return nil, nil // a folder is being replaced: its return is a change
	}
	for _, one := range w.known {
		one.gone = true
	}
	for _, file := range found {
		known := w.known[file.Name]
		if known == nil {
			files = append(files, file)
			continue
		}
		known.gone = false
		if changed := known.reading.changed(); len(changed) > 0 || told && known.reading.unsure {
			files = append(files, file)
			why = append(why, changed...)
		}
	}
	for name, one := range w.known {
		if one.gone {
			delete(w.known, name)
		}
	}
	slices.Sort(why)
	return files, slices.Compact(why)
}

// run runs test files, and records what they read.
func (w *testWatch) run(files []luatest.File, why []string) error {
	if len(why) > 0 {
		fmt.Fprintf(w.console.stderr(), "\nchanged: %s\n", shownPaths(why))
	}
	noted := make([]luatest.File, len(files))
	for i, file := range files {
		r := newReading()
		r.note(file.Name)
		w.known[file.Name] = &watchedTest{reading: r}
		noted[i] = r.noted(file)
	}
	report, err := w.runTests(noted, w.flags, w.options, nil, w.signal)
	if err != nil {
		return err
	}
	if bug := bugIn(report); bug != nil {
		return bug
	}
	if report.Interrupted {
		return &exit{code: exitInterrupted}
	}
	for _, one := range report.Results {
		if known := w.known[one.File]; known != nil && one.Status == luatest.Failed {
			known.fails = true
		}
	}
	var places []string
	for _, one := range w.known {
		places = append(places, one.reading.places()...)
	}
	slices.Sort(places)
	w.watcher.follow(slices.Compact(places))
	return nil
}

// wait waits for a change, and returns what affected returns; no files if a signal came.
func (w *testWatch) wait() (files []luatest.File, why []string) {
	said := w.state()
	fmt.Fprintf(w.console.stderr(), "watching; %s\n", said)
	look := time.NewTicker(settleTime / 4)
	defer look.Stop()
	for {
		select {
		case <-w.signal.first.Done():
			return nil, nil
		case <-look.C:
		}
		if w.watcher.changed() {
			if files, why = w.affected(true); len(files) > 0 {
				return files, why
			}
			if now := w.state(); now != said { // a test file is gone
				said = now
				fmt.Fprintf(w.console.stderr(), "watching; %s\n", said)
			}
		}
	}
}

// failing lists the test files that failed when they ran last, sorted.
func (w *testWatch) failing() []string {
	var out []string
	for name, one := range w.known {
		if one.fails {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// state says how the test files ended that ran last.
func (w *testWatch) state() string {
	failing := w.failing()
	if len(w.known) == 0 {
		return "no tests found " + under(w.paths)
	}
	switch files := counted(len(w.known), "test file"); {
	case len(failing) == 1:
		return fmt.Sprintf("1 of %s fails: %s", files, failing[0])
	case len(failing) > 1:
		return fmt.Sprintf("%d of %s fail: %s", len(failing), files, strings.Join(failing, ", "))
	case len(w.known) == 1:
		return files + " passes"
	default:
		return files + " pass"
	}
}

// shownPaths lists paths as a user knows them.
func shownPaths(paths []string) string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = coveredName(path)
	}
	return strings.Join(out, ", ")
}
