package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
)

// Hash tables that stay as they are from one run to the next, because nothing but the loop uses the Lua table: see [kernel.Keeper].
// Writing what rows have assigned to the Lua table, and reading it again, takes many times as long as the rows. Kept runs are like one
// long run: orders of new keys go on, and entries remember what was assigned since the Lua table got it last.

// A keeping is what is known of a table that may be kept.
type keeping struct {
	may     bool   // runs may keep the table
	drop    bool   // nobody will read what was assigned
	kept    bool   // the entries have what the Lua table lacks
	partial bool   // the Lua table has a table that lacks a member
	before  uint32 // the order that the next new key had when the run began
}

// mostOrders is the largest order with which a table is kept: Settle lists all orders.
const mostOrders = 1 << 24

// leastKept is the smallest key of a table that is kept. From there on numbers are those of entities, and none is in the list part of a
// Lua table.
const leastKept = 1 << 32

// Keep says that runs may keep a table, and whether they forget what is assigned: see [kernel.Keeper].
func (f *Frame) Keep(table int, drop bool) {
	h := &f.keyed[table].hashed
	h.may, h.drop = true, drop
}

// Kept reports whether a table is kept.
func (f *Frame) Kept(table int) bool { return f.keyed[table].hashed.kept }

// Settle puts what is kept into the Lua table.
func (f *Frame) Settle(table int) {
	if f.Kept(table) {
		f.returnTable(table)
	}
}

// keep reports whether a table need not be written to the Lua table now: it is kept, or nobody will read it. New keys are paid for.
func (f *Frame) keep(table int) bool {
	p, k := &f.Program.Keyed[table], &f.keyed[table]
	h := &k.hashed
	if !h.may || p.Key != ir.Number || !p.Stored || !h.complete || h.partial {
		return false
	}
	keys := 0
	if counter := *f.header(table, abi.KeyedCounter); counter != h.before {
		if counter > mostOrders {
			return false
		}
		e, stride := f.entry(table, 0), uintptr(abi.KeyedStride(p))
		for i := range f.entries(table) {
			e := unsafe.Add(e, uintptr(i)*stride)
			if *(*uint32)(unsafe.Add(e, abi.KeyedOrder)) < h.before || *(*uint32)(unsafe.Add(e, abi.KeyedState))&1 == 0 {
				continue
			}
			if !(*(*float64)(unsafe.Add(e, abi.KeyedKey(p))) >= leastKept) {
				return false
			}
			keys++
		}
	}
	k.source.Pay(keys)
	h.kept = !h.drop
	return true
}
