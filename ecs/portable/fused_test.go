package portable

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// bareProducts lists the products of floats that a compiler may fuse with a sum: all that are not the whole operand of float64().
func bareProducts(t *testing.T, fset *token.FileSet, files []*ast.File) []string {
	t.Helper()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("portable", fset, files, info); err != nil {
		t.Fatal(err)
	}
	isFloat := func(e ast.Expr) bool {
		tv := info.Types[e]
		b, ok := tv.Type.Underlying().(*types.Basic)
		return tv.Value == nil && ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
	}
	var bare []string
	rounded := map[ast.Expr]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "float64" {
					rounded[n.Args[0]] = true
				}
			case *ast.BinaryExpr:
				if n.Op == token.MUL && isFloat(n) && !rounded[n] {
					bare = append(bare, fset.Position(n.OpPos).String())
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN && isFloat(n.Lhs[0]) {
					bare = append(bare, fset.Position(n.TokPos).String())
				}
			}
			return true
		})
	}
	return bare
}

func TestNoProductCanBeFused(t *testing.T) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		for _, im := range f.Imports {
			if im.Path.Value != `"math"` && im.Path.Value != `"math/bits"` {
				t.Errorf("%s imports %s", fset.Position(im.Pos()), im.Path.Value)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "math" && !exact[sel.Sel.Name] {
				t.Errorf("%s: math.%s is not known to be the same everywhere", fset.Position(sel.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
	if len(files) < 10 {
		t.Fatalf("only %d files found", len(files))
	}
	for _, pos := range bareProducts(t, fset, files) {
		t.Errorf("%s: a product that is not in float64() may be fused with a sum, here or where it is inlined", pos)
	}
}

// exact are the names of package math that are bit operations, constants or operations of IEEE 754.
var exact = map[string]bool{
	"Abs": true, "Copysign": true, "Float64bits": true, "Float64frombits": true, "Frexp": true, "Inf": true, "IsInf": true, "Ldexp": true,
	"NaN": true, "Signbit": true, "Sqrt": true, "Trunc": true, "MaxFloat64": true, "Pi": true,
}

// TestFusedProductsAreFound: the check above does fail.
func TestFusedProductsAreFound(t *testing.T) {
	for src, want := range map[string]int{
		"func f(a, b, c float64) float64 { return a*b + c }":                       1,
		"func f(a, b, c float64) float64 { p := a * b; return p + c }":             1,
		"func f(a, b float64) float64 { return a * b }":                            1,
		"func f(a, b, c float64) float64 { a *= b; return a - c }":                 1,
		"func f(a, b, c float64) float64 { return float64(a*b*c) }":                1,
		"func f(a, b, c float64) float64 { return float64(a*b + c) }":              1,
		"func f(a, b, c float64) float64 { return float64(a*b) + c }":              0,
		"func f(a, b int) int { return a*b + 3*4 }":                                0,
		"const c = 2.0 * 3\nfunc f(a float64) float64 { return float64(c*a) - c }": 0,
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", "package portable\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := bareProducts(t, fset, []*ast.File{f}); len(got) != want {
			t.Errorf("%s: found %v, want %d", src, got, want)
		}
	}
}
