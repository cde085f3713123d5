package design

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/gonum/stat/sampleuv"
)

// random has independent uniform points. Each point has a generator of its own, PCG (O'Neill, 2014), so that more points keep the first ones.
type random struct {
	n    int
	seed uint64
}

func (r random) Len() int { return r.n }

func (r random) At(i int, u []float64) {
	from := rand.New(rand.NewPCG(r.seed, uint64(i)))
	for k := range u {
		u[k] = from.Float64()
	}
}

// A hypercube is a Latin hypercube (McKay, Beckman and Conover, Technometrics 21, 1979): each of n equal parts of each side has one point.
type hypercube struct {
	n     int
	sides [][]float64
}

func newHypercube(n, keys int, seed uint64) hypercube {
	h := hypercube{n, make([][]float64, keys)}
	for k := range h.sides {
		h.sides[k] = make([]float64, n)
		sampleuv.LatinHypercube{Q: distuv.UnitUniform, Src: rand.NewPCG(seed, uint64(k))}.Sample(h.sides[k])
	}
	return h
}

func (h hypercube) Len() int { return h.n }

func (h hypercube) At(i int, u []float64) {
	for k := range u {
		u[k] = h.sides[k][i]
	}
}
