package machine

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// Here the values that a watched call has left are compared with those of the closures: fields and marks of its rows,
// variables from around the loop, results, and what was stored elsewhere. Values are compared by their bits; NaN is NaN.

// compareMarks looks at which views a row has stored: ran is its number among those
// that were run.
func (t *twin) compareMarks(k *Kernel, i, ran int) *kernel.Difference {
	if k.unit.Marks < 0 {
		return nil
	}
	for bit, view := range k.unit.Others {
		code, closures := k.markBytes[i]>>bit&1 != 0, t.shadow.Dirty(ran)>>view&1 != 0
		if code != closures {
			return t.what(i, "whether it writes "+t.component(k.program.Components[view]), strconv.FormatBool(code), strconv.FormatBool(closures))
		}
	}
	return nil
}

// compareRows looks at the fields of the rows, those that are not done included.
func (t *twin) compareRows(k *Kernel) *kernel.Difference {
	for i, c := range t.cells {
		at, stride := t.at(k, c)
		if at == nil {
			continue
		}
		for row := range t.n {
			if x, y := t.code[i*mostWatched+row], peek(unsafe.Add(at, uintptr(row)*stride), c.field.Type.Size()); !sameBits(c.field.Type, x, y) {
				d := &kernel.Difference{Input: -1, Component: t.component(k.program.Components[c.view]), Field: c.field.Name, Code: textOf(c.field.Type, x), Closures: textOf(c.field.Type, y)}
				t.place(d, row)
				return d
			}
		}
	}
	return nil
}

// compareRegisters looks at the variables from around the loop and the resources
// that it assigns.
func (t *twin) compareRegisters(k *Kernel) *kernel.Difference {
	closures := t.shadow.Registers()
	for _, out := range k.program.Outputs {
		if out.Mark >= 0 {
			if x, y := k.Bool(out.Mark), closures.Bool(out.Mark); x != y {
				return &kernel.Difference{Row: -1, Input: out.Input, What: "whether it is assigned", Code: strconv.FormatBool(x), Closures: strconv.FormatBool(y)}
			} else if !x {
				continue
			}
		}
		differs, x, y := false, "", ""
		switch out.Type {
		case ir.Bool:
			if a, b := k.Bool(out.Reg), closures.Bool(out.Reg); a != b {
				differs, x, y = true, strconv.FormatBool(a), strconv.FormatBool(b)
			}
		case ir.Text:
			if a, b := k.strings[*k.textAt(out.Reg)], closures.Text(out.Reg); a != b {
				differs, x, y = true, strconv.Quote(a), strconv.Quote(b)
			}
		default:
			if a, b := k.Number(out.Reg), closures.Number(out.Reg); !sameNumber(a, b) {
				differs, x, y = true, ecs.Number(a).String(), ecs.Number(b).String()
			}
		}
		if differs {
			return &kernel.Difference{Row: -1, Input: out.Input, Code: x, Closures: y}
		}
	}
	return nil
}

// compareResults looks at the values of a return.
func (t *twin) compareResults(k *Kernel) *kernel.Difference {
	k.results = k.results[:0]
	k.result()
	closures := t.shadow.Registers().Results()
	same := len(k.results) == len(closures)
	for i := 0; same && i < len(closures); i++ {
		x, y := k.results[i], closures[i]
		same = x.Type == y.Type && sameNumber(x.N, y.N) && x.S == y.S
	}
	if same {
		k.results = k.results[:0]
		return nil
	}
	d := t.what(-1, "what it returns", fmt.Sprint(k.results), fmt.Sprint(closures))
	k.results = k.results[:0]
	return d
}

// compareStored looks at what the closures have stored elsewhere, and at the elements
// of tables, once the values of code are in the world again.
func (t *twin) compareStored(k *Kernel) *kernel.Difference {
	for _, s := range t.stored {
		if got := peek(s.p, s.typ.Size()); !sameBits(s.typ, got, s.value) {
			return t.elsewhere(s.p, textOf(s.typ, got), textOf(s.typ, s.value))
		}
	}
	for i := range k.given {
		closures := t.shadow.Table(i)
		for j, x := range k.elements(i) {
			if !sameNumber(x, closures[j]) {
				return &kernel.Difference{Row: -1, Input: k.program.Tables[i].Input, Code: ecs.Number(x).String(), Closures: ecs.Number(closures[j]).String()}
			}
		}
	}
	return nil
}

// sameBits compares two values of a field; NaN is NaN.
func sameBits(t ecs.FieldType, x, y uint64) bool {
	return x == y || (t == ecs.F64 || t == ecs.F32) && bothNaN(t.Size(), x, y)
}

// sameNumber compares two numbers by their bits; NaN is NaN.
func sameNumber(a, b float64) bool {
	return sameBits(ecs.F64, math.Float64bits(a), math.Float64bits(b))
}

// bothNaN reports whether the bits of two numbers of 8 or 4 bytes are those of NaN.
func bothNaN(size uintptr, x, y uint64) bool {
	switch size {
	case 8:
		a, b := math.Float64frombits(x), math.Float64frombits(y)
		return a != a && b != b
	case 4:
		a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		return a != a && b != b
	}
	return false
}

// textOf is a value of a field in words.
func textOf(t ecs.FieldType, bits uint64) string {
	shift := 64 - 8*t.Size()
	switch t {
	case ecs.F64:
		return ecs.Number(math.Float64frombits(bits)).String()
	case ecs.F32:
		return ecs.Number(float64(math.Float32frombits(uint32(bits)))).String()
	case ecs.Bool:
		return strconv.FormatBool(bits != 0)
	case ecs.EntityField:
		return ecs.Entity(bits).String()
	case ecs.I8, ecs.I16, ecs.I32, ecs.I64:
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	case ecs.U8, ecs.U16, ecs.U32, ecs.U64:
		return strconv.FormatUint(bits, 10)
	}
	panic("machine: code stores a field of type " + t.String())
}
