package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/ast"
)

func parsed(t testing.TB, text string) *Chunk {
	t.Helper()
	c, err := Parse("a.lua", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

// bound writes the identifiers of a tree in the order of the source: with the ID of the variable they are bound to, or G for a global, ^ before an
// upvalue, and = behind one that is assigned.
func bound(c *Chunk) string {
	var out []string
	in := []*Function{}
	c.Visit(Visitor{
		Enter: func(s Scope) {
			if !s.Function {
				return
			}
			fn := c.Bindings.Main
			if s.Node != nil {
				fn = c.Bindings.Function(s.Node.(*ast.FunctionExpr))
			}
			in = append(in, fn)
		},
		Leave: func(s Scope) {
			if s.Function {
				in = in[:len(in)-1]
			}
		},
		Ident: func(id *ast.IdentExpr, assigned bool, _ ast.Expr) {
			v, text := c.Bindings.Of(id), id.Value
			switch {
			case v.Kind == Global:
				text += ":G"
			case v.Function != in[len(in)-1]:
				text = fmt.Sprintf("^%s:%d", text, v.ID)
			default:
				text = fmt.Sprintf("%s:%d", text, v.ID)
			}
			if assigned {
				text += "="
			}
			out = append(out, text)
		},
	})
	return strings.Join(out, " ")
}

// Each identifier is bound to its variable. Variables are numbered in the order of their declarations.
func TestBound(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a global", "x = x", "x:G= x:G"},
		{"a local begins after its value", "local x = x print(x)", "x:G print:G x:0"},
		{"two locals of one name in one block", "local x = 1 local x = x print(x)", "x:0 print:G x:1"},
		{"two names of one statement", "local x, x = 1, 2 print(x)", "print:G x:1"},
		{"one name in different blocks", "do local x = 1 x = 2 end do local x print(x) end print(x)", "x:0= print:G x:1 print:G x:G"},
		{"shadowing ends with the block", "local x do local x x = 1 end x = 2", "x:1= x:0="},
		{"values of an assignment", "local x x, y = y, x", "x:0= y:G= y:G x:0"},
		{"the branches of an if", "local x if x then local x = x else x = 1 end", "x:0 x:0 x:0="},
		{"an if in the condition of an elseif", "local x if x then local y elseif y then end", "x:0 y:G"},
		{"while", "local x while x do local x x = 1 end", "x:0 x:1="},
		{"the condition of a repeat sees the body", "local x repeat local x = x until x", "x:0 x:1"},
		{"repeat within repeat", "repeat local x repeat local x until x until x", "x:1 x:0"},
		{"for over numbers", "local i, n for i = i, n, i do i = n end print(i)", "i:0 n:1 i:0 i:2= n:1 print:G i:0"},
		{"for over a generator", "local k, f for k, v in f, k do k = v end v = k", "f:1 k:0 k:2= v:3 v:G= k:0"},
		{"parameters", "local a function f(a, b) return a, b end", "f:G= a:1 b:2"},
		{"two parameters of one name", "function f(a, a) return a end", "f:G= a:1"},
		{"a local hides a parameter", "function f(a) local a = a return a end", "f:G= a:0 a:1"},
		{"a function that is assigned to a local", "local f function f() f() end", "f:0= ^f:0"},
		{"a local function sees itself", "local function f() f() end f()", "^f:0 f:0"},
		{"a function in a local does not see the local", "local f = function() f() end f()", "f:G f:0"},
		{"a function in a local sees the one outside", "local f local f = function() f() end f()", "^f:0 f:1"},
		{"functions in two locals", "local f, g = function() f() g() end, 1 f()", "f:G g:G f:0"},
		{"a method has self", "local o function o:m(a) return self, a end", "o:0 self:1 a:2"},
		{"a function with a dot has none", "local o function o.m(a) return self, a end", "o:0 self:G a:1"},
		{"a method of a member", "local o function o.a.b:m() self.x = o end", "o:0 self:1 ^o:0"},
		{"self is a name like others", "local self function f() return self end", "f:G= ^self:0"},
		{"varargs have arg", "local arg function f(...) return arg end function g() return arg end", "f:G= arg:1 g:G= ^arg:0"},
		{"a file with varargs has arg", "local x = ... print(arg, x)", "print:G arg:0 x:1"},
		{"a file without has none", "local function f(...) return ... end print(arg)", "print:G arg:G"},
		{"closures within each other", "local a function f(b) local c return function(d) return a, b, c, d end end", "f:G= ^a:0 ^b:1 ^c:2 d:3"},
		{"a closure in a loop", "for i = 1, 2 do local x fs[i] = function() x = i end end", "fs:G i:0 ^x:1= ^i:0"},
		{"a closure sees what is declared before it", "local f = function() return x end local x = function() return x end", "x:G x:G"},
		{"tables and calls", "local t = {} t[t] = { t, k = t, [t] = t.t } t.t:t(t){ t }", "t:0 t:0 t:0 t:0 t:0 t:0 t:0 t:0 t:0"},
		{"operators", "local a, b return not a and #b .. -a < b or a ^ b", "a:0 b:1 a:0 b:1 a:0 b:1"},
		{"goto and labels", "local x goto x ::x:: x = 1", "x:0="},
	} {
		if got := bound(parsed(t, c.text)); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

// What is known of a variable beside its uses.
func TestVariables(t *testing.T) {
	c := parsed(t, `local a, b, c, d = 1, f(), {}
local e
local function g(p, ...) p = a end
function d:m(q) b = g end
for i = 1, 3 do end
for k, v in pairs(c) do e = a end`)
	var out []string
	for _, v := range c.Bindings.Locals {
		text := fmt.Sprintf("%s %v %d/%d line %d", v.Name, v.Kind, v.ID, v.Index, v.Line())
		if v.Value != nil {
			text += strings.TrimPrefix(fmt.Sprintf("%T", v.Value), "*ast")
		}
		if v.Assigned {
			text += " assigned"
		}
		if v.Captured {
			text += " captured"
		}
		text += fmt.Sprintf(" in %q used in", v.Function.Name)
		for _, fn := range v.Functions() {
			text += fmt.Sprintf(" %q", fn.Name)
		}
		out = append(out, text)
	}
	want := `a local 0/0 line 1.NumberExpr captured in "" used in "g" ""
b local 1/1 line 1.FuncCallExpr assigned captured in "" used in "m"
c local 2/2 line 1.TableExpr in "" used in ""
d local 3/3 line 1 in "" used in ""
e local 4/0 line 2.NilExpr assigned in "" used in ""
g local function 5/0 line 3.FunctionExpr captured in "" used in "m"
p parameter 6/0 line 3 assigned in "g" used in "g"
arg arg 7/0 line 3 in "g" used in
self self 8/0 line 4 in "m" used in
q parameter 9/0 line 4 in "m" used in
i loop variable 10/0 line 5 in "" used in
k loop variable 11/0 line 6 in "" used in
v loop variable 12/1 line 6 in "" used in`
	if got := strings.Join(out, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	g, m := c.Bindings.Locals[6].Function, c.Bindings.Locals[9].Function
	if len(g.Params) != 1 || !g.Vararg || len(m.Params) != 2 || m.Vararg || m.Parent != c.Bindings.Main || c.Bindings.Main.Parent != nil {
		t.Errorf("functions: %+v, %+v", g, m)
	}
	var globals []string
	for _, v := range c.Bindings.Globals {
		globals = append(globals, v.Name)
		if v.ID != -1 || v.Line() != 0 || !v.IsGlobal(v.Name) || v.Captured {
			t.Errorf("%s: %+v", v.Name, v)
		}
	}
	if fmt.Sprint(globals) != "[f pairs]" {
		t.Errorf("globals %v", globals)
	}
}

// What a name means in front of a loop.
func TestVisible(t *testing.T) {
	c := parsed(t, "local a local b do local a local c end local function f(a) for a, x in pairs(a) do for y in a do end end end local d")
	var loops []*ast.GenericForStmt
	c.Visit(Visitor{Stmt: func(st ast.Stmt) {
		if loop, ok := st.(*ast.GenericForStmt); ok {
			loops = append(loops, loop)
		}
	}})
	for i, want := range []map[string]int{{"a": 5, "b": 1, "c": -1, "f": 4, "x": -1, "d": -1}, {"a": 6, "b": 1, "x": 7, "y": -1}} {
		for name, id := range want {
			v := c.Bindings.Visible(loops[i], name)
			if got := map[bool]int{true: -1}[v == nil]; v != nil && v.ID != id || v == nil && id != got {
				t.Errorf("loop %d: %s is %+v, want %d", i, name, v, id)
			}
		}
	}
}

// A renamed variable is reached under its new name, and no other one is.
func TestRename(t *testing.T) {
	c := parsed(t, "local a = 1 function f(a, ...) a = arg for a in a do a = a end for a = 1, a do end end function o:m() return self, a end")
	for _, v := range c.Bindings.Locals {
		renamed := c.Bindings.Rename(v)
		if hidden := v.Kind == Self || v.Kind == Arg; renamed == hidden || (v.InTree() == v.Name) != hidden || SourceName(v.InTree()) != v.Name {
			t.Errorf("%s %v: renamed %v, %q", v.Name, v.Kind, renamed, v.InTree())
		}
	}
	for _, v := range c.Bindings.Globals {
		if c.Bindings.Rename(v) {
			t.Errorf("the global %s is renamed", v.Name)
		}
	}
	if SourceName("\x00done") != "\x00done" {
		t.Error("a hidden name has no source")
	}
	want := "f:G= a\x001:1= arg:2 a\x001:1 a\x003:3= a\x003:3 a\x001:1 o:G self:5 ^a\x000:0"
	if got := bound(c); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	again := Resolve(c.Stmts)
	for _, v := range c.Bindings.Locals {
		for _, u := range v.Uses {
			if w := again.Of(u.Ident); w == nil || w.ID != v.ID {
				t.Errorf("%q at line %d is %+v", u.Ident.Value, u.Ident.Line(), w)
			}
		}
	}
}

// Names nest as deep as the limits allow; the time is linear.
func TestDeepNesting(t *testing.T) {
	deep := strings.Repeat("local x = 1 local function f() x = 1 ", 190) + strings.Repeat("end ", 190)
	c := parsed(t, deep)
	if n := len(c.Bindings.Locals); n != 380 {
		t.Errorf("%d variables", n)
	}
	for _, v := range c.Bindings.Locals {
		if v.Name == "x" && (!v.Captured || len(v.Uses) != 1) {
			t.Fatalf("variable %d: captured %v, %d uses", v.ID, v.Captured, len(v.Uses))
		}
	}
	for text, want := range map[string]string{
		strings.Repeat("do ", 201) + strings.Repeat("end ", 201):              "more than 200 brackets and blocks",
		"return " + strings.Repeat("(", 201) + "1" + strings.Repeat(")", 201): "more than 200 brackets and blocks",
		"return " + strings.Repeat("- ", 201) + "1":                           "more than 200 operators",
		"return 1" + strings.Repeat(" + 1", 301):                              "more than 300 parts",
		strings.Repeat("x", MaxSource+1):                                      "file too large",
		"if x then " + strings.Repeat("elseif x then ", 1001) + "end":         "more than 1000 statements",
		"local s = 'a\nb'": "1:11: unfinished string",
		"return 3x":        "1:8: malformed number",
		"\n\n  x = = 1":    `3:7: unexpected "="`,
		"return " + strings.Repeat("f(", 10) + "1" + strings.Repeat(")", 9): "unexpected end of file",
	} {
		if _, err := Parse("a.lua", text); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "a.lua:") {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}
