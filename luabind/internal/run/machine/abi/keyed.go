package abi

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Tables that are looked up by key. What code knows of such a table is a list of entries after a header, which has the
// order that the next new key gets.
//
// Strings: there is one entry for each string that code knows, in the order of their numbers. The host makes the entry
// when it gives a string its number. A row that uses a string beyond the entries is left to the interpreter.
//
// Numbers: the entries are a hash table with open addressing. Its size is a power of two; the search for a key begins at
// HashMultiplier * (b ^ b>>32) >> KeyedShift, where b is the bits of the key (of a pair: BitsOf), and goes on to the next entry, from the last
// one to the first. Code makes entries for new keys as long as there is room. One more entry, after the others, is always
// empty: it stands for each key that the table does not have. A row that needs more is run again: see MissingTable.
//
// Pairs (ir.Keyed.Pairs) are kept as numbers are, with two numbers for a key. A part that is a string is the number of the string.

// Offsets and sizes of the header and of an entry.
const (
	KeyedHeader   = 32 // bytes in front of the first entry
	KeyedCounter  = 0  // uint32, in the header: the order of the next new key; from FirstOrder on in each run
	KeyedRoom     = 4  // uint32, in the header, like the following if keys are numbers: how many entries code may still make
	KeyedMask     = 8  // uint32: the number of entries, less one
	KeyedShift    = 12 // uint32
	KeyedComplete = 16 // uint32: 1 if the table has no key without an entry
	FirstOrder    = 2

	KeyedOrder  = 0 // uint32, in an entry: 0 when there is no value, 1 when the Lua table has one, otherwise when rows made the key
	KeyedState  = 4 // uint32, in an entry: a bit for each value that is not nil, and at KeyedWrote one for each that rows assigned
	KeyedValues = 8 // in an entry: the values, 8 bytes each; a boolean or the number of a string has the first 4 of them

	KeyedWrote = 12      // shift
	KeyedUnfit = 1 << 30 // in the state: the Lua table has something else at the key than the Program expects
	KeyedUsed  = 1 << 29 // in the state, if keys are numbers: the entry is that of a key

	MostMembers = KeyedWrote // of an entry

	HashMultiplier = 0x9e3779b97f4a7c15
	PairMultiplier = 0xbf58476d1ce4e5b9
)

// ByNumbers reports whether a body looks up tables by numbers.
func ByNumbers(p *ir.Program) bool {
	return slices.ContainsFunc(p.Keyed, func(t ir.Keyed) bool { return t.Key == ir.Number })
}

// KeyedStride returns the number of bytes of an entry: a multiple of 8.
func KeyedStride(t *ir.Keyed) uint32 {
	switch {
	case t.Pairs:
		return KeyedKey(t) + 16
	case t.Key == ir.Number:
		return KeyedKey(t) + 8
	}
	return KeyedKey(t)
}

// KeyedKey returns where the key is in an entry, if keys are numbers: after the values. The second part of a pair follows the first one.
func KeyedKey(t *ir.Keyed) uint32 { return KeyedValues + 8*uint32(t.Width()) }

// BitsOf returns what HashOf takes for a key, given the bits of both parts of a pair.
func BitsOf(first, second uint64) uint64 { return (first^first>>32)*PairMultiplier ^ second }

// HashOf returns where the search for a key begins, given its bits and the KeyedShift of the table.
func HashOf(bits uint64, shift uint32) uint32 {
	return uint32((bits ^ bits>>32) * HashMultiplier >> shift)
}

// NoText stands in a row in place of the number of a string. It says that the host has not copied the string in,
// and that code has not assigned it.
const NoText = 1<<32 - 1
