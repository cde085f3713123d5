package sandbox

import (
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	lua "github.com/yuin/gopher-lua"
)

// Each compiled function is found in the syntax of its file, also where several stand in one line.
func TestFunctionsOfAChunk(t *testing.T) {
	source := "local F = { function(v) return v + 1 end, function(v) return v * 2 end, name = function(v) return function() return v end end }\n" +
		"function F.g(a, b)\n  if a then return function(x) return x end end\nend\nlocal function h() return F.g(nil, function() end) end\nreturn h"
	c, err := Compile("a.lua", source)
	if err != nil {
		t.Fatal(err)
	}
	tree := c.Tree()
	functions := c.Functions(tree)
	var lines []int
	var walk func(p *lua.FunctionProto)
	walk = func(p *lua.FunctionProto) {
		for _, inner := range p.FunctionPrototypes {
			fn := functions[inner]
			if fn == nil || len(fn.ParList.Names) != int(inner.NumParameters) {
				t.Fatalf("the function of line %d is %v", inner.LineDefined, fn)
			}
			lines = append(lines, fn.Line())
			walk(inner)
		}
	}
	walk(c.proto)
	if len(lines) != 8 || len(functions) != 8 {
		t.Errorf("functions in the lines %v, %d known", lines, len(functions))
	}
	other, err := syntax.Parse("a.lua", "local function f() end")
	if err != nil {
		t.Fatal(err)
	}
	if known := c.Functions(other); len(known) != 0 {
		t.Errorf("%d functions are found in the syntax of another file", len(known))
	}
}
