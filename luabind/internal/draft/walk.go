package draft

import "github.com/ecsrun/ecsrun/ecs"

// A Walk is a loop over pairs(t). The table may change meanwhile.
type Walk struct {
	Key   ecs.Value // of the current entry; nil before the first one
	index int       // where that entry was last
}

// Next moves to the next entry, in the order of the interpreter: the list part, then the other keys. It returns the
// value of the entry, and false at the end. See [Ref.Name] for keep. ok is false if the order is not known, or r is
// no table.
func (w *Walk) Next(r Ref, keep bool) (out Ref, more, ok bool) {
	values, items, keys, ok := r.content()
	if !ok || r.Table != nil && r.Table.shuffled {
		return Ref{Value: &Nil}, false, false
	}
	i, list := 0, true
	if w.Key.Kind() != ecs.NilValue {
		i, list = w.index, isItem(&w.Key)
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
			if key := keyAt(items, keys, i); isItem(&key) == list {
				w.index, w.Key = i, key
				return r.at(values, i, keep), true, true
			}
		}
		if !list {
			return Ref{Value: &Nil}, false, true
		}
		list, i = false, 0
	}
}

// keyAt returns the key of entry i.
func keyAt(items int, keys []ecs.Value, i int) ecs.Value {
	if i < items {
		return ecs.Number(float64(i + 1))
	}
	return keys[i-items]
}
