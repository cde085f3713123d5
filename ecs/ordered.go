package ecs

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"
)

// This file puts the entities of a query into the order of fields, or into a random one. orderwalk.go walks them.
//
// The order is decided when the walk begins: the plain walk is noted, with the keys of each row, and sorted. The order of the last walk is a hint: where few keys
// have changed since, the rest is in order already, and those that are not are sorted and merged in. Keys that are equal keep the order of the plain walk, so
// there is one order only, whatever the hint was.

// An OrderKey is a field by which [Query.Ordered] orders entities; see the example of [Ordered]. Its values: numbers by their size, false before true, strings by their bytes. NaN comes last, up and down.
type OrderKey struct {
	Component ComponentID // one that the query requires; inherited values count
	Field     string
	Down      bool // from high to low
}

// By returns the key for a field of the component, from low to high.
func (c Component[T]) By(field string) OrderKey { return OrderKey{Component: c.ID(), Field: field} }

// An Ordered is a query whose walks visit the entities in the order of keys. Its walks cost what those of the query do, a look at the keys of all rows, and the
// sorting of what is not in the order of the last walk. It belongs to the goroutine of the world, and keeps about 50 bytes for each entity.
type Ordered struct {
	query  *Query
	levels []level // none: the order is random
	random *Random // its stream

	n      int        // rows of the plain walk
	rows   []rowPlace // they, but for those of one run of a table
	whole  rowPlace   // the first row of that run; without a match if rows has them all
	items  []uint32   // their indexes in order; before the sort that of the last walk
	spare  []uint32
	strays []uint32
}

// A rowPlace is a row of the plain walk.
type rowPlace struct {
	match *match
	row   int
}

// A level is a key with its values.
type level struct {
	term   int
	field  *Field
	down   bool
	ranks  []uint64 // by row: see rank
	texts  []string // of a string
	ascend int      // 1, or -1 if down
}

// Ordered returns the query with an order, for [Ordered.All] and the StartOrdered of typed queries ([Query2.StartOrdered]): by the first key, where that is equal by the next one, and at last as the query visits them. Errors: no key, one whose
// component the query does not require, or whose field is missing, or holds entities or tables.
func (q *Query) Ordered(keys ...OrderKey) (*Ordered, error) {
	q.use()
	o := &Ordered{query: q}
	for _, k := range keys {
		i := slices.Index(q.filter.Required, k.Component)
		if i < 0 {
			return nil, fail("order", None, q.world.nameOf(k.Component), fmt.Errorf("the query does not require the component"))
		}
		info := q.world.components[k.Component]
		at := info.schema.Index(k.Field)
		if at < 0 {
			return nil, fail("order", None, info.name, fmt.Errorf("there is no field %q", k.Field))
		}
		f := &info.schema.fields[at]
		if !f.Type.HasOrder() {
			return nil, fail("order", None, info.name, fmt.Errorf("the field %q is of type %s, which has no order", k.Field, f.Type))
		}
		l := level{term: i, field: f, down: k.Down, ascend: 1}
		if k.Down {
			l.ascend = -1
		}
		o.levels = append(o.levels, l)
	}
	if len(keys) == 0 {
		return nil, fail("order", None, "", fmt.Errorf("there is no key"))
	}
	return o, nil
}

// Shuffled returns the query with a random order, other ones in each walk. Each walk draws one number less than it has entities, as a shuffle from the last place to the second does.
func (q *Query) Shuffled(r *Random) *Ordered {
	q.use()
	return &Ordered{query: q, random: r}
}

// DrawFrom makes a random order draw from another stream.
func (o *Ordered) DrawFrom(r *Random) { o.random = r }

// nameOf returns the name of a component for an error.
func (w *World) nameOf(id ComponentID) string {
	if int(id) < len(w.components) {
		return w.components[id].name
	}
	return ""
}

// note notes the rows of a plain walk, with their keys, and ends it.
func (o *Ordered) note(c *Cursor) {
	o.rows, o.whole, o.n = o.rows[:0], rowPlace{}, 0
	for i := range o.levels {
		o.levels[i].ranks, o.levels[i].texts = o.levels[i].ranks[:0], o.levels[i].texts[:0]
	}
	for {
		n, mask := c.NextRows()
		if n == 0 {
			return
		}
		m, first := c.match, c.row
		if o.n == 0 && mask == 0 {
			o.whole, o.n = rowPlace{m, first}, n
		} else {
			o.spell()
			for i := range n {
				if mask == 0 || mask>>i&1 != 0 {
					o.rows = append(o.rows, rowPlace{m, first + i})
				}
			}
			o.n = len(o.rows)
		}
		for i := range o.levels {
			o.levels[i].read(o.query, m, first, n, mask)
		}
	}
}

// spell puts the rows of the run into rows.
func (o *Ordered) spell() {
	if o.whole.match != nil {
		for i := range o.n {
			o.rows = append(o.rows, rowPlace{o.whole.match, o.whole.row + i})
		}
		o.whole = rowPlace{}
	}
}

// place returns a row by its index.
func (o *Ordered) place(at uint32) rowPlace {
	if o.whole.match != nil {
		return rowPlace{o.whole.match, o.whole.row + int(at)}
	}
	return o.rows[at]
}

// read reads the keys of a run of rows of a match.
func (l *level) read(q *Query, m *match, first, n int, mask uint64) {
	col := m.cols[l.term]
	if mask == 0 && col != nil && l.field.Type == F64 {
		p, turned, known := unsafe.Add(col.at(first), l.field.Offset), l.turn(0), len(l.ranks)
		l.ranks = slices.Grow(l.ranks, n)[:known+n]
		ranks := l.ranks[known:]
		for i := range ranks {
			x := *(*float64)(unsafe.Add(p, uintptr(i)*uintptr(col.size)))
			bits := math.Float64bits(x + 0) // -0 is 0
			bits ^= uint64(int64(bits)>>63) | 1<<63
			if bits ^= turned; x != x {
				bits = math.MaxUint64
			}
			ranks[i] = bits
		}
		return
	}
	for i := range n {
		if mask != 0 && mask>>i&1 == 0 {
			continue
		}
		of, row := col, first+i
		if of == nil {
			info := q.world.components[q.terms[l.term]]
			of, row = q.world.shared(info, &q.world.slots.all[uint32(m.table.entities[row])])
		}
		p := unsafe.Add(of.at(row), l.field.Offset)
		switch l.field.Type {
		case String:
			text := *(*string)(p)
			l.texts = append(l.texts, text)
			l.ranks = append(l.ranks, l.turn(textRank(text)))
		case I64:
			l.ranks = append(l.ranks, l.turn(uint64(*(*int64)(p))^1<<63))
		case U64:
			l.ranks = append(l.ranks, l.turn(*(*uint64)(p)))
		default:
			l.ranks = append(l.ranks, l.rank(loadNumber(p, l.field.Type)))
		}
	}
}

// rank returns a number whose order is that of x. NaN has the greatest one.
func (l *level) rank(x float64) uint64 {
	if x != x {
		return math.MaxUint64
	}
	bits := math.Float64bits(x + 0) // -0 is 0
	if bits>>63 != 0 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return l.turn(bits)
}

// turn turns the order of numbers around for a key that goes down.
func (l *level) turn(rank uint64) uint64 {
	if l.down {
		return ^rank
	}
	return rank
}

// textRank returns the first 8 bytes of a text as a number.
func textRank(s string) (rank uint64) {
	for i := range 8 {
		rank <<= 8
		if i < len(s) {
			rank |= uint64(s[i])
		}
	}
	return rank
}

// compare orders two rows, by their indexes; it is 0 for the same row only.
func (o *Ordered) compare(a, b uint32) int {
	for i := range o.levels {
		l := &o.levels[i]
		switch x, y := l.ranks[a], l.ranks[b]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		if l.field.Type == String {
			if by := strings.Compare(l.texts[a], l.texts[b]); by != 0 {
				return by * l.ascend
			}
		}
	}
	return int(a) - int(b)
}

// sort puts the rows in order. It begins with the order of the last walk.
func (o *Ordered) sort() {
	was := o.items
	if len(was) > o.n {
		was = slices.DeleteFunc(was, func(at uint32) bool { return int(at) >= o.n })
	}
	for at := len(o.items); at < o.n; at++ {
		was = append(was, uint32(at))
	}
	kept, strays := slices.Grow(o.spare[:0], o.n)[:o.n], o.strays[:0]
	ranks, last, n := o.levels[0].ranks, uint64(0), 0
	for _, at := range was {
		rank := ranks[at]
		if n > 0 && (rank < last || rank == last && o.compare(at, kept[n-1]) < 0) {
			n--
			strays, last = append(strays, kept[n], at), 0 // either may be the one that has moved
			if n > 0 {
				last = ranks[kept[n-1]]
			}
			continue
		}
		kept[n], last = at, rank
		n++
	}
	kept = kept[:n]
	o.items, o.spare, o.strays = kept, was, strays
	switch {
	case len(strays) > o.n/4:
		o.items = append(o.items, strays...)
		slices.SortFunc(o.items, o.compare)
	case len(strays) > 0:
		slices.SortFunc(strays, o.compare)
		o.items, o.spare = o.merge(was[:0], kept, strays), kept
	}
}

// merge appends two lists in order to a third one, so that it is in order. The second one is short: its places in the first are looked for in steps
// that double, and then between the last two of them.
func (o *Ordered) merge(to, a, b []uint32) []uint32 {
	ranks := o.levels[0].ranks
	for len(b) > 0 {
		next := ranks[b[0]]
		before := func(at uint32) bool { return ranks[at] < next || ranks[at] == next && o.compare(at, b[0]) < 0 }
		end := 1
		for end <= len(a) && before(a[end-1]) {
			end *= 2
		}
		i, most := end/2, min(end-1, len(a))
		for i < most {
			if half := (i + most) / 2; before(a[half]) {
				i = half + 1
			} else {
				most = half
			}
		}
		to, a = append(to, a[:i]...), a[i:]
		to, b = append(to, b[0]), b[1:]
	}
	return append(to, a...)
}

// shuffle puts the rows in random order.
func (o *Ordered) shuffle() {
	o.items = o.items[:0]
	for at := range o.n {
		o.items = append(o.items, uint32(at))
	}
	for i := len(o.items); i > 1; i-- {
		j := int(o.random.Between(1, float64(i)))
		o.items[i-1], o.items[j-1] = o.items[j-1], o.items[i-1]
	}
}

// least returns the index of the row that comes first. There is at least one.
func (o *Ordered) least() (first uint32) {
	for at := range o.n {
		if o.compare(uint32(at), first) < 0 {
			first = uint32(at)
		}
	}
	return first
}
