package app

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// ask runs inspect, and returns what it prints.
func ask(args ...string) string {
	var out strings.Builder
	Main(append([]string{"inspect"}, args...), strings.NewReader(""), &out, &out)
	return out.String()
}

// A run with --inspect is looked at and stepped from a terminal, has the digest of any other, and ends with run.stop.
func TestInspect(t *testing.T) {
	config, token := drivenWorld(t), filepath.Join(t.TempDir(), "token")
	var out, stderr strings.Builder
	code := make(chan int)
	go func() {
		code <- Main([]string{"run", config, "--frames", "5", "--inspect", "--inspect-wait", "--inspect-token-file", token, "--hash"}, strings.NewReader(""), &out, &stderr)
	}()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(token); err == nil && len(text) > 0 {
			break
		} else if time.Now().After(deadline) {
			t.Fatal("there is no token")
		}
	}
	url, _ := os.ReadFile(token)
	watched := make(chan string)
	go func() { watched <- ask(token, "Health, #enemy", "--sort", "Health.current", "--watch") }()
	for _, c := range [][]string{
		{"Health, ?Note, #enemy", "entity  Health.current  Health.big  tags\n1v1     20              0           enemy\n3v1     40              0           enemy\n2 of 2 entities\n"},
		{"Health", "--where", "Health.current > 40", "--limit", "1", "1 of 1 entity\n"},
		{"Health", "--json", "--limit=1", `"total": 5,`},
		{"run.step", `{"frames": 2}`, "null\n"},
		{"entity.set", `{"entity": "1v1", "set": {"Health": {"current": 1}}}`, "true\n"},
		{"world.info", `"frame": 2,`},
		{"world.info", "[", "inspect: the params are no JSON: unexpected end of JSON input, at byte 1 of ["},
		{"world.info", "--watch", "are for a query"},
		{"entity.get", `{"entity": "9v9"}`, "inspect: entity 9v9 is dead"},
		{"run.resume", "null\n"},
	} {
		if got := ask(append([]string{token}, c[:len(c)-1]...)...); !strings.Contains(got, c[len(c)-1]) {
			t.Errorf("%q: %s", c, got)
		}
	}
	for !strings.Contains(ask(token, "world.info"), `"ended": "all frames done"`) {
		time.Sleep(time.Millisecond)
	}
	if got := ask(token, "run.step"); !strings.Contains(got, "there is no frame beyond the last one") {
		t.Error(got)
	}
	if got := ask(strings.Replace(strings.TrimSpace(string(url)), "#t=", "#t=x", 1), "world.info"); !strings.Contains(got, "the token is missing or another one") {
		t.Error(got)
	}
	ask(token, "run.stop")
	if got := <-code; got != exitOK || !strings.Contains(out.String(), "edited: 1 time") || strings.Contains(stderr.String(), "/#t=") || !strings.Contains(stderr.String(), "inspector: http://127.0.0.1:") {
		t.Error(got, out.String(), stderr.String())
	}
	if got := <-watched; !strings.Contains(got, "\n1v1     1 ") || !strings.HasSuffix(got, "the run has ended\n") {
		t.Error(got)
	}
	if got := ask(token, "world.info"); !strings.Contains(got, "nobody answers") {
		t.Error(got)
	}
}

// Without the flag there is no socket.
func TestNoInspector(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // /proc has the sockets there
	}
	sockets := func() (n int) {
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		for _, fd := range fds {
			if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.HasPrefix(to, "socket:") {
				n++
			}
		}
		return n
	}
	before := sockets()
	d := drive(t, drivenWorld(t))
	d.wants("world.info", "", `"frame":0`)
	if n := sockets(); n != before {
		t.Errorf("%d sockets, and %d before", n, before)
	}
	d.end()
	for args, want := range map[string]string{
		"--inspect=8.8.8.8:1":                           "can be reached from other machines",
		"--inspect=nonsense":                            "is no address",
		"--inspect-wait":                                "need --inspect",
		"--inspect --inspect-host=me":                   "needs --inspect-insecure",
		"--inspect --verify=poison":                     "do not go together",
		"--inspect --inspect-token-file=/nowhere/token": "no such file or directory",
	} {
		var out strings.Builder
		if code := Main(append([]string{"run", drivenWorld(t)}, strings.Fields(args)...), strings.NewReader(""), &out, &out); code != exitUsage || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %d, %s", args, code, out.String())
		}
	}
}
