package frame

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/machine/memory"
)

// Lua tables that are looked up by strings. Code finds an entry for each string by the number of the string: see
// abi/keyed.go. The host asks the Lua table for a string once in a run, when the string first gets its number. When
// the run ends, the Lua table gets what rows have assigned.

// A keyed is a table of Program.Keyed, from the host's side.
type keyed struct {
	source kernel.Keyed
	slots  []kernel.Slot // scratch
	wrote  []uint32      // memory for returnKeyed: numbers of strings
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
	n = max(64, 2*n)
	size := abi.KeyedHeader + uintptr(n)*uintptr(stride)
	p := x.memory.Alloc(size)
	if p == nil {
		return
	}
	if x.start != nil {
		copy(unsafe.Slice((*byte)(p), x.size), unsafe.Slice((*byte)(x.start), x.size))
		x.free()
	}
	x.start, x.size, x.n = p, size, n
	x.address, _ = x.memory.Address(p)
}

// SetKeyed sets the Lua table of Program.Keyed[i].
func (f *Frame) SetKeyed(i int, t kernel.Keyed) { f.keyed[i].source = t }

// Keyed returns the table that SetKeyed has set.
func (f *Frame) Keyed(i int) kernel.Keyed { return f.keyed[i].source }

// lendKeyed begins a run, in which no table has been asked for a string yet.
func (f *Frame) lendKeyed() {
	if len(f.keyed) == 0 {
		return
	}
	f.texts.run++
	for i := range f.keyed {
		x := &f.lists.entries[i]
		x.grow(1, abi.KeyedStride(&f.Program.Keyed[i]))
		if x.start != nil {
			*(*uint32)(unsafe.Add(x.start, abi.KeyedCounter)) = abi.FirstOrder
		}
	}
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
			f.ask(table, t.asking[i])
		}
	}
	t.asking = t.asking[:0]
}

// ask makes the entry of a string in a table.
func (f *Frame) ask(table int, number uint32) {
	k, x, p := &f.keyed[table], &f.lists.entries[table], &f.Program.Keyed[table]
	x.grow(len(f.texts.list), abi.KeyedStride(p))
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
		at := abi.KeyedValues + 8*uintptr(i)
		switch p.ValueType(memberOf(p, i)) {
		case ir.Any: // no machine code has it: see emit.vet
		case ir.Number:
			*(*float64)(unsafe.Add(e, at)) = s.N
		case ir.Bool:
			*(*uint32)(unsafe.Add(e, at)) = uint32(s.N)
		case ir.Text: // the entries may move
			n := f.NumberOf(s.S)
			e = f.entry(table, number)
			*(*uint32)(unsafe.Add(e, at)) = n
			state = (*uint32)(unsafe.Add(e, abi.KeyedState))
		}
	}
	clear(k.slots)
}

// memberOf returns the index of the member that is the i-th value of an entry; -1 if it is the value itself.
func memberOf(p *ir.Keyed, i int) int {
	if p.Rows && len(p.Members) > 0 {
		return i
	}
	return -1
}

// entry returns the entry of a string in a table.
func (f *Frame) entry(table int, number uint32) unsafe.Pointer {
	return unsafe.Add(f.lists.entries[table].start, abi.KeyedHeader+uintptr(number)*uintptr(abi.KeyedStride(&f.Program.Keyed[table])))
}

// EachKey calls visit for each string that a table was asked for in this run. order is 0 if there is no value, 1 if
// the Lua table has one, and larger for keys that rows have made, in their order. wrote says which values rows have
// assigned, one bit each.
func (f *Frame) EachKey(table int, visit func(key string, order uint32, wrote uint32, values []kernel.Slot)) {
	k := &f.keyed[table]
	for number := range f.lists.entries[table].n {
		if number < len(f.texts.list) && f.texts.known[number] == f.texts.run {
			order, state := f.values(table, uint32(number))
			visit(f.texts.list[number], order, state>>abi.KeyedWrote&(1<<abi.MostMembers-1), k.slots)
		}
	}
	clear(k.slots)
}

// values reads an entry into the slots of its table.
func (f *Frame) values(table int, number uint32) (order, state uint32) {
	k, p, e := &f.keyed[table], &f.Program.Keyed[table], f.entry(table, number)
	order, state = *(*uint32)(unsafe.Add(e, abi.KeyedOrder)), *(*uint32)(unsafe.Add(e, abi.KeyedState))
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
	return order, state
}

// returnKeyed writes to the Lua tables what rows have assigned, new keys in the order in which rows have made them.
func (f *Frame) returnKeyed() {
	for table := range f.keyed {
		p, k := &f.Program.Keyed[table], &f.keyed[table]
		if !p.Stored {
			continue
		}
		k.wrote = k.wrote[:0]
		for number := range min(f.lists.entries[table].n, len(f.texts.list)) {
			if f.texts.known[number] == f.texts.run && *(*uint32)(unsafe.Add(f.entry(table, uint32(number)), abi.KeyedState))>>abi.KeyedWrote&(1<<abi.MostMembers-1) != 0 {
				k.wrote = append(k.wrote, uint32(number))
			}
		}
		slices.SortFunc(k.wrote, func(a, b uint32) int {
			return cmp.Compare(*(*uint32)(f.entry(table, a)), *(*uint32)(f.entry(table, b))) // by KeyedOrder
		})
		for _, number := range k.wrote {
			_, state := f.values(table, number)
			for i, s := range k.slots {
				if state>>abi.KeyedWrote>>i&1 != 0 && s.Has {
					k.source.Put(kernel.Key{S: f.TextOf(number)}, memberOf(p, i), s)
				}
			}
		}
		clear(k.slots)
	}
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

// RestoreKeyed restores the entries of a table to an earlier state of the run, which before returns for each
// string. For a string that was not known then, the Lua table is asked again. Orders that were used since then are
// not used again.
func (f *Frame) RestoreKeyed(table int, before func(key string) (order, wrote uint32, values []kernel.Slot, ok bool)) {
	p := &f.Program.Keyed[table]
	for number := range min(f.lists.entries[table].n, len(f.texts.list)) {
		if f.texts.known[number] != f.texts.run {
			continue
		}
		order, wrote, values, ok := before(f.texts.list[number])
		if !ok {
			f.ask(table, uint32(number))
			continue
		}
		state := wrote << abi.KeyedWrote
		e := f.entry(table, uint32(number))
		for i, s := range values {
			if !s.Has {
				continue
			}
			state |= 1 << i
			at := unsafe.Add(e, abi.KeyedValues+8*uintptr(i))
			switch p.ValueType(memberOf(p, i)) {
			case ir.Any: // no machine code has it: see emit.vet
			case ir.Number:
				*(*float64)(at) = s.N
			case ir.Bool:
				*(*uint32)(at) = uint32(s.N)
			case ir.Text:
				*(*uint32)(at) = f.texts.numbers[s.S]
			}
		}
		*(*uint32)(unsafe.Add(e, abi.KeyedOrder)), *(*uint32)(unsafe.Add(e, abi.KeyedState)) = order, state
	}
}
