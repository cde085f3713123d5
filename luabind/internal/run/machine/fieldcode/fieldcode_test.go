package fieldcode

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const (
	numberAt = 64  // the number to store; 8 bytes behind it what was loaded
	fieldAt  = 128 // the field, at an offset from fieldAt-offset
	offset   = 16
)

// instantiate makes code that one function writes: func(number, field address i32) i32.
func instantiate(t *testing.T, write func(f *wasm.Function)) api.Module {
	t.Helper()
	f := &wasm.Function{Params: []byte{wasm.I32, wasm.I32}, Results: []byte{wasm.I32}}
	write(f)
	module := &wasm.Module{Pages: 1, Functions: []*wasm.Function{f}, Exports: []string{"run"}}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = r.Close(ctx) })
	m, err := r.Instantiate(ctx, module.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stores writes code that stores a number as a field, if it fits, and loads it again. It returns 1 if the number fits.
func stores(typ ecs.FieldType) func(*wasm.Function) {
	return func(f *wasm.Function) {
		local := f.Local(wasm.F64)
		stop := f.Block()
		f.Get(0)
		f.Memory(wasm.F64Load, 0)
		f.Set(local)
		if typ != ecs.F64 && typ != ecs.F32 {
			Fit(f, typ, local, stop)
		}
		f.Get(1)
		Store(f, typ, local, offset)
		f.Get(0)
		f.Get(1)
		if Wide(typ) {
			LoadWide(f, typ, offset, stop)
		} else {
			Load(f, typ, offset)
		}
		f.Memory(wasm.F64Store, 8)
		f.I32(1)
		f.Op(wasm.Return)
		f.End()
		f.I32(0)
	}
}

// Every number fits a field, or does not, as in a row of the world, and what is loaded again is what the row returns.
func TestStoredNumbers(t *testing.T) {
	numbers := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536,
		1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 1, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 53, 1<<53 - 1, 1<<53 + 2, -1 << 53, 1e300, -1e300, 0.1, 16777217,
		math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, 255.5, 127.00000001,
	}
	for _, typ := range []ecs.FieldType{ecs.F64, ecs.F32, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8, ecs.I64, ecs.U64, ecs.EntityField} {
		w := ecs.NewWorld(ecs.Options{})
		id, err := w.DeclareResource("r", typ, ecs.Value{})
		if err != nil {
			t.Fatal(err)
		}
		row := w.Resource(id)
		m := instantiate(t, stores(typ))
		for _, n := range numbers {
			const untouched = 0xa5a5a5a5a5a5a5a5
			m.Memory().WriteFloat64Le(numberAt, n)
			m.Memory().WriteUint64Le(fieldAt-8, untouched)
			m.Memory().WriteUint64Le(fieldAt, untouched)
			m.Memory().WriteUint64Le(fieldAt+8, untouched)
			out, err := m.ExportedFunction("run").Call(context.Background(), numberAt, fieldAt-offset)
			if err != nil {
				t.Fatal(err)
			}
			set := func() error {
				if typ == ecs.EntityField {
					e, ok := ecs.EntityFromNumber(n)
					if !ok {
						return errors.New("no handle")
					}
					return row.Set(0, ecs.EntityOf(e))
				}
				return row.SetNumber(0, n)
			}
			if wrong := set(); (wrong == nil) != (out[0] == 1) {
				t.Errorf("%s %v: code says %d, the row %v", typ, n, out[0], wrong)
				continue
			}
			raw, _ := m.Memory().ReadUint64Le(fieldAt)
			if out[0] == 0 {
				if raw != untouched {
					t.Errorf("%s %v does not fit, and the code stored %x", typ, n, raw)
				}
				continue
			}
			want := n
			if typ == ecs.F32 {
				want = float64(float32(n))
			}
			got, _ := m.Memory().ReadFloat64Le(numberAt + 8)
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s %v: loaded %v", typ, n, got)
			}
			if size := Size(typ); size < 8 && raw>>(8*size) != untouched>>(8*size) {
				t.Errorf("%s %v: the code stored more than %d bytes: %x", typ, n, size, raw)
			}
			before, _ := m.Memory().ReadUint64Le(fieldAt - 8)
			behind, _ := m.Memory().ReadUint64Le(fieldAt + 8)
			if before != untouched || behind != untouched {
				t.Errorf("%s %v: the code stored outside of the field", typ, n)
			}
		}
	}
}

// A field of 64 bits is loaded if a number can hold it.
func TestWideFields(t *testing.T) {
	for typ, c := range map[ecs.FieldType]map[uint64]bool{
		ecs.I64: {0: true, 1 << 53: true, 1<<53 + 1: false, 1<<53 - 1: true, 1<<64 - 1<<53: true, 1<<64 - 1<<53 - 1: false, 1<<64 - 1: true, 1 << 63: false, 1<<63 - 1: false, 1 << 60: false},
		ecs.U64: {0: true, 1 << 53: true, 1<<53 + 1: false, 1<<53 - 1: true, 1<<64 - 1: false, 1 << 63: false, 1<<63 - 1: false, 1 << 60: false},
	} {
		m := instantiate(t, func(f *wasm.Function) {
			stop := f.Block()
			f.Get(0)
			f.Get(1)
			LoadWide(f, typ, offset, stop)
			f.Memory(wasm.F64Store, 8)
			f.I32(1)
			f.Op(wasm.Return)
			f.End()
			f.I32(0)
		})
		for bits, fits := range c {
			m.Memory().WriteUint64Le(fieldAt, bits)
			out, err := m.ExportedFunction("run").Call(context.Background(), numberAt, fieldAt-offset)
			if err != nil {
				t.Fatal(err)
			}
			want := float64(int64(bits))
			if got, _ := m.Memory().ReadFloat64Le(numberAt + 8); (out[0] == 1) != fits || fits && got != want {
				t.Errorf("%s %d: code says %d, %v", typ, bits, out[0], got)
			}
		}
	}
}

// Booleans and the numbers of strings are locals of 32 bits.
func TestStoredWords(t *testing.T) {
	for typ, c := range map[ecs.FieldType]struct{ stored, loaded uint32 }{
		ecs.Bool:   {0xa5a5a501, 1},
		ecs.String: {1, 1},
	} {
		if ValueType(typ) != wasm.I32 {
			t.Errorf("%s is no local of 32 bits", typ)
		}
		m := instantiate(t, func(f *wasm.Function) {
			local := f.Local(wasm.I32)
			f.I32(1)
			f.Set(local)
			f.Get(1)
			Store(f, typ, local, offset)
			f.Get(1)
			Load(f, typ, offset)
		})
		m.Memory().WriteUint32Le(fieldAt, 0xa5a5a5a5)
		out, err := m.ExportedFunction("run").Call(context.Background(), 0, fieldAt-offset)
		if err != nil {
			t.Fatal(err)
		}
		if raw, _ := m.Memory().ReadUint32Le(fieldAt); raw != c.stored || uint32(out[0]) != c.loaded {
			t.Errorf("%s: stored %x, loaded %d", typ, raw, out[0])
		}
	}
}

// Sizes are those of rows, but for strings; Raw moves all bits of each size.
func TestSizes(t *testing.T) {
	for _, typ := range []ecs.FieldType{ecs.F64, ecs.F32, ecs.I32, ecs.U32, ecs.I16, ecs.U16, ecs.I8, ecs.U8, ecs.Bool, ecs.EntityField} {
		if Size(typ) != typ.Size() {
			t.Errorf("%s has %d bytes in code and %d in a row", typ, Size(typ), typ.Size())
		}
	}
	if Size(ecs.String) != 4 || ValueType(ecs.U8) != wasm.F64 {
		t.Error("the number of a string has 4 bytes, and a number is a float64")
	}
	for _, size := range []uintptr{1, 2, 4, 8} {
		load, store, typ := Raw(size)
		m := instantiate(t, func(f *wasm.Function) {
			local := f.Local(typ)
			f.Get(0)
			f.Memory(load, 0)
			f.Set(local)
			f.Get(1)
			f.Get(local)
			f.Memory(store, offset)
			f.I32(0)
		})
		const bits, untouched = uint64(0xfedcba9876543210), uint64(0xa5a5a5a5a5a5a5a5)
		m.Memory().WriteUint64Le(numberAt, bits)
		m.Memory().WriteUint64Le(fieldAt, untouched)
		if _, err := m.ExportedFunction("run").Call(context.Background(), numberAt, fieldAt-offset); err != nil {
			t.Fatal(err)
		}
		mask := ^uint64(0) >> (64 - 8*size)
		if got, _ := m.Memory().ReadUint64Le(fieldAt); got != bits&mask|untouched&^mask {
			t.Errorf("%d bytes: %x", size, got)
		}
	}
}

// Types without code are refused.
func TestRefusedTypes(t *testing.T) {
	refused := func(write func()) (is bool) {
		defer func() {
			_, is = recover().(abi.Refusal)
		}()
		write()
		return false
	}
	for _, typ := range []ecs.FieldType{ecs.I64, ecs.U64, ecs.TableField} {
		if !refused(func() { Load(&wasm.Function{}, typ, 0) }) {
			t.Errorf("loading a field of type %s, as one that always fits a number, was not refused", typ)
		}
	}
	if !refused(func() { Store(&wasm.Function{}, ecs.TableField, 0, 0) }) {
		t.Error("storing a table was not refused")
	}
}
