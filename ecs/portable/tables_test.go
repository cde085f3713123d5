package portable

import (
	"math"
	"math/big"
	"testing"
)

// isPair says whether p is x to the last bit of both parts.
func isPair(p pair, x *big.Float) bool {
	hi, _ := x.Float64()
	lo, _ := sub(x, newBig(hi)).Float64()
	return p == pair{hi, lo}
}

// TestTables computes every table and constant again.
func TestTables(t *testing.T) {
	for i, e := range logTable {
		digits := 32.0
		if i >= 32-23 {
			digits = 64
		}
		rest, _ := sub(bigLog(quo(newBig(1), newBig(e.c))), newBig(e.hi)).Float64()
		if rest != e.lo || e.hi*0x1p42 != math.Trunc(e.hi*0x1p42) || e.c*digits != math.Trunc(e.c*digits) || math.Abs(e.c*float64(i+23)/32-1) > 0.75/digits {
			t.Errorf("logTable[%d] is wrong", i)
		}
	}
	binary := new(big.Float).SetPrec(1600).Quo(big.NewFloat(2), widePi)
	n, _ := binary.SetMantExp(binary, 64*(len(twoOverPi)-1)).Int(nil)
	for i, w := range twoOverPi {
		at := new(big.Int).Rsh(n, uint(64*(len(twoOverPi)-1-i)))
		if at.And(at, new(big.Int).SetUint64(math.MaxUint64)).Uint64() != w {
			t.Errorf("twoOverPi[%d] is wrong", i)
		}
	}
	half := shift(pi, -1)
	for _, c := range []struct {
		name string
		got  pair
		want *big.Float
	}{
		{"pi/4", pair{fortyHi, fortyLo}, shift(pi, -2)},
	} {
		if !isPair(c.got, c.want) {
			t.Errorf("%s is wrong", c.name)
		}
	}
	for _, c := range []struct {
		name  string
		parts []float64
		want  *big.Float
	}{
		{"half1, rest1", []float64{half1, rest1}, half},
		{"half2, rest2", []float64{half1, half2, rest2}, half},
		{"half3, rest3", []float64{half1, half2, half3, rest3}, half},
		{"ln 2", []float64{ln2Hi, ln2Lo}, ln2},
	} {
		left := c.want
		for _, part := range c.parts[:len(c.parts)-1] {
			left = sub(left, newBig(part))
		}
		if last, _ := left.Float64(); last != c.parts[len(c.parts)-1] {
			t.Errorf("%s is wrong", c.name)
		}
	}
}
