package interp

import (
	"slices"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Finding tables whose field names are known when they are made: { x = 1, y = 2 }, or local t = {} t.x = 1 t.y = 2.
// A table is one if code without branches sets constant, different names right behind the instruction that makes it,
// and nothing else uses its register in between. Then nothing can see the table before all names are set, and it may
// be made with its Layout (packed.go).

// A fieldStep stands in place of an instruction that makes such a table, or that sets one of its fields.
type fieldStep struct {
	is     bool  // false: it is no such instruction
	layout int32 // index in code.layouts
	field  int32 // index of the name; -1 for the instruction that makes the table
}

// findFieldNames finds these tables in a function. It must run after findShapes.
func (t *translator) findFieldNames() {
	t.fields = make([]fieldStep, len(t.proto.Code))
	for pc := 0; pc < len(t.proto.Code); pc = t.after(pc) {
		w := word(t.proto.Code[pc])
		if _, shaped := t.shaped[pc]; shaped || w.op() != lua.OP_NEWTABLE || t.captured[w.a()] {
			continue
		}
		names, sets := t.setBehind(pc)
		layout := t.layout(names)
		if layout < 0 {
			continue
		}
		t.fields[pc] = fieldStep{true, int32(layout), -1}
		for i, at := range sets {
			t.fields[at] = fieldStep{true, int32(layout), int32(i)}
		}
	}
}

// setBehind returns the names that are set in the table which the instruction at pc makes, and the places of the
// instructions that set them.
func (t *translator) setBehind(made int) (names []lua.LValue, sets []int) {
	code := t.proto.Code
	reg := word(code[made]).a()
	end := len(code) // no name is set from here on
	far := end       // how many instructions one name is from the one before
	if end > mostShapedCode {
		far = 2 * farthestName
	}
	last := made
	for pc := t.after(made); pc < end && pc-last < far && len(names) < mostPacked; pc = t.after(pc) {
		w := word(code[pc])
		switch op := w.op(); op {
		case lua.OP_SETTABLE, lua.OP_SETTABLEKS:
			if w.a() != reg {
				break
			}
			key, ok := t.nameAt(pc)
			if w.c() == reg || !ok {
				return names, sets
			}
			name := t.machine.shared(t.proto.Constants[key&^constantBit])
			if slices.Contains(names, name) || t.jumpedOver(made, pc) {
				return names, sets
			}
			names, sets, last = append(names, name), append(sets, pc), pc
			continue
		case lua.OP_SETLIST:
			if w.a() == reg && w.b() != 0 && w.c() != 0 {
				continue
			}
		case lua.OP_FORPREP, lua.OP_FORLOOP, lua.OP_TFORLOOP, lua.OP_RETURN, lua.OP_CLOSE:
			return names, sets
		}
		if mentions(w, reg) {
			return names, sets
		}
	}
	return names, sets
}

// nameAt returns the operand for the name that the SETTABLE at pc sets, as a constant. ok is false if the key is not a
// constant name. In a statement such as t.x = 1 gopher-lua loads the name into a register before it computes the
// value.
func (t *translator) nameAt(pc int) (key int, ok bool) {
	key = word(t.proto.Code[pc]).b()
	if isConstant(key) {
		return key, t.isString(key)
	}
	if t.captured[key] {
		return 0, false
	}
	for at := pc - 1; at >= max(0, pc-farthestName); at-- {
		w := word(t.proto.Code[at])
		if w.op() == lua.OP_LOADK && w.a() == key {
			name := w.bx() | constantBit
			return name, w.bx() < constantBit && t.isString(name) && !t.jumpedOver(at, pc) && !t.isData(at)
		}
		if mentions(w, key) {
			break
		}
	}
	return 0, false
}

// farthestName is the largest number of instructions between the one that loads a name and the one that uses it.
const farthestName = 32

// isData reports whether the word before pc may be one that belongs to a SETLIST or CLOSURE and is no instruction.
func (t *translator) isData(pc int) bool {
	for from := max(0, pc-farthestName); from < pc; from++ {
		if op := word(t.proto.Code[from]).op(); op == lua.OP_SETLIST || op == lua.OP_CLOSURE {
			return true
		}
	}
	return false
}

// jumpedOver reports whether code between two places may be skipped or repeated: whether a jump leads into it or out
// of it, or from a place before the end to one behind the end.
func (t *translator) jumpedOver(from, to int) bool {
	t.findJumps()
	for _, j := range between(t.jumpList, 0, from, to) {
		if j[1] <= from || j[1] > to || j[1] <= j[0] {
			return true
		}
	}
	for _, j := range between(t.jumpsTo, 1, from, to) {
		if j[0] <= from || j[0] > to {
			return true
		}
	}
	return false
}

// between returns the jumps of a list, sorted by place (0) or by target (1), for which that is behind from and not behind to.
func between(jumps [][2]int, by, from, to int) [][2]int {
	behind := func(pc int) int { return sort.Search(len(jumps), func(i int) bool { return jumps[i][by] > pc }) }
	return jumps[behind(from):behind(to)]
}

// findJumps finds the jumps of the function: their places and their targets.
func (t *translator) findJumps() {
	if t.jumpsKnown {
		return
	}
	t.jumpsKnown = true
	for pc := 0; pc < len(t.proto.Code); pc = t.after(pc) {
		switch w := word(t.proto.Code[pc]); w.op() {
		case lua.OP_JMP, lua.OP_FORLOOP, lua.OP_FORPREP:
			t.jumpList = append(t.jumpList, [2]int{pc, pc + 1 + w.sbx()})
		case lua.OP_EQ, lua.OP_LT, lua.OP_LE, lua.OP_TEST, lua.OP_TESTSET, lua.OP_TFORLOOP:
			t.jumpList = append(t.jumpList, [2]int{pc, pc + 2})
		case lua.OP_LOADBOOL:
			if w.c() != 0 {
				t.jumpList = append(t.jumpList, [2]int{pc, pc + 2})
			}
		}
	}
	t.jumpsTo = slices.Clone(t.jumpList)
	slices.SortFunc(t.jumpsTo, func(a, b [2]int) int { return a[1] - b[1] })
}

// layout returns the index of the layout of tables with these names; -1 if there is none.
func (t *translator) layout(names []lua.LValue) int {
	if len(names) == 0 {
		return -1
	}
	if last := len(t.code.layouts) - 1; last >= 0 && slices.Equal(names, t.lastNames) {
		return last
	}
	var key strings.Builder
	for _, name := range names {
		text := string(name.(lua.LString))
		key.WriteString(text)
		key.WriteByte(0)
		if strings.IndexByte(text, 0) >= 0 {
			return -1
		}
	}
	m := t.machine
	if m.layouts == nil {
		m.layouts = map[string]*Layout{}
	}
	l, known := m.layouts[key.String()]
	if !known {
		l = NewLayout(names...)
		m.layouts[key.String()] = l
	}
	if l == nil {
		return -1
	}
	t.code.layouts, t.lastNames = append(t.code.layouts, l), names
	return len(t.code.layouts) - 1
}

// fieldInstruction translates an instruction that makes a table with a layout, or sets a field of it.
func (t *translator) fieldInstruction(w word, step fieldStep) {
	switch {
	case step.field < 0:
		t.emit(opNewLaidOut, offset(w.a()), w.b(), w.c()).site = step.layout
		return
	case isConstant(w.c()):
		in := t.emit(opInitFieldK, offset(w.a()), int(step.field), rk(w.c()))
		in.site, in.flag = step.layout, t.constructs[t.pc]
	default:
		t.read(w.c())
		in := t.emit(opInitField, offset(w.a()), int(step.field), rk(w.c()))
		in.site, in.flag = step.layout, t.constructs[t.pc]
	}
}
