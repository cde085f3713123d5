package interp

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// Frozen data: a stored table in a register, without a copy. A read of a table field normally makes a Lua table of
// its own. Most code only looks into it, and then a script cannot tell whether it is a table. Where lend.go finds
// that, the read returns the stored data itself.
//
// A frozen value is in registers of one call only. The instructions that look into it accept it (getTable,
// getField, length), and so do pairs, ipairs and # through the forms in this file. If it comes to another Go
// function all the same, because a script has replaced pairs, it becomes a table first (thaw).

// frozen is plain data in a register. A nil pointer is the empty table.
type frozen ecs.Data

func (f *frozen) String() string       { return lua.LTTable.String() }
func (f *frozen) Type() lua.LValueType { return lua.LTTable }
func (f *frozen) data() *ecs.Data      { return (*ecs.Data)(f) }

// content is [ecs.RawAccess.Content].
func (f *frozen) content() (values []ecs.Value, items int, keys []ecs.Value) {
	return ecs.Raw.Content(f.data())
}

// Lend sets out to stored data, frozen, if the code that reads f only looks into it. It returns false otherwise.
func (f *Field) Lend(d *ecs.Data, out *Value) bool {
	if d.Levels() > int(f.lends) {
		return false
	}
	out.Ref = (*frozen)(d)
	return true
}

// textTab is the first word of every lua.LValue that holds a string.
var textTab = kind(lua.LString(""))

// plain makes v what x holds. x is an element of an array that does not change: strings and tables are not copied.
func (v *Value) plain(x *ecs.Value) {
	switch x.Kind() {
	case ecs.NilValue:
		panic("interp: stored data holds nil")
	case ecs.BoolValue:
		if *v = False; x.Bool() {
			*v = True
		}
	case ecs.StringValue:
		*(*iface)(unsafe.Pointer(&v.Ref)) = iface{textTab, unsafe.Pointer(ecs.Raw.Text(x))}
	case ecs.TableValue:
		v.Ref = (*frozen)(x.Data())
	default:
		v.SetNumber(x.Float())
	}
}

// field reads the value of a name. The site remembers its place.
func (f *frozen) field(s *site, name *string, out *Value) {
	values, items, keys := f.content()
	if i := s.entry - items; uint(i) < uint(len(keys)) && keys[i].Kind() == ecs.StringValue && *ecs.Raw.Text(&keys[i]) == *name {
		out.plain(&values[s.entry])
		return
	}
	if i, ok := ecs.Raw.FindKey(keys, items, ecs.Text(*name)); ok {
		s.entry = i
		out.plain(&values[i])
		return
	}
	*out = Nil
}

// get reads the value of any other key.
func (f *frozen) get(key, out *Value) {
	values, items, keys := f.content()
	var k ecs.Value
	switch x := key.Ref.(type) {
	case nil:
		if i := int(key.Num) - 1; uint(i) < uint(items) && float64(i+1) == key.Num {
			out.plain(&values[i])
			return
		}
		k = ecs.Number(key.Num)
	case lua.LBool:
		k = ecs.Boolean(bool(x))
	default:
		*out = Nil
		return
	}
	if i, ok := ecs.Raw.FindKey(keys, items, k); ok {
		out.plain(&values[i])
		return
	}
	*out = Nil
}

// length returns # of the table: the largest key that gopher-lua would keep in its list part.
func (f *frozen) length() int {
	_, n, keys := f.content()
	for i := range keys {
		if keys[i].Kind() != ecs.NumberValue {
			break
		}
		if isItem(&keys[i]) {
			n = int(keys[i].Float())
		}
	}
	return n
}

// isItem reports whether gopher-lua keeps a key in the list part of a table.
func isItem(key *ecs.Value) bool {
	f := key.Float()
	return key.Kind() == ecs.NumberValue && f >= 1 && f < float64(lua.MaxArrayIndex) && f == float64(int(f))
}

// next returns the place of the entry behind place i in the order of pairs: the list part first, then the other
// keys. i is -1 before the first entry, and the result is -1 at the end.
func (f *frozen) next(i int) int {
	_, items, keys := f.content()
	if i+1 < items {
		return i + 1
	}
	list := i < items || isItem(&keys[i-items])
	for i = max(i-items, -1); ; list, i = false, -1 {
		for i++; i < len(keys); i++ {
			if isItem(&keys[i]) == list {
				return items + i
			}
		}
		if !list {
			return -1
		}
	}
}

// nextPair gives the variables of a loop over pairs their next values.
func (f *frozen) nextPair(s *site, key *Value, out []Value) bool {
	values, items, keys := f.content()
	i := -1
	if !key.IsNil() {
		if i = s.index; i >= len(values) {
			return false
		}
		if k := keyOf(items, keys, i); k.Ref != key.Ref || k.Ref == nil && k.Num != key.Num {
			if i = f.find(key); i < 0 {
				return false
			}
		}
	}
	if i = f.next(i); i < 0 {
		fill(out, Nil, Nil)
		return true
	}
	s.index = i
	var v Value
	v.plain(&values[i])
	fill(out, keyOf(items, keys, i), v)
	return true
}

// keyOf returns the key of entry i.
func keyOf(items int, keys []ecs.Value, i int) (k Value) {
	if i < items {
		return Number(float64(i + 1))
	}
	k.plain(&keys[i-items])
	return k
}

// find returns the place of a key; -1 if it has no value.
func (f *frozen) find(key *Value) int {
	var k ecs.Value
	switch x := key.Ref.(type) {
	case nil:
		k = ecs.Number(key.Num)
	case lua.LString:
		k = ecs.Text(string(x))
	case lua.LBool:
		k = ecs.Boolean(bool(x))
	}
	if i, ok := f.data().Find(k); ok {
		return i
	}
	return -1
}

// nextItem gives the variables of a loop over ipairs their next values.
func (f *frozen) nextItem(key *Value, out []Value) bool {
	i := int(key.Num)
	if i < 0 || float64(i) != key.Num {
		return false
	}
	v, next := Value{}, Number(float64(i+1))
	if f.get(&next, &v); v.IsNil() { // not every list begins the entries: the key 0 may come before
		fill(out, Nil, Nil)
		return true
	}
	fill(out, Number(float64(i+1)), v)
	return true
}

// thaw makes a table of frozen data, and puts it into all registers of the call that hold the data.
func (m *Machine) thaw(act *activation, f *frozen) {
	t := m.Thaw(f.data())
	for i := range act.code.size {
		if x, ok := at(act.r, i).Ref.(*frozen); ok && x == f {
			at(act.r, i).Ref = t
		}
	}
}

// thawArguments makes tables of all frozen data in n registers.
func (m *Machine) thawArguments(act *activation, from, n int) {
	for i := range n {
		if f, ok := at(act.r, from+i).Ref.(*frozen); ok {
			m.thaw(act, f)
		}
	}
}
