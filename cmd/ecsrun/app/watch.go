package app

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// This file watches the files of a run for --watch. A watcher notices that something below its folders has
// changed, and says so between two frames; what has changed is for reload.go to find out, from the texts of the
// files. So it does not matter how an editor saves: in place, in parts, or by renaming.

const (
	settleTime = 40 * time.Millisecond  // without a further change until a change is told; editors make several
	mostSettle = 200 * time.Millisecond // after which it is told in any case
	pollTime   = 250 * time.Millisecond // between two looks where the system cannot notify
)

// A watcher notices changes of files in folders and all that is below them. Its goroutine ends with close.
type watcher struct {
	notes *fsnotify.Watcher // nil where the system cannot notify: then every pollTime counts as a change
	roots []string
	flat  []string    // folders without those below them, see follow
	mu    sync.Mutex  // guards flat
	told  atomic.Bool // something has changed since the last call of changed
	quit  chan struct{}
	done  chan struct{}
}

// startWatcher watches folders. The error says why the system does not notify; the watcher then looks at the files
// again and again.
func startWatcher(folders ...string) (*watcher, error) {
	w := &watcher{quit: make(chan struct{}), done: make(chan struct{})}
	for _, folder := range folders {
		if path, err := filepath.Abs(folder); err == nil {
			w.roots = append(w.roots, path)
		}
	}
	notes, err := fsnotify.NewWatcher()
	if err == nil {
		w.notes = notes
		err = w.extend()
	}
	w.told.Store(true) // for what has changed since the files were read
	go w.watch()
	return w, err
}

func (w *watcher) close() {
	close(w.quit)
	<-w.done
}

// follow watches these folders, too, without those below them, in place of the folders of the call before. A change
// between that call and this one may be missed.
func (w *watcher) follow(folders []string) {
	w.mu.Lock()
	same := slices.Equal(w.flat, folders)
	w.flat = folders
	w.mu.Unlock()
	if w.notes != nil && !same {
		_ = w.extend() // as at every change
	}
}

// changed reports whether something has changed since the last call.
func (w *watcher) changed() bool { return w.told.Swap(false) }

// extend adds the folders that are not watched yet: new ones, and those that were gone for a while. A root that is
// gone is seen when it comes back, because the folder above it is watched, too.
func (w *watcher) extend() error {
	var failed error
	add := func(folder string) {
		if err := w.notes.Add(folder); err != nil && failed == nil {
			failed = err
		}
	}
	w.mu.Lock()
	for _, folder := range w.flat {
		_ = w.notes.Add(folder) // it may be gone
	}
	w.mu.Unlock()
	for _, root := range w.roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // it is gone again
			case !d.IsDir():
				return nil
			case path != root && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir // .git and the like change all the time
			}
			add(path)
			return nil
		})
		_ = w.notes.Add(filepath.Dir(root)) // perhaps not readable
	}
	return failed
}

// watch is the goroutine. It tells of a change when the files have been left alone for settleTime.
func (w *watcher) watch() {
	defer close(w.done)
	if w.notes == nil {
		w.poll()
		return
	}
	defer w.notes.Close()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	var first time.Time // of the changes that were not told yet
	for {
		select {
		case <-w.quit:
			return
		case note, ok := <-w.notes.Events:
			if !ok {
				return
			}
			if note.Op == fsnotify.Chmod {
				continue
			}
			if first.IsZero() {
				first = time.Now()
			}
			timer.Reset(min(settleTime, max(0, mostSettle-time.Since(first))))
		case <-w.notes.Errors: // notes were lost
			timer.Reset(settleTime)
		case <-timer.C:
			first = time.Time{}
			_ = w.extend()
			w.told.Store(true)
		}
	}
}

// poll is watch without notes.
func (w *watcher) poll() {
	ticker := time.NewTicker(pollTime)
	defer ticker.Stop()
	for {
		select {
		case <-w.quit:
			return
		case <-ticker.C:
			w.told.Store(true)
		}
	}
}
