package ecs

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"
	"math/rand/v2"
)

// A Random is a stream of random numbers that is the same on every machine for the same seed and name. The generator is PCG-DXSM, as
// math/rand/v2 specifies it; the mappings to ranges are written out here so that no library change can alter a run.
type Random struct {
	name string
	seed uint64 // of the run
	pcg  rand.PCG
}

// Random returns the running system's stream; between systems, that of the world's caller, named "".
func (w *World) Random() *Random {
	if w.system != nil {
		return w.system.random
	}
	return w.Stream("")
}

// Stream returns the stream of that name, derived from the world's seed and the name. It is made at the first call and is part of the
// world's digest from then on.
func (w *World) Stream(name string) *Random {
	for _, r := range w.streams {
		if r.name == name {
			return r
		}
	}
	r := &Random{name: name, seed: w.options.Seed}
	r.restart(w.options.Seed)
	w.streams = append(w.streams, r)
	return r
}

func (r *Random) restart(seed uint64) {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(r.name))
	r.pcg.Seed(seed, h.Sum64())
}

// Seed restarts the stream from a number of the caller's; the run's seed and the stream's name still take part, so that two systems that
// seed alike do not draw alike.
func (r *Random) Seed(v float64) {
	r.restart(r.seed ^ bits.RotateLeft64(canonicalBits(v), 17))
}

// A RandomState is where a stream stands. It belongs to that stream.
type RandomState struct{ pcg rand.PCG }

// Save returns where the stream stands.
func (r *Random) Save() RandomState { return RandomState{r.pcg} }

// PutBack makes the stream go on from a state it was in.
func (r *Random) PutBack(s RandomState) { r.pcg = s.pcg }

// Float64 returns a number in [0, 1), with 53 random bits.
func (r *Random) Float64() float64 { return float64(r.pcg.Uint64()>>11) * (1.0 / (1 << 53)) }

// Between returns a whole number from lo to hi, both included, each equally likely; lo when hi < lo. Bounds beyond 2^53 are cut there.
func (r *Random) Between(lo, hi float64) float64 {
	const limit = 1 << 53
	lo, hi = max(-limit, math.Ceil(lo)), min(limit, math.Floor(hi))
	if !(lo <= hi) {
		return lo
	}
	n := uint64(hi-lo) + 1
	return lo + float64(r.below(n))
}

// below returns a number in [0, n) without bias (Lemire, "Fast random integer generation in an interval", 2019).
func (r *Random) below(n uint64) uint64 {
	hi, lo := bits.Mul64(r.pcg.Uint64(), n)
	if lo < n {
		threshold := -n % n
		for lo < threshold {
			hi, lo = bits.Mul64(r.pcg.Uint64(), n)
		}
	}
	return hi
}

// state returns the generator's state for digests.
func (r *Random) state() []byte {
	b, err := r.pcg.MarshalBinary()
	if err != nil {
		panic("ecs: state of a random stream: " + err.Error())
	}
	return b
}
