package snapfile

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// Values come back, whatever their width, number and order, also among other bytes.
func TestValuesComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		var want, out bytes.Buffer
		w := NewWriter(&out)
		w.Begin("values")
		for range 1 + rng.IntN(6) {
			width := []int{1, 2, 4, 8}[rng.IntN(4)]
			p := make([]byte, width*rng.IntN([]int{3, 200, 5000, 40000}[rng.IntN(4)]))
			for i := 0; i+8 <= len(p); i += 8 {
				switch round % 4 {
				case 0:
					binary.LittleEndian.PutUint64(p[i:], rng.Uint64())
				case 1:
					binary.LittleEndian.PutUint64(p[i:], math.Float64bits(rng.Float64()*1000))
				case 2:
					binary.LittleEndian.PutUint64(p[i:], uint64(i/8))
				}
			}
			if width == 1 {
				w.Write(p)
			} else {
				w.Values(p, width)
			}
			want.Write(p)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := Read(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Bytes("values")
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("round %d: %d bytes, want %d; %v", round, len(got), want.Len(), err)
		}
	}
}

// Values that are alike take little room, and noise takes no more than itself.
func TestValuesAreCompressed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 100_000
	for what, c := range map[string]struct {
		value func(i int) uint64
		most  float64 // bytes per value
	}{
		"a constant":         {func(int) uint64 { return 77 }, 0.01},
		"numbers in a row":   {func(i int) uint64 { return uint64(i) }, 1.5},
		"places in a world":  {func(int) uint64 { return math.Float64bits(rng.Float64() * 1000) }, 7.3},
		"noise":              {func(int) uint64 { return rng.Uint64() }, 8.01},
		"a few whole floats": {func(int) uint64 { return math.Float64bits(float64(rng.IntN(100))) }, 1.7},
	} {
		p := make([]byte, 0, n*8)
		for i := range n {
			p = binary.LittleEndian.AppendUint64(p, c.value(i))
		}
		var out bytes.Buffer
		w := NewWriter(&out)
		w.Begin("values")
		w.Values(p, 8)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := float64(out.Len()) / n; got > c.most {
			t.Errorf("%s: %.3f bytes per value, want at most %.3f", what, got, c.most)
		}
	}
}

// A chunk whose checksums are right and whose content is not is damage.
func FuzzDecode(f *testing.F) {
	var e encoder
	raw := make([]byte, 4096)
	for i := range raw {
		raw[i] = byte(i * i >> 3)
	}
	for _, width := range []int{1, 2, 4, 8} {
		m, stored := e.encode(raw, width)
		f.Add(byte(m), 4096, bytes.Clone(stored))
	}
	f.Fuzz(func(t *testing.T, m byte, n int, stored []byte) {
		if n <= 0 || n > chunkSize || len(stored) == 0 || len(stored) > n || m > byte(lastMethod) || m == byte(storedMethod) && len(stored) != n {
			return // parseChunk refuses it
		}
		var d decoder
		for range 2 { // the second time with memory of the first
			if raw, err := d.decode(method(m), stored, n); err == nil && len(raw) != n {
				t.Errorf("%d bytes, want %d", len(raw), n)
			}
		}
	})
}
