package portable

import "math"

// Atan is the angle in [-pi/2, pi/2] whose tangent is x.
func Atan(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-27:
		return x
	case a <= 1:
		a = angle(pair{a, 0}, pair{1, 0}).value()
	case a < 0x1p60:
		a = halfPi.plus(angle(pair{1, 0}, pair{a, 0}).negate()).value()
	case a == a:
		a = math.Pi / 2
	}
	return math.Copysign(a, x)
}

// Asin is the angle in [-pi/2, pi/2] whose sine is x: NaN beyond [-1, 1].
func Asin(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	if a < 0x1p-27 {
		return x
	}
	return math.Copysign(quadrant(pair{a, 0}, cosine(a)).value(), x)
}

// Acos is the angle in [0, pi] whose cosine is x: NaN beyond [-1, 1].
func Acos(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	v := quadrant(cosine(a), pair{a, 0})
	if x < 0 {
		v = wholePi.plus(v.negate())
	}
	return v.value()
}

// Atan2 is the angle of the point x, y in [-pi, pi], also on the axes, at ±0 and at infinity, as in C.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	ay, ax := math.Abs(y), math.Abs(x)
	var v pair
	switch {
	case ay == 0:
	case ax == 0:
		v = halfPi
	case math.IsInf(ax, 1) && math.IsInf(ay, 1):
		v = halfPi.times(0.5)
	case math.IsInf(ax, 1):
	case math.IsInf(ay, 1):
		v = halfPi
	default:
		fy, ey := math.Frexp(ay)
		fx, ex := math.Frexp(ax)
		switch d := ey - ex; {
		case d > 60:
			v = halfPi
		case d < -60:
			v = pair{ay / ax, 0}
			if !math.Signbit(x) {
				return math.Copysign(v.hi, y)
			}
		default:
			v = quadrant(pair{float64(fy * power(d)), 0}, pair{fx, 0})
		}
	}
	if math.Signbit(x) {
		v = wholePi.plus(v.negate())
	}
	return math.Copysign(v.value(), y)
}

var (
	halfPi  = pair{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}
	wholePi = pair{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}
)

// cosine is sqrt(1 - x²) for 0 <= x <= 1.
func cosine(x float64) pair {
	v := sum(1, -x).mul(sum(1, x))
	if v.hi == 0 {
		return v
	}
	return v.sqrt()
}

// quadrant is the angle of the point x, y with neither negative and not both 0.
func quadrant(y, x pair) pair {
	if y.hi <= x.hi {
		return angle(y, x)
	}
	return halfPi.plus(angle(x, y).negate())
}

// angle is atan(y/x) for 0 <= y <= x. With c the nearest sixteenth, that is atan c + atan((y - cx) / (x + cy)), and a short series gives the
// second.
func angle(y, x pair) pair {
	nearest := (float64(y.hi/x.hi*16) + roundToInt) - roundToInt
	var t pair
	if nearest == 0 {
		t = y.over(x)
	} else {
		c := pair{float64(nearest * (1.0 / 16)), 0}
		t = y.plus(c.mul(x).negate()).over(x.plus(c.mul(y)))
	}
	z := float64(t.hi * t.hi)
	zz := float64(z * z)
	p := line(line(-1.0/3, 1.0/5, z), line(line(-1.0/7, 1.0/9, z), line(-1.0/11, 1.0/13, z), zz), zz)
	t.lo += float64(float64(z*t.hi) * p)
	c := atanTable[int(nearest)]
	return pair{c.hi, 0}.plus(pair{t.hi, t.lo + c.lo})
}
