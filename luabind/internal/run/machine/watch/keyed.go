package watch

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Compared here: tables that are looked up by key, and that the loop assigns to.

// A keyedBefore is such a table as it was before a call. It is a [kernel.Keyed] for the closures.
type keyedBefore struct {
	live   kernel.Keyed
	keys   map[kernel.Key]keyBefore
	values []kernel.Slot // of all keys
	width  int

	mine, theirs []newKey                 // scratch of compare
	seen         map[kernel.Key]keyBefore // likewise: as closures left the keys
	made         []kernel.Slot            // likewise: their values
}

// An uncounted is a table that the loop does not assign to, for the closures: what they ask for is not counted.
type uncounted struct{ kernel.Keyed }

func (uncounted) Whole(int) bool { return false }

// keyBefore is a key of a table.
type keyBefore struct {
	entry kernel.Entry // without its values
	at    int          // of the first one
}

// A newKey is a key that rows made.
type newKey struct {
	key   kernel.Key
	order float64
}

// Find implements [kernel.Keyed]: the table as it was before the call.
func (b *keyedBefore) Find(key kernel.Key, values []kernel.Slot) kernel.Finding {
	k, ok := b.keys[key]
	switch {
	case !ok:
		return b.live.Find(key, values)
	case k.entry.Order == 0:
		return kernel.Absent
	}
	copy(values, b.values[k.at:k.at+b.width])
	return kernel.Found
}

// Whole implements [kernel.Keyed]. What the closures ask for is not counted: code has asked for the same.
func (b *keyedBefore) Whole(int) bool { return false }

// Each implements [kernel.Keyed]. Closures do not call it.
func (b *keyedBefore) Each(int, func(kernel.Key, kernel.Finding, []kernel.Slot)) int {
	return math.MaxInt
}

// Put implements [kernel.Keyed]. What closures assign is compared, and forgotten.
func (b *keyedBefore) Put(kernel.Key, int, kernel.Slot) {}

// beginKeyed copies the tables that the loop assigns to, and gives the closures theirs.
func (t *rerun) beginKeyed() {
	p := t.frame.Program
	for len(t.keyed) < len(p.Keyed) {
		t.keyed = append(t.keyed, &keyedBefore{keys: map[kernel.Key]keyBefore{}, seen: map[kernel.Key]keyBefore{}, width: p.Keyed[len(t.keyed)].Width()})
	}
	for i, b := range t.keyed {
		b.live = t.frame.Keyed(i)
		if !p.Keyed[i].Stored {
			t.shadow.SetKeyed(i, uncounted{b.live})
			continue
		}
		clear(b.keys)
		b.values = b.values[:0]
		t.frame.EachKey(i, func(key kernel.Key, e kernel.Entry) {
			if e.Order == 0 && e.Wrote == 0 {
				return // the Lua table may have something unfit there
			}
			b.keys[key] = keyBefore{e, len(b.values)}
			b.values = append(b.values, e.Values...)
		})
		t.shadow.SetKeyed(i, b)
	}
}

// restoreKeyed makes the tables as they were before the call.
func (t *rerun) restoreKeyed() {
	for i, b := range t.keyed {
		if t.frame.Program.Keyed[i].Stored {
			t.frame.RestoreKeyed(i, func(key kernel.Key) (e kernel.Entry, ok bool) {
				k, ok := b.keys[key]
				if ok {
					e = k.entry
					e.Values = b.values[k.at : k.at+b.width]
				}
				return e, ok
			})
		}
	}
}

// keepKeyed copies what closures have assigned, before that is taken back.
func (t *rerun) keepKeyed() {
	for i, b := range t.keyed {
		if !t.frame.Program.Keyed[i].Stored {
			continue
		}
		clear(b.seen)
		b.theirs, b.made = b.theirs[:0], b.made[:0]
		t.shadow.EachKey(i, func(key kernel.Key, e kernel.Entry) {
			if !e.Changed() {
				return
			}
			b.seen[key] = keyBefore{e, len(b.made)}
			b.made = append(b.made, e.Values...)
			if e.Order > 1 {
				b.theirs = append(b.theirs, newKey{key, e.Order})
			}
		})
	}
}

// compareKeyed compares the values that rows have assigned, and the order of new keys, with what keepKeyed has copied. The values
// of the code are in the entries.
func (t *rerun) compareKeyed() *kernel.Difference {
	for i, b := range t.keyed {
		if t.frame.Program.Keyed[i].Stored {
			if d := t.compareTable(i, b); d != nil {
				return d
			}
		}
	}
	return nil
}

func (t *rerun) compareTable(table int, b *keyedBefore) *kernel.Difference {
	code, closures, same := b.compare(func(visit visitKey) { t.frame.EachKey(table, visit) })
	if same {
		return nil
	}
	return &kernel.Difference{Row: -1, Input: t.frame.Program.Keyed[table].Input, Code: code, Closures: closures}
}

// visitKey gets an entry of the code.
type visitKey = func(key kernel.Key, e kernel.Entry)

// compare compares the entries of the code, which each visits, with what keepKeyed has copied. If they differ, the texts say what
// the code and what the closures have.
func (b *keyedBefore) compare(each func(visitKey)) (code, closures string, same bool) {
	b.mine, same = b.mine[:0], true
	each(func(key kernel.Key, e kernel.Entry) {
		if !e.Changed() || !same {
			return
		}
		before := b.keys[key].entry
		want, ok := e.Values, false
		if k, has := b.seen[key]; has {
			want, ok = b.made[k.at:k.at+b.width], true
			delete(b.seen, key)
		} else if k, has := b.keys[key]; has {
			want, ok = b.values[k.at:k.at+b.width], true
		}
		if before.Order == 0 && e.Order > 1 {
			b.mine = append(b.mine, newKey{key, e.Order})
		}
		if !ok || !slices.EqualFunc(e.Values, want, sameSlot) {
			code, closures, same = fmt.Sprint(keyText(key), e.Values), fmt.Sprint(keyText(key), want), false
		}
	})
	byOrder := func(a, b newKey) int { return cmp.Compare(a.order, b.order) }
	slices.SortFunc(b.mine, byOrder)
	slices.SortFunc(b.theirs, byOrder)
	if same && (len(b.seen) > 0 || !slices.EqualFunc(b.mine, b.theirs, func(x, y newKey) bool { return x.key == y.key })) {
		return fmt.Sprint("the new keys ", keyTexts(b.mine)), fmt.Sprint("the new keys ", keyTexts(b.theirs)), false
	}
	return code, closures, same
}

// keyText is a key in a message.
func keyText(key kernel.Key) any {
	text := func(n float64, s string) any {
		if s != "" {
			return s
		}
		return n
	}
	if second := text(key.SecondN, key.SecondS); second != 0.0 {
		return fmt.Sprint(text(key.N, key.S), " and ", second)
	}
	return text(key.N, key.S)
}

// keyTexts are keys in a message.
func keyTexts(list []newKey) (texts []any) {
	for _, k := range list {
		texts = append(texts, keyText(k.key))
	}
	return texts
}

// sameSlot reports whether two values are equal.
func sameSlot(x, y kernel.Slot) bool {
	return x.Has == y.Has && (!x.Has || sameNumber(x.N, y.N) && x.S == y.S)
}
