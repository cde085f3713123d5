package loops

import (
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	lua "github.com/yuin/gopher-lua"
)

// The VM keeps key 0 apart from the keys above it; a kernel sees one row of
// elements.
func TestTableFromZero(t *testing.T) {
	n, goal := &lua.LTable{}, &lua.LTable{}
	row := func(x float64) *lua.LTable {
		r := &lua.LTable{Metatable: lua.LNil}
		r.RawSetString("x", lua.LNumber(x))
		return r
	}
	for key := range 3 {
		n.RawSetInt(key, lua.LNumber(key*10))
		goal.RawSetInt(key, row(float64(key)))
	}
	var in tableInput
	if in.read(n, ir.Table{}) != "" || in.elements.From != 0 || !slices.Equal(in.elements.Values, []float64{0, 10, 20}) {
		t.Errorf("read %+v", in.elements)
	}
	if in.read(goal, ir.Table{Members: []string{"x"}}) != "" || in.elements.From != 0 || !slices.Equal(in.elements.Values, []float64{0, 1, 2}) {
		t.Errorf("read %+v", in.elements)
	}
	zero := &lua.LTable{}
	zero.RawSetInt(0, row(1))
	if !hasRows(goal) || !hasRows(zero) || hasRows(n) {
		t.Error("tables of tables are not told from others")
	}
}
