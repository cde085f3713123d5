package portable

import "math"

// Sinh returns (eˣ - e⁻ˣ)/2.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-27 || x != x:
		return x
	case a < 0.375:
		return sinhNear(x).value()
	case a > 711:
		return math.Copysign(math.Inf(1), x)
	}
	e, k := expPair(a)
	if k < 58 {
		e = e.times(power(k))
		e, k = e.plus(pair{1, 0}.over(e).negate()), 0
	}
	return math.Copysign(scale(e.value(), k-1), x)
}

// Cosh returns (eˣ + e⁻ˣ)/2.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a > 711:
		return math.Inf(1)
	}
	e, k := expPair(a)
	if k < 58 {
		e = e.times(power(k))
		e, k = e.plus(pair{1, 0}.over(e)), 0
	}
	return scale(e.value(), k-1)
}

// Tanh returns Sinh(x)/Cosh(x), in [-1, 1].
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-27 || x != x:
		return x
	case a < 0.375:
		z := square(x)
		zz := float64(z.hi * z.hi) // cosh x = 1 + z/2 + z²p
		p := line(line(1.0/24, 1.0/720, z.hi), line(line(1.0/40320, 1.0/3628800, z.hi), line(1.0/479001600, 1.0/87178291200, z.hi), zz), zz)
		p = float64(z.hi * p)
		c := pair{1, 0}.plus(pair{float64(0.5 * z.hi), float64(0.5*z.lo) + float64(z.hi*p)})
		return sinhNear(x).over(c).value()
	case a > 22:
		return math.Copysign(1, x)
	}
	e, k := expPair(float64(2 * a))
	t := pair{2, 0}.over(e.times(power(k)).plus(pair{1, 0}))
	return math.Copysign(pair{1, 0}.plus(t.negate()).value(), x)
}

// sinhNear returns sinh x for |x| < 0.375: x + x³·p.
func sinhNear(x float64) pair {
	z := float64(x * x)
	p := line(line(1.0/6, 1.0/120, z), line(1.0/5040, 1.0/362880, z), float64(z*z))
	p = line(p, line(1.0/39916800, 1.0/6227020800, z), float64(float64(z*z)*float64(z*z)))
	return ordered(x, float64(float64(z*x)*p))
}
