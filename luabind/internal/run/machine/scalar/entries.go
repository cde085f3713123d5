package scalar

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Entries, and elements of lists, that a row has found already. A body that keeps a key in a register, as in local s = by[k]
// s.n = s.n + 1, looks the same entry up many times. The search is written once; what follows it has the address in a local.
//
// What is known holds for the place that is being written: on each way to it the entry was found, and the register has kept its
// value. Branches and loops forget what was only found in them.

// A foundKey is a key of a table, and the second part of a pair.
type foundKey struct {
	table  int
	list   bool // a list that is copied (tables.go), not a table that is looked up
	key    foundPart
	second foundPart
}

// A foundPart is the value of a register, the entity of the row, or a constant.
type foundPart struct {
	op     ir.Op
	typ    ir.Type
	reg    int
	number float64
	text   string
}

// foundKeyOf returns what stands for a key; false if its value may be another one later in the row.
func (e *Emitter) foundKeyOf(table int, x *ir.Expr) (k foundKey, ok bool) {
	k.table = table
	if x.Op == ir.Pair {
		var also bool
		k.key, ok = foundPartOf(x.A)
		k.second, also = foundPartOf(x.B)
		return k, ok && also
	}
	if k.key, ok = foundPartOf(x); !ok {
		return k, false
	}
	return k, x.Type == ir.Number || len(e.beyond.mirrors) == 0 && !e.out.asks // the entries of strings move when the host is asked for rows of a mirror, or for strings
}

// foundPartOf is foundKeyOf for a key that is no pair, or for a part of one.
func foundPartOf(x *ir.Expr) (k foundPart, ok bool) {
	switch x.Op {
	case ir.Reg:
		return foundPart{op: x.Op, typ: x.Type, reg: x.I}, true
	case ir.Entity:
		return foundPart{op: x.Op, typ: x.Type}, true
	case ir.Const:
		return foundPart{op: x.Op, typ: x.Type, number: x.N, text: x.S}, true
	default:
		return k, false
	}
}

// located leaves the address of the entry of a key that is looked up in a local, and its state in another one.
func (e *Emitter) located(table int, x *ir.Expr) (at, state int) {
	k, keeps := e.foundKeyOf(table, x)
	if at, ok := e.iter.found[k]; ok && keeps {
		state = e.Local(wasm.I32)
		e.Get(at)
		e.Memory(wasm.I32Load, abi.KeyedHeader+abi.KeyedState)
		e.Set(state)
		return at, state
	}
	key, _ := e.keyOf(x, false)
	at, state = e.entry(table, key, false)
	if keeps {
		if e.iter.found == nil {
			e.forget()
		}
		e.iter.found[k] = at
	}
	return at, state
}

// made notes that a key has got an entry, whose address is in a local. Until then the addresses of other registers with the same key
// may have been that of the entry which stands for all missing keys.
func (e *Emitter) made(table int, x *ir.Expr, at int) {
	k, keeps := e.foundKeyOf(table, x)
	before, known := e.iter.found[k]
	if x.Type == ir.Number {
		maps.DeleteFunc(e.iter.found, func(k foundKey, _ int) bool { return k.table == table && !k.list })
	}
	switch {
	case !keeps:
	case known:
		e.Get(at)
		e.Set(before)
		e.iter.found[k] = before
	default:
		e.iter.found[k] = at
	}
}

// changed forgets the entries whose keys were in a register that is set.
func (e *Emitter) changed(t ir.Type, reg int) {
	is := func(k foundPart) bool { return k.op == ir.Reg && k.typ == t && k.reg == reg }
	maps.DeleteFunc(e.iter.found, func(k foundKey, _ int) bool { return is(k.key) || is(k.second) })
}

// onlyHere calls write for what is not executed in all cases. What was found before it and is still known is known after it.
func (e *Emitter) onlyHere(write func()) {
	before := maps.Clone(e.iter.found)
	write()
	e.meet(before)
}

// meet keeps what is known on two ways that meet.
func (e *Emitter) meet(other map[foundKey]int) {
	maps.DeleteFunc(e.iter.found, func(k foundKey, at int) bool { was, ok := other[k]; return !ok || was != at })
}

// forget forgets all entries: in front of the body of a loop, and after it.
func (e *Emitter) forget() { e.iter.found = map[foundKey]int{} }

// loopBody writes the statements of a loop.
func (e *Emitter) loopBody(body []*ir.Stmt) {
	e.forget()
	e.stmts(body)
	e.forget()
}
