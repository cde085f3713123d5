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

	"github.com/ecsrun/ecsrun/luabind"
)

// pastWorld is a world in which frames have much that is to be the same again: coroutines, layers, waiting events, observers, random streams,
// failing turns, lines.
func pastWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"world.yaml": `
version: 1
run: { frames: 40, dt: 0.5, seed: 3 }
scripts: .
limits: { on_error: skip }
components: [{ name: Health, fields: [current f64 = 10] }]
tags: [enemy]
resources: [{ name: score, type: i32 }, { name: seen, type: i32 }]
events: [{ name: Hit, fields: [n f64] }]
layers: [{ name: ground, type: i32, width: 8, height: 8 }]
systems:
  - { name: live, script: live.lua }
  - { name: fail, script: fail.lua }
  - { name: last, script: last.lua, stage: last, every: 2 }
`,
		"live.lua": `local co, list = nil, {}
return { state = { n = 0 }, init = function(world)
  co = coroutine.wrap(function() local k = 0 while true do k = k + 1 coroutine.yield(k) end end)
  world:on("added", "Health", function(e) world.resources.seen = world.resources.seen + 1 end)
end, update = function(world)
  list[#list + 1] = co()
  world:spawn({ Health = { current = ecs.random(1, 100) + #list } })
  world.commands:send("Hit", { n = world.frame }, { frames = 3 })
  for e in world:drain("Hit") do world.layers.ground:add(e.n % 8, 1, e.n) world:send("Hit", { n = -1 }) end
  print("frame", world.frame, world.resources.seen)
  ecs.log.info("logged " .. world.frame)
end }`,
		"fail.lua": `local n = 0 return function(world) n = n + 1 world.resources.score = world.resources.score + 1 if world.frame % 5 == 0 then error("failed " .. n) end end`,
		"last.lua": `return function(world) for e, h in world:each("Health") do h.current = h.current + ecs.random() end end`,
	} {
		if strings.Contains(text, "ecs.") {
			text = "local ecs = require(\"ecs\")\n" + text
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "world.yaml")
}

// digestNow returns the digest of the present frame.
func (d *driven) digestNow() string {
	d.t.Helper()
	_, rest, _ := strings.Cut(d.call("world.info", `"digest":true`), `"digest":"`)
	digest, _, _ := strings.Cut(rest, `"`)
	return digest
}

// edit does the edits of a frame of the tests of histories.
func (d *driven) editFor(frame int) {
	switch frame {
	case 4:
		d.wants("entity.spawn", `"set":{"Health":{"current":3}},"tags":["enemy"],"as":"boss"`, `"`)
		d.wants("lua.eval", `"code":"x = (x or 0) + 1 world.resources.score = x * 100","as":"write"`, `{`)
	case 9:
		d.wants("entity.set", `"entity":"@boss","set":{"Health":{"current":77}}`, `true`)
		d.wants("system.set", `"system":"last","every":3,"impl":"lua"`, `null`)
	case 12:
		d.wants("run.step", `"system":true`, `null`)
		d.wants("lua.eval", `"code":"x = x + 1 world:spawn({ Health = { current = x } })","as":"write"`, `{`)
	}
}

// Back and forward again, in a disorder: the same digests; nothing is written twice.
func TestHistory(t *testing.T) {
	const frames = 24
	config, dir := pastWorld(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	input := at("in.jsonl")
	if err := os.WriteFile(input, []byte(`{"frame":6,"set":"score","to":50}`+"\n"+`{"frame":14,"send":"Hit","with":{"n":3}}`+"\n"+`{"frame":23,"set":"score","to":51}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	defer func(share time.Duration) { copyShare = share }(copyShare)
	run := func(name string, visit func(d *driven, frame int)) (stderr string) {
		args := []string{
			config, "--input", input, "--record", at(name + ".rec"), "--snapshot", at(name), "--snapshot-every", "5", "--snapshot-keep", "100",
			"--sample", "score", "--sample", "sum(Health.current)", "--to", at(name + ".csv"), "--emit", "Hit", "--emit-to", at(name + ".jsonl"), "--hash-every", "1", "--metrics", "127.0.0.1:0",
		}
		d := drive(t, append(args, "--history", "8MiB")...)
		for frame := 1; frame <= frames; frame++ {
			if d.editFor(frame); frame == 12 {
				frame++ // a step ends the frame begun, and runs another one
			}
			if got := d.call("run.step", ""); got != "null" {
				t.Fatal(frame, got)
			}
			visit(d, frame)
		}
		d.wants("run.stop", `"reason":"enough"`, "null")
		if code := d.end(); code != exitScript { // turns have failed
			t.Fatal(code, d.err)
		}
		return d.err.String()
	}
	want := map[int]string{}
	plain := run("plain", func(d *driven, frame int) { want[frame] = d.digestNow() })
	check := func(d *driven, frame int) {
		t.Helper()
		if got := d.digestNow(); got != want[frame] {
			t.Fatalf("frame %d: %s, not %s\n%s", frame, got, want[frame], d.err)
		}
	}
	for _, copyShare = range []time.Duration{1, 1 << 30} { // a copy of each frame; only the first one
		name := fmt.Sprint("back", int64(copyShare))
		back := run(name, func(d *driven, frame int) {
			if frame%6 == 0 {
				for _, to := range []int{frame - 3, frame - 5, frame - 5, 1, frame - 4, frame - 1} {
					d.wants("history.goto", fmt.Sprintf(`"frame":%d`, to), "null")
					d.wants("world.info", "", fmt.Sprintf(`{"frame":%d,`, to))
					check(d, to)
					d.wants("run.step", "", "null")
					check(d, to+1)
				}
				d.wants("history.goto", fmt.Sprintf(`"frame":%d`, frame), "null")
			}
			check(d, frame)
		})
		cut := func(text string) string { // the lines of the run, without times
			var out []string
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "frame\t") || strings.HasPrefix(line, "digest") || strings.Contains(line, "logged ") || strings.Contains(line, "failed ") {
					out = append(out, line[max(0, strings.Index(line, "logged ")):])
				}
			}
			return strings.Join(out, "")
		}
		if a, b := cut(plain), cut(back); a != b || strings.Count(a, "logged") != frames {
			t.Errorf("stderr:\n%s\nand with going back:\n%s", a, b)
		}
		for _, end := range []string{".csv", ".jsonl"} {
			a, _ := os.ReadFile(at("plain" + end))
			b, _ := os.ReadFile(at(name + end))
			if len(a) < 100 || string(a) != string(b) {
				t.Errorf("%s: %s\nand with going back:\n%s", end, a, b)
			}
		}
		files := func(name string) (list []string) {
			found, _ := filepath.Glob(at(name + "/*"))
			for _, f := range found {
				list = append(list, filepath.Base(f))
			}
			return list
		}
		if a, b := files("plain"), files(name); fmt.Sprint(a) != fmt.Sprint(b) || len(a) != 6 {
			t.Errorf("snapshots: %v, and with going back %v", a, b)
		}
	}
	for _, name := range []string{"plain", "back1", fmt.Sprint("back", int64(1<<30))} {
		var out, err strings.Builder
		if code := Main([]string{"replay", at(name + ".rec")}, strings.NewReader(""), &out, &err); code != exitOK || !strings.Contains(out.String(), fmt.Sprintf("replay: equal: %d frames", frames)) {
			t.Error(name, code, out.String(), err.String())
		}
	}
}

// Something else that is done in the past begins another way: what was done behind is dropped, files hold the frames of the new way only, and
// its record replays.
func TestHistoryBranches(t *testing.T) {
	config, dir := pastWorld(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	d := drive(t, config, "--record", at("run.rec"), "--snapshot", at("saved"), "--snapshot-every", "5", "--snapshot-keep", "100", "--sample", "score", "--to", at("samples.csv"), "--history", "8MiB")
	for frame := 1; frame <= 20; frame++ {
		if frame == 4 || frame == 9 {
			d.editFor(frame)
		}
		d.wants("run.step", "", "null")
	}
	d.wants("history.list", "", `{"on":true,"first":0,"last":20,"copies":[0`)
	d.wants("history.goto", `"frame":7`, "null")
	d.wants("entity.set", `"entity":"@bos","set":{}`, "-32") // nothing was done: the frames behind are still those
	d.wants("history.list", "", `"last":20`)
	d.wants("run.step", `"system":true`, "null")
	d.wants("lua.eval", `"code":"world.resources.score = 7000","as":"write"`, `{`) // within frame 8
	d.wants("history.list", "", `"last":7`)
	d.wants("history.goto", `"frame":8`, "-32000 frame 8 was not run yet, the last one is 7; run.step goes on")
	d.wants("run.step", `"frames":4`, "null")
	d.wants("world.info", "", `{"frame":12,`)
	d.wants("entity.get", `"entity":"@boss"`, `"current":3`[:9]) // not 77: the edit of frame 9 is gone
	d.wants("lua.eval", `"code":"return world.resources.score"`, `{"values":[7004]`)
	want := d.digestNow()
	d.wants("history.goto", `"frame":9`, "null")
	d.wants("run.resume", "", "null")
	d.wants("run.pause", "", "{")
	d.wants("history.goto", `"frame":12`, "null")
	if got := d.digestNow(); got != want {
		t.Error(got, want)
	}
	d.wants("history.goto", `"frame":10`, "null")
	d.wants("run.stop", "", "null") // the run ends in the past
	if code := d.end(); code != exitScript || !strings.Contains(d.err.String(), "the run takes another way after frame 7: what was printed and sent of frames 8 to 20 belongs to the one that it has left") ||
		!strings.Contains(d.err.String(), "3 snapshots of the way that the run has left moved to ") {
		t.Error(code, d.err)
	}
	var out, err strings.Builder
	if code := Main([]string{"replay", at("run.rec")}, strings.NewReader(""), &out, &err); code != exitOK || !strings.Contains(out.String(), "replay: equal: 10 frames") {
		t.Error(code, out.String(), err.String())
	}
	samples, _ := os.ReadFile(at("samples.csv"))
	if lines := strings.Split(strings.TrimSpace(string(samples)), "\n"); len(lines) != 12 || lines[11] != "10,7002" {
		t.Errorf("%q", lines)
	}
	files, _ := filepath.Glob(at("saved/*.snap"))
	if len(files) != 2 || !strings.HasSuffix(files[1], "frame-0000000010.snap") {
		t.Error(files)
	}
}

func TestHistoryMistakes(t *testing.T) {
	config := pastWorld(t)
	d := drive(t, config)
	d.wants("history.list", "", `{"on":false,"first":0,"last":0,"copies":[],"bytes":0,"memory":0}`)
	d.wants("history.goto", `"frame":1`, "-32000 no history is kept; history.start begins to keep it, and run --history 256MiB keeps it from the start")
	d.wants("history.start", `"memory":"much"`, `-32602 history.start: "memory": "much" is no size; write a whole number and a unit, as in "512MiB"`)
	d.wants("history.start", `"memory":"1KiB"`, "-32000 history.start: a copy takes 0.0 MiB, and the history may take 0.0 MiB")
	d.wants("run.speed", `"speed":1e-300`, "null") // waits for a century at most
	d.wants("run.speed", `"speed":0`, "null")
	d.wants("run.step", `"frames":3`, "null")
	d.wants("run.step", `"system":true`, "null")
	d.wants("history.start", "", `-32000 the world stands within a frame, before the turn of "fail", and is copied between frames; run.step ends the frame`)
	d.wants("run.step", "", "null")
	d.wants("history.start", "", "null")
	d.wants("history.start", `"memory":"0B"`, "-32000 history.start: a copy takes 0.0 MiB, and the history may take 0.0 MiB")
	d.wants("history.goto", `"frame":3`, "-32000 frame 3 is before the history, which begins with frame 5")
	d.wants("history.goto", `"frame":6`, "-32000 frame 6 was not run yet, the last one is 5; run.step goes on")
	d.wants("run.step", `"frames":35`, "null")
	d.wants("history.goto", `"frame":30`, "null") // from the end
	d.wants("run.step", `"system":true`, "null")
	d.wants("history.goto", `"frame":29`, "null") // from within a frame
	d.wants("run.resume", "", "null")
	d.wants("world.info", "", "{")
	if code := d.end(); code != exitScript {
		t.Error(code, d.err)
	}
	for _, c := range [][]string{
		{"run", config, "--history", "1MiB", "--history needs --inspect, or rpc"},
		{"rpc", config, "--history", "", "--history wants a size, as in --history 256MiB"},
		{"rpc", config, "--history", "1mb", `--history: "1mb" is no size; `},
	} {
		var out, err strings.Builder
		if code := Main(c[:len(c)-1], strings.NewReader(""), &out, &err); code != exitUsage || !strings.Contains(err.String(), c[len(c)-1]) {
			t.Error(c, code, err.String())
		}
	}
}

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

// Copies in the memory of dropped ones are those of their frames.
func TestHistoryReusesMemory(t *testing.T) {
	const frames = 36
	defer func(share time.Duration) { copyShare = share }(copyShare)
	copyShare = 1
	config := pastWorld(t)
	d := drive(t, config, "--history", "200KiB")
	var want [frames + 1]string
	for frame := 1; frame <= frames; frame++ {
		d.wants("run.step", "", "null")
		want[frame] = d.digestNow()
	}
	var kept struct {
		First  int
		Copies []int
	}
	list := d.call("history.list", "")
	check(t, json.Unmarshal([]byte(list), &kept))
	if kept.First < 5 || len(kept.Copies) < 2 {
		t.Fatal("no memory was used again, or none is left: ", list)
	}
	for _, frame := range kept.Copies {
		if frame == frames {
			continue
		}
		d.wants("history.goto", fmt.Sprintf(`"frame":%d`, frame), "null")
		if got := d.digestNow(); got != want[frame] {
			t.Errorf("frame %d: %s, not %s", frame, got, want[frame])
		}
		d.wants("run.step", "", "null")
		if got := d.digestNow(); got != want[frame+1] {
			t.Errorf("after frame %d: %s, not %s", frame, got, want[frame+1])
		}
	}
	if code := d.end(); code != exitScript {
		t.Error(code, d.err)
	}
}

// The memory is a bound: the oldest frames go.
func TestHistoryIsBounded(t *testing.T) {
	r := &run{meter: &meter{}, dog: newWatchdog(0, 0)}
	h := &history{run: r, most: 1000}
	for i := range 300 {
		h.copies, h.bytes = append(h.copies, kept{frame: uint64(i), bytes: 10, at: time.Duration(i) * time.Millisecond}), h.bytes+10
		h.inputs = append(h.inputs, luabind.Inputs{Frame: uint64(i)})
		h.shrink(0)
		if h.bytes > h.most || h.bytes != uint64(len(h.copies))*10 || h.copies[len(h.copies)-1].frame != uint64(i) || h.copies[0].frame != 0 {
			t.Fatalf("copy %d: %d copies of %d bytes, from %d on", i, len(h.copies), h.bytes, h.copies[0].frame)
		}
	}
	if len(h.copies) < 30 || h.apart < time.Millisecond || h.apart > 20*time.Millisecond {
		t.Errorf("%d copies, %v apart", len(h.copies), h.apart)
	}
	h.apart = closest
	for i := 300; i < 600; i++ {
		h.copies, h.bytes = append(h.copies, kept{frame: uint64(i), bytes: 10, at: time.Duration(i) * time.Millisecond}), h.bytes+10
		h.shrink(0)
	}
	if h.bytes > 1000 || h.copies[0].frame != 500 || h.inputs != nil {
		t.Errorf("%d bytes, from %d on, inputs %d", h.bytes, h.copies[0].frame, len(h.inputs))
	}
}

// What is done to the world after its frame was saved is in the file at the end, as is what the run has gone back to.
func TestTheLastSaveIsOfTheEnd(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		do    func(d *driven)
	}{
		{"spawned after run.snapshot", nil, func(d *driven) {
			d.wants("run.snapshot", "", "null")
			d.wants("entity.spawn", `"set":{"Health":{"current":5}},"as":"late"`, `"`)
		}},
		{"set after --snapshot-every", []string{"--snapshot-every", "3"}, func(d *driven) { d.wants("resource.set", `"resource":"score","to":99`, "null") }},
		{"gone back before an edit", []string{"--history", "8MiB"}, func(d *driven) {
			d.wants("entity.spawn", `"set":{"Health":{"current":5}},"as":"late"`, `"`)
			d.wants("run.snapshot", "", "null")
			d.wants("history.goto", `"frame":3`, "null")
		}},
		{"gone back before an edit, and edited in another way", []string{"--history", "8MiB"}, func(d *driven) {
			d.wants("resource.set", `"resource":"score","to":1`, "null")
			d.wants("run.snapshot", "", "null")
			d.wants("history.goto", `"frame":3`, "null")
			d.wants("resource.set", `"resource":"score","to":2`, "null")
		}},
		{"gone back", []string{"--history", "8MiB"}, func(d *driven) {
			d.wants("run.snapshot", "", "null")
			d.wants("history.goto", `"frame":1`, "null")
			d.wants("run.step", "", "null")
		}},
	} {
		config, saved := pastWorld(t), filepath.Join(t.TempDir(), "saved")
		d := drive(t, append([]string{config, "--snapshot", saved}, c.flags...)...)
		d.wants("run.step", `"frames":3`, "null")
		c.do(d)
		want := d.digestNow()
		if code := d.end(); code != exitOK {
			t.Error(c.name, code, d.err)
		}
		resumed := drive(t, config, "--resume", saved)
		if got := resumed.digestNow(); got != want {
			t.Errorf("%s: the file has another world", c.name)
		}
		resumed.end()
	}
}
