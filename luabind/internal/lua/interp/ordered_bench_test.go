package interp

import (
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// Reading a table with 12,000 small tables by entity. The floor is a loop over a slice with the same numbers.
func BenchmarkTableByEntity(b *testing.B) {
	const keys = 12000
	t, layout := &lua.LTable{Metatable: lua.LNil}, NewLayout(lua.LString("x"), lua.LString("y"))
	plain := make([][3]float64, keys)
	for i := range plain {
		m := NewTable(0, 2)
		if layout != nil {
			m = layout.Table(0)
		}
		m.Set(lua.LString("x"), lua.LNumber(i))
		m.Set(lua.LString("y"), lua.LNumber(i))
		t.RawSet(lua.LNumber(1<<32+i), m.Table())
		plain[i] = [3]float64{float64(1<<32 + i), float64(i), float64(i)}
	}
	sum := 0.0
	measure := func(name string, walk func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				walk()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/keys, "ns/key")
		})
	}
	measure("floor", func() {
		for i := range plain {
			sum += plain[i][0] + plain[i][1] + plain[i][2]
		}
	})
	var o Ordered
	r, out := NewFieldsReader("x", "y"), make([]lua.LValue, 2)
	measure("ordered", func() {
		o.Each(t, func(key float64, x lua.LValue) {
			r.Get(x.(*lua.LTable), out)
			sum += key + float64(out[0].(lua.LNumber)) + float64(out[1].(lua.LNumber))
		})
	})
	measure("any_order", func() { EachNumber(t, func(key float64, _ lua.LValue) { sum += key }) })
	if sum == 0 {
		b.Error("nothing was read")
	}
}
