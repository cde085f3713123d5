package design

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file has Sobol numbers (Sobol', USSR Computational Mathematics and Mathematical Physics 7, 1967) with the directions of S. Joe and F. Y. Kuo
// ("Constructing Sobol sequences with better two-dimensional projections", SIAM Journal on Scientific Computing 30, 2008; the file
// new-joe-kuo-6), in the order of the Gray code (Antonov and Saleev, 1979).

//go:embed directions.txt
var directions string

const wordBits = 32

// A sequence is Sobol numbers of some dimensions.
type sequence struct {
	v [][wordBits]uint32 // directions, by dimension
}

// newSequence returns the sequence of so many dimensions, at most config.MostSobolKeys.
func newSequence(dimensions int) sequence {
	s := sequence{make([][wordBits]uint32, dimensions)}
	lines := strings.Split(directions, "\n")
	for d := range s.v {
		v := &s.v[d]
		if d == 0 {
			for i := range v {
				v[i] = 1 << (wordBits - 1 - i)
			}
			continue
		}
		var number, degree, polynomial int
		in := strings.NewReader(lines[d-1])
		if _, err := fmt.Fscan(in, &number, &degree, &polynomial); err != nil || number != d+1 {
			panic("design: no directions for this dimension")
		}
		for i := range degree {
			var m uint32
			if _, err := fmt.Fscan(in, &m); err != nil {
				panic("design: a direction is missing")
			}
			v[i] = m << (wordBits - 1 - i)
		}
		for i := degree; i < wordBits; i++ {
			v[i] = v[i-degree] ^ v[i-degree]>>degree
			for k := 1; k < degree; k++ {
				if polynomial>>(degree-1-k)&1 == 1 {
					v[i] ^= v[i-k]
				}
			}
		}
	}
	return s
}

// at returns a coordinate of a point as a fraction of 2^32. The first point, 0, is the corner.
func (s sequence) at(i, dimension int) uint32 {
	x, gray := uint32(0), uint64(i)^uint64(i)>>1
	for b := 0; gray != 0; b++ {
		if gray&1 == 1 {
			x ^= s.v[dimension][b]
		}
		gray >>= 1
	}
	return x
}

func unit(x uint32) float64 { return float64(x) / (1 << wordBits) }

// sobol has the points of a sequence without the first one.
type sobol struct {
	n int
	sequence
}

func (s sobol) Len() int { return s.n }

func (s sobol) At(i int, u []float64) {
	for k := range u {
		u[k] = unit(s.at(i+1, k))
	}
}

// scramble permutes the digits of a coordinate so that each half, quarter, … of the side stays one: Owen's scrambling (1995) by the hash of Laine and Karras
// ("Stratified sampling for stochastic transparency", Eurographics Symposium on Rendering, 2011), which works from the lowest digit, so digits are reversed before and after.
func scramble(x, seed uint32) uint32 {
	x = reverse(x)
	x += seed
	x ^= x * 0x6c50b47c
	x ^= x * 0xb82f1e52
	x ^= x * 0xc7afe638
	x ^= x * 0x8d22f6e6
	return reverse(x)
}

func reverse(x uint32) uint32 {
	x = x>>1&0x55555555 | x&0x55555555<<1
	x = x>>2&0x33333333 | x&0x33333333<<2
	x = x>>4&0x0f0f0f0f | x&0x0f0f0f0f<<4
	x = x>>8&0x00ff00ff | x&0x00ff00ff<<8
	return x>>16 | x<<16
}

// saltelli is the design for Sobol indices (Saltelli and others, Computer Physics Communications 181, 2010): of each of n base points A and B, the point A, the point B,
// and for each key the point A with the coordinate of B. A and B are the halves of a scrambled Sobol point.
type saltelli struct {
	n, keys int
	sequence
	seeds []uint32
}

func newSaltelli(n, keys int, seed uint64) saltelli {
	s := saltelli{n, keys, newSequence(2 * keys), make([]uint32, 2*keys)}
	from := rand.New(rand.NewPCG(seed, 0))
	for i := range s.seeds {
		s.seeds[i] = from.Uint32()
	}
	return s
}

func (s saltelli) Len() int { return s.n * (s.keys + 2) }

func (s saltelli) At(i int, u []float64) {
	base, which := i/(s.keys+2), i%(s.keys+2)
	for k := range u {
		d := k
		if which == 1 || which == k+2 {
			d += s.keys
		}
		u[k] = unit(scramble(s.at(base+1, d), s.seeds[d]))
	}
}
