package draft

import "github.com/ecsrun/ecsrun/ecs"

// A Walk is a loop over pairs(t). The table may change meanwhile.
type Walk struct {
	Key   ecs.Value // of the current entry; nil before the first one
	index int       // where that entry was last
	place int       // where its key was last in the order of the table, if that is kept
}

// Next moves to the next entry, in the order of the interpreter: the list part, then the other keys. It returns the
// value of the entry, and false at the end. See [Ref.Name] for keep. ok is false if r is no table.
func (w *Walk) Next(r Ref, keep bool) (out Ref, more, ok bool) {
	values, items, keys, ok := r.content()
	if !ok {
		return Ref{Value: &Nil}, false, false
	}
	n := 0
	if r.Table != nil {
		n = r.Table.ListLen()
	} else {
		n = listLen(items, keys)
	}
	inList := func(key *ecs.Value) bool {
		i, ok := listKey(key)
		return ok && i <= n
	}
	ordered := r.Table != nil && r.Table.ordered
	if ordered && w.Key.Kind() != ecs.NilValue && !inList(&w.Key) {
		return w.follow(r, keep)
	}
	i, list := 0, true
	if w.Key.Kind() != ecs.NilValue {
		i, list = w.index, inList(&w.Key)
		found := i < len(values) && w.Key.Equal(keyAt(items, keys, i))
		if !found {
			i, found = ecs.Raw.FindKey(keys, items, w.Key)
		}
		if found {
			i++
		}
	}
	for {
		for ; i < len(values); i++ {
			if i < items && !list {
				i = items
				if i == len(values) {
					break
				}
			}
			if key := keyAt(items, keys, i); inList(&key) == list {
				w.index, w.Key = i, key
				return r.at(values, i, keep), true, true
			}
		}
		if !list {
			return Ref{Value: &Nil}, false, true
		}
		if ordered {
			w.Key = Nil
			return w.follow(r, keep)
		}
		list, i = false, 0
	}
}

// follow is Next for the keys that are no items of a list, in a table that keeps their order. Without a key, it moves to the first one.
func (w *Walk) follow(r Ref, keep bool) (out Ref, more, ok bool) {
	t, at := r.Table, 0
	if w.Key.Kind() != ecs.NilValue {
		if at = t.place(&w.Key, w.place); at < 0 {
			return Ref{Value: &Nil}, false, false
		}
		at++
	}
	for ; at < len(t.order); at++ {
		if t.inList(&t.order[at]) {
			continue
		}
		if i, found := ecs.Raw.FindKey(t.keys, t.items, t.order[at]); found {
			w.index, w.place, w.Key = i, at, t.order[at]
			return r.at(t.own, i, keep), true, true
		}
	}
	return Ref{Value: &Nil}, false, true
}

// keyAt returns the key of entry i.
func keyAt(items int, keys []ecs.Value, i int) ecs.Value {
	if i < items {
		return ecs.Number(float64(i + 1))
	}
	return keys[i-items]
}
