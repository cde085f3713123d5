package interp

import (
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// The values of a table at numbers, in the order of pairs. gopher-lua keeps the keys in a list and the values in a Go
// map from keys of any type, which takes long to look a key up. Reading the whole map and putting its entries into a hash
// table of numbers is quicker. The next walk finds each entry where it was, unless the map has moved its entries.

const (
	leastOrdered = 64      // with fewer keys, each is looked up
	mostOrdered  = 1 << 16 // with more keys too: the memory is kept
)

// An Ordered visits the values of tables at numbers in the order of pairs. It keeps memory for that. Its zero value is
// ready to use.
type Ordered struct {
	slots  []orderedSlot
	parts  []dictPart // of the map whose places are known
	now    []dictPart // memory for those of a map that is looked at
	places []keyPlace // where the values of its keys are, in the order of the keys
	tail   []lua.LValue
}

// An orderedSlot is a key with its entry; nil if it is not used.
type orderedSlot struct {
	key   uint64 // the bits of the number
	entry *dictEntry
}

// A keyPlace says where the value of a key is.
type keyPlace struct {
	number float64
	key    iface      // in the list of keys
	entry  *dictEntry // nil if the table has no value there
	boxed  iface      // the key in the entry
}

// Each calls visit for each value of a table at a number, those of the list part first. The table must not change meanwhile.
func (o *Ordered) Each(t *lua.LTable, visit func(key float64, x lua.LValue)) {
	tb := tableOf(t)
	for i, x := range tb.array {
		if x != lua.LNil {
			visit(float64(i+1), x)
		}
	}
	if len(tb.dict) < leastOrdered || len(tb.dict) > mostOrdered || !dictsKnown {
		for _, k := range tb.keys {
			if key, ok := k.(lua.LNumber); ok {
				if x, ok := tb.dict[k]; ok {
					visit(float64(key), x)
				}
			}
		}
		return
	}
	if !o.stands(tb) {
		o.find(tb)
	}
	for i := range o.places {
		if p := &o.places[i]; p.entry != nil {
			visit(p.number, p.entry.value)
		}
	}
	for i, x := range o.tail {
		if x != nil {
			visit(float64(tb.keys[len(o.places)+i].(lua.LNumber)), x)
		}
	}
	clear(o.tail)
	o.tail = o.tail[:0]
}

// find notes the places of the values of a table.
func (o *Ordered) find(tb *table) {
	if n := 1 << bits.Len(uint(2*len(tb.dict))); len(o.slots) < n {
		o.slots = make([]orderedSlot, n)
	}
	o.parts = partsOf(tb.dict, o.parts[:0])
	for i := range o.parts {
		o.parts[i].each(func(e *dictEntry) {
			if key, ok := e.key.(lua.LNumber); ok {
				s := o.slot(float64(key))
				s.key, s.entry = math.Float64bits(float64(key)+0), e
			}
		})
	}
	clear(o.places)
	o.places = o.places[:0]
	for _, k := range tb.keys {
		p := keyPlace{key: *wordsOf(&k)}
		if key, ok := k.(lua.LNumber); ok {
			p.number = float64(key)
			p.entry = o.slot(p.number).entry
		}
		if p.entry != nil {
			p.boxed = *wordsOf(&p.entry.key)
		}
		o.places = append(o.places, p)
	}
	clear(o.slots)
}

// stands reports whether the places are right for a table. What it has got at new keys since they were found is in tail then.
func (o *Ordered) stands(tb *table) bool {
	o.now = partsOf(tb.dict, o.now[:0])
	known, all := len(o.places), len(tb.keys)
	if len(o.now) != len(o.parts) || known == 0 || all < known || all-known > known/16 {
		return false
	}
	for i := range o.now {
		if o.now[i] != o.parts[i] {
			return false
		}
	}
	found := 0
	for i := range o.places {
		p := &o.places[i]
		if *wordsOf(&tb.keys[i]) != p.key {
			return false
		}
		if p.entry != nil {
			if *wordsOf(&p.entry.key) != p.boxed {
				return false
			}
			found++
		}
	}
	for _, k := range tb.keys[known:] {
		var x lua.LValue
		if _, ok := k.(lua.LNumber); ok {
			x = tb.dict[k]
		}
		if o.tail = append(o.tail, x); x != nil {
			found++
		}
	}
	if found != len(tb.dict) { // a key that had no value has one, or the map has keys that are no numbers
		clear(o.tail)
		o.tail = o.tail[:0]
		return false
	}
	return true
}

// slot returns the slot of a key, or the one that it gets.
func (o *Ordered) slot(key float64) *orderedSlot {
	b, mask := math.Float64bits(key+0), uint64(len(o.slots)-1)
	for i := b * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask)); ; i++ {
		if s := &o.slots[i&mask]; s.entry == nil || s.key == b {
			return s
		}
	}
}
