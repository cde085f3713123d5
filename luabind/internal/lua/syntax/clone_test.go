package syntax

import (
	"slices"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/ast"
)

// nodes are the nodes of a tree, in the order of a walk.
func nodes(stmts []ast.Stmt) (out []ast.PositionHolder) {
	Search(stmts, func(n ast.PositionHolder) Step {
		out = append(out, n)
		return Deeper
	})
	return out
}

// copied copies a tree, and compares the copy.
func copied(t testing.TB, c *Chunk) {
	t.Helper()
	before := nodes(c.Stmts)
	out := (&Cloner{Bindings: c.Bindings}).Block(c.Stmts)
	after := nodes(out)
	if len(before) != len(after) {
		t.Fatalf("%d nodes, copied %d", len(before), len(after))
	}
	original := map[ast.PositionHolder]bool{}
	for _, n := range before {
		original[n] = true
	}
	for i, n := range after {
		if original[n] {
			t.Fatalf("a %T is not copied", n)
		}
		if n.Line() != before[i].Line() || n.LastLine() != before[i].LastLine() {
			t.Errorf("a %T moves from line %d to %d", n, before[i].Line(), n.Line())
		}
		if id, ok := n.(*ast.IdentExpr); ok && (c.Bindings.Of(id) == nil || c.Bindings.Of(id) != c.Bindings.Variable(before[i].(ast.Expr))) {
			t.Errorf("the copy of %s is bound to %+v", id.Value, c.Bindings.Of(id))
		}
		if !slices.Equal(c.Bindings.Declared(n), c.Bindings.Declared(before[i])) {
			t.Errorf("a copied %T declares %v", n, c.Bindings.Declared(n))
		}
	}
	want, err := compiled(c.Stmts)
	got, err2 := compiled(out)
	if (err == nil) != (err2 == nil) {
		t.Fatalf("compiles with %v, copied with %v", err, err2)
	}
	if err == nil {
		sameCode(t, "a copy", want, got)
	}
}

// A copy is the same tree in other nodes, bound to the same variables.
func TestClone(t *testing.T) {
	for _, text := range texts(t) {
		if c, err := Parse("a.lua", text); err == nil {
			copied(t, c)
		}
	}
	for seed := range uint64(200) {
		if c, err := Parse("a.lua", program(seed)); err == nil {
			copied(t, c)
		}
	}
	copied(t, parsed(t, "goto on ::on:: while true do break end repeat local x = -1 until not x == #x .. 'a'"))
}

// What a Cloner is told to put in stands in the copy.
func TestCloneWithOthers(t *testing.T) {
	c := parsed(t, "local a = b do a = b end")
	cloner := &Cloner{
		Expr: func(e ast.Expr) ast.Expr {
			if id, ok := e.(*ast.IdentExpr); ok && id.Value == "b" {
				return At(&ast.NumberExpr{Value: "7"}, e)
			}
			return nil
		},
		Stmt: func(st ast.Stmt) ast.Stmt {
			if _, ok := st.(*ast.DoBlockStmt); ok {
				return At(&ast.BreakStmt{}, st)
			}
			return nil
		},
	}
	out := cloner.Block(c.Stmts)
	if n, ok := out[0].(*ast.LocalAssignStmt).Exprs[0].(*ast.NumberExpr); !ok || n.Value != "7" {
		t.Errorf("%#v", out[0])
	}
	if _, ok := out[1].(*ast.BreakStmt); !ok {
		t.Errorf("%#v", out[1])
	}
}

type (
	oddStmt struct{ ast.StmtBase }
	oddExpr struct{ ast.ExprBase }
)

// Whoever meets a node of an unknown kind says so.
func TestUnknownKinds(t *testing.T) {
	ret := &ast.ReturnStmt{Exprs: []ast.Expr{&oddExpr{}}}
	for name, fn := range map[string]func(){
		"Parts":         func() { Parts(&oddStmt{}, nil, nil) },
		"Children":      func() { Children(&oddExpr{}, nil, nil) },
		"Visit":         func() { Visit([]ast.Stmt{&oddStmt{}}, Visitor{}) },
		"Visit, expr":   func() { Visit([]ast.Stmt{ret}, Visitor{}) },
		"Clone":         func() { (&Cloner{}).Block([]ast.Stmt{&oddStmt{}}) },
		"Clone, expr":   func() { (&Cloner{}).Expression(&oddExpr{}) },
		"Search":        func() { nodes([]ast.Stmt{&oddStmt{}}) },
		"Resolve":       func() { Resolve([]ast.Stmt{ret}) },
		"CheckLimits":   func() { _ = CheckLimits([]ast.Stmt{ret}) },
		"an assignment": func() { Resolve([]ast.Stmt{&ast.AssignStmt{Lhs: []ast.Expr{&oddExpr{}}}}) },
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "syntax: unknown ") {
					t.Errorf("%s: panic %v", name, r)
				}
			}()
			fn()
		}()
	}
}

// Search looks at nodes in order, passes what it is told to, and ends where something is found.
func TestSearch(t *testing.T) {
	c := parsed(t, "local a = f(b, function() c = 1 end) function g() d = 1 end e = 2")
	for _, x := range []struct {
		past, until, want string
	}{
		{"", "", "f b c g d e"},
		{"functions", "", "f b e"},
		{"", "c", "f b c"},
	} {
		var out []string
		found := Search(c.Stmts, func(n ast.PositionHolder) Step {
			switch n := n.(type) {
			case *ast.FunctionExpr, *ast.FuncDefStmt:
				if x.past != "" {
					return Past
				}
			case *ast.IdentExpr:
				if out = append(out, n.Value); n.Value == x.until {
					return Found
				}
			}
			return Deeper
		})
		if got := strings.Join(out, " "); got != x.want || found != (x.until != "") {
			t.Errorf("%+v: %s, %v", x, got, found)
		}
	}
}
