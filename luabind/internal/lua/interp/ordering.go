package interp

import (
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// An Ordering compares the items of one list as a function of a script does: see order.go. It is valid as long as the items, what
// they hold and the function do not change.
type Ordering struct {
	order   *order
	steps   []orderStep // those of order, with the comparisons that the columns need
	columns []orderColumn
	numbers []float64 // by item and column: a number, or 1 for true
	texts   []string  // the same; nil if no column has strings
}

// An orderColumn is the type of the values in a column.
type orderColumn lua.LValueType

// Comparisons of strings.
const (
	orderTextLess orderKind = orderTrue + 1 + iota
	orderTextLessEqual
	orderTextEqual
)

// Limits of the lists that have an Ordering: for fewer items it is not worth it, and values take memory for a while.
const (
	leastOrdering = 6
	mostOrdering  = 1 << 20 // values: items times columns
)

// Ordering returns the Ordering of some items by a function. It returns nil if the function has to be called, also where a call would
// raise an error.
func (m *Machine) Ordering(L *lua.LState, fn *lua.LFunction, items []lua.LValue) *Ordering {
	if m.Without.Has(without.Order) || fn.IsG || m.L != L || len(items) < leastOrdering {
		return nil
	}
	c := m.recentCode(fn.Proto)
	if !c.orderKnown {
		c.order, c.orderKnown = orderOf(fn.Proto), true
	}
	if c.order == nil || len(items)*len(c.order.columns) > mostOrdering || !m.roomForCall(L, c, 2) {
		return nil
	}
	g := &Ordering{order: c.order}
	if !g.read(fn, items) || !g.compile() {
		return nil
	}
	return g
}

// read reads the columns. It reports false if an item lacks a value, or has one that only a function of the script could compare.
func (g *Ordering) read(fn *lua.LFunction, items []lua.LValue) bool {
	width := len(g.order.columns)
	g.columns, g.numbers = make([]orderColumn, width), make([]float64, width*len(items))
	for at, x := range g.order.columns {
		for i, item := range items {
			v := x.of(fn, item)
			if v == nil || i > 0 && orderColumn(v.Type()) != g.columns[at] {
				return false
			}
			g.columns[at] = orderColumn(v.Type())
			place := i*width + at
			switch v := v.(type) {
			case lua.LNumber:
				g.numbers[place] = float64(v)
			case lua.LBool:
				if v {
					g.numbers[place] = 1
				}
			case *lua.LNilType: // a constant, or an upvalue
			case lua.LString:
				if g.texts == nil {
					g.texts = make([]string, len(g.numbers))
				}
				g.texts[place] = string(v)
			default:
				return false
			}
		}
	}
	return true
}

// of returns the value of an expression for an item; nil if it has none, or if a metamethod might decide.
func (x *orderExpr) of(fn *lua.LFunction, item lua.LValue) lua.LValue {
	switch x.op {
	case orderItem:
		return item
	case orderUpvalue:
		return fn.Upvalues[x.upvalue].Value()
	case orderConstant:
		return x.constant
	case orderNot:
		if v := x.base.of(fn, item); v != nil {
			return lua.LBool(lua.LVIsFalse(v))
		}
		return nil
	}
	t, ok := x.base.of(fn, item).(*lua.LTable)
	if !ok {
		return nil
	}
	key := x.key.of(fn, item)
	if key == nil {
		return nil
	}
	if v := Get(t, key); v != lua.LNil {
		return v
	}
	return nil
}

// compile finds the comparison of each step for the types of the columns. It reports false if one of them is an error.
func (g *Ordering) compile() bool {
	g.steps = make([]orderStep, len(g.order.steps))
	for i, s := range g.order.steps {
		x, y := g.columns[s.x.column], g.columns[s.y.column]
		boolean, text, absent := x == orderColumn(lua.LTBool), x == orderColumn(lua.LTString), x == orderColumn(lua.LTNil)
		switch {
		case s.kind == orderTrue && absent, s.kind == orderEqual && x != y:
			s.kind, s.then = orderLess, s.other // the result is false
		case s.kind == orderTrue && !boolean:
			s.kind, s.other = orderLess, s.then // the result is true
		case s.kind == orderTrue:
		case s.kind != orderEqual && (x != y || boolean || absent):
			return false
		case text:
			s.kind += orderTextLess
		}
		g.steps[i] = s
	}
	return true
}

// Less reports whether the item at i comes before that at j, and how many instructions a call would have used.
func (g *Ordering) Less(i, j int) (is bool, cost int64) {
	width := len(g.columns)
	base := [2]int{i * width, j * width}
	at := g.order.root
	for at >= 0 {
		s := &g.steps[at]
		x, y := base[s.x.side&1]+s.x.column, base[s.y.side&1]+s.y.column
		switch s.kind {
		case orderLess:
			is = g.numbers[x] < g.numbers[y]
		case orderLessEqual:
			is = g.numbers[x] <= g.numbers[y]
		case orderEqual:
			is = g.numbers[x] == g.numbers[y]
		case orderTrue:
			is = g.numbers[x] != 0
		case orderTextLess:
			is = g.texts[x] < g.texts[y]
		case orderTextLessEqual:
			is = g.texts[x] <= g.texts[y]
		case orderTextEqual:
			is = g.texts[x] == g.texts[y]
		}
		if at = s.other; is {
			at = s.then
		}
	}
	leaf := &g.order.leaves[-at-1]
	return leaf.is, leaf.cost
}
