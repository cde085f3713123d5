package loops

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// stmtText is a statement of a tree as Lua, as far as calls of kernels have such statements: a loop is "for … end". Hidden names begin with "$".
func stmtText(st ast.Stmt) string {
	switch st := st.(type) {
	case *ast.DoBlockStmt:
		return "do " + blockText(st.Stmts) + " end"
	case *ast.LocalAssignStmt:
		return "local " + strings.ReplaceAll(strings.Join(st.Names, ", "), "\x00", "$") + strings.TrimSuffix(" = "+exprTexts(st.Exprs), " = ")
	case *ast.RepeatStmt:
		return "repeat " + blockText(st.Stmts) + " until " + exprText(st.Condition)
	case *ast.AssignStmt:
		return exprTexts(st.Lhs) + " = " + exprTexts(st.Rhs)
	case *ast.IfStmt:
		return "if " + exprText(st.Condition) + " then " + blockText(st.Then) + " end"
	case *ast.ReturnStmt:
		return strings.TrimSpace("return " + exprTexts(st.Exprs))
	case *ast.GenericForStmt:
		if or, ok := st.Exprs[0].(*ast.LogicalOpExpr); ok {
			return "for … in " + exprText(or.Lhs) + " or … end"
		}
		return "for … end"
	}
	return fmt.Sprintf("%T", st)
}

func blockText(stmts []ast.Stmt) string {
	var out []string
	for _, st := range stmts {
		out = append(out, stmtText(st))
	}
	return strings.Join(out, " ")
}

func exprText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.NilExpr:
		return "nil"
	case *ast.NumberExpr:
		return e.Value
	case *ast.StringExpr:
		return fmt.Sprintf("%q", e.Value)
	case *ast.IdentExpr:
		return strings.ReplaceAll(e.Value, "\x00", "$")
	case *ast.UnaryNotOpExpr:
		return "not " + exprText(e.Expr)
	case *ast.LogicalOpExpr:
		return exprText(e.Lhs) + " " + e.Operator + " " + exprText(e.Rhs)
	case *ast.RelationalOpExpr:
		return exprText(e.Lhs) + " " + e.Operator + " " + exprText(e.Rhs)
	case *ast.FuncCallExpr:
		return exprText(e.Func) + "(" + exprTexts(e.Args) + ")"
	}
	return fmt.Sprintf("%T", e)
}

func exprTexts(exprs []ast.Expr) string {
	var out []string
	for _, e := range exprs {
		out = append(out, exprText(e))
	}
	return strings.Join(out, ", ")
}

// passed runs Pass over a source and returns the File and the loops of the file as they stand in the tree then.
func passed(t *testing.T, source string) (f *File, loops []string) {
	t.Helper()
	f = &File{}
	if _, err := sandbox.Compile("a.lua", source, func(file *syntax.Chunk) error {
		if err := Pass(f)(file); err != nil {
			return err
		}
		for _, l := range f.Loops {
			loops = append(loops, stmtText(*l.slot))
			if line := (*l.slot).Line(); line != l.Line {
				t.Errorf("%s: the call stands in line %d, the loop in line %d", source, line, l.Line)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return f, loops
}

// In front of a loop stands the call of its kernel, with what the loop uses from around itself and what it assigns.
func TestCall(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"nothing from around", "for e, p in world:each('A', 'B') do p.x = 1 end", `do local $last repeat local $done, $rest = $kernel(1, $last, world, "A", "B") if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"inputs", "for e, p in world:each('A') do p.x = a + b + a end", `do local $last repeat local $done, $rest = $kernel(1, $last, a, b, world, "A") if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"an input that is assigned", "for e, p in world:each('A') do b = b + p.x * a end", `do local $last repeat local $done, $rest, $out0 = $kernel(1, $last, b, a, world, "A") if $done ~= nil then b = $out0 end if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"two that are assigned", "for e, p in world:each('A') do b = a a = p.x end", `do local $last repeat local $done, $rest, $out0, $out1 = $kernel(1, $last, b, a, world, "A") if $done ~= nil then b, a = $out0, $out1 end if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"a member goes with its table", "for e, p in world:each('A') do a.n = a.n + p.x end", `do local $last repeat local $done, $rest = $kernel(1, $last, a, world, "A") if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"a global", "for e, p in world:each('A') do p.x = math.floor(p.x) end", `do local $last repeat local $done, $rest = $kernel(1, $last, nil, world, "A") if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"a query", "for e, p in world:each(q) do p.x = 1 end", `do local $last repeat local $done, $rest = $kernel(1, $last, world, q) if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"events", "for ev in world:read('Hit') do a = ev.n end", `do local $last repeat local $done, $rest, $out0 = $kernel(1, $last, a, world, "Hit") if $done ~= nil then a = $out0 end if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{"a return", "for e, p in world:each('A') do return p.x end", `do local $last repeat local $done, $rest, $result0 = $kernel(1, $last, world, "A") if $done == 2 then return $result0 end if not $done then for … in $rest or … end end $last = $rest until not $rest end`},
		{
			"returns of different lengths", "for e, p in world:each('A') do if p.b then return end if p.c then return p.x, e end return 1 end",
			`do local $last repeat local $done, $rest, $result0, $result1 = $kernel(1, $last, world, "A") if $done == 1 then return end if $done == 2 then return $result0 end ` +
				`if $done == 3 then return $result0, $result1 end if not $done then for … in $rest or … end end $last = $rest until not $rest end`,
		},
		{"a loop that is refused", "for e, p in world:each('A') do a = function() end end", "for … end"},
		{"two loops", "for e, p in world:each('A') do p.x = a end for e, p in world:each('B') do end", "do local $last repeat local $done, $rest = $kernel(1, $last, a, world, \"A\") if not $done then for … in $rest or … end end $last = $rest until not $rest end\ndo local $last repeat local $done, $rest = $kernel(2, $last, world, \"B\") if not $done then for … in $rest or … end end $last = $rest until not $rest end"},
		{"a refused one has no number", "for e, p in world:each('A') do a = function() end end for e, p in world:each('B') do end", "for … end\ndo local $last repeat local $done, $rest = $kernel(1, $last, world, \"B\") if not $done then for … in $rest or … end end $last = $rest until not $rest end"},
		{
			"one in another", "for e, p in world:each('A') do for f, r in world:each('B') do r.x = a end end",
			"do local $last repeat local $done, $rest = $kernel(1, $last, world, a, world, \"A\") if not $done then for … in $rest or … end end $last = $rest until not $rest end\ndo local $last repeat local $done, $rest = $kernel(2, $last, a, world, \"B\") if not $done then for … in $rest or … end end $last = $rest until not $rest end",
		},
	} {
		f, got := passed(t, "local world, a, b, q = ... "+c.source)
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if n := strings.Count(c.want, "$kernel("); len(f.kernels) != n {
			t.Errorf("%s: %d kernels, want %d", c.name, len(f.kernels), n)
		}
	}
}

// A loop in another that needs the view of that one is refused, since only a kernel of the loop around has it.
func TestViewAround(t *testing.T) {
	const uses, assigns = "uses %s, a field of the loop around it, which is interpreted", "assigns %s, a field of the loop around it, which is interpreted"
	for _, c := range []struct{ body, reason, advice string }{
		{"r.x = p.n", fmt.Sprintf(uses, "p.n"), "keep the value in a local before the loop"},
		{"p.n = r.x", fmt.Sprintf(assigns, "p.n"), "collect in locals, and assign after the loop"},
		{"p.n = p.n + 1", fmt.Sprintf(assigns, "p.n"), "collect in locals, and assign after the loop"},
		{"r.x = q.n", fmt.Sprintf(uses, "q.n"), "keep the value in a local before the loop"},
		{"r.x = k", "", ""},
		{"r.x = t.n", "", ""},
		{"k = r.x", "", ""},
		{"if e then k = 1 end", "", ""},
		{"local p = r p.n = 1", "", ""},
	} {
		f, _ := passed(t, "local world, k, t = 1, 2, {} for e, p in world:each('A') do local q, k = p, p.n for _, v in pairs(t) do for f, r in world:each('B') do "+c.body+" end end end")
		if len(f.Loops) != 2 || f.Loops[1].Outer != f.Loops[0] {
			t.Fatalf("%s: found %v", c.body, f.Loops)
		}
		switch l := f.Loops[1]; {
		case (l.Reason == nil) != (c.reason == "") || (l.Template == nil) == (c.reason == ""):
			t.Errorf("%s: refused for %v, want %q", c.body, l.Reason, c.reason)
		case l.Reason != nil && (l.Reason.Text != c.reason || string(l.Reason.Advice) != c.advice):
			t.Errorf("%s: refused for %v; %s, want %q; %s", c.body, l.Reason, l.Reason.Advice, c.reason, c.advice)
		}
	}
}

// A file has a limit of loops that are compiled, and a loop one of what it copies. Loops that are refused do not count.
func TestLimitsOfFile(t *testing.T) {
	const many = "the file has too many loops (line 1); move some of them to a module"
	const large = "the body is too large, with the functions that become a part of it (line 1); split it into several loops"
	loop := func(body string) string { return "for e, p in world:each('A') do " + body + " end " }
	statements := func(n int) string { return strings.Repeat("p.x = 1 ", n) }
	for _, c := range []struct {
		name, source   string
		loops, kernels int
		last           string // why the last loop is refused, with the advice
	}{
		{"the most", strings.Repeat(loop("p.x = 1"), 100), 100, 100, ""},
		{"one more", strings.Repeat(loop("p.x = 1"), 101), 101, 100, many},
		{"those that are refused do not count", strings.Repeat(loop("k = function() end"), 50) + strings.Repeat(loop("p.x = 1"), 100), 150, 100, ""},
		{"one that would be refused beyond the most", strings.Repeat(loop("p.x = 1"), 100) + loop("k = function() end"), 101, 100, many},
		{"a body of 3,900 statements", loop(statements(3900)), 1, 1, ""},
		{"a body of 5,100 statements", loop(statements(5100)), 1, 0, large},
		{"a body that declares 25,000 names", loop(strings.Repeat("do local "+strings.Repeat("a, ", 99)+"a end ", 250)), 1, 0, large},
		{"a function of 5,100 statements", "local function f(p) " + statements(5100) + " end " + loop("f(p)"), 1, 0, large},
		{"70 loops with a function of 3,900 statements", "local function f(p) " + statements(3900) + " end " + strings.Repeat(loop("f(p)"), 70), 70, 51, many},
	} {
		f, _ := passed(t, "local world, k = ... do "+c.source+" end")
		if len(f.Loops) != c.loops || len(f.kernels) != c.kernels {
			t.Errorf("%s: %d loops and %d kernels, want %d and %d", c.name, len(f.Loops), len(f.kernels), c.loops, c.kernels)
		}
		last := ""
		if r := f.Loops[len(f.Loops)-1].Reason; r != nil {
			last = fmt.Sprintf("%v; %s", r, r.Advice)
		}
		if last != c.last {
			t.Errorf("%s: the last one is refused for %q, want %q", c.name, last, c.last)
		}
	}
}
