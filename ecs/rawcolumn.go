package ecs

import "unsafe"

// Memory returns the address of row 0 and the bytes from row to row, for code that has the layout from [Schema.Fields]. Both hold until
// the next structural change. Call [World.BeforeWrite] before
// a write. A write stamps nothing: call [Column.Stamp]; and it may touch fields of numbers, booleans and entities
// only, within rows 0 to Len()-1.
func (c *Column) Memory() (base unsafe.Pointer, stride uintptr) { return c.base, c.size }
