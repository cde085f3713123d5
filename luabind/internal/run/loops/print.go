package loops

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// Lines that compiled loops print: ir.Print. A row prints its lines when it is done, so a row that is left to the
// interpreter has printed nothing.

// A printer is a kernel that can print: closures, also those that do rows for machine code.
type printer interface{ SetPrinter(print func(line string)) }

// setPrinter gives the kernel of a variant what prints, if its Program prints.
func (v *variant) setPrinter(s *site) {
	if slices.ContainsFunc(v.p.Effects, func(e *ir.Effect) bool { return e.Op == ir.Print }) {
		v.kernel.(printer).SetPrinter(s.print)
	}
}

// print prints a line. An error waits for the end of the walk: see raiseUnprinted.
func (s *site) print(line string) {
	if err := s.env.Print(line); s.unprinted == nil {
		s.unprinted = err
	}
}

// raiseUnprinted raises the first error of print, after a walk that is over.
func (s *site) raiseUnprinted(L *lua.LState) {
	if err := s.unprinted; err != nil {
		s.unprinted = nil
		sandbox.Raisef(L, "print: %w", err)
	}
}
