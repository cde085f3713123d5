package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
