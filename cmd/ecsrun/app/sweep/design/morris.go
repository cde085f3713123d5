package design

import "math/rand/v2"

// morris has n trajectories (Morris, "Factorial sampling plans for preliminary computational experiments", Technometrics 33, 1991): each begins at a random point
// of a grid of p levels, and changes one key after another, in random order, by p / (2 (p - 1)).
type morris struct {
	n, keys, levels int
	seed            uint64
}

func (m morris) Len() int { return m.n * (m.keys + 1) }

// step returns the length of a step.
func (m morris) step() float64 { return float64(m.levels) / float64(2*(m.levels-1)) }

func (m morris) At(i int, u []float64) {
	from := rand.New(rand.NewPCG(m.seed, uint64(i/(m.keys+1))))
	up := make([]bool, m.keys)
	for k := range u {
		low := from.IntN(m.levels / 2)
		up[k] = from.IntN(2) == 1
		u[k] = float64(low) / float64(m.levels-1)
		if !up[k] {
			u[k] += m.step()
		}
	}
	order := from.Perm(m.keys)
	for _, k := range order[:i%(m.keys+1)] {
		if up[k] {
			u[k] += m.step()
		} else {
			u[k] -= m.step()
		}
	}
}
