//go:build unix

package app

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

func init() {
	helpers["operated"] = func() {
		hurry()
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, Natives(map[string]ecs.NativeFunc{
			"block": turns(func(w *ecs.World) error { // while there is a file of that name
				if w.Frame()%8 == 1 {
					fmt.Println("pid", os.Getpid(), "frame", w.Frame())
				}
				for {
					if _, err := os.Stat("block"); err != nil {
						return nil
					}
					time.Sleep(time.Millisecond)
				}
			}),
		})))
	}
}

// An operated is a process that runs a world without an end, and what it has said.
type operated struct {
	t      *testing.T
	dir    string
	cmd    *exec.Cmd
	socket *net.UnixConn
	url    string

	mu   sync.Mutex
	said string
	pid  int // of the process that runs frames
}

// startOperated starts a run whose frames take 2 ms, and waits until its metrics can be read.
func startOperated(t *testing.T, args ...string) *operated {
	return startOperatedIn(t, t.TempDir(), args...)
}

// startOperatedIn is startOperated in a folder that may have files, of which more.yaml is the end of the config.
func startOperatedIn(t *testing.T, dir string, args ...string) *operated {
	o := &operated{t: t, dir: dir}
	more, _ := os.ReadFile(filepath.Join(dir, "more.yaml"))
	check(t, os.WriteFile(filepath.Join(o.dir, "world.yaml"), []byte("version: 1\nrun: { frames: 0, dt: 0.002, realtime: true }\nscripts: .\nsystems:\n  - { name: block, native: block }\n"+string(more)), 0o666))
	path := filepath.Join(o.dir, "notify")
	var err error
	o.socket, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	check(t, err)
	t.Cleanup(func() { _ = o.socket.Close() })
	o.cmd = exec.Command(os.Args[0])
	o.cmd.Args = append([]string{"operated", "run", "world.yaml", "--metrics", "127.0.0.1:0", "--health", "60ms", "--snapshot", "snaps"}, args...)
	o.cmd.Dir = o.dir
	o.cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+path, "WATCHDOG_USEC=60000", "SAVEEVERY=50ms")
	stderr, err := o.cmd.StderrPipe()
	check(t, err)
	stdout, err := o.cmd.StdoutPipe()
	check(t, err)
	check(t, o.cmd.Start())
	t.Cleanup(func() { _ = o.cmd.Process.Kill() })
	url := make(chan string, 1)
	read := func(from io.Reader) {
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			o.mu.Lock()
			o.said += lines.Text() + "\n"
			if words := strings.Fields(lines.Text()); len(words) == 4 && words[0] == "pid" {
				o.pid, _ = strconv.Atoi(words[1])
			}
			o.mu.Unlock()
			if at, ok := strings.CutPrefix(lines.Text(), "metrics: "); ok {
				url <- strings.TrimSuffix(at, "/metrics")
			}
		}
	}
	go read(stderr)
	go read(stdout)
	select {
	case o.url = <-url:
	case <-time.After(2 * time.Minute):
		t.Fatalf("no address: %s", o.log())
	}
	return o
}

func (o *operated) log() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.said
}

// until waits until something is so.
func (o *operated) until(what string, is func() bool) {
	o.t.Helper()
	for began := time.Now(); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			o.t.Fatalf("not so after a while: %s\n%s", what, o.log())
		}
	}
}

func (o *operated) get(path string) (code int, body string) {
	answer, err := http.Get(o.url + path)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}

func (o *operated) metric(name string) float64 {
	_, body := o.get("/metrics")
	m := regexp.MustCompile(`(?m)^ecsrun_` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(body)
	if m == nil {
		return -1
	}
	v, err := strconv.ParseFloat(m[1], 64)
	check(o.t, err)
	return v
}

// told waits for a line on the notify socket, and passes over signs of life.
func (o *operated) told(want string) {
	o.t.Helper()
	for {
		var b [256]byte
		check(o.t, o.socket.SetReadDeadline(time.Now().Add(2*time.Minute)))
		n, err := o.socket.Read(b[:])
		check(o.t, err)
		if got := string(b[:n]); got == want+"\n" {
			return
		} else if got != "WATCHDOG=1\n" {
			o.t.Fatalf("%q, want %s", got, want)
		}
	}
}

// end stops the run.
func (o *operated) end() {
	o.t.Helper()
	check(o.t, o.cmd.Process.Signal(syscall.SIGTERM))
	o.told("STOPPING=1")
	_ = o.cmd.Wait() // the code counts
	if code := o.cmd.ProcessState.ExitCode(); code != 0 {
		o.t.Errorf("exit code %d\n%s", code, o.log())
	}
}

// A run tells systemd and health checks how it is, and saves when it is asked to: in a long turn, and during a save.
func TestOperatedRun(t *testing.T) {
	o := startOperated(t)
	o.until("ready", func() bool { code, _ := o.get("/readyz"); return code == http.StatusOK })
	o.told("READY=1")
	o.told("WATCHDOG=1")
	o.until("healthy", func() bool { code, _ := o.get("/healthz"); return code == http.StatusOK })

	check(t, os.WriteFile(filepath.Join(o.dir, "block"), nil, 0o666))
	o.until("unhealthy in a long turn", func() bool {
		_, body := o.get("/healthz")
		return strings.Contains(body, "a turn takes longer than 60ms")
	})
	check(t, o.cmd.Process.Signal(syscall.SIGUSR1))
	if n := o.metric("snapshots_total"); n != 0 {
		t.Errorf("%v snapshots in the middle of a turn", n)
	}
	check(t, os.Remove(filepath.Join(o.dir, "block")))
	o.until("healthy again", func() bool { code, _ := o.get("/healthz"); return code == http.StatusOK })
	o.until("a snapshot", func() bool { return o.metric("snapshots_total") == 1 })
	for n := 2.0; n < 12; n++ {
		check(t, o.cmd.Process.Signal(syscall.SIGUSR1))
		o.until("one more snapshot", func() bool { return o.metric("snapshots_total") >= n })
	}
	for range 20 { // some come during a save; the run goes on
		check(t, o.cmd.Process.Signal(syscall.SIGUSR1))
	}
	frames := o.metric("frames_total")
	o.until("more frames", func() bool { return o.metric("frames_total") > frames })
	if got := o.metric(`turns_total{system="block"}`); got <= 0 {
		t.Errorf("%v turns", got)
	}
	o.end()
	for _, want := range []string{"INF SIGUSR1: saves frame ", "INF starts world.yaml ", "INF ended: interrupted frames=", "a turn took longer than its dt"} {
		if !strings.Contains(o.log(), want) {
			t.Errorf("no %q in the log:\n%s", want, o.log())
		}
	}
	if strings.Count(o.log(), "a turn took longer") != 1 {
		t.Error("lag is said more than once")
	}
}

// The parent of a supervision serves metrics and health over the deaths of its children, and passes on what asks for a save.
func TestOperatedSupervision(t *testing.T) {
	o := startOperated(t, "--supervise")
	o.told("READY=1")
	o.until("snapshots", func() bool { return o.metric("snapshots_total") > 0 })
	check(t, o.cmd.Process.Signal(syscall.SIGUSR1))
	o.until("asked", func() bool { return strings.Contains(o.log(), "SIGUSR1: saves frame ") })
	before := o.metric("frames_total")
	o.mu.Lock()
	child := o.pid
	o.mu.Unlock()
	if child == 0 || child == o.cmd.Process.Pid {
		t.Fatalf("child %d", child)
	}
	check(t, syscall.Kill(child, syscall.SIGKILL))
	o.until("the next child", func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.pid != child
	})
	o.until("healthy again", func() bool { code, _ := o.get("/healthz"); return code == http.StatusOK })
	if after := o.metric("frames_total"); after < before {
		t.Errorf("%v frames, and %v before the death", after, before)
	}
	o.end()
}

// Under --supervise with --inspect-wait each child begins paused at the same address. What was edited since the newest snapshot is lost, and the
// parent says so; the next child has a history of its own.
func TestInspectedSupervision(t *testing.T) {
	o := startOperated(t, "--supervise", "--inspect", "--inspect-wait", "--inspect-token-file", "token", "--history", "1MiB")
	o.told("READY=1")
	token := filepath.Join(o.dir, "token")
	asked := func(want string, args ...string) {
		t.Helper()
		if got := ask(append([]string{token}, args...)...); !strings.Contains(got, want) {
			t.Fatalf("%q: %s, wants %s\n%s", args, got, want, o.log())
		}
	}
	asked(`"paused": true`, "world.info")
	asked(`"first": 0,`, "history.list")
	asked("null", "run.resume")
	o.until("snapshots", func() bool { return o.metric("snapshots_total") > 0 })
	asked("{", "run.pause")
	asked(`"paused": true`, "world.info")
	asked("values", "lua.eval", `{"code": "x = 1", "as": "write"}`)
	asked("values", "lua.eval", `{"code": "x = 2", "as": "write"}`)
	o.mu.Lock()
	child := o.pid
	o.mu.Unlock()
	check(t, syscall.Kill(child, syscall.SIGKILL))
	o.until("the next child", func() bool { return strings.Contains(ask(token, "world.info"), `"paused": true`) })
	if want := "supervise: lost with it: 2 edits of the inspector since the newest snapshot; do them again\n"; !strings.Contains(o.log(), want) {
		t.Errorf("%s\nwants %s", o.log(), want)
	}
	if got := ask(token, "history.list"); !strings.Contains(got, `"on": true`) || strings.Contains(got, `"first": 0,`) {
		t.Error(got)
	}
	asked("null", "run.step", `{"frames": 3}`)
	asked("null", "run.stop")
	_ = o.cmd.Wait() // the code counts
	if code := o.cmd.ProcessState.ExitCode(); code != exitOK {
		t.Error(code, o.log())
	}
}

// The metrics count the frames that were run, and not the startup.
func TestCountedFrames(t *testing.T) {
	o := startOperated(t, "--inspect", "--inspect-wait", "--inspect-token-file", "token")
	o.told("READY=1")
	for _, want := range []float64{0, 3, 10} {
		for _, name := range []string{"frames_total", "frame_seconds_count"} {
			if got := o.metric(name); got != want {
				t.Errorf("%s is %v after %v frames", name, got, want)
			}
		}
		ask(filepath.Join(o.dir, "token"), "run.step", fmt.Sprintf(`{"frames": %d}`, map[float64]int{0: 3, 3: 7, 10: 1}[want]))
	}
	o.end()
}

// A signal that asks for a save while scripts are reloaded is heeded when they are in use.
func TestSaveDuringReload(t *testing.T) {
	dir := t.TempDir()
	const script = "%s\nreturn function(world) world.resources.version = %d end\n"
	version := func(n int, first string) {
		check(t, os.WriteFile(filepath.Join(dir, "slow.lua"), fmt.Appendf(nil, script, first, n), 0o666))
	}
	version(1, "")
	check(t, os.WriteFile(filepath.Join(dir, "more.yaml"), []byte("  - { name: slow, script: slow.lua }\nresources: [{ name: version, type: i32 }]\n"), 0o666))
	o := startOperatedIn(t, dir, "--watch")
	o.told("READY=1")
	version(2, "for i = 1, 2000000 do end")
	o.until("a reload", func() bool {
		check(t, o.cmd.Process.Signal(syscall.SIGUSR1))
		return strings.Contains(o.log(), "reloaded slow.lua")
	})
	saved := o.metric("snapshots_total")
	check(t, o.cmd.Process.Signal(syscall.SIGUSR1))
	o.until("one more snapshot", func() bool { return o.metric("snapshots_total") > saved })
	o.end()
}

// Without the flag nothing listens, and a busy port ends the run before frame 1.
func TestBusyPort(t *testing.T) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer on.Close()
	dir := t.TempDir()
	path := filepath.Join(dir, "world.yaml")
	check(t, os.WriteFile(path, []byte("version: 1\nrun: { frames: 1 }\n"), 0o666))
	var out, said strings.Builder
	if code := Main([]string{"run", path, "--metrics", on.Addr().String()}, strings.NewReader(""), &out, &said); code != exitUsage || out.String() != "" || !strings.Contains(said.String(), " is in use by another program; end that, or choose another port") {
		t.Errorf("code %d, %s%s", code, out.String(), said.String())
	}
}
