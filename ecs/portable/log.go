package portable

import "math"

// Log is the natural logarithm of x: -Inf for ±0, NaN below.
//
// With x = 2^k·(1+f) and s = f/(2+f), log(1+f) is f - f²/2 + s·(f²/2 + s²·p), where p is a polynomial in s². The parts that make up most of
// the result, k·ln 2, f and f²/2, are kept exactly.
func Log(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return logOdd(x)
	}
	z, k := mantissa(x)
	f := z - 1
	s := f / (2 + f)
	w := float64(s * s)
	q := square(f)
	half := float64(0.5 * q.hi)
	n := float64(k)
	near := ordered(f, -half)
	head := ordered(float64(n*ln2Hi), near.hi)
	low := near.lo - float64(0.5*q.lo) + (float64(n*ln2Lo) + float64(s*(half+float64(w*logSeries(w)))))
	return head.hi + (head.lo + low)
}

// logSeries is p in Log, to 2^-59 of the result: the best polynomial of its degree.
func logSeries(w float64) float64 {
	const (
		l1 = 0x1.5555555555592p-1
		l2 = 0x1.999999997fe43p-2
		l3 = 0x1.24924941ea612p-2
		l4 = 0x1.c71c520dd5003p-3
		l5 = 0x1.74663e383a3fcp-3
		l6 = 0x1.39a1c6a5ab9ccp-3
		l7 = 0x1.2f0522ce9bfb0p-3
	)
	ww := float64(w * w)
	return line(line(l1, l2, w), line(l3, l4, w), ww) + float64(float64(ww*ww)*line(line(l5, l6, w), l7, ww))
}

// mantissa is a positive, finite x as z·2^k with z between the roots of 1/2 and 2.
func mantissa(x float64) (z float64, k int) {
	b := math.Float64bits(x)
	k = -1023
	if b>>52 == 0 {
		b = math.Float64bits(float64(x * 0x1p54))
		k -= 54
	}
	b += 0x3ff<<52 - 0x3fe6a09e667f3bcd // beyond the root of 2 it carries into the exponent
	k += int(b >> 52)
	return math.Float64frombits(b&(1<<52-1) + 0x3fe6a09e667f3bcd), k
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
	z, k := mantissa(x)
	e := logTable[int(float64(z*128)+0.5)-90]
	zh := upper(z)
	r := sum(float64(zh*e.c)-1, float64((z-zh)*e.c))

	q := product(r.hi, r.hi)
	p := line(line(1.0/3, -1.0/4, r.hi), line(1.0/5, -1.0/6, r.hi), q.hi)
	p = line(p, line(line(1.0/7, -1.0/8, r.hi), line(1.0/9, -1.0/10, r.hi), q.hi), float64(q.hi*q.hi))
	p = float64(float64(q.hi*r.hi) * p)
	n := float64(k)
	head := sum(float64(n*ln2Hi)+e.hi, r.hi)
	body := sum(head.hi, -float64(0.5*q.hi))
	low := p + (float64(n*ln2Lo) + e.lo + (r.lo - float64(r.hi*r.lo) - float64(0.5*q.lo)))
	return ordered(body.hi, head.lo+body.lo+low)
}
