package closures

import (
	"slices"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
)

// Prefetching. Stored tables are anywhere in memory: a row that reads route.points[i].x waits for the main memory three
// times, for one address after the other. So before a group of rows runs, their tables are read: these reads do not wait for
// each other. Nothing depends on the values.
//
// Tables that were made row after row lie in memory like that, and the processor fetches them ahead by itself. Then reading
// them twice only costs, about 15 % of a row that needs one of its few tables. So what is read ahead is scattered tables.

// A tableField is a field of type table that rows of the loop read.
type tableField struct {
	view int
	at   uintptr
}

const (
	touchLeast = 1 << 12 // rows of a table that are worth it: what fewer ones read stays in the cache of the processor

	touchRows  = 16 // rows for which tables are read ahead
	touchItems = 8  // entries of a table, from the first one, whose tables are read ahead

	judgedGroups = 8 // the second of as many groups of rows decides for all that follow whether tables are scattered
)

// recentPages are pages of memory in which tables were found last. A table in one of them is fetched ahead by the processor,
// or is in its cache.
type recentPages [64]uintptr

// pageBits is the logarithm of the size of such a page: that of the runs in which Go allocates small objects of one size.
const pageBits = 13

// finds reports whether a table is in a recent page, and notes its page.
func (r *recentPages) finds(d *ecs.Data) bool {
	page := uintptr(unsafe.Pointer(d)) >> pageBits
	slot := &r[page%uintptr(len(r))]
	was := *slot
	*slot = page
	return was == page
}

// scattered reports whether more than a quarter of the tables of some rows, with the first tables in these, are outside of recent pages.
func (r *recentPages) scattered(own []*ecs.Data) bool {
	tables, missed := 0, 0
	look := func(d *ecs.Data) {
		if d == nil {
			return
		}
		tables++
		if !r.finds(d) {
			missed++
		}
	}
	for _, d := range own {
		look(d)
	}
	for _, d := range own {
		if values, _, _ := ecs.Raw.Content(d); len(values) > 0 {
			look(values[0].Data())
		}
	}
	return missed*4 > tables
}

// reads notes that rows read a field. Views of other entities are not known ahead.
func (c *compiler) reads(view int, at uintptr) {
	if c.within(view) {
		place(&c.tablesRead, tableField{view, at})
	}
}

// touches returns the fields whose tables are read ahead: those that rows read and do not store. What a loop stores, it
// has stored in its last turn too, in the order of the rows, so the processor fetches it ahead by itself.
func (c *compiler) touches() (list []tableField) {
	for _, f := range c.tablesRead {
		if !slices.Contains(c.tablesStored, f) {
			list = append(list, f)
		}
	}
	return list
}

// touch reads the stored tables of the next n rows, from the one on that the views are set to. It reads nothing if
// fewer than half of the last rows have looked at their tables.
func (k *Kernel) touch(n int) {
	f := &k.frame
	looked := f.looked
	f.looked = 0
	if looked < touchRows/2 {
		return
	}
	sum, group, scattered := 0, k.group, k.scattered
	k.group = (group + 1) % judgedGroups
	if group == 1 { // the first group has only noted its pages
		scattered = false
	} else if group > 1 && !scattered {
		return
	}
	for _, field := range k.touched {
		p, stride := f.ptr[field.view], k.stride[field.view]
		if p == nil || f.column[field.view] == nil {
			continue // inherited, or absent
		}
		p = unsafe.Add(p, field.at)
		var own [touchRows]*ecs.Data
		for i := range min(n, touchRows) {
			own[i] = *(**ecs.Data)(unsafe.Add(p, uintptr(i)*stride))
		}
		if group <= 1 && k.pages.scattered(own[:min(n, touchRows)]) && group == 1 {
			scattered = true
		}
		if !scattered {
			continue
		}
		var kids [touchRows * touchItems]*ecs.Data
		m := 0
		for _, d := range own[:min(n, touchRows)] {
			sum += d.Items()
		}
		for _, d := range own[:min(n, touchRows)] {
			values, _, _ := ecs.Raw.Content(d)
			for j := range values[:min(len(values), touchItems)] {
				if v := &values[j]; v.Kind() == ecs.TableValue {
					kids[m] = v.Data()
					m++
				}
			}
		}
		for _, d := range kids[:m] {
			sum += d.Items()
		}
		for _, d := range kids[:m] {
			if values, _, _ := ecs.Raw.Content(d); len(values) > 1 {
				sum += int(values[len(values)-1].Kind())
			}
		}
	}
	k.scattered = scattered
	f.sum = sum // so that the compiler keeps the reads
}
