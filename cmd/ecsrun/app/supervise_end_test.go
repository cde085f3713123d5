//go:build unix

package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A supervised is a parent whose child has run a frame.
type supervised struct {
	cmd    *exec.Cmd
	child  int // its process
	stdout *bufio.Reader
	stderr strings.Builder
}

func startSupervised(t *testing.T, dir, snaps string, args ...string) *supervised {
	t.Helper()
	s := &supervised{cmd: exec.Command(os.Args[0])}
	s.cmd.Dir = dir
	s.cmd.Args = append([]string{"deadly", "run", "world.yaml", "--frames", "0", "--supervise", "--snapshot", snaps}, args...)
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	check(t, err)
	check(t, s.cmd.Start())
	s.stdout = bufio.NewReader(out)
	for s.child == 0 {
		line, err := s.stdout.ReadString('\n')
		if err != nil {
			t.Fatalf("%v\n%s", err, s.stderr.String())
		}
		var frame int
		_, _ = fmt.Sscanf(line, "frame %d %d", &frame, &s.child)
	}
	t.Cleanup(func() { _ = syscall.Kill(s.child, syscall.SIGKILL) })
	return s
}

// end waits until both processes have ended, and returns the rest of stdout.
func (s *supervised) end() string {
	rest, _ := io.ReadAll(s.stdout)
	_ = s.cmd.Wait() // how it has ended is asked of its state
	return string(rest)
}

// wholeSnapshot wants one file in a folder, and that it is whole.
func wholeSnapshot(t *testing.T, dir string) {
	t.Helper()
	var names []string
	files, err := os.ReadDir(dir)
	check(t, err)
	for _, f := range files {
		if f.Name() != ".lock" {
			names = append(names, f.Name())
		}
	}
	found, _, err := newestSnapshot(dir)
	if err != nil || len(names) != 1 {
		t.Errorf("files %q, %v", names, err)
		return
	}
	found.close()
}

// saveWorld is a world whose save takes a while.
func saveWorld(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"world.yaml": "version: 1\nrun: { realtime: true, dt: 0.01 }\ncomponents: [{ name: P, fields: [x f64, y f64] }]\nsystems:\n  - { name: fill, script: fill.lua }\n  - { name: say, native: process }\n",
		"fill.lua": `return function(world)
  if world.frame == 1 then for i = 1, 50000 do world.commands:spawn { P = { x = math.random() } } end end
end`,
	} {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return dir
}

// A child whose parent is killed saves and ends, each time.
func TestKilledParent(t *testing.T) {
	dir := saveWorld(t)
	for i := range 12 {
		snaps := fmt.Sprint("snaps", i)
		s := startSupervised(t, dir, snaps)
		check(t, s.cmd.Process.Kill())
		if rest := s.end(); !strings.Contains(rest, "ended: interrupted\n") {
			t.Errorf("%s\n%s", rest, s.stderr.String())
		}
		wholeSnapshot(t, filepath.Join(dir, snaps))
	}
}

// A service manager sends a signal to each process, and the parent passes on its own: together they are one.
func TestSignalToBothProcesses(t *testing.T) {
	dir := saveWorld(t)
	for i := range 5 {
		snaps := fmt.Sprint("snaps", i)
		s := startSupervised(t, dir, snaps)
		check(t, s.cmd.Process.Signal(syscall.SIGTERM))
		_ = syscall.Kill(s.child, syscall.SIGTERM) // it may have ended
		rest := s.end()
		if code := s.cmd.ProcessState.ExitCode(); code != exitOK || !strings.Contains(rest, "ended: interrupted\n") {
			t.Errorf("code %d: %s\n%s", code, rest, s.stderr.String())
		}
		wholeSnapshot(t, filepath.Join(dir, snaps))
	}
}

// The second signal to the parent ends both processes, also when the child stands.
func TestSecondSignalToAParent(t *testing.T) {
	dir := saveWorld(t)
	s := startSupervised(t, dir, "snaps")
	check(t, syscall.Kill(s.child, syscall.SIGSTOP))
	check(t, s.cmd.Process.Signal(syscall.SIGTERM))
	check(t, s.cmd.Process.Signal(syscall.SIGINT))
	s.end()
	status, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		t.Errorf("%v", s.cmd.ProcessState)
	}
	if err := syscall.Kill(s.child, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the child: %v", err)
	}
}
