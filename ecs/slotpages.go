package ecs

import "unsafe"

// Tags, relations and marks have a value for each slot that needs one. The values are in pages, and only pages in
// which a slot was used exist: a tag with one member takes a page and a list of pages, however many entities the
// world has. A look-up costs one load more than in a flat list.

// A slotPage has the values of that many slots.
const (
	pageSlots = 1 << slotShift
	slotShift = 8
	slotMask  = pageSlots - 1
)

type slotPage[T any] [pageSlots]T

// slotPages has a value of T for each slot. Values of pages that do not exist are those of the page none, which all
// of them share and nobody writes. T has no pointers.
type slotPages[T any] struct {
	pages []*slotPage[T] // by slot / 256; the last one is none, so that slots beyond can be looked up there
	none  *slotPage[T]
	held  int    // how many pages exist
	made  uint64 // how often a page was made or freed, for those who remember addresses

	memory Memory // where the pages are; nil for Go's heap
	owned  []bool // by page: it is in memory; nil without a memory
}

func newSlotPages[T any](none *slotPage[T], m Memory) slotPages[T] {
	return slotPages[T]{pages: []*slotPage[T]{none}, none: none, memory: m}
}

// at returns the address of the value of a slot, which may lie in the page none: then it must not be written. It
// has no branch.
func (p *slotPages[T]) at(slot uint32) *T {
	page := min(uintptr(slot>>slotShift), uintptr(len(p.pages)-1))
	return &(*(**slotPage[T])(unsafe.Add(unsafe.Pointer(unsafe.SliceData(p.pages)), page*pointerSize)))[slot&slotMask]
}

// page returns the values of the page of a slot, which may be the page none.
func (p *slotPages[T]) page(slot uint32) *slotPage[T] {
	return p.pages[min(uint(slot>>slotShift), uint(len(p.pages)-1))]
}

// has reports whether the page of a slot exists.
func (p *slotPages[T]) has(slot uint32) bool {
	page := int(slot >> slotShift)
	return page < len(p.pages) && p.pages[page] != p.none
}

// reserve makes the page of a slot. Error: [ErrBytes].
func (p *slotPages[T]) reserve(w *World, slot uint32) error {
	if p.has(slot) {
		return nil
	}
	page := int(slot >> slotShift)
	size, need := uint64(unsafe.Sizeof(*p.none)), cap(p.pages)
	if n := page + 2; n > need {
		need = max(n, need+need/4)
		size += uint64(need-cap(p.pages)) * pointerSize
	}
	if Raw.BytesLeft(w) < size && (!w.giveBack() || Raw.BytesLeft(w) < size) {
		return w.full()
	}
	w.bytes.Add(-p.bytes())
	p.make(page, need)
	w.bytes.Add(p.bytes())
	return nil
}

// make makes a page, in a list with room for need pages.
func (p *slotPages[T]) make(page, need int) {
	if need > cap(p.pages) {
		p.pages = append(make([]*slotPage[T], 0, need), p.pages...)
	}
	for len(p.pages) < page+2 {
		p.pages = append(p.pages, p.none)
	}
	p.put(page, p.none)
}

// put makes a page with the values of another one.
func (p *slotPages[T]) put(page int, from *slotPage[T]) {
	var to *slotPage[T]
	if p.memory != nil {
		to = (*slotPage[T])(p.memory.Alloc(unsafe.Sizeof(*to)))
		for len(p.owned) <= page {
			p.owned = append(p.owned, false)
		}
		p.owned[page] = to != nil
	}
	if to == nil {
		to = new(slotPage[T])
	}
	*to = *from
	p.pages[page] = to
	p.held++
	p.made++
}

// free frees a page that exists.
func (p *slotPages[T]) free(page int) {
	if p.memory != nil && p.owned[page] {
		p.memory.Free(unsafe.Pointer(p.pages[page]), unsafe.Sizeof(*p.none))
		p.owned[page] = false
	}
	p.pages[page] = p.none
	p.held--
	p.made++
}

// bytes returns the bytes of the pages and of their list. A list without a page counts nothing.
func (p *slotPages[T]) bytes() int64 {
	if p.held == 0 {
		return 0
	}
	return int64(p.held)*int64(unsafe.Sizeof(*p.none)) + int64(cap(p.pages))*pointerSize
}

// growth returns an upper bound for the bytes by which the pages grow if n of the given number of slots are used.
func (p *slotPages[T]) growth(n, slots int) uint64 {
	most := slots>>slotShift + 1
	made := uint64(max(min(n, most-p.held), 0))
	if made == 0 {
		return 0
	}
	return made*uint64(unsafe.Sizeof(*p.none)) + uint64(max(most+1, cap(p.pages)+cap(p.pages)/4))*pointerSize
}

// restore makes the pages equal to those of o.
func (p *slotPages[T]) restore(o *slotPages[T]) {
	for i, page := range p.pages {
		if page != p.none && (i >= len(o.pages) || o.pages[i] == o.none) {
			p.free(i)
		}
	}
	if cap(p.pages) != cap(o.pages) {
		p.pages = append(make([]*slotPage[T], 0, cap(o.pages)), p.pages[:min(len(p.pages), len(o.pages))]...)
	}
	for len(p.pages) < len(o.pages) {
		p.pages = append(p.pages, p.none)
	}
	p.pages = p.pages[:len(o.pages)]
	for i, from := range o.pages {
		switch to := p.pages[i]; {
		case from == o.none:
		case to == p.none:
			p.put(i, from)
		default:
			*to = *from
		}
	}
}

// all calls yield for each slot of the pages that exist, in ascending order.
func (p *slotPages[T]) all(yield func(slot int, v *T) bool) {
	for i, page := range p.pages {
		if page == p.none {
			continue
		}
		for k := range page {
			if !yield(i<<slotShift+k, &page[k]) {
				return
			}
		}
	}
}

// savePages writes which pages there are, and those of the numbers of each value that columns say: offset and width
// in bytes.
func savePages[T any](s *saver, p *slotPages[T], columns ...[2]int) {
	s.count(len(p.pages))
	s.count(cap(p.pages) - len(p.pages))
	for _, page := range p.pages {
		s.flag(page != p.none)
		if page == p.none {
			continue
		}
		for _, c := range columns {
			saveColumn(s, page[:], uintptr(c[0]), c[1])
		}
	}
}

// loadPages reads what savePages has written.
func loadPages[T any](l *loader, p *slotPages[T], columns ...[2]int) {
	n := int(l.below(1<<(32-slotShift)+2, "the number of pages of slots"))
	if n == 0 || int64(n) > l.c.Left() {
		l.fail("%d pages of slots", n)
	}
	need := l.unused(n, pointerSize)
	if need > 1 || n > 1 {
		p.pages = append(make([]*slotPage[T], 0, need), p.pages...)
	}
	for i := range n {
		if !l.flag() {
			if len(p.pages) < i+1 {
				p.pages = append(p.pages, p.none)
			}
			continue
		}
		if i == n-1 {
			l.fail("pages of slots without an end")
		}
		l.charge(pageSlots, unsafe.Sizeof(*new(T)))
		p.make(i, cap(p.pages))
		for _, c := range columns {
			loadColumn(l, p.pages[i][:], uintptr(c[0]), c[1])
		}
	}
}
