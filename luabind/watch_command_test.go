package luabind_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// wrongWorld makes a folder with a world whose machine code is wrong for some data, and makes it the current folder: the
// tests of it cannot run in parallel.
func wrongWorld(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"world.yaml": `version: 1
scripts: scripts
run: { frames: 6 }
limits: { on_error: skip }
components:
  - { name: Position, fields: [x f64] }
  - { name: Velocity, fields: [dx f64] }
resources: [{ name: speed, type: f64, default: 1 }]
systems:
  - { name: wrong, stage: startup, native: test.wrong }
  - { name: start, stage: startup, script: start.lua }
  - { name: move, script: move.lua }
`,
		"scripts/start.lua": `return function(world)
  for i = 1, 50 do world:spawn{ Position = { x = i }, Velocity = { dx = 1 } } end
  for i = 1, 1000 do world:spawn{ Velocity = { dx = i } } end -- in a small world the loop would begin as closures
end`,
		"scripts/move.lua": `return function(world, dt)
  local speed = world.resources.speed
  for e, pos, vel in world:each("Position", "Velocity") do
    pos.x = pos.x + vel.dx * speed
  end
end`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compileWrongly is a native system that does nothing, but makes the machine code of its world wrong for one number.
func compileWrongly(w *ecs.World) (ecs.SystemFunc, error) {
	*memory.InstrumentsOf(w) = memory.Instruments{
		WatchEvery: 1,
		Miscompiled: &memory.Miscompiled{View: 0, Field: "x", Wrong: func(v float64) float64 {
			if v == 51 {
				return 52
			}
			return v
		}},
	}
	return func(*ecs.World, float64) error { return nil }, nil
}

func ecsrun(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	natives := app.Natives(map[string]ecs.NativeFunc{"test.wrong": compileWrongly})
	code = app.Main(args, strings.NewReader(""), &out, &errs, natives)
	return code, out.String(), errs.String()
}

// Wrong machine code is reported with loop, row, field and both values; the run goes
// on with what closures compute, and ends with code 70; and the file that it leaves
// finds the same again.
func TestWrongMachineCodeEndsRunsWithCode70(t *testing.T) {
	wrongWorld(t)
	code, want, _ := ecsrun("run", "world.yaml", "--quiet", "--hash", "--set", "resources.speed=0.5", "--set", "systems.move.impl=lua")
	if code != 0 {
		t.Fatalf("interpreted: code %d", code)
	}
	code, stdout, stderr := ecsrun("run", "world.yaml", "--quiet", "--hash", "--set", "resources.speed=0.5")
	if code != 70 || stdout != want {
		t.Errorf("code %d\n%swant 70\n%s", code, stdout, want)
	}
	for _, line := range []string{
		`(?m)^move.lua:3: system "move", frame 2: machine code is wrong: Position.x of entity 49v1 \(row 49\): 52 by machine code, 51 by closures$`,
		`(?m)^ +3 \|   for e, pos, vel in world:each`,
		`(?m)^  --> scripts[/\\]move.lua:3$`,
		`(?m)^This is a bug in ecsrun; the loop goes on as closures. To repeat it, and to report it: ecsrun test ecsrun-difference-world-move-3-2.lua$`,
	} {
		if n := len(regexp.MustCompile(line).FindAllString(stderr, -1)); n != 1 {
			t.Errorf("%d times in stderr: %s\n%s", n, line, stderr)
		}
	}
	file, err := os.ReadFile("ecsrun-difference-world-move-3-2.lua")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"--   Position.x = 50.5\n", `set = { "resources.speed=0.5" }`, "world:step(2)"} {
		if !strings.Contains(string(file), text) {
			t.Errorf("the file lacks %s:\n%s", text, file)
		}
	}
	code, stdout, stderr = ecsrun("test", "ecsrun-difference-world-move-3-2.lua")
	if code != 70 || !strings.Contains(stdout, "Position.x of entity 49v1 (row 49): 52 by machine code, 51 by closures") {
		t.Errorf("the file: code %d\n%s%s", code, stdout, stderr)
	}
}

// A summary names it, records have it, and the other commands that run worlds end
// with code 70, too.
func TestWrongMachineCodeInOtherCommands(t *testing.T) {
	wrongWorld(t)
	if code, stdout, _ := ecsrun("run", "world.yaml"); code != 70 || !strings.Contains(stdout, "machine code was wrong: 1 loop") {
		t.Errorf("run: code %d\n%s", code, stdout)
	}
	if code, _, stderr := ecsrun("run", "world.yaml", "--set", "log.format=json"); code != 70 || !strings.Contains(stderr, `"repeat":"ecsrun-difference-world-move-3-1.lua"`) {
		t.Errorf("run, json: code %d\n%s", code, stderr)
	}
	if code, stdout, stderr := ecsrun("run", "world.yaml", "--verify", "move=lua,auto"); code != 70 || !strings.Contains(stdout, "are equal") {
		t.Errorf("run --verify: code %d\n%s%s", code, stdout, stderr)
	}
	file, err := os.ReadFile("ecsrun-difference-world-move-3-1.lua")
	if err != nil || !strings.Contains(string(file), `"systems.move.impl=auto"`) {
		t.Errorf("the file of --verify: %v\n%s", err, file)
	}
	if code, stdout, stderr := ecsrun("bench", "world.yaml", "--frames", "2", "--repeat", "1"); code != 70 {
		t.Errorf("bench: code %d\n%s%s", code, stdout, stderr)
	}
}
