package app

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/ledger"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// The pictures of docs/sweeps.md: the figures of which sweep they are, and how a small version of it differs.
var sweepPictures = []struct {
	sweep, picture, title string
	small                 *strings.Replacer
}{
	{"army-sweep.yaml", "army.svg", `winner = "red" over resources.archers`, strings.NewReplacer("count: 100", "count: 2", "steps: 20", "steps: 3")},
	{"meadow-sweep.yaml", "meadow.svg", "rabbits", strings.NewReplacer("points: 128", "points: 2", "frames: 300", "frames: 30", "count: 2", "count: 1")},
	{"balance-sweep.yaml", "", "", strings.NewReplacer("count: 400", "count: 30", "> 0.4", "> 0.1", "< 0.6", "< 0.9")},
}

// The examples of the page run: small versions of them by default. With TEST_EFFORT=full they run whole, and their pictures are the ones of the page;
// with SWEEP_PICTURES=1, too, the pictures are written.
func TestSweepExamples(t *testing.T) {
	docs, err := filepath.Abs("../../../docs/sweeps")
	check(t, err)
	write := os.Getenv("SWEEP_PICTURES") != ""
	for _, one := range sweepPictures {
		text := read(t, filepath.Join(docs, one.sweep))
		if !effort.Full() && !write {
			text = one.small.Replace(text)
		}
		text = regexp.MustCompile(`(?m)^config: (.*)$`).ReplaceAllString(text, "config: "+docs+"/$1")
		dir := t.TempDir()
		file := filepath.Join(dir, one.sweep)
		check(t, os.WriteFile(file, []byte(text), 0o600))
		ecsrun(t, 0, "sweep", file, "--out", filepath.Join(dir, "out"))
		if one.picture == "" {
			continue
		}
		picture := pictureOf(t, filepath.Join(dir, "out"), one.title)
		path := filepath.Join(docs, one.picture)
		switch {
		case write:
			check(t, os.WriteFile(path, []byte(picture), 0o600))
		case effort.Full() && picture != read(t, path):
			t.Errorf("%s: another picture than on the page; SWEEP_PICTURES=1 writes it", one.sweep)
		case !strings.Contains(picture, "<svg") || !strings.Contains(read(t, path), "<svg"):
			t.Errorf("%s: no picture", one.sweep)
		}
	}
}

// pictureOf draws a figure of a folder of results: a curve by its title, or the sensitivity of a measure.
func pictureOf(t *testing.T, dir, title string) string {
	t.Helper()
	stored, err := storedPlan(dir)
	check(t, err)
	s, problems := newSweep(&stored.Sweep)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s.plan, err = stored.Restore()
	check(t, err)
	f := (&program{console: newConsole(io.Discard, io.Discard)}).newFleet(s, dir, ledger.Shard{})
	check(t, f.read())
	in, err := f.input()
	check(t, err)
	var out strings.Builder
	for _, one := range in.Sensitivities() {
		if one.Measure == title {
			check(t, one.Draw(&out, s.plan.Keys))
			return out.String()
		}
	}
	for _, c := range in.Curves() {
		if c.Title == title {
			check(t, c.Draw(&out))
			return out.String()
		}
	}
	t.Fatalf("no figure %q", title)
	return ""
}
