package sandbox

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// The prices of what compiled loops would allocate as interpreted code: package interp has them.

// StringBytes is the price of a string besides its bytes; EntryBytes that of an entry of a table; ClosureBytes that of a
// function.
const (
	StringBytes  = interp.StringBytes
	EntryBytes   = interp.EntryBytes
	ClosureBytes = interp.ClosureBytes
)

// ConstructorBytes returns the price of a table constructor, without the tables in it. A call or ... at its end gives one
// value.
func ConstructorBytes(t *ast.TableExpr) int64 { return OpenConstructorBytes(t, 1) }

// ItemsAtOnce is how many list items of a table constructor one instruction stores. Those of a longer list are stored in between.
var ItemsAtOnce = lua.FieldsPerFlush

// OpenConstructorBytes is ConstructorBytes for a constructor with a call or ... at its end that gives so many values.
func OpenConstructorBytes(t *ast.TableExpr, values int) int64 {
	items, open := 0, 0
	for i, f := range t.Fields {
		if f.Key != nil {
			continue
		}
		items++
		if i < len(t.Fields)-1 {
			continue
		}
		switch e := f.Value.(type) {
		case *ast.FuncCallExpr:
			if !e.AdjustRet {
				open = 1
			}
		case *ast.Comma3Expr:
			if !e.AdjustRet {
				open = 1
			}
		}
	}
	items -= open
	bytes := interp.ConstructorBytes(items, len(t.Fields)-items)
	if open > 0 { // the instruction that stores these values also stores the items in front of them that are not stored yet
		bytes += interp.EntryBytes * int64(items%lua.FieldsPerFlush+values)
	}
	return bytes
}
