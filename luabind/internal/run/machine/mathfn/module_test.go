package mathfn

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// section appends a section of the binary format.
func section(b []byte, id byte, entries [][]byte) []byte {
	body := binary.AppendUvarint(nil, uint64(len(entries)))
	for _, e := range entries {
		body = append(body, e...)
	}
	return append(binary.AppendUvarint(append(b, id), uint64(len(body))), body...)
}

func counted(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }

// module is a module that exports the functions of the names, and the extra ones, whose entries of the code section may call them: before is
// how many functions stand before those of the list.
func module(names []string, before int, extra func(index func(name string) uint32) (types, bodies [][]byte, exports []string)) []byte {
	list := Closure(names...)
	var types, funcs, exports, bodies [][]byte
	add := func(typ, body []byte) {
		funcs = append(funcs, binary.AppendUvarint(nil, uint64(len(types))))
		types = append(types, typ)
		bodies = append(bodies, body)
	}
	for range before {
		add([]byte{0x60, 0, 0}, []byte{2, 0, 0x0b})
	}
	for i := range list {
		f := &list[i]
		add(append(append([]byte{0x60}, counted(f.Params)...), counted(f.Results)...), f.AppendBody(nil, uint32(before)))
	}
	index := func(name string) uint32 { return uint32(before + Index(list, name)) }
	export := func(name string, i uint32) {
		exports = append(exports, binary.AppendUvarint(append(counted([]byte(name)), 0), uint64(i)))
	}
	for _, name := range names {
		export(name, index(name))
	}
	if extra != nil {
		t, b, names := extra(index)
		for i := range t {
			export(names[i], uint32(len(funcs)))
			add(t[i], b[i])
		}
	}
	b := []byte("\x00asm\x01\x00\x00\x00")
	b = section(b, 1, types)
	b = section(b, 3, funcs)
	b = section(b, 7, exports)
	return section(b, 10, bodies)
}

// instance is a module made ready to run.
func instance(tb testing.TB, config wazero.RuntimeConfig, code []byte) api.Module {
	tb.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, config)
	tb.Cleanup(func() { _ = r.Close(ctx) })
	m, err := r.Instantiate(ctx, code)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}
