//go:build linux && (amd64 || arm64)

package confine

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// The attacks run in a process of their own, because what Process takes away does not come back.
func TestMain(m *testing.M) {
	if dir := os.Getenv("CONFINE_TEST"); dir != "" {
		attackAll(dir)
		return
	}
	os.Exit(m.Run())
}

// An attack is something that a confined process must not be able to do, or something that it still must.
type attack struct {
	name string
	do   func(dir string) error
}

var attacks = []attack{
	{"read /etc/passwd", func(string) error { _, err := os.ReadFile("/etc/passwd"); return err }},
	{"list /", func(string) error { _, err := os.ReadDir("/"); return err }},
	{"read its own environment", func(string) error { _, err := os.ReadFile("/proc/self/environ"); return err }},
	{"write its own memory", func(string) error { _, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0); return err }},
	{"write elsewhere", func(dir string) error { return os.WriteFile(filepath.Join(dir, "elsewhere"), nil, 0o666) }},
	{"write to what it may read", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "scripts", "a.lua"), []byte("os.exit()"), 0o666)
	}},
	{"truncate what it may read", func(dir string) error { return os.Truncate(filepath.Join(dir, "scripts", "a.lua"), 0) }},
	{"remove what it may read", func(dir string) error { return os.Remove(filepath.Join(dir, "scripts", "a.lua")) }},
	{"change a mode", func(dir string) error { return os.Chmod(filepath.Join(dir, "scripts", "a.lua"), 0o777) }},
	{"change a time", func(dir string) error {
		return syscall.UtimesNano(filepath.Join(dir, "scripts", "a.lua"), make([]syscall.Timespec, 2))
	}},
	{"leave by a link", func(dir string) error { _, err := os.ReadFile(filepath.Join(dir, "scripts", "link.lua")); return err }},
	{"make a link", func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "snaps", "link")) }},
	{"run a program", func(string) error { return exec.Command("/bin/true").Run() }},
	{"become a program", func(string) error { return syscall.Exec("/bin/true", []string{"true"}, nil) }},
	{"run a program that it wrote", func(dir string) error {
		path := filepath.Join(dir, "snaps", "program")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o777); err != nil {
			return fmt.Errorf("cannot even write it: %w", errors.ErrUnsupported)
		}
		return exec.Command(path).Run()
	}},
	{"connect", func(string) error { _, err := net.Dial("tcp", os.Getenv("CONFINE_LISTENER")); return err }},
	{"listen", func(string) error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err }},
	{"send a datagram", func(string) error { _, err := net.Dial("udp", "127.0.0.1:53"); return err }},
	{"connect by a file", func(dir string) error { _, err := net.Dial("unix", filepath.Join(dir, "socket")); return err }},
	{"open a raw socket", func(string) error {
		_, err := syscall.Socket(syscall.AF_PACKET, syscall.SOCK_RAW, 0)
		return err
	}},
	{"trace its parent", func(string) error { return syscall.PtraceAttach(os.Getppid()) }},
	{"kill its parent", func(string) error { return syscall.Kill(os.Getppid(), syscall.SIGTERM) }},
	{"use io_uring", func(string) error {
		_, _, errno := syscall.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
		return errno
	}},
	{"type into the terminal", func(string) error { return unix.IoctlSetPointerInt(0, tiocSTI, 'x') }},
	{"mount", func(dir string) error { return syscall.Mount("none", filepath.Join(dir, "snaps"), "tmpfs", 0, "") }},
	{"be another root", func(string) error { return syscall.Unshare(syscall.CLONE_NEWUSER) }},
}

var needs = []attack{
	{"read a script", func(dir string) error { _, err := os.ReadFile(filepath.Join(dir, "scripts", "a.lua")); return err }},
	{"read the input", func(dir string) error { _, err := os.ReadFile(filepath.Join(dir, "input.jsonl")); return err }},
	{"list the scripts", func(dir string) error { _, err := os.ReadDir(filepath.Join(dir, "scripts")); return err }},
	{"write a file and rename it", func(dir string) error {
		f, err := os.CreateTemp(filepath.Join(dir, "snaps"), "x")
		if err != nil {
			return err
		}
		if _, err := f.WriteString("x"); err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close(), os.Rename(f.Name(), filepath.Join(dir, "snaps", "a.snap")), os.Remove(filepath.Join(dir, "snaps", "a.snap")))
	}},
	{"start threads", func(string) error {
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { runtime.LockOSThread(); defer runtime.UnlockOSThread(); runtime.Gosched() })
		}
		wg.Wait()
		return nil
	}},
	{"make code executable", func(string) error {
		page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			return err
		}
		return syscall.Mprotect(page, syscall.PROT_READ|syscall.PROT_EXEC)
	}},
	{"signal itself", func(string) error { return syscall.Kill(os.Getpid(), 0) }},
	{"accept on an open socket", nil}, // attackAll has the socket
}

// attackAll confines this process and says of each attack whether it was stopped, also on a thread that was there
// before, and of each need whether it is met.
func attackAll(dir string) {
	before := make(chan func(), 1)
	done := make(chan bool)
	go func() { // a thread that is older than the confinement
		runtime.LockOSThread()
		for do := range before {
			do()
			done <- true
		}
	}()
	before <- func() {}
	<-done
	inspector, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println("cannot listen:", err)
		return
	}
	fmt.Println("inspector", inspector.Addr())
	gaps, err := Process(Rules{Read: []string{filepath.Join(dir, "scripts"), filepath.Join(dir, "input.jsonl")}, Write: []string{filepath.Join(dir, "snaps")}})
	fmt.Printf("gaps %q, error %v\n", gaps, err)
	for _, a := range attacks {
		fmt.Printf("%s: %v\n", a.name, a.do(dir))
		before <- func() { fmt.Printf("%s, old thread: %v\n", a.name, a.do(dir)) }
		<-done
	}
	for _, n := range needs {
		if n.do != nil {
			fmt.Printf("%s: %v\n", n.name, n.do(dir))
		}
	}
	conn, err := inspector.Accept()
	fmt.Printf("accept on an open socket: %v\n", err)
	if err == nil {
		_, err = conn.Write([]byte("hello"))
		fmt.Printf("write to it: %v\n", err)
		_ = conn.Close()
	}
}

// TestAttacks: a confined process can do none of the attacks, and all that it needs.
func TestAttacks(t *testing.T) {
	if v, err := ll.LandlockGetABIVersion(); err != nil || v < truncates {
		t.Skipf("this kernel has Landlock version %d (%v)", v, err)
	}
	dir := t.TempDir()
	for _, sub := range []string{"scripts", "snaps"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(dir, "scripts", "a.lua")
	if err := errors.Join(os.WriteFile(script, []byte("return 1"), 0o666), os.WriteFile(filepath.Join(dir, "input.jsonl"), nil, 0o666), os.Symlink("/etc/passwd", filepath.Join(dir, "scripts", "link.lua"))); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	byFile, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer byFile.Close()

	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CONFINE_TEST="+dir, "CONFINE_LISTENER="+listener.Addr().String())
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := pipe.Read(buffer)
		out.Write(buffer[:n])
		if text, ok := strings.CutPrefix(out.String(), "inspector "); ok && strings.Contains(text, "signal itself") {
			address, _, _ := strings.Cut(text, "\n")
			if conn, err := net.Dial("tcp", address); err == nil {
				defer conn.Close()
			}
		}
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the confined process: %v", err)
	}
	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		if name, result, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			got[name] = result
		}
	}
	if !strings.Contains(out.String(), "gaps [], error <nil>") {
		t.Errorf("there are gaps:\n%s", out.String())
	}
	for _, a := range attacks {
		for _, name := range []string{a.name, a.name + ", old thread"} {
			result := got[name]
			if !strings.Contains(result, "permitted") && !strings.Contains(result, "denied") {
				t.Errorf("%s: not refused: %q", name, result)
			}
		}
	}
	for _, n := range append(needs, attack{name: "write to it"}) {
		if result := got[n.name]; result != "<nil>" {
			t.Errorf("%s: %q", n.name, result)
		}
	}
	if text, _ := os.ReadFile(script); string(text) != "return 1" {
		t.Errorf("the script is now %q", text)
	}
}

// TestGaps: what an older kernel lacks is said.
func TestGaps(t *testing.T) {
	for version, want := range []string{"no Landlock", "truncating", "truncating", "", "", "", "", ""} {
		got := strings.Join(landlockGaps(version), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("version %d: %q", version, got)
		}
	}
}

// TestRulesForWhatIsNotThere: a path that does not exist is an error, before anything is restricted.
func TestRulesForWhatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, r := range []Rules{{Read: []string{filepath.Join(dir, "none")}}, {Write: []string{filepath.Join(dir, "none")}}, {Write: []string{file}}} {
		if _, err := fileRules(r, 3); err == nil {
			t.Errorf("%v: no error", r)
		}
	}
}
