package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Strings in copies of rows. Code sees the number of a string where the row has the string: see frame.NumberOf. Numbers are
// made for the strings that the loop reads. One that it only assigns is brought in as abi.NoText, and taken back where that
// has changed. One that every row assigns is not brought in, unless
// code skips rows: a mask says then which rows are done.

func (p *copyPlan) text(f *ecs.Field) *textPlace {
	for i := range p.texts {
		if p.texts[i].offset == f.Offset {
			return &p.texts[i]
		}
	}
	p.texts = append(p.texts, textPlace{offset: f.Offset})
	return &p.texts[len(p.texts)-1]
}

// bringTexts puts the numbers of strings into copies of some rows.
func (k *Kernel) bringTexts(list []textPlace, to, from unsafe.Pointer, stride uintptr, rows int) {
	for _, t := range list {
		to, from := unsafe.Add(to, t.offset), unsafe.Add(from, t.offset)
		if t.read {
			k.frame.NumberRows(to, from, stride, rows)
			continue
		}
		for row := uintptr(0); row < uintptr(rows) && !t.always; row++ {
			*(*uint32)(unsafe.Add(to, row*stride)) = abi.NoText
		}
	}
}

// takeTexts assigns the strings whose numbers rows have stored.
func (k *Kernel) takeTexts(list []textPlace, to, from unsafe.Pointer, stride uintptr, rows int) {
	for _, t := range list {
		if !t.stored {
			continue
		}
		k.frame.TakeRows(unsafe.Add(to, t.offset), unsafe.Add(from, t.offset), stride, rows)
	}
}

// eventTexts returns the places of the strings that a loop over events reads.
func (k *Kernel) eventTexts() []textPlace {
	p := &k.blocks.plans[0]
	if !p.made {
		abi.Walk(k.program.Body, func(*ir.Stmt) {}, func(x *ir.Expr) {
			if x.Op == ir.Load && x.I == 0 && x.Type == ir.Text {
				p.text(x.Field).read = true
			}
		})
		p.made = true
	}
	return p.texts
}
