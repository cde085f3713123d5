package closures

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	lua "github.com/yuin/gopher-lua"
)

// What package loops sets before a walk of an open template, and reads after it.

// SetLua sets a register of type Any from a value of gopher-lua. It returns false if that is no plain data.
func (k *Kernel) SetLua(reg int, v lua.LValue) bool {
	f := &k.frame
	f.failed = false
	var x ecs.Value
	f.a[reg].set(f.refOf(v, &x))
	return !f.failed
}

// SetConstants sets the tables that the Program takes for constants, so that rows that change them fail.
func (k *Kernel) SetConstants(tables map[*lua.LTable]struct{}) { k.frame.constants = tables }

// SetGuarded sets the tables in which the Program takes the values at some names for constants, or the metatables: rows
// that change these fail.
func (k *Kernel) SetGuarded(tables map[*lua.LTable]struct{}, names []string) {
	k.frame.guarded, k.frame.names = tables, names
}

// SetFunctions sets the functions that rows look for as methods and operators, by their number - 1.
func (k *Kernel) SetFunctions(list []*lua.LFunction) { k.frame.functions = list }

// keepOutputs keeps the outputs of type Any, before their registers are cleared.
func (k *Kernel) keepOutputs() {
	for _, out := range k.program.Outputs {
		if out.Type != ir.Any {
			continue
		}
		if k.outputs == nil {
			k.outputs = map[int]lua.LValue{}
		}
		k.outputs[out.Reg], _ = k.frame.luaOf(k.frame.a[out.Reg].ref())
	}
}

// Lua returns the value that an output of type Any had at the end of the last Run, and forgets it.
func (k *Kernel) Lua(reg int) lua.LValue {
	v := k.outputs[reg]
	delete(k.outputs, reg)
	return v
}
