package kernel

import "github.com/ecsrun/ecsrun/luabind/internal/ir"

// Lua tables that kernels look up by key. Package loops implements Keyed over a Lua table; kernels see keys and
// values only.

// A Keyed is a Lua table that a kernel looks up by strings or by numbers: one of Program.Keyed. Only the kernel
// changes it while Run runs.
type Keyed interface {
	// Find sets values to what the table holds at a key: one value for each of ir.Keyed.Members, or the value
	// itself. Unfit says that the table holds something there that the Program does not expect; then values are not
	// set.
	Find(key Key, values []Slot) Finding
	// Whole notes that rows have asked for so many further numbers, and reports whether it pays by now to read the whole
	// table with Each. The answer depends on what rows ask for and not on the implementation of the kernel, because it
	// decides when a kernel rests (package loops), and so where a script exceeds limits.instructions.
	Whole(asked int) bool
	// Each calls visit for all keys of the table that are numbers, or pairs, if there are at most that many: with the key and
	// with what Find would say. It returns how many there are, or more.
	Each(most int, visit func(key Key, found Finding, values []Slot)) int
	// Put assigns the value at a key, or a member of the table there if member is not -1. Kernels call it when they
	// end, for new keys in the order in which rows have assigned them, so that the order of pairs is that of the
	// interpreter.
	Put(key Key, member int, v Slot)
	// Pay pays for new keys that Put gets later, because the kernel keeps them: see Keeper. They are the next new ones that it gets.
	Pay(keys int)
	// Make puts a new table at a new key, in the same order as Put. Its members are the first ones of the Sequence.
	Make(key Key, s ir.Sequence, values []Slot)
}

// A Keeper is a [Kernel] that can keep what rows have assigned to a Keyed, with numbers as keys and numbers or booleans as values, from
// one Run to the next. Until Settle is called, nothing else may use the table.
type Keeper interface {
	Kernel
	// Keep says that each Run from now on may keep what rows assign to a table, if no row is left to the interpreter. If drop is set, nobody
	// will ever read it, and it is forgotten.
	Keep(table int, drop bool)
	// Kept reports whether the table is kept.
	Kept(table int) bool
	// Settle puts what is kept into the table, and keeps it no longer.
	Settle(table int)
}

// A Key is a number or a string, depending on ir.Keyed.Key, or two of these with ir.Keyed.Pairs: the second one is SecondN or SecondS. A
// number is neither NaN nor -0.
type Key struct {
	N       float64
	S       string
	SecondN float64
	SecondS string
}

// A Slot is a value in a Keyed. It is nil if Has is false.
type Slot struct {
	Has bool
	N   float64 // of a number, or of a boolean: 0 or 1
	S   string
}

// An Entry is what a kernel has at a key.
type Entry struct {
	Order    float64     // 0: there is no value; 1: there was one before the run; larger for keys that rows have made, in their order
	Wrote    uint32      // which values rows have assigned, one bit each
	Sequence ir.Sequence // of a table with ir.Keyed.Makes
	Values   []Slot
}

// Changed reports whether rows have assigned something.
func (e *Entry) Changed() bool { return e.Wrote != 0 || e.Order > 1 }

// Return writes to a Lua table what rows have assigned at a key: the table that they have made there, members that are new
// in their order, and other values. rows is ir.Keyed.Rows.
func (e *Entry) Return(t Keyed, key Key, rows bool) {
	s, wrote, values := e.Sequence, e.Wrote, e.Values
	if !rows {
		if wrote != 0 && values[0].Has {
			t.Put(key, -1, values[0])
		}
		return
	}
	if s.Made() {
		t.Make(key, s, values)
	}
	for i := s.First(); i < s.Len(); i++ {
		t.Put(key, s.At(i), values[s.At(i)])
	}
	for i := range s.Len() {
		wrote &^= 1 << s.At(i)
	}
	for i := range values {
		if wrote>>i&1 != 0 && values[i].Has {
			t.Put(key, i, values[i])
		}
	}
}

// A Finding says what Find has found at a key.
type Finding uint8

// The findings.
const (
	Absent Finding = iota // nil
	Found
	Unfit // a value of another type
)
