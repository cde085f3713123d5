package interp

import lua "github.com/yuin/gopher-lua"

// What a script allocates: the prices in bytes of the Lua values that its code makes, and where instructions are charged
// for them. The prices follow from the script and from the contents of tables only, never from capacities, so they are the
// same on every machine and in every implementation: gopher-lua's interpreter (this file wraps its instructions), this
// package (Machine.takes), the library functions of package sandbox, and compiled loops (package kernel).

// The prices. A string is made by an operator or by a library function; constants, and what fields of the world
// hold, cost nothing.
const (
	StringBytes    = 16       // of a string, besides its bytes
	TableBytes     = 64       // of a table
	EntryBytes     = 16       // of each entry that a table gets: of each one in its constructor, and of each key that gets a value and had none
	ClosureBytes   = 128      // of a function, whatever it captures
	CoroutineBytes = 40 << 10 // of a coroutine
	CallBytes      = 384      // of each call in which a coroutine that yields waits, behind the first FreeCalls and behind as many as it waited in the last time
	FreeCalls      = 100
)

// ConstructorBytes returns the price of a table constructor with that many list items and that many entries with a key.
// Further values of a last item that is a call or ... are charged as entries when they are known. Large numbers are
// rounded up as in the instruction that makes the table.
func ConstructorBytes(items, named int) int64 {
	return constructorBytes(toFloatingByte(items), toFloatingByte(named))
}

// constructorBytes is ConstructorBytes for the operands of a NEWTABLE.
func constructorBytes(b, c int) int64 {
	return TableBytes + EntryBytes*int64(fromFloatingByte(b)+fromFloatingByte(c))
}

// toFloatingByte encodes a number as gopher-lua's compiler does.
func toFloatingByte(n int) int {
	e := 0
	for ; n >= 16; e++ {
		n = (n + 1) >> 1
	}
	if n < 8 {
		return n
	}
	return (e+1)<<3 | (n - 8)
}

// fromFloatingByte returns the smallest number that is at least as large as all that toFloatingByte encodes so.
func fromFloatingByte(x int) int {
	if x < 8 {
		return x
	}
	return (x&7 + 8) << (x>>3 - 1)
}

// GrowthBytes returns the price of t[key] = v without metatables, before it is done.
func GrowthBytes(t *lua.LTable, key, v lua.LValue) int64 {
	tb := tableOf(t)
	switch k := key.(type) {
	case lua.LNumber:
		if i, ok := listKey(k); ok && i <= len(tb.array) {
			if tb.array[i-1] == lua.LNil && v != lua.LNil {
				return EntryBytes
			}
			return 0
		}
	case lua.LString:
		if old, known := tb.strdict[string(k)]; known && old != nil && old != lua.LNil || v == lua.LNil { // a table with a layout has names without values
			return 0
		}
		return EntryBytes
	}
	if old, known := tb.dict[key]; known && old != lua.LNil || v == lua.LNil {
		return 0
	}
	return EntryBytes
}

// An Allocator is the context of a thread whose allocations are limited.
type Allocator interface {
	// Allocate counts n more bytes. It returns false if the limit does not allow them; then the call has to end.
	Allocate(n int64) bool
	// Stores returns the result of ConstructorStores, found once.
	Stores(p *lua.FunctionProto) []bool
	Err() error
}

// takes counts n bytes if the limit allows them. If not, gopher-lua's instruction is left to raise the error.
func (m *Machine) takes(n int64) bool {
	if *m.allocations < n {
		return false
	}
	*m.allocations -= n
	return true
}

// Takes is takes for native forms of functions, which decline if it returns false.
func (m *Machine) Takes(n int64) bool { return m.takes(n) }

// Pays charges instructions and bytes, for native forms of functions, which decline if it returns false.
func (m *Machine) Pays(instructions, bytes int64) bool {
	if m.rest < instructions || m.stop.Load() || !m.takes(bytes) {
		return false
	}
	m.rest -= instructions
	return true
}

// ConstructorStores returns, by pc, which instructions store an entry of a table constructor. They are paid for with
// the constructor.
func ConstructorStores(p *lua.FunctionProto) []bool {
	stores := make([]bool, len(p.Code))
	left := make([]int, 256) // by register: the stores that its constructor still has
	for pc := 0; pc < len(p.Code); pc++ {
		switch w := word(p.Code[pc]); w.op() {
		case lua.OP_NEWTABLE:
			left[w.a()] = fromFloatingByte(w.c())
		case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
			if left[w.a()] > 0 {
				left[w.a()]--
				stores[pc] = true
			}
		case lua.OP_SETLIST:
			if w.b() == 0 {
				left[w.a()] = 0 // the end of the constructor; its last item counts as an entry with a key
			}
			if w.c() == 0 {
				pc++
			}
		case lua.OP_CLOSURE:
			pc += int(p.FunctionPrototypes[w.bx()].NumUpvalues)
		}
	}
	return stores
}

// The instructions of gopher-lua that allocate pay first. Threads without an Allocator pay nothing.
func init() {
	wrapListKeys()
	pays(lua.OP_NEWTABLE, func(_ Allocator, _ *thread, _ *callFrame, w word) int64 {
		return constructorBytes(w.b(), w.c())
	})
	pays(lua.OP_CLOSURE, func(Allocator, *thread, *callFrame, word) int64 { return ClosureBytes })
	pays(lua.OP_SETLIST, func(_ Allocator, th *thread, frame *callFrame, w word) int64 {
		if w.b() != 0 {
			return 0
		}
		return EntryBytes * int64(th.reg.top-frame.LocalBase-w.a()-1)
	})
	pays(lua.OP_SETTABLE, storeBytes)
	pays(lua.OP_SETTABLEKS, storeBytes)
}

// storeBytes returns the price of a SETTABLE.
func storeBytes(a Allocator, th *thread, frame *callFrame, w word) int64 {
	t, ok := th.reg.array[frame.LocalBase+w.a()].(*lua.LTable)
	if !ok {
		return 0
	}
	key := operand(th, frame, w.b())
	if t = storedIn(t, key); t == nil {
		return 0
	}
	n := GrowthBytes(t, key, operand(th, frame, w.c()))
	if n > 0 && a.Stores(frame.Fn.Proto)[frame.Pc-1] {
		return 0
	}
	return n
}

// mostIndexed is how many tables in a chain of __newindex gopher-lua follows.
const mostIndexed = 100

// storedIn returns the table that gets the value in t[key] = v; nil if a function for __newindex gets it, or nothing.
func storedIn(t *lua.LTable, key lua.LValue) *lua.LTable {
	for range mostIndexed {
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok || Get(t, key) != lua.LNil {
			return t
		}
		switch by := meta.RawGetString("__newindex").(type) {
		case *lua.LNilType:
			return t
		case *lua.LTable:
			t = by
		default:
			return nil
		}
	}
	return nil
}

// pays makes an instruction of gopher-lua pay its price.
func pays(op int, price func(a Allocator, th *thread, frame *callFrame, w word) int64) {
	original := jumpTable[op]
	jumpTable[op] = func(L *lua.LState, inst uint32, base *callFrame) int {
		th := threadOf(L)
		if a, ok := th.ctx.(Allocator); ok {
			if n := price(a, th, th.currentFrame, word(inst)); n > 0 && !a.Allocate(n) {
				L.RaiseError("%s", a.Err().Error())
			}
		}
		return original(L, inst, base)
	}
}
