package tests

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
)

// commonWorld is the world of snippets on pages that show none.
const commonWorld = `version: 1
components:
  - { name: Position, fields: [x f64, y f64] }
  - { name: Velocity, fields: [dx f64, dy f64] }
  - { name: Health, fields: [current f64 = 100, max f64 = 100] }
  - { name: Poison, fields: [dps f64] }
tags: [player, enemy]
events:
  - { name: Died, fields: [who entity, cause string] }
`

// isTest tells a file of tests by the word it begins with; ecs.describe is another.
var isTest = regexp.MustCompile(`(?m)^describe\(`)

// tryTest runs a file of tests.
func tryTest(t *testing.T, f docFence, shipped []string, n int) {
	t.Helper()
	if quotes(f.text, shipped) {
		return
	}
	file := f.file
	if file == "" {
		file = fmt.Sprintf("scripts/page%d_test.lua", n)
		if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := 0
	if f.args == "fails" {
		want = 1
	}
	if code, out := docRun("test", file); code != want {
		t.Errorf("%s: ecsrun test: exit code %d, want %d\n%s", f.at(), code, want, out)
	}
}

var returns = regexp.MustCompile(`(?m)^return\b`)

// trySnippet runs Lua that is no file of its own.
func trySnippet(t *testing.T, f docFence, shipped []string, world string) {
	t.Helper()
	source := f.text
	if !returns.MatchString(source) {
		source = `local ecs = require("ecs"); return function(world, dt) ` + strings.TrimRight(source, "\n") + "\nend\n"
	}
	var want []string
	wantLine, wantError := 0, ""
	for i, line := range strings.Split(f.text, "\n") {
		if _, text, ok := strings.Cut(line, "--> "); ok {
			want = append(want, text)
		}
		if _, text, ok := strings.Cut(line, "--! "); ok {
			wantLine, wantError = i+1, text
		}
	}
	frames := "3"
	if len(want) > 0 || wantError != "" {
		frames = "1"
	}
	if given, ok := strings.CutPrefix(f.args, "frames="); ok {
		frames = given
	}
	const name = "snippet"
	file := "config/" + name + ".yaml"
	text := world + "\nscripts: ../scripts\nrun: { frames: " + frames + ", dt: 0.5 }\nsystems:\n  - { name: snippet, script: " + name + ".lua }\n"
	for path, data := range map[string]string{file: text, "scripts/" + name + ".lua": source} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	code := app.Main([]string{"run", file, "--quiet"}, strings.NewReader(""), &stdout, &stderr)
	if wantError != "" {
		if first := fmt.Sprintf("%s.lua:%d: system \"snippet\", frame 1: ", name, wantLine); !strings.Contains(stderr.String(), first+wantError) {
			t.Errorf("%s: got %s\nwant %s%s", f.at(), &stderr, first, wantError)
		}
	} else if code != 0 {
		if !quotes(f.text, shipped) {
			t.Errorf("%s: exit code %d\n%s", f.at(), code, &stderr)
		}
		return
	}
	if len(want) > 0 {
		compareLines(t, f.at(), stdout.String(), strings.Join(want, "\n")+"\n")
	}
}

// shippedLines returns the lines of each shipped script, as bareLines gives them.
func shippedLines(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out = append(out, "\n"+bareLines(string(data)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// quotes reports whether the lines of a snippet are lines of one shipped script, in their order; some may be left out.
func quotes(snippet string, shipped []string) bool {
	return slices.ContainsFunc(shipped, func(script string) bool {
		for line := range strings.Lines(bareLines(snippet)) {
			_, rest, ok := strings.Cut(script, "\n"+line)
			if !ok {
				return false
			}
			script = "\n" + rest
		}
		return true
	})
}

// bareLines leaves out comments, indentation and empty lines.
func bareLines(text string) string {
	out := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "--")
		if line = strings.TrimSpace(line); line != "" {
			out += line + "\n"
		}
	}
	return out
}
