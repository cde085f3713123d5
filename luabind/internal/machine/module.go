package machine

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/machine/mathfn"
)

// A module is written function by function. It defines its memory itself, and the
// host gives all modules of a Memory the same pages: code reaches a memory of its
// own in one step less than an imported one.
type module struct {
	pages     uint32
	imports   []imported
	math      []mathfn.Func
	functions []*function
	exports   []string // by place in functions; "" is not exported
}

// imported is a function of the host.
type imported struct {
	name            string
	params, results []byte
}

// The sections of a module, and the kinds of what is imported and exported.
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

// hostName is the module that functions are imported from.
const hostName = "host"

// mathIndex is the number of a function of Lua's math table, "^" or "%". All names
// that are asked for must have been given to mathfn.Closure.
func (m *module) mathIndex(name string) int {
	return len(m.imports) + mathfn.Index(m.math, name)
}

// bytes is the module in the binary format.
func (m *module) bytes() []byte {
	var types []string
	typeOf := func(params, results []byte) uint64 {
		var t encoder
		t.op(functionType)
		t.text(string(params))
		t.text(string(results))
		i := slices.Index(types, string(t))
		if i < 0 {
			types = append(types, string(t))
			i = len(types) - 1
		}
		return uint64(i)
	}
	var imports, functions, exports, code encoder
	imports.unsigned(uint64(len(m.imports)))
	for _, im := range m.imports {
		imports.text(hostName)
		imports.text(im.name)
		imports.op(kindFunction)
		imports.unsigned(typeOf(im.params, im.results))
	}
	n := uint64(len(m.math) + len(m.functions))
	functions.unsigned(n)
	code.unsigned(n)
	for i := range m.math {
		f := &m.math[i]
		functions.unsigned(typeOf(f.Params, f.Results))
		code = f.AppendBody(code, uint32(len(m.imports)))
	}
	var exported encoder
	count := uint64(0)
	for i, f := range m.functions {
		functions.unsigned(typeOf(f.params, f.results))
		code.text(string(f.bytes()))
		if m.exports[i] != "" {
			count++
			exported.text(m.exports[i])
			exported.op(kindFunction)
			exported.unsigned(uint64(len(m.imports) + len(m.math) + i))
		}
	}
	exports.unsigned(count)
	exports = append(exports, exported...)

	var typeSection, memory encoder
	typeSection.unsigned(uint64(len(types)))
	for _, t := range types {
		typeSection = append(typeSection, t...)
	}
	memory.unsigned(1)
	memory.op(limitsWithMax)
	memory.unsigned(uint64(m.pages))
	memory.unsigned(uint64(m.pages))

	out := encoder{0, 'a', 's', 'm', 1, 0, 0, 0}
	out.section(sectionType, typeSection)
	out.section(sectionImport, imports)
	out.section(sectionFunction, functions)
	out.section(sectionMemory, memory)
	out.section(sectionExport, exports)
	out.section(sectionCode, code)
	return out
}
