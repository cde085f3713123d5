package luabind

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of the package call downwards only, as its documentation draws them. A call is the name of a function or method of the package; methods are told by
// their names, so a method must not have the name of one in another file.
func TestFilesCallDownwards(t *testing.T) {
	fset := token.NewFileSet()
	all, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	rank := ranks(t)
	methods, functions := map[string]string{}, map[string]string{} // their files
	files := map[string]*ast.File{}
	for _, name := range all {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if _, ok := rank[name]; !ok {
			t.Errorf("%s is not in the list of doc.go", name)
		}
		if files[name], err = parser.ParseFile(fset, name, nil, parser.SkipObjectResolution); err != nil {
			t.Fatal(err)
		}
		for _, d := range files[name].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && !methodsOfSeveral[fn.Name.Name] {
				if fn.Recv != nil {
					methods[fn.Name.Name] = name
				} else {
					functions[fn.Name.Name] = name
				}
			}
		}
	}
	for name, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			called, to := "", ""
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if on, ok := n.X.(*ast.Ident); ok && (on.Name == "r" || on.Name == "h" || on.Name == "sys" || on.Name == "s" || on.Name == "o") {
					called, to = n.Sel.Name, methods[n.Sel.Name]
				}
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.Ident); ok {
					called, to = fn.Name, functions[fn.Name]
				}
			}
			if to != "" && to != name && rank[to] <= rank[name] {
				t.Errorf("%s: calls %s of %s, which is not below %s", fset.Position(n.Pos()), called, to, name)
			}
			return true
		})
	}
}

// methodsOfSeveral are names of methods that several types have.
var methodsOfSeveral = map[string]bool{"Error": true, "Unwrap": true, "String": true, "function": true}

// ranks reads the list of files in doc.go: the line that each is in.
func ranks(t *testing.T) map[string]int {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(text), "// # Files\n")
	if !ok {
		t.Fatal("doc.go has no list of files")
	}
	list, _, _ = strings.Cut(list, "// # ")
	rank := map[string]int{}
	for i, line := range strings.Split(list, "\n") {
		if files, ok := strings.CutPrefix(line, "//\t"); ok {
			for _, word := range strings.Fields(files) {
				if strings.HasSuffix(word, ".go") {
					rank[word] = i
				}
			}
		}
	}
	return rank
}
