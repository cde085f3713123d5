package nats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The programs, which TestMain builds.
var ecsrun, liar, stranger, server string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "ecsrun-nats-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := 1
	build := func(name, in string, args ...string) string {
		path := filepath.Join(dir, name)
		cmd := exec.Command("go", append([]string{"build", "-o", path}, args...)...)
		cmd.Dir = in
		if out, buildErr := cmd.CombinedOutput(); buildErr != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w\n%s", name, buildErr, out))
		}
		return path
	}
	top := filepath.Join("..", "..")
	ecsrun = build("ecsrun", top, "-buildvcs=false", "./cmd/ecsrun")
	liar = build("liar", top, "-buildvcs=false", "-tags", "lyingworker", "./cmd/ecsrun")
	stranger = build("stranger", top, "-buildvcs=false", "-ldflags=-s", "./cmd/ecsrun")
	server = build("nats-server", ".", "github.com/nats-io/nats-server/v2")
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// A world whose frames take a few milliseconds, and 60 of them.
var files = map[string]string{
	"world.yaml": `version: 1
scripts: .
resources: [score f64, step i32 = 1]
systems: [{ name: work, script: work.lua }]
`,
	"work.lua": `local ecs = require("ecs")
return function(world)
  for i = 1, 20000 do world.resources.score = world.resources.score + ecs.random() end
end
`,
	"sweep.yaml": `version: 1
config: world.yaml
frames: 6
seeds: { from: 1, count: 20 }
vary: [{ key: resources.step, values: [1, 2, 3] }]
measure: [{ name: score, value: resources.score }]
`,
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	check(t, err)
	return string(text)
}

// A process is a program that runs beside the test.
type process struct {
	*exec.Cmd
	out *output
}

// An output keeps what a process writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func start(t *testing.T, dir, program string, args ...string) *process {
	t.Helper()
	p := &process{exec.Command(program, args...), &output{}}
	p.Dir, p.Stdout, p.Stderr = dir, p.out, p.out
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	check(t, p.Start())
	t.Cleanup(func() {
		_ = p.Process.Kill() // it may be over
		_ = p.Wait()
	})
	return p
}

func (p *process) kill() {
	_ = p.Process.Kill() // it may be over
	_ = p.Wait()
}

// wait waits for the end and wants an exit code.
func (p *process) wait(t *testing.T, code int) {
	t.Helper()
	done := make(chan bool)
	go func() {
		_ = p.Wait() // the code is what counts
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(4 * time.Minute):
		t.Fatalf("%s does not end\n%s", strings.Join(p.Args, " "), p.out)
	}
	if got := p.ProcessState.ExitCode(); got != code {
		t.Fatalf("%s: exit code %d, want %d\n%s", strings.Join(p.Args, " "), got, code, p.out)
	}
}

// freePort returns a port that nobody uses.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// serve starts a server with JetStream.
func serve(t *testing.T, port string, args ...string) *process {
	t.Helper()
	p := start(t, t.TempDir(), server, append([]string{"-js", "-sd", ".", "-a", "127.0.0.1", "-p", port}, args...)...)
	for range 200 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			_ = c.Close()
			return p
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("the server does not start\n%s", p.out)
	return nil
}

// until waits for a condition, ten seconds at most.
func until(holds func() bool) {
	for range 500 {
		if holds() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// waits reports whether a coordinator has made its streams.
func (p *process) waits() bool { return strings.Contains(p.out.String(), "jobs wait") }

// begun waits until the sweep into the folder far has results.
func begun(dir string) {
	until(func() bool {
		log, err := os.ReadFile(filepath.Join(dir, "far", "worker-000.log"))
		return err == nil && len(log) > 1000
	})
}

// whole runs the sweep without a server, and returns its table.
func whole(t *testing.T, dir string) string {
	t.Helper()
	start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "whole").wait(t, 0)
	return read(t, dir, "whole", "results.csv")
}

// Two workers have the table of one machine, and end when there is nothing to do; the streams are removed.
func TestWorkers(t *testing.T) {
	dir, port := folder(t), freePort(t)
	serve(t, port)
	url := "nats://127.0.0.1:" + port
	a := start(t, dir, ecsrun, "worker", url, "--workers", "2", "--idle", "3s")
	b := start(t, dir, ecsrun, "worker", url, "--workers", "1", "--idle", "3s")
	start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url, "--audit", "20%").wait(t, 0)
	if read(t, dir, "far", "results.csv") != whole(t, dir) || read(t, dir, "far", "summary.json") != read(t, dir, "whole", "summary.json") {
		t.Error("other results")
	}
	start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url).wait(t, 0) // nothing is left
	a.wait(t, 0)
	b.wait(t, 0)
}

// Coordinator, worker and server are killed at random: the table is the same, with each row once.
func TestKills(t *testing.T) {
	kills := 6
	if n, err := strconv.Atoi(os.Getenv("NATS_KILLS")); err == nil {
		kills = n
	}
	dir, port := folder(t), freePort(t)
	want := whole(t, dir)
	url := "nats://127.0.0.1:" + port
	nats := serve(t, port)
	worker := func() *process { return start(t, dir, ecsrun, "worker", url, "--workers", "2") }
	w := worker()
	src := rand.New(rand.NewPCG(uint64(os.Getpid()), 0))
	for round, n := 0, 0; n < kills; round++ {
		out := fmt.Sprint("far", round)
		sweep := func() *process { return start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", out, "--queue", url) }
		s := sweep()
		for range 3 {
			time.Sleep(time.Duration(100+src.IntN(700)) * time.Millisecond)
			switch n++; n % 3 {
			case 0:
				s.kill()
				s = sweep()
			case 1:
				w.kill()
				w = worker()
			default:
				nats.kill()
				nats = serve(t, port)
			}
			if n == kills {
				break
			}
		}
		s.wait(t, 0)
		if got := read(t, dir, out, "results.csv"); got != want {
			t.Fatalf("round %d: other results", round)
		}
	}
	check(t, w.Process.Signal(syscall.SIGTERM))
	w.wait(t, 0)
}

// A worker that is cut off from the server, and comes back, loses nothing.
func TestPartition(t *testing.T) {
	t.Parallel() // it waits most of the time
	long := 4 * time.Second
	if d, err := time.ParseDuration(os.Getenv("NATS_PARTITION")); err == nil {
		long = d
	}
	dir, port := folder(t), freePort(t)
	want := whole(t, dir)
	serve(t, port)
	wire := newWire(t, "127.0.0.1:"+port)
	start(t, dir, ecsrun, "worker", "nats://"+wire.addr, "--workers", "1")
	s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", "nats://127.0.0.1:"+port)
	time.Sleep(1500 * time.Millisecond)
	wire.cut(true)
	time.Sleep(long)
	wire.cut(false)
	s.wait(t, 0)
	if read(t, dir, "far", "results.csv") != want {
		t.Error("other results")
	}
}

// Another build is refused by name, and one that lies is found.
func TestStrangersAndLiars(t *testing.T) {
	dir, port := folder(t), freePort(t)
	serve(t, port)
	url := "nats://127.0.0.1:" + port
	other := start(t, dir, stranger, "worker", url)
	s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url)
	for range 300 {
		if strings.Contains(other.out.String(), "refused: the sweep") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !strings.Contains(other.out.String(), "is of another program") {
		t.Errorf("the worker says %s", other.out)
	}
	check(t, s.Process.Signal(syscall.SIGINT))
	s.wait(t, 130)

	a := start(t, dir, liar, "worker", url, "--workers", "1")
	b := start(t, dir, liar, "worker", url, "--workers", "1")
	s = start(t, dir, liar, "sweep", "sweep.yaml", "--out", "lies", "--queue", url, "--audit", "10%")
	s.wait(t, 1)
	said := s.out.String()
	host, _ := os.Hostname()
	if !strings.Contains(said, "have different results for the same job") || strings.Count(said, host+"/") < 2 {
		t.Errorf("the sweep says %s", said)
	}
	a.kill()
	b.kill()
	s = start(t, dir, liar, "sweep", "sweep.yaml", "--out", "here", "--workers", "2", "--audit", "10%")
	s.wait(t, 1)
	if !strings.Contains(s.out.String(), "have different results for the same job") {
		t.Errorf("the sweep says %s", s.out)
	}
}

// A server with a password: without it there is an error, and the password is nowhere.
func TestSecrets(t *testing.T) {
	dir, port := folder(t), freePort(t)
	serve(t, port, "--user", "ada", "--pass", "lovelace")
	s := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", "nats://ada:wrongword@127.0.0.1:"+port)
	s.wait(t, 2)
	url := "nats://ada:lovelace@127.0.0.1:" + port
	w := start(t, dir, ecsrun, "worker", url, "--idle", "2s")
	good := start(t, dir, ecsrun, "sweep", "sweep.yaml", "--out", "far", "--queue", url)
	good.wait(t, 0)
	w.wait(t, 0)
	if said := s.out.String() + good.out.String() + w.out.String() + read(t, dir, "far", "plan.json"); strings.Contains(said, "lovelace") || strings.Contains(said, "wrongword") {
		t.Errorf("a secret is printed: %s", said)
	}
	start(t, dir, ecsrun, "worker", "nats://127.0.0.1:1").wait(t, 2)
	plain := freePort(t)
	start(t, t.TempDir(), server, "-a", "127.0.0.1", "-p", plain)
	time.Sleep(500 * time.Millisecond)
	p := start(t, dir, ecsrun, "worker", "nats://127.0.0.1:"+plain)
	p.wait(t, 2)
	if !strings.Contains(p.out.String(), "has no JetStream: start it with nats-server -js") {
		t.Errorf("%s", p.out)
	}
}

// A wire passes connections on, until it is cut.
type wire struct {
	addr  string
	mu    sync.Mutex
	off   bool
	conns []net.Conn
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { _ = l.Close() })
	w := &wire{addr: l.Addr().String()}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			w.mu.Lock()
			if err != nil || w.off {
				_ = in.Close()
			} else {
				w.conns = append(w.conns, in, out)
				go func() { _, _ = io.Copy(in, out) }()
				go func() { _, _ = io.Copy(out, in) }()
			}
			w.mu.Unlock()
		}
	}()
	return w
}

func (w *wire) cut(off bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.off = off
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
}
