package loops

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	lua "github.com/yuin/gopher-lua"
)

// Objects at the keys of a table: what a kernel gets of one. keyed.go asks for it when a row looks the object up.

// A rowReader reads the members of the tables that a keyedInput holds.
type rowReader struct {
	fields  interp.FieldsReader  // the members, by ir.Keyed.Members, and after them the methods
	values  []lua.LValue         // what fields has read
	members []interp.FieldReader // of the members, to replace them
	classes *linkedClasses       // nil if the loop calls no methods of them
	recent  [16]struct {         // classes by metatable, for the objects that were found before
		meta  *lua.LTable
		class int
	}
}

// newRowReader makes the rowReader of a keyed table.
func newRowReader(p *ir.Keyed) rowReader {
	var names []string
	for _, m := range p.Members {
		names = append(names, m.Name)
	}
	members := make([]interp.FieldReader, len(names))
	for i, name := range names {
		members[i] = interp.NewFieldReader(name)
	}
	names = append(names, p.Methods...)
	return rowReader{fields: interp.NewFieldsReader(names...), values: make([]lua.LValue, len(names)), members: members}
}

// begin is called when a kernel begins: metatables may have changed since the last time.
func (r *rowReader) begin(classes *linkedClasses) {
	r.classes = classes
	clear(r.recent[:])
}

// classOf returns the number of the class of an object, from 1 on; 0 if the template does not know it. It uses a table by
// address, on which the result does not depend.
func (r *rowReader) classOf(object *lua.LTable, meta *lua.LTable) int {
	recent := &r.recent[uintptr(unsafe.Pointer(meta))/unsafe.Sizeof(*meta)%uintptr(len(r.recent))]
	if recent.meta == meta {
		return recent.class
	}
	index := indexOf(object)
	class := 0
	if index != nil {
		class = slices.Index(r.classes.indexes, index) + 1
		r.classes.stale = r.classes.stale || class == 0
	}
	recent.meta, recent.class = meta, class
	return class
}

// inherited returns a member of the tables behind an object, and the one that has it; nil of Lua and nil if there is none.
func inherited(object *lua.LTable, name string) (x lua.LValue, from *lua.LTable) {
	t := object
	for range mostBases {
		meta, ok := t.Metatable.(*lua.LTable)
		if !ok {
			break
		}
		if t, ok = meta.RawGetString("__index").(*lua.LTable); !ok {
			break
		}
		if x := t.RawGetString(name); x != lua.LNil {
			return x, t
		}
	}
	return lua.LNil, nil
}

// row sets values to the members of the table at a key. It is false if something is there that the Program does not
// expect.
func (in *keyedInput) row(row *lua.LTable, values []kernel.Slot) bool {
	meta, isObject := row.Metatable.(*lua.LTable)
	class := 0
	switch {
	case in.rows.classes != nil && len(in.p.Methods) > 0:
		if !isObject {
			return false
		}
		if class = in.rows.classOf(row, meta); class == 0 {
			return false
		}
	case isObject && indexOf(row) == nil && !interp.Frozen(row):
		return false
	}
	found := in.rows.values
	in.rows.fields.Get(row, found)
	for _, method := range found[len(in.p.Members):] {
		if method != lua.LNil {
			return false
		}
	}
	made := 0 // members that the loop may add to the table
	for i := range in.p.Members {
		m := &in.p.Members[i]
		switch m.Kind {
		case ir.Plain, ir.View:
		case ir.Class:
			values[i] = kernel.Slot{Has: true, N: float64(class)}
			continue
		}
		x := found[i]
		if x == lua.LNil {
			if m.Stored {
				made++
			}
			if isObject {
				var from *lua.LTable
				x, from = inherited(row, m.Name)
				if from != nil && in.alone != nil && !in.alone.claim(from, shared, kernel.Key{}) { // the loop may assign to it
					return false
				}
			}
		}
		if m.Kind == ir.View {
			e, id, ok := in.world.ViewOf(x)
			if x != lua.LNil && (!ok || id != m.Component) {
				return false
			}
			values[i] = kernel.Slot{Has: ok, N: e.Number()}
			continue
		}
		var ok bool
		if values[i], ok = slotOf(x, m.Type); !ok {
			return false
		}
	}
	return made < 2 // otherwise the kernel does not know the order in which rows assign them, which is that of pairs
}
