package app

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/joblog"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/plan"
)

// sweepFiles are a world whose frames take some time, and a sweep of it.
var sweepFiles = map[string]string{
	"world.yaml": `version: 1
scripts: .
resources: [score f64, step i32 = 1, fate string]
systems: [{ name: work, script: work.lua }]
limits: { memory: 64MiB, instructions: 20000000 }
`,
	"work.lua": `local ecs = require("ecs")
local kept = {}
return function(world)
  local r = world.resources
  for i = 1, 20000 do r.score = r.score + ecs.random() end
  if r.fate == "loops" then while true do end end
  if r.fate == "fails" and world.frame == 2 then error("it fails") end
  if r.fate == "eats" then while true do kept[#kept + 1] = ("x"):rep(100000) .. #kept end end
end
`,
	"sweep.yaml": `version: 1
config: world.yaml
frames: 3
seeds: { from: 1, count: 10 }
vary: [{ key: resources.step, values: [1, 2, 3] }]
measure: [{ name: score, value: resources.score }, { name: length, value: frame }]
worst: max(score)
`,
	"fates.yaml": `version: 1
config: world.yaml
frames: 3
seeds: { from: 1, count: 1 }
vary: [{ key: resources.fate, values: [lives, loops, fails, eats] }]
measure: [{ name: length, value: frame }]
`,
	"stop.yaml": `version: 1
config: world.yaml
frames: 2
seeds: { from: 1, count: 60 }
vary: [{ key: resources.step, values: [1, 2, 3] }]
measure: [{ name: score, value: resources.score }]
stop: { when: halfwidth(mean(score)) < 60, check_every: 7 }
`,
}

// sweepFolder makes a folder with these files, and goes there.
func sweepFolder(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sweepFiles {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	t.Chdir(dir)
}

// ecsrun runs the program and wants an exit code.
func ecsrun(t *testing.T, want int, args ...string) string {
	t.Helper()
	out, err := exec.Command("ecsrun", args...).CombinedOutput()
	code := 0
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		code = ended.ExitCode()
	}
	if code != want {
		t.Fatalf("ecsrun %s: exit code %d, want %d\n%s", strings.Join(args, " "), code, want, out)
	}
	return string(out)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	return string(text)
}

// children returns the processes that a process has started.
func children(pid int) (out []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		more, _ := os.ReadFile(task)
		text = append(append(text, ' '), more...)
	}
	for word := range strings.FieldsSeq(string(text)) {
		if n, err := strconv.Atoi(word); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// A sweep that is killed again and again, as a whole or one of its workers, ends with the same files, and no job has run twice but those that were in flight.
// SWEEP_KILLS says how often.
func TestSweepSurvivesKills(t *testing.T) {
	kills := 2
	if n, err := strconv.Atoi(os.Getenv("SWEEP_KILLS")); err == nil {
		kills = n
	}
	sweepFolder(t)
	ecsrun(t, 0, "sweep", "sweep.yaml", "--out", "whole", "--workers", "2")
	src := rand.New(rand.NewPCG(uint64(os.Getpid()), 0))
	round, done := 0, true
	for n := 0; n < kills; n++ {
		if done {
			round++
			done = false
		}
		cmd := exec.Command("ecsrun", "sweep", "sweep.yaml", "--out", fmt.Sprint("killed", round), "--workers", "2")
		var out bytes.Buffer
		cmd.Stderr = &out
		check(t, cmd.Start())
		time.Sleep(time.Duration(50+src.IntN(400)) * time.Millisecond)
		if workers := children(cmd.Process.Pid); n%2 == 1 && len(workers) > 0 {
			_ = syscall.Kill(workers[src.IntN(len(workers))], syscall.SIGKILL) // it may be over
			err := cmd.Wait()
			done = err == nil
			if err != nil {
				t.Fatalf("after the death of a worker: %v\n%s", err, out.String())
			}
		} else {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // it was killed
		}
		if done {
			compareSweeps(t, round)
		}
	}
	ecsrun(t, 0, "sweep", "sweep.yaml", "--out", fmt.Sprint("killed", round), "--workers", "2")
	compareSweeps(t, round)
}

func compareSweeps(t *testing.T, round int) {
	t.Helper()
	dir := fmt.Sprint("killed", round)
	if read(t, dir+"/results.csv") != read(t, "whole/results.csv") || read(t, dir+"/summary.json") != read(t, "whole/summary.json") {
		t.Errorf("round %d: other results", round)
	}
	logs, err := joblog.Files(dir)
	check(t, err)
	seen := map[plan.Key]string{}
	for _, path := range logs {
		_, err := joblog.Scan(strings.NewReader(read(t, path)), func(r *joblog.Record, _ int64) error {
			if seen[r.Key] != "" {
				t.Errorf("job %s is in %s and %s", r.Key, seen[r.Key], path)
			}
			seen[r.Key] = path
			return nil
		}, func(int, bool) {})
		check(t, err)
	}
	if len(seen) != 30 {
		t.Errorf("round %d: %d jobs", round, len(seen))
	}
}

// Worlds that loop, fail or eat memory end no others, and are the same at each number of workers.
func TestSweepOfBadWorlds(t *testing.T) {
	sweepFolder(t)
	out := ecsrun(t, 0, "sweep", "fates.yaml", "--out", "one", "--workers", "1")
	if !strings.Contains(out, "4 of 4 rows, 1 ok, 1 failed, 1 limit, 1 unrepeatable") {
		t.Errorf("%s", out)
	}
	ecsrun(t, 0, "sweep", "fates.yaml", "--out", "three", "--workers", "3")
	if read(t, "one/results.csv") != read(t, "three/results.csv") {
		t.Errorf("they differ:\n%s\n%s", read(t, "one/results.csv"), read(t, "three/results.csv"))
	}
}

// An early end is decided in the order of the plan: at the same row for any number of workers, and when the sweep was killed before.
func TestSweepEndsEarlyAtTheSameRow(t *testing.T) {
	sweepFolder(t)
	out := ecsrun(t, 0, "sweep", "stop.yaml", "--out", "one", "--workers", "1")
	if !strings.Contains(out, "ended early") {
		t.Fatal(out)
	}
	ecsrun(t, 0, "sweep", "stop.yaml", "--out", "many", "--workers", "64")
	for _, file := range []string{"results.csv", "summary.json", "report.html"} {
		if read(t, "one/"+file) != read(t, "many/"+file) {
			t.Errorf("%s differs", file)
		}
	}
	ecsrun(t, 0, "sweep", "report", "many")
	if read(t, "one/results.csv") != read(t, "many/results.csv") {
		t.Error("the report has other rows")
	}
}

// A disk that is full ends the sweep with a message, and it goes on when there is room.
func TestSweepOnAFullDisk(t *testing.T) {
	sweepFolder(t)
	ecsrun(t, 0, "sweep", "sweep.yaml", "--out", "whole")
	cmd := exec.Command("sh", "-c", "ulimit -f 8; exec ecsrun sweep sweep.yaml --out full --workers 1") // no file may be larger than 8 blocks of 512 bytes
	out, _ := cmd.CombinedOutput()                                                                      // the code is what counts
	if code := cmd.ProcessState.ExitCode(); code != 4 || !strings.Contains(string(out), "started again the sweep goes on where it was") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	ecsrun(t, 0, "sweep", "sweep.yaml", "--out", "full")
	if read(t, "full/results.csv") != read(t, "whole/results.csv") {
		t.Error("other results")
	}
}

// All shards joined are the whole sweep. SWEEP_SHARDS says how many there are.
func TestSweepShards(t *testing.T) {
	of := 2
	if n, err := strconv.Atoi(os.Getenv("SWEEP_SHARDS")); err == nil {
		of = n
	}
	sweepFolder(t)
	ecsrun(t, 0, "sweep", "stop.yaml", "--out", "whole")
	args := []string{"sweep", "merge", "stop.yaml", "--out", "joined"}
	for n := range of {
		s := fmt.Sprintf("%d/%d", n+1, of)
		ecsrun(t, 0, "sweep", "stop.yaml", "--out", "parts", "--shard", s)
		shard, err := ledger.ParseShard(s)
		check(t, err)
		args = append(args, filepath.Join("parts", shard.Folder()))
	}
	ecsrun(t, 0, args...)
	for _, file := range []string{"results.csv", "summary.json", "report.html"} {
		if read(t, "whole/"+file) != read(t, "joined/"+file) {
			t.Errorf("%s differs", file)
		}
	}
}

// A folder belongs to one sweep at a time; a signal ends it after its jobs, and it goes on.
func TestSweepLockAndSignal(t *testing.T) {
	sweepFolder(t)
	ecsrun(t, 0, "sweep", "sweep.yaml", "--out", "whole")
	cmd := exec.Command("ecsrun", "sweep", "sweep.yaml", "--out", "s", "--workers", "1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	check(t, cmd.Start())
	for {
		if _, err := os.Stat("s/worker-000.log"); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if text := ecsrun(t, 2, "sweep", "sweep.yaml", "--out", "s"); !strings.Contains(text, fmt.Sprintf("s is in use by process %d; a folder of results belongs to one sweep", cmd.Process.Pid)) {
		t.Error(text)
	}
	check(t, cmd.Process.Signal(syscall.SIGINT))
	_ = cmd.Wait() // the code is what counts
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(out.String(), "left: ") {
		t.Errorf("exit code %d\n%s", code, out.String())
	}
	ecsrun(t, 0, "sweep", "sweep.yaml", "--out", "s")
	if read(t, "s/results.csv") != read(t, "whole/results.csv") {
		t.Error("other results")
	}
}

// A file of the sweep that changes under its workers is noticed, and so is another program.
func TestWorkersRefuseOtherFiles(t *testing.T) {
	dir := t.TempDir()
	b := &plan.Bundle{Program: programIdentity(), Config: "world.yaml", Scripts: "."}
	for name, text := range sweepFiles {
		b.Add(name, []byte(text))
	}
	ask := func() string {
		var out strings.Builder
		p := &program{console: newConsole(&out, &out), stdin: strings.NewReader(`{"key":"00"}`)}
		check(t, p.serveJobs(dir, &out))
		return out.String()
	}
	check(t, layJobs(dir, b))
	if got := ask(); !strings.Contains(got, `"refused":"its files or its program are others than those of the sweep"`) {
		t.Errorf("a wrong key: %s", got)
	}
	path := filepath.Join(dir, bundleFiles, "work.lua")
	text := []byte(read(t, path))
	text[10] ^= 1
	check(t, os.WriteFile(path, text, 0o600))
	if got := ask(); !strings.Contains(got, `"refused":"the file \"work.lua\" was changed"`) {
		t.Errorf("a flipped bit: %s", got)
	}
	b.Program = "another one"
	check(t, layJobs(dir, b))
	if got := ask(); !strings.Contains(got, `"refused":"the sweep is of another program, another one, and this is `) {
		t.Errorf("another program: %s", got)
	}
}
