package sandbox

import "testing"

// What the compiler reserves for longer functions is not held: a file may have tens of thousands of short ones.
func TestShortFunctionsAreSmall(t *testing.T) {
	c, err := Compile("a.lua", "local a = function(x) return function() return x end end return a")
	if err != nil {
		t.Fatal(err)
	}
	for p := c.proto; ; p = p.FunctionPrototypes[0] {
		for what, spare := range map[string]int{
			"code": cap(p.Code) - len(p.Code), "constants": cap(p.Constants) - len(p.Constants), "functions": cap(p.FunctionPrototypes) - len(p.FunctionPrototypes),
			"lines": cap(p.DbgSourcePositions) - len(p.DbgSourcePositions), "calls": cap(p.DbgCalls) - len(p.DbgCalls),
			"locals": cap(p.DbgLocals) - len(p.DbgLocals), "upvalues": cap(p.DbgUpvalues) - len(p.DbgUpvalues),
		} {
			if spare > 0 {
				t.Errorf("the function of line %d has room for %d more %s", p.LineDefined, spare, what)
			}
		}
		if len(p.FunctionPrototypes) == 0 {
			break
		}
	}
}
