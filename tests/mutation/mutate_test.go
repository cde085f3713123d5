package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// collect gives the mutants of one file and the file with all of them in it.
func collect(t *testing.T, source string, skip map[string]bool) ([]mutant, string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check("a", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	c := &collector{fset: fset, info: info, pkg: pkg, skip: skip}
	text := string(apply([]byte(source), c.file("a.go", []byte(source), f)))
	return c.mutants, text
}

func TestMutants(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"condition", "if b { f() }", "if (μ(1) != (b)) { if !μ(2) { f() } }"},
		{"operands of and", "_ = b && c", "_ = (μ(1) || (b)) && (μ(2) || (c))"},
		{"operands of or", "_ = b || c", "_ = (!μ(1) && (b)) || (!μ(2) && (c))"},
		{"nested in a condition", "if b && c { n++ }", "if (μ(1) != ((μ(2) || (b)) && (μ(3) || (c)))) { if !μ(4) { n++ } }"},
		{"border", "_ = n < 3", "_ = n < ((3) + int(μ1(1)))"},
		{"border the other way", "_ = n <= 3", "_ = n <= ((3) - int(μ1(1)))"},
		{"sum of a named type", "_ = m + 1", "_ = ((m + 1) + word(μ1(1)))"},
		{"no numbers that are not whole", "_ = x + 1", "_ = x + 1"},
		{"no constants", "_ = 1 + 2", "_ = 1 + 2"},
		{"statements of a loop", "for n > 0 { n--; break }", "for n > ((0) - int(μ1(1))) { if !μ(2) { n-- }; if !μ(3) { break } }"},
		{"declarations stay", "k := n; _ = k", "k := n; _ = k"},
		{"no room to spare", "_ = make([]int, n, n+1)", "_ = make([]int, n, n+1)"},
		{"a panic stays", "panic(1)", "panic(1)"},
		{"code for another machine", "if small && b { f() } else { n++ }", "if small && b { f() } else { if !μ(1) { n++ } }"},
		{"advice does not count", "adviseHuge(n + 1)", "adviseHuge(n + 1)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const head = "package a\ntype word uint32; const small = 4 == 8\nvar (b, c bool; n int; m word; x float64)\nfunc f() {}; func adviseHuge(int) { n++ }\nfunc g() {\n"
			_, got := collect(t, head+c.body+"\n}\n", nil)
			lines := strings.Split(got, "\n")
			if lines[5] != c.want {
				t.Errorf("got  %s\nwant %s", lines[5], c.want)
			}
		})
	}
}

func TestLinesThatDoNotCompileLoseTheirMutants(t *testing.T) {
	source := "package a\nvar n int\nfunc g() bool {\n\tn = 1\n\treturn true\n}\n"
	_, got := collect(t, source, map[string]bool{"a.go:4": true})
	if want := strings.Replace(source, "return true", "return (μ(1) != true)", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPlaceAndKey(t *testing.T) {
	list, _ := collect(t, "package a\nvar n int\nfunc g() {\n\tn = n +\n\t\t1\n}\n", nil)
	if len(list) != 2 {
		t.Fatal(list)
	}
	if got, want := list[1].place(), "a.go:4:6"; got != want {
		t.Errorf("place: got %q, want %q", got, want)
	}
	if got, want := list[1].key(), "a.go: add one to the result: n + 1"; got != want {
		t.Errorf("key: got %q, want %q", got, want)
	}
}

// The key of a border names the comparison, since many borders of a file are 0.
func TestKeyOfABorder(t *testing.T) {
	list, _ := collect(t, "package a\nvar n int\nfunc g() {\n\tfor n <\n\t\t0 {\n\t}\n}\n", nil)
	if len(list) != 1 {
		t.Fatal(list)
	}
	if got, want := list[0].place()+" "+list[0].key(), "a.go:5:3 a.go: move the border up by one: n < 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
