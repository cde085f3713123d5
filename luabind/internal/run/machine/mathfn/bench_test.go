package mathfn

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/tetratelabs/wazero"
)

var sink float64

// BenchmarkCall has for each function a loop in machine code that adds up its results, and the same loop in Go. The arguments go through the
// range in small steps, so jumps are foreseen, or back and forth in it.
func BenchmarkCall(b *testing.B) {
	if !compiles() {
		b.Fatal("wazero has no compiler here")
	}
	for _, c := range []struct {
		name     string
		from, to float64
		second   float64
	}{
		{name: "sin", from: -20, to: 20},
		{name: "cos", from: -20, to: 20},
		{name: "tan", from: -20, to: 20},
		{name: "asin", from: -1, to: 1},
		{name: "acos", from: -1, to: 1},
		{name: "atan", from: -5, to: 5},
		{name: "atan2", from: -5, to: 5, second: 1.3},
		{name: "exp", from: -20, to: 20},
		{name: "log", from: 0.01, to: 20},
		{name: "log10", from: 0.01, to: 20},
		{name: "sinh", from: -5, to: 5},
		{name: "cosh", from: -5, to: 5},
		{name: "tanh", from: -5, to: 5},
		{name: "fmod", from: -100, to: 100, second: 1.3},
		{name: "%", from: -100, to: 100, second: 1.3},
		{name: "pow", from: 0.01, to: 20, second: 1.3},
	} {
		one, two := reference(c.name)
		if two != nil {
			one = func(x float64) float64 { return two(x, c.second) }
		}
		for _, order := range []struct {
			name   string
			stride float64 // of the golden section: arguments jump about
		}{{"steps", 1.0 / 256}, {"jumps", 0.6180339887498949}} {
			step := order.stride * (c.to - c.from)
			b.Run(c.name+"/"+order.name+"/wasm", func(b *testing.B) {
				ctx := context.Background()
				m := instance(b, wazero.NewRuntimeConfigCompiler(), module([]string{c.name}, 0, func(index func(string) uint32) (types, bodies [][]byte, exports []string) {
					return [][]byte{{0x60, 1, 0x7e, 1, F64}}, [][]byte{sumLoop(index(c.name), c.from, c.to, step, two != nil, c.second)}, []string{"sum"}
				}))
				f := m.ExportedFunction("sum")
				stack := []uint64{uint64(b.N)}
				b.ReportAllocs()
				b.ResetTimer()
				if err := f.CallWithStack(ctx, stack); err != nil {
					b.Fatal(err)
				}
				sink = math.Float64frombits(stack[0])
			})
			b.Run(c.name+"/"+order.name+"/Go", func(b *testing.B) {
				x, total := c.from, 0.0
				b.ReportAllocs()
				for b.Loop() {
					if x += step; x > c.to {
						x -= c.to - c.from
					}
					total += one(x)
				}
				sink = total
			})
		}
	}
}

// sumLoop is the body of (n i64) -> f64 that calls a function n times.
func sumLoop(callee uint32, from, to, step float64, two bool, second float64) []byte {
	constant := func(b []byte, v float64) []byte {
		return binary.LittleEndian.AppendUint64(append(b, 0x44), math.Float64bits(v))
	}
	b := []byte{1, 2, F64} // locals: 1 = x, 2 = total
	b = append(constant(b, from), 0x21, 1)
	b = append(b, 0x03, 0x40)                                              // loop
	b = append(constant(append(b, 0x20, 1), step), 0xa0, 0x22, 1)          // x += step
	b = append(constant(b, to), 0x64, 0x04, 0x40)                          // if x > to
	b = append(constant(append(b, 0x20, 1), to-from), 0xa1, 0x21, 1, 0x0b) // x -= to-from
	b = append(b, 0x20, 2, 0x20, 1)
	if two {
		b = constant(b, second)
	}
	b = binary.AppendUvarint(append(b, 0x10), uint64(callee))
	b = append(b, 0xa0, 0x21, 2)                                                                // total += f(x)
	b = append(b, 0x20, 0, 0x42, 1, 0x7d, 0x22, 0, 0x42, 0, 0x52, 0x0d, 0, 0x0b, 0x20, 2, 0x0b) // n--, again unless 0
	return append(binary.AppendUvarint(nil, uint64(len(b))), b...)
}
