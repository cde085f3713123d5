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
	"github.com/ecsrun/ecsrun/config"
)

// Every fence of the README, CONTRIBUTING and docs/ is tried, by its kind; an unknown kind is a failure, so that nothing goes untested in
// silence.
//
//	yaml toml json   a config: package config takes it. "yaml mistakes": it does not. Without `version:` it is a part of one.
//	lua              a system's file when it returns something, otherwise the body of an update; it runs in the world of the yaml fence
//	                 above it that has no systems (without one: commonWorld). `--> text` is what a line prints, `--! text` the error it
//	                 ends with. "lua frames=3" says how long; without it 1 frame, or 3 where nothing is said about output. A file with
//	                 describe is a test ("lua fails": one that fails). A piece that does not stand alone must be lines of a shipped script.
//	console, sh      `$ ecsrun …` and `$ go run ./cmd/ecsrun …`, with what they print on stdout and stderr: measured numbers count as
//	                 equal, "…" ends a line or stands for lines, "(exit 4)" is the code. "console frames=60" tries so many frames.
//	go               see docs_go_test.go
//	text             a picture, or an excerpt that nothing can check
//
// A fence whose first line is a comment with a path ("-- scripts/poison.lua") is that file in the folder of the page, beside the shipped
// config/ and scripts/; console fences run there, and each such config is run.
type docFence struct {
	page string
	line int    // of the opening ```
	kind string // first word after ```
	args string // the others
	text string
	file string // path that the first line names, "" without
}

func (f docFence) at() string { return fmt.Sprintf("%s:%d", f.page, f.line) }

var fileComment = regexp.MustCompile(`^(?:--|#|//) ([\w/.-]+\.(?:lua|yaml|toml|json|go))\b`)

// docFences returns the fences of a page, in order.
func docFences(t *testing.T, page string) (out []docFence) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", page))
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for i, line := range strings.Split(string(data), "\n") {
		info, mark := strings.CutPrefix(line, "```")
		switch {
		case mark && open:
			open = false
			f := &out[len(out)-1]
			if m := fileComment.FindStringSubmatch(f.text); m != nil {
				f.file = m[1]
			}
		case mark:
			open = true
			kind, args, _ := strings.Cut(strings.TrimSpace(info), " ")
			out = append(out, docFence{page: page, line: i + 1, kind: kind, args: args})
		case open:
			out[len(out)-1].text += line + "\n"
		}
	}
	if open {
		t.Fatalf("%s: a fence is not closed", page)
	}
	return out
}

// docPages lists the pages, relative to the top folder.
func docPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	out := []string{"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"}
	for _, p := range pages {
		out = append(out, "docs/"+filepath.Base(p))
	}
	return out
}

func TestDocs(t *testing.T) {
	for _, page := range docPages(t) {
		fences := docFences(t, page)
		t.Run(page, func(t *testing.T) {
			dir := pageFolder(t, fences)
			t.Chdir(dir)
			world := commonWorld
			for i, f := range fences {
				switch f.kind {
				case "yaml", "toml", "json":
					tryConfig(t, f)
					if f.kind == "yaml" && f.args == "" && strings.Contains(f.text, "components:") && !strings.Contains(f.text, "systems:") {
						world = withVersion(f.text)
					}
					if f.file != "" && strings.Contains(f.text, "systems:") {
						tryRun(t, f)
					}
				case "lua":
					switch {
					case strings.Contains(f.text, "describe("):
						tryTest(t, f, i)
					case f.file != "" && usedBy(fences, f): // tried with what uses it
					default:
						trySnippet(t, f, world)
					}
				case "console", "sh":
					tryConsole(t, f)
				case "go", "text": // go: all pages at once, in TestDocsGo
				case "":
					if page != "ARCHITECTURE.md" && page != "README.md" {
						t.Errorf("%s: a fence without a kind; text is the one for pictures", f.at())
					}
				default:
					t.Errorf("%s: unknown kind of fence %q", f.at(), f.kind)
				}
			}
		})
	}
}

// pageFolder makes the folder of a page: the shipped configs and scripts, and the files that its fences name.
func pageFolder(t *testing.T, fences []docFence) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root := os.DirFS("..")
	for _, from := range []string{"config", "scripts"} {
		err := fs.WalkDir(root, from, func(path string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".yaml" && ext != ".lua" {
				return err
			}
			data, err := fs.ReadFile(root, path)
			put(path, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range fences {
		if f.file != "" {
			put(f.file, []byte(f.text))
		}
	}
	return dir
}

// usedBy reports whether a config of the page names the script, or another file of it requires it.
func usedBy(fences []docFence, script docFence) bool {
	module := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(script.file, "scripts/"), ".lua"), "/", ".")
	return slices.ContainsFunc(fences, func(f docFence) bool {
		return f.kind == "yaml" && f.file != "" && strings.Contains(f.text, strings.TrimPrefix(script.file, "scripts/")) ||
			f.kind == "lua" && strings.Contains(f.text, fmt.Sprintf("require(%q)", module))
	})
}

// docRun is ecsrun in the current folder: the exit code, and stdout and stderr in one.
func docRun(args ...string) (code int, out string) {
	var both bytes.Buffer
	code = app.Main(args, strings.NewReader(""), &both, &both)
	return code, both.String()
}

func tryConfig(t *testing.T, f docFence) {
	t.Helper()
	text := f.text
	if f.kind == "yaml" && f.args != "mistakes" {
		if strings.HasPrefix(strings.TrimSpace(text), "- ") {
			text = "systems:\n" + text
		}
		text = withVersion(text)
	}
	name := f.file
	if name == "" {
		name = "config/page." + f.kind
	}
	_, err := config.Parse(name, []byte(text), config.Format(f.kind))
	switch {
	case f.args == "mistakes" && err == nil:
		t.Errorf("%s: no mistake in it", f.at())
	case f.args != "mistakes" && err != nil:
		t.Errorf("%s: %v", f.at(), err)
	}
}

func withVersion(text string) string {
	if strings.Contains("\n"+text, "\nversion:") {
		return text
	}
	return "version: 1\n" + text
}

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

// tryRun runs a config that names its file, and so its scripts, which are fences of the page.
func tryRun(t *testing.T, f docFence) {
	t.Helper()
	if code, out := docRun("run", f.file, "--quiet"); code != 0 && f.args != "fails" {
		t.Errorf("%s: ecsrun run %s: exit code %d\n%s", f.at(), f.file, code, out)
	}
}

func tryTest(t *testing.T, f docFence, n int) {
	t.Helper()
	file := f.file
	if file == "" {
		file = fmt.Sprintf("scripts/page%d_test.lua", n)
		if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if shipped(t, f.text) {
		return
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
func trySnippet(t *testing.T, f docFence, world string) {
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
		if !shipped(t, f.text) {
			t.Errorf("%s: exit code %d\n%s", f.at(), code, &stderr)
		}
		return
	}
	if len(want) > 0 {
		compareLines(t, f.at(), stdout.String(), strings.Join(want, "\n")+"\n")
	}
}

// shipped reports whether the lines of a snippet are in one of the shipped scripts, one after another.
func shipped(t *testing.T, snippet string) (found bool) {
	t.Helper()
	lines := func(text string) string {
		out := "\n"
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(line, "--")
			if line = strings.TrimSpace(line); line != "" {
				out += line + "\n"
			}
		}
		return out
	}
	want := lines(snippet)
	err := filepath.WalkDir("scripts", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "snippet") {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || strings.Contains(lines(string(data)), want)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
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

var measuredNumber = regexp.MustCompile(`[\d,]*\d\.\d+|\d+ %`)

// normalised makes measured numbers and widths equal, and sorts the table of systems, which is in the order of time.
func normalised(text string) []string {
	var lines []string
	table := -1
	for line := range strings.Lines(text) {
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

// TestRationaleNamesDependencies: a module that is required directly has its reason in docs/rationale.md, and what is named there is required.
func TestRationaleNamesDependencies(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/rationale.md")
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]bool{}
	for line := range strings.Lines(string(mod)) {
		if f := strings.Fields(line); len(f) == 2 && strings.Contains(f[0], ".") {
			required[f[0]] = true
			if !strings.Contains(string(page), "| `"+f[0]+"` |") {
				t.Errorf("docs/rationale.md does not say why %s", f[0])
			}
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^` ]+/[^` ]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		if !required[m[1]] {
			t.Errorf("docs/rationale.md gives a reason for %s, which go.mod does not require", m[1])
		}
	}
}
