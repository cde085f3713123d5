package ecs

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/bits"
)

// A Random is a stream of random numbers. For the same seed and name it is the same on every machine. The
// generator is PCG-DXSM, as in math/rand/v2; the generator and the mappings to ranges are written out here, so
// that no change of a library can alter a run.
type Random struct {
	name   string
	seed   uint64 // of the run
	at     RandomState
	listed bool // it is in World.streams; false after a restore to a time before its first use
}

// Random returns the running system's stream; between systems, the stream named "".
func (w *World) Random() *Random {
	w.mustBeAlone()
	switch sys := w.system; {
	case sys == nil:
		return w.Stream("")
	case sys.random == nil:
		return w.Stream(sys.spec.stream())
	default:
		return sys.random
	}
}

// Stream returns the stream of that name, which starts from the world's seed and the name. It is made at the first
// call, and is part of the world's digest from then on.
func (w *World) Stream(name string) *Random {
	made(len(w.tables) != 0, "World", "ecs.NewWorld")
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

// restart sets the state from a seed and the stream's name.
func (r *Random) restart(seed uint64) {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(r.name))
	r.at = RandomState{seed, h.Sum64()}
}

// Seed restarts the stream from v, combined with the run's seed and the stream's name: two systems that call Seed
// with the same number get different streams.
func (r *Random) Seed(v float64) {
	r.restart(r.seed ^ bits.RotateLeft64(canonicalBits(v), 17))
}

// A RandomState is the state of a stream, 128 bits. It is meaningful for that stream only.
type RandomState struct{ Hi, Lo uint64 }

// next advances the state and returns 64 random bits.
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

// Advance returns the state after n more numbers have been drawn. It takes about 2 log2(n) multiplications.
func (s RandomState) Advance(n uint64) RandomState {
	// A step is x -> mul*x + inc. Two of them are one with mul*mul and mul*inc + inc: so steps are doubled, bit by bit of n.
	mul, inc := RandomState{PCGMulHi, PCGMulLo}, RandomState{PCGIncHi, PCGIncLo}
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			s = s.times(mul).plus(inc)
		}
		mul, inc = mul.times(mul), mul.times(inc).plus(inc)
	}
	return s
}

// times returns the product, modulo 2^128.
func (s RandomState) times(o RandomState) RandomState {
	hi, lo := bits.Mul64(s.Lo, o.Lo)
	return RandomState{hi + s.Hi*o.Lo + s.Lo*o.Hi, lo}
}

// plus returns the sum, modulo 2^128.
func (s RandomState) plus(o RandomState) RandomState {
	lo, carry := bits.Add64(s.Lo, o.Lo, 0)
	hi, _ := bits.Add64(s.Hi, o.Hi, carry)
	return RandomState{hi, lo}
}

// Float64 returns a number in [0, 1), with 53 random bits.
func (r *Random) Float64() float64 { return float64(float64(r.at.next()>>11) * (1.0 / (1 << 53))) }

// Between returns a whole number from lo to hi, both included, each with the same probability; lo if hi < lo.
// Fractions are rounded inwards, and bounds beyond 2^53 are replaced by 2^53.
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
