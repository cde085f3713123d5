package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// prepared is the template of the last loop of a text, in which functions are those of the file.
func prepared(t *testing.T, text string) (*Template, *Reason) {
	t.Helper()
	file, err := syntax.Parse("a.lua", text)
	if err != nil {
		t.Fatal(err)
	}
	loop := file.Stmts[len(file.Stmts)-1].(*ast.GenericForStmt)
	return Prepare(Source{
		Line: loop.Line(), Names: file.Bindings, Variables: file.Bindings.Declared(loop), Body: loop.Stmts,
		Function: func(v *syntax.Variable) *Function {
			fn, ok := v.Value.(*ast.FunctionExpr)
			if !ok || v.Assigned {
				return nil
			}
			return &Function{Line: fn.Line(), Params: file.Bindings.Function(fn).Params, Vararg: fn.ParList.HasVargs, Body: fn.Stmts}
		},
	})
}

// What a loop takes from around itself: by variable, with what it does with it.
func TestInputs(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"for e, p in w:each() do p.x = 1 end", ""},
		{"local n for e, p in w:each() do p.x = n end", "n:0 read"},
		{"local n for e, p in w:each() do n = p.x end", "n:0 assigned"},
		{"local n for e, p in w:each() do n = n + p.x end", "n:0 read assigned"},
		{"for e, p in w:each() do p.x = math.floor(p.x) end", "math:-1 object, math:-1.floor read"},
		{"local t for e, p in w:each() do t[1] = p.x t.a = t.b end", "t:0 object, t:0.a assigned, t:0.b read"},
		{"local name for e, p in w:each() do w:tag(e, name) end", "w:-1 object, name:0 named"},
		{"local n for e, p in w:each() do local n = n n = p.x end", "n:0 read"},
		{"local n for e, p in w:each() do for n = 1, n do p.x = n end end", "n:0 read"},
		{"local n for e, p in w:each() do for n in w:each(n) do p.x = n end end", "w:-1 object, n:0 named"},
		{"local n for e, p in w:each() do repeat local n = 1 until n > 1 end", ""},
		{"local e, p for e, p in w:each() do p.x = e end", ""},
		{"local k local function f(x) return x * k end for e, p in w:each() do p.x = f(k) end", "k:0 read"},
		{"local k local function f(x) return x * k end local k for e, p in w:each() do p.x = f(k) end", "k:0 read, k:3 read"},
		{"local k local function f(x) k = x end local k for e, p in w:each() do f(p.x) k = 1 end", "k:0 assigned, k:3 assigned"},
		{"local k local function f(x) return k.x end local k for e, p in w:each() do p.x = f(k.x) end", "k:0 object, k:0.x read, k:3 object, k:3.x read"},
		{"local function f(x) return x * k end local k for e, p in w:each() do p.x = f(k) end", "k:-1 read, k:2 read"},
		{"local function f(e) local p = e return p end for e, p in w:each() do p.x = f(p.x) end", ""},
		{"local function g(x) return x + 1 end local function f(x) return g(x) end local g for e, p in w:each() do p.x = f(g) end", "g:4 read"},
		{"local f f = function(x) return x end for e, p in w:each() do p.x = f(1) end", "f:0 read"},
	} {
		tpl, reason := prepared(t, c.text)
		if reason != nil {
			t.Errorf("%s: %v", c.text, reason)
			continue
		}
		var out []string
		for _, in := range tpl.Inputs {
			text := fmt.Sprintf("%s:%d", in.Name(), in.Variable.ID)
			if in.Member != "" {
				text += "." + in.Member
			}
			for i, is := range []bool{in.Read, in.Assigned, in.object, in.Named} {
				if is {
					text += " " + []string{"read", "assigned", "object", "named"}[i]
				}
			}
			if in.Global() != (in.Variable.ID < 0) {
				text += " global?"
			}
			out = append(out, text)
		}
		slices.Sort(out)
		want := strings.Split(c.want, ", ")
		slices.Sort(want)
		if got := strings.Join(out, ", "); got != strings.Join(want, ", ") {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// What keeps a loop from becoming a kernel, whatever the types are.
func TestPrepareReasons(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"for e, p in w:each() do p.x = function() end end", "makes a function, and does something else with it than call it"},
		{"for e, p in w:each() do function f() end end", "makes a function"},
		{"for e, p in w:each() do p.x = e .. e end", ""},
		{"local t for e, p in w:each() do t = t.x end", `assigns "t", and uses members of it`},
		{"for e, p in w:each() do for a in pick(p) do end end", "has a for … in over something else than world:each, world:near, world:sources or a list"},
		{"for e, p in w:each() do for a in pairs(p) do end end", ""},
		{"for e, p in w:each() do (p or e).x = 1 end", "indexes something else than a variable or what a call gives"},
		{"for e, p in w:each() do w:nothing(e) end", "calls w:nothing"},
		{"local function f(x) return f(x) end for e, p in w:each() do p.x = f(1) end", `the function "f" calls itself`},
		{"local f = function(x) return f(x) end for e, p in w:each() do p.x = f(1) end", ""}, // another f, which is global
		{"local function f(...) return arg.n end for e, p in w:each() do p.x = f(1) end", `the function "f" uses the table arg`},
		{"local function f(x) return x end for e, p in w:each() do p.x = f end", `uses the function "f" as a value`},
		{"local function f(x) return x end for e, p in w:each() do local f = 1 p.x = f end", ""},
	} {
		_, reason := prepared(t, c.text)
		got := ""
		if reason != nil {
			got = reason.Text
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
