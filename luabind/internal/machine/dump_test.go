package machine

import "testing"

// Each instruction that the encoder can write is read back with its operands, and nothing of what follows.
func TestDecoder(t *testing.T) {
	for _, c := range []struct {
		write func(e *encoder)
		want  string
	}{
		{func(e *encoder) { e.i32(-1) }, "i32.const -1"},
		{func(e *encoder) { e.i32(64) }, "i32.const 64"},
		{func(e *encoder) { e.i64(-1 << 63) }, "i64.const -9223372036854775808"},
		{func(e *encoder) { e.i64(1<<63 - 1) }, "i64.const 9223372036854775807"},
		{func(e *encoder) { e.f64(-0.5) }, "f64.const -0.5"},
		{func(e *encoder) { e.get(300) }, "local.get 300"},
		{func(e *encoder) { e.call(3) }, "call 3"},
		{func(e *encoder) { e.op(opBlock, void) }, "block"},
		{func(e *encoder) { e.op(opIf, f64) }, "if f64"},
		{func(e *encoder) { e.memory(opI32Load8S, 200) }, "i32.load8_s offset=200"},
		{func(e *encoder) { e.memory(opI32Store16, 0) }, "i32.store16 offset=0"},
		{func(e *encoder) { e.saturating(satI64F64S) }, "i64.trunc_sat_f64_s"},
		{func(e *encoder) { e.vectorMemory(vecStore, 16) }, "v128.store offset=16"},
		{func(e *encoder) { e.vector(vecF64x2Lane); e.op(1) }, "f64x2.extract_lane 1"},
		{func(e *encoder) { e.vector(vecF64x2PMax) }, "f64x2.pmax"},
		{func(e *encoder) { e.op(opDrop) }, "drop"},
	} {
		var e encoder
		c.write(&e)
		e.op(opUnreachable)
		d := decoder{rest: e}
		if _, got := d.instruction(); got != c.want || len(d.rest) != 1 {
			t.Errorf("got %s and %d bytes, want %s", got, len(d.rest), c.want)
		}
	}
}

// An instruction without a name is refused, not passed over.
func TestDecoderRefuses(t *testing.T) {
	for _, code := range [][]byte{{0x06}, {opSaturating, 0}, {opVector, 0xff, 0x01}, {opBlock, 0x70}} {
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
	f := &function{params: []byte{i32, i32}, results: []byte{i32}}
	local := f.local(f64)
	f.block()
	f.get(0)
	f.then(void)
	f.f64(1.5)
	f.set(local)
	f.otherwise()
	f.op(opReturn)
	f.end()
	f.end()
	f.i32(7)
	m := &module{pages: 1, functions: []*function{f}, exports: []string{"run"}}
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
	if got := dumpRun(m.bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
