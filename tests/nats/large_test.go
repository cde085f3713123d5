package nats

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// replace writes a file of a folder with an expression replaced.
func replace(t *testing.T, dir, name, what, with string) {
	t.Helper()
	path := filepath.Join(dir, name)
	text, err := os.ReadFile(path)
	check(t, err)
	if !strings.Contains(string(text), what) {
		t.Fatalf("no %q in %s", what, name)
	}
	check(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(text), what, with)), 0o600))
}

// Results that are larger than a message of the server, and files that are, arrive.
func TestLargeMessages(t *testing.T) {
	t.Parallel() // it waits most of the time
	dir, port := folder(t), freePort(t)
	replace(t, dir, "sweep.yaml", "frames: 6", "frames: 60")
	replace(t, dir, "sweep.yaml", "value: resources.score }", "value: resources.score, every: 1 }")
	replace(t, dir, "sweep.yaml", "count: 20", "count: 4")
	replace(t, dir, "work.lua", "return function", "-- "+strings.Repeat("long ", 2000)+"\nreturn function")
	conf := filepath.Join(dir, "server.conf")
	check(t, os.WriteFile(conf, []byte("max_payload: 2000\n"), 0o600))
	serve(t, port, "-c", conf)
	url := "nats://127.0.0.1:" + port
	w := start(t, dir, ecsrun, "worker", url, "--workers", "2", "--idle", "3s")
	start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url, "--audit", "50%").wait(t, 0)
	w.wait(t, 0)
	if read(t, dir, "far", "results.csv") != whole(t, dir) || read(t, dir, "far", "series.csv") != read(t, dir, "whole", "series.csv") {
		t.Error("other results")
	}
}

// A signal ends a sweep whose worker is gone: what the worker held comes back after a while, and is taken back.
func TestSignalWithoutWorker(t *testing.T) {
	t.Parallel() // it waits most of the time
	dir, port := folder(t), freePort(t)
	serve(t, port)
	url := "nats://127.0.0.1:" + port
	w := start(t, dir, ecsrun, "worker", url, "--workers", "2")
	s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url)
	begun(dir)
	check(t, syscall.Kill(-w.Process.Pid, syscall.SIGKILL))
	check(t, s.Process.Signal(syscall.SIGTERM))
	s.wait(t, 130)
	start(t, dir, ecsrun, "worker", url, "--idle", "5s")
	start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url).wait(t, 0)
	if read(t, dir, "far", "results.csv") != whole(t, dir) {
		t.Error("other results")
	}
}

// A sweep that ends early takes back the jobs that no worker has.
func TestEarlyEnd(t *testing.T) {
	t.Parallel() // it waits most of the time
	dir, port := folder(t), freePort(t)
	replace(t, dir, "sweep.yaml", "count: 20", "count: 200")
	text := read(t, dir, "sweep.yaml") + "stop: { when: count(score) >= 20, check_every: 10 }\n"
	check(t, os.WriteFile(filepath.Join(dir, "sweep.yaml"), []byte(text), 0o600))
	serve(t, port)
	url := "nats://127.0.0.1:" + port
	start(t, dir, ecsrun, "worker", url, "--workers", "1", "--idle", "5s")
	s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url)
	s.wait(t, 0)
	ran := regexp.MustCompile(`; ran (\d+) jobs`).FindStringSubmatch(s.out.String())
	if len(ran) == 0 {
		t.Fatal(s.out.String())
	}
	if n, err := strconv.Atoi(ran[1]); err != nil || n > 400 {
		t.Errorf("it ran %s jobs, and the end was after 60", ran[1])
	}
	if read(t, dir, "far", "results.csv") != whole(t, dir) {
		t.Error("other results")
	}
}

// A server without memory for streams is named; one that has little gets fewer jobs at a time, so that there is room for results.
func TestLittleMemory(t *testing.T) {
	t.Parallel() // it waits most of the time
	dir := folder(t)
	limited := func(bytes int) (url string) {
		port, conf := freePort(t), filepath.Join(dir, fmt.Sprint("server", bytes, ".conf"))
		check(t, os.WriteFile(conf, fmt.Appendf(nil, "jetstream { max_mem: %d }\n", bytes), 0o600))
		serve(t, port, "-c", conf)
		return "nats://127.0.0.1:" + port
	}
	none := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "none", "--queue", limited(0))
	none.wait(t, 2)
	if said := none.out.String(); !strings.Contains(said, "JetStream of the server has no memory left") {
		t.Errorf("it says %s", said)
	}
	url := limited(12_000)
	w := start(t, dir, ecsrun, "worker", url, "--workers", "2", "--idle", "8s")
	start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url).wait(t, 0)
	w.wait(t, 0)
	if read(t, dir, "far", "results.csv") != whole(t, dir) {
		t.Error("other results")
	}
}

// A worker whose server is gone ends after a while, though it has results to send.
func TestWorkerWithoutServer(t *testing.T) {
	t.Parallel() // it waits most of the time
	dir, port := folder(t), freePort(t)
	nats := serve(t, port)
	url := "nats://127.0.0.1:" + port
	w := start(t, dir, ecsrun, "worker", url, "--workers", "2")
	s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url)
	begun(dir)
	nats.kill()
	check(t, w.Process.Signal(syscall.SIGTERM))
	w.wait(t, 0)
	check(t, s.Process.Signal(syscall.SIGTERM))
	s.wait(t, 130)
	if said := s.out.String(); !strings.Contains(said, "takes no messages, which is tried again: it does not answer") {
		t.Errorf("it says %s", said)
	}
}
