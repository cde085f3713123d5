package kernel

// A Keyed is a Lua table that a kernel looks up by strings, or by numbers: one of Program.Keyed. Package loops has the
// table. Nothing else changes it while Run runs.
type Keyed interface {
	// Find sets values, one for each of ir.Keyed.Members or the only one, to what the table holds at a key.
	// Unfit says that it holds something that the Program does not expect; then values are not set.
	Find(key Key, values []Slot) Finding
	// Put assigns the value at a key, or the member of the table there when member is not -1. Kernels call it when
	// they end, for new keys in the order in which rows assigned them.
	Put(key Key, member int, v Slot)
}

// A Key is a number or a string, as ir.Keyed.Key says. A number is no NaN, and not -0.
type Key struct {
	N float64
	S string
}

// A Slot is a value of a Keyed; nil unless Has.
type Slot struct {
	Has bool
	N   float64 // of a number, or of a boolean: 0 or 1
	S   string
}

// A Finding says what Find has found at a key.
type Finding uint8

// The findings.
const (
	Absent Finding = iota // nil
	Found
	Unfit // a value of another type
)
