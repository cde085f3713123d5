package portable

import "math"

const (
	perLn2 = 0x1.71547652b82fep+0 // 1/ln 2
	ln2Hi  = 0x1.62e42fefa38p-1   // ln 2 to a multiple of 2^-42: times an exponent it is exact
	ln2Lo  = 0x1.ef35793c7673p-45
)

// Exp returns e to the power of x; 0 or +Inf if the result is out of range.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.14:
		return 0
	}
	m, k := expParts(x, 0)
	return scale(m.value(), k)
}

// expParts returns e to the power of x + low as m·2^k with 0.7 < m < 1.42, to about 59 bits, for |x| < 750. k
// takes the multiples of ln 2, and a polynomial gives the rest. The parts of m may overlap. Exp, Pow and Sinh use
// it.
func expParts(x, low float64) (m pair, k int) {
	near := float64(x*perLn2) + roundToInt
	f := near - roundToInt
	r := ordered(x-float64(f*ln2Hi), low-float64(f*ln2Lo))
	z := square(r.hi)
	p := r.lo + (float64(r.lo*r.hi) + float64(0.5*z.lo)) + float64(float64(z.hi*r.hi)*expSeries(r.hi, z.hi))
	a := ordered(1, r.hi)
	b := ordered(a.hi, float64(0.5*z.hi))
	return pair{b.hi, b.lo + (a.lo + p)}, nearest(near)
}

// expPair is expParts with a proper pair as its result.
func expPair(x float64) (m pair, k int) {
	m, k = expParts(x, 0)
	return ordered(m.hi, m.lo), k
}

// expSeries returns (e^r - 1 - r - z/2) / r³ for z = r² and |r| up to half of ln 2, with an error below 2^-63 of
// e^r: the best polynomial of its degree.
func expSeries(r, z float64) float64 {
	const (
		e3  = 0x1.555555555555bp-3
		e4  = 0x1.555555555555ap-5
		e5  = 0x1.111111110ebeap-7
		e6  = 0x1.6c16c16c1425ep-10
		e7  = 0x1.a01a01b3ad687p-13
		e8  = 0x1.a01a01b1b117ap-16
		e9  = 0x1.71ddefa93d76fp-19
		e10 = 0x1.27e4c35596695p-22
		e11 = 0x1.af6cb76e7b2acp-26
		e12 = 0x1.1f98f0d19aa2bp-29
	)
	z4 := float64(z * z)
	p := line(line(e3, e4, r), line(e5, e6, r), z)
	q := line(line(e7, e8, r), line(e9, e10, r), z)
	return p + float64(z4*(q+float64(z4*line(e11, e12, r))))
}
