package portable

import "math"

// Pow is x to the power of y. As in C, it is 1 for y = 0 and for x = 1 whatever the other is, and NaN for x < 0 unless y is whole.
//
// It is exp(y·log x) with the logarithm and the product as pairs, so that the error in the exponent stays below 2^-57. Small whole powers
// are products.
func Pow(x, y float64) float64 {
	if math.Float64bits(y)&(1<<51-1) == 0 { // two digits, as few exponents have by chance
		switch y {
		case 0:
			return 1
		case 1:
			return x
		case 2:
			return squared(x)
		case 0.5:
			if x > 0 {
				return math.Sqrt(x)
			}
		case -1:
			return 1 / x
		case 3, 4:
			if a := math.Abs(x); a > 0x1p-200 && a < 0x1p200 {
				return thirdOrFourth(x, y)
			}
		}
	}
	if x > 0 && x <= math.MaxFloat64 && y-y == 0 {
		return powFinite(x, y)
	}
	return powOdd(x, y)
}

// powOdd is Pow if x or y is not finite, or x is not positive.
func powOdd(x, y float64) float64 {
	if x == 1 {
		return 1
	}
	if x != x || y != y {
		return math.NaN()
	}
	whole := math.Trunc(y) == y
	odd := whole && math.Abs(y) < 0x1p53 && int64(y)&1 == 1
	a := math.Abs(x)
	v := 0.0
	switch {
	case math.IsInf(y, 0):
		switch {
		case a == 1:
			return 1
		case (a > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	case a == 0 || math.IsInf(a, 1):
		if (a == 0) == (y < 0) {
			v = math.Inf(1)
		}
	case x < 0 && !whole:
		return math.NaN()
	default:
		v = powFinite(a, y)
	}
	if odd && math.Signbit(x) {
		v = -v
	}
	return v
}

// squared returns x*x. A subnormal result is rounded twice, as by the ^ of the Lua interpreter.
func squared(x float64) float64 {
	v := float64(x * x)
	if v >= 0x1p-1021 || x == 0 || x != x {
		return v
	}
	s := float64(x * 0x1p540)
	return float64(float64(float64(s*s)*0x1p-540) * 0x1p-540)
}

// thirdOrFourth returns x³ or x⁴ if no intermediate result leaves the range.
func thirdOrFourth(x, y float64) float64 {
	q := square(x)
	if y == 3 {
		c := product(q.hi, x)
		return c.hi + (c.lo + float64(q.lo*x))
	}
	c := square(q.hi)
	return c.hi + (c.lo + float64(2*float64(q.hi*q.lo)))
}

// powFinite returns x^y for 0 < x < Inf and finite y.
func powFinite(x, y float64) float64 {
	l := logPair(x)
	estimate := float64(y * l.hi)
	switch {
	case estimate > 710:
		return math.Inf(1)
	case estimate < -746:
		return 0
	}
	t := product(y, l.hi)
	m, k := expParts(t.hi, t.lo+float64(y*l.lo))
	return scale(m.value(), k)
}
