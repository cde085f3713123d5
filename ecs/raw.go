package ecs

import "unsafe"

// This file describes the memory of a world for code that reads it directly, such as compiled loops: the layout of
// slots, tags and grids. rawaccess.go returns the addresses. With [Options.Memory] all of this memory comes from
// there.

// Layout of a slot, and what its meta word holds.
const (
	SlotSize  = unsafe.Sizeof(slot{})
	SlotMeta  = unsafe.Offsetof(slot{}.meta)  // uint32
	SlotTable = unsafe.Offsetof(slot{}.table) // uint32: [Table.ID]
	SlotRow   = unsafe.Offsetof(slot{}.row)   // uint32
	// SlotAlive is a mask: the bits of meta under it are equal to the upper half of a handle if, and only if, that
	// entity is alive.
	SlotAlive = liveMask
)

// Layout of the entries of a tag: pages of so many entries, see [RawAccess.TagPage].
const (
	TagPageShift       = slotShift // a page has 1<<TagPageShift entries
	TagEntrySize       = unsafe.Sizeof(tagEntry{})
	TagEntryGeneration = unsafe.Offsetof(tagEntry{}.generation) // uint32: the upper half of the handle of the entity that has the tag
)

// A RawGrid is a grid's snapshot of positions.
type RawGrid struct {
	Points     unsafe.Pointer // grouped by cell, one row of cells after another
	Starts     unsafe.Pointer // int32 by cell: the index of its first point; one more at the end
	N          int            // number of points; without points there are no cells
	Cols, Rows int            // number of cells in x and y
	MinX, MinY float64        // the lower corner of the first cell
	Cell       float64        // width of a cell
	Taken      uint64         // number of snapshots the grid has taken; the snapshot is the same as long as this is
}

// Layout of a point of a grid.
const (
	PointSize   = unsafe.Sizeof(gridPoint{})
	PointX      = unsafe.Offsetof(gridPoint{}.x)
	PointY      = unsafe.Offsetof(gridPoint{}.y)
	PointEntity = unsafe.Offsetof(gridPoint{}.entity)
)
