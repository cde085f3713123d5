package watch

import (
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Strings in the rows that a call may have stored.

// textCells are the strings of components that rows store, with copies of them.
type textCells struct {
	cells         []cell
	before, after []string // mostRows for each cell
}

// add adds the fields of a component that are strings.
func (x *textCells) add(view int, fields []ecs.Field) {
	for i := range fields {
		if fields[i].Type == ecs.String {
			x.cells = append(x.cells, cell{view, &fields[i]})
		}
	}
	x.before, x.after = make([]string, mostRows*len(x.cells)), make([]string, mostRows*len(x.cells))
}

// eachText calls a function for each string of the rows of a call: where it is in the world, and its number in the copies.
func (t *rerun) eachText(visit func(c cell, p *string, row, i int)) {
	for i, c := range t.texts.cells {
		at, stride := t.at(c)
		if at == nil {
			continue
		}
		for row := range t.N {
			visit(c, (*string)(unsafe.Add(at, uintptr(row)*stride)), row, i*mostRows+row)
		}
	}
}

// readTexts copies the strings of the rows from the world; writeTexts copies them to the world.
func (t *rerun) readTexts(to []string) {
	t.eachText(func(_ cell, p *string, _, i int) { to[i] = *p })
}

func (t *rerun) writeTexts(from []string) {
	t.eachText(func(_ cell, p *string, _, i int) { *p = from[i] })
}

// forgetTexts lets the garbage collector free them.
func (t *rerun) forgetTexts() {
	clear(t.texts.before)
	clear(t.texts.after)
}

// compareTexts compares the strings of the rows.
func (t *rerun) compareTexts() (d *kernel.Difference) {
	t.eachText(func(c cell, p *string, row, i int) {
		if d == nil && *p != t.texts.after[i] {
			d = &kernel.Difference{
				Input: -1, Component: t.component(t.frame.Program.Components[c.view]), Field: c.field.Name,
				Code: strconv.Quote(t.texts.after[i]), Closures: strconv.Quote(*p),
			}
			t.place(d, row)
		}
	})
	return d
}
