package portable

import "math"

// This file has the inverse trigonometric functions. All of them reduce to angle, the arctangent of a quotient, or
// to the series of the arcsine.

// fortyHi + fortyLo is pi/4. Times 2, 3 or 4 the first stays exact.
const (
	fortyHi = 0x1.921fb54442d18p-1
	fortyLo = 0x1.1a62633145c07p-55

	tanEighth = 0.41421356237309503 // tan(pi/8)
)

// Atan returns the angle in [-pi/2, pi/2] whose tangent is x.
func Atan(x float64) float64 {
	a := math.Abs(x)
	if a <= tanEighth {
		if a < 0x1p-27 {
			return x
		}
		return x + float64(float64(float64(x*x)*x)*atanSeries(float64(x*x)))
	}
	if !(a < 0x1p60) {
		if a != a {
			return x
		}
		return math.Copysign(math.Pi/2, x)
	}
	if a <= 1 {
		return math.Copysign(angle(a, 1, 0, 1), x)
	}
	return math.Copysign(angle(1, a, 2, -1), x)
}

// Atan2 returns the angle of the point x, y in [-pi, pi], as C does also on the axes, at ±0 and at infinity.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	n, d := math.Abs(y), math.Abs(x)
	turn, sign := 0.0, 1.0
	if n > d {
		n, d, turn, sign = d, n, 2, -1
	}
	if math.Signbit(x) {
		turn, sign = 4-turn, -sign
	} else if turn == 0 && n < float64(d*0x1p-27) {
		return y / x
	}
	switch {
	case d == 0:
		d = 1
	case math.IsInf(n, 0):
		n, d = 1, 1
	case math.IsInf(d, 0):
		n, d = 0, 1
	case d > 0x1p500:
		n, d = float64(n*0x1p-600), float64(d*0x1p-600)
	case d < 0x1p-400:
		n, d = float64(n*0x1p600), float64(d*0x1p600)
	}
	return math.Copysign(angle(n, d, turn, sign), y)
}

// angle returns turn·pi/4 + sign·atan(n/d) for 0 <= n <= d and turn = 0, 2 or 4, rounded about once. If the
// arctangent is greater than pi/8, it subtracts pi/4, which leaves atan((n - d) / (n + d)). A single division
// gives the reciprocal; the error of the quotient is computed from the remainder.
func angle(n, d, turn, sign float64) float64 {
	over, under := pair{n, 0}, pair{d, 0}
	if n > float64(d*tanEighth) {
		over, under = ordered(-d, n), ordered(d, n)
		turn += sign
	}
	inverse := 1 / under.hi
	t := float64(over.hi * inverse)
	back := product(t, under.hi)
	rest := (over.hi - back.hi) - back.lo + (over.lo - float64(t*under.lo))
	z := float64(t * t)
	low := float64(rest*inverse) + float64(float64(z*t)*atanSeries(z))
	if turn == 0 {
		return t + low
	}
	s := ordered(float64(turn*fortyHi), float64(sign*t))
	return s.hi + (s.lo + (float64(turn*fortyLo) + float64(sign*low)))
}

// atanSeries returns (atan t - t) / t³ for z = t² up to tan²(pi/8), with an error below 2^-59 of t: the best
// polynomial of its degree.
func atanSeries(z float64) float64 {
	const (
		a0  = -0x1.555555555553dp-2
		a1  = 0x1.99999999958ddp-3
		a2  = -0x1.24924922b0c01p-3
		a3  = 0x1.c71c70e77ae28p-4
		a4  = -0x1.745cf9067e642p-4
		a5  = 0x1.3b111c0f6eebap-4
		a6  = -0x1.10ebd9b5f30d5p-4
		a7  = 0x1.df112cde14b99p-5
		a8  = -0x1.9cdb173a62f86p-5
		a9  = 0x1.37ea7c42b0eccp-5
		a10 = -0x1.2597158f6d660p-6
	)
	zz := float64(z * z)
	z4 := float64(zz * zz)
	p := line(line(a0, a1, z), line(a2, a3, z), zz)
	q := line(line(a4, a5, z), line(a6, a7, z), zz)
	r := line(line(a8, a9, z), a10, zz)
	return p + float64(z4*(q+float64(z4*r)))
}

// Asin returns the angle in [-pi/2, pi/2] whose sine is x; NaN outside of [-1, 1].
func Asin(x float64) float64 {
	a := math.Abs(x)
	if a <= 0.5 {
		if a < 0x1p-27 {
			return x
		}
		z := float64(x * x)
		return x + float64(float64(z*x)*asinSeries(z))
	}
	if !(a <= 1) {
		return math.NaN()
	}
	h := halfAngle(a)
	s := ordered(2*fortyHi, float64(-2*h.hi))
	return math.Copysign(s.hi+(s.lo+(2*fortyLo-float64(2*h.lo))), x)
}

// Acos returns the angle in [0, pi] whose cosine is x; NaN outside of [-1, 1].
func Acos(x float64) float64 {
	a := math.Abs(x)
	if a <= 0.5 {
		z := float64(x * x)
		s := ordered(2*fortyHi, -x)
		return s.hi + (s.lo + (2*fortyLo - float64(float64(z*x)*asinSeries(z))))
	}
	if !(a <= 1) {
		return math.NaN()
	}
	h := halfAngle(a)
	if x > 0 {
		return float64(2 * (h.hi + h.lo))
	}
	s := ordered(4*fortyHi, float64(-2*h.hi))
	return s.hi + (s.lo + (4*fortyLo - float64(2*h.lo)))
}

// halfAngle returns half the angle whose cosine is a, for 0.5 <= a <= 1. It is the arcsine of the root of (1 -
// a)/2, with that root as a pair.
func halfAngle(a float64) pair {
	z := float64((1 - a) * 0.5)
	if z == 0 {
		return pair{0, 0}
	}
	s := math.Sqrt(z)
	back := product(s, s)
	rest := (z - back.hi) - back.lo
	low := float64(float64(0.5*rest) * float64(s*(1/z))) // s/z is 1/s, and does not wait for s
	return pair{s, low + float64(float64(z*s)*asinSeries(z))}
}

// asinSeries returns (asin t - t) / t³ for z = t² up to 1/4, with an error below 2^-59 of t: the best polynomial
// of its degree.
func asinSeries(z float64) float64 {
	const (
		s0  = 0x1.5555555555578p-3
		s1  = 0x1.333333332df7fp-4
		s2  = 0x1.6db6db7225fefp-5
		s3  = 0x1.f1c71a8dc7c01p-6
		s4  = 0x1.6e8bdfa5fb9f0p-6
		s5  = 0x1.1c49e2c2a03dap-6
		s6  = 0x1.ca20cd76e3a7cp-7
		s7  = 0x1.757b7e58efe8dp-7
		s8  = 0x1.6173de50fd726p-7
		s9  = 0x1.e2bfaf80cc7aap-9
		s10 = 0x1.64925fe24b280p-6
		s11 = -0x1.59541dea86231p-6
		s12 = 0x1.0bb046e434afdp-5
	)
	zz := float64(z * z)
	z4 := float64(zz * zz)
	p := line(line(s0, s1, z), line(s2, s3, z), zz)
	q := line(line(s4, s5, z), line(s6, s7, z), zz)
	r := line(line(s8, s9, z), line(s10, s11, z), zz)
	return p + float64(z4*(q+float64(z4*(r+float64(z4*s12)))))
}
