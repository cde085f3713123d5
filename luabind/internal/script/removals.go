package script

import (
	"slices"

	"github.com/yuin/gopher-lua/ast"
)

// Removals are the components that a file may give to world:removed, as far as its source shows. world:removed can only tell of what was recorded, so the
// Runtime has the world record them before the first frame.
type Removals struct {
	Names   []string // written out in a call, or in the local that it is given
	Unknown bool     // some call computes the name, or the function is taken as a value: it may be any component
}

// add notes the arguments of a call.
func (r *Removals) add(names *aliases, args []ast.Expr) {
	if len(args) == 0 {
		return
	}
	if name, ok := names.text(args[0]); ok {
		r.Names = append(r.Names, name)
	} else {
		r.Unknown = true
	}
}

// With returns both together.
func (r Removals) With(other Removals) Removals {
	return Removals{slices.Concat(r.Names, other.Names), r.Unknown || other.Unknown}
}
