package frame

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// Lua tables that are looked up by key. Code finds the entry of a string by the number of the string: see
// abi/keyed.go. The host asks the Lua table for a string once in a run, when the string first gets its number. Those of
// numbers are in hashed.go. When the run ends, the Lua table gets what rows have assigned.

// A keyed is a table of Program.Keyed, from the host's side.
type keyed struct {
	source kernel.Keyed
	slots  []kernel.Slot // scratch
	wrote  []uint32      // memory for returnKeyed: indexes of entries
	hashed hashed        // if keys are numbers
}

// An entries is the linear memory of a keyed table. It must not refer to the kernel: see New.
type entries struct {
	memory  *memory.Memory
	start   unsafe.Pointer // the header; nil if nothing is allocated yet
	size    uintptr
	address uint32
	n       int // how many entries fit
}

// free returns the memory.
func (x *entries) free() {
	if x.start != nil {
		x.memory.Free(x.start, x.size)
		x.start, x.n = nil, 0
	}
}

// grow makes room for n entries and keeps the present ones. If there is no memory, their number stays; code then
// leaves rows that use other strings.
func (x *entries) grow(n int, stride uint32) {
	if n <= x.n {
		return
	}
	more := entries{memory: x.memory}
	if !more.alloc(max(64, 2*n), stride) {
		return
	}
	if x.start != nil {
		copy(unsafe.Slice((*byte)(more.start), x.size), unsafe.Slice((*byte)(x.start), x.size))
		x.free()
	}
	*x = more
}

// alloc gives a table without memory room for n entries. It returns false if there is no memory.
func (x *entries) alloc(n int, stride uint32) bool {
	size := abi.KeyedHeader + uintptr(n)*uintptr(stride)
	p := x.memory.Alloc(size)
	if p == nil {
		return false
	}
	x.start, x.size, x.n = p, size, n
	x.address, _ = x.memory.Address(p)
	return true
}

// SetKeyed sets the Lua table of Program.Keyed[i].
func (f *Frame) SetKeyed(i int, t kernel.Keyed) { f.keyed[i].source = t }

// Keyed returns the table that SetKeyed has set.
func (f *Frame) Keyed(i int) kernel.Keyed { return f.keyed[i].source }

// lendKeyed begins a run, in which no table has been asked for a string yet. It returns false if there is no memory.
func (f *Frame) lendKeyed() bool {
	if len(f.keyed) == 0 {
		return true
	}
	f.texts.run++
	f.texts.asked = 0
	ok := true
	for i := range f.keyed {
		if f.Program.Keyed[i].Key == ir.Number {
			ok = f.lendHashed(i) && ok
			continue
		}
		x := &f.lists.entries[i]
		x.grow(1, abi.KeyedStride(&f.Program.Keyed[i]))
		if x.start != nil {
			*(*uint32)(unsafe.Add(x.start, abi.KeyedCounter)) = abi.FirstOrder
		}
	}
	return ok
}

// askKeyed asks all tables for a string, and for the strings that are found as values, unless that was done in this
// run.
func (f *Frame) askKeyed(number uint32) {
	t := f.texts
	if len(f.keyed) == 0 || t.known[number] == t.run {
		return
	}
	t.known[number] = t.run
	t.asking = append(t.asking, number)
	if len(t.asking) > 1 { // an outer call of askKeyed processes it
		return
	}
	for i := 0; i < len(t.asking); i++ {
		for table := range f.keyed {
			if f.Program.Keyed[table].Key == ir.Text {
				f.ask(table, t.asking[i])
			}
		}
	}
	t.asking = t.asking[:0]
}

// ask makes the entry of a string in a table.
func (f *Frame) ask(table int, number uint32) {
	f.texts.asked++
	k, x, p := &f.keyed[table], &f.lists.entries[table], &f.Program.Keyed[table]
	was, size := x.address, x.size
	x.grow(len(f.texts.list), abi.KeyedStride(p))
	f.moveLogged(was, size, x.address)
	if int(number) >= x.n {
		return
	}
	clear(k.slots)
	found := k.source.Find(kernel.Key{S: f.TextOf(number)}, k.slots)
	e := f.entry(table, number)
	clear(unsafe.Slice((*byte)(e), abi.KeyedStride(p)))
	state := (*uint32)(unsafe.Add(e, abi.KeyedState))
	switch found {
	case kernel.Absent:
		return
	case kernel.Unfit:
		*state = abi.KeyedUnfit
		return
	}
	*(*uint32)(unsafe.Add(e, abi.KeyedOrder)) = 1
	for i, s := range k.slots {
		if !s.Has {
			continue
		}
		*state |= 1 << i
		if p.ValueType(memberOf(p, i)) == ir.Text { // the entries may move
			f.NumberOf(s.S)
			e = f.entry(table, number)
			state = (*uint32)(unsafe.Add(e, abi.KeyedState))
		}
		f.setValue(p, e, i, s)
	}
	clear(k.slots)
}

// moveLogged changes the records of the log that are about memory which has moved.
func (f *Frame) moveLogged(from uint32, size uintptr, to uint32) {
	if from == to || size == 0 || !f.Unit.Logs {
		return
	}
	for at := f.Log.Start; at < *f.Log.End; at += abi.LogRecord {
		if a := (*uint32)(f.Memory.At(at + abi.LogAddress)); *a >= from && uintptr(*a-from) < size {
			*a += to - from
		}
	}
}

// setValue sets the i-th value of an entry. A string must have its number already if the entry may move.
func (f *Frame) setValue(p *ir.Keyed, e unsafe.Pointer, i int, s kernel.Slot) {
	at := unsafe.Add(e, abi.KeyedValues+8*uintptr(i))
	switch p.ValueType(memberOf(p, i)) {
	case ir.Any: // no machine code has it: see emit.vet
	case ir.Number:
		*(*float64)(at) = s.N
	case ir.Bool:
		*(*uint32)(at) = uint32(s.N)
	case ir.Text:
		*(*uint32)(at) = f.NumberOf(s.S)
	}
}

// memberOf returns the index of the member that is the i-th value of an entry; -1 if it is the value itself.
func memberOf(p *ir.Keyed, i int) int {
	if p.Rows && len(p.Members) > 0 {
		return i
	}
	return -1
}

// entry returns an entry of a table, by the number of the string, or by its place in the hash table.
func (f *Frame) entry(table int, number uint32) unsafe.Pointer {
	return unsafe.Add(f.lists.entries[table].start, abi.KeyedHeader+uintptr(number)*uintptr(abi.KeyedStride(&f.Program.Keyed[table])))
}

// entries returns how many entries a table has, used or not.
func (f *Frame) entries(table int) uint32 {
	if f.Program.Keyed[table].Key == ir.Number {
		return uint32(f.keyed[table].hashed.slots)
	}
	return uint32(min(f.lists.entries[table].n, len(f.texts.list)))
}

// isKnown reports whether an entry is that of a key of this run.
func (f *Frame) isKnown(table int, entry uint32) bool {
	if f.Program.Keyed[table].Key == ir.Number {
		return *(*uint32)(unsafe.Add(f.entry(table, entry), abi.KeyedState))&abi.KeyedUsed != 0
	}
	return f.texts.known[entry] == f.texts.run
}

func (f *Frame) keyOf(table int, entry uint32) kernel.Key {
	if p := &f.Program.Keyed[table]; p.Key == ir.Number {
		return f.keyOfHash(table, keyAt(p, f.entry(table, entry)))
	}
	return kernel.Key{S: f.TextOf(entry)}
}

// EachKey calls visit for each key of this run that has an entry in a table. The values are valid until visit returns.
func (f *Frame) EachKey(table int, visit func(key kernel.Key, e kernel.Entry)) {
	for i := range f.entries(table) {
		if f.isKnown(table, i) {
			visit(f.keyOf(table, i), f.values(table, i))
		}
	}
	clear(f.keyed[table].slots)
}

// wroteIn returns which values rows have assigned, given the state of an entry.
func wroteIn(state uint32) uint32 { return state >> abi.KeyedWrote & (1<<abi.MostMembers - 1) }

// values reads an entry. Its values are the slots of the table.
func (f *Frame) values(table int, number uint32) kernel.Entry {
	k, p, e := &f.keyed[table], &f.Program.Keyed[table], f.entry(table, number)
	order, state := *(*uint32)(unsafe.Add(e, abi.KeyedOrder)), *(*uint32)(unsafe.Add(e, abi.KeyedState))
	for i := range k.slots {
		s := &k.slots[i]
		*s = kernel.Slot{Has: state>>i&1 != 0}
		if !s.Has {
			continue
		}
		at := unsafe.Add(e, abi.KeyedValues+8*uintptr(i))
		switch p.ValueType(memberOf(p, i)) {
		case ir.Any: // no machine code has it: see emit.vet
		case ir.Number:
			s.N = *(*float64)(at)
		case ir.Bool:
			s.N = float64(*(*uint32)(at))
		case ir.Text:
			s.S = f.TextOf(*(*uint32)(at))
		}
	}
	return kernel.Entry{Order: float64(order), Wrote: wroteIn(state), Values: k.slots}
}

// KeyedWord returns the value of a word about a keyed table.
func (f *Frame) KeyedWord(w abi.Word) uint32 {
	x := &f.lists.entries[w.ID]
	if w.Kind == abi.WordKeyed {
		return x.address
	}
	return uint32(min(x.n, len(f.texts.list)))
}

// SetKeyedWords sets the words about keyed tables. It must be called before each call of code, because entries move
// whenever the host meets new strings.
func (f *Frame) SetKeyedWords() {
	if len(f.keyed) == 0 {
		return
	}
	for i, w := range f.Unit.Words {
		if w.Kind == abi.WordKeyed || w.Kind == abi.WordKeyedCount {
			f.Words[i] = f.KeyedWord(w)
		}
	}
}
