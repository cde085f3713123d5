package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// ErrNotRegular is the error for a script file that is a pipe, a device or a socket.
var ErrNotRegular = errors.New("not a regular file")

// ReadSource reads a file for [Compile]. It opens regular files only, because a pipe would block, and reads no
// more than Compile accepts, or than most bytes; 0 is no further limit. The error does not contain the path.
func ReadSource(fsys fs.FS, name string, most uint64) (string, error) {
	key := " (limits.script)"
	if most == 0 || most > syntax.MaxSource {
		most, key = syntax.MaxSource, ""
	}
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return "", withoutPath(err)
	case info.IsDir():
		return "", errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return "", ErrNotRegular
	}
	f, err := fsys.Open(name)
	if err != nil {
		return "", withoutPath(err)
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err != nil {
		return "", withoutPath(err)
	}
	if uint64(len(source)) > most {
		return "", fmt.Errorf("file too large: at most %s bytes%s", syntax.Grouped(int64(most)), key)
	}
	return string(source), nil
}

// NoFile reports whether an error of a file means that there is none: one of the folders in its path may be a file.
func NoFile(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

func withoutPath(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}
