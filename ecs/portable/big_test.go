package portable

import (
	"math"
	"math/big"
)

// The true values, in big.Floats: series that anybody can check, slow and without tricks.

const precision = 320

func newBig(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Quo(a, b) }

func bigSqrt(a *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sqrt(a) }

func shift(a *big.Float, n int) *big.Float { return new(big.Float).SetPrec(precision).SetMantExp(a, n) }

func negligible(term, total *big.Float) bool {
	return term.Sign() == 0 || total.Sign() != 0 && term.MantExp(nil) < total.MantExp(nil)-precision
}

// bigPi is pi to prec bits: Machin's 16 atan(1/5) - 4 atan(1/239), in integers.
func bigPi(prec uint) *big.Float {
	inverse := func(n int64) *big.Int { // atan(1/n) * 2^(prec+64)
		t := new(big.Int).Lsh(big.NewInt(1), prec+64)
		t.Quo(t, big.NewInt(n))
		total := new(big.Int)
		for k := int64(1); t.Sign() != 0; k += 2 {
			part := new(big.Int).Quo(t, big.NewInt(k))
			if k%4 == 3 {
				part.Neg(part)
			}
			total.Add(total, part)
			t.Quo(t, big.NewInt(n*n))
		}
		return total
	}
	v := new(big.Int).Sub(new(big.Int).Mul(big.NewInt(16), inverse(5)), new(big.Int).Mul(big.NewInt(4), inverse(239)))
	f := new(big.Float).SetPrec(prec).SetInt(v)
	return f.SetMantExp(f, -int(prec+64))
}

var (
	pi     = bigPi(precision)
	widePi = bigPi(1600)
	ln2    = func() *big.Float { // 2 atanh(1/3)
		total, t := newBig(0), quo(newBig(2), newBig(3))
		for k := 1.0; !negligible(t, total); k += 2 {
			total = add(total, quo(t, newBig(k)))
			t = quo(t, newBig(9))
		}
		return total
	}()
	ln10 = bigLog(newBig(10))
)

func bigExp(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return newBig(1)
	}
	k, _ := quo(x, ln2).Int64()
	r := shift(sub(x, mul(newBig(float64(k)), ln2)), -16)
	total, t := newBig(1), newBig(1)
	for n := 1.0; !negligible(t, total); n++ {
		t = quo(mul(t, r), newBig(n))
		total = add(total, t)
	}
	for range 16 {
		total = mul(total, total)
	}
	return shift(total, int(k))
}

// bigLog is the root of exp(y) = x, by Newton from math's.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float).SetPrec(precision)
	k := x.MantExp(m)
	if f, _ := m.Float64(); f < 0.7 {
		m, k = shift(m, 1), k-1
	}
	u := sub(m, newBig(1))
	if u.Sign() == 0 {
		return mul(newBig(float64(k)), ln2)
	}
	// 2 atanh(u/(2+u)), with u made small first by square roots.
	halvings := 0
	for u.MantExp(nil) > -12 {
		u = sub(bigSqrt(add(newBig(1), u)), newBig(1))
		halvings++
	}
	t := quo(u, add(newBig(2), u))
	square, total := mul(t, t), newBig(0)
	for n := 1.0; !negligible(t, total); n += 2 {
		total = add(total, quo(t, newBig(n)))
		t = mul(t, square)
	}
	return add(mul(newBig(float64(k)), ln2), shift(total, halvings+1))
}

// bigSinCos takes multiples of pi/2 off x, with as many digits of pi as that needs.
func bigSinCos(x *big.Float) (sin, cos *big.Float) {
	quarter := new(big.Float).SetMantExp(widePi, -1)
	q := new(big.Float).SetPrec(1600).Quo(new(big.Float).SetPrec(1600).Set(x), quarter)
	if q.Signbit() {
		q.Sub(q, big.NewFloat(0.5))
	} else {
		q.Add(q, big.NewFloat(0.5))
	}
	n, _ := q.Int(nil)
	r := new(big.Float).SetPrec(1600).Mul(quarter, new(big.Float).SetPrec(1600).SetInt(n))
	r.Sub(new(big.Float).SetPrec(1600).Set(x), r)
	r = new(big.Float).SetPrec(precision).Set(r)
	series := func(t *big.Float, n float64) *big.Float {
		total, square := newBig(0), mul(r, r)
		for ; !negligible(t, total); n += 2 {
			total = add(total, t)
			t = quo(mul(t, square), newBig(-(n+1)*(n+2)))
		}
		return total
	}
	s, c := series(r, 1), series(newBig(1), 0)
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 0:
		return s, c
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	}
	return c.Neg(c), s
}

// bigAtan halves the angle until the series is quick.
func bigAtan(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	if x.MantExp(nil) > 1 {
		half := shift(pi, -1)
		if x.Sign() < 0 {
			half.Neg(half)
		}
		return sub(half, bigAtan(quo(newBig(1), x)))
	}
	halvings := 0
	for x.MantExp(nil) > -12 {
		x = quo(x, add(newBig(1), bigSqrt(add(newBig(1), mul(x, x)))))
		halvings++
	}
	t, square, total := x, mul(x, x), newBig(0)
	for n := 1.0; !negligible(t, total); n += 2 {
		total = add(total, quo(t, newBig(n)))
		t = mul(t, square)
		t.Neg(t)
	}
	return shift(total, halvings)
}

func bigAtan2(y, x *big.Float) *big.Float {
	if x.Sign() == 0 || y.MantExp(nil) > x.MantExp(nil)+1 {
		half := shift(pi, -1)
		if y.Sign() < 0 {
			half.Neg(half)
		}
		return sub(half, bigAtan(quo(x, y)))
	}
	a := bigAtan(quo(y, x))
	switch {
	case x.Sign() > 0:
		return a
	case y.Signbit():
		return sub(a, pi)
	}
	return add(a, pi)
}

func bigSinh(x *big.Float) *big.Float {
	if x.MantExp(nil) < -20 { // the difference would lose digits
		t, total := x, newBig(0)
		for n := 1.0; !negligible(t, total); n += 2 {
			total = add(total, t)
			t = quo(mul(t, mul(x, x)), newBig((n+1)*(n+2)))
		}
		return total
	}
	e := bigExp(x)
	return shift(sub(e, quo(newBig(1), e)), -1)
}

func bigCosh(x *big.Float) *big.Float {
	e := bigExp(x)
	return shift(add(e, quo(newBig(1), e)), -1)
}

// ulps is how far got is from want, in units of the last place of want.
func ulps(got float64, want *big.Float) float64 {
	e := max(want.MantExp(nil)-53, -1074)
	if want.Sign() == 0 {
		e = -1074
	}
	if math.IsInf(got, 0) { // right from half a place beyond the largest number on
		over := sub(newBig(0).Abs(want), newBig(math.MaxFloat64))
		if over.Cmp(newBig(0x1p969)) >= 0 && want.Signbit() == (got < 0) {
			return 0
		}
		return math.Inf(1)
	}
	if e > 971 {
		e = 971
	}
	d := sub(newBig(got), want)
	f, _ := shift(d, -e).Float64()
	return math.Abs(f)
}
