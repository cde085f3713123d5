package machine

import (
	"math"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Blocks have rows of about 16 KB, in multiples of 64, within bounds.
func TestRowsOfBlocks(t *testing.T) {
	for _, c := range []struct {
		strides []uint32
		want    int
	}{
		{[]uint32{1}, abi.MostRows},
		{[]uint32{8}, 2048},
		{[]uint32{8, 8}, 1024},
		{[]uint32{8, 16}, 640},
		{[]uint32{256}, 64},
		{[]uint32{1000}, 64},
		{[]uint32{60_000}, 64},
	} {
		u := &abi.Unit{}
		for _, s := range c.strides {
			u.Walkers = append(u.Walkers, abi.Walker{Stride: s})
		}
		if got := blockRows(u); got != c.want {
			t.Errorf("%v: %d rows, want %d", c.strides, got, c.want)
		}
	}
}

// As many events are copied at once as 16 KB hold.
func TestRowsOfEvents(t *testing.T) {
	for fields, want := range map[int]int{0: abi.MostRows, 1: 2048, 2: 1024, 256: 8} {
		var list []ecs.Field
		for i := range fields {
			list = append(list, ecs.Field{Name: "f" + string(rune('a'+i/26)) + string(rune('a'+i%26)), Type: ecs.F64})
		}
		s, err := ecs.NewSchema(list...)
		if err != nil {
			t.Fatal(err)
		}
		if got := eventRows(s); got != want {
			t.Errorf("%d fields: %d events, want %d", fields, got, want)
		}
	}
}

// Whole types hold what their bounds say, and no more.
func TestBoundsOfWholeTypes(t *testing.T) {
	for _, typ := range []ecs.FieldType{ecs.I8, ecs.I16, ecs.I32, ecs.I64, ecs.U8, ecs.U16, ecs.U32, ecs.U64} {
		lo, hi, _ := typ.Range()
		beyond := math.Max(1, hi/(1<<52)*2) // the next whole number that a float64 has
		for _, v := range []float64{lo, hi} {
			if !kernel.Fits(typ, v) {
				t.Errorf("%v: %v does not fit", typ, v)
			}
		}
		for _, v := range []float64{lo - beyond, hi + beyond} {
			if kernel.Fits(typ, v) {
				t.Errorf("%v: %v fits", typ, v)
			}
		}
	}
}
