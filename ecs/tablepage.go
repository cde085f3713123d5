package ecs

import "unsafe"

// A component finds its column in a table by the id of the table, through pages of 64 tables. This costs one load
// more than a flat array, but neither memory nor work grows with the product of components and tables: pages
// without the component are all the same one.
const (
	pageTables = 64
	pageShift  = 6

	pointerSize = 4 << (^uintptr(0) >> 63)
)

// A tablePage has the columns of one component in 64 tables, and the addresses of their row 0. Both are nil for a
// table that lacks the component.
type tablePage struct {
	bases [pageTables]unsafe.Pointer
	cols  [pageTables]*Column
}

// noPage stands for 64 tables that all lack the component. It is never written.
var noPage = new(tablePage)

// column returns the component's column in a table of its world, nil if the table lacks it.
func (c *component) column(table uint32) *Column {
	return c.pages[table>>pageShift].cols[table&(pageTables-1)]
}

// base returns the address of row 0 of that column, nil if the table lacks it.
func (c *component) base(table uint32) unsafe.Pointer {
	return c.pages[table>>pageShift].bases[table&(pageTables-1)]
}

// baseIn is base for a table id that comes from a slot. The id is valid, so there are no bounds checks. columnIn
// is the same for column.
func (c *component) baseIn(table uint32) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(c.directory, uintptr(table>>pageShift)*pointerSize)), uintptr(table%pageTables)*pointerSize))
}

func (c *component) columnIn(table uint32) *Column {
	page := *(*unsafe.Pointer)(unsafe.Add(c.directory, uintptr(table>>pageShift)*pointerSize))
	return *(**Column)(unsafe.Add(page, (pageTables+uintptr(table%pageTables))*pointerSize))
}

// setColumn records the column of a table. Call it again when its memory has moved.
func (c *component) setColumn(table uint32, col *Column) {
	page := &c.pages[table>>pageShift]
	if *page == noPage {
		*page = new(tablePage)
	}
	(*page).cols[table&(pageTables-1)] = col
	(*page).bases[table&(pageTables-1)] = col.base
}

// coverTables makes pages for n tables.
func (c *component) coverTables(n int) {
	for len(c.pages) < (n+pageTables-1)>>pageShift {
		c.pages = append(c.pages, noPage)
	}
	c.directory = unsafe.Pointer(unsafe.SliceData(c.pages))
}
