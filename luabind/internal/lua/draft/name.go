package draft

import "github.com/ecsrun/ecsrun/ecs"

// A Name is a constant name in a script, and where it was found last. Tables that are made alike have the same keys in
// memory, so mostly a comparison of two addresses tells that a table has the name at that place.
type Name struct {
	text string
	key  ecs.Value
	at   int        // in the keys of a table
	seen *ecs.Value // the key that was found last, if it does not change; nil: none
}

// NewName returns a name.
func NewName(text string) *Name { return &Name{text: text, key: ecs.Text(text)} }

// in returns the place of the name among the keys of a table, if it is where it was last.
func (n *Name) in(keys []ecs.Value) (at int, ok bool) {
	return n.at, n.at < len(keys) && (&keys[n.at] == n.seen || isText(&keys[n.at], n.text))
}

// find returns the place of the entry of the name in a table; own says that the table may change its keys.
func (n *Name) find(items int, keys []ecs.Value, own bool) (i int, ok bool) {
	at, ok := n.in(keys)
	if !ok {
		if i, ok = ecs.Raw.FindKey(keys, items, n.key); !ok {
			return i, false
		}
		at = i - items
	}
	if n.at = at; !own {
		n.seen = &keys[at]
	}
	return items + at, true
}

func isText(v *ecs.Value, text string) bool {
	return v.Kind() == ecs.StringValue && *ecs.Raw.Text(v) == text
}
