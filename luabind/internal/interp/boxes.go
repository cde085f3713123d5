package interp

import lua "github.com/yuin/gopher-lua"

// Boxes makes values of gopher-lua from numbers, for Go code that stores many of them. Numbers that it returns are kept in memory
// in pages of 64.
type Boxes struct{ boxes }

// Number returns a number as a value of gopher-lua. It keeps the sign of -0.
func (b *Boxes) Number(f float64) lua.LValue { return b.number(f) }
