package wasm

import "testing"

// Each instruction that the encoder can write is read back with its operands, and nothing of what follows.
func TestDecoder(t *testing.T) {
	for _, c := range []struct {
		write func(e *Encoder)
		want  string
	}{
		{func(e *Encoder) { e.I32(-1) }, "i32.const -1"},
		{func(e *Encoder) { e.I32(64) }, "i32.const 64"},
		{func(e *Encoder) { e.I64(-1 << 63) }, "i64.const -9223372036854775808"},
		{func(e *Encoder) { e.I64(1<<63 - 1) }, "i64.const 9223372036854775807"},
		{func(e *Encoder) { e.F64(-0.5) }, "f64.const -0.5"},
		{func(e *Encoder) { e.Get(300) }, "local.get 300"},
		{func(e *Encoder) { e.Call(3) }, "call 3"},
		{func(e *Encoder) { e.Op(Block, Void) }, "block"},
		{func(e *Encoder) { e.Op(If, F64) }, "if f64"},
		{func(e *Encoder) { e.Memory(I32Load8S, 200) }, "i32.load8_s offset=200"},
		{func(e *Encoder) { e.Memory(I32Store16, 0) }, "i32.store16 offset=0"},
		{func(e *Encoder) { e.Saturating(I64TruncSatF64S) }, "i64.trunc_sat_f64_s"},
		{func(e *Encoder) { e.VectorMemory(V128Store, 16) }, "v128.store offset=16"},
		{func(e *Encoder) { e.Vector(F64x2ExtractLane); e.Op(1) }, "f64x2.extract_lane 1"},
		{func(e *Encoder) { e.Vector(F64x2PMax) }, "f64x2.pmax"},
		{func(e *Encoder) { e.Op(Drop) }, "drop"},
	} {
		var e Encoder
		c.write(&e)
		e.Op(Unreachable)
		d := decoder{rest: e}
		if _, got := d.instruction(); got != c.want || len(d.rest) != 1 {
			t.Errorf("got %s and %d bytes, want %s", got, len(d.rest), c.want)
		}
	}
}

// An instruction without a name is refused, not passed over.
func TestDecoderRefuses(t *testing.T) {
	for _, code := range [][]byte{{0x06}, {SaturatingPrefix, 0}, {VectorPrefix, 0xff, 0x01}, {Block, 0x70}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("% x: nothing was refused", code)
				}
			}()
			d := decoder{rest: code}
			d.instruction()
		}()
	}
}

// A function is shown with its locals, and with its blocks indented.
func TestDumpRun(t *testing.T) {
	f := &Function{Params: []byte{I32, I32}, Results: []byte{I32}}
	local := f.Local(F64)
	f.Block()
	f.Get(0)
	f.Then(Void)
	f.F64(1.5)
	f.Set(local)
	f.Otherwise()
	f.Op(Return)
	f.End()
	f.End()
	f.I32(7)
	m := &Module{Pages: 1, Functions: []*Function{f}, Exports: []string{"run"}}
	const want = `function run(i32, i32) i32
  local 2 f64
  block
    local.get 0
    if
      f64.const 1.5
      local.set 2
    else
      return
    end
  end
  i32.const 7
end
`
	if got := Dump(m.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
