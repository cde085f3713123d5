package draft

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
)

// A Table is a Lua table with plain data that one row of a loop uses. Two variables that hold the same Lua table
// hold the same Table.
type Table struct {
	pool     *Pool
	from     *ecs.Data       // the content, if it has not changed
	own      []ecs.DataEntry // the content, if it has: sorted by key. The memory stays with the Table
	items    int             // number of leading entries with the keys 1, 2, …
	changed  bool
	shuffled bool     // the order of pairs is not known
	kids     []*Table // by entry: the table that the entry holds, if it has an identity; may be shorter than the entries
	freezing bool
	frozen   int // the Freeze that has frozen it last
}

// A Pool makes Tables. They are valid until Reset.
type Pool struct {
	// Copied is the number of entries that were copied since it was last set to 0, for the budget.
	Copied int64

	number ecs.Value // the value of the current SetNumber
	tables []*Table
	used   int
	most   int // the largest value of used since the last Clear
	freeze int // the number of calls of Freeze
}

// mostKept is the largest number of tables whose memory is used again.
const mostKept = 1 << 12

// mostRoom is the largest number of entries for which a table keeps memory from one walk to the next.
const mostRoom = 1 << 8

// Table returns a new table with that content.
func (p *Pool) Table(d *ecs.Data) *Table {
	if p.used == len(p.tables) {
		if p.used == mostKept {
			return &Table{pool: p, from: d, items: d.Items()}
		}
		p.tables = append(p.tables, &Table{pool: p})
	}
	t := p.tables[p.used]
	p.used++
	t.from, t.items, t.own, t.kids = d, d.Items(), t.own[:0], t.kids[:0]
	t.changed, t.shuffled, t.freezing, t.frozen = false, false, false, 0
	return t
}

// Reset forgets all tables, before the next row.
func (p *Pool) Reset() {
	p.most = max(p.most, p.used)
	p.used, p.Copied = 0, 0
}

// Clear is Reset at the end of a walk: it drops references to data, so that it can be freed.
func (p *Pool) Clear() {
	p.Reset()
	for _, t := range p.tables[:p.most] {
		if cap(t.own) > mostRoom {
			*t = Table{pool: p}
			continue
		}
		clear(t.kids[:cap(t.kids)])
		clear(t.own[:cap(t.own)])
		*t = Table{pool: p, own: t.own[:0], kids: t.kids[:0]}
	}
	p.most = 0
}

// content returns the entries, and the number of leading entries with the keys 1, 2, … .
func (t *Table) content() ([]ecs.DataEntry, int) {
	if t.changed {
		return t.own, t.items
	}
	return t.from.Entries(), t.items
}

// inner returns the table that entry i holds.
func (t *Table) inner(i int) *Table {
	t.widen()
	if t.kids[i] == nil {
		entries, _ := t.content()
		t.kids[i] = t.pool.Table(entries[i].Value.Data())
	}
	return t.kids[i]
}

// widen makes kids as long as the entries.
func (t *Table) widen() {
	entries, _ := t.content()
	for len(t.kids) < len(entries) {
		t.kids = append(t.kids, nil)
	}
}

// change gives the table entries of its own.
func (t *Table) change() {
	if t.changed {
		return
	}
	from := t.from.Entries()
	t.own, t.changed = append(t.own[:0], from...), true
	t.pool.Copied += int64(len(from)) + 1
}

// Len returns the number of entries.
func (t *Table) Len() int {
	entries, _ := t.content()
	return len(entries)
}

// Follows reports whether a new entry with this key makes the list part of a Lua table longer by one item at most: the
// key follows the last item, or is none of a list.
func (t *Table) Follows(key Ref) bool {
	n, isNumber := key.Number()
	if i := int(n); !isNumber || float64(i) != n || i < 1 || i > sandbox.MaxList {
		return true
	}
	entries, items := t.content()
	return int(n) == items+1 && (items == len(entries) || entries[items].Key.Kind() != ecs.NumberValue)
}

// Set gives a key a value; nil removes it. It reports false for a key or a value that data cannot have.
func (t *Table) Set(key, v Ref) bool {
	if key.Table != nil || key.Lua != nil || v.Lua != nil {
		return false
	}
	k := scalar(key.Value)
	switch k.Kind() {
	case ecs.NumberValue:
		if f := k.Float(); f != f || f == 0 && math.Signbit(f) {
			return false
		}
	case ecs.StringValue, ecs.BoolValue:
	default:
		return false
	}
	entries, items := t.content()
	i, found := ecs.Raw.FindEntry(entries, items, k)
	switch {
	case v.IsNil():
		if found {
			t.remove(i)
		}
	case found:
		t.change()
		t.put(i, v)
	default:
		t.insert(i, k, v)
	}
	return true
}

// SetName is Set for a key that is a string. hint remembers the place of the entry for the next call, with this table
// or another one.
func (t *Table) SetName(key *ecs.Value, hint *int, v Ref) bool {
	if v.Lua != nil {
		return false
	}
	entries, items := t.content()
	i := *hint
	if i >= len(entries) || !isText(&entries[i].Key, *ecs.Raw.Text(key)) {
		var found bool
		if i, found = ecs.Raw.FindEntry(entries, items, *key); !found {
			return t.Set(Ref{Value: key}, v)
		}
		*hint = i
	}
	if v.IsNil() {
		t.remove(i)
		return true
	}
	t.change()
	t.put(i, v)
	return true
}

// SetNumber is SetName for a number.
func (t *Table) SetNumber(key *ecs.Value, hint *int, n float64) bool {
	entries, _ := t.content()
	if i := *hint; i < len(entries) && isText(&entries[i].Key, *ecs.Raw.Text(key)) {
		t.change()
		t.own[i].Value = ecs.Number(n)
		if i < len(t.kids) {
			t.kids[i] = nil
		}
		return true
	}
	t.pool.number = ecs.Number(n)
	return t.SetName(key, hint, Ref{Value: &t.pool.number})
}

// isText reports whether v is a string, and this one.
func isText(v *ecs.Value, text string) bool {
	return v.Kind() == ecs.StringValue && *ecs.Raw.Text(v) == text
}

// scalar returns a value that is not a table as a script stores it.
func scalar(v *ecs.Value) ecs.Value {
	switch v.Kind() {
	case ecs.IntValue, ecs.UintValue, ecs.EntityValue:
		return ecs.Number(v.Float())
	}
	return *v
}

// put stores a value in entry i.
func (t *Table) put(i int, v Ref) {
	kid := v.Table
	if kid == nil && v.Value.Kind() == ecs.TableValue {
		kid = t.pool.Table(v.Value.Data())
	}
	if kid == nil {
		t.own[i].Value = scalar(v.Value)
		if i < len(t.kids) {
			t.kids[i] = nil
		}
		return
	}
	t.own[i].Value = ecs.TableOf(nil) // Freeze stores the data
	t.widen()
	t.kids[i] = kid
}

// insert makes an entry at place i.
func (t *Table) insert(i int, key ecs.Value, v Ref) {
	t.change()
	item := isItem(&key)
	t.shuffled = t.shuffled || !item
	t.own = slices.Insert(t.own, i, ecs.DataEntry{Key: key})
	if i < len(t.kids) {
		t.kids = slices.Insert(t.kids, i, nil)
	}
	t.put(i, v)
	if i < t.items { // the key is before the list, or between two items
		t.items = i
	}
	if item && i == t.items {
		for t.items < len(t.own) && t.own[t.items].Key.Kind() == ecs.NumberValue && t.own[t.items].Key.Float() == float64(t.items+1) {
			t.items++
		}
	}
	t.pool.Copied += int64(len(t.own)-i) / 8
}

// remove removes entry i.
func (t *Table) remove(i int) {
	t.change()
	t.own = slices.Delete(t.own, i, i+1)
	if i < len(t.kids) {
		t.kids = slices.Delete(t.kids, i, i+1)
	}
	t.items = min(t.items, i)
	t.pool.Copied += int64(len(t.own)-i) / 8
}

// list returns the number of items. It is not ok if the table has other numbers as keys, with which functions of
// the library table may do something else.
func (t *Table) list() (n int, ok bool) {
	entries, items := t.content()
	return items, items == len(entries) || entries[items].Key.Kind() != ecs.NumberValue
}

// IsList reports whether a table has no other numbers as keys than those of its items.
func (t *Table) IsList() bool {
	_, ok := t.list()
	return ok
}

// Insert is table.insert(t, at, v). It reports false if that has to be left to the interpreter.
func (t *Table) Insert(at float64, v Ref) bool {
	n, ok := t.list()
	i := int(at)
	if !ok || v.IsNil() || v.Lua != nil || float64(i) != at || i < 1 || i > n+1 || n >= sandbox.MaxList {
		return false
	}
	t.insert(n, ecs.Number(float64(n+1)), Ref{Value: &Nil})
	t.widen()
	t.pool.Copied += int64(n-i) / 4
	for j := n; j >= i; j-- {
		t.own[j].Value, t.kids[j] = t.own[j-1].Value, t.kids[j-1]
	}
	t.put(i-1, v)
	return true
}

// Append is table.insert(t, v).
func (t *Table) Append(v Ref) bool { return t.Insert(float64(t.items+1), v) }

// Remove is table.remove(t, at), or table.remove(t) if last is true. The value that it returns is in out, which is
// not a part of the table any more. It reports false if that has to be left to the interpreter.
func (t *Table) Remove(at float64, last bool, out *ecs.Value) (r Ref, ok bool) {
	n, ok := t.list()
	i := int(at)
	if last {
		i = n
		if n == 0 {
			*out = Nil
			return Ref{Value: out}, ok
		}
	} else if float64(i) != at || i < 1 || i > n {
		return Ref{Value: &Nil}, false
	}
	if !ok {
		return Ref{Value: &Nil}, false
	}
	t.change()
	t.widen()
	r = Ref{Value: out}
	if r.Table = t.kids[i-1]; r.Table == nil && t.own[i-1].Value.Kind() == ecs.TableValue {
		r.Table = t.inner(i - 1)
	}
	*out = scalar(&t.own[i-1].Value)
	t.pool.Copied += int64(n-i) / 4
	for j := i; j < n; j++ {
		t.own[j-1].Value, t.kids[j-1] = t.own[j].Value, t.kids[j]
	}
	t.remove(n - 1)
	return r, true
}

// Shuffle says that the order of pairs is not known, because the entries were made in another order than that of
// their keys.
func (t *Table) Shuffle() { t.shuffled = true }

// Grow makes room for n entries in a new table.
func (t *Table) Grow(n int) {
	t.own, t.changed = slices.Grow(t.own[:0], n), true
}
