package design

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/config"
)

func points(t *testing.T, d config.Design, levels ...int) [][]float64 {
	t.Helper()
	list, err := New(d, levels)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float64, list.Len())
	for i := range out {
		out[i] = make([]float64, len(levels))
		list.At(i, out[i])
		for _, u := range out[i] {
			if u < 0 || u > 1+1e-12 {
				t.Fatalf("%s: point %d: %v", d.Kind, i, out[i])
			}
		}
	}
	return out
}

// The first points of the sequence as Joe and Kuo's program prints them, without the corner.
func TestSobolNumbers(t *testing.T) {
	got := points(t, config.Design{Kind: config.DesignSobol, Points: 9}, 0, 0, 0)
	want := [][]float64{{0.5, 0.5, 0.5}, {0.75, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.375, 0.375, 0.625}, {0.875, 0.875, 0.125}, {0.625, 0.125, 0.875}, {0.125, 0.625, 0.375}, {0.1875, 0.3125, 0.9375}, {0.6875, 0.8125, 0.4375}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// In each dimension, 2^k numbers from the corner on have one in each of 2^k equal parts, and so they have when they are scrambled.
func TestSobolNumbersFillEachSide(t *testing.T) {
	s := newSequence(config.MostSobolKeys)
	const n = 256
	for d := range s.v {
		var plain, mixed []int
		for i := range n {
			plain = append(plain, int(s.at(i, d)>>24))
			mixed = append(mixed, int(scramble(s.at(i, d), 0xabcd)>>24))
		}
		slices.Sort(plain)
		slices.Sort(mixed)
		for i := range n {
			if plain[i] != i || mixed[i] != i {
				t.Fatalf("dimension %d: part %d has %d, scrambled %d", d, i, plain[i], mixed[i])
			}
		}
	}
	if bits.Reverse32(0x12345678) != reverse(0x12345678) {
		t.Error("reverse")
	}
}

func TestLatinHypercube(t *testing.T) {
	const n = 50
	list := points(t, config.Design{Kind: config.DesignLHS, Points: n, Seed: 7}, 0, 0, 0)
	for k := range 3 {
		seen := map[int]bool{}
		for _, p := range list {
			seen[int(p[k]*n)] = true
		}
		if len(seen) != n {
			t.Errorf("key %d: %d of %d parts have a point", k, len(seen), n)
		}
	}
	again := points(t, config.Design{Kind: config.DesignLHS, Points: n, Seed: 7}, 0, 0, 0)
	other := points(t, config.Design{Kind: config.DesignLHS, Points: n, Seed: 8}, 0, 0, 0)
	if fmt.Sprint(list) != fmt.Sprint(again) || fmt.Sprint(list) == fmt.Sprint(other) {
		t.Error("the seed does not decide the points")
	}
}

// More random points begin with the same ones.
func TestRandomPointsStay(t *testing.T) {
	few := points(t, config.Design{Kind: config.DesignRandom, Points: 10, Seed: 3}, 0, 0)
	many := points(t, config.Design{Kind: config.DesignRandom, Points: 20, Seed: 3}, 0, 0)
	if fmt.Sprint(few) != fmt.Sprint(many[:10]) {
		t.Error("other points")
	}
}

func TestGrid(t *testing.T) {
	got := points(t, config.Design{Kind: config.DesignGrid, Steps: 3}, 2, 0)
	want := [][]float64{{0, 0}, {0, 0.5}, {0, 1}, {1, 0}, {1, 0.5}, {1, 1}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
	if _, err := New(config.Design{Kind: config.DesignGrid, Steps: 1 << 20}, []int{0, 0}); err == nil {
		t.Error("a grid without end")
	}
	for i, u := range []float64{0, 0.5, 1} {
		if Index(config.DesignGrid, u, 3) != i {
			t.Errorf("index of %v", u)
		}
	}
	if Index(config.DesignLHS, 0.999, 3) != 2 || Index(config.DesignLHS, 0.34, 3) != 1 {
		t.Error("index of a part")
	}
}

// Each trajectory changes each key once, by the same step, between levels.
func TestMorris(t *testing.T) {
	const keys, levels = 4, 6
	list := points(t, config.Design{Kind: config.DesignMorris, Points: 30, Levels: levels, Seed: 1}, make([]int, keys)...)
	step := float64(levels) / (2 * (levels - 1))
	for from := 0; from < len(list); from += keys + 1 {
		changed := map[int]int{}
		for i := from + 1; i <= from+keys; i++ {
			for k := range keys {
				if d := math.Abs(list[i][k] - list[i-1][k]); d > 1e-9 {
					changed[k]++
					if math.Abs(d-step) > 1e-9 {
						t.Fatalf("a step of %v", d)
					}
				}
				if at := list[i][k] * (levels - 1); math.Abs(at-math.Round(at)) > 1e-9 {
					t.Fatalf("%v is no level", list[i][k])
				}
			}
		}
		if fmt.Sprint(changed) != "map[0:1 1:1 2:1 3:1]" {
			t.Fatalf("trajectory at %d changes %v", from, changed)
		}
	}
}

func TestSaltelli(t *testing.T) {
	const keys = 3
	list := points(t, config.Design{Kind: config.DesignSaltelli, Points: 16, Seed: 5}, make([]int, keys)...)
	if len(list) != 16*(keys+2) {
		t.Fatalf("%d points", len(list))
	}
	for base := 0; base < len(list); base += keys + 2 {
		a, b := list[base], list[base+1]
		for k := range keys {
			for i, u := range list[base+2+k] {
				if want := map[bool]float64{true: b[i], false: a[i]}[i == k]; u != want {
					t.Fatalf("point %d", base+2+k)
				}
			}
		}
	}
}
