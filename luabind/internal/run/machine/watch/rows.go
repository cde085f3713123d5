package watch

import (
	"fmt"
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
)

// Compared here: fields and marks of the rows, variables declared outside the loop, results, elements of tables, and values that
// were stored in other rows.

// compareMarks compares which views row i of the call has stored. ran is its number among the rows that closures ran.
func (t *rerun) compareMarks(i, ran int) *kernel.Difference {
	if t.frame.Unit.Marks < 0 {
		return nil
	}
	for bit, view := range t.frame.Unit.Others {
		code, closures := t.frame.Marks[i]>>bit&1 != 0, t.shadow.Dirty(ran)>>view&1 != 0
		if code != closures {
			return t.difference(i, "whether it writes "+t.component(t.frame.Program.Components[view]), strconv.FormatBool(code), strconv.FormatBool(closures))
		}
	}
	return nil
}

// compareRows compares the fields of all rows of the call, also of those that are not done.
func (t *rerun) compareRows() *kernel.Difference {
	for i, c := range t.cells {
		at, stride := t.at(c)
		if at == nil {
			continue
		}
		for row := range t.N {
			if x, y := t.after[i*mostRows+row], kernel.Peek(unsafe.Add(at, uintptr(row)*stride), c.field.Type.Size()); !sameBits(c.field.Type, x, y) {
				d := &kernel.Difference{Input: -1, Component: t.component(t.frame.Program.Components[c.view]), Field: c.field.Name, Code: textOf(c.field.Type, x), Closures: textOf(c.field.Type, y)}
				t.place(d, row)
				return d
			}
		}
	}
	return nil
}

// compareRegisters compares the variables declared outside the loop, and the resources, that the loop assigns.
func (t *rerun) compareRegisters() *kernel.Difference {
	closures := t.shadow.Registers()
	for _, out := range t.frame.Program.Outputs {
		if out.Mark >= 0 {
			if x, y := t.frame.Bool(out.Mark), closures.Bool(out.Mark); x != y {
				return &kernel.Difference{Row: -1, Input: out.Input, What: "whether it is assigned", Code: strconv.FormatBool(x), Closures: strconv.FormatBool(y)}
			} else if !x {
				continue
			}
		}
		differs, x, y := false, "", ""
		switch out.Type {
		case ir.Bool:
			if a, b := t.frame.Bool(out.Reg), closures.Bool(out.Reg); a != b {
				differs, x, y = true, strconv.FormatBool(a), strconv.FormatBool(b)
			}
		case ir.Text:
			if a, b := t.frame.LentText(out.Reg), closures.Text(out.Reg); a != b {
				differs, x, y = true, strconv.Quote(a), strconv.Quote(b)
			}
		default:
			if a, b := t.frame.Number(out.Reg), closures.Number(out.Reg); !sameNumber(a, b) {
				differs, x, y = true, ecs.Number(a).String(), ecs.Number(b).String()
			}
		}
		if differs {
			return &kernel.Difference{Row: -1, Input: out.Input, Code: x, Closures: y}
		}
	}
	return nil
}

// compareResults compares the values of a return. It leaves no results in the frame.
func (t *rerun) compareResults() *kernel.Difference {
	t.frame.Results = t.frame.Results[:0]
	t.frame.TakeResults()
	closures := t.shadow.Registers().Results()
	same := len(t.frame.Results) == len(closures)
	for i := 0; same && i < len(closures); i++ {
		x, y := t.frame.Results[i], closures[i]
		same = x.Type == y.Type && sameNumber(x.N, y.N) && x.S == y.S
	}
	if same {
		t.frame.Results = t.frame.Results[:0]
		return nil
	}
	d := t.difference(-1, "what it returns", fmt.Sprint(t.frame.Results), fmt.Sprint(closures))
	t.frame.Results = t.frame.Results[:0]
	return d
}

// compareStored compares the values that closures have stored in other rows, and the elements of tables. The values of the
// code are in the world.
func (t *rerun) compareStored() *kernel.Difference {
	for _, s := range t.stored {
		if got := kernel.Peek(s.p, s.typ.Size()); !sameBits(s.typ, got, s.value) {
			return t.elsewhere(s.p, textOf(s.typ, got), textOf(s.typ, s.value))
		}
	}
	for _, s := range t.storedTexts {
		if *s.p != s.value {
			return t.elsewhere(unsafe.Pointer(s.p), strconv.Quote(*s.p), strconv.Quote(s.value))
		}
	}
	if d := t.compareKeyed(); d != nil {
		return d
	}
	for i := range t.frame.Tables() {
		closures := t.shadow.Table(i)
		for j, x := range t.frame.Elements(i) {
			if !sameNumber(x, closures[j]) {
				return &kernel.Difference{Row: -1, Input: t.frame.Program.Tables[i].Input, Code: ecs.Number(x).String(), Closures: ecs.Number(closures[j]).String()}
			}
		}
	}
	return nil
}
