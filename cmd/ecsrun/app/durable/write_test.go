package durable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A faulty file system counts its operations and fails the n-th one. Nothing works after it, if it is a crash.
type faulty struct {
	FS
	n     int   // operations until the fault; 0 for none
	err   error // of the fault
	crash bool  // every later operation fails, too: the process is gone
	part  bool  // a failing write writes half of its bytes first
	did   []string
}

func (f *faulty) fault(op string) error {
	f.did = append(f.did, op)
	if f.n > 0 && (len(f.did) == f.n || f.crash && len(f.did) > f.n) {
		return f.err
	}
	return nil
}

func (f *faulty) Create(dir, prefix string) (File, error) {
	if err := f.fault("create"); err != nil {
		return nil, err
	}
	file, err := f.FS.Create(dir, prefix)
	return &faultyFile{file, f}, err
}

func (f *faulty) Rename(from, to string) error {
	if err := f.fault("rename"); err != nil {
		return err
	}
	return f.FS.Rename(from, to)
}

func (f *faulty) Remove(name string) error {
	if err := f.fault("remove"); err != nil {
		return err
	}
	return f.FS.Remove(name)
}

func (f *faulty) SyncDir(dir string) error {
	if err := f.fault("syncdir"); err != nil {
		return err
	}
	return f.FS.SyncDir(dir)
}

type faultyFile struct {
	File
	fs *faulty
}

func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.fs.fault("write"); err != nil {
		n := 0
		if f.fs.part {
			n, _ = f.File.Write(b[:len(b)/2])
		}
		return n, err
	}
	return f.File.Write(b)
}

func (f *faultyFile) Sync() error {
	if err := f.fs.fault("sync"); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *faultyFile) Close() error {
	err := f.File.Close() // the descriptor is gone in any case
	if fault := f.fs.fault("close"); fault != nil {
		return fault
	}
	return err
}

// contents makes a file of several writes.
func contents(word string) []byte { return bytes.Repeat([]byte(word+" "), 60_000) }

func fill(word string) func(io.Writer) error {
	return func(w io.Writer) error {
		for part := contents(word); len(part) > 0; {
			n := min(len(part), 10_000)
			if _, err := w.Write(part[:n]); err != nil {
				return err
			}
			part = part[n:]
		}
		return nil
	}
}

// TestEveryOperationFails makes the first, second, … operation of a write fail, in each way in which it can fail. The file is then the old
// or the new one, an error says that it is not the new one, and what remains is not taken for a file.
func TestEveryOperationFails(t *testing.T) {
	for _, old := range []string{"", "old"} {
		for _, fault := range []faulty{{err: errors.New("input/output error")}, {err: syscall.ENOSPC}, {err: syscall.ENOSPC, part: true}, {err: errors.New("killed"), crash: true}, {err: errors.New("killed"), crash: true, part: true}} {
			seen := map[string]bool{}
			for n := 1; ; n++ {
				dir := t.TempDir()
				path := filepath.Join(dir, "frame-0000000007.snap")
				if old != "" {
					if err := Write(OS, path, fill(old)); err != nil {
						t.Fatal(err)
					}
				}
				fs := fault
				fs.FS, fs.n = OS, n
				err := Write(&fs, path, fill("new"))
				if len(fs.did) < n {
					if err != nil {
						t.Fatalf("no fault, and yet: %v", err)
					}
					if want := 1 + 4 + 1 + 1 + 1 + 1; n-1 != want { // create, 4 writes of the buffer, sync, close, rename, syncdir
						t.Fatalf("%d operations, want %d: %v", n-1, want, fs.did)
					}
					break
				}
				op := fs.did[n-1]
				seen[op] = true
				what := fmt.Sprintf("old %q, %v, crash %v, operation %d (%s)", old, fault.err, fault.crash, n, op)
				if err == nil {
					t.Fatalf("%s: no error", what)
				}
				if !errors.Is(err, fault.err) {
					t.Errorf("%s: the error does not say why: %v", what, err)
				}
				if errors.Is(fault.err, syscall.ENOSPC) && op != "syncdir" && !strings.Contains(err.Error(), "the disk is full") {
					t.Errorf("%s: %v", what, err)
				}
				want := contents(old)
				if old == "" {
					want = nil
				}
				if errors.Is(err, ErrNotSynced) {
					want = contents("new")
				}
				got, _ := os.ReadFile(path)
				if !bytes.Equal(got, want) {
					t.Errorf("%s: the file has %d bytes, want %d", what, len(got), len(want))
				}
				names, _ := OS.List(dir)
				for _, name := range names {
					of, isPartial := Partial(name)
					switch {
					case name == filepath.Base(path):
					case !isPartial || of != filepath.Base(path):
						t.Errorf("%s: left %q", what, name)
					case !fault.crash:
						t.Errorf("%s: left %q, although it could be removed", what, name)
					}
				}
				if err := Sweep(OS, dir, func(name string) bool { return name == filepath.Base(path) }); err != nil {
					t.Error(err)
				}
				if names, _ := OS.List(dir); len(names) > 1 || len(names) == 1 && names[0] != filepath.Base(path) {
					t.Errorf("%s: after the sweep: %v", what, names)
				}
			}
			for _, op := range []string{"create", "write", "sync", "close", "rename", "syncdir"} {
				if !seen[op] {
					t.Errorf("the operation %s never failed", op)
				}
			}
		}
	}
}

// TestFillFails: an error of the contents leaves the old file, and no other.
func TestFillFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := Write(OS, path, fill("old")); err != nil {
		t.Fatal(err)
	}
	bad := errors.New("a coroutine cannot be saved")
	err := Write(OS, path, func(w io.Writer) error {
		_ = fill("new")(w)
		return bad
	})
	if !errors.Is(err, bad) {
		t.Errorf("error %v", err)
	}
	got, _ := os.ReadFile(path)
	names, _ := OS.List(dir)
	if !bytes.Equal(got, contents("old")) || len(names) != 1 {
		t.Errorf("%d bytes, files %v", len(got), names)
	}
}

func TestPartial(t *testing.T) {
	for name, want := range map[string]string{
		".a.snap.partial12":     "a.snap",
		".a.snap.partial":       "a.snap",
		"a.snap.partial12":      "",
		".a.snap.partial12.bak": "",
		".a.snap":               "",
		"frame-1.snap":          "",
		".x.partial1.partial2":  "x.partial1",
	} {
		if of, ok := Partial(name); of != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", name, of, ok)
		}
	}
}

// Sweep leaves alone what does not belong to it.
func TestSweepLeavesOthers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".a.snap.partial1", ".b.txt.partial1", "a.snap", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Sweep(OS, dir, func(name string) bool { return strings.HasSuffix(name, ".snap") }); err != nil {
		t.Fatal(err)
	}
	names, _ := OS.List(dir)
	if got := strings.Join(names, " "); got != ".b.txt.partial1 .hidden a.snap" {
		t.Errorf("left: %s", got)
	}
}
