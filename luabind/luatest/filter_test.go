package luatest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTags(t *testing.T) {
	for name, tags := range map[string]string{"poison kills": "", "a #slow b #io": "io slow", "#slow # x#y ##z #slow": "#z slow"} {
		if got := strings.Join(Tags(name), " "); got != tags {
			t.Errorf("%q: %q, want %q", name, got, tags)
		}
	}
}

func TestShards(t *testing.T) {
	all := names(Run(context.Background(), suites(), Options{}))
	var together []string
	for n := 1; n <= 3; n++ {
		r := Run(context.Background(), suites(), Options{Shard: Shard{n, 3}})
		part := names(r)
		if len(part) < 11 || len(part) > 13 || r.Left != 36-len(part) {
			t.Errorf("part %d has %d tests, and leaves out %d", n, len(part), r.Left)
		}
		shuffled := names(Run(context.Background(), suites(), Options{Shard: Shard{n, 3}, Shuffle: true}))
		if !slices.Equal(slices.Sorted(slices.Values(part)), slices.Sorted(slices.Values(shuffled))) {
			t.Errorf("part %d shuffled is another", n)
		}
		together = append(together, part...)
	}
	if !slices.Equal(slices.Sorted(slices.Values(together)), slices.Sorted(slices.Values(all))) {
		t.Errorf("the parts are not the whole: %q", together)
	}
	for _, text := range []string{"", "1", "0/3", "4/3", "1/0", "a/3", "1/3/5", "-1/3", "1/9999999"} {
		if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), "a shard is a part of all tests, such as 1/3") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if s, err := ParseShard("2/3"); err != nil || s != (Shard{2, 3}) {
		t.Error(s, err)
	}
}

func TestEqualNames(t *testing.T) {
	r := run(t, `
describe("a", function()
  it("b", function() end)
  it("b", function() end)
end)
it("a b", function() end)
describe("c", function() it("b", function() end) end)`, Options{})
	if len(r.Results) != 4 || len(r.Warnings) != 2 || r.Warnings[0] != (Warning{"a_test.lua", 4, `the name "a b" is that of the test on line 3, too: --run cannot choose one of them; rename one`}) || r.Warnings[1].Line != 6 {
		t.Errorf("%d results, %v", len(r.Results), r.Warnings)
	}
	text := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{}) }, r)
	json := report(func(b *strings.Builder) Reporter { return NewJSON(b) }, r)
	tap := report(func(b *strings.Builder) Reporter { return NewTAP(b) }, r)
	for _, line := range []string{
		text, "warning: a_test.lua:4: the name \"a b\" is that of",
		json, `{"type":"warning","file":"a_test.lua","line":4,"message":"the name \"a b\" is`,
		tap, "# warning: a_test.lua:4: the name",
		report(func(b *strings.Builder) Reporter { return NewGitHub(b) }, r), "::warning file=a_test.lua,line=4,title=test names::the name \"a b\" is",
	} {
		if strings.Contains(line, "\n") {
			text = line
		} else if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	twice := &Report{}
	twice.Add(r)
	twice.Add(r)
	if len(twice.Warnings) != 2 || len(twice.Results) != 8 {
		t.Errorf("%d warnings, %d results", len(twice.Warnings), len(twice.Results))
	}
}

func TestFailFast(t *testing.T) {
	fsys := fstest.MapFS{
		"a_test.lua": {Data: []byte(`
describe("a", function()
  teardown(function() print("teardown") end)
  it("passes", function() end)
  describe("b", function() it("fails", function() error("oh") end) it("is not run", function() end) end)
  it("nor this", function() end)
end)`)},
		"b_test.lua": {Data: []byte(`it("nor that", function() end)`)},
	}
	r := Run(context.Background(), []File{{"a_test.lua", fsys, "a_test.lua"}, {"b_test.lua", fsys, "b_test.lua"}}, Options{FailFast: true})
	want(t, outcome(r), "ok a passes\nFAIL a b fails: a_test.lua:5: oh")
	want(t, r.Results[1].Output, "teardown")
	text := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{}) }, r)
	if !r.Stopped || !strings.HasSuffix(text, "Stopped at the first failure.\n") {
		t.Error(text)
	}
	broken := Run(context.Background(), []File{{"x_test.lua", fsys, "x_test.lua"}, {"b_test.lua", fsys, "b_test.lua"}}, Options{FailFast: true})
	want(t, outcome(broken), "FAIL x_test.lua: x_test.lua: cannot be read: file does not exist")
}

func TestList(t *testing.T) {
	r := run(t, `
setup(function() error("not run") end)
describe("a #slow", function() it("b", function() error("nor this") end) pending("c") end)`, Options{List: true})
	text := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{}) }, r)
	want(t, text, "a_test.lua:3: a #slow b\na_test.lua:3: a #slow c")
	json := report(func(b *strings.Builder) Reporter { return NewJSON(b) }, r)
	if !strings.HasPrefix(json, `{"type":"test","file":"a_test.lua","line":3,"within":["a #slow"],"name":"b","full_name":"a #slow b","tags":["slow"],"status":"listed","seconds":0}`) {
		t.Error(json)
	}
}

func TestRounds(t *testing.T) {
	one, two := Options{Shuffle: true}, Options{Shuffle: true, Round: 1}
	a, b := Run(context.Background(), suites(), one), Run(context.Background(), suites(), two)
	if slices.Equal(names(a), names(b)) {
		t.Error("both rounds have the same order")
	}
	for _, r := range b.Results {
		if r.Round != 1 {
			t.Fatal(r.Round)
		}
	}
	got := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{}) }, run(t, `it("x", function() error("y", 0) end)`, two))
	if !strings.Contains(got, "a_test.lua (round 2)\n") || !strings.Contains(got, "1) x (round 2)\n") {
		t.Error(got)
	}
}
