package luatest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// goldenRun runs a file in a folder that may have a golden file. Files that are written go into that folder.
func goldenRun(source, known string, update bool) (*Report, fstest.MapFS) {
	fsys := fstest.MapFS{"game/rat_test.lua": {Data: []byte(source)}}
	if known != "" {
		fsys["game/__golden__/rat_test/two rats.txt"] = &fstest.MapFile{Data: []byte(known)}
	}
	o := Options{Worlds: worlds}
	if update {
		o.Golden = func(f File, path string, text []byte) error {
			if f.Path != "game/rat_test.lua" {
				return errors.New("another file")
			}
			fsys["game/"+path] = &fstest.MapFile{Data: text}
			return nil
		}
	}
	return Run(context.Background(), []File{{"tests/game/rat_test.lua", fsys, "game/rat_test.lua"}}, o), fsys
}

const rats = `
local t = require("ecs.test") local ecs = require("ecs")
ecs.component("Bag", { items = "table", name = "string", owner = "entity", open = "bool", x = "f32" })
ecs.component("Empty", {})
ecs.tag("small") ecs.tag("grey") ecs.layer("soil", { type = "u8", width = 3, height = 2, default = 1 })
it("compares", function()
  local w = t.world{}
  local a = w:spawn{ Health = { current = 0.1 }, "small", "grey" }
  local b = w:spawn{ Bag = { items = { 1, "x y", deep = { [true] = -0.5 } }, name = "a\"b\n", owner = a, open = true, x = 0.1 }, ChildOf = a, Empty = {} }
  w:spawn{}
  w.resources.score = -0 / 1 w.layers.soil:set(1, 1, 7)
  CHANGE
  t.golden(w, "two rats")
end)`

const ratsText = `0v1 Health = {current = 0.1}
0v1 tags = grey, small
1v1 Bag = {items = {1, "x y", deep = {[true] = -0.5}}, name = "a\"b\n", owner = 0v1, open = true, x = 0.10000000149011612}
1v1 ChildOf = 0v1
1v1 Empty = {}
2v1
resource score = 0
layer soil 0 = 1, 1, 1
layer soil 1 = 1, 7, 1
`

func TestGolden(t *testing.T) {
	plain := strings.Replace(rats, "CHANGE", "", 1)
	r, _ := goldenRun(plain, "", false)
	want(t, outcome(r), "FAIL compares: tests/game/rat_test.lua:13: no golden file tests/game/__golden__/rat_test/two rats.txt; look at the world, and write it with --update")

	r, fsys := goldenRun(plain, "", true)
	want(t, outcome(r), "ok compares")
	written := string(fsys["game/__golden__/rat_test/two rats.txt"].Data)
	want(t, written, ratsText)

	r, _ = goldenRun(plain, strings.ReplaceAll(ratsText, "\n", "\r\n"), false)
	want(t, outcome(r), "ok compares")

	changed := strings.Replace(rats, "CHANGE", `w:get(a, "Health").current = 3 w:remove(b, "Empty") w:spawn{ "small" } w:untag(a, "grey")`, 1)
	r, _ = goldenRun(changed, ratsText, false)
	want(t, outcome(r), "FAIL compares: tests/game/rat_test.lua:13: the world differs from tests/game/__golden__/rat_test/two rats.txt in 4 lines; if it should, write it again with --update")
	if got, expected := r.Results[0].Failures[0].Diff, []string{
		"- is expected, + is found, ~ has changed",
		"~ 0v1 Health: {current = 0.1}, now {current = 3}",
		"~ 0v1 tags: grey, small, now small",
		"- 1v1 Empty = {}",
		"+ 3v1 tags = small",
	}; !slices.Equal(got, expected) {
		t.Errorf("diff\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(expected, "\n"))
	}
}

func TestGoldenMistakes(t *testing.T) {
	for _, c := range []struct{ code, message string }{
		{`t.golden(w, "a/b")`, `t.golden: "a/b" cannot be the name of a file; use letters, digits, spaces, - and _`},
		{`t.golden(w, "..")`, `t.golden: ".." cannot be the name of a file; use letters, digits, spaces, - and _`},
		{`t.golden(w, "a\0")`, `t.golden: "a\x00" cannot be the name of a file; use letters, digits, spaces, - and _`},
		{`t.golden(w)`, `bad argument #2 to 'golden' (name expected, got nil)`},
		{`t.golden("x")`, `bad argument #1 to 'golden' (world expected, got string); write t.golden(world, "name")`},
		{`w:spawn{ Health = {} } for _ in w:each("Health") do t.golden(w, "x") end`, `t.golden inside a query loop of the test; compare the world after the loop`},
		{`for i = 1, 400 do w:spawn{ Text = { s = ("x"):rep(30000) } } end t.golden(w, "x")`, `t.golden: the world has more than 8 MiB of text; compare a smaller one`},
	} {
		r := run(t, head+`ecs.component("Text", { s = "string" }) it("fails", function() local w = t.world{} `+c.code+" end)", Options{})
		if f := onlyFailure(t, r); f.Message != c.message {
			t.Errorf("%s\n got %s\nwant %s", c.code, f.Message, c.message)
		}
	}
}

func TestTwoWorldsOfOneGoldenName(t *testing.T) {
	source := head + `
it("first", function() t.golden(t.world{}, "same") end)
it("again", function() t.golden(t.world{}, "same") end)
it("another", function() local w = t.world{} w:spawn{} t.golden(w, "same") end)`
	r := run(t, source, Options{Golden: func(File, string, []byte) error { return nil }})
	want(t, outcome(r), `
ok first
ok again
FAIL another: a_test.lua:4: t.golden: "same" has two texts: the test "first" has compared another world with this name; use another name`)
}

func TestLineDifferences(t *testing.T) {
	for _, c := range []struct{ want, got, diff string }{
		{"a = 1\nb = 2\n", "a = 1\nb = 2\n", ""},
		{"a = 1\n", "a = 2\n", "~ a: 1, now 2"},
		{"", "a = 1\n", "+ a = 1"},
		{"a = 1\n", "", "- a = 1"},
		{"a = 1\nc = 3\n", "b = 2\nc = 3\nd = 4\n", "- a = 1|+ b = 2|+ d = 4"},
		{"a = 1\nb = 2\n", "b = 2\na = 1\n", "~ the order or the ends of the lines"},
		{"a = 1", "a = 1\n", "~ the order or the ends of the lines"},
		{"x\ny\n", "x\nz\n", "- y|+ z"},
	} {
		if got := strings.Join(lineDifferences(c.want, c.got), "|"); got != c.diff {
			t.Errorf("%q, %q: %q, want %q", c.want, c.got, got, c.diff)
		}
	}
}
