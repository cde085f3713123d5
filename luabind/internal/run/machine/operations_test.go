package machine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
)

// enumerations are the constants of the representation by their type: those of Op,
// StmtOp, EffectOp and Type.
func enumerations(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, name := range []string{"expr.go", "stmt.go", "effect.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../../compile/ir", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			name := ""
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				if typ, ok := value.Type.(*ast.Ident); ok {
					name = typ.Name
				}
				out[name] = append(out[name], value.Names[0].Name)
			}
		}
	}
	return out
}

// constantOf is the constant that a case names, with or without its package.
func constantOf(e ast.Expr, within string) string {
	switch e := e.(type) {
	case *ast.Ident:
		if within == "ir" {
			return e.Name
		}
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "ir" {
			return e.Sel.Name
		}
	}
	return ""
}

// A switch over the representation names all there is; or its default refuses the
// rest, or says what is assumed of it; or a panic follows. What is not known must
// never pass for nothing. Visitors that walk calls need not name what they do not
// look for: vet has refused what is not known.
func TestSwitchesNameAllOperations(t *testing.T) {
	enums := enumerations(t)
	if len(enums["StmtOp"]) < 15 || len(enums["Op"]) < 25 || len(enums["EffectOp"]) < 10 || len(enums["Type"]) != 4 {
		t.Fatalf("the constants are not found: %v", enums)
	}
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go", "../../compile/ir/*.go", "../../compile/lower/*.go", "../closures/*.go", "../kernel/*.go"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		settled := settledSwitches(file)
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok || s.Tag == nil {
				return true
			}
			for enum, missing := range unnamed(s, file.Name.Name, enums) {
				seen++
				if len(missing) > 0 && !settled[s] {
					t.Errorf("%v: the switch does not name %s of %s, and does not say what becomes of them", set.Position(s.Pos()), strings.Join(missing, ", "), enum)
				}
			}
			return true
		})
	}
	if seen < 30 {
		t.Errorf("only %d switches are found", seen)
	}
}

// unnamed are the constants that a switch lacks, by their type, if it names any of that.
func unnamed(s *ast.SwitchStmt, within string, enums map[string][]string) map[string][]string {
	var named []string
	for _, clause := range s.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			named = append(named, constantOf(e, within))
		}
	}
	out := map[string][]string{}
	for enum, all := range enums {
		if !slices.ContainsFunc(all, func(name string) bool { return slices.Contains(named, name) }) {
			continue
		}
		out[enum] = nil
		for _, name := range all {
			if !slices.Contains(named, name) {
				out[enum] = append(out[enum], name)
			}
		}
	}
	return out
}

// settledSwitches are those of a file that say what becomes of what they do not name.
func settledSwitches(file *ast.File) map[*ast.SwitchStmt]bool {
	out := map[*ast.SwitchStmt]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			for _, clause := range n.Body.List {
				if c := clause.(*ast.CaseClause); c.List == nil && len(c.Body) > 0 {
					out[n] = true
				}
			}
		case *ast.CallExpr:
			if calls(n, "Walk") || calls(n, "WalkOwn") {
				ast.Inspect(n, func(n ast.Node) bool {
					if s, ok := n.(*ast.SwitchStmt); ok {
						out[s] = true
					}
					return true
				})
			}
		case *ast.BlockStmt:
			if len(n.List) == 0 {
				return true
			}
			if last, ok := n.List[len(n.List)-1].(*ast.ExprStmt); ok && (calls(last.X, "panic") || calls(last.X, "Refuse")) {
				for _, st := range n.List {
					if s, ok := st.(*ast.SwitchStmt); ok {
						out[s] = true
					}
				}
			}
		}
		return true
	})
	return out
}

// calls reports whether an expression is a call of a function by name.
func calls(e ast.Expr, name string) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		return fn.Name == name
	case *ast.SelectorExpr:
		return fn.Sel.Name == name
	}
	return false
}

// What this package does not know is refused, wherever in a body it stands.
func TestUnknownOperationsAreRefused(t *testing.T) {
	const body = "if a.x > 3 then for i = 1, 4 do a.x = a.x + a.y end end"
	for name, spoil := range map[string]func(*ir.Stmt){
		"a statement":   func(s *ir.Stmt) { s.Body[0].Body[0].Op = 200 },
		"an expression": func(s *ir.Stmt) { s.Body[0].Body[0].A.Op = 200 },
		"a type":        func(s *ir.Stmt) { s.Body[0].Body[0].A.Type = 200 },
		"a condition":   func(s *ir.Stmt) { s.A.Op = 200 },
		"an effect": func(s *ir.Stmt) {
			s.Body = append(s.Body, &ir.Stmt{Op: ir.Emit, I: -1, Effect: &ir.Effect{Op: 200}})
		},
		"a loop's bounds": func(s *ir.Stmt) { s.Body[0].B = &ir.Expr{Op: 200} },
	} {
		b := newBed(t, 9, "A", func() float64 { return 4 })
		p, _, reason := b.program(body)
		if reason != nil {
			t.Fatal(reason)
		}
		spoil(p.Body[0])
		if _, err := emitFor(p, b.query, b.world, packing.Forms, true, 0); err == nil || !strings.Contains(err.Error(), "not known") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
