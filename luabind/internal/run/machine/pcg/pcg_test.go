package pcg

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const (
	frameAt = 256
	stateAt = 64 // in the frame
)

// A drawing is code that draws numbers in a row: functions of the frame and of n. The reference is the generator of math/rand/v2, which has
// the same constants.
type drawing struct {
	t    *testing.T
	m    api.Module
	want *rand.PCG
}

// draws makes a drawing of one function, "draw", that leaves 64 bits on the stack.
func draws(t *testing.T, write func(g *Generator)) *drawing {
	t.Helper()
	f := &wasm.Function{Params: []byte{wasm.I32, wasm.I64}, Results: []byte{wasm.I64}}
	g := New(f, stateAt)
	g.BeginRow()
	write(g)
	module := &wasm.Module{Pages: 1, Functions: []*wasm.Function{f}, Exports: []string{"draw"}}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = r.Close(ctx) })
	m, err := r.Instantiate(ctx, module.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return &drawing{t: t, m: m}
}

func (d *drawing) seed(high, low uint64) {
	d.want = rand.NewPCG(high, low)
	d.m.Memory().WriteUint64Le(frameAt+stateAt+abi.StreamHigh, high)
	d.m.Memory().WriteUint64Le(frameAt+stateAt+abi.StreamLow, low)
}

func (d *drawing) draw(n uint64) uint64 {
	d.t.Helper()
	out, err := d.m.ExportedFunction("draw").Call(context.Background(), frameAt, n)
	if err != nil {
		d.t.Fatal(err)
	}
	return out[0]
}

// below is what ecs.Random does with 64 random bits.
func (d *drawing) below(n uint64) uint64 {
	for {
		high, low := bits.Mul64(d.want.Uint64(), n)
		if low >= n || low >= -n%n {
			return high
		}
	}
}

var seeds = [][2]uint64{{0, 0}, {1, 2}, {^uint64(0), ^uint64(0)}, {1 << 63, 0}, {0, 1 << 63}, {0x0123456789abcdef, 0xfedcba9876543210}, {0, 0xffffffff}, {0xffffffff00000000, 0xffffffff}}

func TestBits(t *testing.T) {
	d := draws(t, func(g *Generator) { g.Bits() })
	for _, s := range seeds {
		d.seed(s[0], s[1])
		for i := range 200 {
			if got, want := d.draw(0), d.want.Uint64(); got != want {
				t.Fatalf("seed %x, draw %d: %x, want %x", s, i, got, want)
			}
		}
	}
}

// Large numbers reject about half of all draws.
var below = []uint64{1, 2, 3, 6, 255, 256, 1e9 + 7, 1 << 32, 1<<32 + 1, 1<<53 + 1, 1<<54 + 1, 1<<63 + 1, 3 << 62}

func TestBelow(t *testing.T) {
	for _, n := range below {
		d := draws(t, func(g *Generator) { g.Below(n) })
		for _, s := range seeds {
			d.seed(s[0], s[1])
			for i := range 50 {
				if got, want := d.draw(0), d.below(n); got != want {
					t.Fatalf("below %d, seed %x, draw %d: %d, want %d", n, s, i, got, want)
				}
			}
		}
	}
}

func TestBelowALocal(t *testing.T) {
	d := draws(t, func(g *Generator) { g.BelowLocal(1) })
	for _, n := range below {
		for _, s := range seeds {
			d.seed(s[0], s[1])
			for i := range 50 {
				if got, want := d.draw(n), d.below(n); got != want {
					t.Fatalf("below %d, seed %x, draw %d: %d, want %d", n, s, i, got, want)
				}
			}
		}
	}
}

// A row that draws twice and is undone leaves the state that it began with; one that draws nothing leaves everything.
func TestUndoARow(t *testing.T) {
	d := draws(t, func(g *Generator) {
		g.Get(1)
		g.Op(wasm.I64Eqz)
		g.Then(wasm.I64)
		g.I64(0)
		g.Otherwise()
		g.Bits()
		g.Op(wasm.Drop)
		g.Bits()
		g.End()
		g.UndoRow()
	})
	for _, s := range seeds {
		d.seed(s[0], s[1])
		for _, n := range []uint64{0, 1, 0, 1} {
			want := uint64(0)
			if n > 0 {
				again := rand.NewPCG(s[0], s[1])
				again.Uint64()
				want = again.Uint64()
			}
			if got := d.draw(n); got != want {
				t.Fatalf("seed %x: %x, want %x", s, got, want)
			}
			high, _ := d.m.Memory().ReadUint64Le(frameAt + stateAt + abi.StreamHigh)
			low, _ := d.m.Memory().ReadUint64Le(frameAt + stateAt + abi.StreamLow)
			if high != s[0] || low != s[1] {
				t.Fatalf("the state is %x %x, want %x", high, low, s)
			}
		}
	}
}
