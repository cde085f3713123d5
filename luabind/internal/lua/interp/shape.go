package interp

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// Shapes: calls with a table constructor, without the table. A call such as world:spawn{ Position = { x = 1 },
// "player" } makes tables that only the called function sees, and takes apart. If such a constructor is the last
// argument of a call, and its names are constants, the translation makes no tables: the values of its entries go to
// registers of their own (slots), and the call gets them with a Shape, which describes them. A Go function that has
// a form for shapes takes the values from there. For any other function, the tables are made at the call, as the
// constructor would have made them.

// A Shape is the layout of a table constructor whose names are constants. It does not change after translation,
// except for Data.
type Shape struct {
	Fields []ShapeField // in the order of the constructor
	Items  []int        // the slots of the list items
	Data   any          // what the called function remembers about this shape

	slots  int     // of the whole constructor; set for the outermost one
	layout *Layout // of the tables that are made after all; nil before the first one, and if it is odd
	odd    bool    // there is no layout for its names
}

// A ShapeField is a named entry: the value in a slot, or a nested constructor.
type ShapeField struct {
	Name lua.LString
	Slot int
	Sub  *Shape // nil: the value is in Slot
	name lua.LValue
}

// A Shaped is the third form of a Go function, for a call whose last argument is a constructor. args are the
// arguments before it. It returns one result ([None] for none), or false if the first form must decide, as with a
// Native. A nil value makes no entry.
type Shaped func(m *Machine, args []Value, s *Shape, slots []Value) (Value, bool)

// NewShaped is NewNative with a form for shapes. native may be nil.
func NewShaped(env *lua.LTable, fn lua.LGFunction, native Native, shaped Shaped) *lua.LFunction {
	if native == nil {
		native = declines
	}
	f := NewNative(env, fn, native)
	(*NativeFunction)(unsafe.Pointer(f)).shaped = shaped
	return f
}

// callShape executes opCallShape: a call whose arguments end with a constructor.
func (m *Machine) callShape(act *activation, in *instruction) outcome {
	a, nargs := int(in.a), int(in.b)-1
	s := act.code.sites[in.site].shape
	if fn, ok := at(act.r, a).Ref.(*lua.LFunction); ok && fn.IsG && isMarked(fn, nativeMark) && !m.full(act.frame) {
		if nf := (*NativeFunction)(unsafe.Pointer(fn)); nf.shaped != nil {
			if v, ok := m.shaped(act, in, nf, s); ok {
				m.give(act, a, int(in.c)-1, v)
				return done
			}
		}
	}
	at(act.r, a+nargs).Ref = m.Table(s.shape, act.slots(s))
	return m.call(act, in)
}

// shaped calls the form of a function for shapes.
func (m *Machine) shaped(act *activation, in *instruction, fn *NativeFunction, s *shapeSite) (Value, bool) {
	act.frame.Pc = int(in.pc) + 1
	m.spend()
	v, ok := fn.shaped(m, window(act.r, int(in.a)+1, int(in.b)-2), s.shape, act.slots(s))
	m.reload()
	return v, ok
}

// giveBackShape executes opReturnShape: the returned value is a constructor. A caller that used CallShape gets it
// as a shape.
func (m *Machine) giveBackShape(act *activation, in *instruction) (over bool) {
	s := act.code.sites[in.site].shape
	if act.end == endDirect && act.shapes {
		m.result.shape = s.shape
		m.result.slots = append(m.result.slots[:0], act.slots(s)...)
		m.hand(act, nil)
		return true
	}
	at(act.r, int(in.a)).Ref = m.Table(s.shape, act.slots(s))
	return m.giveBack(act, in)
}

// CallShape is Call for a function that may return a constructor. If it returns something else, shape is nil and v
// has the result. The slots are valid until the next call.
func (m *Machine) CallShape(L *lua.LState, fn lua.LValue, args ...Value) (v Value, shape *Shape, slots []Value, ok bool) {
	m.wantsShape = true
	v, ok = m.Call(L, fn, args...)
	m.wantsShape = false
	shape, slots = m.result.shape, m.result.slots
	m.result.shape = nil
	return v, shape, slots, ok
}

// slots returns the values of a constructor.
func (act *activation) slots(s *shapeSite) []Value {
	return window(act.r, s.first-act.code.below, s.shape.slots)
}

// Table makes the Lua table that a shape describes.
func (m *Machine) Table(s *Shape, slots []Value) *lua.LTable {
	if s.layout == nil && !s.odd {
		names := make([]lua.LValue, len(s.Fields))
		for i := range s.Fields {
			names[i] = s.Fields[i].name
		}
		s.layout = NewLayout(names...)
		s.odd = s.layout == nil
	}
	var t *lua.LTable
	if s.layout != nil {
		t = m.newLaidOut(s.layout, len(s.Items))
	} else {
		t = newTable(len(s.Items), len(s.Fields))
	}
	for i, slot := range s.Items {
		t.RawSetInt(i+1, m.boxes.value(&slots[slot]))
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		v := Value{}
		if f.Sub != nil {
			v.Ref = m.Table(f.Sub, slots)
		} else {
			v = slots[f.Slot]
		}
		switch {
		case s.layout != nil:
			m.initField(s.layout, t, i, &v)
		case !v.IsNil():
			tableOf(t).add(f.name, m.boxes.value(&v))
		}
	}
	return t
}

// A shapeSite is the shape of a call, with its first slot.
type shapeSite struct {
	shape *Shape
	first int
}

// A shapedKind says what stands in place of an instruction of a constructor that makes no table.
type shapedKind uint8

const (
	shapedNothing shapedKind = iota // a table that is not made, or stored
	shapedField                     // a value goes to a slot
	shapedItems                     // several values go to slots, from one on
	shapedCall
)

// A shapedStep stands in place of one instruction of a constructor that makes no table.
type shapedStep struct {
	kind  shapedKind
	slot  int
	shape *Shape // of a call
}

// A constructor is one that findShapes examines.
type constructor struct {
	*translator
	steps map[int]shapedStep // by pc
	slots int
	ends  map[int]int // by pc of the constructors that were examined: the pc behind, 0 if a table is needed
}

// mostSlots is the largest number of slots of a function, because its registers are copied for each call.
const mostSlots = 100

// mostShapedCode is the largest number of instructions of a function in which shapes are looked for: data runs once.
const mostShapedCode = 20_000

// findShapes finds the constructors of a function that need no table.
func (t *translator) findShapes() {
	t.shaped = map[int]shapedStep{}
	if len(t.proto.Code) > mostShapedCode {
		return
	}
	ends := map[int]int{}
	for pc := 0; pc < len(t.proto.Code); pc = t.after(pc) {
		if _, known := t.shaped[pc]; known || word(t.proto.Code[pc]).op() != lua.OP_NEWTABLE {
			continue
		}
		c := constructor{t, map[int]shapedStep{}, 0, ends}
		shape, end := c.match(pc)
		if shape == nil || len(shape.Fields) == 0 || t.code.below+c.slots > mostSlots || t.targets[end] || !t.closed(pc, end) {
			continue
		}
		w, reg := word(t.proto.Code[end]), word(t.proto.Code[pc]).a()
		switch {
		case t.capturesFrom(w.a()):
			continue
		case (w.op() == lua.OP_CALL || w.op() == lua.OP_TAILCALL) && w.b() >= 2 && w.a()+w.b()-1 == reg:
		case w.op() == lua.OP_RETURN && w.b() == 2 && w.a() == reg:
		default:
			continue
		}
		shape.slots = c.slots
		c.steps[end] = shapedStep{shapedCall, t.code.below, shape}
		for at, step := range c.steps {
			if step.kind == shapedField || step.kind == shapedItems {
				step.slot += t.code.below
			}
			t.shaped[at] = step
		}
		t.code.below += c.slots
	}
}

// after returns the pc of the instruction behind the one at pc, past the words that belong to it.
func (t *translator) after(pc int) int {
	w := word(t.proto.Code[pc])
	switch {
	case w.op() == lua.OP_CLOSURE:
		pc += int(t.proto.FunctionPrototypes[w.bx()].NumUpvalues)
	case w.op() == lua.OP_SETLIST && w.c() == 0:
		pc++
	}
	return pc + 1
}

// match follows the constructor that begins with the NEWTABLE at pc, up to the instruction behind it. The shape is
// nil if a table is needed.
func (c *constructor) match(pc int) (s *Shape, end int) {
	if end, known := c.ends[pc]; known && end == 0 {
		return nil, 0
	}
	s, end = c.follow(pc)
	c.ends[pc] = end
	return s, end
}

// follow is match without the memory of what was examined.
func (c *constructor) follow(pc int) (s *Shape, end int) {
	code := c.proto.Code
	reg := word(code[pc]).a()
	s = &Shape{}
	c.steps[pc] = shapedStep{kind: shapedNothing}
	names := map[string]bool{}
	for pc = c.after(pc); pc < len(code); pc = c.after(pc) {
		w := word(code[pc])
		switch op := w.op(); {
		case (op == lua.OP_SETTABLE || op == lua.OP_SETTABLEKS) && w.a() == reg:
			if !c.field(s, w, names) {
				return nil, 0
			}
			c.steps[pc] = shapedStep{kind: shapedField, slot: c.slots}
			s.Fields[len(s.Fields)-1].Slot = c.slots
			c.slots++
		case op == lua.OP_SETLIST && w.a() == reg:
			if w.b() == 0 || w.c() != 1 || len(s.Items) > 0 {
				return nil, 0
			}
			c.steps[pc] = shapedStep{kind: shapedItems, slot: c.slots}
			for range w.b() {
				s.Items = append(s.Items, c.slots)
				c.slots++
			}
		case op == lua.OP_NEWTABLE && w.a() > reg:
			if end, ok := c.nested(s, pc, reg, names); ok {
				pc = end
			}
		case mentions(w, reg):
			return s, pc
		case op == lua.OP_RETURN, op == lua.OP_FORLOOP, op == lua.OP_FORPREP, op == lua.OP_TFORLOOP, op == lua.OP_CLOSE:
			return nil, 0
		}
	}
	return nil, 0
}

// nested matches a constructor that begins at pc and is stored in the table in register reg. Any table that is made
// while reg is in use may be one, so a constructor that is known to be none is not followed again: n tables in a row
// would take 2^n steps.
func (c *constructor) nested(s *Shape, pc, reg int, names map[string]bool) (end int, ok bool) {
	inner := word(c.proto.Code[pc]).a()
	if end, known := c.ends[pc]; known && (end == 0 || !c.stores(end, reg, inner)) {
		return 0, false
	}
	trial := constructor{c.translator, map[int]shapedStep{}, c.slots, c.ends}
	sub, end := trial.match(pc)
	if sub == nil || c.targets[end] || !c.closed(pc, end) {
		return 0, false
	}
	if !c.stores(end, reg, inner) || !c.field(s, word(c.proto.Code[end]), names) {
		return 0, false
	}
	s.Fields[len(s.Fields)-1].Sub = sub
	for at, step := range trial.steps {
		c.steps[at] = step
	}
	c.steps[end] = shapedStep{kind: shapedNothing}
	c.slots = trial.slots
	return end, true
}

// stores reports whether the instruction at pc stores register inner in the table in register reg.
func (c *constructor) stores(pc, reg, inner int) bool {
	w := word(c.proto.Code[pc])
	return (w.op() == lua.OP_SETTABLE || w.op() == lua.OP_SETTABLEKS) && w.a() == reg && w.c() == inner
}

// field adds the entry of a SETTABLE with a constant name.
func (c *constructor) field(s *Shape, w word, names map[string]bool) bool {
	if !isConstant(w.b()) || !c.isString(w.b()) {
		return false
	}
	v := c.machine.shared(c.proto.Constants[w.b()&^constantBit])
	name := v.(lua.LString)
	if names[string(name)] {
		return false
	}
	names[string(name)] = true
	s.Fields = append(s.Fields, ShapeField{Name: name, name: v})
	return true
}

// mentions reports whether an instruction may use a register.
func mentions(w word, register int) bool {
	a, b, c := w.a(), w.b(), w.c()
	switch w.op() {
	case lua.OP_JMP, lua.OP_NOP:
		return false
	case lua.OP_CALL, lua.OP_TAILCALL, lua.OP_RETURN, lua.OP_VARARG, lua.OP_TFORLOOP, lua.OP_FORLOOP, lua.OP_FORPREP, lua.OP_CLOSE, lua.OP_SETLIST, lua.OP_SELF:
		return register >= a || w.op() == lua.OP_SELF && (b == register || c == register)
	case lua.OP_LOADNIL:
		return a <= register && register <= b
	case lua.OP_CONCAT:
		return a == register || b <= register && register <= c
	case lua.OP_LOADK, lua.OP_LOADBOOL, lua.OP_GETUPVAL, lua.OP_GETGLOBAL, lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_NEWTABLE, lua.OP_CLOSURE, lua.OP_TEST:
		return a == register
	case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
		return b == register || c == register
	case lua.OP_MOVE, lua.OP_MOVEN, lua.OP_NOT, lua.OP_UNM, lua.OP_LEN, lua.OP_TESTSET:
		return a == register || b == register
	}
	return a == register || b == register || c == register
}

// closed reports whether no jump leads into the code from..end from outside, or out of it.
func (t *translator) closed(from, end int) bool {
	t.findJumps()
	for _, j := range between(t.jumpList, 0, from, end-1) {
		if j[1] <= from || j[1] >= end {
			return false
		}
	}
	for _, j := range between(t.jumpsTo, 1, from, end-1) {
		if j[0] <= from || j[0] >= end {
			return false
		}
	}
	return true
}

// A slotted is the code in which a slot holds a value, or in which the register of a table that is not made holds none.
type slotted struct {
	slot      int // from 0 on; of a register -1 - its number
	from, end int // pc of the instruction that begins it, and of the one that ends it
}

// slotsAt calls visit for the slots that hold a value at pc, and for the registers that hold none.
func (c *code) slotsAt(pc int, visit func(slot int)) {
	for _, s := range c.slotted {
		if s.from < pc && (pc < s.end || s.end < 0) {
			visit(s.slot)
		}
	}
}

// shapedInstruction translates an instruction of a constructor that makes no table.
func (t *translator) shapedInstruction(w word, step shapedStep) {
	to := func(i int) int { return offset(step.slot + i - t.code.below) }
	in := func(slot int) { t.code.slotted = append(t.code.slotted, slotted{slot, t.pc, -1}) }
	ends := func(slot int) {
		for i := range t.code.slotted {
			if s := &t.code.slotted[i]; s.slot == slot && s.end < 0 {
				s.end = t.pc
			}
		}
	}
	switch step.kind {
	case shapedNothing:
		if w.op() == lua.OP_NEWTABLE {
			in(-1 - w.a())
			t.emit(opAllocate, 0, w.b(), w.c())
			break
		}
		ends(-1 - w.c()) // a nested one is stored
		t.emit(opNop, 0, 0, 0)
	case shapedField:
		in(step.slot)
		if isConstant(w.c()) {
			t.emit(opLoadK, to(0), rk(w.c()), 0)
			break
		}
		t.read(w.c())
		t.emit(opMove, to(0), offset(w.c()), 0)
	case shapedItems:
		for i := range w.b() {
			in(step.slot + i)
			t.read(w.a() + 1 + i)
			t.emit(opMove, to(i), offset(w.a()+1+i), 0)
		}
	case shapedCall:
		for i := range step.shape.slots {
			ends(step.slot + i)
		}
		op, table := opCallShape, w.a()+w.b()-1
		switch w.op() {
		case lua.OP_TAILCALL:
			op = opTailCall
		case lua.OP_RETURN:
			op, table = opReturnShape, w.a()
		}
		ends(-1 - table)
		t.withSite(t.emit(op, w.a(), w.b(), w.c()))
		t.code.sites[len(t.code.sites)-1].shape = &shapeSite{step.shape, step.slot}
	}
}
