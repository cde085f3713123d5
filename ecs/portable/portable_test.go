package portable

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

var odd = []float64{
	0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, 0x1p-1074, -0x1p-1074, 0x1p53, -0x1p53,
	0x1p53 - 1, 1 - 0x1p53, math.MaxFloat64, -math.MaxFloat64,
}

// TestOdd: zeros, infinities and NaN go as in package math, which has them from C. Ordinary values are measured in TestAccuracy; math is off
// for some of them (Log of a subnormal, Atan2 where y/x underflows).
func TestOdd(t *testing.T) {
	near := func(got, want float64, args ...float64) bool {
		ordinary := finite(want) && want != 0
		for _, x := range args {
			ordinary = ordinary && finite(x) && x != 0
		}
		return ordinary || same(got, want) || finite(want) && want != 0 && math.Abs(got-want) <= 4e-16*math.Abs(want)
	}
	for _, u := range unary {
		for _, x := range odd {
			want := u.loose(x)
			if got := u.f(x); !near(got, want, x) {
				t.Errorf("%s(%v) = %v, want %v", u.name, x, got, want)
			}
		}
	}
	for _, x := range odd {
		for _, y := range odd {
			for _, f := range []struct {
				name      string
				got, want float64
			}{
				{"Atan2", Atan2(x, y), math.Atan2(x, y)},
				{"Pow", Pow(x, y), math.Pow(x, y)},
				{"Fmod", Fmod(x, y), math.Mod(x, y)},
			} {
				if !near(f.got, f.want, x, y) {
					t.Errorf("%s(%v, %v) = %v, want %v", f.name, x, y, f.got, f.want)
				}
			}
		}
	}
}

// TestExact: a true value that is representable is the result.
func TestExact(t *testing.T) {
	check := func(what string, got, want float64) {
		t.Helper()
		if !same(got, want) {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	for n := -1074; n < 1024; n++ {
		check(fmt.Sprintf("2^%d", n), Pow(2, float64(n)), math.Ldexp(1, n))
		check(fmt.Sprintf("0.5^%d", -n), Pow(0.5, float64(-n)), math.Ldexp(1, n))
		if n%2 == 0 {
			check(fmt.Sprintf("4^%d", n/2), Pow(4, float64(n/2)), math.Ldexp(1, n))
			check(fmt.Sprintf("(2^%d)^0.5", n), Pow(math.Ldexp(1, n), 0.5), math.Ldexp(1, n/2))
		}
	}
	for base := 3; base < 200; base++ {
		for n, want := 1, float64(base); want < 0x1p53; n, want = n+1, want*float64(base) {
			check(fmt.Sprintf("%d^%d", base, n), Pow(float64(base), float64(n)), want)
			check(fmt.Sprintf("(-%d)^%d", base, n), Pow(float64(-base), float64(n)), want*float64(1-2*(n&1)))
			if n%2 == 0 {
				check(fmt.Sprintf("%v^1.5", want), Pow(float64(base*base), 1.5), float64(base*base*base))
			}
		}
	}
	for n, want := 0, 1.0; n <= 22; n, want = n+1, want*10 {
		check(fmt.Sprintf("10^%d", n), Pow(10, float64(n)), want)
		check(fmt.Sprintf("log10 1e%d", n), Log10(want), float64(n))
	}
	check("exp 0", Exp(0), 1)
	check("log 1", Log(1), 0)
	check("cos 0", Cos(0), 1)
	check("cosh 0", Cosh(0), 1)
	check("acos 1", Acos(1), 0)
	check("atan2(-1, 0)", Atan2(-1, 0), -math.Pi/2)
}

// TestSquaresAreTheInterpreters: x^2 is computed by the Lua interpreter with math.Pow, so both must agree, also where the square is subnormal.
func TestSquaresAreTheInterpreters(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		for _, x := range []float64{anyFloat(r), math.Ldexp(r.Float64()-0.5, -500-r.IntN(50))} {
			for _, y := range []float64{2, 0.5, 1, 0} {
				if got, want := Pow(x, y), math.Pow(x, y); !same(got, want) {
					t.Fatalf("Pow(%v, %v) = %v, math's is %v", x, y, got, want)
				}
			}
		}
	}
}

func TestFmodIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		for _, p := range [][2]float64{
			{anyFloat(r), anyFloat(r)},
			{float64(r.IntN(1000) - 500), float64(r.IntN(100) - 50)},
			{200*r.Float64() - 100, r.Float64() - 0.5},
			{math.Float64frombits(r.Uint64() >> 11), math.Float64frombits(r.Uint64() >> 14)},
		} {
			if got, want := Fmod(p[0], p[1]), math.Mod(p[0], p[1]); !same(got, want) {
				t.Fatalf("Fmod(%v, %v) = %v, want %v", p[0], p[1], got, want)
			}
			if m := Mod(p[0], p[1]); m != 0 && p[1] != 0 && m == m && math.Signbit(m) != math.Signbit(p[1]) {
				t.Fatalf("Mod(%v, %v) = %v has the wrong sign", p[0], p[1], m)
			}
		}
	}
	for _, c := range [][3]float64{{5, 3, 2}, {-5, 3, 1}, {5, -3, -1}, {-5, -3, -2}, {5.5, 2, 1.5}, {-1, 360, 359}} {
		if got := Mod(c[0], c[1]); got != c[2] {
			t.Errorf("Mod(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestRising: functions that rise do so from one float to the next, around the places where an algorithm changes its ways.
func TestRising(t *testing.T) {
	for _, u := range unary {
		switch u.name {
		case "Sin", "Cos", "Tan", "Acos", "Cosh":
			continue
		}
		for _, start := range draws(rand.New(rand.NewPCG(9, 10)), 200, u.from, u.to) {
			x := start
			for range 50 {
				next := math.Nextafter(x, math.Inf(1))
				if a, b := u.f(x), u.f(next); b < a {
					t.Errorf("%s falls from %v at %v to %v at %v", u.name, a, x, b, next)
				}
				x = next
			}
		}
	}
}

var update = flag.Bool("update", false, "write testdata/golden.txt anew")

// TestGolden holds the bits: wherever this runs they must be these.
func TestGolden(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(11, 12))
	line := func(name string, got float64, args ...float64) {
		fmt.Fprintf(&b, "%s", name)
		for _, x := range args {
			fmt.Fprintf(&b, " %x", x)
		}
		fmt.Fprintf(&b, " = %x\n", got)
	}
	for _, u := range unary {
		for i := range 30 {
			x := u.from + float64((u.to-u.from)*r.Float64())
			if i%5 == 0 {
				x = math.Ldexp(x, r.IntN(100)-60)
			}
			line(u.name, u.f(x), x)
		}
	}
	for range 40 {
		x, y := float64(20*r.Float64()), float64(10*r.Float64())-5
		line("Atan2", Atan2(y, x-10), y, x-10)
		line("Pow", Pow(x, y), x, y)
		line("Fmod", Fmod(x, y), x, y)
		line("Mod", Mod(x, y), x, y)
	}
	path := filepath.Join("testdata", "golden.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(strings.ReplaceAll(string(want), "\r", ""), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d lines, want %d", len(got), len(lines))
	}
	for i := range got {
		if got[i] != lines[i] {
			t.Errorf("line %d: %s, want %s", i+1, got[i], lines[i])
		}
	}
}

// FuzzAccuracy: no argument gives a result a whole unit in the last place off.
func FuzzAccuracy(f *testing.F) {
	for _, x := range nasty() {
		f.Add(x, 1.5)
	}
	f.Fuzz(func(t *testing.T, x, y float64) {
		for _, u := range unary {
			if defined(u.name, x, u.loose(x)) {
				if off := ulps(u.f(x), u.want(newBig(x))); off > 1 {
					t.Errorf("%s(%x) is %.3f ulp off", u.name, x, off)
				}
			}
		}
		for _, u := range binary {
			if v := u.loose(x, y); x == 0 || y == 0 || !finite(x) || !finite(y) || v != v || u.name == "Pow" && tooFar(x, y) {
				continue
			}
			if off := ulps(u.f(x, y), u.want(newBig(x), newBig(y))); off > 1 {
				t.Errorf("%s(%x, %x) is %.3f ulp off", u.name, x, y, off)
			}
		}
	})
}
