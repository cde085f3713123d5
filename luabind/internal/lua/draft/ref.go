package draft

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// A Ref is a value of a script: nil, a number, a boolean, a string or a table. If Table is not nil, it is that table.
// Otherwise it is *Value, which may be a stored table that nothing can change. Value is valid until a table changes, so a
// Ref is used at once and not kept.
type Ref struct {
	Value *ecs.Value
	Table *Table
}

// Nil is the value nil, for a Ref.
var Nil ecs.Value

// IsTable reports whether r is a table.
func (r Ref) IsTable() bool {
	return r.Table != nil || r.Value.Kind() == ecs.TableValue
}

// IsNil reports whether r is nil.
func (r Ref) IsNil() bool {
	return r.Table == nil && r.Value.Kind() == ecs.NilValue
}

// IsPlain reports whether r is nil, a number, a boolean or a string.
func (r Ref) IsPlain() bool { return !r.IsTable() }

// True reports whether r is neither nil nor false.
func (r Ref) True() bool {
	if r.Table != nil {
		return true
	}
	switch r.Value.Kind() {
	case ecs.NilValue:
		return false
	case ecs.BoolValue:
		return r.Value.Bool()
	}
	return true
}

// Number returns the number that r is. Entities and exact integers in stored data are numbers for a script.
func (r Ref) Number() (float64, bool) {
	if r.Table != nil {
		return 0, false
	}
	switch r.Value.Kind() {
	case ecs.NumberValue, ecs.IntValue, ecs.UintValue, ecs.EntityValue:
		return r.Value.Float(), true
	}
	return 0, false
}

// Text returns the string that r is.
func (r Ref) Text() (string, bool) {
	if r.Table != nil || r.Value.Kind() != ecs.StringValue {
		return "", false
	}
	return r.Value.Str(), true
}

// Flag returns the boolean that r is.
func (r Ref) Flag() (is, ok bool) {
	if r.Table != nil || r.Value.Kind() != ecs.BoolValue {
		return false, false
	}
	return r.Value.Bool(), true
}

// Equal reports whether two values are equal in Lua. It is not ok if that depends on the identity of a table that
// has none here.
func Equal(a, b Ref) (equal, ok bool) {
	if a.IsTable() || b.IsTable() {
		if a.Table != nil && b.Table != nil {
			return a.Table == b.Table, true
		}
		return false, a.IsTable() != b.IsTable()
	}
	if x, isNumber := a.Number(); isNumber {
		y, also := b.Number()
		return also && x == y, true
	}
	return a.Value.Equal(*b.Value), true
}

// content returns the values of the entries of a table, the number of leading entries with the keys 1, 2, …, and the keys
// of the others. It is not ok if r is no table.
func (r Ref) content() (values []ecs.Value, items int, keys []ecs.Value, ok bool) {
	if t := r.Table; t != nil {
		return t.own, t.items, t.keys, true
	}
	if r.Value.Kind() != ecs.TableValue {
		return nil, 0, nil, false
	}
	values, items, keys = ecs.Raw.Content(r.Value.Data())
	return values, items, keys, true
}

// at returns the value of entry i of r. keep says that a table needs an identity.
func (r Ref) at(values []ecs.Value, i int, keep bool) Ref {
	if t := r.Table; t != nil {
		if keep && values[i].Kind() == ecs.TableValue {
			return Ref{Table: t.inner(i)}
		}
		if i < len(t.kids) && t.kids[i] != nil {
			return Ref{Table: t.kids[i]}
		}
	}
	return Ref{Value: &values[i]}
}

// Name returns the value at a name. keep says that a table that is found needs an identity: it is kept, compared or changed.
// ok is false if r is no table.
func (r Ref) Name(name *Name, keep bool) (out Ref, ok bool) {
	values, items, keys, ok := r.content()
	if !ok {
		return Ref{Value: &Nil}, false
	}
	if i, found := name.find(items, keys, r.Table != nil && r.Table.ownKeys); found {
		return r.at(values, i, keep), true
	}
	return Ref{Value: &Nil}, true
}

// Number returns the number at a name, if it is where it was found last. It reports false for all else.
func (t *Table) Number(name *Name) (n float64, ok bool) {
	at, ok := name.in(t.keys)
	if !ok {
		return 0, false
	}
	v := &t.own[t.items+at]
	return v.Float(), v.Kind() == ecs.NumberValue
}

// Scalar returns the value of a name if it is where it was found last; nil if it is not there, or is a table.
func (r Ref) Scalar(name *Name) *ecs.Value {
	values, items, keys, ok := r.content()
	if at, found := name.in(keys); ok && found && values[items+at].Kind() != ecs.TableValue {
		return &values[items+at]
	}
	return nil
}

// Item returns the value at a number, if it is an item of the list; a table has an identity. It reports false for all else.
func (t *Table) Item(key float64) (out Ref, ok bool) {
	i := int(key) - 1
	if uint(i) >= uint(t.items) || float64(i+1) != key {
		return Ref{}, false
	}
	v := &t.own[i]
	if v.Kind() == ecs.TableValue {
		if i < len(t.kids) && t.kids[i] != nil {
			return Ref{Table: t.kids[i]}, true
		}
		return Ref{Table: t.inner(i)}, true
	}
	return Ref{Value: v}, true
}

// Item returns the value at a number. See Name for keep and ok.
func (r Ref) Item(key float64, keep bool) (out Ref, ok bool) {
	values, items, keys, ok := r.content()
	if !ok {
		return Ref{Value: &Nil}, false
	}
	if i := int(key) - 1; uint(i) < uint(items) && float64(i+1) == key {
		return r.at(values, i, keep), true
	}
	if len(keys) > 0 && key == key {
		if i, found := ecs.Raw.FindKey(keys, items, ecs.Number(key)); found {
			return r.at(values, i, keep), true
		}
	}
	return Ref{Value: &Nil}, true
}

// Get returns the value at any key. See Name for keep and ok.
func (r Ref) Get(key Ref, keep bool) (out Ref, ok bool) {
	if n, isNumber := key.Number(); isNumber {
		return r.Item(n, keep)
	}
	values, items, keys, ok := r.content()
	if ok && key.Table == nil {
		switch key.Value.Kind() {
		case ecs.StringValue, ecs.BoolValue:
			if i, found := ecs.Raw.FindKey(keys, items, *key.Value); found {
				return r.at(values, i, keep), true
			}
		}
	}
	return Ref{Value: &Nil}, ok
}

// Length returns # of a table or a string.
func (r Ref) Length() (n float64, ok bool) {
	if s, isText := r.Text(); isText {
		return float64(len(s)), true
	}
	_, items, keys, ok := r.content()
	if r.Table == nil {
		return float64(listLen(items, keys)), ok
	}
	return float64(r.Table.length()), ok
}

// length returns # of the table: the last key of the list part that has a value.
func (t *Table) length() int {
	n := t.items
	for i := range t.keys {
		if t.keys[i].Kind() != ecs.NumberValue {
			break
		}
		if t.inList(&t.keys[i]) {
			n = int(t.keys[i].Float())
		}
	}
	return n
}

// listLen returns the length of the list part of a table that is made of stored data: its keys 1, 2, … without a gap.
func listLen(items int, keys []ecs.Value) int {
	if items > 0 {
		return items
	}
	i, found := ecs.Raw.FindKey(keys, 0, ecs.Number(1))
	for n := 1; found; n++ {
		if i++; n == sandbox.MaxList || i == len(keys) || !isNumber(&keys[i], n+1) {
			return n
		}
	}
	return 0
}

// listKey returns a key as a place in a list; false for a key that never is in the list part of a table.
func listKey(key *ecs.Value) (i int, ok bool) {
	if key.Kind() != ecs.NumberValue {
		return 0, false
	}
	f := key.Float()
	i = int(f)
	return i, f >= 1 && f <= sandbox.MaxList && f == float64(i)
}

// Held returns a Ref to the same value that stays valid as long as nothing else is put into the variable v.
func (r Ref) Held(v *ecs.Value) Ref {
	if r.Table == nil {
		*v = *r.Value
		r.Value = v
	}
	return r
}
