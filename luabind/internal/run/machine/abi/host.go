package abi

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The functions of the host that code may call in the middle of a run. Package engine connects them to the Host of
// a kernel.

// The functions of the host that code calls, by number. Each returns 0 if the row must be restored.
const (
	// ImportRefuel charges the fuel that was used and grants more. Its argument is the frame.
	ImportRefuel = iota
	// ImportSnapshot prepares a loop over near entities. Its argument is the number of the loop.
	ImportSnapshot
	// ImportFetch copies rows into a mirror. Its arguments are the component, the address of the mirror, and a row, or -1 for all
	// rows. It always returns 1.
	ImportFetch
	// ImportSources lists the sources of an entity, at the place of the loop in [Layout.Sources]. Its arguments are the number of the
	// loop and the entity.
	ImportSources
	// ImportCall does a call on strings. Its arguments are the number of the call, and the address of the entry of the cache that gets the
	// result, or 0. The values are in the frame: see [TextCall].
	ImportCall
)

// Imports returns the functions of the host that the code of a Program imports: those that few Programs need are the last.
func Imports(p *ir.Program) []wasm.Import {
	if CallsOnTexts(p) {
		return HostFunctions
	}
	if countSources(p) > 0 || len(Mirrors(p)) > 0 {
		return HostFunctions[:ImportCall]
	}
	return HostFunctions[:ImportFetch]
}

// HostFunctions are these functions, in their order.
var HostFunctions = []wasm.Import{
	{Name: "refuel", Params: []byte{wasm.I32}, Results: []byte{wasm.I32}},
	{Name: "snapshot", Params: []byte{wasm.I32}, Results: []byte{wasm.I32}},
	{Name: "fetch", Params: []byte{wasm.I32, wasm.I32, wasm.I32}, Results: []byte{wasm.I32}},
	{Name: "sources", Params: []byte{wasm.I32, wasm.F64}, Results: []byte{wasm.I32}},
	{Name: "call", Params: []byte{wasm.I32, wasm.I32}, Results: []byte{wasm.I32}},
}
