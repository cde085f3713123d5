package app

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A line of stdin that comes while a run in real time is in the past begins another way; what came before is done again.
func TestHistoryOfLiveInput(t *testing.T) {
	dir := t.TempDir()
	config, token := filepath.Join(dir, "world.yaml"), filepath.Join(dir, "token")
	check(t, os.WriteFile(config, []byte("version: 1\nrun: { frames: 0, dt: 0.01, realtime: true }\nresources: [{ name: score, type: i32 }]\n"), 0o666))
	stdin, lines := io.Pipe()
	var out, stderr strings.Builder
	code := make(chan int)
	go func() {
		code <- Main([]string{"run", config, "--inspect", "--inspect-wait", "--inspect-token-file", token, "--history", "1MiB", "--input", "-"}, stdin, &out, &stderr)
	}()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(token); err == nil && len(text) > 0 {
			break
		} else if time.Since(began) > time.Minute {
			t.Fatal("there is no token")
		}
	}
	score := func() string { return ask(token, "lua.eval", `{"code": "return world.resources.score"}`) }
	wants := func(want string, args ...string) {
		t.Helper()
		if got := ask(append([]string{token}, args...)...); !strings.Contains(got, want) {
			t.Errorf("%q: %s, wants %s", args, got, want)
		}
	}
	until := func(want string) {
		t.Helper()
		for n := 0; !strings.Contains(score(), want); n++ {
			if n == 1000 {
				t.Fatal(score())
			}
			wants("null", "run.step")
		}
	}
	wants("null", "run.speed", `{"speed": 0}`)
	wants("null", "run.step", `{"frames": 10}`)
	_, _ = io.WriteString(lines, `{"set": "score", "to": 5}`+"\n")
	until("5\n")
	wants("null", "run.step", `{"frames": 2000}`)
	wants("null", "history.goto", `{"frame": 3}`)
	if got := score(); !strings.Contains(got, "0\n") {
		t.Error(got)
	}
	wants("null", "run.step", `{"frames": 1500}`)
	if got := score(); !strings.Contains(got, "5\n") {
		t.Error("what came before is not done again:", got)
	}
	wants("null", "history.goto", `{"frame": 3}`)
	_, _ = io.WriteString(lines, `{"set": "score", "to": 9}`+"\n")
	until("9\n")
	wants("was not run yet", "history.goto", `{"frame": 2000}`)
	wants("null", "run.step", `{"frames": 2000}`)
	if got := score(); !strings.Contains(got, "9\n") {
		t.Error("what was done on the other way comes back:", got)
	}
	wants("null", "run.stop")
	_ = lines.Close()
	if got := <-code; got != exitOK || !strings.Contains(stderr.String(), "the run takes another way after frame ") {
		t.Error(got, stderr.String())
	}
}

// With --watch, the history begins anew with a reload, also with one in the past.
func TestHistoryOfReloads(t *testing.T) {
	dir := t.TempDir()
	config, script := filepath.Join(dir, "world.yaml"), filepath.Join(dir, "a.lua")
	check(t, os.WriteFile(config, []byte("version: 1\nrun: { frames: 0, dt: 1, seed: 1 }\nscripts: .\nresources: [{ name: score, type: f64 }]\nsystems: [{ name: a, script: a.lua }]\n"), 0o666))
	adds := func(n int) {
		t.Helper()
		check(t, os.WriteFile(script, fmt.Appendf(nil, "return function(world) world.resources.score = world.resources.score + %d end", n), 0o666))
	}
	adds(1)
	d := drive(t, config, "--watch", "--history", "16MiB")
	frame, last := 0, 0.0
	digests := map[int]string{}
	step := func() (added float64) { // the score rises by
		t.Helper()
		d.wants("run.step", "", "null")
		frame++
		digests[frame] = d.digestNow()
		var got struct{ Values []float64 }
		check(t, json.Unmarshal([]byte(d.call("lua.eval", `"code":"return world.resources.score"`)), &got))
		added, last = got.Values[0]-last, got.Values[0]
		return added
	}
	for range 5 {
		step()
	}
	until := func(n int) (reloaded int) { // the frame before the first one of the new version
		t.Helper()
		adds(n)
		for range 10_000 {
			if step() == float64(n) {
				return frame - 1
			}
		}
		t.Fatal("the new script never runs")
		return 0
	}
	first := until(1000)
	for range 20 {
		step()
	}
	d.wants("history.goto", fmt.Sprintf(`"frame":%d`, first-1), fmt.Sprintf("is before the history, which begins with frame %d", first))
	newest := frame
	for _, to := range []int{first + 1, newest - 1, first} {
		d.wants("history.goto", fmt.Sprintf(`"frame":%d`, to), "null")
		for frame := to; frame <= newest; frame++ {
			if got := d.digestNow(); got != digests[frame] {
				t.Fatalf("from %d: frame %d is another one", to, frame)
			}
			if frame < newest {
				d.wants("run.step", "", "null")
			}
		}
	}
	d.wants("history.goto", fmt.Sprintf(`"frame":%d`, first+2), "null")
	frame = first + 2
	first = until(7)
	step()
	newest = frame
	d.wants("history.goto", fmt.Sprintf(`"frame":%d`, first-1), "is before the history")
	d.wants("history.goto", fmt.Sprintf(`"frame":%d`, first+1), "null")
	if got := d.digestNow(); got != digests[first+1] {
		t.Error("after the reload in the past: another frame")
	}
	d.wants("run.step", fmt.Sprintf(`"frames":%d`, newest-first-1), "null")
	if got := d.digestNow(); got != digests[newest] {
		t.Error("after the reload in the past: another last frame")
	}
	if code := d.end(); code != exitOK {
		t.Error(code, d.err)
	}
}
