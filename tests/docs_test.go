package tests

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/config"
)

// Every fence of the README, CONTRIBUTING and docs/ is tried, by its kind; an unknown kind is a failure, so that nothing goes untested in
// silence.
//
//	yaml toml json   a config: package config takes it. "yaml mistakes": it does not. Without `version:` it is a part of one. "yaml sweep": the file of a sweep.
//	lua              a system's file when it returns something, otherwise the body of an update; it runs in the world of the yaml fence
//	                 above it that has no systems (without one: commonWorld). `--> text` is what a line prints, `--! text` the error it
//	                 ends with. "lua frames=3" says how long; without it 1 frame, or 3 where nothing is said about output. A file with
//	                 describe is a test ("lua fails": one that fails). A piece that does not stand alone must be lines of a shipped script.
//	console, sh      `$ ecsrun …` and `$ go run ./cmd/ecsrun …`, with what they print on stdout and stderr: measured numbers count as
//	                 equal, "…" ends a line or stands for lines, "(exit 4)" is the code. "console frames=60" tries so many frames.
//	pipeline, python commands of a shell, and a program, that run ecsrun; the text fence behind each is what they print
//	go               see docs_go_test.go
//	text             a snapshot, or an excerpt that nothing can check
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
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	shipped := shippedLines(t, filepath.Join(root, "scripts"))
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
					if f.file != "" && strings.Contains(f.text, "systems:") && !isManifest(f) {
						tryRun(t, f)
					}
				case "lua":
					switch {
					case isTest.MatchString(f.text):
						tryTest(t, f, shipped, i)
					case strings.HasPrefix(f.file, "mods/") || f.file != "" && usedBy(fences, f): // tried with what uses it
					default:
						trySnippet(t, f, shipped, world)
					}
				case "pipeline", "python":
					var next *docFence
					if i+1 < len(fences) {
						next = &fences[i+1]
					}
					tryProgram(t, f, next)
				case "console", "sh":
					tryConsole(t, f)
				case "go", "text": // go: all pages at once, in TestDocsGo
				case "":
					if page != "ARCHITECTURE.md" {
						t.Errorf("%s: a fence without a kind; text is the one for snapshots", f.at())
					}
				default:
					t.Errorf("%s: unknown kind of fence %q", f.at(), f.kind)
				}
			}
		})
	}
}

// pageFolder makes the folder of a page: the shipped configs with their files, the scripts, and the files that its fences name.
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
			if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".yaml" && ext != ".lua" && ext != ".csv" {
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
	inside := script.file // in the script folder
	if _, after, ok := strings.Cut(inside, "scripts/"); ok {
		inside = after
	}
	module := strings.ReplaceAll(strings.TrimSuffix(inside, ".lua"), "/", ".")
	return slices.ContainsFunc(fences, func(f docFence) bool {
		return f.kind == "yaml" && f.file != "" && strings.Contains(f.text, inside) ||
			f.kind == "lua" && strings.Contains(f.text, fmt.Sprintf("require(%q)", module))
	})
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
	if f.args == "sweep" {
		_, err = config.ParseSweep(name, []byte(f.text))
	}
	if isManifest(f) {
		err = config.ParseManifest(name, []byte(f.text))
	}
	switch {
	case f.args == "mistakes" && err == nil:
		t.Errorf("%s: no mistake in it", f.at())
	case f.args != "mistakes" && err != nil:
		t.Errorf("%s: %v", f.at(), err)
	}
}

func isManifest(f docFence) bool { return strings.HasSuffix(f.file, "/mod.yaml") }

func withVersion(text string) string {
	if strings.Contains("\n"+text, "\nversion:") {
		return text
	}
	return "version: 1\n" + text
}

// tryRun runs a config that names its file, and so its scripts, which are fences of the page.
func tryRun(t *testing.T, f docFence) {
	t.Helper()
	if code, out := docRun("run", f.file, "--quiet"); (code != 0) != (f.args == "fails") {
		t.Errorf("%s: ecsrun run %s: exit code %d\n%s", f.at(), f.file, code, out)
	}
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
