package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// A snapshot of a later program is refused by every command that reads one, and the message says the way out. In a folder, an older one is used, with a warning.
func TestSnapshotsOfALaterVersion(t *testing.T) {
	dir := t.TempDir()
	config, saved := filepath.Join(dir, "world.yaml"), filepath.Join(dir, "saved")
	for path, text := range map[string]string{
		config: "version: 1\nscripts: .\nrun: { frames: 2 }\nsystems: [{ name: a, script: a.lua }]\n", filepath.Join(dir, "a.lua"): "return function(world) world:spawn{} end\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (code int, text string) {
		var out, err bytes.Buffer
		code = Main(args, strings.NewReader(""), &out, &err)
		return code, out.String() + err.String()
	}
	if code, text := run("run", config, "--snapshot", saved, "--snapshot-every", "1"); code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	last := filepath.Join(saved, "frame-0000000002.snap")
	file, err := os.ReadFile(last)
	if err != nil {
		t.Fatal(err)
	}
	file[len("ecsrun snapshot")]++
	if err := os.WriteFile(last, file, 0o666); err != nil {
		t.Fatal(err)
	}
	wayOut := fmt.Sprintf("a later program has written this snapshot: it has version %d of the format, and this program reads version %d; use the program that has written it, or a newer one", snapfile.Version+1, snapfile.Version)
	for _, args := range [][]string{
		{"run", config, "--resume", last},
		{"snapshot", "show", last},
		{"snapshot", "verify", last},
		{"snapshot", "diff", last, last},
		{"snapshot", "export", last, "--format", "jsonl", "--out", filepath.Join(dir, "out")},
	} {
		if code, text := run(args...); code != 2 || !strings.Contains(text, last+": "+wayOut) || strings.Contains(text, "damaged") {
			t.Errorf("%q: exit code %d, %s", args, code, text)
		}
	}
	if code, text := run("run", config, "--frames", "3", "--resume", saved); code != 0 || !strings.Contains(text, last+": "+wayOut+"; an older snapshot is used") {
		t.Errorf("in a folder: exit code %d, %s", code, text)
	}
}
