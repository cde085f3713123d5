package machine

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/wasm"
)

// The module of a loop as text, for `ecsrun explain --dump`.

// Dump writes what Compile makes of a Program as text: the module that wazero gets, one instruction a line, in the names of
// the WebAssembly text format. Functions of Lua's math library are left out; calls of them, and of functions of the host,
// are by number. The error is that of [Compile].
func Dump(p *ir.Program, q *ecs.Query, w *ecs.World) (string, error) {
	p, _ = codeOf(p, 0)
	u, err := emitFor(p, q, w, packing.Forms, false, 0)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	how := "row by row"
	if u.Packed {
		how = "several rows at a time"
	}
	fmt.Fprintf(&out, "module of %d bytes, %s\n", len(u.Code), how)
	for i, c := range u.Constants {
		fmt.Fprintf(&out, "constant %d: %v\n", i, c)
	}
	for i, f := range abi.HostFunctions {
		fmt.Fprintf(&out, "function %d: %s of the host\n", i, f.Name)
	}
	out.WriteString(wasm.Dump(u.Code))
	return out.String(), nil
}
