package portable

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// unary are the functions of one argument with their true values, and from where to where to look closely.
var unary = []struct {
	name     string
	f        func(float64) float64
	loose    func(float64) float64 // math's
	want     func(*big.Float) *big.Float
	from, to float64
	limit    float64 // ulps that may be off, measured and rounded up a little
}{
	{"Sin", Sin, math.Sin, func(x *big.Float) *big.Float { s, _ := bigSinCos(x); return s }, -20, 20, 0.85},
	{"Cos", Cos, math.Cos, func(x *big.Float) *big.Float { _, c := bigSinCos(x); return c }, -20, 20, 0.85},
	{"Tan", Tan, math.Tan, func(x *big.Float) *big.Float { s, c := bigSinCos(x); return quo(s, c) }, -20, 20, 0.75},
	{"Asin", Asin, math.Asin, func(x *big.Float) *big.Float { return bigAtan2(x, bigCosine(x)) }, -1, 1, 0.64},
	{"Acos", Acos, math.Acos, func(x *big.Float) *big.Float { return bigAtan2(bigCosine(x), x) }, -1, 1, 0.64},
	{"Atan", Atan, math.Atan, bigAtan, -20, 20, 0.72},
	{"Exp", Exp, math.Exp, bigExp, -20, 20, 0.52},
	{"Log", Log, math.Log, bigLog, 0.25, 4, 0.6},
	{"Log10", Log10, math.Log10, func(x *big.Float) *big.Float { return quo(bigLog(x), ln10) }, 0.25, 4, 0.52},
	{"Sinh", Sinh, math.Sinh, bigSinh, -20, 20, 0.54},
	{"Cosh", Cosh, math.Cosh, bigCosh, -20, 20, 0.52},
	{"Tanh", Tanh, math.Tanh, func(x *big.Float) *big.Float { return quo(bigSinh(x), bigCosh(x)) }, -20, 20, 0.54},
}

var binary = []struct {
	name     string
	f, loose func(a, b float64) float64
	want     func(a, b *big.Float) *big.Float
	limit    float64
}{
	{"Atan2", Atan2, math.Atan2, bigAtan2, 0.75},
	{"Pow", Pow, math.Pow, bigPow, 0.56},
}

func bigCosine(x *big.Float) *big.Float {
	return bigSqrt(mul(sub(newBig(1), x), add(newBig(1), x)))
}

func bigPow(x, y *big.Float) *big.Float {
	negative := false
	if x.Sign() < 0 {
		n, _ := y.Int(nil)
		negative = n.Bit(0) == 1
		x = new(big.Float).Neg(x)
	}
	v := bigExp(mul(y, bigLog(x)))
	if negative {
		v.Neg(v)
	}
	return v
}

// nasty are arguments at which something changes.
func nasty() []float64 {
	var list []float64
	for _, x := range []float64{
		0, 1, 2, 3, 4, 10, 22, 0.5, 0.25, 1.0 / 3, 0.375, 0.1, 100, 1000, math.Pi, math.Pi / 2, math.Pi / 4, 3 * math.Pi / 4, 2 * math.Pi, math.E,
		math.Ln2, math.Sqrt2, 1 / math.Sqrt2, 1e15, 1e16, 1e22, 1e300, 0x1p20, 0x1p26, 0x1p27, 0x1p31, 0x1p32, 0x1p52, 0x1p53, 0x1p63, 0x1p64, 0x1p1023,
		0x1p-26, 0x1p-27, 0x1p-54, 0x1p-60, 0x1p-1022, 0x1p-1074, math.MaxFloat64, 709.782712893384, 710.4758600739439, -708.3964185322641, -745.1332191019411,
		6381956970095103 * 0x1p797, // comes nearest to a multiple of pi/2
		1.0 / 256, 127.0 / 128, 129.0 / 128, 1 + 1.0/256,
	} {
		for _, y := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)), 0.75 * x} {
			list = append(list, y, -y)
		}
	}
	return list
}

func finite(x float64) bool { return x-x == 0 }

// anyFloat draws from all floats alike, so half are huge and half tiny.
func anyFloat(r *rand.Rand) float64 {
	for {
		if x := math.Float64frombits(r.Uint64()); finite(x) {
			return x
		}
	}
}

// draws are n arguments: nasty ones, then by turns any, of middling size, and from the range where the function is used.
func draws(r *rand.Rand, n int, from, to float64) []float64 {
	list := nasty()
	for i := range n {
		switch i % 4 {
		case 0:
			list = append(list, anyFloat(r))
		case 1:
			list = append(list, math.Ldexp(2*r.Float64()-1, r.IntN(80)-60))
		default:
			list = append(list, from+r.Float64()*(to-from))
		}
	}
	return list
}

// TestAccuracy measures against the true value. The limits are what the algorithm promises; one ulp would still be right.
func TestAccuracy(t *testing.T) {
	const n = 1500
	for _, u := range unary {
		t.Run(u.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			worst, at := 0.0, 0.0
			for _, x := range draws(r, n, u.from, u.to) {
				if !defined(u.name, x, u.loose(x)) {
					continue
				}
				if off := ulps(u.f(x), u.want(newBig(x))); off > worst {
					worst, at = off, x
				}
			}
			t.Logf("%.4f ulp at %v", worst, at)
			if worst > u.limit {
				t.Errorf("%s(%v) = %v is %.3f ulp off, more than %v", u.name, at, u.f(at), worst, u.limit)
			}
		})
	}
	for _, u := range binary {
		t.Run(u.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			worst, at := 0.0, ""
			try := func(a, b float64) {
				v := u.loose(a, b)
				if a == 0 || b == 0 || !finite(a) || !finite(b) || v != v || u.name == "Pow" && tooFar(a, b) {
					return
				}
				if off := ulps(u.f(a, b), u.want(newBig(a), newBig(b))); off > worst {
					worst, at = off, fmt.Sprintf("(%v, %v) = %v, math says %v", a, b, u.f(a, b), v)
				}
			}
			xs := nasty()
			for range n {
				try(anyFloat(r), anyFloat(r))
				try(20*r.Float64()-10, 20*r.Float64()-10)
				try(math.Exp(40*r.Float64()-20), 80*r.Float64()-40)
				try(1+math.Ldexp(r.Float64()-0.5, -r.IntN(40)), math.Ldexp(r.Float64(), r.IntN(40)))
				try(float64(r.IntN(2000)), float64(r.IntN(60)-30))
				try(xs[r.IntN(len(xs))], xs[r.IntN(len(xs))])
			}
			t.Logf("%.4f ulp at %s", worst, at)
			if worst > u.limit {
				t.Errorf("%s%s is %.3f ulp off, more than %v", u.name, at, worst, u.limit)
			}
		})
	}
}

// defined says whether x has a value to compare with: math says so, and big numbers would not take for ever.
func defined(name string, x, loose float64) bool {
	if !finite(x) {
		return false
	}
	switch name {
	case "Log", "Log10":
		return x > 0
	case "Exp", "Sinh", "Cosh", "Tanh":
		return math.Abs(x) < 746
	case "Asin", "Acos":
		return math.Abs(x) <= 1
	}
	return loose == loose
}

// tooFar: the power is so far outside the range that its exponent is no number to compute with.
func tooFar(a, b float64) bool { return !(math.Abs(b*math.Log(math.Abs(a))) < 800) }
