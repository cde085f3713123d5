package interp

import (
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// Changes of Lua tables that can be undone, for compiled loops: a row that cannot be finished leaves no trace. Values,
// lengths and the order of pairs are restored.

// A ChangeLog is a log of changes of tables. The zero value is an empty log.
type ChangeLog struct {
	boxes Boxes
	list  []change
	items []lua.LValue // the list parts that changes have replaced as a whole
	most  int          // the largest length of list since the last Forget
}

// A change is the state of one entry of a table, or of its whole list part, before it was changed.
type change struct {
	of   *table
	kind changeKind
	name string
	key  lua.LValue  // of an otherEntry
	lua  *lua.LTable // of an ownMetatable: the table
	old  lua.LValue  // the value before; nil if there was none
	at   int         // of a listItem: the place, from 0 on; of a wholeList: where in ChangeLog.items it begins
	size int         // the length of the list part, or of the list of keys, before
}

// A changeKind says what a change has changed.
type changeKind uint8

const (
	listItem changeKind = iota
	wholeList
	namedEntry
	otherEntry
	ownMetatable
)

// Len returns the number of changes in the log.
func (c *ChangeLog) Len() int { return len(c.list) }

// SetName sets t[name] = v, without metatables.
func (c *ChangeLog) SetName(t *lua.LTable, name string, v lua.LValue) {
	tb := tableOf(t)
	old := tb.strdict[name]
	c.list = append(c.list, change{of: tb, kind: namedEntry, name: name, old: old, size: len(tb.keys)})
	switch {
	case v == lua.LNil:
		t.RawSetString(name, v)
	case old != nil:
		tb.strdict[name] = v
	default: // RawSetString would make a map for 32 names, in which fields are found more slowly
		tb.add(lua.LString(name), v)
	}
}

// SetNumber sets t[key] = v, without metatables. The key is not NaN. It returns the price, as [GrowthBytes].
func (c *ChangeLog) SetNumber(t *lua.LTable, key float64, v lua.LValue) (bytes int64) {
	tb := tableOf(t)
	if i := int(key); i > 0 && i < lua.MaxArrayIndex && float64(i) == key {
		bytes = listGrowth(tb, i, v == lua.LNil)
		ch := change{of: tb, at: i - 1, size: len(tb.array)}
		if i <= len(tb.array) {
			ch.old = tb.array[i-1]
			tb.array[i-1] = v
		} else {
			tb.reach(i)
			t.RawSetInt(i, v)
		}
		c.list = append(c.list, ch)
		return bytes
	}
	k := c.boxes.Number(key)
	c.SetOther(t, k, v)
	if old := c.list[len(c.list)-1].old; v == lua.LNil || old != nil && old != lua.LNil {
		return 0
	}
	return EntryBytes
}

// SetOther sets t[key] = v, without metatables. The key is neither a string nor a number of the list part.
func (c *ChangeLog) SetOther(t *lua.LTable, key, v lua.LValue) {
	tb := tableOf(t)
	c.list = append(c.list, change{of: tb, kind: otherEntry, key: key, old: tb.dict[key], size: len(tb.keys)})
	SetOther(t, key, v)
}

// SetMetatable sets the metatable of a table.
func (c *ChangeLog) SetMetatable(t *lua.LTable, meta lua.LValue) {
	c.list = append(c.list, change{lua: t, kind: ownMetatable, old: t.Metatable})
	t.Metatable = meta
}

// keepList logs the list part of a table as a whole.
func (c *ChangeLog) keepList(t *lua.LTable) {
	tb := tableOf(t)
	c.list = append(c.list, change{of: tb, kind: wholeList, at: len(c.items), size: len(tb.array)})
	c.items = append(c.items, tb.array...)
}

// SetList gives the first places of the list part these values, none of which is nil, at once.
func (c *ChangeLog) SetList(t *lua.LTable, items []lua.LValue) {
	c.keepList(t)
	for i, v := range items {
		t.RawSetInt(i+1, v)
	}
}

// Insert is table.insert(t, at, v) for a place within the list.
func (c *ChangeLog) Insert(t *lua.LTable, at int, v lua.LValue) {
	c.keepList(t)
	t.Insert(at, v)
}

// Remove is table.remove(t, at) for a place within the list.
func (c *ChangeLog) Remove(t *lua.LTable, at int) lua.LValue {
	if tb := tableOf(t); at == len(tb.array) {
		c.list = append(c.list, change{of: tb, at: at - 1, old: tb.array[at-1], size: len(tb.array)})
	} else {
		c.keepList(t)
	}
	return t.Remove(at)
}

// Box returns a number as a value of gopher-lua.
func (c *ChangeLog) Box(n float64) lua.LValue { return c.boxes.Number(n) }

// Undo undoes all changes from the n-th on, from the end.
func (c *ChangeLog) Undo(n int) {
	for i := len(c.list) - 1; i >= n; i-- {
		ch := &c.list[i]
		switch tb := ch.of; ch.kind {
		case ownMetatable:
			ch.lua.Metatable = ch.old
		case listItem:
			if ch.at < ch.size {
				if len(tb.array) < ch.size { // the last item was removed
					tb.array = tb.array[:ch.size]
				}
				tb.array[ch.at] = ch.old
			}
			clear(tb.array[ch.size:])
			tb.array = tb.array[:ch.size]
		case wholeList:
			clear(tb.array)
			tb.array = append(tb.array[:0], c.items[ch.at:]...)
			c.items = slices.Delete(c.items, ch.at, len(c.items))
		case namedEntry:
			if ch.old != nil {
				tb.strdict[ch.name] = ch.old
				break
			}
			delete(tb.strdict, ch.name)
			tb.dropKeys(ch.size)
		case otherEntry:
			if ch.old != nil {
				tb.dict[ch.key] = ch.old
				break
			}
			delete(tb.dict, ch.key)
			tb.dropKeys(ch.size)
		}
	}
	c.trim(n)
}

// dropKeys removes the keys from the n-th on, which are those of entries that are gone.
func (t *table) dropKeys(n int) {
	for _, key := range t.keys[n:] {
		delete(t.k2i, key)
	}
	clear(t.keys[n:])
	t.keys = t.keys[:n]
}

// trim shortens the log.
func (c *ChangeLog) trim(n int) {
	c.most = max(c.most, len(c.list))
	c.list = c.list[:n]
	if n == 0 && len(c.items) > 0 {
		clear(c.items)
		c.items = c.items[:0]
	}
}

// Keep forgets all changes, so that they stay.
func (c *ChangeLog) Keep() { c.trim(0) }

// Forget drops the references to values that the memory of the log still holds.
func (c *ChangeLog) Forget() {
	c.trim(0)
	clear(c.list[:min(c.most, cap(c.list))])
	c.most = 0
}
