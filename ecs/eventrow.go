package ecs

import "unsafe"

// Defaults returns the bytes of a row with all fields at their defaults, nil for a schema with strings or tables. Do not change them.
func (s *Schema) Defaults() []byte { return s.defaults }

// AppendRow adds an event that is a copy of the row at p, which has the layout of [World.EventSchema]. What it holds is not checked.
func (w *World) AppendRow(id EventID, p unsafe.Pointer) {
	l := w.event(id)
	l.schema.copyRow(l.grow(), p)
}
