// Package translate turns a package of plain Go functions on numbers into WebAssembly functions that compute the same bits.
//
// It knows the Go of package portable and no more: float64, int, int64, uint, uint64 and bool; structs of float64, which become as many
// values; if, switch, for and return; calls of the package's own functions; tables of constants; those functions of math and math/bits that
// are one instruction or a few. Anything else is an error with its position. What the two languages define differently is an error, too:
// a shift count must be a constant or masked to six bits, as WebAssembly takes it modulo 64.
//
// The functions need no memory, no import and no global. Calls are inlined but for the functions that the caller of [Translate] sets apart.
// No select of floats is emitted, which wazero v1.12.0 gets wrong.
package translate

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// A Func is one translated function.
type Func struct {
	Name            string // its name in Go
	Params, Results []byte // value types as in the binary format
	Body            []byte // locals and code, without the size before them
	Calls           []Call
}

// A Call is a place in a body that holds the number of a function, in five bytes.
type Call struct {
	At     int // the first of the five
	Callee int // which of the functions
}

type translator struct {
	fset     *token.FileSet
	info     *types.Info
	decls    map[types.Object]*ast.FuncDecl
	values   map[types.Object]ast.Expr // of package variables
	byName   map[string]types.Object
	separate map[string]bool
	out      []Func
	done     map[string]int
}

// bits64 stands in for what WebAssembly has no instruction for.
//
//go:embed bits.go.txt
var bits64 string

// Translate translates the functions of the package in dir that roots names, and, as functions of their own, the functions and tables of
// separate that they use. A function comes after those that it calls; otherwise the order is that of roots.
func Translate(dir string, roots, separate []string) (out []Func, err error) {
	t := &translator{
		fset:     token.NewFileSet(),
		info:     &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}},
		decls:    map[types.Object]*ast.FuncDecl{},
		values:   map[types.Object]ast.Expr{},
		byName:   map[string]types.Object{},
		separate: map[string]bool{},
		done:     map[string]int{},
	}
	if err := t.load(dir); err != nil {
		return nil, err
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = fmt.Errorf("%s: %s", t.fset.Position(r.pos), r.text)
		default:
			panic(r)
		}
	}()
	for _, name := range slices.Concat(roots, separate) {
		if t.byName[name] == nil {
			return nil, fmt.Errorf("there is no %s in %s", name, dir)
		}
		t.separate[name] = true
	}
	for _, name := range roots {
		t.function(name)
	}
	return t.out, nil
}

// failure is the panic of a construct that is not translated.
type failure struct {
	pos  token.Pos
	text string
}

func fail(at ast.Node, format string, args ...any) {
	panic(failure{at.Pos(), fmt.Sprintf(format, args...)})
}

func (t *translator) load(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(t.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return fmt.Errorf("no Go files in %s", dir)
	}
	extra, err := parser.ParseFile(t.fset, "bits.go.txt", "package "+files[0].Name.Name+"\n"+bits64, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	files = append(files, extra)
	conf := types.Config{Importer: importer.ForCompiler(t.fset, "source", nil)}
	pkg, err := conf.Check(files[0].Name.Name, t.fset, files, t.info)
	if err != nil {
		return err
	}
	for _, name := range pkg.Scope().Names() {
		t.byName[name] = pkg.Scope().Lookup(name)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				t.decls[t.info.Defs[d.Name]] = d
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						for i, id := range v.Names {
							if i < len(v.Values) {
								t.values[t.info.Defs[id]] = v.Values[i]
							}
						}
					}
				}
			}
		}
	}
	return nil
}

// function translates a function or table of the package to a function of its own, once.
func (t *translator) function(name string) int {
	if i, ok := t.done[name]; ok {
		if i < 0 {
			panic(failure{t.byName[name].Pos(), "calls itself"})
		}
		return i
	}
	t.done[name] = -1
	f := &fun{t: t, vars: map[types.Object][]int{}}
	out := Func{Name: name}
	switch obj := t.byName[name].(type) {
	case *types.Func:
		sig := obj.Type().(*types.Signature)
		decl := t.decls[obj]
		for i := range sig.Params().Len() {
			p := sig.Params().At(i)
			kinds := flat(decl, p.Type())
			f.vars[p] = f.locals(kinds)
			out.Params = append(out.Params, kinds...)
		}
		out.Results = flat(decl, sig.Results())
		f.params = len(out.Params)
		f.frames = []frame{{}}
		f.named(decl, sig)
		f.block(decl.Body.List)
		f.op(opUnreachable)
	case *types.Var:
		table := t.tableOf(obj)
		out.Params, out.Results = []byte{i64}, table.kinds
		f.params = 1
		f.lookup(table, f.locals([]byte{i64})[0], true)
		f.op(opUnreachable)
	}
	out.Body, out.Calls = f.encode()
	t.out = append(t.out, out)
	t.done[name] = len(t.out) - 1
	return t.done[name]
}

// flat lists the value types that a Go value is made of.
func flat(at ast.Node, typ types.Type) []byte {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Float64, types.UntypedFloat:
			return []byte{f64}
		case types.Int, types.Int64, types.Uint, types.Uint64, types.UntypedInt:
			return []byte{i64}
		case types.Bool, types.UntypedBool:
			return []byte{i32}
		}
	case *types.Struct:
		var out []byte
		for i := range u.NumFields() {
			out = append(out, flat(at, u.Field(i).Type())...)
		}
		return out
	case *types.Tuple:
		var out []byte
		for i := range u.Len() {
			out = append(out, flat(at, u.At(i).Type())...)
		}
		return out
	}
	fail(at, "a value of type %s", typ)
	return nil
}
