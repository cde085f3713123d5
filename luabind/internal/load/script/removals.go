package script

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/yuin/gopher-lua/ast"
)

// Components whose removals a file asks for. mention.go collects them, Runtime.trackRemovals makes the world record
// them.

// Removals are the components that a file may give to world:removed, as far as its source shows. world:removed
// returns only what was recorded before, so the Runtime makes the world record them before the first frame. A
// component too many costs time and memory; one too few would lose removals.
type Removals struct {
	Names   []string // names that are constants in a call, or in a local that is an argument
	Unknown bool     // some call computes its name, or the function is used as a value: all components are possible
}

// add notes the arguments of one call of world:removed.
func (r *Removals) add(names *alias.Names, args []ast.Expr) {
	if len(args) == 0 {
		return
	}
	if name, ok := names.Text(args[0]); ok {
		r.Names = append(r.Names, name.Value)
	} else {
		r.Unknown = true
	}
}

// With returns the union of two Removals. It changes neither.
func (r Removals) With(other Removals) Removals {
	return Removals{slices.Concat(r.Names, other.Names), r.Unknown || other.Unknown}
}
