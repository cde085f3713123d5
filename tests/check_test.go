package tests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/luabind"
)

// docs/check.md has a section for each code, in the order of the codes, with its title. The first example of a section
// has exactly that finding; a section of a warning may have a second one, without.
func TestCodesOfCheck(t *testing.T) {
	const page = "docs/check.md"
	text, err := os.ReadFile("../" + page)
	if err != nil {
		t.Fatal(err)
	}
	var headings, codes []string
	for _, m := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(string(text), -1) {
		headings = append(headings, m[1])
	}
	for _, c := range luabind.WarningCodes() {
		codes = append(codes, c.ID+": "+c.Title)
	}
	slices.Sort(headings)
	if !slices.Equal(headings, codes) {
		t.Fatalf("sections: %q\ncodes: %q", headings, codes)
	}
	fences := docFences(t, page)
	base := fences[slices.IndexFunc(fences, func(f docFence) bool { return f.kind == "yaml" })].text
	lines := strings.Split(string(text), "\n")
	section := func(f docFence) string { // the code of the section that a fence is in
		for i := f.line - 1; i >= 0; i-- {
			if m := regexp.MustCompile(`^###? (?:([EW]\d+):)?`).FindStringSubmatch(lines[i]); m != nil {
				return m[1]
			}
		}
		return ""
	}
	examples := map[string][]docFence{}
	dir := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range fences {
		if f.file != "" {
			put(f.file, f.text)
		} else if code := section(f); code != "" {
			examples[code] = append(examples[code], f)
		}
	}
	put("others.lua", `
local ecs = require("ecs")
local all = ecs.query{ "Position", "Health", "Target", tagged = { "burning" } }
return { init = function(world)
  world:spawn{ Position = {}, Health = {}, Target = {}, "burning" }
  world:send("Hit")
  for hit in world:read("Hit") do print(hit.amount, world:count(all)) end
end }`)
	t.Chdir(dir)
	for _, code := range luabind.WarningCodes() {
		of := examples[code.ID]
		if most := map[bool]int{true: 2, false: 1}[code.ID[0] == 'W']; len(of) < 1 || len(of) > most {
			t.Errorf("%s has %d examples, not 1 to %d", code.ID, len(of), most)
			continue
		}
		for i, f := range of {
			config := f.text
			if f.kind != "yaml" {
				put("example.lua", f.text)
				config = base + "systems:\n  - { name: others, stage: startup, script: others.lua }\n  - { name: example, script: example.lua }\n"
			}
			put("check.yaml", config)
			var want []string
			if i == 0 {
				want = []string{code.ID}
			}
			if got := codesIn(t, "check.yaml"); !slices.Equal(slices.Compact(got), want) {
				t.Errorf("%s: found %v, want %v", f.at(), got, want)
			}
		}
	}
}

// codesIn returns the codes that check finds in a config.
func codesIn(t *testing.T, path string) []string {
	t.Helper()
	var stdout, stderr strings.Builder
	app.Main([]string{"check", "--format", "json", path}, strings.NewReader(""), &stdout, &stderr)
	var out struct {
		Findings []struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(stdout.String()), &out); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	var codes []string
	for _, f := range out.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// The shipped worlds have no finding that is not silenced with a reason.
func TestShippedWorldsAreChecked(t *testing.T) {
	t.Chdir("..")
	var stdout, stderr strings.Builder
	if code := app.Main([]string{"check", "--strict", "config"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, &stdout, &stderr)
	}
	for _, pattern := range []string{"config/*.yaml", "config/*/*.yaml", "scripts/*/*.lua", "scripts/*/*/*.lua"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if strings.Contains(line, "ecs: ignore") && !regexp.MustCompile(`ecs: ignore W\d+(, W\d+)*: \S+ \S+`).MatchString(line) {
					t.Errorf("%s: no reason: %s", file, line)
				}
			}
		}
	}
}
