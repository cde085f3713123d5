package frame

// The keys of a Lua table in the order in which a run has put them into an empty hash table, with their slots. A later run often gets the
// same keys in the same order, and puts them into a hash table of the same size: then the slots are the same, too, and need no search,
// which reads a place in memory that is not in the cache.

// A lentKeys is that list. Its zero value is empty.
type lentKeys struct {
	list  []lentKey
	slots int  // the size of the hash table
	at    int  // how many keys of the list the run has had so far
	on    bool // the keys are compared with the list, and noted in it
}

// A lentKey is a key with its slot.
type lentKey struct {
	key  hashKey
	slot uint32
}

// begin begins to fill an empty hash table with so many slots. again says that the table was filled before: the keys of one that is filled
// only once are not worth noting.
func (l *lentKeys) begin(slots int, again bool) {
	if l.slots != slots {
		l.list = l.list[:0]
	}
	l.slots, l.at, l.on = slots, 0, again
}

// next returns the slot of the next key, if all keys up to this one are those of the list. Otherwise the rest of the list is forgotten.
func (l *lentKeys) next(key hashKey) (slot uint32, ok bool) {
	if !l.on || l.at == len(l.list) {
		return 0, false
	}
	if known := &l.list[l.at]; known.key == key {
		l.at++
		return known.slot, true
	}
	l.list = l.list[:l.at]
	return 0, false
}

// add notes a new key after those that next has had.
func (l *lentKeys) add(key hashKey, slot uint32) {
	if l.on {
		l.list = append(l.list, lentKey{key, slot})
		l.at++
	}
}

// end ends the filling. Keys that are put into the hash table later are not noted.
func (l *lentKeys) end() { l.on = false }
