package portable

import (
	"math"
	"math/bits"
)

// This file reduces the argument of Sin, Cos and Tan to the first eighth of a circle. Subtracting a multiple of
// pi/2 loses digits, so the rest is computed as a pair.

const (
	fortyFive  = math.Pi / 4
	twoOver    = 0x1.45f306dc9c883p-1 // 2/pi
	roundToInt = 0x1.8p52             // added and taken off again, it leaves the nearest integer

	// pi/2 in parts of 33 bits, whose products with an integer below 2^20 are exact, and after each part what is left.
	half1, rest1 = 0x1.921fb544p+0, 0x1.0b4611a626331p-34
	half2, rest2 = 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69
	half3, rest3 = 0x1.3198a2ep-69, 0x1.b839a252049c1p-104
)

// nearest returns the integer in x, which is the sum of it and roundToInt.
func nearest(x float64) int { return int(math.Float64bits(x) - math.Float64bits(roundToInt)) }

// reduce subtracts a multiple n of pi/2 from a finite x. The rest is in [-pi/4, pi/4], or slightly outside. For
// small and medium x it uses the method of Cody and Waite, with more parts where digits cancel, as FreeBSD's msun
// does; for larger x that of Payne and Hanek.
func reduce(x float64) (n int, rest pair) {
	if math.Abs(x) > 0x1p20 {
		return reduceHuge(x)
	}
	near := float64(x*twoOver) + roundToInt
	f := near - roundToInt
	r := x - float64(f*half1)
	w := float64(f * rest1)
	y := r - w
	if before := exponent(x); before-exponent(y) > 16 {
		t := r
		w = float64(f * half2)
		r = t - w
		w = float64(f*rest2) - ((t - r) - w)
		y = r - w
		if before-exponent(y) > 49 {
			t = r
			w = float64(f * half3)
			r = t - w
			w = float64(f*rest3) - ((t - r) - w)
			y = r - w
		}
	}
	return nearest(near), pair{y, (r - y) - w}
}

func exponent(x float64) int { return int(math.Float64bits(x)>>52) & 0x7ff }

// reduceHuge multiplies the digits of x, an integer m times 2^e, by those 256 digits of 2/pi that matter: digits
// further left give multiples of 4, and digits further right less than 2^-200. The two uppermost digits of the
// product are the number of quadrants.
func reduceHuge(x float64) (n int, rest pair) {
	m := math.Float64bits(x)&(1<<52-1) | 1<<52
	first := 64 + exponent(x) - 1075 - 2 // where the digit stands that times m is 2 or 0
	i, off := first>>6, uint(first&63)
	t0, t1, t2, t3, t4 := twoOverPi[i], twoOverPi[i+1], twoOverPi[i+2], twoOverPi[i+3], twoOverPi[i+4]
	w3 := t3<<(off&63) | t4>>1>>((63-off)&63)
	w2 := t2<<(off&63) | t3>>1>>((63-off)&63)
	w1 := t1<<(off&63) | t2>>1>>((63-off)&63)
	w0 := t0<<(off&63) | t1>>1>>((63-off)&63)
	h3, p3 := bits.Mul64(w3, m)
	h2, p2 := bits.Mul64(w2, m)
	h1, p1 := bits.Mul64(w1, m)
	p0 := w0 * m
	p2, carry := bits.Add64(p2, h3, 0)
	p1, carry = bits.Add64(p1, h2, carry)
	p0 += h1 + carry

	n = int(p0 >> 62)
	p0, p1, p2, p3 = p0<<2|p1>>62, p1<<2|p2>>62, p2<<2|p3>>62, p3<<2
	negative := p0>>63 == 1 // more than half a quadrant: count it, and go back
	if negative {
		n++
		var borrow uint64
		p3, borrow = bits.Sub64(0, p3, 0)
		p2, borrow = bits.Sub64(0, p2, borrow)
		p1, borrow = bits.Sub64(0, p1, borrow)
		p0 = -p0 - borrow
	}
	shift := 0
	if p0 == 0 { // no float64 comes nearer to a multiple of pi/2 than 2^-62
		p0, p1, p2, shift = p1, p2, p3, 64
	}
	z := uint(bits.LeadingZeros64(p0))
	p0, p1 = p0<<(z&63)|p1>>1>>((63-z)&63), p1<<(z&63)|p2>>1>>((63-z)&63)
	down := power(-64 - shift - int(z))
	f := pair{
		float64(float64(p0&^(1<<11-1)) * down),
		float64(float64((p0&(1<<11-1))<<42|p1>>22) * float64(down*0x1p-42)),
	}
	rest = f.mul(pair{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54})
	if negative != (x < 0) {
		rest = rest.negate()
	}
	if x < 0 {
		n = -n
	}
	return n, rest
}
