package draft

import "github.com/ecsrun/ecsrun/ecs"

// The order of pairs. gopher-lua walks the list part of a table, and then its other keys in the order in which they were first
// stored; a key that is removed keeps its place. A table that is made of stored data gets its keys in the order in which they are
// stored. From the first key that a row adds or removes on, a Table keeps the order of those that are no items of a list.

// makeOrderOwn keeps the order of the keys, if it is not kept yet.
func (t *Table) makeOrderOwn() {
	switch {
	case !t.ordered:
		for i := range t.keys {
			if !t.inList(&t.keys[i]) {
				t.order = append(t.order, t.keys[i])
			}
		}
	case !t.ownOrder:
		t.order = append(make([]ecs.Value, 0, len(t.order)+4), t.order...)
	}
	t.ordered, t.ownOrder = true, true
}

// follows notes that a key is about to be added.
func (t *Table) follows(key *ecs.Value) {
	if t.inList(key) {
		return
	}
	t.makeOrderOwn()
	if len(t.order) > t.others() && t.place(key, 0) >= 0 { // it was there before
		return
	}
	t.order = append(t.order, *key)
}

// others returns the number of keys that are no items of a list.
func (t *Table) others() (n int) {
	for i := range t.keys {
		if !t.inList(&t.keys[i]) {
			n++
		}
	}
	return n
}

// place returns the place of a key in the order, which is probably guess; -1 if it is not there.
func (t *Table) place(key *ecs.Value, guess int) int {
	if guess < len(t.order) && t.order[guess].Equal(*key) {
		return guess
	}
	for i := range t.order {
		if t.order[i].Equal(*key) {
			return i
		}
	}
	return -1
}
