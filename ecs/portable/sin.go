package portable

import "math"

// Sin returns the sine of x in radians; NaN for ±Inf, x for ±0. The polynomials of Sin and Cos are those of
// FreeBSD's msun.
func Sin(x float64) float64 {
	if math.Abs(x) <= fortyFive {
		if math.Abs(x) < 0x1p-26 {
			return x
		}
		return sinNear(pair{x, 0})
	}
	if x-x != 0 {
		return math.NaN()
	}
	n, r := reduce(x)
	v := 0.0
	if n&1 == 0 {
		v = sinNear(r)
	} else {
		v = cosNear(r)
	}
	if n&2 != 0 {
		v = -v
	}
	return v
}

// Cos returns the cosine of x in radians; NaN for ±Inf.
func Cos(x float64) float64 {
	if math.Abs(x) <= fortyFive {
		return cosNear(pair{x, 0})
	}
	if x-x != 0 {
		return math.NaN()
	}
	n, r := reduce(x)
	v := 0.0
	if n&1 == 0 {
		v = cosNear(r)
	} else {
		v = sinNear(r)
	}
	if (n+1)&2 != 0 {
		v = -v
	}
	return v
}

const (
	sin3  = -1.66666666666666324348e-01
	sin5  = 8.33333333332248946124e-03
	sin7  = -1.98412698298579493134e-04
	sin9  = 2.75573137070700676789e-06
	sin11 = -2.50507602534068634195e-08
	sin13 = 1.58969099521155010221e-10

	cos4  = 4.16666666666666019037e-02
	cos6  = -1.38888888888741095749e-03
	cos8  = 2.48015872894767294178e-05
	cos10 = -2.75573143513906633035e-07
	cos12 = 2.08757232129817482790e-09
	cos14 = -1.13596475577881948265e-11
)

// sinNear returns the sine of a number up to pi/4: x + x³·(sin3 + z·p), plus the contribution of the low part,
// lo·cos x.
func sinNear(x pair) float64 {
	z := float64(x.hi * x.hi)
	cube := float64(z * x.hi)
	return x.hi - ((float64(z*(float64(0.5*x.lo)-float64(cube*sinSeries(z)))) - x.lo) - float64(cube*sin3))
}

// cosNear returns the cosine of a number up to pi/4: 1 - x²/2, corrected by the rounding error of the subtraction,
// + z·p - x·lo.
func cosNear(x pair) float64 {
	z := float64(x.hi * x.hi)
	half := float64(0.5 * z)
	w := 1 - half
	return w + (((1 - w) - half) + (float64(z*cosSeries(z)) - float64(x.hi*x.lo)))
}

func sinSeries(z float64) float64 {
	return sin5 + float64(z*(sin7+float64(z*sin9))) + float64(float64(z*float64(z*z))*(sin11+float64(z*sin13)))
}

func cosSeries(z float64) float64 {
	zz := float64(z * z)
	return float64(z*(cos4+float64(z*(cos6+float64(z*cos8))))) + float64(float64(zz*zz)*(cos10+float64(z*(cos12+float64(z*cos14)))))
}
