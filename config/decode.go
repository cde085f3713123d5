package config

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A decoder reads values from nodes, strictly: what does not fit is reported and stays at its default, and reading
// continues, so that one load reports all problems.
type decoder struct {
	report
	where map[string]Pos // key path -> position of the value
	items map[Pos]string // position of an item of a list -> its key path
}

// A key is one that a mapping can have.
type key struct {
	name     string
	required bool
	read     func(n *node, path string)
}

// object reads a mapping by its list of keys. It reports unknown keys, keys that are written twice, and required
// keys that are missing.
func (d *decoder) object(n *node, path, what string, keys []key) {
	d.mark(path, n.pos)
	if n.kind == kindNull {
		n = &node{kind: kindMapping, pos: n.pos}
	}
	if n.kind != kindMapping {
		d.add(n.pos, path, what+" expected, got "+n.describe(), mappingHint(keys))
		return
	}
	seen := map[string]int{}     // key -> line
	offered := map[string]bool{} // keys that unknown ones were probably meant for
	for _, e := range n.entries {
		at := join(path, step(e.key))
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == e.key })
		if i < 0 {
			hint, near := d.unknownKeyHint(e.key, path, keys)
			offered[near] = true
			d.addUnknownKey(e.pos, at, hint)
			continue
		}
		if line, twice := seen[e.key]; twice {
			d.add(e.pos, at, "key written twice", fmt.Sprintf("keep this one or that of line %d", line))
			continue
		}
		seen[e.key] = e.pos.Line
		d.mark(at, e.value.pos)
		keys[i].read(e.value, at)
	}
	for _, k := range keys {
		if _, there := seen[k.name]; k.required && !there && !offered[k.name] { // an unknown key was not taken for it
			d.add(n.pos, path, fmt.Sprintf("%s has no %q", what, k.name), requiredHint(what, k.name))
		}
	}
}

func requiredHint(what, name string) string {
	switch {
	case what == "mod" && name == "version":
		return "add version: 1.0.0, the version of the mod"
	case name == "version":
		return "add version: 1"
	}
	return fmt.Sprintf("add %s: …", name)
}

func mappingHint(keys []key) string {
	names := keyNames(keys)
	return "its keys are " + strings.Join(names, ", ")
}

func keyNames(keys []key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// unknownKeyHint returns the hint for an unknown key: the key that was probably meant, which is also returned as
// near, or the section that has this scalar. near is "" if there is no such key.
func (d *decoder) unknownKeyHint(name, path string, keys []key) (hint, near string) {
	if other, ok := otherKeys[name]; ok && slices.ContainsFunc(keys, func(k key) bool { return k.name == other.key }) {
		return other.hint, other.key
	}
	if near, ok := d.closest(name, keyNames(keys)); ok {
		return didYouMean(near), near
	}
	for _, s := range scalars {
		if section, last, _ := strings.Cut(s.key, "."); last == name && section != path {
			return fmt.Sprintf("it belongs under %q", section), ""
		}
	}
	return listing("keys", keyNames(keys)), ""
}

// otherKeys are keys of other engines, with the key that does the same and what to write.
var otherKeys = func() map[string]struct{ key, hint string } {
	out := map[string]struct{ key, hint string }{}
	for _, same := range []struct{ key, hint, names string }{
		{"after", "write it the other way round: after: [THIS] at the system that comes later", "before precedes"},
		{"after", "write after: [NAME]", "depends_on requires runs_after order_after"},
		{"after", "systems run in the order of the list; after: [NAME] moves one behind another", "order priority"},
		{"every", "write every: 60 for each 60th frame", "interval frequency period rate nth_tick"},
		{"when", "write a condition, as in when: \"resources.score < 100\"", "if run_if condition cond"},
		{"script", "write script: movement.lua", "file path lua source"},
		{"native", "write native: NAME of a registered Go function", "go function func fn"},
		{"enabled", "write enabled: false", "disabled"},
		{"dt", "write dt, the seconds of a frame: dt: 0.05 is 20 frames a second", "fps tps hz tick_rate tickrate frame_rate framerate timestep delta delta_time"},
		{"frames", "write frames, the number of frames: frames: 600", "steps ticks duration max_frames length"},
		{"default", "write default: 100", "value initial init start"},
		{"fields", "write fields: [x f64, y f64]", "properties attributes members data props"},
		{"resources", "write resources: [score i32 = 0]", "globals singletons state"},
		{"mods", "write mods: [NAME]", "plugins packages dependencies"},
	} {
		for name := range strings.FieldsSeq(same.names) {
			out[name] = struct{ key, hint string }{same.key, same.hint}
		}
	}
	return out
}()

// each calls read for each item of a list.
func (d *decoder) each(n *node, path, example string, read func(n *node, path string)) {
	switch n.kind {
	case kindNull:
	case kindList:
		for i, item := range n.items {
			at := index(path, i)
			d.mark(at, item.pos)
			d.item(at, item.pos)
			read(item, at)
		}
	default:
		d.add(n.pos, path, "list expected, got "+n.describe(), "write "+example)
	}
}

func (d *decoder) item(path string, pos Pos) {
	if d.items == nil {
		d.items = map[Pos]string{}
	}
	if _, taken := d.items[pos]; !taken { // the outer of two that begin at the same place
		d.items[pos] = path
	}
}

func (d *decoder) mark(path string, pos Pos) {
	if d.where == nil {
		d.where = map[string]Pos{}
	}
	d.where[path] = pos
}

// str reads a string, which must not be empty.
func (d *decoder) str(n *node, path, hint string) string {
	switch {
	case n.kind == kindPlain && n.text != "", n.kind == kindText && strings.TrimSpace(n.text) != "":
		return n.text
	case n.kind == kindText || n.kind == kindPlain:
		d.add(n.pos, path, "must not be empty", hint)
	default:
		d.add(n.pos, path, "string expected, got "+n.describe(), hint)
	}
	return ""
}

// word reads one of a few given words.
func (d *decoder) word(n *node, path string, words []string) (string, bool) {
	if n.kind != kindText && n.kind != kindPlain {
		d.add(n.pos, path, "word expected, got "+n.describe(), "it is one of "+strings.Join(words, ", "))
		return "", false
	}
	if !slices.Contains(words, n.text) {
		hint := d.meant(n.text, "words", words)
		hint = strings.Replace(hint, "words are", "it is one of", 1)
		d.add(n.pos, path, fmt.Sprintf("unknown value %q", clip(n.text)), hint)
		return "", false
	}
	return n.text, true
}

func (d *decoder) truth(n *node, path string) (value, ok bool) {
	if b, ok := n.boolean(); ok {
		return b, true
	}
	d.add(n.pos, path, "true or false expected, got "+n.describe(), boolHint(n))
	return false, false
}

func boolHint(n *node) string {
	switch strings.ToLower(n.text) {
	case "yes", "on", "1", "y", "true", "t":
		return "write true"
	case "no", "off", "0", "n", "false", "f":
		return "write false"
	}
	return "write true or false, without quotes"
}

// whole reads a whole number from lo to hi.
func (d *decoder) whole(n *node, path string, lo, hi uint64) (uint64, bool) {
	num, ok := n.number()
	if !ok {
		hint := "write it in digits"
		if n.kind == kindNumber {
			hint = "write it in plain digits, without a leading zero"
		}
		if _, quoted := parseNumber(n.text); quoted && n.kind == kindText {
			hint = "take the quotes away"
		}
		d.add(n.pos, path, "whole number expected, got "+n.describe(), hint)
		return 0, false
	}
	u, ok := num.unsigned()
	switch {
	case num.float != math.Trunc(num.float):
		d.add(n.pos, path, "whole number expected, got "+n.describe(), "drop the fraction")
		return 0, false
	case !ok || u < lo || u > hi:
		d.add(n.pos, path, n.text+" is out of range", fmt.Sprintf("it goes from %d to %d", lo, hi))
		return 0, false
	}
	return u, true
}
