package wasm

import (
	"context"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

// Numbers and instructions have the bytes that the binary format of WebAssembly gives them.
func TestEncodedBytes(t *testing.T) {
	for _, c := range []struct {
		want  string
		write func(e *Encoder)
	}{
		{"00", func(e *Encoder) { e.signed(0) }},
		{"01", func(e *Encoder) { e.signed(1) }},
		{"3f", func(e *Encoder) { e.signed(63) }},
		{"c000", func(e *Encoder) { e.signed(64) }},
		{"ff00", func(e *Encoder) { e.signed(127) }},
		{"8001", func(e *Encoder) { e.signed(128) }},
		{"ff3f", func(e *Encoder) { e.signed(8191) }},
		{"80c000", func(e *Encoder) { e.signed(8192) }},
		{"7f", func(e *Encoder) { e.signed(-1) }},
		{"40", func(e *Encoder) { e.signed(-64) }},
		{"bf7f", func(e *Encoder) { e.signed(-65) }},
		{"807f", func(e *Encoder) { e.signed(-128) }},
		{"8040", func(e *Encoder) { e.signed(-8192) }},
		{"ffbf7f", func(e *Encoder) { e.signed(-8193) }},
		{"ffffffffffffffffff00", func(e *Encoder) { e.signed(math.MaxInt64) }},
		{"8080808080808080807f", func(e *Encoder) { e.signed(math.MinInt64) }},
		{"00", func(e *Encoder) { e.unsigned(0) }},
		{"7f", func(e *Encoder) { e.unsigned(127) }},
		{"8001", func(e *Encoder) { e.unsigned(128) }},
		{"ffffffff0f", func(e *Encoder) { e.unsigned(math.MaxUint32) }},
		{"41ffffffff07", func(e *Encoder) { e.I32(math.MaxInt32) }},
		{"418080808078", func(e *Encoder) { e.I32(math.MinInt32) }},
		{"427f", func(e *Encoder) { e.I64(-1) }},
		{"44000000000000f03f", func(e *Encoder) { e.F64(1) }},
		{"440000000000000080", func(e *Encoder) { e.F64(math.Copysign(0, -1)) }},
		{"2005", func(e *Encoder) { e.Get(5) }},
		{"218001", func(e *Encoder) { e.Set(128) }},
		{"227f", func(e *Encoder) { e.Tee(127) }},
		{"1003", func(e *Encoder) { e.Call(3) }},
		{"2b008002", func(e *Encoder) { e.Memory(F64Load, 256) }},
		{"3a0000", func(e *Encoder) { e.Memory(I32Store8, 0) }},
		{"fc03", func(e *Encoder) { e.Saturating(I32TruncSatF64U) }},
		{"fd14", func(e *Encoder) { e.Vector(F64x2Splat) }},
		{"fdf601", func(e *Encoder) { e.Vector(F64x2PMin) }},
		{"fd0b0010", func(e *Encoder) { e.VectorMemory(0x0b, 16) }},
		{"03616263", func(e *Encoder) { e.text("abc") }},
		{"0702abcd", func(e *Encoder) { e.section(7, Encoder{0xab, 0xcd}) }},
	} {
		var e Encoder
		c.write(&e)
		if got := hex.EncodeToString(e); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A function counts its locals behind its parameters, and its labels from the innermost block outwards.
func TestEncodedFunction(t *testing.T) {
	f := &Function{Params: []byte{I32, I32}, Results: []byte{I32}}
	if a, b := f.Local(I64), f.Local(F64); a != 2 || b != 3 {
		t.Errorf("locals %d and %d", a, b)
	}
	out := f.Block()
	top := f.Loop()
	f.Get(0)
	f.JumpIf(out)
	f.Jump(top)
	f.End()
	f.End()
	f.Get(1)
	f.Then(I32)
	f.I32(7)
	f.Otherwise()
	f.I32(-1)
	f.End()
	const want = "02017e017c" + "0240" + "0340" + "2000" + "0d01" + "0c00" + "0b" + "0b" + "2001" + "047f" + "4107" + "05" + "417f" + "0b" + "0b"
	if got := hex.EncodeToString(f.bytes()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if f.Branches != 5 || f.Loops != 1 || f.depth != 0 || len(f.turning) != 0 {
		t.Errorf("%d branches, %d loops, depth %d", f.Branches, f.Loops, f.depth)
	}
}

// A loop counts as often as it has loops around it, itself included.
func TestLoopsWithinLoopsAreCounted(t *testing.T) {
	f := &Function{}
	f.Loop()
	f.Block()
	f.Loop()
	f.End()
	f.Then(Void)
	f.Loop()
	f.Loop()
	for range 6 {
		f.End()
		if f.depth == 0 {
			break
		}
	}
	f.Loop()
	f.End()
	if f.Loops != 1+2+2+3+1 || f.Branches != 7 {
		t.Errorf("%d loops, %d branches", f.Loops, f.Branches)
	}
}

// A module has its sections in order, and each type once; wazero runs it.
func TestEncodedModule(t *testing.T) {
	one := &Function{Params: []byte{I32, I32}, Results: []byte{I32}}
	one.Get(0)
	two := &Function{Params: []byte{I32, I32}, Results: []byte{I32}}
	two.Get(0)
	two.Get(1)
	two.Op(I32Sub)
	m := &Module{Pages: 3, Functions: []*Function{one, two}, Exports: []string{"", "run"}}
	const head = "0061736d01000000"
	const want = head + "0107" + "01" + "60027f7f017f" + "0201" + "00" + "0303" + "02" + "0000" + "0504" + "01010303" + "0707" + "01" + "0372756e" + "00" + "01" + "0a0e" + "02" + "0400" + "2000" + "0b" + "0700" + "2000" + "2001" + "6b" + "0b"
	code := m.Bytes()
	if got := hex.EncodeToString(code); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	m.Imports = []Import{{"f", []byte{I32}, []byte{I32}}}
	const types = "010c" + "02" + "60017f017f" + "60027f7f017f" + "020a" + "01" + "04686f7374" + "0166" + "00" + "00" + "0303" + "02" + "0101"
	if got := hex.EncodeToString(m.Bytes()); !strings.HasPrefix(got, head+types) || !strings.Contains(got, "0372756e"+"00"+"02") {
		t.Errorf("with an import: %s", got)
	}
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	defer rt.Close(ctx)
	instance, err := rt.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := instance.ExportedFunction("run").Call(ctx, 50, 8); err != nil || len(got) != 1 || got[0] != 42 {
		t.Errorf("it returns %v, %v", got, err)
	}
}
