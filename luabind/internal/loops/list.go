package loops

import (
	"math"
	"math/bits"

	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Lists at the keys of a table, to which rows add (ir.ListAppend). An element is in the Lua table when its row is done, or its batch of
// rows. A list that rows have made gets its key later, from Make, because the order of the keys is that of all that rows have made.

// Append implements [kernel.TableWriter].
func (w *tableWriter) Append(e *ir.Effect, args []kernel.Arg) {
	in := &w.lists[e.Keyed]
	key := kernel.Key{N: args[0].N}
	if e.Key == ir.Text {
		key = kernel.Key{S: args[0].S}
	}
	list := in.list(key)
	x, _ := w.makers[e.Index].value(w, args[1:])
	if bytes := interp.AppendItem(list, x); !e.Prepaid {
		w.budget.Allocate(bytes)
	}
	in.lists.appended++
}

// list returns the list at a key, or one that gets the key later.
func (in *keyedInput) list(key kernel.Key) *lua.LTable {
	at := in.lists.at(key, in.p.Key)
	if at.table == nil {
		var ok bool
		if at.table, ok = in.get(key).(*lua.LTable); !ok {
			made := interp.NewTable(in.lists.room, 0)
			at.table, at.pending = made.Table(), true
			in.lists.made++
		}
	}
	return at.table
}

// A listIndex finds the lists at the keys that rows of one run have added to. Its zero value is empty. Numbers have a hash table of their
// own, because a look into a Go map takes most of the time of an addition.
type listIndex struct {
	slots    []listAt       // of numbers: a power of two, or none; an empty slot has no table
	shift    int            // of a hash, to the index of a slot
	texts    map[string]int // of strings: indexes in named
	named    []listAt
	used     int // how many lists there are
	made     int // how many of them rows have made
	appended int // how many elements rows have added
	room     int // how many elements the lists got that rows of an earlier run have made
}

// A listAt is the list at a key.
type listAt struct {
	key     float64 // in slots
	table   *lua.LTable
	pending bool // the Lua table does not have it yet
}

const (
	leastLists = 64 // slots
	mostRoom   = 64 // elements for which a new list has room
)

// at returns the entry of a key of a type. Its table is nil if it is new; then the caller sets it. It is valid until the next call.
func (x *listIndex) at(key kernel.Key, t ir.Type) *listAt {
	if t == ir.Text {
		i, known := x.texts[key.S]
		if !known {
			if x.texts == nil {
				x.texts = map[string]int{}
			}
			i = len(x.named)
			x.texts[key.S], x.named = i, append(x.named, listAt{})
			x.used++
		}
		return &x.named[i]
	}
	if 4*x.used >= 3*len(x.slots) {
		x.grow()
	}
	at := x.slot(key.N)
	if at.table == nil {
		at.key = key.N
		x.used++
	}
	return at
}

// slot returns the slot of a number, or the empty one that it gets.
func (x *listIndex) slot(key float64) *listAt {
	i := math.Float64bits(key+0) * 0x9e3779b97f4a7c15 >> x.shift
	for {
		if at := &x.slots[i]; at.table == nil || at.key == key {
			return at
		}
		i = (i + 1) & uint64(len(x.slots)-1)
	}
}

// grow doubles the hash table.
func (x *listIndex) grow() {
	old := x.slots
	x.slots = make([]listAt, max(leastLists, 2*len(old)))
	x.shift = 64 - bits.TrailingZeros(uint(len(x.slots)))
	for _, at := range old {
		if at.table != nil {
			*x.slot(at.key) = at
		}
	}
}

// take returns the list of a key of a type that the Lua table gets now; nil if rows have not added to it.
func (x *listIndex) take(key kernel.Key, t ir.Type) *lua.LTable {
	if x.used == 0 {
		return nil
	}
	at := (*listAt)(nil)
	if t != ir.Text {
		at = x.slot(key.N)
	} else if i, known := x.texts[key.S]; known {
		at = &x.named[i]
	}
	if at == nil || !at.pending {
		return nil
	}
	at.pending = false
	return at.table
}

// end forgets all lists. A hash table that was much too large for the run goes as well.
func (x *listIndex) end() {
	if x.used == 0 {
		return
	}
	if x.made > 0 {
		x.room = min(x.appended/x.made, mostRoom)
	}
	if clear(x.slots); len(x.slots) > max(leastLists, 16*x.used) {
		x.slots = nil
	}
	clear(x.texts)
	clear(x.named)
	x.named, x.used, x.made, x.appended = x.named[:0], 0, 0, 0
}
