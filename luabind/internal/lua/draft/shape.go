package draft

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// A Shape has the keys of the tables that one constructor makes, so that the tables of many rows share them.
type Shape struct {
	places  []int // by part of the constructor: the place of its entry
	items   int
	keys    []ecs.Value
	listLen int
	order   []ecs.Value // the keys that are no items, in the order of the constructor
	copied  int64       // what making the entries one after the other adds to Pool.Copied
}

// NewShape returns the Shape of a constructor whose parts have these keys. It returns nil if a key occurs twice, or is a whole number behind another key than
// the one before it.
func NewShape(keys []ecs.Value) *Shape {
	s := &Shape{}
	for s.items < len(keys) && isNumber(&keys[s.items], s.items+1) {
		s.items++
	}
	s.listLen = s.items
	var sorted []ecs.Value
	for n := range keys {
		i := n
		if _, isItem := listKey(&keys[n]); n >= s.items && isItem {
			return nil // what of them is in the list part depends on their order
		}
		if n >= s.items {
			at, found := ecs.Raw.FindKey(sorted, s.items, keys[n])
			if found || at < s.items {
				return nil
			}
			i, sorted = at, slices.Insert(sorted, at-s.items, keys[n])
		}
		if n >= s.items {
			s.order = append(s.order, keys[n])
		}
		s.copied += int64(n+1-i) / 8
	}
	for n := range keys {
		i, _ := ecs.Raw.FindKey(sorted, s.items, keys[n])
		s.places = append(s.places, i)
	}
	s.keys = ecs.Raw.ShareKeys(sorted)
	return s
}

// Begin gives a new table the keys of a Shape. Each part is put next, and then comes End; until then the table is not to be read.
func (t *Table) Begin(s *Shape) {
	t.room, t.own = ecs.Raw.DataRoom(len(s.places))
	t.own = t.own[:len(s.places)]
	t.changed, t.reshaped = true, true
}

// Put gives a part of the constructor its value. It reports false, and changes nothing, if the table cannot have the keys of the
// Shape with it, or not such a value.
func (t *Table) Put(s *Shape, part int, v Ref) bool {
	if v.IsNil() {
		return false
	}
	t.put(s.places[part], v)
	return true
}

// Part returns what Put has put.
func (t *Table) Part(s *Shape, part int) Ref { return Ref{Table: t}.at(t.own, s.places[part], true) }

// End makes the table ready, after Put for each part.
func (t *Table) End(s *Shape) {
	t.items, t.keys, t.listLen, t.order, t.ordered = s.items, s.keys, s.listLen, s.order, len(s.order) > 0
	t.pool.Copied += s.copied
}
