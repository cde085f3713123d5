package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Tables in one piece. gopher-lua keeps the named fields of a table in two Go maps and a list of keys, which are six
// allocations and about 750 bytes. A table whose names are known when it is made is one allocation here: the table,
// the headers of its two maps, and room for its fields. Its map of fields has only as much room as it has names. The
// map from names to places in the list of keys, and that list, are shared by all tables of a layout.
//
// Such a table is an ordinary one for gopher-lua and for the Go runtime. Both maps say that they are full (fullMap),
// so the runtime moves the entries to new memory before it adds one, and never writes behind the entries that there
// are. It never writes to the shared map either, because gopher-lua only adds to that one. The only trace is len of
// the map of fields, which is too large and which nothing uses, except to compare it with 0. checkPacked tries all
// of this when the program starts. If the runtime does not work like this, tables are made in the ordinary way.

// A Layout has the names of the fields of tables that are made with these fields. It does not change after
// NewLayout, and may be used by one goroutine at a time.
type Layout struct {
	names    []lua.LValue // in the order in which they are set; its capacity is its length
	template unsafe.Pointer
	make     func(template unsafe.Pointer) *table
	loosened int // tables for which a field was nil

	places map[lua.LValue]int // its entries are those of the maps k2i; kept here, so that they are on the heap
}

// A packed is a table in one piece. F is an array of map entries.
type packed[F any] struct {
	table   table
	fields  mapHeader // the map strdict
	places  mapHeader // the map k2i
	control [groupSlots]uint8
	entries F
}

const (
	mostPacked    = groupSlots // the largest number of names of a Layout
	fullMap       = groupSlots // mapHeader.used of a map that has room for no more entries
	fieldsOffset  = unsafe.Offsetof(packed[[1]mapEntry]{}.fields)
	controlOffset = unsafe.Offsetof(packed[[1]mapEntry]{}.control)
	entriesOffset = unsafe.Offsetof(packed[[1]mapEntry]{}.entries)
	mostLoosened  = 8 // after so many tables with a nil field, a constructor makes ordinary tables
)

// packers makes templates and tables, by the number of names.
var packers = [mostPacked + 1]struct {
	template func() unsafe.Pointer
	make     func(template unsafe.Pointer) *table
}{
	1: {newTemplate[[1]mapEntry], copyTemplate[[1]mapEntry]},
	2: {newTemplate[[2]mapEntry], copyTemplate[[2]mapEntry]},
	3: {newTemplate[[3]mapEntry], copyTemplate[[3]mapEntry]},
	4: {newTemplate[[4]mapEntry], copyTemplate[[4]mapEntry]},
	5: {newTemplate[[5]mapEntry], copyTemplate[[5]mapEntry]},
	6: {newTemplate[[6]mapEntry], copyTemplate[[6]mapEntry]},
	7: {newTemplate[[7]mapEntry], copyTemplate[[7]mapEntry]},
	8: {newTemplate[[8]mapEntry], copyTemplate[[8]mapEntry]},
}

func newTemplate[F any]() unsafe.Pointer { return unsafe.Pointer(new(packed[F])) }

// copyTemplate makes a table without values.
func copyTemplate[F any](template unsafe.Pointer) *table {
	p := new(packed[F])
	*p = *(*packed[F])(template)
	p.fields.dir = unsafe.Pointer(&p.control)
	*(*unsafe.Pointer)(unsafe.Pointer(&p.table.strdict)) = unsafe.Pointer(&p.fields)
	*(*unsafe.Pointer)(unsafe.Pointer(&p.table.k2i)) = unsafe.Pointer(&p.places)
	return &p.table
}

// packedKnown says that the Go runtime uses maps as this file expects.
var packedKnown = mapsKnown && checkPacked()

// NewLayout returns the layout of tables with these names, which must be different. It returns nil if there can be
// none: without names, with more than 8, or with a Go runtime that is not known.
func NewLayout(names ...lua.LValue) *Layout {
	if !packedKnown {
		return nil
	}
	return newLayout(names)
}

func newLayout(names []lua.LValue) *Layout {
	n := len(names)
	if n == 0 || n > mostPacked {
		return nil
	}
	l := &Layout{names: append(make([]lua.LValue, 0, n), names...), template: packers[n].template(), make: packers[n].make}
	l.names = l.names[:n:n]
	p := (*packed[[1]mapEntry])(l.template)

	// Real maps tell the hashes of the names. Entries of a map that never had more than one group are in the order
	// in which they were added.
	fields := newFields(n)
	l.places = make(map[lua.LValue]int, n)
	for i, name := range l.names {
		fields[string(name.(lua.LString))], l.places[name] = lua.LNil, i
	}
	ofFields, ofPlaces := *(**mapHeader)(unsafe.Pointer(&fields)), *(**mapHeader)(unsafe.Pointer(&l.places))
	p.table = table{Metatable: lua.LNil, keys: l.names}
	p.fields, p.places = *ofFields, *ofPlaces
	p.fields.used, p.places.used = fullMap, fullMap
	p.control = *(*[groupSlots]uint8)(ofFields.dir)
	p.fields.dir = unsafe.Pointer(&p.control) // fields may be on the stack
	for i, name := range l.names {
		e := (*mapEntry)(unsafe.Add(l.template, entriesOffset+uintptr(i)*entrySize))
		e.key = string(name.(lua.LString))
	}
	return l
}

// Table begins a table with the names of the layout, which must be set in their order, and with room for list items.
func (l *Layout) Table(items int) TableMaker {
	t := l.make(l.template)
	if items > 0 {
		t.array = make([]lua.LValue, 0, items)
	}
	return TableMaker{t: t, layout: l}
}

// Fits reports whether few tables of the layout had a nil field, so that it is worth using it.
func (l *Layout) Fits() bool { return l.loosened < mostLoosened }

// entry returns the entry of a field of a table that copyTemplate has made.
func (t *table) entry(i int) *mapEntry {
	return (*mapEntry)(unsafe.Add(unsafe.Pointer(t), entriesOffset+uintptr(i)*entrySize))
}

// inPiece reports whether a table that was made with a Layout still is in one piece.
func (t *table) inPiece() bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(&t.strdict)) == unsafe.Add(unsafe.Pointer(t), fieldsOffset)
}

// loosen makes an ordinary table, in place, of one in one piece whose first n fields have values.
func (t *table) loosen(l *Layout, n int) {
	fields := newFields(len(l.names))
	keys, places := make([]lua.LValue, 0, len(l.names)), make(map[lua.LValue]int, len(l.names))
	for i, name := range l.names[:n] {
		fields[string(name.(lua.LString))] = t.entry(i).value
		keys, places[name] = append(keys, name), i
	}
	t.strdict, t.keys, t.k2i = fields, keys, places
	l.loosened++
}

// newLaidOut executes opNewLaidOut: it makes a table whose next fields are the names of a layout. Nothing reads the
// table before initField has set them all, in their order.
func (m *Machine) newLaidOut(l *Layout, items int) *lua.LTable {
	if l.loosened >= mostLoosened {
		return newTable(items, len(l.names))
	}
	t := l.make(l.template)
	if items > 0 {
		t.array = make([]lua.LValue, 0, items)
	}
	return asLua(t)
}

// initField executes opInitField: it sets field i of a layout.
func (m *Machine) initField(l *Layout, of *lua.LTable, i int, v *Value) {
	t := tableOf(of)
	packed := t.inPiece()
	switch {
	case v.IsNil() && packed:
		t.loosen(l, i)
	case v.IsNil():
	case packed:
		t.entry(i).value = m.boxes.value(v)
	default:
		t.add(l.names[i], m.boxes.value(v))
	}
}

// add adds a field that the table does not have. Neither name nor value may be nil.
func (t *table) add(name, value lua.LValue) {
	if t.strdict == nil {
		t.strdict = newFields(0) // gopher-lua would make room for 32
	}
	if t.keys == nil {
		t.k2i, t.keys = map[lua.LValue]int{}, make([]lua.LValue, 0, 4)
	}
	t.strdict[string(name.(lua.LString))] = value
	if _, known := t.k2i[name]; !known {
		t.k2i[name] = len(t.keys)
		t.keys = append(t.keys, name)
	}
}

// A listed is a table in one piece with the room for its list items. A is an array of values.
type listed[A any] struct {
	table table
	items A
}

func newListed[A any](items int) *table {
	t := new(listed[A])
	t.table.Metatable = lua.LNil
	t.table.array = unsafe.Slice((*lua.LValue)(unsafe.Pointer(&t.items)), items)[:0]
	return &t.table
}

// listers makes tables with room for list items, by their number.
var listers = [...]func(items int) *table{
	1: newListed[[1]lua.LValue], 2: newListed[[2]lua.LValue], 3: newListed[[3]lua.LValue], 4: newListed[[4]lua.LValue],
	5: newListed[[5]lua.LValue], 6: newListed[[6]lua.LValue], 7: newListed[[7]lua.LValue], 8: newListed[[8]lua.LValue],
}

// checkPacked makes tables of all sizes in one piece, and changes their maps in all ways that there are, to see that
// the runtime finds the entries, and writes to no memory but that of the entries.
func checkPacked() (known bool) {
	for n := 1; n <= mostPacked; n++ {
		names := make([]lua.LValue, n)
		for i := range names {
			names[i] = lua.LString("name" + string(rune('a'+i)))
		}
		l := newLayout(names)
		for i := range names {
			if !l.check(i) {
				return false
			}
		}
	}
	return true
}

// A guarded is a table in one piece with nothing in the memory behind it.
type guarded struct {
	packed[[mostPacked]mapEntry]
	behind mapEntry
}

// check tries the maps of a table of a layout. one is the index of the name that it removes.
func (l *Layout) check(one int) bool {
	n := len(l.names)
	g := new(guarded)
	copyOf := (*packed[[1]mapEntry])(l.template)
	g.table, g.fields, g.places, g.control = copyOf.table, copyOf.fields, copyOf.places, copyOf.control
	g.fields.dir = unsafe.Pointer(&g.control)
	*(*unsafe.Pointer)(unsafe.Pointer(&g.table.strdict)) = unsafe.Pointer(&g.fields)
	*(*unsafe.Pointer)(unsafe.Pointer(&g.table.k2i)) = unsafe.Pointer(&g.places)
	for i, name := range l.names {
		g.entries[i] = mapEntry{string(name.(lua.LString)), small[i]}
	}
	shared := *(*[groupSlots]uint8)(g.places.dir)
	clean := func() bool {
		for i := n; i < mostPacked; i++ {
			if g.entries[i] != (mapEntry{}) {
				return false
			}
		}
		return g.behind == mapEntry{} && *(*[groupSlots]uint8)(copyOf.places.dir) == shared
	}
	t := &g.table
	fields, places := t.strdict, t.k2i
	has := func(name lua.LValue, want lua.LValue, place int) bool {
		v, ok := fields[string(name.(lua.LString))]
		i, known := places[name]
		return ok == (want != nil) && v == want && (known == (place >= 0)) && (!known || i == place)
	}
	all := func() bool {
		seen := 0
		for range fields {
			seen++
		}
		for i, name := range l.names {
			if !has(name, small[i], i) {
				return false
			}
		}
		return seen == n && clean()
	}
	if !all() || !has(lua.LString("other"), nil, -1) {
		return false
	}
	// Remove a name and add it again: its entry is the only one with room.
	name := l.names[one]
	delete(fields, string(name.(lua.LString)))
	if !has(name, nil, one) || !clean() {
		return false
	}
	fields[string(name.(lua.LString))] = small[one]
	if !all() || g.fields.dirLen != 0 {
		return false
	}
	// Change a name, which moves the entries if the map is full.
	fields[string(name.(lua.LString))] = small[one]
	if !all() {
		return false
	}
	// Add further names to both maps, which moves the entries.
	for i := range 20 {
		more := lua.LString("more" + string(rune('a'+i)))
		fields[string(more)], places[more] = small[i], n+i
		if !has(more, small[i], n+i) || !has(name, small[one], one) || !clean() {
			return false
		}
	}
	return len(fields) > 0 && g.behind == mapEntry{}
}
