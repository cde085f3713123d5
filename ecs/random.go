package ecs

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"
)

// A Random is a stream of random numbers that is the same on every machine for the same seed and name. The generator is PCG-DXSM, as
// math/rand/v2 has it; it and the mappings to ranges are written out here so that no library change can alter a run.
type Random struct {
	name   string
	seed   uint64 // of the run
	at     RandomState
	listed bool // it is one of World.streams; false for one whose first use Restore took back
}

// Random returns the running system's stream; between systems, that of the world's caller, named "".
func (w *World) Random() *Random {
	w.mustBeAlone()
	if w.system != nil {
		return w.system.random
	}
	return w.Stream("")
}

// Stream returns the stream of that name, derived from the world's seed and the name. It is made at the first call and is part of the
// world's digest from then on.
func (w *World) Stream(name string) *Random {
	w.mustBeAlone()
	r := w.streamNamed[name]
	if r == nil {
		r = &Random{name: name, seed: w.options.Seed}
		r.restart(r.seed)
		w.streamNamed[name] = r
	}
	if !r.listed {
		r.listed = true
		w.streams = append(w.streams, r)
	}
	return r
}

func (r *Random) restart(seed uint64) {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(r.name))
	r.at = RandomState{seed, h.Sum64()}
}

// Seed restarts the stream from a number of the caller's; the run's seed and the stream's name still take part, so that two systems that
// seed alike do not draw alike.
func (r *Random) Seed(v float64) {
	r.restart(r.seed ^ bits.RotateLeft64(canonicalBits(v), 17))
}

// A RandomState is where a stream stands: the generator's 128 bits, high and low. It belongs to that stream.
type RandomState struct{ Hi, Lo uint64 }

// The generator goes from a state to state * (PCGMulHi<<64 + PCGMulLo) + PCGIncHi<<64 + PCGIncLo, modulo 2^128. The 64 bits that it gives
// are hi * (lo | 1) of the new state, once hi was changed: hi ^= hi >> 32, hi *= PCGMix, hi ^= hi >> 48.
const (
	PCGMulHi = 2549297995355413924
	PCGMulLo = 4865540595714422341
	PCGIncHi = 6364136223846793005
	PCGIncLo = 1442695040888963407
	PCGMix   = 0xda942042e4dd58b5
)

// next moves on and gives 64 random bits.
func (s *RandomState) next() uint64 {
	hi, lo := bits.Mul64(s.Lo, PCGMulLo)
	hi += s.Hi*PCGMulLo + s.Lo*PCGMulHi
	lo, carry := bits.Add64(lo, PCGIncLo, 0)
	hi, _ = bits.Add64(hi, PCGIncHi, carry)
	s.Hi, s.Lo = hi, lo
	hi ^= hi >> 32
	hi *= PCGMix
	hi ^= hi >> 48
	return hi * (lo | 1)
}

// Float64 returns a number in [0, 1), with 53 random bits.
func (r *Random) Float64() float64 { return float64(r.at.next()>>11) * (1.0 / (1 << 53)) }

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
	hi, lo := bits.Mul64(r.at.next(), n)
	if lo < n {
		threshold := -n % n
		for lo < threshold {
			hi, lo = bits.Mul64(r.at.next(), n)
		}
	}
	return hi
}

// state returns the generator's state for digests.
func (r *Random) state() []byte {
	b := append(make([]byte, 0, 20), "pcg:"...)
	b = binary.BigEndian.AppendUint64(b, r.at.Hi)
	return binary.BigEndian.AppendUint64(b, r.at.Lo)
}
