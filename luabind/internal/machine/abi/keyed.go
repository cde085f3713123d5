package abi

import "github.com/ecsrun/ecsrun/luabind/internal/ir"

// Tables that are looked up by strings. What code knows of such a table is a list of entries, one for each string
// that code knows, in the order of their numbers. The host makes the entry when it gives a string its number. A row
// that uses a string beyond the entries is left to closures. Before the entries is a header with the order that the
// next new key gets.

// Offsets and sizes of the header and of an entry.
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

// KeyedStride returns the number of bytes of an entry.
func KeyedStride(t *ir.Keyed) uint32 { return KeyedValues + 8*uint32(t.Width()) }

// NoText stands in a row in place of the number of a string. It says that the host has not copied the string in,
// and that code has not assigned it.
const NoText = 1<<32 - 1
