package machine

import "github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"

// The functions of the host, in the order of [module].imports.
const (
	// importRefuel charges what was used and grants more; 0: the row must be put back.
	importRefuel = iota
	// importPicture takes the snapshot for a loop over what is near; 0: the row must be
	// put back.
	importSnapshot
)

var hostFunctions = []wasm.Import{
	{Name: "refuel", Params: []byte{wasm.I32}, Results: []byte{wasm.I32}},
	{Name: "snapshot", Params: []byte{wasm.I32}, Results: []byte{wasm.I32}},
}
