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
	entries, _, ok := r.content()
	if !ok || r.Table != nil && r.Table.shuffled {
		return Ref{Value: &Nil}, false, false
	}
	i, list := 0, true
	if w.Key.Kind() != ecs.NilValue {
		i, list = w.index, isItem(&w.Key)
		if i < len(entries) && entries[i].Key.Equal(w.Key) {
			i++
		} else {
			var found bool
			if i, found = ecs.Raw.FindEntry(entries, 0, w.Key); found {
				i++
			}
		}
	}
	for {
		for ; i < len(entries); i++ {
			if isItem(&entries[i].Key) == list {
				w.index, w.Key = i, entries[i].Key
				return r.at(entries, i, keep), true, true
			}
		}
		if !list {
			return Ref{Value: &Nil}, false, true
		}
		list, i = false, 0
	}
}
