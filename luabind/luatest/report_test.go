package luatest

import (
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"time"
)

func mixed(t *testing.T) *Report {
	t.Helper()
	source := head + `
describe("poison", function()
  it("kills", function() print("it died") end)
  it("never heals", function() print("hp", 1.5) assert.equal(1, 1.5) end)
  it("says why", function() assert.same({ who = 1, cause = "poison" }, { who = 2, cause = "<hunger> & 'thirst'" }, "#1") end)
  it("breaks", function() t.world{ config = "broken" }:step() end)
  it("waits", function() pending("no wings yet") end)
  pending("never # ever")
end)
describe("after", function()
  after_each(function() error("cannot clean up") end)
  it("fails twice", function() error("\27[31mfirst\0") end)
end)`
	r := run(t, source, Options{})
	r.Results = append(r.Results, run(t, "itt()", Options{}).Results...)
	for i := range r.Results {
		r.Results[i].Elapsed = time.Duration(i) * 250 * time.Millisecond
	}
	r.Elapsed = 20 * time.Millisecond
	return r
}

func report(make func(*strings.Builder) Reporter, r *Report) string {
	var b strings.Builder
	reporter := make(&b)
	for _, one := range r.Results {
		reporter.Result(one)
	}
	reporter.End(r)
	return b.String()
}

func TestText(t *testing.T) {
	r := mixed(t)
	got := report(func(b *strings.Builder) Reporter {
		return NewText(b, TextOptions{})
	}, r)
	want(t, got, `
a_test.lua
  ok    poison kills
  FAIL  poison never heals: a_test.lua:4: expected 1, got 1.5
  FAIL  poison says why: a_test.lua:5: #1: cause: expected "poison", got "<hunger> & 'thirst'", and 1 more
  FAIL  poison breaks: broken.lua:4: system "act", frame 1: attempt to index a nil value (local "h")
  wait  poison waits: no wings yet
  wait  poison never # ever
  FAIL  after fails twice: a_test.lua:12: �[31mfirst�
  FAIL  does not load: a_test.lua:1: undeclared global "itt"; did you mean "it"?

1) poison never heals
   a_test.lua:4: expected 1, got 1.5
       4 |   it("never heals", function() print("hp", 1.5) assert.equal(1, 1.5) end)
   printed:
     hp	1.5
   run it alone: ecsrun test --run '^poison never heals$' a_test.lua

2) poison says why
   a_test.lua:5: #1: cause: expected "poison", got "<hunger> & 'thirst'", and 1 more
       5 |   it("says why", function() assert.same({ who = 1, cause = "poison" }, { who = 2, cause = "<hunger> & 'thirst'" }, "#1") end)
   what differs:
     cause: expected "poison", got "<hunger> & 'thirst'"
     who: expected 1, got 2
   run it alone: ecsrun test --run '^poison says why$' a_test.lua

3) poison breaks
   broken.lua:4: system "act", frame 1: attempt to index a nil value (local "h")
       4 |   return h.current
     stack: update (broken.lua:4)
   a_test.lua:6: called from here
       6 |   it("breaks", function() t.world{ config = "broken" }:step() end)
   printed:
     about to fail
   run it alone: ecsrun test --run '^poison breaks$' a_test.lua

4) after fails twice
   a_test.lua:12: �[31mfirst�
      12 |   it("fails twice", function() error("\27[31mfirst\0") end)
   a_test.lua:11: cannot clean up (in after_each)
      11 |   after_each(function() error("cannot clean up") end)
   run it alone: ecsrun test --run '^after fails twice$' a_test.lua

5) a_test.lua does not load
   a_test.lua:1: undeclared global "itt"; did you mean "it"?
       1 | itt()
   run it alone: ecsrun test a_test.lua

5 failed, 1 passed, 2 pending in 0.02 s.`)
}

func TestTextOfSuccess(t *testing.T) {
	r := run(t, `it("x", function() print("hello") end)`, Options{Shuffle: true})
	r.Results[0].Elapsed = time.Second
	got := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{Verbose: true, Color: true}) }, r)
	want(t, got, "a_test.lua\n  \x1b[32mok\x1b[0m    x\x1b[2m (1.0 s)\x1b[0m\n        hello\n\n0 failed, 1 passed, 0 pending in 0.00 s. Shuffled by --seed 42")
}

func TestAloneIsQuotedForTheShell(t *testing.T) {
	r := run(t, `it("costs $5 (it's \"cheap\")", function() error("x") end) it("rings \7", function() error("x") end)`, Options{})
	want(t, r.Results[0].Alone, `ecsrun test --run '^costs \$5 \(it'\''s "cheap"\)$' a_test.lua`)
	want(t, r.Results[1].Alone, `ecsrun test --run '^rings \x{7}$' a_test.lua`)
	if !regexp.MustCompile(`^rings \x{7}$`).MatchString("rings \a") {
		t.Error("the pattern does not match the name")
	}
}

func TestTAP(t *testing.T) {
	got := report(func(b *strings.Builder) Reporter { return NewTAP(b) }, mixed(t))
	want(t, got, `
TAP version 13
ok 1 - poison kills
not ok 2 - poison never heals
  ---
  message: "a_test.lua:4: expected 1, got 1.5"
  at: "a_test.lua:4"
  diff: "expected 1, got 1.5"
  output: "hp\t1.5\n"
  alone: "ecsrun test --run '^poison never heals$' a_test.lua"
  ...
not ok 3 - poison says why
  ---
  message: "a_test.lua:5: #1: cause: expected \"poison\", got \"<hunger> & 'thirst'\", and 1 more"
  at: "a_test.lua:5"
  diff: "cause: expected \"poison\", got \"<hunger> & 'thirst'\"\nwho: expected 1, got 2"
  alone: "ecsrun test --run '^poison says why$' a_test.lua"
  ...
not ok 4 - poison breaks
  ---
  message: "broken.lua:4: system \"act\", frame 1: attempt to index a nil value (local \"h\")"
  at: "a_test.lua:6"
  output: "about to fail\n"
  alone: "ecsrun test --run '^poison breaks$' a_test.lua"
  ...
ok 5 - poison waits # SKIP pending no wings yet
ok 6 - poison never \# ever # SKIP pending
not ok 7 - after fails twice
  ---
  message: "a_test.lua:12: \u001b[31mfirst\u0000"
  at: "a_test.lua:12"
  message_2: "a_test.lua:11: after_each: cannot clean up"
  at_2: "a_test.lua:11"
  alone: "ecsrun test --run '^after fails twice$' a_test.lua"
  ...
not ok 8 - a_test.lua does not load
  ---
  message: "a_test.lua:1: undeclared global \"itt\"; did you mean \"it\"?"
  at: "a_test.lua:1"
  alone: "ecsrun test a_test.lua"
  ...
1..8`)
}

func TestJSON(t *testing.T) {
	r := mixed(t)
	got := report(func(b *strings.Builder) Reporter { return NewJSON(b) }, r)
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != len(r.Results)+1 {
		t.Fatalf("%d lines:\n%s", len(lines), got)
	}
	for i, line := range lines[:len(r.Results)] {
		var one struct {
			Type, File, Status, Name string
			FullName                 string `json:"full_name"`
			Within                   []string
			Seconds                  float64
			Output                   string
			Failures                 []struct {
				Message string
				Line    int
				Diff    []string
				Causes  []struct{ Message string }
			}
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		from := r.Results[i]
		if one.Type != "test" || one.File != from.File || one.Name != from.Name || one.FullName != from.FullName() ||
			one.Status != from.Status.String() || one.Output != from.Output || one.Seconds != from.Elapsed.Seconds() ||
			len(one.Failures) != len(from.Failures) || strings.Join(one.Within, " ") != strings.Join(from.Within, " ") {
			t.Errorf("%s\nis not %+v", line, from)
		}
		for k, f := range one.Failures {
			if was := from.Failures[k]; f.Message != was.Message || f.Line != was.Line || len(f.Diff) != len(was.Diff) || len(f.Causes) != len(was.Causes) {
				t.Errorf("%+v is not %+v", f, was)
			}
		}
	}
	want(t, lines[len(r.Results)], `{"type":"summary","failed":5,"passed":1,"pending":2,"seconds":0.02}`)
}

func TestJUnit(t *testing.T) {
	r := mixed(t)
	r.Results[len(r.Results)-1].File = "b_test.lua"
	var b strings.Builder
	if err := WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	type problem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	var got struct { // as a CI system reads it
		Tests, Failures, Errors, Skipped int `xml:",attr"`
		Time                             float64
		Suite                            []struct {
			Name     string  `xml:"name,attr"`
			Tests    int     `xml:"tests,attr"`
			Failures int     `xml:"failures,attr"`
			Errors   int     `xml:"errors,attr"`
			Skipped  int     `xml:"skipped,attr"`
			Time     float64 `xml:"time,attr"`
			Case     []struct {
				Class   string  `xml:"classname,attr"`
				Name    string  `xml:"name,attr"`
				File    string  `xml:"file,attr"`
				Line    int     `xml:"line,attr"`
				Time    float64 `xml:"time,attr"`
				Skipped *struct {
					Message string `xml:"message,attr"`
				} `xml:"skipped"`
				Failure []problem `xml:"failure"`
				Error   []problem `xml:"error"`
				Output  string    `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	if len(got.Suite) != 2 || got.Suite[0].Name != "a_test.lua" || got.Suite[1].Name != "b_test.lua" {
		t.Fatalf("suites of\n%s", b.String())
	}
	if s := got.Suite[0]; s.Tests != 7 || s.Failures != 4 || s.Errors != 0 || s.Skipped != 2 || s.Time != 5.25 {
		t.Errorf("first suite %d tests, %d failures, %d errors, %d skipped, %v s", s.Tests, s.Failures, s.Errors, s.Skipped, s.Time)
	}
	if s := got.Suite[1]; s.Errors != 1 || s.Case[0].Name != "(load)" || len(s.Case[0].Error) != 1 {
		t.Errorf("second suite %+v", s)
	}
	cases := got.Suite[0].Case
	if c := cases[0]; c.Class != "poison" || c.Name != "kills" || c.Line != 3 || c.File != "a_test.lua" || c.Output != "it died\n" || c.Failure != nil || c.Skipped != nil {
		t.Errorf("%+v", c)
	}
	if f := cases[2].Failure; len(f) != 1 || f[0].Type != "assertion" ||
		f[0].Message != `a_test.lua:5: #1: cause: expected "poison", got "<hunger> & 'thirst'", and 1 more` || !strings.Contains(f[0].Text, "who: expected 1, got 2\n") {
		t.Errorf("%+v", f)
	}
	if f := cases[3].Failure; len(f) != 1 || f[0].Type != "script" || !strings.Contains(f[0].Text, "return h.current") {
		t.Errorf("%+v", f)
	}
	if s := cases[4].Skipped; s == nil || s.Message != "no wings yet" {
		t.Errorf("%+v", s)
	}
	if f := cases[6].Failure; len(f) != 1 || f[0].Message != "a_test.lua:12: �[31mfirst�" ||
		!strings.Contains(f[0].Text, "a_test.lua:11: after_each: cannot clean up\n") ||
		!strings.HasSuffix(f[0].Text, "run it alone: ecsrun test --run '^after fails twice$' a_test.lua\n") {
		t.Errorf("%q", f)
	}
}
