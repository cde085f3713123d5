package portable

import "math"

// Tan is the tangent of x in radians: NaN for ±Inf, x for ±0.
//
// With c the nearest multiple of 1/32, tan(c + t) = (tan c + tan t) / (1 - tan c · tan t), all as pairs; a short series gives tan t.
func Tan(x float64) float64 {
	if x-x != 0 {
		return math.NaN()
	}
	n, r := 0, pair{x, 0}
	if math.Abs(x) > fortyFive {
		n, r = reduce(x)
	} else if math.Abs(x) < 0x1p-27 {
		return x
	}
	negative := r.hi < 0
	if negative {
		r = r.negate()
	}
	nearest := (float64(r.hi*32) + roundToInt) - roundToInt
	t := sum(r.hi-float64(nearest*(1.0/32)), r.lo)
	z := float64(t.hi * t.hi)
	p := line(line(1.0/3, 2.0/15, z), line(17.0/315, 62.0/2835, z), float64(z*z))
	t.lo += float64(float64(z*t.hi) * p)
	t = ordered(t.hi, t.lo)

	above, below := t, pair{1, 0}
	if nearest != 0 {
		c := tanTable[int(nearest)]
		above = c.plus(t)
		below = pair{1, 0}.plus(c.mul(t).negate())
	}
	if n&1 != 0 {
		above, below = below.negate(), above
	}
	v := above.over(below).value()
	if negative {
		v = -v
	}
	return v
}
