package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// FS is what this package needs of a file system. [OS] is the one of the operating system.
type FS interface {
	// Create makes a new file in a folder. Its name begins with prefix and is not that of another file.
	Create(dir, prefix string) (File, error)
	// Rename gives a file another name in the same folder, in one step. A file of that name is replaced.
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir returns when the names in a folder are on disk.
	SyncDir(dir string) error
	// List returns the names in a folder.
	List(dir string) ([]string, error)
}

// A File is open for writing.
type File interface {
	io.Writer
	Name() string // with its folder
	Sync() error  // returns when its contents are on disk
	Close() error
}

// OS is the file system of the operating system.
var OS FS = system{}

type system struct{}

func (system) Create(dir, prefix string) (File, error) {
	for n := os.Getpid(); ; n++ { // os.CreateTemp would hide the file from everybody but its owner
		f, err := os.OpenFile(filepath.Join(dir, prefix+strconv.Itoa(n)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

func (system) Rename(from, to string) error { return os.Rename(from, to) }

func (system) Remove(name string) error { return os.Remove(name) }

// SyncDir opens the folder and syncs it. Windows has no such operation, and some file systems refuse it; there the
// order of operations is all that can be had.
func (system) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if closed := d.Close(); err == nil {
		err = closed
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

func (system) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, filepath.Base(e.Name()))
	}
	return names, err
}
