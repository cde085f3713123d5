package lint

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ecsrun/ecsrun/ecs"
)

// Names in data files: a script may spawn, give or send what stands there.

// data notes the names of the world in the keys and texts of a data file, also those that are a word of a text, as in "boss;elite".
func (u *usage) data(w *ecs.World, v ecs.Value) {
	known := map[string]bool{}
	for _, name := range slices.Concat(w.ComponentNames(), w.TagNames(), w.EventNames(), w.ResourceNames(), w.RelationNames()) {
		known[name] = true
	}
	var walk func(v ecs.Value)
	walk = func(v ecs.Value) {
		switch v.Kind() {
		case ecs.StringValue:
			u.named(known, v.Str())
		case ecs.TableValue:
			for key, of := range v.Data().All() {
				walk(key)
				walk(of)
			}
		default: // no names
		}
	}
	walk(v)
}

func (u *usage) named(known map[string]bool, text string) {
	note := func(name string) {
		if known[name] {
			u.used[name], u.given[name] = true, true
		}
	}
	note(text)
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		note(name)
	}
}
