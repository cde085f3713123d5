package portable

import "math"

// Tan returns the tangent of x in radians; NaN for ±Inf, x for ±0. It is the quotient of sine and cosine, both by
// the polynomials of Sin and Cos, with their rounding errors kept.
func Tan(x float64) float64 {
	n, r := 0, pair{x, 0}
	if !(math.Abs(x) <= fortyFive) {
		if x-x != 0 {
			return math.NaN()
		}
		n, r = reduce(x)
	} else if math.Abs(x) < 0x1p-27 {
		return x
	}
	z := square(r.hi)
	half := float64(0.5 * z.hi)
	cube := float64(z.hi * r.hi)
	low := float64(float64(cube*z.hi)*sinSeries(z.hi)) + float64(float64(z.lo*r.hi)*sin3)
	s := ordered(r.hi, float64(cube*sin3)+(low+(r.lo-float64(half*r.lo))))
	c := ordered(1, -half)
	c = ordered(c.hi, c.lo+(float64(z.hi*cosSeries(z.hi))-(float64(0.5*z.lo)+float64(r.hi*r.lo))))
	if n&1 != 0 {
		s, c = c.negate(), s
	}
	return s.over(c).value()
}
