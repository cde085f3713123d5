package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Reads and writes of tables and objects: the instructions for obj.key, obj[key] and obj:name. A table field is
// found by the hash of its name (fields.go); an Object is asked directly; everything else is
// left to gopher-lua.

// A Field is what an Object remembers for a place in a script, from one read or write there to the next.
type Field struct {
	Owner unsafe.Pointer // the thing in which Index is a place
	Key   string
	Index int

	Write bool // the current read is on the way to a write: see Path
	path  Path
}

// Step reports whether the result of the current read is only read from: see Path.
func (f *Field) Step() bool { return f.path&Step != 0 }

// Is reports whether f remembers the index of key in owner.
func (f *Field) Is(owner unsafe.Pointer, key string) bool { return f.Owner == owner && f.Key == key }

// Remember makes f remember the index of key in owner.
func (f *Field) Remember(owner unsafe.Pointer, key string, index int) {
	f.Owner, f.Key, f.Index = owner, key, index
}

// An Object is the Value of a userdata whose fields can be read and written without a call of Lua. Both methods
// return false if the metamethod of the userdata must decide: for a missing field, and for an error.
type Object interface {
	GetField(f *Field, key string, out *Value) bool
	SetField(f *Field, key string, v *Value) bool
}

const metaIndex, metaNewIndex = "__index", "__newindex"

// newTable makes a table as gopher-lua's NEWTABLE does.
func newTable(array, hash int) *lua.LTable {
	if 0 < array && array < len(listers) && hash <= groupSlots {
		return asLua(listers[array](array))
	}
	t := &table{Metatable: lua.LNil}
	if array != 0 {
		t.array = make([]lua.LValue, 0, array)
	}
	if hash > groupSlots { // a smaller map is made when it gets its first name
		t.strdict = newFields(hash)
	}
	return asLua(t)
}

// A TableMaker fills a new table of known size. That costs a third of setting the entries of an empty table. The
// order of pairs is that of the calls. Each key must be added once, and list items (Append) before all others.
type TableMaker struct {
	t      *table
	layout *Layout // nil: the names are not known beforehand
	n      int     // of a layout: the number of names that are set
}

// NewTable begins a table with that many list items and that many other entries.
func NewTable(items, others int) TableMaker {
	t := &table{Metatable: lua.LNil}
	if items > 0 {
		t.array = make([]lua.LValue, 0, items)
	}
	if others > 0 {
		t.strdict = newFields(others)
		t.keys = make([]lua.LValue, 0, others)
		t.k2i = make(map[lua.LValue]int, others)
	}
	return TableMaker{t: t}
}

// Append adds the next list item, which must not be nil.
func (m *TableMaker) Append(v lua.LValue) { m.t.array = append(m.t.array, v) }

// Set adds the value of a name. Neither may be nil, and NewTable must have made room for it.
func (m *TableMaker) Set(name lua.LValue, v lua.LValue) {
	if m.layout != nil {
		m.t.entry(m.n).value = v
		m.n++
		return
	}
	m.t.strdict[string(name.(lua.LString))] = v
	m.t.k2i[name] = len(m.t.keys)
	m.t.keys = append(m.t.keys, name)
}

// Skip leaves out the next name of a layout, whose value is nil.
func (m *TableMaker) Skip() {
	if m.layout != nil {
		m.t.loosen(m.layout, m.n)
		m.layout = nil
	}
}

// Table returns the table, which may then be used and changed in any way.
func (m *TableMaker) Table() *lua.LTable { return asLua(m.t) }

// getField executes obj.key for a name with that hash. It returns false if gopher-lua must do it.
func (m *Machine) getField(in *instruction, out, obj, key *Value, hash uint64, act *activation) bool {
	s := &act.code.sites[in.site]
	switch o := obj.Ref.(type) {
	case *lua.LTable:
		return s.lookup(o, textOf(key), hash, out)
	case *lua.LUserData:
		if x, ok := o.Value.(Object); ok {
			if m.full(act.frame) {
				return false // gopher-lua calls __index
			}
			switch path := s.field.path; path &^ Step {
			case 0:
			case Argument:
				s.field.Write = path.Writes(below(out))
			default: // out may be the first register of its segment: there is none below
				s.field.Write = path.Writes(nil)
			}
			before := *m.spent
			ok := x.GetField(&s.field, *textOf(key), out)
			m.owe(before)
			return ok
		}
		return s.lookupMeta(o.Metatable, textOf(key), hash, out)
	}
	return false
}

// below returns the value in the register below another one; nil if it is a number.
func below(v *Value) lua.LValue { return reg(pointer(v), -valueSize).Ref }

// keyedOf returns the Keyed inside a userdata value; false for any other value.
func keyedOf(v *Value) (Keyed, bool) {
	ud, ok := v.Ref.(*lua.LUserData)
	if !ok {
		return nil, false
	}
	x, ok := ud.Value.(Keyed)
	return x, ok
}

var (
	metaIndexText, metaNewIndexText = metaIndex, metaNewIndex
	metaIndexHash, metaNewIndexHash = hashOf(metaIndex), hashOf(metaNewIndex)
)

// lookup reads a field of a table, or of the tables in its chain of __index. It returns false if gopher-lua must do
// it.
func (s *site) lookup(t *lua.LTable, name *string, hash uint64, out *Value) bool {
	e, _, known := s.bases.reads(tableOf(t), name, hash)
	if !known {
		return false
	}
	if *out = Nil; e != nil {
		*out = Of(e.value)
	}
	return true
}

// lookupMeta reads a field of a value that has no fields of its own, through its metatable.
func (s *site) lookupMeta(metatable lua.LValue, name *string, hash uint64, out *Value) bool {
	mt, ok := metatable.(*lua.LTable)
	if !ok {
		return false
	}
	index, _ := tableOf(mt).find(&metaIndexText, metaIndexHash)
	if index == nil {
		return false
	}
	t, ok := index.value.(*lua.LTable)
	return ok && s.lookup(t, name, hash, out)
}

// self executes obj:name: it sets out to the function, and the next register to the object.
func (m *Machine) self(in *instruction, out, obj, key *Value, act *activation) bool {
	s := &act.code.sites[in.site]
	object := *obj
	ok := false
	switch o := obj.Ref.(type) {
	case *lua.LTable:
		ok = s.lookup(o, textOf(key), hashIn(key), out)
	case *lua.LUserData:
		if x, fields := o.Value.(Object); fields {
			if m.full(act.frame) {
				return false
			}
			before := *m.spent
			ok = x.GetField(&s.field, *textOf(key), out)
			m.owe(before)
		} else {
			ok = s.lookupMeta(o.Metatable, textOf(key), hashIn(key), out)
		}
	case lua.LString:
		if methods := m.Strings[act.frame.Fn.Env]; methods != nil {
			ok = s.lookup(methods, textOf(key), hashIn(key), out)
		}
	}
	if !ok {
		return false
	}
	*reg(pointer(out), valueSize) = object
	return true
}

// getTable executes obj[key] for a key of any kind.
func (m *Machine) getTable(in *instruction, out, obj, key *Value, act *activation) bool {
	t, ok := obj.Ref.(*lua.LTable)
	if !ok {
		if name, ok := key.Ref.(lua.LString); ok {
			return m.getField(in, out, obj, key, hashOf(string(name)), act)
		}
		x, keyed := keyedOf(obj)
		if !keyed || m.full(act.frame) {
			return false
		}
		before := *m.spent
		ok = x.GetKey(&act.code.sites[in.site].field, key, out)
		m.owe(before)
		return ok
	}
	tb := tableOf(t)
	var v lua.LValue
	if key.Ref == nil {
		if i := int(key.Num); i > 0 && i <= len(tb.array) && float64(i) == key.Num {
			v = tb.array[i-1]
		} else if tb.dict != nil {
			m.key = key.Num
			v = tb.dict[m.numberKey]
		}
	} else {
		switch name := key.Ref.(type) {
		case lua.LString:
			return act.code.sites[in.site].lookup(t, textOf(key), hashOf(string(name)), out)
		case *lua.LNilType:
			return false
		}
		v = tb.dict[key.Ref]
	}
	if v == nil || isNil(&v) {
		if !isNil(&t.Metatable) {
			return false
		}
		*out = Nil
		return true
	}
	*out = Of(v)
	return true
}

// setField executes obj.key = v for a name with that hash.
func (m *Machine) setField(in *instruction, obj, key *Value, hash uint64, v *Value, act *activation) bool {
	switch o := obj.Ref.(type) {
	case *lua.LTable:
		return m.setString(in, o, key, hash, v)
	case *lua.LUserData:
		if x, ok := o.Value.(Object); ok {
			if m.full(act.frame) {
				return false // gopher-lua calls __newindex
			}
			before := *m.spent
			ok := x.SetField(&act.code.sites[in.site].field, *textOf(key), v)
			m.owe(before)
			return ok
		}
	}
	return false
}

// setString sets a field of a table.
func (m *Machine) setString(in *instruction, t *lua.LTable, key *Value, hash uint64, v *Value) bool {
	tb := tableOf(t)
	if v.IsNil() {
		if !setsRaw(t) {
			return false
		}
		t.RawSetString(*textOf(key), lua.LNil)
		return true
	}
	e, known := tb.find(textOf(key), hash)
	if !known {
		return false
	}
	if e != nil && !isNil(&t.Metatable) && Frozen(t) {
		return false
	}
	value := m.boxes.value(v)
	if e != nil {
		in.add = tb.headerOf().placeOf(e)
		e.value = value
		return true // gopher-lua knows the key already, and __newindex is for new keys only
	}
	if !setsRaw(t) || !in.flag && !m.takes(EntryBytes) {
		return false
	}
	tb.add(key.Ref, value)
	return true
}

// setsRaw reports whether an assignment to a new key of a table adds it there: the table has no __newindex.
func setsRaw(t *lua.LTable) bool {
	if isNil(&t.Metatable) {
		return true
	}
	mt, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return false
	}
	e, known := tableOf(mt).find(&metaNewIndexText, metaNewIndexHash)
	return known && e == nil
}

// setTable executes obj[key] = v for a key of any kind.
func (m *Machine) setTable(in *instruction, obj, key, v *Value, act *activation) bool {
	t, ok := obj.Ref.(*lua.LTable)
	if !ok {
		if name, ok := key.Ref.(lua.LString); ok {
			return m.setField(in, obj, key, hashOf(string(name)), v, act)
		}
		x, keyed := keyedOf(obj)
		if !keyed || m.full(act.frame) {
			return false
		}
		before := *m.spent
		ok = x.SetKey(key, v)
		m.owe(before)
		return ok
	}
	if !isNil(&t.Metatable) && Frozen(t) {
		return false
	}
	tb := tableOf(t)
	if key.Ref == nil {
		if i := int(key.Num); i > 0 && float64(i) == key.Num && i <= len(tb.array) {
			if isNil(&tb.array[i-1]) && (!setsRaw(t) || !v.IsNil() && !m.paysFor(in, EntryBytes)) {
				return false
			}
			tb.array[i-1] = m.boxes.value(v)
			return true
		} else if i == len(tb.array)+1 && i <= cap(tb.array) && i < lua.MaxArrayIndex && float64(i) == key.Num && len(tb.dict) == 0 && isNil(&t.Metatable) && !v.IsNil() && m.paysFor(in, EntryBytes) {
			tb.array = append(tb.array, m.boxes.value(v))
			return true
		}
		if key.Num != key.Num || !setsRaw(t) {
			return false
		}
		if i, ok := listKey(lua.LNumber(key.Num)); ok {
			if i == len(tb.array)+1 {
				if !v.IsNil() && !m.paysFor(in, EntryBytes) {
					return false
				}
				tb.setItem(i, m.boxes.value(v))
				return true
			}
			tb.others()
		}
		return m.setOther(in, t, m.boxes.value(key), v)
	}
	switch name := key.Ref.(type) {
	case lua.LString:
		return m.setString(in, t, key, hashOf(string(name)), v)
	case *lua.LNilType:
		return false
	}
	if !setsRaw(t) {
		return false
	}
	return m.setOther(in, t, key.Ref, v)
}

// setOther sets t[key] = v for a key that is neither a name nor one of the list part.
func (m *Machine) setOther(in *instruction, t *lua.LTable, key lua.LValue, v *Value) bool {
	value := m.boxes.value(v)
	if !m.paysFor(in, GrowthBytes(t, key, value)) {
		return false
	}
	SetOther(t, key, value)
	return true
}

// paysFor takes the price of an assignment to a table, which is 0 for the entries of a constructor.
func (m *Machine) paysFor(in *instruction, price int64) bool {
	return price == 0 || in.flag || m.takes(price)
}
