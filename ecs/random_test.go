package ecs

import (
	"math/rand/v2"
	"testing"
)

// The generator is that of math/rand/v2, to the bit, and so is what of it goes into a digest.
func TestRandomIsPCG(t *testing.T) {
	w := newWorld(Options{Seed: 9})
	r := w.Stream("pcg")
	start := Raw.RandomState(r)
	want := rand.NewPCG(start.Hi, start.Lo)
	for i := range 10_000 {
		if got, n := r.at.next(), want.Uint64(); got != n {
			t.Fatalf("number %d is %x, not %x", i, got, n)
		}
	}
	state, err := want.MarshalBinary()
	if got := r.state(); err != nil || string(got) != string(state) {
		t.Errorf("it stands at %x, not at %x (%v)", got, state, err)
	}
	first := r.Float64()
	end := Raw.RandomState(r)
	Raw.PutBackRandom(r, start)
	if Raw.RandomState(r) == end || Raw.RandomState(r) != start {
		t.Error("it is not put back")
	}
	Raw.PutBackRandom(r, end)
	if again := float64(want.Uint64()>>11) / (1 << 53); first != again || Raw.RandomState(r) != end {
		t.Errorf("it gives %v, not %v", first, again)
	}
}

// A state that is advanced is the one after so many draws.
func TestAdvance(t *testing.T) {
	w := newWorld(Options{Seed: 5})
	r := w.Stream("advance")
	start := Raw.RandomState(r)
	for n := range uint64(1000) {
		if got := start.Advance(n); got != Raw.RandomState(r) {
			t.Fatalf("after %d draws it is %x, not %x", n, got, Raw.RandomState(r))
		}
		r.Float64()
	}
	if a, b := start.Advance(1<<63+12345), start.Advance(1<<62).Advance(1<<62+345).Advance(12_000); a != b {
		t.Errorf("in one step %x, in three %x", a, b)
	}
}
