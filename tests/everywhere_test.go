package tests

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
)

// program writes files into a folder, and returns what runs a command there.
func program(t *testing.T, files map[string]string) func(code int, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return func(code int, args ...string) string {
		t.Helper()
		var out, diagnostics bytes.Buffer
		if got := app.Main(args, strings.NewReader(""), &out, &diagnostics); got != code && code >= 0 {
			t.Fatalf("%q: exit code %d: %s", args, got, diagnostics.String())
		}
		return out.String() + diagnostics.String()
	}
}

// sameEverywhere runs c.yaml, which has turns that fail and runs for that many frames. The systems give the same world in each frame under each
// implementation and after a resume, and the record can be replayed; it stays in run.rec, and a snapshot of each frame in saves.
func sameEverywhere(t *testing.T, run func(code int, args ...string) string, frames int, systems []string, flags ...string) {
	t.Helper()
	digests := func(args ...string) (list []string) {
		t.Helper()
		const turnsFailed = 4
		for line := range strings.Lines(run(turnsFailed, slices.Concat([]string{"run", "c.yaml", "--quiet", "--hash", "--hash-every", "1"}, flags, args)...)) {
			if strings.Contains(line, "digest ") {
				list = append(list, strings.TrimSpace(line))
			}
		}
		return list
	}
	var want []string
	for _, impl := range []string{"lua", "closures", "auto"} {
		var args []string
		for _, system := range systems {
			args = append(args, "--set", "systems."+system+".impl="+impl)
		}
		got := digests(args...)
		if want == nil {
			want = got
		}
		if len(got) < frames {
			t.Fatalf("%s: %d digests", impl, len(got))
		}
		sameDigests(t, impl, got, want)
	}
	digests("--snapshot", "saves", "--snapshot-every", "1", "--snapshot-keep", "100", "--record", "run.rec")
	for frame := 1; frame < frames; frame += 3 {
		got := digests("--resume", fmt.Sprintf("saves/frame-%010d.snap", frame))
		if len(got) == 0 {
			t.Fatalf("resumed after frame %d: no digests", frame)
		}
		sameDigests(t, fmt.Sprintf("resumed after frame %d", frame), got, want[len(want)-len(got):])
	}
	run(0, "replay", "run.rec")
}

// sameDigests compares the lines of frames, and shows the first that differs.
func sameDigests(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: %s\nwant %s", what, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d digests, want %d", what, len(got), len(want))
	}
}
