//go:build unix

package files_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/ecsrun/ecsrun/config/files"
)

// make fills a folder with everything that may lie in one.
func fill(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "scripts")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(filepath.Join(dir, "lib"), 0o777))
	check(os.WriteFile(filepath.Join(dir, "a.lua"), []byte("return 1"), 0o666))
	check(os.WriteFile(filepath.Join(dir, "lib", "b.lua"), []byte("return 2"), 0o666))
	check(os.WriteFile(filepath.Join(top, "secret.lua"), []byte("return 3"), 0o666))
	check(syscall.Mkfifo(filepath.Join(dir, "fifo.lua"), 0o666))
	check(os.Symlink("lib/b.lua", filepath.Join(dir, "inside.lua")))
	check(os.Symlink("../secret.lua", filepath.Join(dir, "outside.lua")))
	check(os.Symlink(filepath.Join(top, "secret.lua"), filepath.Join(dir, "absolute.lua")))
	check(os.Symlink("..", filepath.Join(dir, "up")))
	check(os.Symlink("/dev/zero", filepath.Join(dir, "zero.lua")))
	check(os.Symlink("fifo.lua", filepath.Join(dir, "pipe.lua")))
	check(os.Symlink("loop.lua", filepath.Join(dir, "loop.lua")))
	l, err := net.Listen("unix", filepath.Join(dir, "socket.lua"))
	check(err)
	t.Cleanup(func() { _ = l.Close() })
	return dir
}

func TestFolder(t *testing.T) {
	dir := fill(t)
	for name, want := range map[string]error{
		"a.lua": nil, "lib/b.lua": nil, "inside.lua": nil,
		"fifo.lua": files.ErrNotRegular, "pipe.lua": files.ErrNotRegular, "socket.lua": files.ErrNotRegular,
		"outside.lua": files.ErrOutside, "absolute.lua": files.ErrOutside, "up/secret.lua": files.ErrOutside, "zero.lua": files.ErrOutside,
		"missing.lua": fs.ErrNotExist, "loop.lua": syscall.ELOOP,
		"../secret.lua": fs.ErrInvalid, "/etc/passwd": fs.ErrInvalid, "": fs.ErrInvalid,
	} {
		f, err := files.Folder(dir).Open(name)
		if want == nil && err == nil {
			text, err := io.ReadAll(f)
			if err != nil || len(text) != len("return 1") {
				t.Errorf("%s: %q, %v", name, text, err)
			}
			_ = f.Close()
		} else if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if _, err := files.Folder(filepath.Join(dir, "nowhere")).Open("a.lua"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := files.Folder(filepath.Join(dir, "fifo.lua")).Open("a.lua"); err == nil {
		t.Error("a pipe for a folder: no error")
	}
}

// It is a file system by the rules of package fs: as far as its files are regular.
func TestFolderIsFS(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, fstest.MapFS{"a.lua": {Data: []byte("x")}, "lib/b.lua": {Data: []byte("y")}}); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(files.Folder(dir), "a.lua", "lib/b.lua"); err != nil {
		t.Fatal(err)
	}
	var seen []string
	err := fs.WalkDir(files.Folder(fill(t)), ".", func(p string, d fs.DirEntry, err error) error {
		seen = append(seen, p)
		return err
	})
	if err != nil || !slices.Contains(seen, "lib/b.lua") || slices.Contains(seen, "up/secret.lua") {
		t.Errorf("walked %q, %v", seen, err)
	}
}

func TestOpen(t *testing.T) {
	dir := fill(t)
	for name, want := range map[string]error{
		"a.lua": nil, "outside.lua": nil, // whoever names a link means what it leads to
		"fifo.lua": files.ErrNotRegular, "zero.lua": files.ErrNotRegular, "socket.lua": files.ErrNotRegular, "missing.lua": fs.ErrNotExist,
	} {
		f, err := files.Open(filepath.Join(dir, name))
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err == nil {
			_ = f.Close()
		}
	}
}
