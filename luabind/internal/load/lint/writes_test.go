package lint

import (
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// A field that several systems write without an order is named in one warning, with all of them; fields that the same systems write
// share it.
func TestFieldsThatSeveralSystemsWrite(t *testing.T) {
	files := map[string]string{
		"both.lua": "return function(world) for e, hp in world:each('Hp') do hp.n = 1 hp.on = true end end",
		"one.lua":  "return function(world) for e, hp in world:each('Hp') do hp.n = 2 end end",
	}
	var in Input
	in.World = world(t)
	for path, text := range files {
		c, err := syntax.Parse(path, text)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, File{Path: path, Chunk: c, Own: true})
	}
	system := func(name, file string, after ...string) System {
		return System{Name: name, Own: name, File: file, Stage: ecs.Update, After: after}
	}
	for _, c := range []struct {
		systems []System
		want    []string
	}{
		{[]System{system("a", "both.lua"), system("b", "both.lua")}, []string{
			`systems "a" and "b" both write Hp.n and Hp.on, and "a" runs first only because it comes first in the config; write after: [a] for "b", so that it stays so when lines move`,
		}},
		{[]System{system("a", "one.lua"), system("b", "one.lua"), system("c", "one.lua")}, []string{
			`systems "a", "b" and "c" all write Hp.n, and run in this order only because the config has them in it; write after: [a] for "b" and after: [b] for "c", so that it stays so when lines move`,
		}},
		{[]System{system("a", "both.lua"), system("b", "one.lua", "a"), system("c", "both.lua")}, []string{
			`systems "b" and "c" both write Hp.n, and "b" runs first only because it comes first in the config; write after: [b] for "c", so that it stays so when lines move`,
			`systems "a" and "c" both write Hp.on, and "a" runs first only because it comes first in the config; write after: [a] for "c", so that it stays so when lines move`,
		}},
		{[]System{system("a", "one.lua"), system("b", "one.lua", "a"), system("c", "one.lua", "b")}, nil},
	} {
		in.Systems = c.systems
		var got []string
		for _, x := range Check(in) {
			if x.Code == "W401" {
				got = append(got, x.Message+"; "+x.Fix)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q\nnot %q", got, c.want)
		}
	}
}
