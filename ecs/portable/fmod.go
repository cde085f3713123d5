package portable

import "math"

// Fmod returns the remainder of x / y, with the quotient truncated towards zero. It is exact and has the sign of
// x. It is NaN for infinite x and for y = 0, and x for infinite y. It divides the digits as integers, eleven more
// bits at a time.
func Fmod(x, y float64) float64 {
	ax, ay := math.Abs(x), math.Abs(y)
	switch {
	case !(ax <= math.MaxFloat64) || ay == 0 || y != y:
		return math.NaN()
	case ax < ay:
		return x
	case ax-ay < ay: // once
		return math.Copysign(ax-ay, x)
	}
	mx, ex := digits(ax)
	my, ey := digits(ay)
	r := mx % my
	for d := ex - ey; d > 0 && r != 0; {
		s := min(d, 11)
		r = r << (s & 63) % my
		d -= s
	}
	return math.Copysign(whole(r, ey), x)
}

// Mod is the operator % of Lua 5.1: Fmod with the sign of b.
func Mod(a, b float64) float64 {
	v := Fmod(a, b)
	if b > 0 && v < 0 || b < 0 && v > 0 {
		v += b
	}
	return v
}

// digits returns x as an integer m < 2^53 times 2^e.
func digits(x float64) (m uint64, e int) {
	b := math.Float64bits(x)
	m, e = b&(1<<52-1), int(b>>52)
	if e == 0 {
		return m, -1074
	}
	return m | 1<<52, e - 1075
}

// whole returns m * 2^e, which has at most 53 digits and is in range.
func whole(m uint64, e int) float64 {
	if e < -1022 { // -1074 … -1023: two steps, the first of a normal power
		return float64(float64(float64(m)*power(-960)) * power(e+960))
	}
	return float64(float64(m) * power(e))
}
