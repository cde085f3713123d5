package interp

import lua "github.com/yuin/gopher-lua"

// Frozen tables: Lua tables that no code can change. They are ordinary tables with a metatable that says so; it has a __newindex that raises an error,
// which keeps new keys out. Assignments to keys that there are ask here: those of gopher-lua's instructions, which are wrapped, those of
// [Machine], and all Go code that changes tables of scripts.
//
// The quick forms of assignments in Machine.run never meet a frozen table: they look for lists without a metatable, and for names that are the very string
// of the script. So the names of a frozen table must be strings of its own.

// frozenMark is the metatable of the metatables of frozen tables. No script can reach it.
var frozenMark = &lua.LTable{Metatable: lua.LNil}

// MarkFrozen makes tables with that metatable frozen ones.
func MarkFrozen(metatable *lua.LTable) { metatable.Metatable = frozenMark }

// Frozen reports whether a table is frozen.
func Frozen(t *lua.LTable) bool {
	meta, ok := t.Metatable.(*lua.LTable)
	return ok && meta.Metatable == lua.LValue(frozenMark)
}

// FrozenText is the error of whoever changes a frozen table.
const FrozenText = "a table of ecs.data cannot be changed; change a copy: local copy = {} for k, v in pairs(data) do copy[k] = v end"

// gopher-lua's assignments to keys that there are.
func init() {
	for _, op := range []int{lua.OP_SETTABLE, lua.OP_SETTABLEKS} {
		original := jumpTable[op]
		jumpTable[op] = func(L *lua.LState, inst uint32, base *callFrame) int {
			th, w := threadOf(L), word(inst)
			frame := th.currentFrame
			t, ok := th.reg.array[frame.LocalBase+w.a()].(*lua.LTable)
			if ok && t.Metatable != lua.LNil {
				if key := operand(th, frame, w.b()); key != lua.LNil {
					if t = storedIn(t, key); t != nil && Frozen(t) {
						L.RaiseError(FrozenText)
					}
				}
			}
			return original(L, inst, base)
		}
	}
}
