package draft

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// The keys of a Table. Those of its list are 1, 2, …, which are not kept. The others belong to stored data until one is added or
// removed; then the Table has keys of its own.

// makeKeysOwn gives the table keys of its own, if it has none.
func (t *Table) makeKeysOwn() {
	if !t.ownKeys {
		t.keys = append(t.keyRoom[:0], t.keys...)
		t.keyRoom, t.ownKeys = t.keys, true
	}
}

// insertKey notes the key of a new entry at place i.
func (t *Table) insertKey(i int, key ecs.Value) {
	if i == t.items && isNumber(&key, i+1) {
		t.items++
		t.extendList()
		return
	}
	t.endList(i)
	t.makeKeysOwn()
	t.keys = slices.Insert(t.keys, i-t.items, key)
	t.keyRoom = t.keys
}

// removeKey forgets the key of entry i, which is removed.
func (t *Table) removeKey(i int) {
	if i < t.items {
		t.endList(i + 1)
		t.items = i
		return
	}
	t.makeKeysOwn()
	t.keys = slices.Delete(t.keys, i-t.items, i-t.items+1)
	t.extendList()
}

// extendList makes entries a part of the list whose keys now follow its end.
func (t *Table) extendList() {
	for len(t.keys) > 0 && isNumber(&t.keys[0], t.items+1) {
		t.items++
		t.keys = t.keys[1:]
	}
}

func isNumber(key *ecs.Value, n int) bool {
	return key.Kind() == ecs.NumberValue && key.Float() == float64(n)
}

// endList ends the list after its first n items, if it is longer. The keys of the others are kept then.
func (t *Table) endList(n int) {
	more := t.items - n
	if more <= 0 {
		return
	}
	t.makeKeysOwn()
	t.keys = slices.Insert(t.keys, 0, make([]ecs.Value, more)...)
	for i := range more {
		t.keys[i] = ecs.Number(float64(n + 1 + i))
	}
	t.keyRoom, t.items = t.keys, n
}

// lastingKeys returns the keys in memory that does not change, for data that is stored.
func (t *Table) lastingKeys() []ecs.Value {
	if t.ownKeys {
		return ecs.Raw.ShareKeys(t.keys)
	}
	return t.keys
}
