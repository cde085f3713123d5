package draft

import (
	"math"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// A Table is a Lua table with plain data that one row of a loop uses. Two variables that hold the same Lua table
// hold the same Table.
type Table struct {
	pool     *Pool
	from     *ecs.Data   // the content, if it has not changed
	own      []ecs.Value // the values of the entries, sorted by key: those of from, or its own if it has changed
	room     *ecs.Data   // what own becomes when the table is frozen, if own is its memory; nil: own is spare
	spare    []ecs.Value // memory that stays with the Table, for a content that has outgrown its room
	items    int         // number of leading entries with the keys 1, 2, …
	keys     []ecs.Value // the keys of the other entries
	ownKeys  bool        // keys is keyRoom, and may be changed
	keyRoom  []ecs.Value // memory that stays with the Table
	listLen  int         // length of the list part of the Lua table, with what is nil at its end; unknownList if nobody has asked yet
	changed  bool
	reshaped bool        // of a changed table: it may have other keys than from, or tables of another size or depth
	ordered  bool        // order has the order of pairs; otherwise it is that of keys
	ownOrder bool        // order may be changed
	order    []ecs.Value // see order.go
	kids     []*Table    // by entry: the table that the entry holds, if it has an identity; may be shorter than the entries
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

// unknownList says that nobody has asked yet how long a list part is. No item has been removed then.
const unknownList = -1

// mostKept is the largest number of tables whose memory is used again.
const mostKept = 1 << 12

// mostRoom is the largest number of entries for which a table keeps memory from one walk to the next.
const mostRoom = 1 << 8

// Table returns a new table with that content.
func (p *Pool) Table(d *ecs.Data) *Table {
	if p.used == len(p.tables) {
		if p.used == mostKept {
			t := &Table{pool: p, from: d, listLen: unknownList}
			t.own, t.items, t.keys = ecs.Raw.Content(d)
			return t
		}
		p.tables = append(p.tables, &Table{pool: p})
	}
	t := p.tables[p.used]
	p.used++
	t.own, t.items, t.keys = ecs.Raw.Content(d)
	t.from, t.listLen, t.ownKeys, t.room, t.kids = d, unknownList, false, nil, t.kids[:0]
	t.changed, t.reshaped, t.freezing, t.frozen = false, false, false, 0
	t.ordered, t.ownOrder, t.order = false, false, nil
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
		if max(cap(t.spare), cap(t.kids), cap(t.keyRoom)) > mostRoom {
			*t = Table{pool: p}
			continue
		}
		clear(t.kids[:cap(t.kids)])
		clear(t.spare[:cap(t.spare)])
		clear(t.keyRoom[:cap(t.keyRoom)])
		*t = Table{pool: p, spare: t.spare[:0], kids: t.kids[:0], keyRoom: t.keyRoom[:0]}
	}
	p.most = 0
}

// inner returns the table that entry i holds.
func (t *Table) inner(i int) *Table {
	t.widen()
	if t.kids[i] == nil {
		t.kids[i] = t.pool.Table(t.own[i].Data())
	}
	return t.kids[i]
}

// widen makes kids as long as the entries.
func (t *Table) widen() {
	for len(t.kids) < len(t.own) {
		t.kids = append(t.kids, nil)
	}
}

// change gives the table values of its own, if it has none. They are in the memory in which they will be stored, so that
// Freeze does not copy them again. more is the number of entries that will be added.
func (t *Table) change(more int) {
	if t.changed {
		return
	}
	from, _, _ := ecs.Raw.Content(t.from)
	t.room, t.own = ecs.Raw.DataRoom(len(from) + more)
	t.own, t.changed, t.reshaped = append(t.own, from...), true, len(from) == 0
	t.pool.Copied += int64(len(from)) + 1
}

// outgrow moves the values to memory that grows, if there is no room for another one.
func (t *Table) outgrow() {
	if t.room != nil && len(t.own) == cap(t.own) {
		t.own, t.room = append(t.spare[:0], t.own...), nil
	}
}

// Len returns the number of entries.
func (t *Table) Len() int {
	return len(t.own)
}

// ListLen returns the length of the list part of the Lua table (package interp says which keys are in it). It does not become shorter when an item
// becomes nil, so it may be longer than #t.
func (t *Table) ListLen() int {
	if t.listLen == unknownList {
		t.listLen = listLen(t.items, t.keys)
	}
	return t.listLen
}

// reaches notes that a value is about to be stored at a key that has none. If it is the key behind the list part, that becomes longer, by those that
// follow as well.
func (t *Table) reaches(key *ecs.Value) {
	if i, ok := listKey(key); !ok || i != t.ListLen()+1 {
		return
	}
	has := func(i int) bool {
		_, found := ecs.Raw.FindKey(t.keys, t.items, ecs.Number(float64(i)))
		return found && i <= sandbox.MaxList
	}
	if has(t.listLen + 2) {
		t.makeOrderOwn() // the places of the keys that follow are kept
	}
	for t.listLen++; has(t.listLen + 1); {
		t.listLen++
	}
}

// inList reports whether a key is in the list part.
func (t *Table) inList(key *ecs.Value) bool {
	i, ok := listKey(key)
	return ok && i <= t.ListLen()
}

// Set gives a key a value; nil removes it. It reports false for a key or a value that data cannot have.
func (t *Table) Set(key, v Ref) bool {
	if key.Table != nil {
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
	i, found := ecs.Raw.FindKey(t.keys, t.items, k)
	switch {
	case v.IsNil():
		if t.ListLen(); found { // which an item that becomes nil does not change
			t.remove(i)
		}
	case found:
		t.change(0)
		t.put(i, v)
	default:
		t.reaches(&k)
		t.insert(i, k, v)
	}
	return true
}

// SetName is Set for a name.
func (t *Table) SetName(name *Name, v Ref) bool {
	i, found := name.find(t.items, t.keys, t.ownKeys)
	switch {
	case !found:
		return t.Set(Ref{Value: &name.key}, v)
	case v.IsNil():
		t.remove(i)
	default:
		t.change(0)
		t.put(i, v)
	}
	return true
}

// SetNumber is SetName for a number.
func (t *Table) SetNumber(name *Name, n float64) bool {
	if t.Replace(name, n) {
		return true
	}
	t.pool.number = ecs.Number(n)
	return t.SetName(name, Ref{Value: &t.pool.number})
}

// Replace gives a name another number, if it is where it was found last, and holds a number. Otherwise it changes nothing, and
// reports false.
func (t *Table) Replace(name *Name, n float64) bool {
	at, ok := name.in(t.keys)
	if !ok || t.own[t.items+at].Kind() != ecs.NumberValue {
		return false
	}
	if !t.changed {
		t.change(0)
	}
	ecs.Raw.PutNumber(&t.own[t.items+at], n)
	return true
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
		switch t.own[i].Kind() {
		case ecs.NilValue, ecs.TableValue, ecs.IntValue, ecs.UintValue, ecs.EntityValue:
			t.reshaped = true
		case ecs.NumberValue, ecs.BoolValue, ecs.StringValue:
		}
		t.own[i] = scalar(v.Value)
		if i < len(t.kids) {
			t.kids[i] = nil
		}
		return
	}
	t.own[i], t.reshaped = ecs.TableOf(nil), true // Freeze stores the data
	t.widen()
	t.kids[i] = kid
}

// insert makes an entry at place i.
func (t *Table) insert(i int, key ecs.Value, v Ref) {
	t.change(1)
	t.outgrow()
	t.reshaped = true
	t.follows(&key)
	t.own = slices.Insert(t.own, i, ecs.Value{})
	if i < len(t.kids) {
		t.kids = slices.Insert(t.kids, i, nil)
	}
	t.insertKey(i, key)
	t.put(i, v)
	t.pool.Copied += int64(len(t.own)-i) / 8
}

// remove removes entry i.
func (t *Table) remove(i int) {
	t.change(0)
	t.reshaped = true
	if i >= t.items && !t.inList(&t.keys[i-t.items]) {
		t.makeOrderOwn()
	}
	t.own = slices.Delete(t.own, i, i+1)
	if i < len(t.kids) {
		t.kids = slices.Delete(t.kids, i, i+1)
	}
	t.removeKey(i)
	t.pool.Copied += int64(len(t.own)-i) / 8
}

// Grow makes room for n entries in a new table.
func (t *Table) Grow(n int) {
	t.own, t.listLen, t.changed, t.reshaped = t.spare[:0], 0, true, true
	if n > 0 {
		t.room, t.own = ecs.Raw.DataRoom(n)
	}
}
