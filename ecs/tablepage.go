package ecs

import "unsafe"

// A component finds its column in a table by the table's id, through pages of 64: one load more than a flat array, and no memory or work
// that grows with components times tables.
const (
	pageTables = 64
	pageShift  = 6

	pointerSize = 4 << (^uintptr(0) >> 63)
)

// A tablePage holds what 64 tables have of one component: row 0 of the column and the column, nil where the table lacks it.
type tablePage struct {
	bases [pageTables]unsafe.Pointer
	cols  [pageTables]*Column
}

// noPage stands for 64 tables that all lack the component. It is never written.
var noPage = new(tablePage)

// column returns the component's column in a table of its world, nil when the table lacks it.
func (c *component) column(table uint32) *Column {
	return c.pages[table>>pageShift].cols[table&(pageTables-1)]
}

// base returns row 0 of that column, nil when the table lacks it.
func (c *component) base(table uint32) unsafe.Pointer {
	return c.pages[table>>pageShift].bases[table&(pageTables-1)]
}

// baseIn and columnIn are base and column for a table whose id comes from a slot: it is one of this world, so there is nothing to check.
func (c *component) baseIn(table uint32) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(c.directory, uintptr(table>>pageShift)*pointerSize)), uintptr(table%pageTables)*pointerSize))
}

func (c *component) columnIn(table uint32) *Column {
	page := *(*unsafe.Pointer)(unsafe.Add(c.directory, uintptr(table>>pageShift)*pointerSize))
	return *(**Column)(unsafe.Add(page, (pageTables+uintptr(table%pageTables))*pointerSize))
}

// setColumn notes the column of a table.
func (c *component) setColumn(table uint32, col *Column) {
	page := &c.pages[table>>pageShift]
	if *page == noPage {
		*page = new(tablePage)
	}
	(*page).cols[table&(pageTables-1)] = col
	(*page).bases[table&(pageTables-1)] = col.base
}

// coverTables makes room for the tables up to n.
func (c *component) coverTables(n int) {
	for len(c.pages) < (n+pageTables-1)>>pageShift {
		c.pages = append(c.pages, noPage)
	}
	c.directory = unsafe.Pointer(unsafe.SliceData(c.pages))
}
