package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// mostNames is how many names package ecs may export. Lower it when there are fewer.
const mostNames = 1114

// TestNamesOfEcs counts what a reader of package ecs may have to learn: exported types, functions, methods, constants and
// variables, the exported fields of structs, and the methods of interfaces. What no other package needs is not exported.
func TestNamesOfEcs(t *testing.T) {
	if names := exportedNames(t, "../ecs"); len(names) != mostNames {
		t.Errorf("package ecs exports %d names; mostNames in names_test.go says %d", len(names), mostNames)
	}
}

// exportedNames lists the exported names of the package in a folder; those of types have the type in front.
func exportedNames(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	add := func(of string, ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, of+id.Name)
			}
		}
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add("", d.Name)
				} else if of := receiver(d.Recv.List[0].Type); ast.IsExported(of) {
					add(of+".", d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						add("", s.Names...)
					case *ast.TypeSpec:
						if add("", s.Name); s.Name.IsExported() {
							for _, f := range members(s.Type) {
								add(s.Name.Name+".", f.Names...)
							}
						}
					}
				}
			}
		}
	}
	return names
}

// members returns the fields of a struct or the methods of an interface.
func members(e ast.Expr) []*ast.Field {
	switch e := e.(type) {
	case *ast.StructType:
		return e.Fields.List
	case *ast.InterfaceType:
		return e.Methods.List
	}
	return nil
}

// receiver returns the name of the type that has a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
