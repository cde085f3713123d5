package portable

import "math"

// A pair is the number hi+lo with about 106 bits: hi is the rounded sum, and lo its rounding error. The error-free
// sums and products are those of Knuth and Dekker. Products split their factors by masking, which cannot overflow.
type pair struct{ hi, lo float64 }

// sum returns a+b exactly.
func sum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// ordered returns a+b exactly, if a is 0 or |a| >= |b|.
func ordered(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)}
}

// upper returns x without the lower half of its digits. x - upper(x) is exact, and so are products of two such
// halves.
func upper(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1)) }

// product returns a*b with an error of at most 2^-106 of it, unless it or that error underflows.
func product(a, b float64) pair {
	p := float64(a * b)
	ah, bh := upper(a), upper(b)
	al, bl := a-ah, b-bh
	return pair{p, ((float64(ah*bh) - p) + float64(ah*bl) + float64(al*bh)) + float64(al*bl)}
}

// square returns a*a, as product does.
func square(a float64) pair {
	p := float64(a * a)
	h := upper(a)
	l := a - h
	return pair{p, ((float64(h*h) - p) + float64(float64(2*h)*l)) + float64(l*l)}
}

// line returns a + bx. Polynomials are made of it.
func line(a, b, x float64) float64 { return a + float64(b*x) }

func (p pair) value() float64 { return p.hi + p.lo }

func (p pair) negate() pair { return pair{-p.hi, -p.lo} }

// times returns p times a power of two.
func (p pair) times(power float64) pair { return pair{float64(p.hi * power), float64(p.lo * power)} }

func (p pair) plus(q pair) pair {
	s := sum(p.hi, q.hi)
	return ordered(s.hi, s.lo+(p.lo+q.lo))
}

func (p pair) mul(q pair) pair {
	r := product(p.hi, q.hi)
	return ordered(r.hi, r.lo+(float64(p.hi*q.lo)+float64(p.lo*q.hi)))
}

// over returns p/q, to about 100 bits. It uses the reciprocal of the high part twice: for the quotient, and for
// what then remains of p.
func (p pair) over(q pair) pair {
	inverse := 1 / q.hi
	a := float64(p.hi * inverse)
	back := product(a, q.hi)
	rest := (p.hi - back.hi) - back.lo + p.lo - float64(a*q.lo)
	return ordered(a, float64(rest*inverse))
}

// scale returns m * 2^k for 0.25 <= |m| < 4. It rounds once more if the result is subnormal.
func scale(m float64, k int) float64 {
	switch {
	case k > 1000:
		return float64(float64(m*0x1p1000) * power(min(k-1000, 1000)))
	case k < -1000:
		return float64(float64(m*0x1p-900) * power(max(k+900, -1000)))
	}
	return float64(m * power(k))
}

// power returns 2^k for -1022 <= k <= 1023.
func power(k int) float64 { return math.Float64frombits(uint64(1023+k) << 52) }
