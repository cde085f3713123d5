package scalar

import (
	"maps"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/fieldcode"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// Elements of tables declared outside the loop. The host copies them into memory when a run begins, and back when it ends. A key
// without an element stops the row.

// element puts the element at a key, or a member of it, on the stack.
func (e *Emitter) element(x *ir.Expr) {
	if x.Field != nil {
		e.layerCell(x)
		return
	}
	e.Get(e.elementOf(x.I, x.A))
	e.Memory(wasm.F64Load, 8*uint32(max(0, x.Member)))
}

// elementOf leaves the address of the element at a key in a local. If there is none, the row stops. The address is known after it, as
// that of an entry: see entries.go.
func (e *Emitter) elementOf(table int, key *ir.Expr) (at int) {
	k, keeps := e.foundKeyOf(table, key)
	k.list = true
	if at, ok := e.iter.found[k]; ok && keeps {
		return at
	}
	local := e.Local(wasm.F64)
	e.Number(key, true)
	e.Set(local)
	at = e.elementAt(table, local)
	if keeps {
		if e.iter.found == nil {
			e.forget()
		}
		e.iter.found[k] = at
	}
	return at
}

// elementAt returns a local with the address of the element at the key in a local. If there is none, the row stops.
func (e *Emitter) elementAt(table, key int) int {
	at := e.index(table, key)
	e.Op(wasm.I32Eqz)
	e.JumpIf(e.iter.stop)
	e.address(table, at)
	return at
}

// index puts on the stack whether a list has an element at the key in a local, and returns a local with its index, counted from the first
// element. The index has no meaning if there is none.
func (e *Emitter) index(table, key int) (at int) {
	at = e.Local(wasm.I32)
	e.Get(key)
	e.Saturating(wasm.I32TruncSatF64S)
	e.Tee(at)
	e.Op(wasm.F64ConvertI32S)
	e.Get(key)
	e.Op(wasm.F64Eq)
	e.Get(at)
	e.Get(e.word(abi.WordTableFrom, table))
	e.Op(wasm.I32Sub)
	e.Tee(at)
	e.Get(e.word(abi.WordTableCount, table))
	e.Op(wasm.I32LtU, wasm.I32And)
	return at
}

// address makes the index of an element in a local its address.
func (e *Emitter) address(table, at int) {
	e.Get(e.word(abi.WordTable, table))
	e.Get(at)
	e.I32(8 * int32(abi.ElementWidth(&e.p.Tables[table])))
	e.Op(wasm.I32Mul, wasm.I32Add)
	e.Set(at)
}

// exists puts on the stack whether there is an element at a key.
func (e *Emitter) exists(x *ir.Expr) {
	key := e.Local(wasm.F64)
	e.Number(x.A, true)
	e.Set(key)
	e.index(x.I, key)
}

// asksForElement returns the ir.Exists of a statement that leaves the row or the loop where a list has no element at a key; nil for any
// other statement. Loops over lists begin with one.
func asksForElement(s *ir.Stmt) *ir.Expr {
	if s.A.Op != ir.Not || s.A.A.Op != ir.Exists || len(s.Body) != 1 || len(s.Else) > 0 {
		return nil
	}
	if op := s.Body[0].Op; op != ir.Break && op != ir.Leave && op != ir.Jump {
		return nil
	}
	return s.A.A
}

// unlessElement writes such a statement. Behind it the address of the element is known. It returns false, and writes nothing, if the key may
// change.
func (e *Emitter) unlessElement(s *ir.Stmt, x *ir.Expr) bool {
	k, keeps := e.foundKeyOf(x.I, x.A)
	if k.list = true; !keeps {
		return false
	}
	key := e.Local(wasm.F64)
	e.Number(x.A, true)
	e.Set(key)
	at := e.index(x.I, key)
	e.Op(wasm.I32Eqz)
	e.Then(wasm.Void)
	before := maps.Clone(e.iter.found)
	e.stmts(s.Body)
	e.iter.found = before
	e.End()
	e.address(x.I, at)
	if e.iter.found == nil {
		e.forget()
	}
	e.iter.found[k] = at
	return true
}

// putElement assigns an element, or a member of it. The old value is logged.
func (e *Emitter) putElement(s *ir.Stmt) {
	if s.Field != nil {
		e.putCell(s)
		return
	}
	key, value, kept := -1, e.Local(wasm.F64), s.A.Op == ir.Reg || s.A.Op == ir.Entity || s.A.Op == ir.Const
	if !kept {
		key = e.Local(wasm.F64)
		e.Number(s.A, true)
		e.Set(key)
	}
	e.Number(s.B, true)
	e.Set(value)
	var at int
	if kept {
		at = e.elementOf(s.I, s.A)
	} else {
		at = e.elementAt(s.I, key)
	}
	offset := 8 * uint32(max(0, s.Member))
	e.keep(at, offset, 8, -1)
	e.Get(at)
	e.Get(value)
	e.Memory(wasm.F64Store, offset)
}

// fit sets a register to what a resource holds of a number. A number that does not fit stops the row.
func (e *Emitter) fit(s *ir.Stmt) {
	if fieldcode.Wide(s.Field.Type) {
		value := e.Local(wasm.F64)
		e.Number(s.A, true)
		e.Set(value)
		fieldcode.Fit(e.Function, s.Field.Type, value, e.iter.stop)
		e.Get(value)
		e.Set(e.regs.numbers[s.I])
		e.changed(ir.Number, s.I)
		return
	}
	e.assign(&Cell{Field: s.Field, local: e.regs.numbers[s.I]}, s.A)
}
