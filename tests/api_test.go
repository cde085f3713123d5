package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestAPI: what api.go lets scripts call is what the headings of docs/lua-api.md describe, and nothing else. The list is read from the
// source, because package api is nobody's business outside luabind.
func TestAPI(t *testing.T) {
	listed := surfaceNames(t)
	page, err := os.ReadFile("../docs/lua-api.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	name := regexp.MustCompile("`((?:ecs|world|layer)[.:][a-z_.:]+)")
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "### ") {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(documented, m[1]) { // ecs.random has three forms
				documented = append(documented, m[1])
			}
		}
	}
	for _, n := range listed {
		if !slices.Contains(documented, n) {
			t.Errorf("docs/lua-api.md has no heading for %s", n)
		}
	}
	for _, n := range documented {
		if !slices.Contains(listed, n) {
			t.Errorf("docs/lua-api.md describes %s, which api.go does not have", n)
		}
	}
}

// surfaceNames reads the lists of luabind/internal/host/api/api.go.
func surfaceNames(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../luabind/internal/host/api/api.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	prefixes := map[string]string{
		"Module": "ecs.", "Log": "ecs.log.", "World": "world:", "Commands": "world.commands:", "Layer": "layer:", "Properties": "world.",
	}
	names := []string{"ecs.none", "ecs.random"} // no function of the list: a number, and the sandbox's math.random
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || prefixes[spec.Names[0].Name] == "" {
			return true
		}
		prefix := prefixes[spec.Names[0].Name]
		delete(prefixes, spec.Names[0].Name)
		ast.Inspect(spec, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, prefix+text)
			}
			return true
		})
		return false
	})
	if len(prefixes) > 0 {
		t.Fatalf("api.go has no %v", prefixes)
	}
	return names
}
