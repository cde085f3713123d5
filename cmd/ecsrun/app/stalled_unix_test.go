//go:build unix

package app

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A run whose stdout or stderr nobody reads is not healthy, and saves and ends after a signal.
func TestStalledReader(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"out.yaml":   "version: 1\nsystems: [{ name: noise, script: out.lua }]\n",
		"err.yaml":   "version: 1\nsystems: [{ name: noise, script: err.lua }]\n",
		"quiet.yaml": "version: 1\nresources: [{ name: n, type: f64 }]\n",
		"out.lua":    `return function(world) for i = 1, 2000 do print(world.frame, string.rep("x", 100)) end end`,
		"err.lua":    `return function() for i = 1, 200 do require("ecs").log.warn(string.rep("x", 100)) end end`,
	} {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	fifo := filepath.Join(dir, "fifo")
	check(t, syscall.Mkfifo(fifo, 0o666))
	reader, err := os.OpenFile(fifo, os.O_RDWR, 0)
	check(t, err)
	defer reader.Close()
	for i, c := range []struct {
		config string
		args   []string
	}{
		{"out.yaml", nil},
		{"out.yaml", []string{"--supervise"}},
		{"out.yaml", []string{"--set", "run.realtime=true"}},
		{"err.yaml", nil},
		{"err.yaml", []string{"--supervise"}},
		{"quiet.yaml", []string{"--record", "fifo"}},
		{"quiet.yaml", []string{"--sample", "n", "--to", "fifo"}},
	} {
		t.Run(c.config+" "+strings.Join(c.args, " "), func(t *testing.T) {
			snaps := fmt.Sprint("snaps", i)
			cmd := exec.Command(os.Args[0])
			cmd.Dir = dir
			cmd.Args = append([]string{"ecsrun", "run", c.config, "--frames", "0", "--snapshot", snaps, "--metrics", "127.0.0.1:0", "--health", "300ms"}, c.args...)
			stdout, err := cmd.StdoutPipe()
			check(t, err)
			stderr, err := cmd.StderrPipe()
			check(t, err)
			cmd.Env = append(os.Environ(), "PATIENCE=5s")
			check(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }()
			problems := bufio.NewReader(stderr)
			url := ""
			for url == "" {
				line, err := problems.ReadString('\n')
				check(t, err)
				if at, ok := strings.CutPrefix(strings.TrimSpace(line), "metrics: "); ok {
					url = strings.TrimSuffix(at, "/metrics")
				}
			}
			o := &operated{t: t, url: url}
			o.until("unhealthy", func() bool {
				code, body := o.get("/healthz")
				return code == http.StatusServiceUnavailable && body == "writing output takes longer than 300ms\n"
			})
			check(t, cmd.Process.Signal(syscall.SIGTERM))
			state := waitFor(t, cmd)
			if code := state.ExitCode(); code != exitScript {
				t.Errorf("exit code %d", code)
			}
			found, _, err := newestSnapshot(filepath.Join(dir, snaps))
			check(t, err)
			found.close()
			var said strings.Builder
			if c.config != "err.yaml" {
				_, _ = problems.WriteTo(&said)
			}
			if len(c.args) > 0 && c.args[0] == "--record" && !strings.Contains(said.String(), "ecsrun: --record: its reader stands still, and the run is to end; frames are lost\n") {
				t.Errorf("said of --record:\n%s", said.String())
			}
			if c.config == "out.yaml" {
				for _, want := range []string{"ecsrun: stdout cannot be written: its reader stands still, and the run is to end; lines are lost\n", "\nlost: ", " of stdout\n", "ended: interrupted"} {
					if !strings.Contains(said.String(), want) {
						t.Errorf("no %q in\n%s", want, said.String())
					}
				}
			}
			_ = stdout.Close()
		})
	}
}

// A reader of --to or --emit-to that has gone is said once and counted, and the run goes on.
func TestReaderThatHasGone(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "w.yaml")
	check(t, os.WriteFile(config, []byte("version: 1\nrun: { seed: 1 }\nevents: [{ name: Died }]\nsystems: [{ name: a, script: a.lua }]\n"), 0o666))
	check(t, os.WriteFile(filepath.Join(dir, "a.lua"), []byte(`return function(world) world:send("Died") end`), 0o666))
	for _, args := range [][]string{
		{"--sample", "count()", "--to"},
		{"--quiet", "--sample", "count()", "--to"},
		{"--emit", "Died", "--emit-to"},
		{"--quiet", "--emit", "Died", "--emit-to"},
	} {
		fifo := filepath.Join(t.TempDir(), "fifo")
		check(t, syscall.Mkfifo(fifo, 0o666))
		go func() { // it ends when the run has opened its side
			if reader, err := os.OpenFile(fifo, os.O_RDONLY, 0); err == nil {
				_ = reader.Close()
			}
		}()
		var out, err strings.Builder
		frames := 20000
		code := Main(append(append([]string{"run", config, "--hash", "--frames", fmt.Sprint(frames)}, args...), fifo), strings.NewReader(""), &out, &err)
		name := args[len(args)-1] + " " + fifo
		all := out.String() + err.String()
		if code != exitScript || strings.Count(all, "ecsrun: "+name+" cannot be written: ") != 1 || strings.Count(all, "\nlost: ") != 1 || !strings.Contains(all, "lines of "+name+"\n") {
			t.Errorf("%q: exit code %d:\n%s", args, code, all)
		}
		if args[0] != "--quiet" && !strings.Contains(all, "ended: all frames done\n") {
			t.Errorf("%q:\n%s", args, all)
		}
	}
}

// What is lost of stdout is said once, by the summary or below it.
func TestLossesAreSaidOnce(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "w.yaml")
	check(t, os.WriteFile(config, []byte("version: 1\nevents: [{ name: Died }]\nsystems: [{ name: a, script: a.lua }]\n"), 0o666))
	check(t, os.WriteFile(filepath.Join(dir, "a.lua"), []byte(`return function(world) world:send("Died") print("line") end`), 0o666))
	for _, args := range [][]string{nil, {"--quiet"}, {"--emit", "Died"}, {"--emit", "Died", "--quiet"}} {
		var err strings.Builder
		code := Main(append([]string{"run", config, "--frames", "200"}, args...), strings.NewReader(""), &disk{full: syscall.ENOSPC}, &err)
		if code != exitScript || strings.Count(err.String(), "lost: ") != 1 {
			t.Errorf("%q: exit code %d:\n%s", args, code, err.String())
		}
	}
}

// waitFor waits until a process has ended, whose output may stay unread.
func waitFor(t *testing.T, cmd *exec.Cmd) *os.ProcessState {
	t.Helper()
	ended := make(chan *os.ProcessState)
	go func() {
		state, _ := cmd.Process.Wait()
		ended <- state
	}()
	select {
	case state := <-ended:
		return state
	case <-time.After(2 * time.Minute):
		t.Fatal("it does not end")
		return nil
	}
}

// A child that stands still as a whole is not healthy, also while it waits for the clock.
func TestFrozenChild(t *testing.T) {
	o := startOperated(t, "--supervise")
	o.told("READY=1")
	child := func() int {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.pid
	}
	o.until("a frame", func() bool { return child() != 0 })
	check(t, syscall.Kill(child(), syscall.SIGSTOP))
	o.until("unhealthy", func() bool {
		_, body := o.get("/healthz")
		return body == "nothing was heard of the run for longer than 60ms\n"
	})
	check(t, syscall.Kill(child(), syscall.SIGCONT))
	o.until("healthy again", func() bool { code, _ := o.get("/healthz"); return code == http.StatusOK })
	o.end()
}
