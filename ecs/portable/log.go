package portable

import "math"

const (
	log2Hi = 0x1.62e42fefa38p-1 // ln 2 to a multiple of 2^-42: times an exponent it is exact
	log2Lo = 0x1.ef35793c7673p-45
)

// Log is the natural logarithm of x: -Inf for ±0, NaN below.
func Log(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return logOdd(x)
	}
	return logPair(x).value()
}

// Log10 is the decimal logarithm of x: -Inf for ±0, NaN below.
func Log10(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return logOdd(x)
	}
	return logPair(x).mul(pair{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}).value()
}

func logOdd(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}

// logPair is the natural logarithm of a positive, finite x to about 67 bits. With x = 2^k·z and c from the table near 1/z,
// it is k·ln 2 - log c + log(1+r), where r = z·c - 1 is exact in two parts and so small that a series is short (Tang's method).
func logPair(x float64) pair {
	b := math.Float64bits(x)
	k := -1023
	if b>>52 == 0 {
		b = math.Float64bits(float64(x * 0x1p54))
		k -= 54
	}
	k += int(b >> 52)
	b = b&(1<<52-1) | 1023<<52
	if b > 0x3ff6a09e667f3bcd { // beyond the root of 2 take half
		b -= 1 << 52
		k++
	}
	z := math.Float64frombits(b)
	e := logTable[int(float64(z*128)+0.5)-90]
	zh := upper(z)
	r := sum(float64(zh*e.c)-1, float64((z-zh)*e.c))

	q := product(r.hi, r.hi)
	p := line(line(1.0/3, -1.0/4, r.hi), line(1.0/5, -1.0/6, r.hi), q.hi)
	p = line(p, line(line(1.0/7, -1.0/8, r.hi), line(1.0/9, -1.0/10, r.hi), q.hi), float64(q.hi*q.hi))
	p = float64(float64(q.hi*r.hi) * p)
	n := float64(k)
	head := sum(float64(n*log2Hi)+e.hi, r.hi)
	body := sum(head.hi, -float64(0.5*q.hi))
	low := p + (float64(n*log2Lo) + e.lo + (r.lo - float64(r.hi*r.lo) - float64(0.5*q.lo)))
	return ordered(body.hi, head.lo+body.lo+low)
}
