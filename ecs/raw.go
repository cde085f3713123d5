package ecs

import "unsafe"

// What follows is for code that reads a world's memory itself, compiled loops for instance: addresses and layouts, valid until the next
// structural change (of a tag: until the next flip of one; of a grid: until it is used again). With [Options.Memory] all of it lies there.

// Layout of a slot, and what its meta word holds.
const (
	SlotSize  = unsafe.Sizeof(slot{})
	SlotMeta  = unsafe.Offsetof(slot{}.meta)  // uint32
	SlotTable = unsafe.Offsetof(slot{}.table) // uint32: [Table.ID]
	SlotRow   = unsafe.Offsetof(slot{}.row)   // uint32
	// SlotAlive are the bits of meta that equal the upper half of a handle exactly when that entity lives.
	SlotAlive = liveMask
)

// Layout of an entry of a tag.
const (
	TagEntrySize       = unsafe.Sizeof(tagEntry{})
	TagEntryGeneration = unsafe.Offsetof(tagEntry{}.generation) // uint32: the upper half of the handle that has the tag
)

// A RawGrid is a grid's snapshot of positions.
type RawGrid struct {
	Points     unsafe.Pointer // grouped by cell, cell row after cell row
	Starts     unsafe.Pointer // int32: by cell its first point, and one more at the end
	N          int            // points; without any there are no cells
	Cols, Rows int            // cells
	MinX, MinY float64        // where the first cell begins
	Cell       float64        // width of a cell
	Taken      uint64         // how many snapshots the grid has taken: the same snapshot while it is the same number
}

// Layout of a point of a grid.
const (
	PointSize   = unsafe.Sizeof(gridPoint{})
	PointX      = unsafe.Offsetof(gridPoint{}.x)
	PointY      = unsafe.Offsetof(gridPoint{}.y)
	PointEntity = unsafe.Offsetof(gridPoint{}.entity)
)
