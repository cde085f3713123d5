package ecs

import "unsafe"

// This file describes a world for code that does its work without calling it, such as compiled loops: the layout of
// slots, tags and grids, and the random numbers. rawaccess.go returns the addresses. With [Options.Memory] all of this memory comes from
// there.

// What the memory of a world looks like to code that reads it directly, and how its random numbers are made.
const (
	// A slot, and what its meta word holds.

	SlotSize  = unsafe.Sizeof(slot{})
	SlotMeta  = unsafe.Offsetof(slot{}.meta)  // uint32
	SlotTable = unsafe.Offsetof(slot{}.table) // uint32: [Table.ID]
	SlotRow   = unsafe.Offsetof(slot{}.row)   // uint32
	// SlotAlive is a mask: the bits of meta under it are equal to the upper half of a handle if, and only if, that
	// entity is alive.
	SlotAlive = liveMask

	// The entries of a tag: pages of so many entries, see [RawAccess.TagPage].

	TagPageShift       = slotShift // a page has 1<<TagPageShift entries
	TagEntrySize       = unsafe.Sizeof(tagEntry{})
	TagEntryGeneration = unsafe.Offsetof(tagEntry{}.generation) // uint32: the upper half of the handle of the entity that has the tag

	// A point of a grid.

	PointSize   = unsafe.Sizeof(gridPoint{})
	PointX      = unsafe.Offsetof(gridPoint{}.x)
	PointY      = unsafe.Offsetof(gridPoint{}.y)
	PointEntity = unsafe.Offsetof(gridPoint{}.entity)

	// The generator of random numbers. The next state is state * (PCGMulHi<<64 + PCGMulLo) + PCGIncHi<<64 + PCGIncLo,
	// modulo 2^128. The output is hi * (lo | 1) of the new state, where hi is first changed by: hi ^= hi >> 32,
	// hi *= PCGMix, hi ^= hi >> 48.

	PCGMulHi = 2549297995355413924
	PCGMulLo = 4865540595714422341
	PCGIncHi = 6364136223846793005
	PCGIncLo = 1442695040888963407
	PCGMix   = 0xda942042e4dd58b5
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
