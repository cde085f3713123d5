package frame

import "github.com/ecsrun/ecsrun/luabind/internal/kernel"

// SetKeyed gives a table that is looked up by strings.
func (f *Frame) SetKeyed(i int, t kernel.Keyed) { f.keyed[i] = t }

// Keyed returns the table that SetKeyed gave.
func (f *Frame) Keyed(i int) kernel.Keyed { return f.keyed[i] }
