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

// RawSlots returns the slots: the entity e, when it lives, has the one at its lower 32 bits, if that is below n.
func (w *World) RawSlots() (base unsafe.Pointer, n int) {
	return unsafe.Pointer(unsafe.SliceData(w.slots.all)), len(w.slots.all)
}

// Layout of an entry of a tag.
const (
	TagEntrySize       = unsafe.Sizeof(tagEntry{})
	TagEntryGeneration = unsafe.Offsetof(tagEntry{}.generation) // uint32: the upper half of the handle that has the tag
)

// RawTag returns the entries of a tag: e has it when the one at its lower 32 bits, below n, holds its upper half.
func (w *World) RawTag(id TagID) (base unsafe.Pointer, n int) {
	s := w.tag(id)
	return unsafe.Pointer(unsafe.SliceData(s.sparse)), len(s.sparse) - 1 // the last one is nobody's
}

// RawEntities returns the address of the handles of a table's rows, Len() of them.
func (t *Table) RawEntities() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(t.entities)) }

// Capacity returns how many rows the table has room for before its columns move, at least Len().
func (t *Table) Capacity() int { return t.capacity }

// A RawGrid is a grid's picture of positions.
type RawGrid struct {
	Points     unsafe.Pointer // grouped by cell, cell row after cell row
	Starts     unsafe.Pointer // int32: by cell its first point, and one more at the end
	N          int            // points; without any there are no cells
	Cols, Rows int            // cells
	MinX, MinY float64        // where the first cell begins
	Cell       float64        // width of a cell
	Taken      uint64         // how many pictures the grid has taken: the same picture while it is the same number
}

// Layout of a point of a grid.
const (
	PointSize   = unsafe.Sizeof(gridPoint{})
	PointX      = unsafe.Offsetof(gridPoint{}.x)
	PointY      = unsafe.Offsetof(gridPoint{}.y)
	PointEntity = unsafe.Offsetof(gridPoint{}.entity)
)

// Raw returns the picture as [Grid.Near] would use it now, taking it first when that would. The column of x is (x-MinX)/Cell, cut to whole
// numbers from 0 to Cols-1; NaN counts as the first; the row of y likewise. A dead entity is in it until the next picture.
func (g *Grid) Raw() RawGrid {
	_ = g.Ready() // without room nobody is near
	return RawGrid{
		Points: unsafe.Pointer(unsafe.SliceData(g.points)), Starts: unsafe.Pointer(unsafe.SliceData(g.starts)), N: len(g.points),
		Cols: g.cols, Rows: g.rows, MinX: g.minX, MinY: g.minY, Cell: g.cell, Taken: g.taken,
	}
}

// Layout returns a number that changes whenever a table is made or a column moves: what [Column.Memory] returned is valid while it stays.
func (w *World) Layout() uint64 { return w.layout }
