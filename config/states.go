package config

import (
	"fmt"
	"slices"
	"strings"
)

// This file reads states, and the keys of systems that name their values.

// A State is one of a few values that the world has at a time. Each value is a tag, "game.over".
type State struct {
	Name   string
	Values []string // at least one
	First  string   // the one that holds at first: the first of Values, unless --set says another
	Pos    Pos
}

func (d *decoder) state(n *node, path string) State {
	v := State{Pos: n.pos}
	d.object(n, path, "state", d.stateKeys(&v))
	if len(v.Values) > 0 {
		v.First = v.Values[0]
	}
	return v
}

func (d *decoder) stateKeys(v *State) []key {
	return []key{
		{"name", true, func(n *node, path string) { v.Name = d.str(n, path, "write a name, as in game") }},
		{"values", true, func(n *node, path string) {
			d.each(n, path, "values: [menu, playing, over]", func(n *node, path string) {
				v.Values = append(v.Values, d.str(n, path, "write a name, as in playing"))
			})
			if len(v.Values) == 0 && !d.broken(path) {
				d.add(n.pos, path, "a state without values", "write values: [menu, playing, over]; the first holds at first")
			}
		}},
	}
}

// stateValues reads one value of a state, or a list of them.
func (d *decoder) stateValues(n *node, path string) (list []string) {
	const hint = "write STATE.VALUE, as in game.playing"
	if n.kind != kindList {
		return []string{d.str(n, path, hint)}
	}
	d.each(n, path, "in: [game.menu, game.over]", func(n *node, path string) {
		list = append(list, d.str(n, path, hint))
	})
	return list
}

// changes reads what a system says of enter and leave, which take the place of a stage. given reports whether a key was written.
func (d *decoder) changes(s *System, enter, leave, at string, given func(key string) bool) {
	key, value := StageEnter, enter
	switch {
	case given(StageEnter) && given(StageLeave):
		d.add(d.where[at+"."+StageLeave], at+"."+StageLeave, "a system runs at enter or at leave, not at both", "make two systems of it, with the same script")
		return
	case given(StageLeave):
		key, value = StageLeave, leave
	case !given(StageEnter):
		return
	}
	for _, other := range []string{"stage", "every", "in"} {
		if given(other) {
			d.add(d.where[at+"."+other], at+"."+other, fmt.Sprintf("a system with %s has no %s", key, other), fmt.Sprintf("it runs once at each change, before the stages; leave %s out", other))
		}
	}
	s.Stage, s.In, s.Every = key, []string{value}, 1
}

// setState chooses the value that a state has at first.
func (d *decoder) setState(name string, n *node, c *Config) {
	i := slices.IndexFunc(c.States, func(v State) bool { return v.Name == name })
	if i < 0 {
		var names []string
		for _, v := range c.States {
			names = append(names, v.Name)
		}
		d.add(n.pos, "", fmt.Sprintf("no state %q", clip(name)), d.meant(name, "states", names))
		return
	}
	v := &c.States[i]
	if !slices.Contains(v.Values, n.text) {
		d.add(n.pos, "", fmt.Sprintf("state %q has no value %q", v.Name, clip(n.text)), d.meant(n.text, "values", v.Values))
		return
	}
	v.First = n.text
}

// states checks the names of states and values. Values share the namespace of tags.
func (k *checker) states(parts namespace) {
	names := namespace{}
	for i, v := range k.c.States {
		path := k.c.itemPath("states", i, v.Pos)
		k.take(names, v.Name, "state", path+".name", identifier, noIdent)
		values := namespace{}
		for j, value := range v.Values {
			at := index(path+".values", j)
			_, twice := values[value]
			if k.take(values, value, "value", at, identifier, noIdent); value != "" && v.Name != "" && !twice {
				k.take(parts, v.Name+"."+value, "tag", at, dashedName, noDashed)
			}
		}
	}
}

// in checks the values of states that a system names.
func (k *checker) in(s *System, path string) {
	if s.Stage == StageStartup && len(s.In) > 0 {
		k.problem(path+".in", "a system of the stage startup has no in", "it runs once, before frame 1; leave in out, or write enter: in place of stage: startup")
		return
	}
	for j, name := range s.In {
		at := path + ".in"
		switch {
		case s.Stage == StageEnter || s.Stage == StageLeave:
			at = path + "." + s.Stage
		case k.c.where[index(at, j)] != Pos{}:
			at = index(at, j)
		}
		if name == "" {
			if !k.broken(at) {
				k.problem(at, "a value of a state is missing", "write STATE.VALUE, as in game.playing")
			}
			continue
		}
		var values []string
		for _, v := range k.c.States {
			for _, value := range v.Values {
				values = append(values, v.Name+"."+value)
			}
		}
		if !slices.Contains(values, name) && (!k.c.unread || len(k.c.listed) == 0) {
			hint := "declare it, as in states: [{ name: game, values: [menu, playing] }]"
			if len(values) > 0 {
				hint = k.meant(name, "values", values)
			}
			k.problem(at, fmt.Sprintf("no value %q of a state", clip(name)), hint)
		}
	}
}

// valuesText returns values for a comparison and for messages.
func valuesText(v State) string { return "[" + strings.Join(v.Values, ", ") + "]" }
