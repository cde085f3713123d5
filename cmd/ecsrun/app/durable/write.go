package durable

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
)

// partial is in the names of temporary files: ".frame-0000000600.snap.partial123".
const partial = ".partial"

// ErrNotSynced says that the file has its new name and all of its contents, but that the system could not tell
// whether the name is on disk. A crash of the machine may bring the old file back.
var ErrNotSynced = errors.New("the folder could not be synced")

// Write puts a file in place: fill writes its contents. When Write returns nil, the file is on disk. After any other
// error than [ErrNotSynced], the file is what it was before, or is still missing, and the temporary file is removed
// as far as the file system allows. fill gets a buffered writer; an error of fill is returned as it is.
func Write(fs FS, path string, fill func(io.Writer) error) (err error) {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := fs.Create(dir, "."+name+partial)
	if err != nil {
		return failed("create", path, err)
	}
	open := true
	defer func() {
		if err == nil || errors.Is(err, ErrNotSynced) {
			return
		}
		if open {
			_ = f.Close() // the error that led here is the one to report
		}
		_ = fs.Remove(f.Name())
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := fill(w); err != nil {
		return failed("write", path, err)
	}
	if err := w.Flush(); err != nil {
		return failed("write", path, err)
	}
	if err := f.Sync(); err != nil {
		return failed("sync", path, err)
	}
	open = false
	if err := f.Close(); err != nil {
		return failed("close", path, err)
	}
	if err := fs.Rename(f.Name(), path); err != nil {
		return failed("rename", path, err)
	}
	if err := fs.SyncDir(dir); err != nil {
		return fmt.Errorf("%s: %w: %w", path, ErrNotSynced, err)
	}
	return nil
}

// failed names the operation and the file. A full disk is said in plain words.
func failed(doing, path string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("cannot %s %q: the disk is full; free some space: %w", doing, path, err)
	}
	return fmt.Errorf("cannot %s %q: %w", doing, path, err)
}

// Sweep removes the temporary files that killed processes have left in a folder. ours says which files they belong
// to: it gets the name that the file would have had, and Sweep removes only those for which it reports true. No other
// process may be writing in the folder.
func Sweep(fs FS, dir string, ours func(name string) bool) error {
	names, err := fs.List(dir)
	for _, n := range names {
		if of, ok := Partial(n); ok && ours(of) {
			if e := fs.Remove(filepath.Join(dir, n)); err == nil {
				err = e
			}
		}
	}
	return err
}

// Partial reports whether a name is that of a temporary file, and of which file.
func Partial(name string) (of string, ok bool) {
	at := strings.LastIndex(name, partial)
	if at < 1 || !strings.HasPrefix(name, ".") || strings.Trim(name[at+len(partial):], "0123456789") != "" {
		return "", false
	}
	return name[1:at], true
}
