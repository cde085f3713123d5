package machine

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
		write func(e *encoder)
	}{
		{"00", func(e *encoder) { e.signed(0) }},
		{"01", func(e *encoder) { e.signed(1) }},
		{"3f", func(e *encoder) { e.signed(63) }},
		{"c000", func(e *encoder) { e.signed(64) }},
		{"ff00", func(e *encoder) { e.signed(127) }},
		{"8001", func(e *encoder) { e.signed(128) }},
		{"ff3f", func(e *encoder) { e.signed(8191) }},
		{"80c000", func(e *encoder) { e.signed(8192) }},
		{"7f", func(e *encoder) { e.signed(-1) }},
		{"40", func(e *encoder) { e.signed(-64) }},
		{"bf7f", func(e *encoder) { e.signed(-65) }},
		{"807f", func(e *encoder) { e.signed(-128) }},
		{"8040", func(e *encoder) { e.signed(-8192) }},
		{"ffbf7f", func(e *encoder) { e.signed(-8193) }},
		{"ffffffffffffffffff00", func(e *encoder) { e.signed(math.MaxInt64) }},
		{"8080808080808080807f", func(e *encoder) { e.signed(math.MinInt64) }},
		{"00", func(e *encoder) { e.unsigned(0) }},
		{"7f", func(e *encoder) { e.unsigned(127) }},
		{"8001", func(e *encoder) { e.unsigned(128) }},
		{"ffffffff0f", func(e *encoder) { e.unsigned(math.MaxUint32) }},
		{"41ffffffff07", func(e *encoder) { e.i32(math.MaxInt32) }},
		{"418080808078", func(e *encoder) { e.i32(math.MinInt32) }},
		{"427f", func(e *encoder) { e.i64(-1) }},
		{"44000000000000f03f", func(e *encoder) { e.f64(1) }},
		{"440000000000000080", func(e *encoder) { e.f64(math.Copysign(0, -1)) }},
		{"2005", func(e *encoder) { e.get(5) }},
		{"218001", func(e *encoder) { e.set(128) }},
		{"227f", func(e *encoder) { e.tee(127) }},
		{"1003", func(e *encoder) { e.call(3) }},
		{"2b008002", func(e *encoder) { e.memory(opF64Load, 256) }},
		{"3a0000", func(e *encoder) { e.memory(opI32Store8, 0) }},
		{"fc03", func(e *encoder) { e.saturating(satI32F64U) }},
		{"fd14", func(e *encoder) { e.vector(vecF64x2Splat) }},
		{"fdf601", func(e *encoder) { e.vector(vecF64x2PMin) }},
		{"fd0b0010", func(e *encoder) { e.vectorMemory(0x0b, 16) }},
		{"03616263", func(e *encoder) { e.text("abc") }},
		{"0702abcd", func(e *encoder) { e.section(7, encoder{0xab, 0xcd}) }},
	} {
		var e encoder
		c.write(&e)
		if got := hex.EncodeToString(e); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A function counts its locals behind its parameters, and its labels from the innermost block outwards.
func TestEncodedFunction(t *testing.T) {
	f := &function{params: []byte{i32, i32}, results: []byte{i32}}
	if a, b := f.local(i64), f.local(f64); a != 2 || b != 3 {
		t.Errorf("locals %d and %d", a, b)
	}
	out := f.block()
	top := f.loop()
	f.get(0)
	f.jumpIf(out)
	f.jump(top)
	f.end()
	f.end()
	f.get(1)
	f.then(i32)
	f.i32(7)
	f.otherwise()
	f.i32(-1)
	f.end()
	const want = "02017e017c" + "0240" + "0340" + "2000" + "0d01" + "0c00" + "0b" + "0b" + "2001" + "047f" + "4107" + "05" + "417f" + "0b" + "0b"
	if got := hex.EncodeToString(f.bytes()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if f.branches != 5 || f.loops != 1 || f.depth != 0 || len(f.turning) != 0 {
		t.Errorf("%d branches, %d loops, depth %d", f.branches, f.loops, f.depth)
	}
}

// A loop counts as often as it has loops around it, itself included.
func TestLoopsWithinLoopsAreCounted(t *testing.T) {
	f := &function{}
	f.loop()
	f.block()
	f.loop()
	f.end()
	f.then(void)
	f.loop()
	f.loop()
	for range 6 {
		f.end()
		if f.depth == 0 {
			break
		}
	}
	f.loop()
	f.end()
	if f.loops != 1+2+2+3+1 || f.branches != 7 {
		t.Errorf("%d loops, %d branches", f.loops, f.branches)
	}
}

// A module has its sections in order, and each type once; wazero runs it.
func TestEncodedModule(t *testing.T) {
	one := &function{params: []byte{i32, i32}, results: []byte{i32}}
	one.get(0)
	two := &function{params: []byte{i32, i32}, results: []byte{i32}}
	two.get(0)
	two.get(1)
	two.op(opI32Sub)
	m := &module{pages: 3, functions: []*function{one, two}, exports: []string{"", "run"}}
	const head = "0061736d01000000"
	const want = head + "0107" + "01" + "60027f7f017f" + "0201" + "00" + "0303" + "02" + "0000" + "0504" + "01010303" + "0707" + "01" + "0372756e" + "00" + "01" + "0a0e" + "02" + "0400" + "2000" + "0b" + "0700" + "2000" + "2001" + "6b" + "0b"
	code := m.bytes()
	if got := hex.EncodeToString(code); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	m.imports = []imported{{"f", []byte{i32}, []byte{i32}}}
	const types = "010c" + "02" + "60017f017f" + "60027f7f017f" + "020a" + "01" + "04686f7374" + "0166" + "00" + "00" + "0303" + "02" + "0101"
	if got := hex.EncodeToString(m.bytes()); !strings.HasPrefix(got, head+types) || !strings.Contains(got, "0372756e"+"00"+"02") {
		t.Errorf("with an import: %s", got)
	}
	ctx := context.Background()
	instance, err := engine().InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close(ctx)
	if got, err := instance.ExportedFunction("run").Call(ctx, 50, 8); err != nil || len(got) != 1 || got[0] != 42 {
		t.Errorf("it returns %v, %v", got, err)
	}
}
