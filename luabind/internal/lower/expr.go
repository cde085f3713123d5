package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Expressions: operators, comparisons, and, or, not. An expression is lowered to an [ir.Expr] if it is a
// number, boolean or string, and to a [symbol] if it may be something else. What needs statements of its own
// emits them first: see order.go.

// arithmetic has the operations of the arithmetic operators.
var arithmetic = map[string]ir.Op{"+": ir.Add, "-": ir.Sub, "*": ir.Mul, "/": ir.Div, "%": ir.Mod, "^": ir.Pow}

// typeNames are the words for types in reasons.
var typeNames = [...]string{ir.Number: "a number", ir.Bool: "a boolean", ir.Text: "a string"}

// number lowers an expression that has to be a number.
func (c *lowerer) number(e ast.Expr) *ir.Expr {
	x := c.expr(e)
	if x.Type != ir.Number {
		refuse(e, "does arithmetic with %s", typeNames[x.Type])
	}
	return x
}

// pair lowers two values. The first one is evaluated first.
func (c *lowerer) pair(lhs, rhs func() *ir.Expr) (a, b *ir.Expr) {
	a = lhs()
	c.after(func() { b = rhs() }, &a)
	return a, b
}

// condition lowers an expression to a boolean: whether its value is neither nil nor false.
func (c *lowerer) condition(e ast.Expr) *ir.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		c.pay()
		op := ir.And
		if e.Operator == "or" {
			op = ir.Or
		}
		return c.both(op, c.condition(e.Lhs), func() *ir.Expr { return c.condition(e.Rhs) })
	case *ast.UnaryNotOpExpr:
		c.pay()
		return not(c.condition(e.Expr))
	case *ast.NilExpr:
		c.pay()
		return boolean(false)
	case *ast.IdentExpr:
		c.pay()
		return c.truth(c.named(e), e)
	}
	v := c.operand(e)
	return c.truth(v, e)
}

// truth is condition for a symbol.
func (c *lowerer) truth(s *symbol, at ast.Expr) *ir.Expr {
	switch s.kind {
	case nilSymbol:
		return boolean(false)
	case unsetSymbol:
		return c.present(s)
	case viewSymbol:
		return c.there(s)
	case registerSymbol, valueSymbol:
	case lookupSymbol:
		return c.isTrue(s, at)
	case elementSymbol:
		return c.exists(s.i, s.x)
	case madeSymbol:
		return boolean(true)
	default:
		refuse(at, "asks whether there is %s", kindTexts[s.kind])
	}
	if s.kind == registerSymbol && s.typ != ir.Bool {
		return c.present(s)
	}
	if s.kind == registerSymbol {
		x := &ir.Expr{Op: ir.Reg, Type: ir.Bool, I: s.i}
		if s.mark < 0 || c.hasValue[s] {
			return x
		}
		return &ir.Expr{Op: ir.And, Type: ir.Bool, A: c.present(s), B: x}
	}
	if s.x.Op == ir.Element && s.x.Member < 0 {
		return c.exists(s.x.I, s.x.A)
	}
	if s.x.Type != ir.Bool {
		c.absent(s.x, at)
		c.discard(s.x)
		return boolean(true)
	}
	return s.x
}

// absent adds a departure: a row may read an element that a table does not have.
func (c *lowerer) absent(x *ir.Expr, at ast.PositionHolder) {
	if x.Op == ir.Element {
		c.departs(at, "the table %q has no such element", c.t.Inputs[c.p.Tables[x.I].Input].Text())
	}
}

// expr lowers an expression that has to be a number, boolean or string.
func (c *lowerer) expr(e ast.Expr) *ir.Expr {
	return c.value(c.operand(e), e)
}

// value is expr for a symbol.
func (c *lowerer) value(s *symbol, at ast.PositionHolder) *ir.Expr {
	switch s.kind {
	case valueSymbol:
		return s.x
	case registerSymbol, unsetSymbol:
		return c.read(s)
	case lookupSymbol:
		return c.fetch(s, at)
	case viewSymbol:
		switch {
		case s.event:
			refuseWith(at, useFields, "uses the event %q as a value", s.name)
		case s.schema == nil && s.name != "":
			refuseWith(at, targetInField, "the target of a relation, %q, is used", s.name)
		case s.name != "":
			refuseWith(at, useFields, "uses the view %q as a value", s.name)
		}
	case nilSymbol:
		if s.name != "" {
			refuse(at, "uses %q, which is nil when the loop begins", s.name)
		}
		refuse(at, "uses nil as a value")
	}
	refuseWith(at, adviceOnUse(s.kind), "uses %s as a value", kindTexts[s.kind])
	return nil
}

// operand lowers any expression to a symbol.
func (c *lowerer) operand(e ast.Expr) *symbol {
	switch e := e.(type) {
	case *ast.IdentExpr:
		c.pay()
		return c.named(e)
	case *ast.AttrGetExpr:
		c.pay()
		return c.get(e)
	case *ast.FuncCallExpr:
		c.pay()
		out := c.call(e, 1)
		if len(out) == 0 {
			return &symbol{kind: nilSymbol}
		}
		return out[0]
	case *ast.NilExpr:
		c.pay()
		return &symbol{kind: nilSymbol}
	case *ast.LogicalOpExpr:
		c.pay()
		return c.logical(e)
	case *ast.TableExpr:
		c.pay()
		return c.constructor(e)
	}
	return &symbol{kind: valueSymbol, x: c.simple(e)}
}

// simple lowers an expression whose value is always a number, boolean or string.
func (c *lowerer) simple(e ast.Expr) *ir.Expr {
	c.pay()
	switch e := e.(type) {
	case *ast.NumberExpr:
		n, ok := syntax.ParseNumber(e.Value)
		if !ok {
			refuse(e, "has a malformed number")
		}
		return &ir.Expr{Op: ir.Const, N: n}
	case *ast.StringExpr:
		return &ir.Expr{Op: ir.Const, Type: ir.Text, S: e.Value}
	case *ast.TrueExpr:
		return boolean(true)
	case *ast.FalseExpr:
		return boolean(false)
	case *ast.UnaryMinusOpExpr:
		return fold(&ir.Expr{Op: ir.Neg, A: c.number(e.Expr)})
	case *ast.UnaryNotOpExpr:
		return not(c.condition(e.Expr))
	case *ast.ArithmeticOpExpr:
		a, b := c.pair(func() *ir.Expr { return c.number(e.Lhs) }, func() *ir.Expr { return c.number(e.Rhs) })
		if _, ok := e.Lhs.(*ast.UnaryLenOpExpr); ok && e.Operator == "+" {
			c.roomIn(a)
		}
		return fold(&ir.Expr{Op: arithmetic[e.Operator], A: a, B: b})
	case *ast.UnaryLenOpExpr:
		return c.lengthOf(e)
	case *ast.RelationalOpExpr:
		return c.compare(e)
	}
	refuse(e, "has an expression that is no number, boolean or string")
	return nil
}

// fold computes an arithmetic operation on constants. As in the interpreter, the result is -0 only
// for a unary minus.
func fold(x *ir.Expr) *ir.Expr {
	if x.A.Op != ir.Const || x.B != nil && x.B.Op != ir.Const {
		return x
	}
	n := 0.0
	switch a := x.A.N; x.Op {
	case ir.Neg:
		return &ir.Expr{Op: ir.Const, N: -a}
	case ir.Add:
		n = a + x.B.N
	case ir.Sub:
		n = a - x.B.N
	case ir.Mul:
		n = a * x.B.N
	case ir.Div:
		n = a / x.B.N
	case ir.Mod:
		n = sandbox.Modulo(a, x.B.N)
	case ir.Pow:
		n = sandbox.Power(a, x.B.N)
	default:
		panic("lower: a constant of unknown operation")
	}
	return &ir.Expr{Op: ir.Const, N: n + 0}
}

// named returns what an identifier stands for.
func (c *lowerer) named(e *ast.IdentExpr) *symbol {
	s := c.lookup(e)
	if s.kind == valueSymbol && s.x.Op == ir.Entity {
		c.p.Entity = true
	}
	return c.resolve(s, e)
}

// compare lowers a comparison. Values of different types are never equal. Only a view and a variable
// without a value can be nil.
func (c *lowerer) compare(e *ast.RelationalOpExpr) *ir.Expr {
	equality := e.Operator == "==" || e.Operator == "~="
	sense := func(equal *ir.Expr) *ir.Expr {
		if e.Operator == "~=" {
			return not(equal)
		}
		return equal
	}
	if _, ok := e.Rhs.(*ast.NilExpr); ok && equality {
		c.pay()
		return sense(c.missing(e.Lhs))
	}
	if _, ok := e.Lhs.(*ast.NilExpr); ok && equality {
		c.pay()
		return sense(c.missing(e.Rhs))
	}
	a, b := c.pair(func() *ir.Expr { return c.expr(e.Lhs) }, func() *ir.Expr { return c.expr(e.Rhs) })
	switch {
	case a.Type != b.Type && equality:
		c.discard(a)
		c.discard(b)
		return boolean(e.Operator == "~=")
	case a.Type != b.Type:
		refuse(e, "compares %s with %s", typeNames[a.Type], typeNames[b.Type])
	case !equality && a.Type != ir.Number:
		refuse(e, "asks which of two values is less, and they are no numbers")
	}
	if (e.Operator == ">" || e.Operator == ">=") && (hasEffect(a) || hasEffect(b)) {
		a = c.keep(a)
	}
	switch e.Operator {
	case "<":
		return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: a, B: b}
	case ">":
		return &ir.Expr{Op: ir.Less, Type: ir.Bool, A: b, B: a}
	case "<=":
		return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: a, B: b}
	case ">=":
		return &ir.Expr{Op: ir.LessEqual, Type: ir.Bool, A: b, B: a}
	}
	return sense(&ir.Expr{Op: ir.Equal, Type: ir.Bool, A: a, B: b})
}

// missing lowers a comparison with nil.
func (c *lowerer) missing(e ast.Expr) *ir.Expr {
	switch s := c.operand(e); s.kind {
	case nilSymbol:
		return boolean(true)
	case viewSymbol:
		return not(c.there(s))
	case unsetSymbol, registerSymbol:
		return not(c.present(s))
	case lookupSymbol:
		return not(c.found(s))
	case elementSymbol:
		return not(c.exists(s.i, s.x))
	case valueSymbol:
		if s.x.Op == ir.Element && s.x.Member < 0 {
			return not(c.exists(s.x.I, s.x.A))
		}
		c.absent(s.x, e)
		c.discard(s.x)
	}
	return boolean(false)
}

// logical lowers and, or where their value is used. A number or string counts as true, so "c and 1 or 2"
// is always a number.
func (c *lowerer) logical(e *ast.LogicalOpExpr) *symbol {
	mixed := func() { refuseWith(e, oneType, "and, or give now one type, now another") }
	if and, ok := e.Lhs.(*ast.LogicalOpExpr); ok && e.Operator == "or" && and.Operator == "and" {
		c.pay()
		// Only the truth of the left side of and matters here: if it is false, the result is the right side of or.
		return plain(c.either(c.condition(and.Lhs), func() *ir.Expr { return c.expr(and.Rhs) }, func() *ir.Expr { return c.expr(e.Rhs) }, mixed))
	}
	s := c.operand(e.Lhs)
	if s.kind == lookupSymbol && e.Operator == "or" {
		return c.orElse(s, e, mixed)
	}
	if (s.kind == registerSymbol || s.kind == unsetSymbol) && s.typ != ir.Bool && e.Operator == "or" && s.mark >= 0 && !c.hasValue[s] {
		there := c.present(s)
		return plain(c.either(there, func() *ir.Expr { c.hasValue[s] = true; return c.read(s) }, func() *ir.Expr { return c.expr(e.Rhs) }, mixed))
	}
	if s.kind == valueSymbol && s.x.Op == ir.Element && s.x.Member < 0 && e.Operator == "or" {
		x := *s.x
		x.A = c.keep(x.A)
		return plain(c.either(c.exists(x.I, x.A), func() *ir.Expr { return &x }, func() *ir.Expr { return c.expr(e.Rhs) }, mixed))
	}
	if s.kind == lookupSymbol {
		c.mayBeNil(s, e)
	}
	a := c.value(s, e.Lhs)
	op := ir.Or
	if e.Operator == "and" {
		op = ir.And
	}
	switch {
	case a.Type != ir.Bool && op == ir.And:
		c.discard(a)
		return plain(c.expr(e.Rhs))
	case a.Type != ir.Bool:
		c.absent(a, e)
		c.branching(func() { c.collect(func() { c.expr(e.Rhs) }) })
		return plain(a)
	}
	return plain(c.both(op, a, func() *ir.Expr {
		b := c.expr(e.Rhs)
		if b.Type != ir.Bool {
			mixed()
		}
		return b
	}))
}
