package ecs

import (
	"slices"
	"unsafe"
)

// The undo log of resources. A small one is copied when a turn begins. A large one has pages: the first write to a page in a turn opens it, and the
// log copies it. A new tick closes all pages.

const (
	bytePageShift = 12
	pagedBytes    = 1 << bytePageShift // a resource of fewer bytes is copied
)

// rowPages are the pages of the row of a resource.
type rowPages struct {
	world  *World
	ptr    unsafe.Pointer
	size   uintptr
	open   []bool
	opened []int
	lent   bool // Go code has its address, so it may be written without a word
}

// newPages returns the pages of a resource, nil for one that is copied: a small one, or one with strings and tables.
func newPages(w *World, s *Schema, row unsafe.Pointer) *rowPages {
	if s.size < pagedBytes || !s.PointerFree() {
		return nil
	}
	return &rowPages{world: w, ptr: row, size: s.size, open: make([]bool, (s.size-1)>>bytePageShift+1)}
}

// before must be called before bytes of the row are written.
func (p *rowPages) before(offset, size uintptr) {
	for page := int(offset >> bytePageShift); page <= int((offset+size-1)>>bytePageShift); page++ {
		if !p.open[page] {
			p.openPage(page)
		}
	}
}

func (p *rowPages) openPage(page int) {
	if u := p.world.undo; u != nil && u.recording {
		from := uintptr(page) << bytePageShift
		u.resourceLog.note(p, from, min(from+pagedBytes, p.size))
	}
	p.open[page] = true
	p.opened = append(p.opened, page)
}

// closeResources makes the first write to each page open it again.
func (w *World) closeResources() {
	for _, r := range w.resources {
		if p := r.pages; p != nil {
			for _, page := range p.opened {
				p.open[page] = false
			}
			p.opened = p.opened[:0]
		}
	}
}

// A resourceUndo says where the old bytes of a page are.
type resourceUndo struct {
	of       *rowPages
	from, to uintptr
	values   int // in resourceLog.bytes
}

// A resourceLog holds the old values of resources.
type resourceLog struct {
	copies []commandStore // by id: a copy; none of one with pages
	pages  []resourceUndo
	bytes  []byte
}

func (l *resourceLog) begin(w *World) {
	l.pages, l.bytes = l.pages[:0], l.bytes[:0]
	for i, r := range w.resources {
		if i == len(l.copies) {
			var store commandStore
			if r.pages == nil {
				store.base, _ = allocRows(nil, r.schema, 1)
			}
			l.copies = append(l.copies, store)
		}
		switch {
		case r.pages == nil:
			r.schema.copyRow(l.copies[i].base, r.ptr)
		case r.pages.lent:
			r.pages.before(0, r.pages.size)
		}
	}
}

func (l *resourceLog) note(p *rowPages, from, to uintptr) {
	l.pages = append(l.pages, resourceUndo{p, from, to, len(l.bytes)})
	l.bytes = append(l.bytes, unsafe.Slice((*byte)(unsafe.Add(p.ptr, from)), to-from)...)
}

// takeBack writes the old values back.
func (l *resourceLog) takeBack(w *World) {
	for _, c := range slices.Backward(l.pages) {
		copy(unsafe.Slice((*byte)(unsafe.Add(c.of.ptr, c.from)), c.to-c.from), l.bytes[c.values:])
	}
	for i, r := range w.resources[:len(l.copies)] {
		if r.pages == nil {
			r.schema.copyRow(r.ptr, l.copies[i].base)
		}
	}
}
