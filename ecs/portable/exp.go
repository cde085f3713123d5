package portable

import "math"

const (
	perLn2 = 0x1.71547652b82fep+7 // 128/ln 2
	ln2Hi  = 0x1.62e42fefcp-8     // ln 2 / 128 to a multiple of 2^-42
	ln2Lo  = -0x1.c610ca86c3899p-44
)

// Exp is e to the power of x: 0 and +Inf where that leaves the range.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.14:
		return 0
	case math.Abs(x) < 0x1p-54:
		return 1
	}
	m, k := expPair(pair{x, 0})
	return scale(m.value(), k)
}

// expPair is e to the power of x as m * 2^k with 0.99 < m < 2.01, to about 60 bits, for |x| < 750: 2^(n/128) from the table times a short
// series for the rest (Tang's method).
func expPair(x pair) (m pair, k int) {
	f := (float64(x.hi*perLn2) + roundToInt) - roundToInt
	r := sum(x.hi-float64(f*ln2Hi), x.lo-float64(f*ln2Lo))
	z := float64(r.hi * r.hi)
	p := r.hi + (r.lo + float64(z*line(line(1.0/2, 1.0/6, r.hi), line(1.0/24, 1.0/120, r.hi), z)))
	n := int(f)
	t := expTable[n&127]
	return ordered(t.hi, float64(t.hi*p)+t.lo), n >> 7
}
