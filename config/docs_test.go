package config

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

var fence = regexp.MustCompile("(?ms)^```([a-z]+)( mistakes)?\n(.*?)^```$")

// TestDocs loads every file that docs/config.md shows, and compares what it says
// about the one with mistakes.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	loaded := map[Format]int{}
	for _, f := range fence.FindAllStringSubmatch(string(page), -1) {
		format := Format(f[1])
		if format != YAML && format != TOML && format != JSON {
			continue
		}
		_, err := Parse("config/arena."+f[1], []byte(f[3]), format)
		switch mistakes := f[2] != ""; {
		case !mistakes && err != nil:
			t.Errorf("%v\nin\n%s", err, f[3])
		case mistakes && err == nil:
			t.Errorf("no mistake in\n%s", f[3])
		case mistakes:
			checkProblems(t, err)
			said := "$ ecsrun check config/arena.yaml\n" + err.Error() + "\n"
			if !strings.Contains(string(page), said) {
				t.Errorf("the page does not say\n%s", said)
			}
			if n := len(err.(Problems)); n != 6 {
				t.Errorf("%d problems, not six", n)
			}
		default:
			loaded[format]++
		}
	}
	if loaded[YAML] == 0 || loaded[TOML] == 0 {
		t.Errorf("the page shows %v", loaded)
	}
}

// The tables of the page name every scalar with its default, and every type and
// key of a system.
func TestDocsNameEveryKey(t *testing.T) {
	data, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	defaults := Default().scalarValues()
	for _, s := range scalars {
		section, name, _ := strings.Cut(s.key, ".")
		_, rest, _ := strings.Cut(page, "### `"+section+"`")
		rest, _, _ = strings.Cut(rest, "\n#")
		value := fmt.Sprint(defaults[s.key])
		if s.key == "limits.memory" || s.key == "limits.script" {
			value = fmt.Sprintf("%dMiB", defaults[s.key].(uint64)>>20)
		}
		if s.key == "limits.world" || s.key == "limits.allocations" {
			value = fmt.Sprintf("%dGiB", defaults[s.key].(uint64)>>30)
		}
		if !strings.Contains(rest, "| `"+name+"` | "+value+" |") && !strings.Contains(rest, "| `"+name+"` | `"+value+"` |") {
			t.Errorf("no row for %s with the default %s", s.key, value)
		}
	}
	for _, word := range append(ecs.FieldTypes(), append(stages, impls...)...) {
		if !strings.Contains(page, "`"+word+"`") {
			t.Errorf("the page does not name %s", word)
		}
	}
}
