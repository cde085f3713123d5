package abi

import "github.com/ecsrun/ecsrun/luabind/internal/compile/ir"

// Calls on strings: code asks the host for them in the middle of a row (ImportCall), because only the host has the strings. The arguments lie
// in slots of the frame, and the results take their places.

// A TextCall is such a call in the code of a Unit.
type TextCall struct {
	Func    string // a function of package sandbox (PlainFunctions), or one of the following
	Args    int
	Results int
	Some    bool  // a row is left to the interpreter where there is no result
	Keys    []int // the arguments by which results are kept; none if no result is kept: see CacheEntries
}

// The calls that are no functions.
const (
	CallJoin   = ".."
	CallLength = "#"
)

// What the frame has for calls, from Layout.Calls on.
const (
	CallCost  = 0  // int64: what the call costs, in units of fuel
	CallRoom  = 8  // int64: how many bytes rows may still allocate for strings; code counts what results of the cache cost
	CallCache = 16 // uint32: address of the caches
	CallSlots = 32 // the slots
	SlotValue = 0  // float64, in a slot: a number, a boolean (0 or 1) or the number of a string
	SlotKind  = 8  // uint32
	SlotSize  = 16

	callArea = CallSlots + SlotSize*(ir.MostTextValues+1)
)

// The same strings are often made again, as keys or for comparisons. So a call with at most CacheKeys arguments that are no constants, and
// with at most one result, has a cache of the last results. Its entry is chosen by a hash of the arguments, beginning with 0:
// h = (b ^ h ^ (b ^ h)>>32) * HashMultiplier for the bits b of each, then h >> CacheShift. The host writes entries; code reads them.
const (
	CacheKeys    = 3
	CacheBits    = 10
	CacheEntries = 1 << CacheBits
	CacheShift   = 64 - CacheBits
	CacheKey     = 0  // in an entry: the values of the arguments, 8 bytes each
	CacheState   = 24 // uint32: CacheUsed with the kinds of the arguments, 4 bits each; 0: the entry is empty
	CacheKind    = 28 // uint32: the kind of the result
	CacheValue   = 32 // float64: its value
	CacheBytes   = 40 // int64: what it allocates
	CacheStride  = 48

	CacheUsed = 1 << 16
)

// The kinds of values in slots.
const (
	SlotNil = iota
	SlotNumber
	SlotBool
	SlotText
)

// CallsOnTexts reports whether the code of a Program asks the host for strings.
func CallsOnTexts(p *ir.Program) (is bool) {
	Walk(p.Body, func(s *ir.Stmt) { is = is || s.Op == ir.Invoke }, func(x *ir.Expr) {
		is = is || x.Op == ir.Join || x.Op == ir.Shown || x.Op == ir.Length
	})
	return is
}

// CachedCalls returns how many calls have a cache.
func CachedCalls(list []TextCall) (n int) {
	for _, c := range list {
		if len(c.Keys) > 0 {
			n++
		}
	}
	return n
}

// Calls returns where the slots of calls are, in the frame of a Program that has some.
func (l Layout) Calls() uint32 { return l.Size - callArea }
