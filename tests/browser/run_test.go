package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var program string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "ecsrun")
	build := exec.Command("go", "build", "-o", program, "./cmd/ecsrun")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// A world is a run with an open inspector.
type world struct {
	address string // of the page, with the token
	host    string
	token   string
	process *exec.Cmd
}

// start runs a world with an open inspector.
func start(t *testing.T, flags ...string) *world {
	t.Helper()
	p := exec.Command(program, append([]string{"run", "testdata/world/world.yaml", "--inspect"}, flags...)...)
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill(); p.Wait() })
	found := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if address, ok := strings.CutPrefix(lines.Text(), "inspector: "); ok {
				found <- address
			}
		}
	}()
	select {
	case address := <-found:
		host, token, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/#t=")
		return &world{address, host, token, p}
	case <-time.After(2 * time.Minute):
		t.Fatal("the run does not say where its inspector is")
		return nil
	}
}

// call calls a method of the control plane.
func (w *world) call(t *testing.T, method string, params map[string]any) any {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	request, _ := http.NewRequest("POST", "http://"+w.host+"/rpc", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+w.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var found struct {
		Result any
		Error  *struct{ Message string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		t.Fatal(err)
	}
	if found.Error != nil {
		t.Fatalf("%s: %s", method, found.Error.Message)
	}
	return found.Result
}

// info returns a value of world.info.
func (w *world) info(t *testing.T, key string) any {
	t.Helper()
	return w.call(t, "world.info", map[string]any{"digest": true}).(map[string]any)[key]
}

// digests returns the digests of the first frames of an unwatched run.
func digests(t *testing.T, frames int) map[string]string {
	t.Helper()
	out, err := exec.Command(program, "run", "testdata/world/world.yaml", "--quiet", "--frames", fmt.Sprint(frames), "--hash-every", "1").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "digest" {
			found[words[1]] = words[2]
		}
	}
	return found
}
