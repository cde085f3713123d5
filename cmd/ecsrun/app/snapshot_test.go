package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/folderlock"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/worldfile"
)

// A failing file system creates no file while err is set.
type failing struct {
	durable.FS
	err error
}

func (f *failing) Create(dir, prefix string) (durable.File, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.FS.Create(dir, prefix)
}

// A folder that is full, or read-only, for a while: that is said once, and when it works again; what is lost is counted.
func TestSavesThatFailForAWhile(t *testing.T) {
	for _, cause := range []error{syscall.ENOSPC, syscall.EROFS} {
		c, err := config.Parse("world.yaml", []byte("version: 1\n"), config.YAML)
		if err != nil {
			t.Fatal(err)
		}
		rt, problems := worldfile.New(c, luabind.Options{})
		if len(problems) > 0 || rt.Load() != nil || rt.Start(context.Background()) != nil {
			t.Fatal(problems)
		}
		var said bytes.Buffer
		fs := &failing{FS: durable.OS}
		s := &saver{dir: t.TempDir(), every: 1, keep: 3, fs: fs, log: newLogger(io.Discard, c.Log, false), w: &said}
		for n := range 12 {
			fs.err = nil
			if n >= 3 && n < 8 {
				fs.err = cause
			}
			if err := rt.Frame(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			s.after(rt)
			s.wait()
		}
		_ = rt.Close()
		if frames, _ := snapshotsIn(s.dir); fmt.Sprint(frames) != "[12 11 10]" || s.failed != 5 {
			t.Errorf("%v: the snapshots %v, %d failed", cause, frames, s.failed)
		}
		if text := said.String(); strings.Count(text, "no snapshot of frame ") != 1 || !strings.Contains(text, "no snapshot of frame 4: ") || !strings.HasSuffix(text, "snapshots can be saved again: frame 9\n") {
			t.Errorf("%v: said %s", cause, text)
		}
	}
}

// Many runs begin at once in a folder that has snapshots: one of them runs at a time, the others end with exit code 2 and name
// its process. No snapshot of any run is lost. STARTS is the number of starts.
func TestStartsInAFolderInUse(t *testing.T) {
	starts := 60
	if n, err := strconv.Atoi(os.Getenv("STARTS")); err == nil {
		starts = n
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"world.yaml": "version: 1\nrun: { frames: 2 }\nsystems: [{ name: a, script: a.lua }]\n",
		"a.lua":      "return function(world) world.commands:spawn{} end\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	saves := filepath.Join(dir, "saves")
	var mu sync.Mutex
	ran, refused := 0, 0
	var all sync.WaitGroup
	turn := make(chan bool, 8) // at a time
	for n := range starts {
		all.Add(1)
		go func() {
			defer all.Done()
			turn <- true
			defer func() { <-turn }()
			cmd := exec.Command(os.Args[0])
			cmd.Args = []string{"ecsrun", "run", filepath.Join(dir, "world.yaml"), "--snapshot", saves, "--snapshot-every", "1", "--quiet"}
			if n%2 == 1 {
				cmd.Args = append(cmd.Args, "--supervise")
			}
			text, _ := cmd.CombinedOutput() // the exit code says it
			mu.Lock()
			defer mu.Unlock()
			switch code := cmd.ProcessState.ExitCode(); {
			case code == exitOK:
				ran++
			case code == exitUsage && strings.Contains(string(text), saves+" is in use by process ") || strings.Contains(string(text), saves+" is in use by another process"):
				refused++
			default:
				t.Errorf("exit code %d: %s", code, text)
			}
		}()
	}
	all.Wait()
	found := 0
	err := filepath.WalkDir(saves, func(path string, _ os.DirEntry, err error) error {
		switch filepath.Base(path) {
		case snapshotName(1), snapshotName(2):
			found++
			s, err := openSnapshot(path)
			if err != nil {
				return err
			}
			s.close()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if ran == 0 || ran+refused != starts || found != 2*ran {
		t.Errorf("%d runs, %d were refused, and there are %d snapshots", ran, refused, found)
	}
	t.Logf("%d runs, %d refused", ran, refused)
}

// A second run in a folder names the process that has it, also when that process has it by a supervision; who only reads goes on.
func TestLockOfAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "saves")
	lock, err := folderlock.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = folderlock.Lock(dir)
	if want := fmt.Sprintf("%s is in use by process %d; ", dir, os.Getpid()); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	check(t, lock.Close())
	lock, err = folderlock.Lock(dir)
	check(t, err)
	check(t, lock.Close())
}
