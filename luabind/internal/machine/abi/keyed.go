package abi

import "github.com/ecsrun/ecsrun/luabind/internal/ir"

// What code knows of a table that is looked up by strings is a list of entries, one for each string that code knows, by its
// number. The host makes the entry when it gives a string its number; a string beyond the entries leaves the row. In front of
// the entries is a header with the order that the next new key gets.
const (
	KeyedHeader  = 16 // bytes in front of the first entry
	KeyedCounter = 0  // uint32, in the header: the order of the next new key; from FirstOrder on in each run
	FirstOrder   = 2

	KeyedOrder  = 0 // uint32, in an entry: 0 when there is no value, 1 when the Lua table has one, otherwise when rows made the key
	KeyedState  = 4 // uint32, in an entry: a bit for each value that is not nil, and at KeyedWrote one for each that rows assigned
	KeyedValues = 8 // in an entry: the values, 8 bytes each; a boolean or the number of a string has the first 4 of them

	KeyedWrote = 12      // shift
	KeyedUnfit = 1 << 30 // in the state: the Lua table has something else at the key than the Program expects

	MostMembers = KeyedWrote // of an entry
)

// KeyedStride returns the bytes of an entry.
func KeyedStride(t *ir.Keyed) uint32 { return KeyedValues + 8*uint32(t.Width()) }

// NoText is, in the place of a string in a row, that the string was not brought in, and that code has not assigned it.
const NoText = 1<<32 - 1
