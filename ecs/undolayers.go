package ecs

import "slices"

// The undo log of layers. The first write to a page of cells in a turn opens the page: the journal is told of it, and copies it. What writes
// cells in place tests the mark of the page. A new tick closes all pages.

const (
	cellPageShift = 9
	cellPage      = 1 << cellPageShift
)

// openPage tells the journal, if there is one, that the cells of a page are about to be written.
func (l *AnyLayer) openPage(page int) {
	if j := l.world.journal; j != nil {
		j.cells(l, page<<cellPageShift, min((page+1)<<cellPageShift, l.Len()))
	}
	l.open[page] = 1
	l.opened = append(l.opened, page)
	l.wrote = l.world.Tick()
}

// closePages makes the first write to each page open it again.
func (w *World) closePages() {
	for _, l := range w.layers {
		for _, page := range l.opened {
			l.open[page] = 0
		}
		l.opened = l.opened[:0]
	}
}

// A layerUndo says where the old values of a page are.
type layerUndo struct {
	layer    *AnyLayer
	from, to int // cells
	values   int // in layerLog.bytes
}

// A layerLog holds the old values of pages.
type layerLog struct {
	pages []layerUndo
	bytes []byte
}

func (u *layerLog) begin() { u.pages, u.bytes = u.pages[:0], u.bytes[:0] }

// cells implements journal.
func (u *undo) cells(l *AnyLayer, from, to int) {
	if u.recording {
		u.layerLog.pages = append(u.layerLog.pages, layerUndo{l, from, to, len(u.layerLog.bytes)})
		u.layerLog.bytes = append(u.layerLog.bytes, l.span(from, to)...)
	}
}

// takeBack writes the old values back.
func (u *layerLog) takeBack() {
	for _, p := range slices.Backward(u.pages) {
		copy(p.layer.span(p.from, p.to), u.bytes[p.values:])
	}
}
