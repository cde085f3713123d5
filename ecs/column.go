package ecs

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// A column is where the values of one component in one table are stored. This file has the access to whole
// columns, the stamping of many rows, and the growth of a column; stamp.go has the stamps themselves. The table
// decides when its columns grow (table.go) and gives them their memory.

// A Column holds one component for all rows of a [Table]: the values one after another, and their change stamps.
// Its memory moves when the table grows, so what [Column.Row] and [Slice] return is valid until the next
// structural change.
//
// The zero value, and the nil of a table without the component, are not usable: methods panic with a sentence. Row, Stamp, Changed and Added are too fast to look for it, and end in a nil dereference.
type Column struct {
	base   unsafe.Pointer // row 0; never nil
	size   uintptr        // bytes per row
	blocks []blockStamp   // the stamps of 64 rows each: see stamp.go
	newest rowStamp       // not older than any stamp of the column: queries skip a column that is older than their window
	info   *component
	table  *Table
	owned  bool         // base came from Options.Memory and goes back there
	words  uint8        // 1 or 2 for rows of 8 or 16 bytes without pointers, which are copied and cleared without a call; 0 for others
	zero   bool         // the default row is all zero and has no pointers
	mark   *columnMark  // what the undo log has recorded; nil until it was told of the column
	memory *typedMemory // that of the schema: copies and clears rows with pointers; nil if there are none
	blank  uint8        // of zero rows of at most two words: the number of words plus one; 0 for others
}

// Component returns the id of the component whose values these are.
func (c *Column) Component() ComponentID {
	made(c != nil && c.table != nil, "Column (a table without the component has none)", "Table.Column")
	return c.info.id
}

// Len returns the number of rows, always Table.Len().
func (c *Column) Len() int {
	made(c != nil && c.table != nil, "Column (a table without the component has none)", "Table.Column")
	return c.rows()
}

func (c *Column) rows() int { return len(c.table.entities) }

// Row returns row i, for access by field. A write through it stamps nothing: call [Column.Stamp] after it. Panics
// if there is no such row.
func (c *Column) Row(i int) Row {
	if uint(i) >= uint(c.rows()) {
		panic(fmt.Sprintf("ecs: row %d of column %s with %d rows", i, c.info.name, c.rows()))
	}
	c.before(i, i+1)
	return Row{schema: c.info.schema, ptr: c.at(i)}
}

// at returns the address of a row. It checks no bounds.
func (c *Column) at(row int) unsafe.Pointer {
	return unsafe.Add(c.base, uintptr(row)*c.size)
}

// oneAt and twoAt are at for columns of one and two words.
func (c *Column) oneAt(row int) *uint64 { return (*uint64)(unsafe.Add(c.base, uintptr(row)*8)) }

func (c *Column) twoAt(row int) *[2]uint64 { return (*[2]uint64)(unsafe.Add(c.base, uintptr(row)*16)) }

// Stamp marks row i as changed now. Panics if there is no such row.
func (c *Column) Stamp(i int) {
	if uint(i) >= uint(c.rows()) {
		panic(fmt.Sprintf("ecs: stamp row %d of column %s with %d rows", i, c.info.name, c.rows()))
	}
	c.stampChanged(i, c.table.world.now)
}

// StampRange marks the rows from..to-1 as changed now. A whole block of 64 rows costs one store. Panics if a row
// is out of range.
func (c *Column) StampRange(from, to int) {
	made(c != nil && c.table != nil, "Column (a table without the component has none)", "Table.Column")
	if from < 0 || from > to || to > c.rows() {
		panic(fmt.Sprintf("ecs: stamp rows %d to %d of column %s with %d rows", from, to, c.info.name, c.rows()))
	}
	c.before(from, to)
	now := c.table.world.now
	if from < to && atomic.LoadUint32(&c.newest.changed) != now { // workers of a parallel walk share the column
		atomic.StoreUint32(&c.newest.changed, now)
	}
	for from < to {
		n := min(to-from, blockRows-from&(blockRows-1))
		if n == blockRows || from&(blockRows-1) == 0 && to == c.rows() {
			c.blocks[from>>blockShift].changedAll = now // rows past the end carry no stamp: they get theirs when they are filled
		} else {
			c.stampRows(from>>blockShift, (1<<n-1)<<(from&(blockRows-1)), now)
		}
		from += n
	}
}

// StampMask marks row from+i as changed now, for each bit i of mask that is set. Panics if one of these rows is
// out of range.
func (c *Column) StampMask(from int, mask uint64) {
	if mask == 0 {
		return
	}
	n := bits.Len64(mask)
	if from < 0 || from > c.rows()-n {
		panic(fmt.Sprintf("ecs: stamp %d rows from %d on of column %s with %d rows", n, from, c.info.name, c.rows()))
	}
	now, at, shift := c.table.world.now, from>>blockShift, from&(blockRows-1)
	if rows := mask << shift; rows != 0 {
		c.stampRows(at, rows, now)
	}
	if rows := mask >> (blockRows - shift); rows != 0 {
		c.stampRows(at+1, rows, now)
	}
}

// StampBlocks is StampMask for several blocks of 64 rows: words has a mask for each, from block number first on.
func (c *Column) StampBlocks(first int, words []uint64) {
	made(c != nil && c.table != nil, "Column (a table without the component has none)", "Table.Column")
	now := c.table.world.now
	for i, word := range words {
		if word == 0 {
			continue
		}
		if from := (first + i) << blockShift; from < 0 || from > c.rows()-bits.Len64(word) {
			panic(fmt.Sprintf("ecs: stamp rows of block %d of column %s with %d rows", first+i, c.info.name, c.rows()))
		}
		c.stampRows(first+i, word, now)
	}
}

// StampAll marks every row as changed now. It costs one store per 64 rows. No other goroutine may stamp the column
// at the same time.
func (c *Column) StampAll() {
	made(c != nil && c.table != nil, "Column (a table without the component has none)", "Table.Column")
	t := c.table
	n, now := (len(t.entities)+blockRows-1)>>blockShift, t.world.now
	if n == 0 {
		return
	}
	c.before(0, len(t.entities))
	c.newest.changed = now
	blocks := c.blocks[:n]
	for i := range blocks {
		blocks[i].changedAll = now
	}
}

// Changed returns the tick of the last write to row i.
func (c *Column) Changed(i int) Tick { return c.table.world.tickBase + Tick(c.stampOf(i).changed) }

// Added returns the tick at which the entity of row i gained the component.
func (c *Column) Added(i int) Tick { return c.table.world.tickBase + Tick(c.stampOf(i).added) }

// resize moves the column to new memory for capacity rows and frees the old memory. blocks is the new, zeroed memory
// for the stamps; existing stamps are copied. The caller has checked the limit of bytes.
func (c *Column) resize(capacity int, blocks []blockStamp) {
	w, n := c.table.world, c.rows()
	base, owned := allocRows(w.memory, c.info.schema, capacity)
	if n > 0 && c.size > 0 {
		if m := c.info.schema.memory; m != nil {
			m.copyRows(base, c.base, n)
		} else {
			copy(unsafe.Slice((*byte)(base), uintptr(n)*c.size), unsafe.Slice((*byte)(c.base), uintptr(n)*c.size))
		}
	}
	c.free()
	c.dropSingles(copy(blocks, c.blocks))
	c.base, c.owned, c.blocks = base, owned, blocks
	c.info.setColumn(c.table.id, c)
}

// free returns the memory of the values to Options.Memory, if it came from there.
func (c *Column) free() {
	if c.owned {
		c.table.world.memory.Free(c.base, uintptr(c.table.capacity)*c.size)
		c.owned = false
	}
}

// Slice returns the whole column as a slice of T with Table.Len() elements, without a copy. The slice is valid
// until the next structural change. Writes through it stamp nothing. T must have the layout of the component:
// [Register] checks this once, Slice at every call and by reflection; use [Component.Slice] in hot code. Errors:
// [ErrMismatch]; c is nil, as [Table.Column] is for a table that lacks the component.
func Slice[T any](c *Column) ([]T, error) {
	if c == nil || c.table == nil {
		return nil, errors.New("slice: there is no column; a table without the component has none")
	}
	s, err := SchemaOf[T]()
	if err != nil {
		return nil, err
	}
	if err := c.info.checkLayout(s, fmt.Sprintf("%T", *new(T))); err != nil {
		return nil, fail("use component", None, c.info.name, err)
	}
	c.before(0, c.rows())
	return unsafe.Slice((*T)(c.base), c.rows()), nil
}

// Memory supplies the memory of columns without pointers and of the indexes that lead to rows: slots, handles, tag
// entries, grids. The default is Go's heap. Columns with strings or tables are always on Go's heap. Several worlds
// may share one Memory; they may run on different goroutines only if the Memory allows that.
type Memory interface {
	// Alloc returns size zeroed bytes aligned to 64, or nil to make the caller use Go's heap. size is never 0.
	Alloc(size uintptr) unsafe.Pointer
	// Free releases what Alloc returned for this size. The world calls it when it no longer refers to the memory.
	Free(p unsafe.Pointer, size uintptr)
}

// hugePage is the size of a large page on most machines. On others, only the rounding of the advice differs.
const hugePage = 2 << 20

// zeroBase is the address of all rows without data, so that no base is nil.
var zeroBase [8]byte

// allocRows returns zeroed memory for rows of a schema; owned says that it came from m and must be freed there.
// Panics if the rows do not fit into the address space: callers whose number of rows comes from outside check
// [Table.most] first.
func allocRows(m Memory, s *Schema, rows int) (base unsafe.Pointer, owned bool) {
	if s.size > 0 && uintptr(rows) > math.MaxInt/s.size {
		panic(fmt.Sprintf("ecs: %d rows of %d bytes do not fit into memory", rows, s.size))
	}
	size := s.size * uintptr(rows)
	if size == 0 {
		return unsafe.Pointer(&zeroBase), false
	}
	if !s.pointerFree {
		return s.memory.alloc(rows), false
	}
	if m != nil {
		if p := m.Alloc(size); p != nil {
			return p, true
		}
	}
	words := make([]uint64, (size+7)/8) // 8-byte alignment suits every field type
	base = unsafe.Pointer(unsafe.SliceData(words))
	adviseHuge(base, size)
	return base, false
}
