package config

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestProblems runs testdata/problems.txt: what is said about each mistake, to the
// letter, and that every line of it says what to do.
func TestProblems(t *testing.T) {
	data, err := os.ReadFile("testdata/problems.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, cases, _ := strings.Cut(string(data), "\n=== ")
	for one := range strings.SplitSeq(cases, "\n\n=== ") {
		head, body, _ := strings.Cut(one, "\n")
		format, title, _ := strings.Cut(head, ": ")
		t.Run(title, func(t *testing.T) {
			source, want, found := strings.Cut(body, "\n=> ")
			if !found {
				t.Fatal("the case expects nothing")
			}
			want = strings.ReplaceAll(strings.TrimSpace(want), "\n=> ", "\n")
			c, err := Parse("c."+format, []byte(source+"\n"), Format(format))
			if c != nil {
				t.Error("a config beside the problems")
			}
			if got := fmt.Sprint(err); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			checkProblems(t, err)
		})
	}
}

// checkProblems holds what is true of every error of this package.
func checkProblems(t *testing.T, err error) {
	t.Helper()
	ps, ok := err.(Problems)
	if !ok || len(ps) == 0 {
		t.Fatalf("%T is not Problems with something in it", err)
	}
	for i, p := range ps {
		switch {
		case p.Message == "" || p.Hint == "":
			t.Errorf("%q does not say what is wrong and what to do", p)
		case strings.ContainsAny(p.Error(), "\n\r"):
			t.Errorf("%q takes more than a line", p)
		case p.Pos.File == "":
			t.Errorf("%q is nowhere", p)
		case i > 0 && ps[i-1].Pos.compare(p.Pos) > 0:
			t.Errorf("%q comes after %q", p, ps[i-1])
		}
	}
}

func TestBytesThatAreNoText(t *testing.T) {
	for _, c := range []struct {
		name, source string
		format       Format
		want         string
	}{
		{"nothing", "", YAML, "c:1:1: the config is empty; begin with version: 1"},
		{"blanks", " \n\t\n", TOML, "c:1:1: the config is empty; begin with version: 1"},
		{"no UTF-8", "version: 1\nscripts: \xff\n", YAML, "c:2:10: not UTF-8 text; save the file as UTF-8"},
		{"control character", "version: 1\nscripts: \x01\n", YAML, "c:2:10: a control character in the file; delete it"},
		{"columns count characters", "version: 1\nscripts: é, é: é\n", YAML, `c:2:10: a second value on one line; put the text in quotes if it has ": " in it`},
		{"columns of TOML too", "version = 1\nrun = { \"é\" = 1, sed = 2 }\n", TOML, "c:2:9: run.\"é\": unknown key; keys are frames, dt, realtime, seed, settle\nc:2:18: run.sed: unknown key; did you mean \"seed\"?"},
		{"Windows line ends", "version: 1\r\nrun:\r\n  sede: 1\r\n", YAML, "c:3:3: run.sede: unknown key; did you mean \"seed\"?"},
		{"too large", strings.Repeat("#", maxSize+1), YAML, "c: the file is larger than 1 MiB; is it a config?"},
		{"another format", "a", "ini", `c: unknown format "ini"; use yaml, toml or json`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("c", []byte(c.source), c.format)
			if fmt.Sprint(err) != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			checkProblems(t, err)
		})
	}
}

func TestProblemsUnwrap(t *testing.T) {
	_, err := Parse("c.yaml", []byte("version: 1\nrnu: {}\ntags: [3]\n"), YAML)
	var p *Problem
	if !errors.As(err, &p) || p.Path != "rnu" || p.Pos != (Pos{"c.yaml", 2, 1}) {
		t.Errorf("errors.As gives %+v", p)
	}
}

// Deep nesting and many mistakes must not cost more than their size.
func TestHostileFiles(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		format Format
	}{
		"brackets":      {"version: 1\ntags: " + strings.Repeat("[", 200_000), YAML},
		"dashes":        {strings.Repeat("- ", 200_000), YAML},
		"toml lists":    {"version = 1\ntags = " + strings.Repeat("[", 200_000), TOML},
		"json lists":    {strings.Repeat("[", 200_000), JSON},
		"unknown keys":  {"version: 1\n" + strings.Repeat("syst: 1\n", 20_000), YAML},
		"unknown after": {"version: 1\nsystems:\n" + strings.Repeat("  - { name: a, native: n, after: [b] }\n", 5_000), YAML},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("c", []byte(c.source), c.format)
			checkProblems(t, err)
		})
	}
}

// A script that is given as a config is named as what it is.
func TestScriptAsConfig(t *testing.T) {
	_, err := Parse("rats.LUA", []byte("return function(world) end"), YAML)
	if got := fmt.Sprint(err); got != "rats.LUA: this is a Lua script, no config; name the config that lists it" {
		t.Error(got)
	}
	checkProblems(t, err)
}
