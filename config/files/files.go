// Package files opens what people name: configs, and the folders their scripts are in.
//
// What is opened is a regular file. A pipe, a device or a socket is an error: reading one may wait for ever or never end. And from a [Folder]
// nothing outside of it can be read, whatever links lie in it.
package files

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

var (
	// ErrNotRegular is the error for a pipe, a device or a socket.
	ErrNotRegular = errors.New("not a regular file")
	// ErrOutside is the error for a link that leads out of a folder.
	ErrOutside = errors.New("a link that leaves the folder")
)

// Open opens a file for reading. A folder can be opened, too.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !readable(info) { // opening it may have effects, or wait
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	return checked(f, path)
}

// checked verifies that what was opened is a regular file or a folder, and closes it otherwise: it may have been
// replaced since it was looked at.
func checked(f *os.File, path string) (*os.File, error) {
	info, err := f.Stat()
	if err == nil && !readable(info) {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

func readable(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

// A Folder is the file system below a folder, given by its path. A relative link in it may lead to another place
// in it; nothing outside can be read. The folder need not exist; then it is empty.
type Folder string

// Open implements [fs.FS].
func (dir Folder) Open(name string) (fs.File, error) {
	var file *os.File
	err := dir.in("open", name, func(root *os.Root) error {
		info, err := root.Stat(name)
		if err != nil {
			return err
		}
		if !readable(info) {
			return ErrNotRegular
		}
		f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
		if err != nil {
			return err
		}
		file, err = checked(f, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Stat implements [fs.StatFS].
func (dir Folder) Stat(name string) (info fs.FileInfo, err error) {
	err = dir.in("stat", name, func(root *os.Root) (err error) {
		info, err = root.Stat(name)
		return err
	})
	return info, err
}

// in calls do with the folder and converts its error to one with a clear text.
func (dir Folder) in(op, name string, do func(*os.Root) error) error {
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	info, err := os.Stat(string(dir))
	if err == nil && !info.IsDir() { // opening a pipe would wait
		err = errors.New("not a folder")
	}
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(string(dir))
	}
	if err == nil {
		err = do(root)
		_ = root.Close() // what was opened in it stays open
	}
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: Reason(err)}
}

// Reason returns what an error of an [os.Root] says without the path: ErrOutside if a link leads out of the folder.
func Reason(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	if strings.HasSuffix(err.Error(), "path escapes from parent") { // package os does not name this error
		return ErrOutside
	}
	return err
}
