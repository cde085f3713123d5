package sandbox

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestFormatWithoutFlags compares numbers without flags with what package fmt writes.
func TestFormatWithoutFlags(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1e100, -1e-100, 123456789, math.MaxFloat64, math.SmallestNonzeroFloat64, 1e21, 0.1}
	for range 5000 {
		f := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			f = math.Round(r.NormFloat64()*1e6) / 1e3
		}
		if len(numbers) < 2000 && !math.IsNaN(f) && !math.IsInf(f, 0) {
			numbers = append(numbers, f)
		}
	}
	for _, f := range numbers {
		sp := spec{width: r.IntN(30), precision: r.IntN(20), verb: "eEfgG"[r.IntN(5)]}
		precision := sp.precision
		if precision == 0 && (sp.verb == 'g' || sp.verb == 'G') {
			precision = 1
		}
		if got, want := string(sp.float(nil, f)), fmt.Sprintf(fmt.Sprintf("%%%d.%d%c", sp.width, precision, sp.verb), f); got != want {
			t.Errorf("%%%d.%d%c of %v: got %q, want %q", sp.width, sp.precision, sp.verb, f, got, want)
		}
		sp.precision = -1
		for _, verb := range []byte("dxXo") {
			for _, v := range []any{int64(f), uint64(r.Uint64())} {
				if got, want := string(sp.integer(nil, v, verb)), string(sp.flagged(nil, v, verb)); got != want {
					t.Errorf("%%%d%c of %v: got %q, want %q", sp.width, verb, v, got, want)
				}
			}
		}
	}
}
