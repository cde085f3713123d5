package ecs

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"
)

var allFieldTypes = []FieldType{F64, F32, I32, U32, I16, U16, I8, U8, Bool, EntityField, String, TableField, I64, U64}

func TestNamesOfFieldTypes(t *testing.T) {
	if got, want := strings.Join(FieldTypes(), " "), "f64 f32 i64 u64 i32 u32 i16 u16 i8 u8 bool entity string table"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var all []string
	for _, kind := range allFieldTypes {
		name := kind.String()
		all = append(all, fmt.Sprint(name, " ", kind.Size(), " ", kind.align(), " ", kind.Numeric(), " ", kind.pointerFree()))
		got, ok := ParseFieldType(name)
		if !ok || got != kind {
			t.Errorf("%s is read as %v %v", name, got, ok)
		}
	}
	const want = `f64 8 8 true true, f32 4 4 true true, i32 4 4 true true, u32 4 4 true true, i16 2 2 true true, u16 2 2 true true, i8 1 1 true true, u8 1 1 true true, ` +
		`bool 1 1 false true, entity 8 8 false true, string 16 8 false false, table 8 8 false false, i64 8 8 true true, u64 8 8 true true`
	if got := strings.Join(all, ", "); unsafe.Sizeof(uintptr(0)) == 8 && got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, kind := range []FieldType{0, 15, 200} {
		if got, want := kind.String(), fmt.Sprintf("FieldType(%d)", uint8(kind)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if _, ok := ParseFieldType(""); ok {
		t.Error("the empty name is a type")
	}
}

// Each field type takes the numbers of its range and refuses the next ones, and says which.
func TestRangesOfFields(t *testing.T) {
	const exact = 1 << 53
	for _, c := range []struct {
		kind   FieldType
		lo, hi float64
		text   string
	}{
		{I32, math.MinInt32, math.MaxInt32, "-2147483648 to 2147483647"},
		{U32, 0, math.MaxUint32, "0 to 4294967295"},
		{I16, math.MinInt16, math.MaxInt16, "-32768 to 32767"},
		{U16, 0, math.MaxUint16, "0 to 65535"},
		{I8, math.MinInt8, math.MaxInt8, "-128 to 127"},
		{U8, 0, math.MaxUint8, "0 to 255"},
		{I64, -exact, exact, "-9007199254740992 to 9007199254740992"},
		{U64, 0, exact, "0 to 9007199254740992"},
	} {
		s := must[*Schema](t)(NewSchema(Field{Name: "v", Type: c.kind}))
		var memory uint64
		r := Row{schema: s, ptr: unsafe.Pointer(&memory)}
		for _, v := range []float64{c.lo, c.hi, 1, 0, c.hi - 1} {
			if err := r.SetNumber(0, v); err != nil || r.Number(0) != v || r.Get(0).Float() != v {
				t.Errorf("%v into %s reads as %v, %s (%v)", v, c.kind, r.Number(0), r.Get(0), err)
			}
			if err := r.Set(0, Number(v)); err != nil || r.Number(0) != v {
				t.Errorf("%v into %s reads as %v (%v)", v, c.kind, r.Number(0), err)
			}
		}
		before := memory
		for _, v := range []float64{math.Nextafter(c.lo-1, math.Inf(-1)), math.Nextafter(c.hi+1, math.Inf(1)), math.Inf(1), math.Inf(-1), math.NaN(), 0.5} {
			want := fmt.Sprintf("field \"v\": %.0f does not fit %s (%s)", math.Trunc(v), c.kind, c.text)
			if v != math.Trunc(v) || math.IsInf(v, 0) {
				want = fmt.Sprintf("field \"v\": %s is not a whole number, as %s needs", Number(v), c.kind)
			} else {
				v = math.Trunc(v)
			}
			if err := r.SetNumber(0, v); err == nil || err.Error() != want || memory != before {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		}
	}
}

// Each kind of value into each type of field.
func TestKindsOfFields(t *testing.T) {
	d := data(t, DataEntry{Number(1), Number(1)})
	values := []Value{{}, Number(1), Int(2), Uint(1<<63 + 1), Boolean(true), EntityOf(5), Text("s"), TableOf(d)}
	want := map[FieldType]string{
		F64: "- 1 2 9.223372036854776e+18 - - - -", F32: "- 1 2 9.223372036854776e+18 - - - -",
		I32: "- 1 2 - - - - -", U32: "- 1 2 - - - - -", I16: "- 1 2 - - - - -", U16: "- 1 2 - - - - -", I8: "- 1 2 - - - - -", U8: "- 1 2 - - - - -",
		Bool: "- - - - true - - -", EntityField: "none - - - - 5v0 - -", String: `- - - - - - "s" -`, TableField: "- - - - - - - {1}",
		I64: "- 1 2 - - - - -", U64: "- 1 2 9223372036854775809 - - - -",
	}
	for _, kind := range allFieldTypes {
		s := must[*Schema](t)(NewSchema(Field{Name: "v", Type: kind}))
		var got []string
		for _, v := range values {
			p, _ := allocRows(nil, s, 1)
			r := Row{schema: s, ptr: p}
			word := "-"
			if err := r.Set(0, v); err == nil {
				word = r.Get(0).String()
			}
			got = append(got, word)
		}
		if text := strings.Join(got, " "); text != want[kind] {
			t.Errorf("%s: got %s, want %s", kind, text, want[kind])
		}
		p, _ := allocRows(nil, s, 1)
		if err := (Row{schema: s, ptr: p}).SetNumber(0, 1); (err == nil) != kind.Numeric() {
			t.Errorf("%s: SetNumber says %v", kind, err)
		}
	}
}

// A config file, a script and a Go program may declare one component: equal defaults are equal, whatever kind of number each of them gives.
func TestEqualDefaultsAreOneDeclaration(t *testing.T) {
	for _, kind := range allFieldTypes {
		if !kind.Numeric() {
			continue
		}
		w := newWorld(Options{})
		for _, v := range []Value{Number(5), Int(5), Uint(5)} {
			if _, err := w.DeclareComponent("A", must[*Schema](t)(NewSchema(Field{Name: "n", Type: kind, Default: v}))); err != nil {
				t.Fatalf("%s, %s of kind %s: %v", kind, v, v.Kind(), err)
			}
		}
		if _, err := w.DeclareComponent("A", must[*Schema](t)(NewSchema(Field{Name: "n", Type: kind, Default: Int(6)}))); err == nil {
			t.Errorf("%s: another default is accepted", kind)
		}
	}
}
