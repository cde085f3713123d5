package interp

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// compile compiles a function of gopher-lua; the code is its main chunk.
func compile(t *testing.T, src string) *lua.FunctionProto {
	t.Helper()
	L := lua.NewState(lua.Options{SkipOpenLibs: true})
	t.Cleanup(L.Close)
	fn, err := L.LoadString(src)
	if err != nil {
		t.Fatal(err)
	}
	return fn.Proto
}

// testBudget is a budget without a limit.
type testBudget struct {
	used, limit, allocations int64
	stop                     atomic.Bool
}

func (b *testBudget) Allocations() *int64 { return &b.allocations }

func (b *testBudget) Counters() (used, limit *int64) { return &b.used, &b.limit }
func (b *testBudget) Stop() *atomic.Bool             { return &b.stop }

func newMachine() *Machine { return New(&testBudget{allocations: 1 << 40}) }

// TestTranslate looks for instructions, one after the other, in the translation of a program.
func TestTranslate(t *testing.T) {
	for _, test := range []struct {
		src  string
		want []opcode
	}{
		{"local a = 1 local b = a", []opcode{opLoadK, opMove, opReturn}},
		{"local a, b, c", []opcode{opLoadNil, opReturn}},
		{"local a = true", []opcode{opLoadBool}},
		{"local a, b = 1, 2 local c = a < b", []opcode{opLt, opJmp, opLoadBoolSkip, opLoadBool}},
		{"local a, b = 1, 2 local c = a <= b", []opcode{opLe, opJmp}},
		{"local a = 1 local c = a < 2", []opcode{opLtK, opJmp}},
		{"local a = 1 local c = a > 2", []opcode{opKLt, opJmp}},
		{"local a = 1 local c = a <= 2", []opcode{opLeK, opJmp}},
		{"local a = 1 local c = a >= 2", []opcode{opKLe, opJmp}},
		{"local a, b = 1, 2 local c = a == b", []opcode{opEq, opJmp}},
		{"local a = 1 local c = a == 'x'", []opcode{opEqK, opJmp}},
		{"local a = 1 local c = a < 'x'", []opcode{opSlow, opJmp}},
		{"local a, b = 1, 2 local c = a + b, a - b", []opcode{opAdd, opSub}},
		{"local a, b = 1, 2 local c = a * b, a / b, a % b", []opcode{opMul, opDiv, opMod}},
		{"local a = 1 local c = a + 2, a - 2, a * 2, a / 2, a % 2", []opcode{opAddK, opSubK, opMulK, opDivK, opModK}},
		{"local a = 1 local c = 2 + a, 2 - a, 2 * a, 2 / a, 2 % a", []opcode{opKAdd, opKSub, opKMul, opKDiv, opKMod}},
		{"local a = 1 local c = a + 'x'", []opcode{opSlow}},
		{"local a = 1 local c = 'x' + a, a .. 'x'", []opcode{opSlow, opSlow}},
		{"local a = 1 local c = -a, not a, #a", []opcode{opUnm, opNot, opLen}},
		{"local a = {} local c = a.x, a[1], a[a]", []opcode{opNewTable, opGetField, opGetTableK, opGetTable}},
		{"local a = {} a.x = a a.x = 1 a[1] = a a[1] = 2 a[a] = a a[a] = 1", []opcode{opSetField, opSetFieldK, opSetTable, opSetTableK, opSetTable, opSetTableK}},
		{"local a = {1, 2}", []opcode{opNewTable, opLoadK, opLoadK, opSetList}},
		{"x = y", []opcode{opGetGlobal, opSlow}},
		{"local a = x or y local b = a and a", []opcode{opTestSet, opJmp, opTestSet, opJmp}},
		{"local a, b = 1, 2 local c = a or b", []opcode{opTestSet, opJmp, opMove}},
		{"local a = f(1)", []opcode{opGetGlobal, opLoadK, opCall}},
		{"local a = f return a(1)", []opcode{opTailCall, opReturn}},
		{"local a = {} a:m(1)", []opcode{opSelf, opLoadK, opCall}},
		{"local a = {...}", []opcode{opNewTable, opVararg, opSetList}},
		{"for i = 1, 3 do end", []opcode{opLoadK, opLoadK, opLoadK, opForPrep, opForLoop}},
		{"for k in f do end", []opcode{opGetGlobal, opTForCall, opTForTest}},
		{"local a = 1 local f = function() return a end a = a + 1", []opcode{opLoadK, opStoreBox, opClosure, opLoadBox, opAddK, opStoreBox}},
		{"do local a = 1 local f = function() return a end end", []opcode{opClosure, opClose}},
		{"local a = 1 local f = function() return a end f(a)", []opcode{opLoadBox, opMove, opCall}},
	} {
		c := newMachine().translate(compile(t, test.src), false)
		var got []opcode
		for _, in := range c.ins {
			got = append(got, in.op)
		}
		rest := got
		for _, op := range test.want {
			i := slices.Index(rest, op)
			if i < 0 {
				t.Errorf("%s: instruction %d is missing in %v, want %v in this order", test.src, op, got, test.want)
				break
			}
			rest = rest[i+1:]
		}
		if last := c.ins[len(c.ins)-1]; last.op != opNop {
			t.Errorf("%s: nothing stands behind the last instruction", test.src)
		}
		counted := 0
		for _, in := range c.ins {
			if !in.step {
				counted++
			}
			for _, r := range []int32{in.a, in.b} {
				if in.op == opMove && int(r) >= c.size*int(valueSize) {
					t.Errorf("%s: %v is outside of %d registers", test.src, in, c.size)
				}
			}
		}
		if counted > len(c.proto.Code)+1 {
			t.Errorf("%s: %d counted instructions for %d of gopher-lua", test.src, counted, len(c.proto.Code))
		}
	}
}

func TestUpvalueInstructions(t *testing.T) {
	p := compile(t, "local a = 1 local f = function() a = a + 1 return a end")
	c := newMachine().translate(p.FunctionPrototypes[0], false)
	if c.ins[0].op != opGetUpval || !slices.ContainsFunc(c.ins, func(in instruction) bool { return in.op == opSetUpval }) {
		t.Errorf("got %v", c.ins)
	}
}

// TestMapsAreKnown: fields of tables are found in their maps. If this fails with a new version
// of Go, its maps have changed, and the mirrors in fields.go must follow.
func TestMapsAreKnown(t *testing.T) {
	if !mapsKnown {
		t.Error("the mirrors of Go's maps are wrong")
	}
}

func TestSameRefusesAChangedMirror(t *testing.T) {
	type inner struct{ A, B int }
	type theirs struct {
		X int
		Y *inner
		Z string
	}
	type smaller struct{ A int }
	type renamed struct {
		X int
		W *inner
		Z string
	}
	type swapped struct {
		Y *inner
		X int
		Z string
	}
	type resized struct {
		X int32
		Y *inner
		Z string
	}
	type deeper struct {
		X int
		Y *smaller
		Z string
	}
	base := reflect.TypeFor[theirs]()
	if err := same("T", base, reflect.TypeFor[theirs](), 1); err != nil {
		t.Error(err)
	}
	for want, ours := range map[string]reflect.Type{
		"fields": reflect.TypeFor[smaller](), "field W": reflect.TypeFor[renamed](), "field Y": reflect.TypeFor[swapped](),
		"field X": reflect.TypeFor[resized](), "T.Y has 2 fields": reflect.TypeFor[deeper](),
	} {
		if err := same("T", base, ours, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", ours, err, want)
		}
	}
	if err := checkLayout(); err != nil {
		t.Error(err)
	}
}

// The translation of a file takes time in proportion to its tables, not to the power of their number: each of them might be nested in those before it.
func TestManyTablesInARow(t *testing.T) {
	for _, tail := range []string{"", " f(X)", " f{ a = X, b = { c = 1 } }"} {
		var src strings.Builder
		for i := range 150 {
			fmt.Fprintf(&src, "local t%d = {}\n", i)
		}
		for i := range 150 {
			src.WriteString(strings.ReplaceAll(tail, "X", fmt.Sprint("t", i)))
		}
		if code := newMachine().translate(compile(t, src.String()), false); len(code.ins) < 150 {
			t.Errorf("%q: %d instructions", tail, len(code.ins))
		}
	}
}
