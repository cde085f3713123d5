package syntax

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// What Resolve says is compared with what gopher-lua's compiler does, which looks names up by itself.
//
// Each variable gets a name that no other one has. If an identifier were bound to the wrong variable, the compiler would now make other code of
// it: a global or an upvalue in place of a local, or another register.

// compiled is the code of a tree as package sandbox has it compiled: inside a function. The error is also one of a panic.
func compiled(stmts []ast.Stmt) (p *lua.FunctionProto, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	file := &ast.FunctionExpr{ParList: &ast.ParList{HasVargs: usesVarargs(stmts)}, Stmts: stmts}
	if p, err = lua.Compile([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{file}}}, "a.lua"); err != nil {
		return nil, err
	}
	return p.FunctionPrototypes[0], nil
}

// compare reports whether a text compiles; it skips one that does not.
func compare(t testing.TB, text string) bool {
	t.Helper()
	plain, err := Parse("a.lua", text)
	if err != nil {
		return false
	}
	renamed := parsed(t, text)
	b := Resolve(renamed.Stmts)
	for _, v := range b.Locals {
		b.Rename(v)
	}
	want, err := compiled(plain.Stmts)
	got, err2 := compiled(renamed.Stmts)
	if (err == nil) != (err2 == nil) {
		t.Errorf("compiles with %v, renamed with %v\n%s", err, err2, text)
	}
	if err != nil || err2 != nil {
		return false
	}
	sameCode(t, text, want, got)
	var functions []*Function
	Visit(renamed.Stmts, Visitor{Enter: func(s Scope) {
		if fn, ok := s.Node.(*ast.FunctionExpr); ok {
			functions = append(functions, b.Function(fn))
		} else if s.Function {
			functions = append(functions, b.Main)
		}
	}})
	sameNames(t, text, b, functions, protosOf(got, nil))
	return true
}

// sameCode compares instructions and constants.
func sameCode(t testing.TB, text string, want, got *lua.FunctionProto) {
	t.Helper()
	if !slices.Equal(want.Code, got.Code) || !slices.EqualFunc(want.Constants, got.Constants, sameConstant) || len(want.FunctionPrototypes) != len(got.FunctionPrototypes) || want.NumUpvalues != got.NumUpvalues {
		t.Errorf("the function of line %d has other code when its variables are renamed:\n%s\n%q\n%s", want.LineDefined, want, got.String(), text)
		return
	}
	for i, p := range want.FunctionPrototypes {
		sameCode(t, text, p, got.FunctionPrototypes[i])
	}
}

// sameConstant takes two NaN for one.
func sameConstant(a, b lua.LValue) bool { return a.Type() == b.Type() && a.String() == b.String() }

func protosOf(p *lua.FunctionProto, out []*lua.FunctionProto) []*lua.FunctionProto {
	out = append(out, p)
	for _, inner := range p.FunctionPrototypes {
		out = protosOf(inner, out)
	}
	return out
}

// sameNames compares the upvalues and globals of each function.
func sameNames(t testing.TB, text string, b *Bindings, functions []*Function, protos []*lua.FunctionProto) {
	t.Helper()
	if len(functions) != len(protos) {
		t.Errorf("%d functions, %d compiled\n%s", len(functions), len(protos), text)
		return
	}
	upvalues, globals := map[*Function][]string{}, map[*Function][]string{}
	add := func(to map[*Function][]string, fn *Function, name string) {
		if !slices.Contains(to[fn], name) {
			to[fn] = append(to[fn], name)
		}
	}
	for _, v := range b.Locals {
		for _, u := range v.Uses {
			for fn := u.In; fn != v.Function; fn = fn.Parent {
				add(upvalues, fn, v.InTree())
			}
		}
	}
	for _, v := range b.Globals {
		for _, u := range v.Uses {
			add(globals, u.In, v.Name)
		}
	}
	for i, p := range protos {
		fn := functions[i]
		var names []string
		for _, code := range p.Code {
			if op := int(code >> 26); op == lua.OP_GETGLOBAL || op == lua.OP_SETGLOBAL {
				name := string(p.Constants[code&0x3ffff].(lua.LString))
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		slices.Sort(names)
		slices.Sort(globals[fn])
		slices.Sort(upvalues[fn])
		ups := slices.Sorted(slices.Values(p.DbgUpvalues))
		if !slices.Equal(ups, upvalues[fn]) || !slices.Equal(names, globals[fn]) {
			t.Errorf("the function of line %d has the upvalues %q and globals %q, compiled %q and %q\n%s", p.LineDefined, upvalues[fn], globals[fn], ups, names, text)
		}
	}
}

// texts are the Lua files of the repository, and those of folders that may lie beside it.
func texts(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, root := range []string{"../../../..", "../../../../../../shared/mods", "../../../../../../shared/constructs"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".lua" {
				return nil // a folder that is not there has no files
			}
			text, err := os.ReadFile(path)
			out[path] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// All scripts that ship, and those in testdata, whose cases are parted by lines of ---.
func TestCompiledScripts(t *testing.T) {
	n := 0
	for _, text := range texts(t) {
		for part := range strings.SplitSeq(text, "\n---\n") {
			if compare(t, part) {
				n++
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d texts compile", n)
	}
}

// A writer makes programs that declare and use few names in many ways.
type writer struct {
	strings.Builder
	r       *rand.Rand
	varargs []bool // by function around the place
}

func (w *writer) name() string {
	return []string{"a", "a", "b", "b", "c", "d", "self", "arg"}[w.r.IntN(8)]
}

func (w *writer) expr(depth int) string {
	if depth <= 0 {
		return w.name()
	}
	switch w.r.IntN(12) {
	case 0:
		return "1"
	case 1:
		return "nil"
	case 2:
		return w.expr(depth-1) + " + " + w.expr(depth-1)
	case 3:
		return w.expr(depth-1) + " and " + w.expr(depth-1)
	case 4:
		return "{ " + w.expr(depth-1) + ", a = " + w.expr(depth-1) + " }"
	case 5:
		return w.name() + "." + w.name()
	case 6:
		return w.name() + "(" + w.expr(depth-1) + ")"
	case 7:
		return w.name() + ":" + w.name() + "(" + w.expr(depth-1) + ")"
	case 8:
		if w.varargs[len(w.varargs)-1] {
			return "..."
		}
	case 9:
		return "function" + w.function(depth-1) + "end"
	}
	return w.name()
}

// function is the parameters and body of a function.
func (w *writer) function(depth int) string {
	vararg := w.r.IntN(3) == 0
	var params []string
	for range w.r.IntN(3) {
		params = append(params, w.name())
	}
	if vararg {
		params = append(params, "...")
	}
	w.varargs = append(w.varargs, vararg)
	inner := &writer{r: w.r, varargs: w.varargs}
	inner.block(depth)
	w.varargs = w.varargs[:len(w.varargs)-1]
	return "(" + strings.Join(params, ", ") + ")\n" + inner.String()
}

func (w *writer) block(depth int) {
	for range 1 + w.r.IntN(4) {
		w.stmt(depth)
	}
	if w.r.IntN(6) == 0 {
		fmt.Fprintf(w, "return %s\n", w.expr(1))
	}
}

func (w *writer) inner(head, tail string, depth int) {
	w.WriteString(head + "\n")
	w.block(depth - 1)
	w.WriteString(tail + "\n")
}

func (w *writer) stmt(depth int) {
	if depth <= 0 {
		fmt.Fprintf(w, "local %s = %s\n", w.name(), w.expr(1))
		return
	}
	switch w.r.IntN(16) {
	case 0:
		fmt.Fprintf(w, "local %s\n", w.name())
	case 1, 2:
		fmt.Fprintf(w, "local %s, %s = %s\n", w.name(), w.name(), w.expr(2))
	case 3:
		fmt.Fprintf(w, "local %s = function%send\n", w.name(), w.function(depth-1))
	case 4:
		fmt.Fprintf(w, "local function %s%send\n", w.name(), w.function(depth-1))
	case 5:
		fmt.Fprintf(w, "function %s%send\n", w.name(), w.function(depth-1))
	case 6:
		fmt.Fprintf(w, "function %s.%s:%s%send\n", w.name(), w.name(), w.name(), w.function(depth-1))
	case 7:
		w.inner("do", "end", depth)
	case 8:
		w.inner("while "+w.expr(1)+" do", "end", depth)
	case 9:
		w.inner("repeat local "+w.name()+" = "+w.expr(1), "until "+w.expr(2), depth) // a return may not stand before until
	case 10:
		w.inner("if "+w.expr(2)+" then", "else local "+w.name()+" = "+w.expr(1)+" end", depth)
	case 11:
		w.inner("for "+w.name()+" = "+w.expr(1)+", "+w.expr(1)+" do", "end", depth)
	case 12:
		w.inner("for "+w.name()+", "+w.name()+" in "+w.expr(2)+" do", "end", depth)
	case 13:
		fmt.Fprintf(w, "%s, %s = %s, %s\n", w.name(), w.name(), w.expr(2), w.expr(1))
	case 14:
		fmt.Fprintf(w, "%s.%s = %s\n", w.name(), w.name(), w.expr(2))
	default:
		fmt.Fprintf(w, "%s = %s\n", w.name(), w.expr(2))
	}
}

// program is a random program.
func program(seed uint64) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 1)), varargs: []bool{seed%2 == 0}}
	for range 3 {
		w.stmt(4)
	}
	return w.String()
}

func TestCompiledPrograms(t *testing.T) {
	programs := uint64(effort.Of(1500))
	n := 0
	for seed := range programs {
		if compare(t, program(seed)) {
			n++
		}
		if t.Failed() {
			return
		}
	}
	if n < int(programs)*2/3 {
		t.Errorf("only %d of %d programs compile", n, programs)
	}
}

// FuzzResolve compares any text that parses.
func FuzzResolve(f *testing.F) {
	for _, text := range texts(f) {
		if len(text) < 3000 {
			f.Add(text)
		}
	}
	for seed := range uint64(20) {
		f.Add(program(seed))
	}
	f.Fuzz(func(t *testing.T, text string) {
		compare(t, text)
		if c, err := Parse("a.lua", text); err == nil {
			copied(t, c)
		}
	})
}
