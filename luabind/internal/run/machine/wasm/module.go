package wasm

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/mathfn"
)

// Modules: what wazero compiles. A Module collects functions, and writes the binary format.

// A Module is one module of WebAssembly. Its functions are numbered in this order: imports, functions of Lua's math
// table, functions that were written. It defines a memory of its own, and the host gives all modules the same
// pages: code reaches its own memory in one step less than an imported one.
type Module struct {
	Pages     uint32 // size of the memory in pages of 64 KiB, which never changes
	Imports   []Import
	Math      []mathfn.Func
	Functions []*Function
	Exports   []string // for each of Functions: its exported name, or ""
}

// An Import is a function of the host that code may call.
type Import struct {
	Name            string
	Params, Results []byte
}

// The numbers of sections, and other constants of the binary format.
const (
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionMemory   = 5
	sectionExport   = 7
	sectionCode     = 10

	kindFunction  = 0
	functionType  = 0x60
	limitsWithMax = 1
)

// HostName is the name of the module from which functions are imported.
const HostName = "host"

// MathIndex returns the number of a function of Lua's math table, or of the operators "^" and "%". The function
// must be in Math.
func (m *Module) MathIndex(name string) int {
	return len(m.Imports) + mathfn.Index(m.Math, name)
}

// Bytes returns the module in the binary format. Equal modules have equal bytes.
func (m *Module) Bytes() []byte {
	var types []string
	typeOf := func(params, results []byte) uint64 {
		var t Encoder
		t.Op(functionType)
		t.text(string(params))
		t.text(string(results))
		i := slices.Index(types, string(t))
		if i < 0 {
			types = append(types, string(t))
			i = len(types) - 1
		}
		return uint64(i)
	}
	var imports, functions, exports, code Encoder
	imports.unsigned(uint64(len(m.Imports)))
	for _, im := range m.Imports {
		imports.text(HostName)
		imports.text(im.Name)
		imports.Op(kindFunction)
		imports.unsigned(typeOf(im.Params, im.Results))
	}
	n := uint64(len(m.Math) + len(m.Functions))
	functions.unsigned(n)
	code.unsigned(n)
	for i := range m.Math {
		f := &m.Math[i]
		functions.unsigned(typeOf(f.Params, f.Results))
		code = f.AppendBody(code, uint32(len(m.Imports)))
	}
	var exported Encoder
	count := uint64(0)
	for i, f := range m.Functions {
		functions.unsigned(typeOf(f.Params, f.Results))
		code.text(string(f.bytes()))
		if m.Exports[i] != "" {
			count++
			exported.text(m.Exports[i])
			exported.Op(kindFunction)
			exported.unsigned(uint64(len(m.Imports) + len(m.Math) + i))
		}
	}
	exports.unsigned(count)
	exports = append(exports, exported...)

	var typeSection, memory Encoder
	typeSection.unsigned(uint64(len(types)))
	for _, t := range types {
		typeSection = append(typeSection, t...)
	}
	memory.unsigned(1)
	memory.Op(limitsWithMax)
	memory.unsigned(uint64(m.Pages))
	memory.unsigned(uint64(m.Pages))

	out := Encoder{0, 'a', 's', 'm', 1, 0, 0, 0}
	out.section(sectionType, typeSection)
	out.section(sectionImport, imports)
	out.section(sectionFunction, functions)
	out.section(sectionMemory, memory)
	out.section(sectionExport, exports)
	out.section(sectionCode, code)
	return out
}
