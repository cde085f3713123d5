package heap

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	lua "github.com/yuin/gopher-lua"
)

// alone is a Source and a Target without files: only tables and plain values can be saved.
type alone struct{ globals *lua.LTable }

func (a alone) NameOf(v lua.LValue) (string, bool, bool) {
	return "0/_G", true, v == lua.LValue(a.globals)
}
func (alone) PrototypeOf(*lua.FunctionProto) (int, int, bool) { return 0, 0, false }
func (alone) LineOf(*lua.FunctionProto, string) int           { return 0 }
func (alone) PartsOf(v lua.LValue) (string, []lua.LValue, error) {
	return "", nil, fmt.Errorf("a %s", v.Type())
}
func (alone) CallsOf(lua.LValue) (lua.LValue, []interp.SavedCall, bool) { return nil, nil, false }
func (alone) MakeCoroutine() (lua.LValue, func(lua.LValue, []interp.SavedCall) error) {
	return &lua.LState{}, func(lua.LValue, []interp.SavedCall) error { return errors.New("no coroutine") }
}
func (a alone) Named(string) (lua.LValue, error) { return a.globals, nil }
func (alone) PrototypeAt(int, int) (*lua.FunctionProto, error) {
	return nil, errors.New("no function")
}
func (alone) MayHold(*lua.LFunction, string, lua.LValue) bool { return true }
func (alone) MakeObject(string) (lua.LValue, func([]lua.LValue) error, error) {
	return nil, nil, errors.New("no object")
}

func encoded(t *testing.T, a alone, values ...lua.LValue) []byte {
	t.Helper()
	e := NewEncoder(a)
	for i, v := range values {
		if err := e.Root(fmt.Sprintf("r%d:", i), v); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	return e.Bytes()
}

func newTable() *lua.LTable { return &lua.LTable{Metatable: lua.LNil} }

// Neither direction is recursive: a list of 100,000 tables, each in the one before, is saved and restored.
func TestDeepTables(t *testing.T) {
	first := newTable()
	at := first
	for range 100_000 {
		next := newTable()
		at.RawSetString("next", next)
		at = next
	}
	at.RawSetString("next", first)
	a := alone{newTable()}
	b := encoded(t, a, first)
	roots, err := Decode(b, a)
	if err != nil {
		t.Fatal(err)
	}
	got, n := roots[0].Value, 0
	for ; n == 0 || got != roots[0].Value; n++ {
		got = got.(*lua.LTable).RawGetString("next")
	}
	if n != 100_001 {
		t.Errorf("%d tables", n)
	}
	if !bytes.Equal(encoded(t, a, roots[0].Value), b) {
		t.Error("other bytes when it is saved again")
	}
	if list, err := Describe(b, nil); err != nil || len(list) != 1 {
		t.Error(len(list), err)
	}
}

// The places of removed keys, the list part with its holes, and the order of keys are restored.
func TestOrderOfKeys(t *testing.T) {
	x := newTable()
	for _, key := range []lua.LValue{lua.LString("z"), lua.LTrue, lua.LNumber(1.5), lua.LString("a"), lua.LNumber(-1), x} {
		x.RawSet(key, lua.LString("v"))
	}
	x.RawSet(lua.LTrue, lua.LNil)
	x.RawSet(lua.LNumber(5), lua.LFalse)
	x.RawSet(lua.LNumber(2), lua.LNumber(2))
	x.Metatable = x
	a := alone{newTable()}
	roots, err := Decode(encoded(t, a, x, x), a)
	if err != nil {
		t.Fatal(err)
	}
	y := roots[0].Value.(*lua.LTable)
	if y != roots[1].Value || y.Metatable != lua.LValue(y) || y.Len() != x.Len() {
		t.Error("identity, metatable or length differ")
	}
	for _, z := range []*lua.LTable{x, y} { // a key that comes back takes its old place
		z.RawSet(lua.LTrue, lua.LString("again"))
		z.RawSet(lua.LString("new"), lua.LNumber(1))
	}
	kx, vx := x.Next(lua.LNil)
	ky, vy := y.Next(lua.LNil)
	for kx != lua.LNil || ky != lua.LNil {
		if kx != ky && !(kx == lua.LValue(x) && ky == lua.LValue(y)) || vx != vy {
			t.Errorf("%v = %v, want %v = %v", ky, vy, kx, vx)
		}
		kx, vx = x.Next(kx)
		ky, vy = y.Next(ky)
	}
}

// A key that is an entity is shown as one.
func TestNumberKey(t *testing.T) {
	for n, want := range map[float64]string{8: "[8]", -1.5: "[-1.5]", 4294967304: "[8v1]", 2*4294967296 + 17: "[17v2]", 4294967304.5: "[4.2949673045e+09]", 1e15: "[1e+15]"} {
		if got := numberKey(n); got != want {
			t.Errorf("%g is %s, want %s", n, got, want)
		}
	}
}

// What cannot be saved is named by its path.
func TestUnsaved(t *testing.T) {
	x := newTable()
	inner := newTable()
	x.RawSetString("list", inner)
	inner.Append(lua.LTrue)
	inner.Append(&lua.LUserData{})
	e := NewEncoder(alone{newTable()})
	err := errors.Join(e.Root("here:", x), e.Run())
	var u *Unsaved
	if !errors.As(err, &u) || u.Variable != "list[2]" || u.Error() != `here:: variable "list[2]" holds a userdata, which cannot be saved` {
		t.Error(err)
	}
}

// Bytes that Encode has not written are an error.
func FuzzDecode(f *testing.F) {
	a := alone{newTable()}
	e := NewEncoder(a)
	x := newTable()
	x.RawSetString("x", x)
	x.Append(lua.LNumber(2.5))
	if err := errors.Join(e.Root("x", x), e.Root("g", a.globals), e.Run()); err != nil {
		f.Fatal(err)
	}
	f.Add(e.Bytes())
	f.Add([]byte("\x01\x03\x010\x010\x040000\x00\x02\x00\x06\x00\x00\x00\x02\x00")) // a coroutine
	f.Fuzz(func(t *testing.T, b []byte) {
		a := alone{newTable()}
		_, err := Decode(b, a)
		if _, described := Describe(b, nil); err == nil && described != nil {
			t.Errorf("it is restored, and Describe says %v", described)
		}
	})
}
