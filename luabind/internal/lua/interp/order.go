package interp

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// The order of table.sort. Most functions that scripts give to it only compare numbers and strings that they find in the two
// items: return a.points > b.points. Such a function is turned into a tree of comparisons, once. At each sort, what it
// looks at is read from each item once (ordering.go), so that a comparison needs no call of Lua. The tree also says how many
// instructions each result costs.

// Limits of such functions. A larger one is called.
const (
	mostOrderSteps   = 32
	mostOrderColumns = 8
	mostOrderCost    = 256 // instructions of one call
)

// An order is a function of two items as a tree of comparisons.
type order struct {
	columns []*orderExpr // what it reads of an item
	steps   []orderStep
	leaves  []orderLeaf
	root    int // the first step; see orderStep
}

// An orderStep compares two operands, or asks whether the first one is true, and goes on with another step. A negative number n is
// the leaf -n-1.
type orderStep struct {
	kind        orderKind
	x, y        orderOperand
	then, other int
}

type orderKind uint8

const (
	orderLess orderKind = iota
	orderLessEqual
	orderEqual
	orderTrue
)

// An orderLeaf is a result of the function, with the number of instructions that lead to it.
type orderLeaf struct {
	is   bool
	cost int64
}

// An orderOperand is a column of the first item (side 0) or of the second one (side 1).
type orderOperand struct{ side, column int }

// An orderExpr is a value in a register of the function: an item, an upvalue, a constant, what a table has
// at a key, or whether another one is false.
type orderExpr struct {
	op        orderOp
	upvalue   int
	constant  lua.LValue
	base, key *orderExpr
	sides     int // bit 0: it depends on the first item; bit 1: on the second one
}

type orderOp uint8

const (
	orderItem orderOp = iota
	orderUpvalue
	orderConstant
	orderIndex
	orderNot // not base
)

// text tells expressions apart, no matter of which item they are.
func (x *orderExpr) text() string {
	switch x.op {
	case orderItem:
		return "item"
	case orderUpvalue:
		return fmt.Sprint("upvalue ", x.upvalue)
	case orderConstant:
		return fmt.Sprintf("%s %q", x.constant.Type(), x.constant.String())
	case orderNot:
		return "not " + x.base.text()
	default:
		return "(" + x.base.text() + ")[" + x.key.text() + "]"
	}
}

// An orderMaker follows the instructions of a function, on each way through it.
type orderMaker struct {
	order
	proto *lua.FunctionProto
	names map[string]int // the columns, by text
}

// orderOf turns a function into an order; nil if it does anything else than comparing what it finds in two items.
func orderOf(p *lua.FunctionProto) *order {
	if p.IsVarArg != 0 || p.NumParameters != 2 || len(p.FunctionPrototypes) > 0 {
		return nil
	}
	mk := &orderMaker{proto: p, names: map[string]int{}}
	registers := make([]*orderExpr, 256)
	registers[0], registers[1] = &orderExpr{sides: 1}, &orderExpr{sides: 2}
	root, ok := mk.follow(0, registers, 0)
	if !ok {
		return nil
	}
	mk.root = root
	return &mk.order
}

// follow follows the instructions from pc on, and returns the step or the leaf to which they lead.
func (mk *orderMaker) follow(pc int, registers []*orderExpr, cost int64) (to int, ok bool) {
	constant := func(v lua.LValue) *orderExpr { return &orderExpr{op: orderConstant, constant: v} }
	value := func(rk int) *orderExpr {
		if isConstant(rk) {
			return constant(mk.proto.Constants[rk&^constantBit])
		}
		return registers[rk]
	}
	for pc < len(mk.proto.Code) && cost < mostOrderCost {
		w := word(mk.proto.Code[pc])
		a, b, c := w.a(), w.b(), w.c()
		pc++
		cost++
		switch w.op() {
		case lua.OP_MOVE:
			registers[a] = registers[b]
		case lua.OP_LOADK:
			registers[a] = constant(mk.proto.Constants[w.bx()])
		case lua.OP_LOADBOOL:
			registers[a] = constant(lua.LBool(b != 0))
			if c != 0 {
				pc++
			}
		case lua.OP_GETUPVAL:
			registers[a] = &orderExpr{op: orderUpvalue, upvalue: b}
		case lua.OP_GETTABLE, lua.OP_GETTABLEKS:
			base, key := value(b), value(c)
			if base == nil || key == nil || base.op == orderConstant || base.sides|key.sides == 3 {
				return 0, false
			}
			registers[a] = &orderExpr{op: orderIndex, base: base, key: key, sides: base.sides | key.sides}
		case lua.OP_NOT:
			x := value(b)
			if x == nil {
				return 0, false
			}
			if registers[a] = (&orderExpr{op: orderNot, base: x, sides: x.sides}); x.op == orderConstant {
				registers[a] = constant(lua.LBool(lua.LVIsFalse(x.constant)))
			}
		case lua.OP_JMP:
			pc += w.sbx()
		case lua.OP_EQ, lua.OP_LT, lua.OP_LE:
			kind := map[int]orderKind{lua.OP_EQ: orderEqual, lua.OP_LT: orderLess, lua.OP_LE: orderLessEqual}[w.op()]
			return mk.branch(kind, value(b), value(c), registers, pc, a == 1, cost)
		case lua.OP_TEST, lua.OP_TESTSET:
			x := registers[a]
			if w.op() == lua.OP_TESTSET {
				x = registers[b]
			}
			if x == nil {
				return 0, false
			}
			then, other := registers, registers // where x is true, and where it is not
			if w.op() == lua.OP_TESTSET {
				set := append([]*orderExpr(nil), registers...)
				if set[a] = x; c != 0 {
					then = set
				} else {
					other = set
				}
			}
			if x.op == orderConstant {
				if is := lua.LVAsBool(x.constant); is {
					registers = then
					if c == 0 {
						pc++
					}
				} else if registers = other; c != 0 {
					pc++
				}
				break
			}
			return mk.fork(orderTrue, x, x, then, other, pc, c != 0, cost)
		case lua.OP_RETURN:
			return mk.result(registers, a, b, cost)
		default:
			return 0, false
		}
	}
	return 0, false
}

// result ends a way through the function.
func (mk *orderMaker) result(registers []*orderExpr, a, b int, cost int64) (to int, ok bool) {
	if b == 1 { // return without a value
		return mk.leaf(false, cost), true
	}
	x := registers[a]
	if b == 0 || x == nil {
		return 0, false
	}
	if x.op == orderConstant {
		return mk.leaf(lua.LVAsBool(x.constant), cost), true
	}
	return mk.step(orderTrue, x, x, mk.leaf(true, cost), mk.leaf(false, cost))
}

// branch is fork where both ways have the same registers. x and y may be unknown.
func (mk *orderMaker) branch(kind orderKind, x, y *orderExpr, registers []*orderExpr, pc int, jumps bool, cost int64) (to int, ok bool) {
	if x == nil || y == nil {
		return 0, false
	}
	return mk.fork(kind, x, y, registers, registers, pc, jumps, cost)
}

// fork follows both ways behind a comparison in front of pc: the next instruction is executed if the result is jumps, and skipped otherwise.
func (mk *orderMaker) fork(kind orderKind, x, y *orderExpr, then, other []*orderExpr, pc int, jumps bool, cost int64) (to int, ok bool) {
	thenPC, otherPC := pc, pc+1
	if !jumps {
		thenPC, otherPC = pc+1, pc
	}
	yes, ok := mk.follow(thenPC, append([]*orderExpr(nil), then...), cost)
	if !ok {
		return 0, false
	}
	no, ok := mk.follow(otherPC, append([]*orderExpr(nil), other...), cost)
	if !ok {
		return 0, false
	}
	return mk.step(kind, x, y, yes, no)
}

func (mk *orderMaker) step(kind orderKind, x, y *orderExpr, then, other int) (to int, ok bool) {
	s := orderStep{kind: kind, then: then, other: other}
	if s.x, ok = mk.operand(x); ok {
		s.y, ok = mk.operand(y)
	}
	if !ok || len(mk.steps) == mostOrderSteps {
		return 0, false
	}
	mk.steps = append(mk.steps, s)
	return len(mk.steps) - 1, true
}

// operand returns the column for an expression, and of which item it is.
func (mk *orderMaker) operand(x *orderExpr) (o orderOperand, ok bool) {
	text := x.text()
	column, known := mk.names[text]
	if !known {
		if column = len(mk.columns); column == mostOrderColumns {
			return o, false
		}
		mk.names[text], mk.columns = column, append(mk.columns, x)
	}
	return orderOperand{x.sides >> 1, column}, true
}

func (mk *orderMaker) leaf(is bool, cost int64) int {
	mk.leaves = append(mk.leaves, orderLeaf{is, cost})
	return -len(mk.leaves)
}
