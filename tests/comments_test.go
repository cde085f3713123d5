package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// firstWord is the name with which a comment begins.
var firstWord = regexp.MustCompile(`^([A-Za-z_]\w*)[ ,]`)

// called are the functions that the go tool calls, whose comments are sentences about what they show.
var called = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)`)

// TestCommentsNameTheirFunction: no comment of a function begins with the name of another one of the package.
func TestCommentsNameTheirFunction(t *testing.T) {
	type function struct{ name, says, place string }
	packages := map[string][]function{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				one := function{name: f.Name.Name, place: set.Position(f.Pos()).String()}
				if m := firstWord.FindStringSubmatch(f.Doc.Text()); m != nil {
					one.says = m[1]
				}
				packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], one)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range packages {
		for _, f := range list {
			if f.says == "" || f.says == f.name || called.MatchString(f.name) {
				continue
			}
			if slices.ContainsFunc(list, func(o function) bool { return o.name == f.says }) {
				t.Errorf("%s: the comment of %s begins with %s, which is another function", f.place, f.name, f.says)
			}
		}
	}
}

// root lists what the folder of the repository may hold besides what begins with a dot.
var root = []string{
	"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "LICENSE", "cmd", "config", "docs", "ecs", "go.mod", "go.sum", "luabind", "scripts",
	"shipped.go", "staticcheck.conf", "tests",
}

// TestNothingElseInTheRoot: no file that a tool or a measurement has left is in the root.
func TestNothingElseInTheRoot(t *testing.T) {
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(root, e.Name()) {
			t.Errorf("%s is in the root: remove it, or say in this test that it belongs there", e.Name())
		}
	}
}
