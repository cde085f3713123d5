package kernel

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
	Order  float64 // 0: there is no value; 1: there was one before the run; larger for keys that rows have made, in their order
	Wrote  uint32  // which values rows have assigned, one bit each
	Values []Slot
}

// Changed reports whether rows have assigned something.
func (e *Entry) Changed() bool { return e.Wrote != 0 || e.Order > 1 }

// Return writes to a Lua table what rows have assigned at a key. rows is ir.Keyed.Rows.
func (e *Entry) Return(t Keyed, key Key, rows bool) {
	wrote, values := e.Wrote, e.Values
	if !rows {
		if wrote != 0 && values[0].Has {
			t.Put(key, -1, values[0])
		}
		return
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
