package machine

import (
	"math"
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Calls on strings, from the side of the host: see [abi.TextCall]. Before a call of the code, the frame gets how many bytes strings may
// take; what is gone after it is paid for.

// mostJoined is the length of a string that only the interpreter makes, and numberSize what it counts for a number in a .. b: as for closures.
const (
	mostJoined = 256
	numberSize = 4
)

// What calls of the host cost, in rows: in that many, code gains the time that a call takes longer than in closures. A string that is new to the
// host costs more than one that it knows.
const (
	callCost    = 3
	newTextCost = 9
)

// textCalls is what a Kernel needs for calls on strings.
type textCalls struct {
	call  sandbox.PlainCall
	cache []uint32 // the caches of all calls that have one, one after the other
	dirty bool     // they have entries
	given int64    // bytes that the call of the code at hand may allocate
	cost  int      // of the calls of this run, in rows
}

// lendCalls prepares the caches for a run; false if there is no memory. If tables are looked up by strings, results of earlier runs are
// forgotten: a string is asked for in these tables when the host first meets it in a run.
func (k *Kernel) lendCalls() bool {
	t := &k.texts
	t.cost = 0
	n := abi.CachedCalls(k.unit.Calls)
	if n == 0 {
		return true
	}
	if t.cache == nil {
		l := &k.taken.calls
		l.Memory = k.memory
		if l.Set(n*abi.CacheEntries*abi.CacheStride/8) == nil {
			return false
		}
		t.cache = unsafe.Slice((*uint32)(l.Start), l.Room) // twice as much as was asked for
		clear(t.cache)
	}
	if slices.ContainsFunc(k.program.Keyed, func(of ir.Keyed) bool { return of.Key == ir.Text }) {
		t.forget()
	}
	*(*uint32)(k.calls(abi.CallCache)) = k.taken.calls.Address
	return true
}

// forget empties the caches.
func (t *textCalls) forget() {
	if t.dirty {
		clear(t.cache)
	}
	t.dirty = false
}

// calls returns the address of a part of what the frame has for calls.
func (k *Kernel) calls(part uint32) unsafe.Pointer {
	return k.memory.At(k.frame.Address + k.unit.Layout.Calls() + part)
}

// beginCalls tells code how many bytes strings may take in the next call of it: what is left when it has recorded as many effects as it can.
func (k *Kernel) beginCalls() {
	if len(k.unit.Calls) == 0 {
		return
	}
	if *k.frame.Ring.End == k.frame.Ring.Start {
		k.frame.ForgetLines()
	}
	if k.texts.given = k.budget.AllocationsLeft(); k.texts.given != math.MaxInt64 {
		k.texts.given -= k.mostRecorded()
	}
	*(*int64)(k.calls(abi.CallRoom)) = k.texts.given
}

// endCalls pays for the strings of the rows that have ended.
func (k *Kernel) endCalls() {
	if len(k.unit.Calls) == 0 {
		return
	}
	if used := k.texts.given - *(*int64)(k.calls(abi.CallRoom)); used > 0 {
		k.budget.Allocate(used)
	}
}

// nearLimit is how many bytes the limit of allocations has to leave so that code runs whose rows make strings: more than 64 rows take, which
// may be watched. With less, closures do the rows, because they check the limit row by row.
const nearLimit = 4 << 20

// shortOfBytes reports whether the limit of allocations is too near for code that makes strings.
func (k *Kernel) shortOfBytes() bool {
	if len(k.unit.Calls) == 0 {
		return false
	}
	left := k.budget.AllocationsLeft()
	return left != math.MaxInt64 && left < nearLimit+k.mostRecorded()
}

// asksTooMuch reports whether code has called the host too often for strings in this run, which happens when most of them are new. Then
// closures do the rest of the run and the next walks.
func (k *Kernel) asksTooMuch() bool {
	return !k.neverRests() && k.loses()
}

// textCall does a call: [abi.ImportCall].
func (k *Kernel) textCall(i int, entry uint32) bool {
	c, t := &k.unit.Calls[i], &k.texts
	t.cost += callCost
	t.call.Args = t.call.Args[:0]
	for i := range c.Args {
		t.call.Args = append(t.call.Args, k.slotValue(i))
	}
	t.call.Results, t.call.Bytes, t.call.Cost = t.call.Results[:0], 0, 0
	if !runText(c, &t.call) || c.Some && len(t.call.Results) == 0 {
		return false
	}
	room := (*int64)(k.calls(abi.CallRoom))
	if *room -= t.call.Bytes; t.call.Bytes > 0 && *room < 0 {
		return false
	}
	caches := len(c.Keys) > 0 && t.call.Cost == 0
	if caches {
		k.keyEntry(c, entry)
	}
	known := k.frame.Known()
	for i := range c.Results {
		if !k.setResult(c, i) {
			return false
		}
	}
	if caches {
		k.fillEntry(c, entry)
	}
	if k.frame.Known() > known {
		t.cost += newTextCost
	}
	*(*int64)(k.calls(abi.CallCost)) = t.call.Cost
	k.frame.SetKeyedWords() // entries of tables have moved if strings are new
	return true
}

// runText does a call whose arguments are set.
func runText(c *abi.TextCall, call *sandbox.PlainCall) bool {
	switch c.Func {
	case abi.CallJoin:
		return joinTexts(call)
	case abi.CallLength:
		call.Results = append(call.Results, ecs.Number(float64(len(call.Args[0].Str()))))
		return true
	}
	return sandbox.PlainFunctions[c.Func].Run(call)
}

// joinTexts joins the arguments, as closures do.
func joinTexts(call *sandbox.PlainCall) bool {
	var memory [mostJoined]byte
	buf, size := memory[:0], 0
	for _, v := range call.Args {
		switch v.Kind() {
		case ecs.StringValue:
			if size += len(v.Str()); size >= mostJoined {
				return false
			}
			buf = append(buf, v.Str()...)
		case ecs.NumberValue:
			if size += numberSize; size >= mostJoined {
				return false
			}
			buf = sandbox.AppendNumber(buf, v.Float())
		default:
			return false
		}
	}
	call.Bytes = sandbox.StringBytes + int64(len(buf))
	call.Results = append(call.Results, ecs.Text(string(buf)))
	return true
}

func (k *Kernel) slot(i int) (value *float64, kind *uint32) {
	at := k.calls(abi.CallSlots + abi.SlotSize*uint32(i))
	return (*float64)(unsafe.Add(at, abi.SlotValue)), (*uint32)(unsafe.Add(at, abi.SlotKind))
}

func (k *Kernel) slotValue(i int) ecs.Value {
	switch value, kind := k.slot(i); *kind {
	case abi.SlotNumber:
		return ecs.Number(*value)
	case abi.SlotBool:
		return ecs.Boolean(*value != 0)
	case abi.SlotText:
		return ecs.Text(k.frame.TextOf(uint32(*value)))
	}
	return ecs.Value{}
}

// setResult puts the i-th result of a call into its slot, or nil if the call has fewer results. It returns false for a value that is neither
// nil, a number, a boolean nor a string.
func (k *Kernel) setResult(c *abi.TextCall, i int) bool {
	v := ecs.Value{}
	if list := k.texts.call.Results; i < len(list) {
		v = list[i]
	}
	value, kind := k.slot(i)
	*value = 0
	switch v.Kind() {
	case ecs.NilValue:
		*kind = abi.SlotNil
	case ecs.NumberValue:
		*value, *kind = v.Float(), abi.SlotNumber
	case ecs.BoolValue:
		if *kind = abi.SlotBool; v.Bool() {
			*value = 1
		}
	case ecs.StringValue:
		number := uint32(0)
		if c.Func == "print" { // an effect takes the line, and nothing else
			number = k.frame.Line(v.Str())
		} else {
			number = k.frame.NumberOf(v.Str())
		}
		*value, *kind = float64(number), abi.SlotText
	default:
		return false
	}
	return true
}

// keyEntry empties an entry of a cache, and puts the arguments into it.
func (k *Kernel) keyEntry(c *abi.TextCall, entry uint32) {
	at := k.memory.At(entry)
	*(*uint32)(unsafe.Add(at, abi.CacheState)) = 0
	state := uint32(abi.CacheUsed)
	for i, arg := range c.Keys {
		value, kind := k.slot(arg)
		*(*float64)(unsafe.Add(at, abi.CacheKey+8*i)) = *value
		state |= *kind << (4 * i)
	}
	*(*uint32)(unsafe.Add(at, abi.CacheKind)) = state // until fillEntry
}

// fillEntry puts the result into an entry that has its arguments.
func (k *Kernel) fillEntry(c *abi.TextCall, entry uint32) {
	at := k.memory.At(entry)
	kindAt := (*uint32)(unsafe.Add(at, abi.CacheKind))
	*(*uint32)(unsafe.Add(at, abi.CacheState)) = *kindAt
	*kindAt = abi.SlotNil
	if c.Results > 0 {
		value, kind := k.slot(0)
		*(*float64)(unsafe.Add(at, abi.CacheValue)), *kindAt = *value, *kind
	}
	*(*int64)(unsafe.Add(at, abi.CacheBytes)) = k.texts.call.Bytes
	k.texts.dirty = true
}
