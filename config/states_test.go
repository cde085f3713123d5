package config

import (
	"strings"
	"testing"
)

func TestStates(t *testing.T) {
	parse := func(systems string, set ...string) (*Config, error) {
		return ParseWith("c.yaml", []byte("version: 1\nstates:\n  - { name: game, values: [menu, playing, over] }\nsystems:\n  - { name: a, script: a.lua, "+systems+" }\n"), YAML, Overrides{Set: set})
	}
	c, err := parse("enter: game.menu")
	if err != nil || c.Systems[0].Stage != StageEnter || c.Systems[0].In[0] != "game.menu" {
		t.Fatal(c, err)
	}
	for systems, want := range map[string]string{
		"in: game.menu":                       "",
		"in: [game.menu, game.over]":          "",
		"leave: game.over, when: 'frame > 3'": "",
		"in: game.manu":                       `c.yaml:5:35: systems[0].in: no value "game.manu" of a state; did you mean "game.menu"?`,
		"in: [game.menu, x]":                  `c.yaml:5:47: systems[0].in[1]: no value "x" of a state; values are game.menu, game.playing, game.over`,
		"enter: game.won":                     `c.yaml:5:38: systems[0].enter: no value "game.won" of a state`,
		"enter: game.menu, leave: game.over":  `systems[0].leave: a system runs at enter or at leave, not at both`,
		"enter: game.menu, stage: last":       `systems[0].stage: a system with enter has no stage; it runs once at each change, before the stages; leave stage out`,
		"leave: game.menu, every: 2":          `systems[0].every: a system with leave has no every`,
		"leave: game.menu, in: game.menu":     `systems[0].in: a system with leave has no in`,
		"stage: enter":                        `unknown value "enter"`,
		"stage: startup, in: game.over":       `c.yaml:5:51: systems[0].in: a system of the stage startup has no in; it runs once, before frame 1; leave in out, or write enter: in place of stage: startup`,
		"in: 7":                               `systems[0].in: string expected, got number 7; write STATE.VALUE, as in game.playing`,
	} {
		if _, err := parse(systems); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", systems, err, want)
		}
	}
	if c, err := parse("in: game.over", "states.game=over"); err != nil || c.States[0].First != "over" {
		t.Error(c, err)
	}
	for set, want := range map[string]string{
		"states.game=ovre": `--set states.game=ovre: state "game" has no value "ovre"; did you mean "over"?`,
		"states.gane=over": `no state "gane"; did you mean "game"?`,
		"systems.a.in=x":   `--set does not reach "in"`,
	} {
		if _, err := parse("in: game.over", set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", set, err)
		}
	}
	for text, want := range map[string]string{
		"states: [{ name: game, values: [] }]":                                      "a state without values; write values: [menu, playing, over]",
		"states: [{ name: game }]":                                                  `state has no "values"`,
		"states: [{ name: game, values: [a, a] }]":                                  `the name "a" is taken by the value on line 2`,
		"states: [{ name: game, values: [a b] }]":                                   `"a b" is not a name for a value`,
		"states: [{ name: net, values: [7] }]":                                      "string expected, got number 7; write a name, as in playing",
		"states: [{ name: game, values: [a] }, { name: game, values: [b] }]":        `the name "game" is taken by the state on line 2`,
		"tags: [game.a]\nstates: [{ name: game, values: [a] }]":                     `the name "game.a" is taken by the tag on line 2`,
		"states: [{ name: game, values: [a], first: a }]":                           `unknown key`,
		"systems: [{ name: a, script: a.lua, in: game.menu }]":                      "declare it, as in states: [{ name: game, values: [menu, playing] }]",
		"states: [{ name: game, values: [a] }]\nsystems: [{ name: a, in: game.a }]": "has neither script nor native",
		"states: [{ name: game, values: a }]":                                       "list expected",
	} {
		if _, err := Parse("c.yaml", []byte("version: 1\n"+text+"\n"), YAML); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
