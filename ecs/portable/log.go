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

// logSeries returns p in Log, with an error below 2^-59 of the result: the best polynomial of its degree.
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

// mantissa returns a positive, finite x as z·2^k, with z between the roots of 1/2 and 2.
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

// Log10 returns the decimal logarithm of x: -Inf for ±0, NaN for x < 0.
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

// logPair returns the natural logarithm of a positive, finite x to about 66 bits, for Pow and Log10. With x =
// 2^k·z and c from the table near 1/z, it is k·ln 2 - log c + log(1+f), where f = z·c - 1 is exact and so small
// that a series is short (Tang's method).
func logPair(x float64) pair {
	const (
		t3  = 0x1.5555555555555p-2 // the best polynomial for (log(1+f) - f + f²/2) / f³ up to |f| = 0.0298
		t4  = -0x1.ffffffffffef5p-3
		t5  = 0x1.99999999995d3p-3
		t6  = -0x1.555555576cd6cp-3
		t7  = 0x1.24924928b650ep-3
		t8  = -0x1.ffffd20f592efp-4
		t9  = 0x1.c71c3124c4001p-4
		t10 = -0x1.9a6b6c55860e9p-4
		t11 = 0x1.7545aeb4944fbp-4
	)
	z, k := mantissa(x)
	e := logTable[nearest(float64(z*32)+roundToInt)-23]
	zh := upper(z)
	f := (float64(zh*e.c) - 1) + float64((z-zh)*e.c)
	q := square(f)
	p := line(line(t5, t6, f), line(t7, t8, f), q.hi) + float64(float64(q.hi*q.hi)*line(line(t9, t10, f), t11, q.hi))
	p = line(t3, t4, f) + float64(q.hi*p)
	n := float64(k)
	head := ordered(float64(n*ln2Hi)+e.hi, f)
	body := ordered(head.hi, float64(-0.5*q.hi))
	low := (float64(n*ln2Lo) + e.lo - float64(0.5*q.lo)) + float64(float64(q.hi*f)*p)
	return ordered(body.hi, head.lo+body.lo+low)
}
