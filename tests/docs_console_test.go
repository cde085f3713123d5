package tests

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
)

// docRun is ecsrun in the current folder: the exit code, and stdout and stderr in one.
func docRun(args ...string) (code int, out string) {
	var both bytes.Buffer
	code = app.Main(args, strings.NewReader(""), &both, &both)
	return code, both.String()
}

// unrun are commands that a page may show and that are not run here: they would run this test, or belong to a shell.
var unrun = regexp.MustCompile(`^(go test \./\.\.\.|\.ci/run|git clone .*|cd \S+|go (install|build) .*|mygame .*|cmp .*)$`)

func tryConsole(t *testing.T, f docFence) {
	t.Helper()
	text := f.text
	if f.kind == "sh" && !strings.HasPrefix(text, "$ ") { // commands only
		text = "$ " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n$ ")
	}
	blocks := strings.Split("\n"+text, "\n$ ")
	if strings.TrimSpace(blocks[0]) != "" {
		t.Errorf("%s: a console fence begins with a command: $ ecsrun …", f.at())
	}
	for _, b := range blocks[1:] {
		command, want, _ := strings.Cut(b, "\n")
		command, _, _ = strings.Cut(command, "  #")
		command = strings.TrimSpace(command)
		if unrun.MatchString(command) {
			continue
		}
		args := strings.TrimPrefix(strings.TrimPrefix(command, "go run ./cmd/ecsrun "), "ecsrun ")
		if args == command {
			t.Errorf("%s: cannot run %q", f.at(), command)
			continue
		}
		words := shellWords(args)
		if frames, ok := strings.CutPrefix(f.args, "frames="); ok {
			words = append(words, "--frames", frames)
		}
		code, out := docRun(words...)
		if code != 0 {
			out += fmt.Sprintf("(exit %d)\n", code)
		}
		if strings.TrimSpace(want) == "" && code == 0 {
			continue // only that it works
		}
		compareLines(t, f.at()+": "+command, out, want)
	}
}

// shellWords splits at spaces, but not inside double quotes.
func shellWords(s string) (out []string) {
	for i, part := range strings.Split(s, `"`) {
		switch {
		case i%2 == 0:
			out = append(out, strings.Fields(part)...)
		default:
			out = append(out, part)
		}
	}
	return out
}

var (
	measuredNumber = regexp.MustCompile(`[\d,]*\d\.\d+|\d+ %`)
	logLine        = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]{3} `)
)

// normalised leaves out the log, which has the time of day, makes measured numbers and widths equal, and sorts the table of systems, which is in the order of time.
func normalised(text string) []string {
	var lines []string
	table := -1
	for line := range strings.Lines(text) {
		if logLine.MatchString(line) {
			continue
		}
		line = measuredNumber.ReplaceAllString(strings.TrimRight(line, "\n"), "#")
		line = strings.Join(strings.Fields(line), " ")
		if line == "" {
			continue
		}
		lines = append(lines, line)
		if strings.HasPrefix(line, "system impl") {
			table = len(lines)
		}
	}
	if table >= 0 {
		slices.Sort(lines[table:])
	}
	return lines
}

func compareLines(t *testing.T, at, got, want string) {
	t.Helper()
	g, w := normalised(got), normalised(want)
	if !matchLines(g, w) {
		t.Errorf("%s: got\n%s\nthe page has\n%s", at, got, want)
	}
}

// matchLines compares, with "…" as the end of any line and as any lines.
func matchLines(got, want []string) bool {
	for i, w := range want {
		if w == "…" {
			for rest := i; rest <= len(got); rest++ {
				if matchLines(got[rest:], want[i+1:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) {
			return false
		}
		if start, open := strings.CutSuffix(w, "…"); got[i] != w && !(open && strings.HasPrefix(got[i], start)) {
			return false
		}
	}
	return len(got) == len(want)
}
