package kernel

import (
	"math"
	"testing"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// The row of an event has the values of its arguments, and the defaults of all others.
func TestEventRow(t *testing.T) {
	s, err := ecs.NewSchema(
		ecs.Field{Name: "n", Type: ecs.F64, Default: ecs.Number(7)}, ecs.Field{Name: "f", Type: ecs.F32, Default: ecs.Number(2)}, ecs.Field{Name: "i", Type: ecs.I16, Default: ecs.Number(-1)}, ecs.Field{Name: "u", Type: ecs.U8},
		ecs.Field{Name: "on", Type: ecs.Bool, Default: ecs.Boolean(true)}, ecs.Field{Name: "who", Type: ecs.EntityField},
	)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]byte, s.Size()+8)
	at := func(i int) unsafe.Pointer { return unsafe.Pointer(&row[s.Fields()[i].Offset]) }
	give := func(list ...int) (out []ir.EffectField) {
		for _, i := range list {
			out = append(out, ir.EffectField{Index: i, Field: &s.Fields()[i]})
		}
		return out
	}
	EventRow(row, &ir.Effect{Schema: s, Fields: give(5, 2, 1)}, []Arg{{N: 1<<32 + 9}, {N: -300}, {N: 0.1}})
	if *(*float64)(at(0)) != 7 || *(*float32)(at(1)) != 0.1 || *(*int16)(at(2)) != -300 || *(*uint8)(at(3)) != 0 || *(*bool)(at(4)) != true || *(*ecs.Entity)(at(5)) != 1<<32+9 {
		t.Errorf("%v", row)
	}
	EventRow(row, &ir.Effect{Schema: s, Fields: give(0)}, []Arg{{N: -0.5}})
	if *(*float64)(at(0)) != -0.5 {
		t.Errorf("%v", row)
	}
	EventRow(row, &ir.Effect{Schema: s, Fields: give(4, 3)}, []Arg{{N: 0}, {N: 255}})
	if *(*float32)(at(1)) != 2 || *(*int16)(at(2)) != -1 || *(*uint8)(at(3)) != 255 || *(*bool)(at(4)) || *(*ecs.Entity)(at(5)) != 0 {
		t.Errorf("%v", row)
	}
	for typ := ecs.F64; typ <= ecs.U64; typ++ {
		if typ == ecs.String || typ == ecs.TableField {
			continue
		}
		s, err := ecs.NewSchema(ecs.Field{Name: "v", Type: typ})
		if err != nil {
			t.Fatal(err)
		}
		lo, hi, integer := typ.Range()
		if !integer {
			lo, hi = 0, 1
		}
		if typ == ecs.EntityField {
			hi = 1<<32 + 9
		}
		for _, v := range []float64{lo, hi} {
			row := make([]byte, s.Size()+8)
			EventRow(row, &ir.Effect{Schema: s, Fields: []ir.EffectField{{Field: &s.Fields()[0]}}}, []Arg{{N: v}})
			got := uint64(0)
			for i := range typ.Size() {
				got |= uint64(row[i]) << (8 * i)
			}
			want := uint64(int64(v))
			switch typ {
			case ecs.F64:
				want = math.Float64bits(v)
			case ecs.F32:
				want = uint64(math.Float32bits(float32(v)))
			}
			if want &= 1<<(8*typ.Size()) - 1; got != want {
				t.Errorf("%v in a field of type %v: %x, want %x", v, typ, got, want)
			}
		}
	}
	for _, c := range []struct {
		typ  ecs.FieldType
		a    Arg
		want ecs.Value
	}{
		{ecs.F64, Arg{N: 0.1}, ecs.Number(0.1)},
		{ecs.F32, Arg{N: 0.1}, ecs.Number(float64(float32(0.1)))},
		{ecs.U8, Arg{N: 3}, ecs.Number(3)},
		{ecs.Bool, Arg{N: 1}, ecs.Boolean(true)},
		{ecs.Bool, Arg{N: 0}, ecs.Boolean(false)},
		{ecs.EntityField, Arg{N: 1<<32 + 9}, ecs.EntityOf(1<<32 + 9)},
		{ecs.EntityField, Arg{N: 3}, ecs.EntityOf(ecs.None)},
		{ecs.String, Arg{S: "s"}, ecs.Text("s")},
	} {
		if got := Value(c.typ, c.a); !got.Equal(c.want) {
			t.Errorf("%v of %v: %v, want %v", c.a, c.typ, got, c.want)
		}
	}
}
