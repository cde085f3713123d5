package abi

import "github.com/ecsrun/ecsrun/luabind/internal/machine/wasm"

// The functions of the host that code may call in the middle of a run. Package engine connects them to the Host of
// a kernel.

// The functions of the host that code calls, by number. Each returns 0 if the row must be restored.
const (
	// ImportRefuel charges the fuel that was used and grants more. Its argument is the frame.
	ImportRefuel = iota
	// ImportSnapshot prepares a loop over near entities. Its argument is the number of the loop.
	ImportSnapshot
)

// HostFunctions are these functions, in their order.
var HostFunctions = []wasm.Import{
	{Name: "refuel", Params: []byte{wasm.I32}, Results: []byte{wasm.I32}},
	{Name: "snapshot", Params: []byte{wasm.I32}, Results: []byte{wasm.I32}},
}
