package syntax

import (
	"slices"
	"testing"

	"github.com/yuin/gopher-lua/ast"
)

// Two copies of a function share no variable but those that free returns, and each identifier and declaration is bound to those of its copy.
func TestInstance(t *testing.T) {
	file, err := Parse("a.lua", "local k = 1\nlocal function f(x)\n  local y = x + k\n  for i = 1, y do y = y + math.abs(i) end\n  return y\nend")
	if err != nil {
		t.Fatal(err)
	}
	b := file.Bindings
	fn := file.Stmts[1].(*ast.LocalAssignStmt).Exprs[0].(*ast.FunctionExpr)
	outside := map[string]*Variable{}
	var all []*Variable
	for range 2 {
		params, body := b.Instance(fn, func(v *Variable) *Variable {
			if outside[v.Name] == nil {
				outside[v.Name] = &Variable{Declaration: Declaration{Name: v.Name, Kind: v.Kind}}
			}
			return outside[v.Name]
		})
		seen := map[string]*Variable{"x": params[0]}
		note := func(v *Variable) {
			if seen[v.Name] == nil {
				seen[v.Name] = v
			}
			if seen[v.Name] != v || slices.Contains(b.Locals, v) {
				t.Errorf("%s is bound to another variable than that of the copy", v.Name)
			}
		}
		Search(body, func(n ast.PositionHolder) Step {
			if id, ok := n.(*ast.IdentExpr); ok {
				note(b.Of(id))
			}
			for _, v := range b.Declared(n) {
				note(v)
			}
			return Deeper
		})
		if seen["k"] != outside["k"] || seen["math"] != outside["math"] || len(outside) != 2 || len(seen) != 5 {
			t.Errorf("a copy uses %v, around it are %v", seen, outside)
		}
		all = append(all, seen["x"], seen["y"], seen["i"])
	}
	if len(once(all)) != 6 {
		t.Error("two copies share a variable of the function")
	}
	if v := b.Of(fn.Stmts[2].(*ast.ReturnStmt).Exprs[0].(*ast.IdentExpr)); !slices.Contains(b.Locals, v) {
		t.Error("the function itself is bound to a variable of a copy")
	}
}

// once removes what is listed twice.
func once(list []*Variable) (out []*Variable) {
	for _, v := range list {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
