package interp

import (
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// The values of a table at numbers, in the order of pairs. gopher-lua keeps the keys in a list and the values in a Go
// map from keys of any type, which takes long to look a key up. Reading the whole map and putting its values into a hash
// table of numbers is quicker.

const (
	leastOrdered = 64      // with fewer keys, each is looked up
	mostOrdered  = 1 << 16 // with more keys too: the memory is kept
)

// An Ordered visits the values of tables at numbers in the order of pairs. It keeps memory for that. Its zero value is
// ready to use.
type Ordered struct{ slots []orderedSlot }

// An orderedSlot is a key with its value; nil if it is not used.
type orderedSlot struct {
	key   uint64 // the bits of the number
	value lua.LValue
}

// Each calls visit for each value of a table at a number, those of the list part first.
func (o *Ordered) Each(t *lua.LTable, visit func(key float64, x lua.LValue)) {
	tb := tableOf(t)
	for i, x := range tb.array {
		if x != lua.LNil {
			visit(float64(i+1), x)
		}
	}
	quick := len(tb.dict) >= leastOrdered && len(tb.dict) <= mostOrdered
	if quick {
		o.fill(tb.dict)
	}
	for _, k := range tb.keys {
		key, ok := k.(lua.LNumber)
		if !ok {
			continue
		}
		if quick {
			if s := o.slot(float64(key)); s.value != nil {
				visit(float64(key), s.value)
			}
		} else if x, ok := tb.dict[k]; ok {
			visit(float64(key), x)
		}
	}
	if quick {
		clear(o.slots)
	}
}

// fill puts the values at numbers into the slots.
func (o *Ordered) fill(dict map[lua.LValue]lua.LValue) {
	if n := 1 << bits.Len(uint(2*len(dict))); len(o.slots) < n {
		o.slots = make([]orderedSlot, n)
	}
	for k, x := range dict {
		if key, ok := k.(lua.LNumber); ok {
			s := o.slot(float64(key))
			s.key, s.value = math.Float64bits(float64(key)+0), x
		}
	}
}

// slot returns the slot of a key, or the one that it gets.
func (o *Ordered) slot(key float64) *orderedSlot {
	b, mask := math.Float64bits(key+0), uint64(len(o.slots)-1)
	for i := b * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask)); ; i++ {
		if s := &o.slots[i&mask]; s.value == nil || s.key == b {
			return s
		}
	}
}
