package ecs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// withoutExample are the exported types that need no example, each with its reason.
var withoutExample = map[string]string{}

// referral is how the comment of a type names the example that shows it.
var referral = regexp.MustCompile(`example\s+of\s+\[([\w.]+)\]`)

// TestExamplesOfTypes: every exported type has an example, ExampleType or ExampleType_Method, or its comment says
// "See the example of [Name]", which exists.
func TestExamplesOfTypes(t *testing.T) {
	types, examples := map[string]string{}, map[string]bool{}
	for _, file := range packageFiles(t) {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if name, ok := strings.CutPrefix(d.Name.Name, "Example"); ok && d.Recv == nil {
					noteExample(examples, name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() && file.Name.Name == "ecs" {
						types[s.Name.Name] = d.Doc.Text() + s.Doc.Text()
					}
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		to := referral.FindAllStringSubmatch(types[name], -1)
		for _, m := range to {
			if !examples[m[1]] {
				t.Errorf("the comment of %s refers to the example of %s, which does not exist", name, m[1])
			}
		}
		_, excepted := withoutExample[name]
		shown := examples[name] || len(to) > 0
		switch {
		case !shown && !excepted:
			t.Errorf("%s has no example: write Example%s in example_<topic>_test.go, or let its comment say \"See the example of [Name]\"", name, name)
		case shown && excepted:
			t.Errorf("%s has an example: take it out of withoutExample", name)
		}
	}
	for name := range withoutExample {
		if _, ok := types[name]; !ok {
			t.Errorf("withoutExample names %s, which is no exported type", name)
		}
	}
}

// noteExample notes what an example function shows: for Type_Method_suffix both Type and Type.Method.
func noteExample(examples map[string]bool, name string) {
	parts := strings.Split(name, "_")
	examples[parts[0]] = true
	if len(parts) > 1 && ast.IsExported(parts[1]) {
		examples[parts[0]+"."+parts[1]] = true
	}
}

// packageFiles parses the files of this package, those of its tests too, with their comments.
func packageFiles(t *testing.T) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		mode := parser.ParseComments | parser.SkipObjectResolution
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, mode)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(e.Name(), "_test.go") { // its types are not the package's
			f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool { _, ok := d.(*ast.GenDecl); return ok })
		}
		files = append(files, f)
	}
	return files
}
