package luabind

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The Lua implementation must not show: no exported declaration of this package
// may mention it, or a package that does. This reads the source rather than
// types, so that unexported fields are free to hold what they like.
func TestLuaImplementationIsHidden(t *testing.T) {
	set := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	hidden := map[string]bool{"lua": true, "sandbox": true, "surface": true}
	seen := 0
	check := func(name string, n ast.Node) {
		seen++
		ast.Inspect(n, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok && hidden[id.Name] {
					t.Errorf("%s: exported %s mentions %s.%s", set.Position(n.Pos()), name, id.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
					check(d.Name.Name, d.Type)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					checkSpec(s, check)
				}
			}
		}
	}
	if seen < 40 {
		t.Fatalf("only %d exported declarations were looked at", seen)
	}
}

// checkSpec checks what a type, variable or constant shows.
func checkSpec(s ast.Spec, check func(string, ast.Node)) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		st, ok := s.Type.(*ast.StructType)
		if !ok {
			check(s.Name.Name, s.Type)
			return
		}
		for _, field := range st.Fields.List {
			if len(field.Names) == 0 || field.Names[0].IsExported() {
				check(s.Name.Name, field.Type)
			}
		}
	case *ast.ValueSpec:
		if s.Names[0].IsExported() && s.Type != nil {
			check(s.Names[0].Name, s.Type)
		}
	}
}

func exportedReceiver(recv *ast.FieldList) bool {
	typ := recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}
