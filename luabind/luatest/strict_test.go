package luatest

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// rude is a report in which every text has characters that a format could stumble over.
func rude(t *testing.T) *Report {
	t.Helper()
	const name = `\0\1\7\8\27[31m\n\r\t\127\194\155 ]]> <a> & \255\239\191\190\226\128\168 ::error:: %0A # SKIP \\# TODO ` + "' \\\" `x` $y"
	r := run(t, head+`
local name = "`+name+`"
describe(name, function()
  it(name .. "1", function() print(name) end)
  it(name .. "2", function() print(name) error(name) end)
  it(name .. "3", function() assert.same({ name }, { 5, [name] = name }, name) end)
  it(name .. "4", function() pending(name) end)
  it(name .. "4", function() pending() end)
  t.property(name .. "5", { name }, function(s) error(s) end)
  t.bench(name .. "6", function() error(name) end)
end)
describe("twice", function()
  after_each(function() error(name) end)
  it("fails", function() error(name) end)
end)`, Options{Bench: true})
	if len(r.Results) != 8 || len(r.Warnings) != 1 {
		t.Fatalf("%d results, %d warnings\n%s", len(r.Results), len(r.Warnings), outcome(r))
	}
	r.Results = append(r.Results, Result{File: "a\x00\n\x1b_test.lua", Status: Failed, Failures: []Failure{{Phase: "load", Message: "a\x01\xff"}}, Alone: "ecsrun test 'a\x00'"})
	return r
}

// The elements and attributes that JUnit's schema of Jenkins has, which is the strictest in use that knows several
// suites. A testcase has at most one problem.
var junitSchema = map[string][]string{
	"testsuites": {"name", "tests", "failures", "errors", "time"},
	"testsuite":  {"name", "tests", "failures", "errors", "skipped", "time"},
	"testcase":   {"classname", "name", "file", "line", "time"},
	"failure":    {"message", "type"},
	"error":      {"message", "type"},
	"skipped":    {"message"},
	"system-out": {},
}

var junitChildren = map[string][]string{
	"": {"testsuites"}, "testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"skipped", "failure", "error", "system-out"},
}

// readJUnit reads XML as a strict reader does: well-formed, only what the schema has, and counts that are right.
func readJUnit(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("not UTF-8")
	}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = true
	var path []string
	counts := map[string]string{}
	seen := map[string]int{}
	perCase := map[string]int{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			parent := ""
			if len(path) > 0 {
				parent = path[len(path)-1]
			}
			if !slices.Contains(junitChildren[parent], e.Name.Local) {
				return fmt.Errorf("%s in %q", e.Name.Local, parent)
			}
			if e.Name.Local == "testcase" {
				clear(perCase)
			}
			if perCase[e.Name.Local]++; perCase[e.Name.Local] > 1 {
				if parent == "testcase" {
					return fmt.Errorf("two %s in a testcase", e.Name.Local)
				}
			}
			seen[e.Name.Local]++
			for _, a := range e.Attr {
				if !slices.Contains(junitSchema[e.Name.Local], a.Name.Local) {
					return fmt.Errorf("attribute %s of %s", a.Name.Local, e.Name.Local)
				}
				for _, r := range a.Value {
					if r < ' ' && r != '\t' {
						return fmt.Errorf("%q in %s of %s", r, a.Name.Local, e.Name.Local)
					}
				}
				if a.Name.Local == "time" && !regexp.MustCompile(`^\d+\.\d{3}$`).MatchString(a.Value) {
					return fmt.Errorf("time %q", a.Value)
				}
				if e.Name.Local == "testsuites" {
					counts[a.Name.Local] = a.Value
				}
			}
			path = append(path, e.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
	for element, attribute := range map[string]string{"testcase": "tests", "failure": "failures", "error": "errors"} {
		if counts[attribute] != fmt.Sprint(seen[element]) {
			return fmt.Errorf("%s=%s, and %d %s", attribute, counts[attribute], seen[element], element)
		}
	}
	return nil
}

func TestJUnitIsStrict(t *testing.T) {
	for _, r := range []*Report{rude(t), mixed(t), {}} {
		var b strings.Builder
		if err := WriteJUnit(&b, r); err != nil {
			t.Fatal(err)
		}
		if err := readJUnit(b.String()); err != nil {
			t.Errorf("%v\n%.3000s", err, b.String())
		}
	}
}

func TestReportsOfRudeNames(t *testing.T) {
	r := rude(t)
	controls := func(what, text string) {
		t.Helper()
		for i, c := range text {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c >= 0x80 && c < 0xa0 || c == utf8.RuneError && text[i] == 0xff {
				t.Errorf("%s has %q behind %q", what, c, text[max(0, i-80):i])
				return
			}
		}
	}
	text := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{Verbose: true}) }, r)
	controls("the text", text)

	tap := report(func(b *strings.Builder) Reporter { return NewTAP(b) }, r)
	controls("TAP", tap)
	line := regexp.MustCompile(`^(not )?ok \d+ - ([^#\\]|\\[#\\])*( # SKIP ([^#\\]|\\[#\\])*)?$`)
	inside := false
	for one := range strings.Lines(tap) {
		one = strings.TrimSuffix(one, "\n")
		switch {
		case one == "  ---" || one == "  ...":
			inside = one == "  ---"
		case inside:
			key, value, _ := strings.Cut(strings.TrimPrefix(one, "  "), ": ")
			if !regexp.MustCompile(`^\w+$`).MatchString(key) || !json.Valid([]byte(value)) {
				t.Errorf("TAP: %q", one)
			}
		case one == "TAP version 13", one == "1..9", strings.HasPrefix(one, "# "):
		case !line.MatchString(one):
			t.Errorf("TAP: %q", one)
		case strings.Contains(one, " # SKIP") != strings.HasPrefix(one, "ok 4") && strings.Contains(one, " # SKIP") != strings.HasPrefix(one, "ok 5"):
			t.Errorf("TAP: a directive in %q", one)
		}
	}

	lines := report(func(b *strings.Builder) Reporter { return NewJSON(b) }, r)
	controls("JSON", lines)
	if n := strings.Count(lines, "\n"); n != 11 {
		t.Errorf("%d lines of JSON", n)
	}
	for one := range strings.Lines(lines) {
		if !json.Valid([]byte(one)) {
			t.Errorf("JSON: %q", one)
		}
	}

	github := report(func(b *strings.Builder) Reporter { return NewGitHub(b) }, r)
	controls("the annotations", github)
	for one := range strings.Lines(github) {
		if !regexp.MustCompile(`^::(error|warning) file=[^,:]*,line=\d+,title=[^,:\n]*::[^\r]*\n$`).MatchString(one) {
			t.Errorf("annotation %q", one)
		}
	}
	if n := strings.Count(github, "\n"); n != 7 {
		t.Errorf("%d annotations:\n%s", n, github)
	}
}
